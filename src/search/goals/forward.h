/* What was just stored in an array is what is read from it: after z[i] := x, z[i] is x as long as
 * nobody writes z, i or x. Arrays that nobody reads then are not written.
 *
 * For the view only: the kernel sees the stores, and z[i] in its formulas is x as well. */
#ifndef COUPLET_SEARCH_GOALS_FORWARD_H
#define COUPLET_SEARCH_GOALS_FORWARD_H

#include "search/base/auto.h"

/* The program with these arrays forwarded. */
const struct core *forward_stores(struct auto_problem *p, const struct core *program,
                                  const term_list *arrays);

#endif
