/* Candidates that are proofs in another notion than the claim's (search/goals/notions.h). */
#ifndef COUPLET_SEARCH_BASE_ROUTE_H
#define COUPLET_SEARCH_BASE_ROUTE_H

#include "search/base/auto.h"

/* The candidate as a proof of the claim: with the step for its route, and its cost in the unit of
 * the claim. `route`: the notion it is in, NULL for the claim's; `budget`, `delta`: the values of its cost
 * and of the claim's delta, or not a number. False: there is no such candidate. */
bool route_adapt(struct auto_problem *p, const struct auto_route *route,
                 const struct auto_candidate *in, double budget, double delta,
                 struct auto_candidate *out);

#endif
