#include "search/goals/lengths.h"

#include "search/align/strategy.h"
#include "search/base/lists.h"
#include "search/base/view.h"
#include "search/goals/rescale.h"
#include "term/build.h"
#include "term/subst.h"

struct measurer {
  struct auto_problem *p;
  struct terms *ts;
  struct view out; /* with the lists and their lengths */
};

/* ---- which lists ----------------------------------------------------------------------------- */

/* Is a list in the term read for anything but its length? */
static bool is_read(const struct measurer *m, term_id t, term_id list) {
  if (t == list) return true;
  if (term_kind(m->ts, t) == TERM_LENGTH && term_arg(m->ts, t, 0) == list) return false;
  for (size_t i = 0; i < term_arg_count(m->ts, t); i++)
    if (is_read(m, term_arg(m->ts, t, i), list)) return true;
  return false;
}

/* The same where the term becomes a list of which only the length matters. */
static bool is_read_beside_length(const struct measurer *m, term_id t, term_id list) {
  switch (term_kind(m->ts, t)) {
  case TERM_VAR: return false;
  case TERM_CONS:
    return is_read(m, term_arg(m->ts, t, 0), list) ||
           is_read_beside_length(m, term_arg(m->ts, t, 1), list);
  case TERM_APPEND:
    return is_read_beside_length(m, term_arg(m->ts, t, 0), list) ||
           is_read_beside_length(m, term_arg(m->ts, t, 1), list);
  default: return is_read(m, t, list);
  }
}

/* Is the length of the list all that the code needs? */
static bool is_counted(const struct measurer *m, const struct core *c, term_id list) {
  if (c->kind == CORE_ASSIGN && c->var == list) return !is_read_beside_length(m, c->expr, list);
  if (c->var == list || (c->kind == CORE_ADVERSARY && c->state == list)) return false;
  if (c->expr != TERM_NONE && is_read(m, c->expr, list)) return false;
  for (size_t i = 0; i < c->arg_count; i++)
    if (is_read(m, c->args[i], list)) return false;
  return (!c->first || is_counted(m, c->first, list)) &&
         (!c->second || is_counted(m, c->second, list));
}

static void find_lists(struct measurer *m, const struct core *program) {
  const struct lowered *claimed = claim_program(m->p->goal);
  const struct kernel *k = claim_kernel(m->p->goal, CLAIM_FORWARD);
  term_list written = {0};
  core_writes(program, &written);
  for (size_t i = 0; i < kernel_var_count(k); i++) {
    term_id var = kernel_var_at(k, i);
    bool is_list = sort_get(m->ts, term_sort(m->ts, var))->kind == SORT_KIND_LIST;
    if (!is_list || var == claimed->output || var == claimed->result) continue;
    if (!terms_have(&written, var) || !is_counted(m, program, var)) continue;
    const char *name = arena_printf(m->p->arena, "length of %s", term_var_get(m->ts, var)->name);
    vec_push(&m->out.lists, var);
    vec_push(&m->out.lengths, term_var(m->ts, name, SORT_INT, 0, 0));
  }
  vec_clear(&written);
}

/* ---- the program ----------------------------------------------------------------------------- */

static term_id length_of(const struct measurer *m, term_id list);

/* The term with lengths as numbers. */
static term_id measured(const struct measurer *m, term_id t) {
  struct terms *ts = m->ts;
  term_id args[16];
  size_t count = t == TERM_NONE ? 0 : term_arg_count(ts, t);
  if (count == 0 || count > 16) return t;
  if (term_kind(ts, t) == TERM_LENGTH) return length_of(m, term_arg(ts, t, 0));
  for (size_t i = 0; i < count; i++)
    args[i] = measured(m, term_arg(ts, t, i));
  return term_rebuild(ts, t, args);
}

static term_id length_of(const struct measurer *m, term_id list) {
  struct terms *ts = m->ts;
  for (size_t i = 0; i < m->out.lists.len; i++)
    if (m->out.lists.at[i] == list) return m->out.lengths.at[i];
  switch (term_kind(ts, list)) {
  case TERM_NIL: return term_int(ts, 0);
  case TERM_CONS: return term_add(ts, term_int(ts, 1), length_of(m, term_arg(ts, list, 1)));
  case TERM_APPEND:
    return term_add(ts, length_of(m, term_arg(ts, list, 0)), length_of(m, term_arg(ts, list, 1)));
  default: return term_length(ts, list);
  }
}

static const struct core *rewrite(struct measurer *m, const struct core *c) {
  struct arena *arena = m->p->arena;
  if (c->kind == CORE_SKIP || view_noise(m->p, c)) return c;
  struct core *copy = arena_memdup(arena, c, sizeof *c);
  term_id *args = arena_alloc(arena, (c->arg_count + 1) * sizeof *args);
  for (size_t i = 0; i < c->arg_count; i++)
    args[i] = measured(m, c->args[i]);
  copy->args = args;
  copy->expr = measured(m, c->expr);
  for (size_t i = 0; i < m->out.lists.len && c->kind == CORE_ASSIGN; i++)
    if (m->out.lists.at[i] == c->var) {
      copy->var = m->out.lengths.at[i];
      copy->expr = length_of(m, c->expr);
    }
  if (c->first) copy->first = rewrite(m, c->first);
  if (c->second) copy->second = rewrite(m, c->second);
  if (c->kind == CORE_WHILE) vec_push(&m->out.loops, (struct view_loop){copy, c});
  return copy;
}

void auto_lengths(struct auto_problem *p, struct auto_search *s) {
  struct measurer m = {.p = p, .ts = p->ts};
  const struct view *before = p->view;
  if (auto_cost(s)) return;
  view_copy(&m.out, before);
  find_lists(&m, before->program);
  if (m.out.lists.len) {
    m.out.program = rewrite(&m, before->program);
    p->view = &m.out;
    auto_align(p, s);
    if (!auto_cost(s) && !auto_is_late(s)) auto_rescaled(p, s);
    p->view = before;
  }
  view_clear(&m.out);
}
