#include "search/align/live.h"

#include "term/subst.h"

static void mark(struct align *s, term_id t, bool *live) {
  term_list vars = {0};
  term_free_vars(s->ts, t, &vars);
  for (size_t i = 0; i < vars.len; i++) {
    size_t v = align_var(s, vars.at[i]);
    if (v != SIZE_MAX) live[v] = true;
  }
  vec_clear(&vars);
}

static void unmark(struct align *s, term_id var, bool *live) {
  size_t v = align_var(s, var);
  if (v != SIZE_MAX) live[v] = false;
}

static bool *copy_flags(struct align *s, const bool *flags) {
  return arena_memdup(s->arena, flags, s->vars.len * sizeof *flags);
}

static void join(struct align *s, bool *live, const bool *other) {
  for (size_t v = 0; v < s->vars.len; v++)
    live[v] |= other[v];
}

void align_live_before(struct align *s, const struct core *c, bool *live) {
  switch (c->kind) {
  case CORE_SKIP: break;
  case CORE_ASSIGN:
    unmark(s, c->var, live);
    mark(s, c->expr, live);
    break;
  case CORE_SAMPLE:
    unmark(s, c->var, live);
    for (size_t i = 0; i < c->arg_count; i++)
      mark(s, c->args[i], live);
    break;
  case CORE_SEQ:
    align_live_before(s, c->second, live);
    align_live_before(s, c->first, live);
    break;
  case CORE_IF: {
    bool *other = copy_flags(s, live);
    align_live_before(s, c->first, live);
    align_live_before(s, c->second, other);
    join(s, live, other);
    mark(s, c->expr, live);
    break;
  }
  case CORE_WHILE:
    mark(s, c->expr, live);
    for (int round = 0; round < 2; round++) { /* twice is enough: kill sets do not depend on it */
      bool *other = copy_flags(s, live);
      align_live_before(s, c->first, other);
      join(s, live, other);
    }
    break;
  case CORE_ADVERSARY:
    unmark(s, c->var, live);
    mark(s, c->state, live);
    for (size_t i = 0; i < c->arg_count; i++)
      mark(s, c->args[i], live);
    break;
  }
}

void align_live_before_rest(struct align *s, const struct todo *rest, bool *live) {
  if (!rest || rest->kind != TODO_COMMAND) return;
  align_live_before_rest(s, rest->next, live);
  align_live_before(s, rest->command, live);
}
