/* The privacy of many mechanisms together, from both sides, by the distribution of their loss.
 *
 * With L' the losses on a grid (loss.h) and S' their sum,
 *   delta(eps)  <=  E[(1 - e^(eps - S'))_+]                          (the pair of S' dominates)
 *   delta(eps)  >=  E[(1 - e^(eps + shift - S'))_+] - slack          (S' <= S + shift but for slack)
 * where shift = T step^2/8 + step sqrt(T/2 ln(1/slack)) by Hoeffding's inequality, T mechanisms in
 * all. The lower bound is one for the mechanisms named: Laplace noise really loses that much on
 * integers that differ by the sensitivity; for an (eps, delta) part it is one for the worst
 * mechanism of that kind.
 *
 * The law of S' is a convolution, computed by Fourier transforms in doubles with a bound on their
 * error. It is tilted first (multiplied by e^(theta S')), so that the tail that matters is where the
 * mass is, and errors are relative to it. docs/accountant.md has the proofs. */
#ifndef COUPLET_COMPOSE_ACCOUNT_H
#define COUPLET_COMPOSE_ACCOUNT_H

#include "base/budget.h"
#include "compose/loss.h"

enum account_status {
  ACCOUNT_OK,
  ACCOUNT_TOO_LARGE, /* no grid is fine and small enough */
  ACCOUNT_OUT_OF_TIME
};

/* Are there parts that are known from above only (curve.h)? Then `low` is what the others amount to
 * by themselves, 0 if there are none. */
bool account_has_curves(const loss_parts *parts);

enum { ACCOUNT_PARTS_MAX = 10000000 }; /* counted with multiplicity */

/* low <= the least eps with delta(eps) <= delta  <= high; 0 < delta < 1. `width`: what high - low
 * should be at most. */
enum account_status account_epsilon(arb_t low, arb_t high, const loss_parts *parts,
                                    const fmpq_t delta, double width, const struct budget *budget);
/* low <= delta(eps) <= high */
enum account_status account_delta(arb_t low, arb_t high, const loss_parts *parts, const fmpq_t eps,
                                  double width, const struct budget *budget);

#endif
