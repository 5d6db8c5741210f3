/* The finite strategy: mechanisms that toss coins (randomized response, local randomisers), once or
 * in every iteration of a loop. The game of coins.h says how run 2's coins should fall when the
 * private data differ; where they are equal, all coins fall equally. A loop pays the price of the
 * game in every iteration in which the data differ: at most once if the adjacency names the one
 * that does, at most twice if iterations are told apart by `v = i`, else every time. */
#ifndef COUPLET_SEARCH_GOALS_FINITE_H
#define COUPLET_SEARCH_GOALS_FINITE_H

#include "search/base/auto.h"

auto_strategy auto_finite;

#endif
