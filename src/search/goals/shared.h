/* A distance that several samplings share: the adjacency bounds a sum of distances,
 * `(sum i in 0..n. abs(a<1>[i] - a<2>[i])) + (sum i in 0..m. abs(b<1>[i] - b<2>[i])) <= 1`, and loops,
 * one after the other or with several samplings in an iteration, add noise to the elements. Each sample
 * moves by the exact distance of its centre, and what is left of the budget is what the sums that are
 * still to come allow. One loop with one sampling is a part of other proofs: vector.h. */
#ifndef COUPLET_SEARCH_GOALS_SHARED_H
#define COUPLET_SEARCH_GOALS_SHARED_H

#include "search/base/auto.h"

auto_strategy auto_shared;

#endif
