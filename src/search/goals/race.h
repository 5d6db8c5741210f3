/* Races: programs that report the first value to pass a noisy bar (the sparse vector technique),
 * for each result separately.
 *
 * Where the notion allows it, the aligner lets the sample decide how it is moved; a normal sample
 * cannot. But if the result r is fixed (PW-EQ), it is known beforehand which sample has to move:
 * the bar is moved by as much as other values can gain, so that these stay behind it, and the sample
 * of the iteration of r by as much, so that it passes if it did. Everything else moves with its
 * centre. What run 2 does once run 1 has missed r does not matter; so if the loop ends with the
 * first hit, the runs may leave it at different times (WHILE-APART).
 *
 * Like a contest (contest.h) a race is found by symbolic execution: an iteration leaves the result
 * alone or makes it a term over the counter, on a condition that compares a value with noise with a
 * variable that was drawn before the loop. In renyi that costs ln(results)/(order - 1) besides. */
#ifndef COUPLET_SEARCH_GOALS_RACE_H
#define COUPLET_SEARCH_GOALS_RACE_H

#include "search/base/auto.h"

auto_strategy auto_race;
/* Is there a race, in a notion with such a proof? */
bool race_is_on(struct auto_problem *p);

#endif
