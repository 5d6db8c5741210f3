#include "search/base/blamed.h"

size_t blamed_before(const struct script_scope *scope, uint32_t place) {
  size_t count = 0;
  if (!scope) return 0;
  for (size_t i = 0; i < scope->invariant_count; i++)
    count += scope->invariants[i]->span.begin < place;
  for (size_t i = 0; i < scope->loop_count; i++)
    count += blamed_before(scope->loops[i], place);
  for (size_t i = 0; i < scope->part_count; i++)
    count += blamed_before(scope->parts[i].scope, place);
  if (scope->form) count += blamed_before(scope->form->first, place);
  if (scope->cases)
    count += blamed_before(scope->cases->yes, place) + blamed_before(scope->cases->no, place);
  return count + blamed_before(scope->backward, place);
}

long blamed_invariant(struct auto_problem *p, const struct proof_result *failure) {
  struct span at = failure->span;
  if (!at.file) return -1;
  const struct source *source = sources_get(&p->lang->sources, at.file);
  if (source->path[0] != '<') return -1; /* no attempt */
  struct diag_mark mark = diags_mark(&p->lang->diags);
  struct span whole = {at.file, 0, (uint32_t)source->length};
  const struct script_scope *scope = script_parse(p->lang, whole);
  diags_rollback(&p->lang->diags, mark);
  size_t until = blamed_before(scope, at.begin + 1);
  bool is_one = until > blamed_before(scope, at.begin);
  return is_one ? (long)until - 1 : -1;
}
