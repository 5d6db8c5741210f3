/* The aligner as a strategy: it plays on the program of the view. align.h says how. */
#ifndef COUPLET_SEARCH_ALIGN_STRATEGY_H
#define COUPLET_SEARCH_ALIGN_STRATEGY_H

#include "search/base/auto.h"

auto_strategy auto_align;
/* The same for costs that grow with the data, if nothing else gave a cost. */
auto_strategy auto_align_any;
/* The same whatever the cost and whoever found one. */
auto_strategy auto_align_around;

/* The steps of one direction under an assumption about the inputs (TERM_NONE: none), at the stated
 * cost; NULL: there are none. */
const char *align_steps(struct auto_problem *p, struct auto_search *search, bool swapped,
                        term_id assumption);

#endif
