/* Continuous distributions whose densities are no exponential polynomials: Gauss, Gumbel. Given by
 * their distribution functions around 0 with spread 1, as balls. A sample with such a law may be
 * compared with numbers and with integer samples, and may be an output; two of them, or one and a
 * sample of another real distribution, cannot be compared: that needs an integral which has no
 * closed form. */
#ifndef COUPLET_CHECK_EXACT_LAW_H
#define COUPLET_CHECK_EXACT_LAW_H


#include "num/arb_compat.h"
#include "num/exppoly.h"

struct law {
  void (*below)(arb_t out, const arb_t x, slong precision); /* Pr[sample <= x] */
  void (*above)(arb_t out, const arb_t x, slong precision); /* Pr[sample >= x], as precise */
  void (*at)(arb_t out, const arb_t x, slong precision);    /* density */
};

extern const struct law law_gauss, law_gumbel;

/* Pr[low <= spread * sample <= high], rate = 1/spread > 0, low <= high. */
void law_between(arb_t out, const struct law *law, const arb_t rate, const struct line_end *low,
                 const struct line_end *high, slong precision);
/* Density of spread * sample at x. */
void law_at(arb_t out, const struct law *law, const arb_t rate, const fmpq_t x, slong precision);

#endif
