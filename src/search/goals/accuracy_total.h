/* Loops that add up independent noise, in a claim of accuracy: which sum stays near 0, and what the
 * step `total` says of it (docs/accuracy.md). Nothing here is certain. */
#ifndef COUPLET_SEARCH_GOALS_ACCURACY_TOTAL_H
#define COUPLET_SEARCH_GOALS_ACCURACY_TOTAL_H

#include "search/base/auto.h"

/* Terms about run 1. */
struct total_plan {
  term_id sum, within, scale, left, draws;
  term_id restarts, blocks; /* TERM_NONE: it never starts anew */
  term_id failure;
  term_id unit; /* the claim's distance is this times `within` */
  bool is_heavy;
};
typedef VEC(struct total_plan) total_plans;

/* |error| <= within, which is wanted at the head of the loop. */
struct total_error {
  term_id error, within;
};
typedef VEC(struct total_error) total_errors;

/* What is bounded after the loop, as the sum of the noise so far: |E| <= a gives E with the end of
 * the range replaced by the index, and the element of an array that is written last by what is
 * written. `within` is a, `failure` is not filled in. Appends; all of these E go to `errors`, or to
 * nobody if it is NULL. */
void totals_wanted(struct auto_problem *p, const struct core *loop, term_id wanted,
                   total_plans *out, total_errors *errors);

/* How far the sum may get if it does so with this probability, divided by `parts`, and the
 * probability with which it gets farther away than `within` (TERM_NONE: no closed form). */
term_id total_distance(struct terms *ts, const struct total_plan *t, term_id failure, size_t parts);
term_id total_failure(struct terms *ts, const struct total_plan *t);

#endif
