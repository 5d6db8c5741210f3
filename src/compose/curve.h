/* Losses of mechanisms that are known by a Renyi bound: zcdp, or renyi at one order.
 *
 * Such a bound has no worst pair, but it bounds the privacy curve: with D_a <= P(a) in both orders
 * of the inputs, delta(eps) <= e^((a-1)(P(a) - eps)) (a-1)^(a-1)/a^a for every a and every real eps
 * (docs/notions.md), and delta(eps) = 1 - e^eps + e^eps delta'(-eps) with delta' that of the inputs
 * exchanged. In x = e^eps every curve is convex, so it lies below the lower convex hull of points
 * that are above it; the hull is the curve of a pair, whose losses are its corners. That pair
 * dominates every mechanism with the bound. None need come near it: there is no lower side. */
#ifndef COUPLET_COMPOSE_CURVE_H
#define COUPLET_COMPOSE_CURVE_H

#include "compose/loss.h"

/* LOSS_ZCDP and LOSS_RENYI: masses of the corners on a grid that is laid out already. */
void curve_fill(struct loss_grid *g, const struct loss_part *part);
/* Beyond `high` the bound is at most `tail`, about. */
double curve_reach(const struct loss_part *part, double tail);

#endif
