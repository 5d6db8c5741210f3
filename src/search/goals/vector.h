/* Vectors that are close in a sum: a loop that adds noise to one element after the other, where the
 * adjacency bounds the sum of what the elements cost, `sum i in 0..n. (q<1>[i] - q<2>[i])^2 <= 1`, or
 * something larger: the square of the sum of distances. */
#ifndef COUPLET_SEARCH_GOALS_VECTOR_H
#define COUPLET_SEARCH_GOALS_VECTOR_H

#include "search/base/view.h"

/* Does the loop count an index: `for`, or `while i < high`? */
bool vector_counts(const struct terms *ts, const struct core *loop, term_id *index, term_id *high);

/* Is the loop of this kind? `out` gets its code and text; *key is the variable with the results. */
bool vector_part(struct auto_problem *p, const struct core *loop, struct part *out, term_id *key);

/* By how much a sample is moved so that what the statements add to it does not show: the samples of
 * the runs differ as much as that, the other way round. *unit is how far the sample moves if what it
 * is added to moves by 1: noise may be scaled. */
term_id vector_shift(struct auto_problem *p, const struct core *code, term_id sample,
                     term_id *unit);

#endif
