/* Candidates that are proofs in another notion than the claim's (search/goals/notions.h). */
#ifndef COUPLET_SEARCH_BASE_ROUTE_H
#define COUPLET_SEARCH_BASE_ROUTE_H

#include "search/base/auto.h"

/* What a candidate costs: as a term, and, with the claim's delta, as a value, or not a number. */
struct route_cost {
  term_id term;
  double budget, delta;
};

/* The candidate as a proof of the claim: with the step for its route, and its cost in the unit of
 * the claim. `route`: the notion it is in, NULL for the claim's. False: there is no candidate. */
bool route_adapt(struct auto_problem *p, const struct auto_route *route,
                 const struct auto_candidate *in, struct route_cost cost,
                 struct auto_candidate *out);

#endif
