/* The noise of a loop taken apart: linear forms of its variables whose means an iteration keeps, or
 * sets to 0, so that their sum is the error that a claim of accuracy bounds.
 *
 * A smart sum has two such forms: the noise of the finished blocks, which an iteration changes by
 * noise with mean 0, and that of the current block, which starts anew where a block ends. Nothing
 * here is certain. */
#ifndef COUPLET_SEARCH_GOALS_ACCURACY_FORM_H
#define COUPLET_SEARCH_GOALS_ACCURACY_FORM_H

#include "search/goals/accuracy_total.h"

/* Sums that add up to what is bounded, and what the loop keeps of its counters; about run 1. */
struct total_split {
  struct total_plan parts[2];
  size_t count;
  term_id kept;
  term_id bound; /* that the claim states */
};
typedef VEC(struct total_split) total_splits;

/* Ways to take the error (over the variables at the head of the loop) apart; appended. */
void form_splits(struct auto_problem *p, const struct core *loop, struct total_error error,
                 total_splits *out);
/* False: an iteration changes the mean of the error, so that it is no sum of fair noise itself. */
bool form_may_be_fair(struct auto_problem *p, const struct core *loop, term_id error);

#endif
