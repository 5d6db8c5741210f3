#include "kernel/points.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "term/build.h"
#include "term/eval.h"
#include "term/subst.h"

struct points {
  struct evaluator *at; /* one per point */
  size_t count;
};

/* How many values a variable takes on the grid; 1: it has none, and is unknown. */
static size_t width_of(struct terms *ts, term_id var) {
  sort_id sort = term_sort(ts, var);
  return sort == SORT_BOOL ? 2 : sort == SORT_INT ? POINTS_HIGH - POINTS_LOW + 1 : 1;
}

static void set_value(struct evaluator *ev, term_id var, size_t number) {
  sort_id sort = term_sort(ev->ts, var);
  if (sort == SORT_BOOL) eval_assign(ev, var, tvalue_bool(ev, number == 1));
  if (sort == SORT_INT) eval_assign(ev, var, tvalue_int(ev, POINTS_LOW + (long)number));
}

struct points *points_new(struct terms *ts, term_id given, term_id formula) {
  term_list vars = {0};
  term_id both = term_and(ts, given, formula);
  size_t count = both == TERM_NONE ? 0 : 1;
  if (count) term_free_vars(ts, both, &vars);
  for (size_t i = 0; i < vars.len && count && count <= POINTS_MOST; i++)
    count *= width_of(ts, vars.at[i]);
  struct points *p = NULL;
  if (count && count <= POINTS_MOST) {
    p = xcalloc(1, sizeof *p);
    p->at = xcalloc(count, sizeof *p->at);
    for (size_t n = 0; n < count; n++) {
      struct evaluator *ev = &p->at[p->count];
      size_t rest = n;
      eval_init(ev, ts);
      for (size_t i = 0; i < vars.len; rest /= width_of(ts, vars.at[i]), i++)
        set_value(ev, vars.at[i], rest % width_of(ts, vars.at[i]));
      if (eval_truth(ev, given) == 0)
        eval_clear(ev);
      else
        p->count++;
    }
  }
  vec_clear(&vars);
  if (p && !p->count) {
    points_free(p);
    p = NULL;
  }
  return p;
}

void points_free(struct points *p) {
  if (!p) return;
  for (size_t i = 0; i < p->count; i++)
    eval_clear(&p->at[i]);
  free(p->at);
  free(p);
}

bool *points_where(struct points *p, const bool *among, term_id c, bool holds) {
  bool *out = xcalloc(p->count, sizeof *out), any = false;
  for (size_t i = 0; i < p->count; i++) {
    if (among && !among[i]) continue;
    out[i] = eval_truth(&p->at[i], c) != (holds ? 0 : 1);
    any |= out[i];
  }
  if (any) return out;
  free(out);
  return NULL;
}
