/* Proofs in another notion than the claim's: (epsilon, delta) by way of Gaussian privacy and zCDP,
 * and any other notion by way of a pure proof.
 *
 * The claim is opened by a route (claim/claim.h) whose cost is not known yet, and the strategies
 * look for the least cost in that notion. What they propose gets `by zcdp <cost>;` in front. */
#ifndef COUPLET_AUTO_NOTIONS_H
#define COUPLET_AUTO_NOTIONS_H

#include "auto/auto.h"

auto_strategy auto_by_notions;

/* The candidate as a proof of the claim: with the step for its route, and its cost in the unit of
 * the claim. False: there is no such candidate. */
bool notions_adapt(struct auto_problem *p, const enum notion *route,
                   const struct auto_candidate *in, struct auto_candidate *out);

#endif
