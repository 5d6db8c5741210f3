/* The exponential mechanism in a claim of accuracy: the winner is near the best. */
#include "kernel/rules.h"
#include "search/base/lists.h"
#include "search/goals/accuracy_internal.h"
#include "term/build.h"

static bool draws_gumbel(const struct core *c) {
  return (c->kind == CORE_SAMPLE && c->dist == DIST_GUMBEL) ||
         (c->first && draws_gumbel(c->first)) || (c->second && draws_gumbel(c->second));
}

static bool is_gumbel(const struct core *c) {
  return c->kind == CORE_SAMPLE && c->dist == DIST_GUMBEL;
}

const struct core *accuracy_contest(struct accuracy *a, const struct core *c) {
  struct kernel *k = claim_kernel(a->p->goal, CLAIM_FORWARD);
  VEC(const struct core *) list = {0};
  const struct core *part = c->kind == CORE_SEQ ? c->first : c, *loop = NULL;
  if (is_gumbel(part)) do {
      vec_push(&list, part);
      c = c->kind == CORE_SEQ ? c->second : core_skip();
      part = c->kind == CORE_SEQ ? c->first : c;
    } while (part->kind == CORE_ASSIGN);
  if (part->kind == CORE_WHILE && draws_gumbel(part)) {
    const struct core *code = part;
    for (size_t i = list.len; i-- > 0;)
      code = core_seq(kernel_arena(k), list.at[i], code);
    loop = exponential_score(k, code) != TERM_NONE ? part : NULL;
  }
  vec_clear(&list);
  return loop;
}

term_id accuracy_winner(struct accuracy *a, const struct core *loop) {
  term_list written = {0};
  term_id index = term_arg(a->ts, loop->expr, 0), found = TERM_NONE;
  core_writes(loop, &written);
  for (size_t i = 0; i < written.len && found == TERM_NONE; i++)
    if (written.at[i] != index && term_sort(a->ts, written.at[i]) == SORT_INT)
      found = written.at[i];
  vec_clear(&written);
  return found;
}
