/* Claims with a delta: a sample is assumed to be on one side of what it is compared with.
 *
 * `leak <$ Bernoulli(delta); if leak { emit secret; }`: but for a probability of delta the coin does
 * not fall so. `y <$ Lap(x, 1/eps); if y > h { ... }`: likewise for the tail of the noise. The view
 * has the comparison decided, the aligner plays on the rest, and the sampling says `upto` (UTB).
 *
 * Test and release: what is given out behind the comparison, data without noise, is the same in both
 * runs, or else it is assumed that the comparison fails. The proof is by `case`: in one, the data
 * are equal, and the view has a constant in their place; in the other there is the event. */
#ifndef COUPLET_SEARCH_GOALS_ASSUME_H
#define COUPLET_SEARCH_GOALS_ASSUME_H

#include "search/base/auto.h"

/* Does the claim allow for something that may go wrong? */
bool assume_has_delta(struct auto_problem *p);
auto_strategy auto_assume;

#endif
