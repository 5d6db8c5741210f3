#include "search/goals/slide.h"

#include "search/align/strategy.h"
#include "search/base/view.h"
#include "search/goals/assume.h"
#include "term/build.h"

struct slider {
  struct auto_problem *p;
  struct kernel *k;
  struct view out;
};

/* Noise around the lower end. */
static const struct core *stub_of(struct slider *s, const struct core *c) {
  bool whole = c->dist == DIST_UNIFORM_INT;
  term_id args[] = {c->args[0], term_rat(s->p->ts, 1, 1)};
  const struct core *stub = core_sample(kernel_arena(s->k), c->span, c->var,
                                        whole ? DIST_DISCRETE_LAPLACE : DIST_LAPLACE, args, 2);
  vec_push(&s->out.slides, (struct view_slide){stub, c});
  return stub;
}

/* Not in loops: what one iteration loses adds up. */
static const struct core *rewrite(struct slider *s, const struct core *c) {
  struct arena *arena = kernel_arena(s->k);
  if (c->kind == CORE_SAMPLE)
    return c->dist == DIST_UNIFORM || c->dist == DIST_UNIFORM_INT ? stub_of(s, c) : c;
  if (c->kind != CORE_SEQ && c->kind != CORE_IF) return c;
  const struct core *first = rewrite(s, c->first), *second = rewrite(s, c->second);
  if (first == c->first && second == c->second) return c;
  return c->kind == CORE_SEQ ? core_seq(arena, first, second)
                             : core_if(arena, c->span, c->expr, first, second);
}

void auto_slide(struct auto_problem *p, struct auto_search *search) {
  const struct view *before = p->view;
  struct slider s = {.p = p, .k = claim_kernel(p->goal, CLAIM_FORWARD)};
  if (!assume_has_delta(p) || auto_cost(search)) return;
  view_copy(&s.out, before);
  s.out.program = rewrite(&s, before->program);
  p->view = &s.out;
  if (s.out.slides.len) auto_align(p, search);
  p->view = before;
  view_clear(&s.out);
}
