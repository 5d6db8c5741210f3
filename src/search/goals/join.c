#include "search/goals/join.h"

#include "kernel/rules.h"
#include "search/align/strategy.h"
#include "search/base/view.h"
#include "search/goals/assume.h"
#include "search/goals/parts.h"
#include "search/goals/pointwise.h"

struct joiner {
  struct auto_problem *p;
  struct kernel *k;
  struct view out;
  bool lonely; /* also where only one branch samples */
};

/* Where we are: the loop whose body this is, and how many conditionals came before. */
struct scope {
  const struct core *loop;
  unsigned branches;
};

static unsigned count_branches(const struct core *c) {
  if (c->kind != CORE_SEQ && c->kind != CORE_IF) return 0;
  return (c->kind == CORE_IF) + count_branches(c->first) + count_branches(c->second);
}

static const struct core *rewrite(struct joiner *j, const struct core *c, struct scope *s);

static const struct core *rewrite_loop(struct joiner *j, const struct core *loop) {
  struct scope inner = {.loop = view_origin(j->p, loop)};
  const struct core *body = rewrite(j, loop->first, &inner);
  if (body == loop->first) return loop;
  struct core *copy = arena_memdup(kernel_arena(j->k), loop, sizeof *loop);
  copy->first = body;
  vec_push(&j->out.loops, (struct view_loop){copy, loop});
  return copy;
}

static const struct core *rewrite(struct joiner *j, const struct core *c, struct scope *s) {
  struct arena *arena = kernel_arena(j->k);
  if (c->kind == CORE_WHILE) return rewrite_loop(j, c);
  if (c->kind != CORE_SEQ && c->kind != CORE_IF) return c;
  bool fits =
      c->kind == CORE_IF && (j->lonely || (core_is_random(c->first) && core_is_random(c->second)));
  const struct core *joined = fits ? equiv_joined(j->k, c) : NULL;
  if (joined) {
    vec_push(&j->out.joins, (struct view_join){s->loop, s->branches + 1});
    s->branches += count_branches(c);
    return joined;
  }
  s->branches += c->kind == CORE_IF;
  const struct core *first = rewrite(j, c->first, s), *second = rewrite(j, c->second, s);
  if (first == c->first && second == c->second) return c;
  return c->kind == CORE_SEQ ? core_seq(arena, first, second)
                             : core_if(arena, c->span, c->expr, first, second);
}

/* With a delta, what one run draws alone may still be of no consequence: that is for assume.h. */
void auto_joined(struct auto_problem *p, struct auto_search *s) {
  static auto_strategy *const others[] = {auto_align, auto_assume, auto_pointwise, auto_composed};
  const struct view *before = p->view;
  struct joiner j = {
      .p = p, .k = claim_kernel(p->goal, CLAIM_FORWARD), .lonely = assume_has_delta(p)};
  struct scope program = {.loop = NULL};
  if (auto_cost(s)) return;
  view_copy(&j.out, before);
  j.out.program = rewrite(&j, before->program, &program);
  if (j.out.joins.len) {
    p->view = &j.out;
    for (size_t i = 0; i < 4 && !auto_cost(s) && !auto_is_late(s); i++)
      others[i](p, s);
    p->view = before;
  }
  view_clear(&j.out);
}
