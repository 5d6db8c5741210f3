/* Claims of accuracy: how far each noise may be, and what loops keep (docs/accuracy.md).
 *
 * A plan gives every sampling the distance that its noise may have; its tails are what may fail.
 * What is left is about one run without chance. Loops get candidates for their invariants: the
 * formula that is wanted after them with the end of their range replaced by the index, and what the
 * distances say of the variables that samples go into. Those that do not hold are dropped, one by
 * one, until the rest is a proof or the claim itself fails. */
#ifndef COUPLET_SEARCH_GOALS_ACCURACY_H
#define COUPLET_SEARCH_GOALS_ACCURACY_H

#include "search/base/auto.h"

auto_strategy auto_accuracy;
/* Sums and contests where loops that fill an array are parts of those that read it (fuse.h). */
auto_strategy auto_accuracy_fused;

#endif
