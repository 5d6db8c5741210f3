/* How far noise gets. */
#include "kernel/dist.h"
#include "proof/cancel.h"
#include "search/goals/accuracy_internal.h"
#include "term/build.h"

/* How many sides of the noise can be far, and what its tail loses against e^(-t/b). */
static long weight_of(enum dist_kind dist) {
  return dist == DIST_DISCRETE_LAPLACE || dist == DIST_GUMBEL ? 2 : 1;
}

static bool is_normal(enum dist_kind dist) {
  return dist == DIST_GAUSS || dist == DIST_DISCRETE_GAUSS;
}

term_id accuracy_distance_for(struct terms *ts, const struct core *c, term_id failure,
                              term_id draws, bool is_half, bool is_shown) {
  bool is_exponential = c->dist == DIST_EXPONENTIAL || c->dist == DIST_GEOMETRIC;
  term_id all = term_mul(ts, term_int(ts, is_half && !is_exponential ? 2 : 1), failure);
  term_id odds = term_div(ts, term_mul(ts, term_int(ts, weight_of(c->dist)), draws), all);
  term_id t = is_normal(c->dist) ? term_sqrt(ts, term_mul(ts, term_int(ts, 2), term_ln(ts, odds)))
                                 : term_ln(ts, odds);
  t = term_mul(ts, c->args[1], t);
  if (!dist_is_integer(c->dist)) return t;
  /* solvers do not see that two floors are the same: it has to be as it is written */
  term_id shown = is_shown ? factors_cancelled(ts, t) : TERM_NONE;
  return term_floor(ts, shown == TERM_NONE ? t : shown);
}
