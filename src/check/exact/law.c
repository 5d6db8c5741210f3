#include "check/exact/law.h"

#include <math.h>
#include <stdbool.h>

#include "num/arb_compat.h"

#define LN2 0.6931471805599453

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

/* |e^(-(x + iy)^2/2)| = e^((y^2 - x^2)/2), and 1/sqrt(2 pi) < 1/2 */
static void gauss_bound(mag_t out, const arb_t real, const mag_t imaginary, slong precision) {
  arb_t x, y;
  arb_init(x);
  arb_init(y);
  arb_get_abs_lbound_arf(arb_midref(x), real, precision);
  arb_sqr(x, x, precision);
  arf_set_mag(arb_midref(y), imaginary);
  arb_sqr(y, y, precision);
  arb_sub(x, y, x, precision);
  arb_mul_2exp_si(x, x, -1);
  arb_exp(x, x, precision);
  arb_mul_2exp_si(x, x, -1);
  arb_get_mag(out, x);
  arb_clear(x);
  arb_clear(y);
}

/* Pr[|sample| > t] <= 2 e^(-t^2/2) */
static void gauss_window(double ends[2], slong precision) {
  ends[1] = sqrt(2 * LN2 * (double)(precision + 1));
  ends[0] = -ends[1];
}

const struct law law_gauss = {gauss_below, gauss_above, gauss_at, gauss_bound, gauss_window};

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

/* |e^(-z - e^(-z))| = exp(-x - e^(-x) cos y) at z = x + iy; for |y| <= pi/2, that is at most
 * exp(-low - e^(-high) cos(greatest |y|)). */
static void gumbel_bound(mag_t out, const arb_t real, const mag_t imaginary, slong precision) {
  arb_t low, high, turn;
  arb_init(low);
  arb_init(high);
  arb_init(turn);
  arb_get_lbound_arf(arb_midref(low), real, precision);
  arb_get_ubound_arf(arb_midref(high), real, precision);
  arf_set_mag(arb_midref(turn), imaginary);
  if (mag_cmp_2exp_si(imaginary, 0) <= 0) { /* 1 < pi/2 */
    arb_cos(turn, turn, precision);
    gumbel_exponent(high, high, precision);
    arb_mul(high, high, turn, precision);
    arb_sub(high, high, low, precision);
    arb_exp(high, high, precision);
    arb_get_mag(out, high);
  } else {
    mag_inf(out);
  }
  arb_clear(low);
  arb_clear(high);
  arb_clear(turn);
}

/* Pr[sample < -t] = exp(-e^t), Pr[sample > t] <= e^(-t) */
static void gumbel_window(double ends[2], slong precision) {
  ends[1] = LN2 * (double)(precision + 1);
  ends[0] = -log(ends[1]);
}

const struct law law_gumbel = {gumbel_below, gumbel_above, gumbel_at, gumbel_bound, gumbel_window};

/* ---- intervals -------------------------------------------------------------------------------- */

static void standard(arb_t out, const fmpq_t centre, const arb_t rate, const fmpq_t x,
                     slong precision) {
  fmpq_t distance;
  fmpq_init(distance);
  fmpq_sub(distance, x, centre);
  arb_set_fmpq(out, distance, precision);
  arb_mul(out, out, rate, precision);
  fmpq_clear(distance);
}

void law_beside(arb_t out, const struct law *law, bool above, const fmpq_t centre, const arb_t rate,
                const fmpq_t x, slong precision) {
  standard(out, centre, rate, x, precision);
  (above ? law->above : law->below)(out, out, precision);
}

/* Mass below (above) an end of the line. */
static void mass_beside(arb_t out, const struct law *law, bool above, const fmpq_t centre,
                        const arb_t rate, const struct line_end *end, slong precision) {
  if (end->side)
    arb_set_ui(out, (end->side < 0) == above);
  else
    law_beside(out, law, above, centre, rate, end->at, precision);
}

void law_between(arb_t out, const struct law *law, const fmpq_t centre, const arb_t rate,
                 const struct line_end *low, const struct line_end *high, slong precision) {
  /* counted from the nearer end, so that a tail is no difference of numbers close to 1 */
  bool above = low->side > 0 || (low->side == 0 && fmpq_cmp(low->at, centre) >= 0);
  arb_t rest;
  arb_init(rest);
  mass_beside(out, law, above, centre, rate, above ? low : high, precision);
  mass_beside(rest, law, above, centre, rate, above ? high : low, precision);
  arb_sub(out, out, rest, precision);
  arb_clear(rest);
}

void law_at(arb_t out, const struct law *law, const fmpq_t centre, const arb_t rate, const fmpq_t x,
            slong precision) {
  arb_t value;
  arb_init(value);
  standard(value, centre, rate, x, precision);
  law->at(out, value, precision);
  arb_mul(out, out, rate, precision);
  arb_clear(value);
}
