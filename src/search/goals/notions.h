/* Proofs in another notion than the claim's: (epsilon, delta) by way of Gaussian privacy and zCDP,
 * and any other notion by way of a pure proof.
 *
 * The claim is opened by a route (claim/claim.h) whose cost is not known yet, and the strategies
 * look for the least cost in that notion. What they propose gets `by zcdp <cost>;` in front
 * (search/base/route.h). */
#ifndef COUPLET_SEARCH_GOALS_NOTIONS_H
#define COUPLET_SEARCH_GOALS_NOTIONS_H

#include "search/base/auto.h"

auto_strategy auto_by_notions;

#endif
