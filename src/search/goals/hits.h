/* Loops in which few iterations count: sparse vector between two noisy thresholds.
 *
 * For claims with delta. Integer noise S is compared with an interval [low, high] whose ends
 * contain the same noise u, drawn before the loop; iterations inside the interval are counted up to
 * a bound. By advanced composition of the hits (AC-HIT, docs/ac-hit.md) the cost grows with the
 * root of the bound. Half of delta goes there, half to an event that keeps the interval wide. What
 * is proposed is the shift of u that puts run 2's interval inside run 1's, the event, and the
 * `hits` step, with the price of a hit that moving both ends costs and a bit; completion
 * (complete.h) finds the couplings in the loop and its invariant. */
#ifndef COUPLET_SEARCH_GOALS_HITS_H
#define COUPLET_SEARCH_GOALS_HITS_H

#include "search/base/auto.h"

auto_strategy auto_hits;

#endif
