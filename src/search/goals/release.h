/* Test and release: an exact answer that is given out only if noise is far from where it matters.
 *
 * For claims with delta. An axiom says when a value is the same in both runs: P(d) -> Adj(d, e) ->
 * f(d) = f(e). A noisy value is compared with a threshold before that value is released. Then
 * `upto not P(d) -> x <= h` makes the release safe, at the probability that the noise passes the
 * threshold all the same. The event is all that is proposed; completion (complete.h) finds its
 * bound and the rest. */
#ifndef COUPLET_SEARCH_GOALS_RELEASE_H
#define COUPLET_SEARCH_GOALS_RELEASE_H

#include "search/base/auto.h"

auto_strategy auto_release;

#endif
