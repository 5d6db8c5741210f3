#include "search/goals/fuse.h"

#include "kernel/rules.h"
#include "search/align/strategy.h"
#include "search/base/lists.h"
#include "search/base/view.h"
#include "search/goals/assume.h"
#include "search/goals/finite.h"
#include "search/goals/forward.h"
#include "search/goals/join.h"
#include "search/goals/joint.h"
#include "search/goals/normal.h"
#include "search/goals/notions.h"
#include "search/goals/parts.h"
#include "search/goals/pointwise.h"
#include "search/goals/race.h"
#include "search/goals/rescale.h"
#include "search/goals/slide.h"
#include "search/goals/table.h"

typedef VEC(const struct core *) core_list;

struct fuser {
  struct auto_problem *p;
  struct kernel *k;
  term_list arrays; /* by which the proof names the loops, in this order */
  term_list filled; /* all that they fill */
};

static bool is_array(const struct fuser *f, term_id x) {
  return sort_get(f->p->ts, term_sort(f->p->ts, x))->kind == SORT_KIND_ARRAY;
}

/* Names the loop by an array that it fills, one that no other loop is named by if possible. */
static void name_loop(struct fuser *f, const struct core *loop) {
  term_list written = {0};
  term_id found = TERM_NONE;
  core_writes(loop, &written); /* the last one first */
  for (size_t i = written.len; i-- > 0;)
    if (is_array(f, written.at[i])) terms_add(&f->filled, written.at[i]);
  for (size_t i = 0; i < written.len; i++)
    if (is_array(f, written.at[i]) &&
        (found == TERM_NONE ||
         (terms_have(&f->arrays, found) && !terms_have(&f->arrays, written.at[i]))))
      found = written.at[i];
  vec_push(&f->arrays, found);
  vec_clear(&written);
}

static const struct core *sequence(struct fuser *f, const core_list *list, size_t from) {
  const struct core *all = core_skip();
  for (size_t i = list->len; i-- > from;)
    all = core_seq(kernel_arena(f->k), list->at[i], all);
  return all;
}

static void open_sequence(const struct core *c, core_list *out) {
  for (; c->kind == CORE_SEQ; c = c->second)
    vec_push(out, c->first);
  vec_push(out, c);
}

/* From left to right, as the proof does it. */
static bool fuse_list(struct fuser *f, core_list *list) {
  bool changed = false;
  for (size_t i = 0; i + 2 < list->len; i++) {
    const struct core *loop = list->at[i + 1];
    const char *why;
    const struct core *fused =
        loop->kind == CORE_WHILE ? equiv_fused(f->k, sequence(f, list, i), &why) : NULL;
    if (!fused) continue;
    name_loop(f, loop);
    list->len = i;
    open_sequence(fused, list);
    changed = true;
    i--; /* there may be another one here now */
  }
  return changed;
}

static const struct core *fuse_in(struct fuser *f, const struct core *c) {
  if (c->kind == CORE_WHILE || c->kind == CORE_IF) {
    struct core *copy = arena_memdup(kernel_arena(f->k), c, sizeof *c);
    copy->first = fuse_in(f, c->first);
    if (c->second) copy->second = fuse_in(f, c->second);
    return copy->first == c->first && copy->second == c->second ? c : copy;
  }
  if (c->kind != CORE_SEQ) return c;
  core_list list = {0};
  open_sequence(c, &list);
  bool changed = fuse_list(f, &list);
  for (size_t i = 0; i < list.len; i++) {
    const struct core *one = fuse_in(f, list.at[i]);
    changed |= one != list.at[i];
    list.at[i] = one;
  }
  const struct core *all = changed ? sequence(f, &list, 0) : c;
  vec_clear(&list);
  return all;
}

void fuse_loops(struct auto_problem *p, struct view *out) {
  struct fuser f = {.p = p, .k = claim_kernel(p->goal, CLAIM_FORWARD)};
  const struct core *fused = fuse_in(&f, out->program);
  for (size_t i = 0; i < f.arrays.len; i++)
    out->fused = arena_printf(p->arena, "%sfuse %s;\n", out->fused ? out->fused : "",
                              term_var_get(p->ts, f.arrays.at[i])->name);
  if (out->fused) out->program = forward_stores(p, fused, &f.filled);
  vec_clear(&f.arrays);
  vec_clear(&f.filled);
}

void auto_fused(struct auto_problem *p, struct auto_search *s) {
  static auto_strategy *const others[] = {
      auto_align, auto_joint,    auto_joined, auto_slide,    auto_tables, auto_pointwise,
      auto_race,  auto_composed, auto_assume, auto_rescaled, auto_finite, auto_by_notions};
  const struct view *before = p->view;
  struct view view;
  view_init(&view, claim_program(p->goal)->program);
  fuse_loops(p, &view);
  if (view.fused) {
    p->view = &view;
    normal_form(p, &view);
    for (size_t i = 0; i < sizeof others / sizeof *others && !auto_done(s) && !auto_is_late(s); i++)
      others[i](p, s);
    p->view = before;
  }
  view_clear(&view);
}
