#include "check/exact/law.h"

#include <stdbool.h>

#include "num/arb_compat.h"

/* ---- Gauss ------------------------------------------------------------------------------------ */

/* erfc(x/sqrt(2))/2 */
static void gauss_above(arb_t out, const arb_t x, slong precision) {
  arb_t root;
  arb_init(root);
  arb_set_ui(root, 2);
  arb_sqrt(root, root, precision);
  arb_div(out, x, root, precision);
  arb_hypgeom_erfc(out, out, precision);
  arb_mul_2exp_si(out, out, -1);
  arb_clear(root);
}

static void gauss_below(arb_t out, const arb_t x, slong precision) {
  arb_neg(out, x);
  gauss_above(out, out, precision);
}

/* e^(-x^2/2)/sqrt(2 pi) */
static void gauss_at(arb_t out, const arb_t x, slong precision) {
  arb_t root;
  arb_init(root);
  arb_const_pi(root, precision);
  arb_mul_2exp_si(root, root, 1);
  arb_sqrt(root, root, precision);
  arb_sqr(out, x, precision);
  arb_mul_2exp_si(out, out, -1);
  arb_neg(out, out);
  arb_exp(out, out, precision);
  arb_div(out, out, root, precision);
  arb_clear(root);
}

const struct law law_gauss = {gauss_below, gauss_above, gauss_at};

/* ---- Gumbel ----------------------------------------------------------------------------------- */

/* -e^(-x) */
static void gumbel_exponent(arb_t out, const arb_t x, slong precision) {
  arb_neg(out, x);
  arb_exp(out, out, precision);
  arb_neg(out, out);
}

static void gumbel_below(arb_t out, const arb_t x, slong precision) {
  gumbel_exponent(out, x, precision);
  arb_exp(out, out, precision);
}

static void gumbel_above(arb_t out, const arb_t x, slong precision) {
  gumbel_exponent(out, x, precision);
  arb_expm1(out, out, precision);
  arb_neg(out, out);
}

/* e^(-x - e^(-x)) */
static void gumbel_at(arb_t out, const arb_t x, slong precision) {
  arb_t exponent;
  arb_init(exponent);
  gumbel_exponent(exponent, x, precision);
  arb_sub(exponent, exponent, x, precision);
  arb_exp(out, exponent, precision);
  arb_clear(exponent);
}

const struct law law_gumbel = {gumbel_below, gumbel_above, gumbel_at};

/* ---- intervals -------------------------------------------------------------------------------- */

static void standard(arb_t out, const arb_t rate, const fmpq_t x, slong precision) {
  arb_set_fmpq(out, x, precision);
  arb_mul(out, out, rate, precision);
}

/* Mass below (above) an end of the line. */
static void mass_beside(arb_t out, const struct law *law, bool above, const arb_t rate,
                        const struct line_end *end, slong precision) {
  if (end->side) {
    arb_set_ui(out, (end->side < 0) == above);
    return;
  }
  standard(out, rate, end->at, precision);
  (above ? law->above : law->below)(out, out, precision);
}

void law_between(arb_t out, const struct law *law, const arb_t rate, const struct line_end *low,
                 const struct line_end *high, slong precision) {
  /* counted from the nearer end, so that a tail is no difference of numbers close to 1 */
  bool above = low->side > 0 || (low->side == 0 && fmpq_sgn(low->at) >= 0);
  arb_t rest;
  arb_init(rest);
  mass_beside(out, law, above, rate, above ? low : high, precision);
  mass_beside(rest, law, above, rate, above ? high : low, precision);
  arb_sub(out, out, rest, precision);
  arb_clear(rest);
}

void law_at(arb_t out, const struct law *law, const arb_t rate, const fmpq_t x, slong precision) {
  arb_t value;
  arb_init(value);
  standard(value, rate, x, precision);
  law->at(out, value, precision);
  arb_mul(out, out, rate, precision);
  arb_clear(value);
}
