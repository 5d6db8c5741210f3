/* How far apart two listed distributions are. */
#ifndef COUPLET_ASK_DIVERGENCE_H
#define COUPLET_ASK_DIVERGENCE_H

#include "check/exact/exact.h"

/* sum over outputs of max(0, P1 - e^epsilon P2): the least delta for which P1(S) <= e^epsilon P2(S) +
 * delta for all S. What is not listed counts fully on either side, so the ball holds the truth. */
void divergence_hockey_stick(arb_t out, const struct exact_distribution *p1,
                             const struct exact_distribution *p2, const arb_t epsilon,
                             slong precision);

/* The Renyi divergence ln(sum of P1^order P2^(1 - order))/(order - 1), order > 1; infinite if an
 * output is possible in the first only. Not finite if outputs are missing: they might weigh any
 * amount. */
void divergence_renyi(arb_t out, const struct exact_distribution *p1,
                      const struct exact_distribution *p2, const arb_t order, slong precision);

#endif
