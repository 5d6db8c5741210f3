/* Vectors that are close in a sum: a loop that adds noise to one element after the other, where the
 * adjacency bounds the sum of what the elements cost, `sum i in 0..n. (q<1>[i] - q<2>[i])^2 <= 1`. */
#ifndef COUPLET_SEARCH_GOALS_VECTOR_H
#define COUPLET_SEARCH_GOALS_VECTOR_H

#include "search/base/view.h"

/* Is the loop of this kind? `out` gets its code and text; *key is the variable with the results. */
bool vector_part(struct auto_problem *p, const struct core *loop, struct part *out, term_id *key);

#endif
