/* Loops whose result has a law that is known as a whole (kernel/rules.h): sums over sampled records
 * with noise, and in notions other than the pure one the exponential mechanism. */
#ifndef COUPLET_SEARCH_GOALS_LAW_H
#define COUPLET_SEARCH_GOALS_LAW_H

#include "search/base/view.h"

/* Is there one that ends with list[last], a statement of the program? It begins with list[*from].
 * `out` gets the code and the text for each direction; *key is the variable with the result. */
bool law_part(struct auto_problem *p, const struct core *const *list, size_t last, size_t *from,
              struct part *out, term_id *key);

#endif
