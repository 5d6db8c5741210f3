/* What the values that a loop stores and compares say of the iterations that are done: candidates
 * for invariants in claims of accuracy (accuracy_keep.h). */
#ifndef COUPLET_SEARCH_GOALS_ACCURACY_VALUE_H
#define COUPLET_SEARCH_GOALS_ACCURACY_VALUE_H

#include "search/goals/accuracy_keep.h"

struct keep_finder {
  struct keep *keep;
  struct auto_problem *p;
  struct terms *ts;
  struct kernel *k;
  const term_id *distances;
  size_t count;
  const struct core *scope; /* with the loop that is looked at */
};

static inline term_id keep_own(struct keep_finder *f, term_id t) {
  return kernel_tag(f->k, t, 1);
}

/* Another candidate, if proofs can say it. */
void keep_add(struct keep_finder *f, const struct core *loop, term_id formula);
/* The distance of the noise; TERM_NONE: it has none. */
term_id keep_distance_of(const struct keep_finder *f, const struct core *sampling);
/* |a - b| <= t, or one side of it, if a was sampled by c around b */
term_id keep_near(struct keep_finder *f, const struct core *c, term_id a, term_id b, term_id t);

/* What x is behind the commands of the scope that come before the loop: x := e, e of other
 * variables; TERM_NONE: not known. */
term_id keep_value_before(struct keep_finder *f, const struct core *scope, const struct core *loop,
                          term_id x);

/* Is the variable written in one place of the body only? */
bool keep_writes_once(const struct core *loop, term_id var);

/* Arrays that the loop fills, or that loops before it in `scope` have filled; the largest and the
 * smallest value, and where it is. */
void keep_add_values(struct keep_finder *f, const struct core *loop, const struct core *scope,
                     term_id wanted);

#endif
