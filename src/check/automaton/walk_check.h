/* The checker of walks that lose without bound: this is what "not private at any multiple of eps" rests on, where
 * guards are conjunctions (disjunctions: unbounded.h).
 *
 * A walk has steps that are taken once and cycles that are repeated l times; every step has a
 * difference Delta of the inputs of the two runs, the same in each round. Accepted means: for every
 * bound B there is an l such that any shifts along the path cost more than B. Why that is so:
 *
 *   - Shifts cost sum d |Delta - s|, under the rule of strategy_check.h. The least cost is attained
 *     at shifts in {-1, 0, 1} (differences of shifts are bounded: integral; cutting them off at -1
 *     and 1 keeps the order and costs less). So a round is free, which means s = Delta at each of
 *     its samples and no Delta <> 0 where insample or insample' is output, or it costs at least the
 *     least d.
 *   - With cost at most B and l large, each cycle has two free rounds in succession. Whatever the
 *     other rounds do, they change the shifts of the variables that the cycle assigns, no others.
 *   - So the set of shifts that are possible is at most the one computed here: a zone, where a step
 *     once keeps what fits, and a cycle forgets its variables, is free twice, forgets them again.
 *     It becomes empty: no l allows cost B.
 *
 * Then the loss is unbounded. The outputs tell the path (the caller makes sure: see classify.h),
 * and -ln Pr / eps of the path tends to C(in), the least sum of d |sample - input| over the samples
 * that take it: convex in the inputs, and growing in direction Delta at the rate of the least cost
 * of shifts (its recession function). Hence some inputs, Delta apart, have a loss that comes as
 * near to that cost as one likes. For this the path must be possible: the order that its guards
 * demand of the samples is followed exactly, and must have no cycle. */
#ifndef COUPLET_CHECK_AUTOMATON_WALK_CHECK_H
#define COUPLET_CHECK_AUTOMATON_WALK_CHECK_H

#include "base/budget.h"
#include "check/automaton/walk.h"

enum { WALK_STEPS = 1000000 }; /* of a walk in a certificate */

/* `delta` has one entry, -1..1, for each step of the walk. `why` (may be NULL) gets one sentence if
 * the walk is rejected. The automaton must be meaningful: classify.h reported no error. */
bool walk_check(const struct automaton *a, const struct walk *w, const int8_t *delta,
                const struct budget *budget, struct buffer *why);

#endif
