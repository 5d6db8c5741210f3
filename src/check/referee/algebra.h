/* Clauses of arithmetic: disjunctions of comparisons that cannot all be false.
 *
 * The negations of the literals are hypotheses p >= 0, p > 0, p = 0 or p <> 0 about polynomials in
 * terms that are not sums, products or powers (the generators; two different generators may have
 * any values). They are contradictory if a sum of
 *     c * (product of hypotheses p >= 0, p > 0) * squares,   c >= 0 a number, and
 *     q * (an equation p = 0) * anything
 * is a negative number; or 0, if in one of the former c > 0, there are no squares and all factors
 * are strict; or, given a hypothesis d <> 0, if a sum of the latter is d. Comparisons of integers a
 * < b mean a + 1 <= b. An equation between values of another sort is one between generators. */
#ifndef COUPLET_CHECK_REFEREE_ALGEBRA_H
#define COUPLET_CHECK_REFEREE_ALGEBRA_H

#include "check/referee/refutation.h"

enum {
  ALGEBRA_DEGREE = 64,      /* of a polynomial */
  ALGEBRA_MONOMIALS = 5000, /* of a polynomial */
  ALGEBRA_BITS = 1 << 14,   /* of a coefficient */
  ALGEBRA_WORK = 1 << 22    /* terms read and products of monomials in one step */
};

/* `step` is a STEP_ALGEBRA; its number is 0, or 1 + the position of the literal d = 0. */
bool algebra_accepts(struct terms *ts, const struct step *step);

#endif
