/* Gauss-Legendre rules with error bounds: integrals of a function from its values at `order` points
 * of a cell.
 *
 * Bounds. Let f be analytic and |f| <= M inside the ellipse around [-1, 1] with foci -1, 1 and sum
 * of half-axes rho (QUADRATURE_RHO). Its Chebyshev coefficients are at most 2 M rho^-k, so some
 * polynomial of degree n is closer to f than e(n) = 2 M rho^-n / (rho - 1) on [-1, 1].
 * Integral: the rule is exact up to degree 2 order - 1 and has positive weights with sum 2, so it
 * errs by at most 4 e(2 order - 1). Interpolation at the nodes: the sum of |l_k(x)| over the
 * Lagrange polynomials is at most `order`, because l_k(x) = w_k K(x, x_k) for the kernel
 * K(x, y) = sum_l (2l+1)/2 P_l(x) P_l(y), l < order, so by Cauchy-Schwarz and the exactness of the
 * rule its square is at most 2 K(x, x) <= order^2; so it errs by at most
 * (1 + order) e(order - 1).
 * A cell inside another one has its ellipse inside the other's: bounds carry over to parts. */
#ifndef COUPLET_NUM_REAL_QUADRATURE_H
#define COUPLET_NUM_REAL_QUADRATURE_H

#include "num/arb_compat.h"
#include <flint/fmpq.h>
#include <stddef.h>

enum { QUADRATURE_RHO = 4, QUADRATURE_PARTS = 64 };

/* From the values in a cell to those in its part a + b * [-1, 1]. */
struct quadrature_part {
  fmpq_t a, b;
  arb_ptr matrix;
};

struct quadrature {
  size_t refs;
  slong order, precision;
  arb_ptr nodes, weights; /* order, increasing */
  arb_ptr exact_weights;  /* with the bits that the tables need */
  /* order x order, NULL until needed: row l of the first has the l-th Legendre coefficient, row j of
   * the second integrates the interpolant from -1 to node j */
  arb_ptr project, sums;
  struct quadrature_part *parts; /* that were asked for, at most QUADRATURE_PARTS */
  size_t part_count;
  mag_t integral_error; /* for M = 1 */
  mag_t interpolant_error;
};

/* Balls of the given precision; the interpolant is good to about half as many bits. */
struct quadrature *quadrature_new(slong precision);
struct quadrature *quadrature_ref(struct quadrature *q);
void quadrature_unref(struct quadrature *q); /* NULL is allowed */

/* Integral over [-1, 1] of a function with these values at the nodes and |f| <= bound. */
void quadrature_integral(arb_t out, const struct quadrature *q, arb_srcptr values,
                         const mag_t bound);
/* out[j]: integral from -1 to node j. */
void quadrature_sums(arb_ptr out, struct quadrature *q, arb_srcptr values, const mag_t bound);
/* The function at a + b * (node j), which lie in [-1, 1]. */
void quadrature_resample(arb_ptr out, struct quadrature *q, arb_srcptr values, const mag_t bound,
                         const fmpq_t a, const fmpq_t b);

#endif
