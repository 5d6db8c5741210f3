/* All pairs of adjacent inputs of a finite claim.
 *
 * Shorthands (all_within, one_differs, ...) say something about every entry: pairs are put together
 * coordinate by coordinate, and only entries that fit are taken further. Whatever else the adjacency
 * says is evaluated for every pair that is left. */
#ifndef COUPLET_CHECK_FINITE_PAIRS_H
#define COUPLET_CHECK_FINITE_PAIRS_H

#include "check/finite/inputs.h"

/* Inputs i != j that are adjacent as they are. False: stop. */
typedef bool pair_visitor(size_t i, size_t j, void *context);

/* Calls `visit` for every pair, in a fixed order; where adjacency is seen to be symmetric, for i < j
 * only. False: a visitor said so, or *why says what was in the way. */
bool finite_pairs(const struct finite_inputs *inputs, const struct budget *budget,
                  pair_visitor *visit, void *context, const char **why);

#endif
