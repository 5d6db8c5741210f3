/* The independent checker of strategies: this is what "private" rests on.
 *
 * It shares no code with the searches: it reads the automaton, believes nothing the strategy says,
 * and knows one rule. Run 1 takes edge e at shifts g (of the stored variables, run 2 minus run 1).
 * Choose a shift s of the sample with
 *     s <= g_x if the guard says insample < x,     s >= g_x if it says insample >= x,
 *     s = 0 if the edge outputs insample.
 * Then run 2 takes e as well and outputs the same; the densities differ by at most a factor
 * exp(eps |Delta - s| d) (independent noise: one sample and one s for each variable, the costs add;
 * of the guard only what it depends on matters, essential.h), where Delta (-1..1; 0 at non-input
 * states) is the difference of the inputs, and by exp(eps |Delta| d') for an output insample'.
 * Assigned variables get shift s. The cost is convex in Delta, so the ends -1 and 1 suffice.
 *
 * Accepted means: on every path, for all input differences, some choice of shifts costs at most
 * strategy->cost / strategy->scale. The paths with one output have disjoint events and are coupled
 * one by one, so the automaton is (cost * eps)-private, for every eps. */
#ifndef COUPLET_CHECK_AUTOMATON_STRATEGY_CHECK_H
#define COUPLET_CHECK_AUTOMATON_STRATEGY_CHECK_H

#include "base/budget.h"
#include "check/automaton/strategy.h"

/* `budget` (may be NULL) limits the time. `why` (may be NULL) gets one sentence if the strategy is
 * rejected. */
bool strategy_check(const struct automaton *a, const struct strategy *s,
                    const struct budget *budget, struct buffer *why);

#endif
