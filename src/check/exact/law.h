/* Continuous distributions whose densities are no exponential polynomials: Gauss, Gumbel. Given by
 * their distribution functions around 0 with spread 1, as balls. Comparisons with numbers and with
 * integer samples are settled by these functions; where such a sample is compared with another real
 * one, the integral has no closed form, and grids (grid.h) take over. */
#ifndef COUPLET_CHECK_EXACT_LAW_H
#define COUPLET_CHECK_EXACT_LAW_H

#include <stdbool.h>

#include "num/arb_compat.h"
#include "num/real/exppoly.h"

struct law {
  void (*below)(arb_t out, const arb_t x, slong precision); /* Pr[sample <= x] */
  void (*above)(arb_t out, const arb_t x, slong precision); /* Pr[sample >= x], as precise */
  void (*at)(arb_t out, const arb_t x, slong precision);    /* density */
  /* A bound on |density| at all x + iy with x in the ball `real` and |y| <= imaginary. */
  void (*bound)(mag_t out, const arb_t real, const mag_t imaginary, slong precision);
  /* Outside of ends[0]..ends[1] the mass is about 2^-precision or less. */
  void (*window)(double ends[2], slong precision);
};

extern const struct law law_gauss, law_gumbel;

/* Pr[low <= centre + spread * sample <= high], rate = 1/spread > 0, low <= high. */
void law_between(arb_t out, const struct law *law, const fmpq_t centre, const arb_t rate,
                 const struct line_end *low, const struct line_end *high, slong precision);
/* Density of centre + spread * sample at x, and its mass above or below x. */
void law_at(arb_t out, const struct law *law, const fmpq_t centre, const arb_t rate, const fmpq_t x,
            slong precision);
void law_beside(arb_t out, const struct law *law, bool above, const fmpq_t centre, const arb_t rate,
                const fmpq_t x, slong precision);

#endif
