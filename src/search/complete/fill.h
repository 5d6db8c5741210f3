/* Parts of couplings that a proof block leaves out, computed from what is known at the sampling.
 *
 *   upto e                        the tail that the event cuts off, and what is left of delta
 *   interval [p, q] to [r, s]     move, eta, sigma, cost
 *   no coupling at all            in a loop by AC-HIT, for integer noise that a branch compares
 *                                 with an interval: run 1 is in its interval iff run 2 is in its
 *                                 own, and the same backwards
 *
 * A bound on a term is found by adding up assumptions of the claim and events: sigma comes from
 * what `requires` says of the width of the interval. Nothing is proved here. */
#ifndef COUPLET_SEARCH_COMPLETE_FILL_H
#define COUPLET_SEARCH_COMPLETE_FILL_H

#include "search/complete/pool.h"

/* `given`: what the block says about this sampling, or NULL. Adds to the plan of the pool. */
void fill_sample(struct pool *pool, struct plan_scope *scope, const struct core *sampling,
                 const struct script_sample *given);

#endif
