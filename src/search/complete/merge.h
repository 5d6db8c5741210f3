/* The steps of another proof where the given one says nothing.
 *
 * `given` is a block in the source, `other` the text of a proof that a strategy proposes for the
 * whole claim. The plan contains every step of the first, and of the second what the first leaves
 * open: couplings of samplings it does not mention, invariants, budgets and variants of loops, the
 * distance of a shift. Where the other proof goes by cases or treats the backward direction by
 * itself, the given steps hold in each of its parts. */
#ifndef COUPLET_SEARCH_COMPLETE_MERGE_H
#define COUPLET_SEARCH_COMPLETE_MERGE_H

#include "search/complete/plan.h"

/* False (with nothing to clear) if one of the texts cannot be read, or they do not fit together. */
bool plan_merge(struct plan *plan, struct auto_problem *p, struct span given, const char *other);

#endif
