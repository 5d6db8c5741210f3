/* Weights: exponentials of data, as of the exponential mechanism. What they may cost is guessed from
 * how far their exponents differ between the runs. */
#ifndef COUPLET_SEARCH_GOALS_LISTED_WEIGHTS_H
#define COUPLET_SEARCH_GOALS_LISTED_WEIGHTS_H

#include "search/base/bounds.h"

/* Does the program compute exponentials of what is not the same in both runs, or may not be? */
bool weights_in(struct kernel *k, const struct core *program);

/* Costs to try, the smallest first: the largest difference of an exponent, and the width of the
 * range of differences. Appended. */
void weights_costs(const struct known *known, struct kernel *k, const struct core *program,
                   term_list *out);

#endif
