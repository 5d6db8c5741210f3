/* Composition: the privacy of running several mechanisms one after the other, as certified upper
 * bounds.
 *
 * Every theorem here but the basic one needs each part to be private in both directions (for both
 * orders of the two databases); a lifting gives only one. What is computed is an upper bound: the
 * numbers returned are exact rationals, and balls have shown that they suffice.
 *
 *   basic          eps and delta add up
 *   advanced       n parts (eps, delta): sqrt(2 n ln(1/w)) eps + n eps (e^eps - 1), n delta + w
 *   optimal        the least eps for a given delta that holds for all mechanisms with the given
 *                  parameters (Kairouz, Oh, Viswanath; Murtagh, Vadhan): a part (eps_i, delta_i) is
 *                  never worse than revealing everything with probability delta_i, else answering
 *                  by randomized response at eps_i. With E the total,
 *                    delta(E) = 1 - prod (1 - delta_i) (1 - h(E)),
 *                    h(E) = sum_S max(0, e^(eps(S)) - e^(E + eps(not S))) / prod (1 + e^(eps_i)),
 *                  S over the sets of parts. Sets with equal eps(S) are counted together; when the
 *                  sums are too many the eps_i are rounded up to a grid (still an upper bound).
 *   hits           rule AC-HIT: a loop with at most M hits, (F) {eps} body {eps (1-h)}, (B) {eps}
 *                  body {0}. For every l > 0: (w M + ln(1/omega))/l, where
 *                  w = (l+1) eps - ln(1 + e^eps - e^(-l eps)); the best l is searched for. */
#ifndef COUPLET_COMPOSE_COMPOSE_H
#define COUPLET_COMPOSE_COMPOSE_H

#include "base/budget.h"
#include "base/vec.h"
#include "num/real/ball.h"

enum {
  COMPOSE_PARTS_MAX = 100000, /* counted with multiplicity */
  COMPOSE_GRID = 20000        /* different sums eps(S) that are kept apart */
};

/* `count` parts that are (eps, delta)-private each; eps >= 0, 0 <= delta <= 1. */
struct compose_part {
  fmpq_t eps, delta;
  ulong count;
};
typedef VEC(struct compose_part) compose_parts;
void compose_parts_push(compose_parts *parts, const fmpq_t eps, const fmpq_t delta, ulong count);
void compose_parts_clear(compose_parts *parts);

void compose_basic(fmpq_t eps, fmpq_t delta, const compose_parts *parts);

/* The smallest eps (rounded up) with which the theorem gives at most the total `delta`. False if it
 * does not apply: parts that differ (advanced), delta already exceeded by those of the parts. */
bool compose_advanced(fmpq_t eps, const compose_parts *parts, const fmpq_t delta);
/* *is_rounded: a grid was needed, so this is above the optimum. */
bool compose_optimal(fmpq_t eps, const compose_parts *parts, const fmpq_t delta, bool *is_rounded,
                     const struct budget *budget);
/* 0 < omega < 1, eps > 0. */
bool compose_hits(fmpq_t total, const fmpq_t eps, ulong hits, const fmpq_t omega);

/* delta(E) of the optimal theorem, enclosed (above the truth if rounded); false beyond limits. */
bool compose_optimal_delta(arb_t out, const compose_parts *parts, const fmpq_t total,
                           bool *is_rounded, slong precision);

#endif
