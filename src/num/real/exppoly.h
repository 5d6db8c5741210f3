/* Exponential polynomials in one variable: f(x) = sum c * x^k * e^(a x).
 *
 * Representation. Terms are sorted by (rate a, power k) without repetition; rates are exact
 * rationals, powers exact integers, coefficients balls. A coefficient that is exactly zero is
 * dropped; one that merely contains zero stays. Equal rates therefore always merge, and two
 * functions built from the same rates have the same shape: the number of terms of the n-th power of
 * a function with r rates grows like n^(r-1), not like r^n.
 *
 * Inclusion property. If the coefficients given contain the true ones, the coefficients computed
 * contain the true ones; rates and powers are never rounded.
 *
 * Multiplying a sum by one term keeps the order of its terms; products and sums are merges. */
#ifndef COUPLET_NUM_REAL_EXPPOLY_H
#define COUPLET_NUM_REAL_EXPPOLY_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stddef.h>

#include "num/arb_compat.h"

struct exppoly_term {
  fmpq_t rate;
  ulong power;
  arb_t coefficient;
};

struct exppoly {
  struct exppoly_term *terms;
  size_t count, capacity;
};

/* A point of the extended line: side -1 or 1 is an infinite end, side 0 the number `at`. */
struct line_end {
  int side;
  fmpq_t at;
};
void line_end_init(struct line_end *end, int side); /* side 0: at 0 */
void line_end_init_at(struct line_end *end, const fmpq_t at);
void line_end_set(struct line_end *to, const struct line_end *from);
void line_end_clear(struct line_end *end);
int line_end_cmp(const struct line_end *a, const struct line_end *b);

void exppoly_init(struct exppoly *f); /* the zero function */
void exppoly_clear(struct exppoly *f);
void exppoly_set(struct exppoly *to, const struct exppoly *from);
void exppoly_swap(struct exppoly *a, struct exppoly *b);
bool exppoly_is_zero(const struct exppoly *f);                            /* no terms at all */
bool exppoly_identical(const struct exppoly *f, const struct exppoly *g); /* same balls */

/* f += c x^k e^(a x). */
void exppoly_add_term(struct exppoly *f, const arb_t c, ulong k, const fmpq_t a, slong precision);
/* The results may be one of the arguments. */
void exppoly_add(struct exppoly *out, const struct exppoly *f, const struct exppoly *g,
                 slong precision);
void exppoly_sub(struct exppoly *out, const struct exppoly *f, const struct exppoly *g,
                 slong precision);
void exppoly_scale(struct exppoly *out, const struct exppoly *f, const arb_t c, slong precision);
void exppoly_mul(struct exppoly *out, const struct exppoly *f, const struct exppoly *g,
                 slong precision);
/* out(x) = f(x + h). */
void exppoly_shift(struct exppoly *out, const struct exppoly *f, const fmpq_t h, slong precision);
/* The antiderivative in which every term stays in its own rate: it tends to 0 where f's terms do,
 * and for rate 0 it is the one without constant. */
void exppoly_antiderivative(struct exppoly *out, const struct exppoly *f, slong precision);

void exppoly_eval(arb_t out, const struct exppoly *f, const fmpq_t x, slong precision);
void exppoly_eval_ball(arb_t out, const struct exppoly *f, const arb_t x, slong precision);
/* A bound on |f| at all x + iy with x in the ball `real` and |y| <= imaginary. */
void exppoly_bound(mag_t out, const struct exppoly *f, const arb_t real, const mag_t imaginary,
                   slong precision);
/* Value, or limit at an infinite end. Not finite if some term has no finite limit there. */
void exppoly_limit(arb_t out, const struct exppoly *f, const struct line_end *at, slong precision);
/* Integral over low..high (low <= high); not finite if it does not converge term by term. */
void exppoly_integral(arb_t out, const struct exppoly *f, const struct line_end *low,
                      const struct line_end *high, slong precision);

#endif
