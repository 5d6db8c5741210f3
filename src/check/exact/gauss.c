#include "check/exact/gauss.h"

#include <math.h>

enum { RANGE = 12, PER_UNIT = 16, CELLS = 2 * RANGE * PER_UNIT };

/* sqrt(2 pi). */
static void root_two_pi(arb_t out, slong precision) {
  arb_const_pi(out, precision);
  arb_mul_2exp_si(out, out, 1);
  arb_sqrt(out, out, precision);
}

/* e^(m^2/2) / sqrt(2 pi) times the factor: the coefficient of e^(-m x) near m. */
static void coefficient(arb_t out, const fmpq_t m, const arb_t factor, slong precision) {
  fmpq_t square;
  fmpq_init(square);
  fmpq_mul(square, m, m);
  fmpq_div_2exp(square, square, 1);
  arb_set_fmpq(out, square, precision);
  arb_exp(out, out, precision);
  arb_mul(out, out, factor, precision);
  fmpq_clear(square);
}

/* e^(-m x) times its coefficient on cell i. */
static void set_cell(struct piecewise *out, slong i, const arb_t factor, slong precision) {
  struct line_end low, high;
  struct exppoly f;
  arb_t c;
  fmpq_t m;
  arb_init(c);
  fmpq_init(m);
  line_end_init(&low, 0);
  line_end_init(&high, 0);
  exppoly_init(&f);
  fmpq_set_si(low.at, i - CELLS / 2, PER_UNIT);
  fmpq_set_si(high.at, i + 1 - CELLS / 2, PER_UNIT);
  fmpq_set_si(m, 2 * i + 1 - CELLS, 2 * PER_UNIT);
  coefficient(c, m, factor, precision);
  fmpq_neg(m, m);
  exppoly_add_term(&f, c, 0, m, precision);
  piecewise_set_exppoly(out, &f);
  piecewise_restrict(out, out, &low, &high);
  exppoly_clear(&f);
  line_end_clear(&low);
  line_end_clear(&high);
  arb_clear(c);
  fmpq_clear(m);
}

/* Cells from..to-1: halves first, so that most sums are short. */
static void set_cells(struct piecewise *out, slong from, slong to, const arb_t factor,
                      slong precision) {
  if (to - from == 1) {
    set_cell(out, from, factor, precision);
    return;
  }
  struct piecewise rest;
  piecewise_init(&rest);
  set_cells(out, from, (from + to) / 2, factor, precision);
  set_cells(&rest, (from + to) / 2, to, factor, precision);
  piecewise_add(out, out, &rest, precision);
  piecewise_clear(&rest);
}

void gauss_density(struct density *out, arb_t lost, slong precision) {
  arb_t factor, other;
  arb_init(factor);
  arb_init(other);
  arb_set_si(factor, -1); /* |x - m| <= 1/(2 PER_UNIT) */
  arb_div_si(factor, factor, 8 * PER_UNIT * PER_UNIT, precision);
  arb_exp(factor, factor, precision);
  arb_one(other);
  arb_union(factor, factor, other, precision);
  root_two_pi(other, precision);
  arb_div(factor, factor, other, precision);
  set_cells(&out->f, 0, CELLS, factor, precision);
  out->is_rough = true;
  arb_set_si(lost, -RANGE * RANGE / 2); /* outside: at most e^(-RANGE^2/2) */
  arb_exp(lost, lost, precision);
  arb_clear(factor);
  arb_clear(other);
}

/* e^(-k^2/(2 sigma^2)). */
static void bell(arb_t out, slong k, const arb_t sigma, slong precision) {
  arb_set_si(out, k);
  arb_div(out, out, sigma, precision);
  arb_mul(out, out, out, precision);
  arb_mul_2exp_si(out, out, -1);
  arb_neg(out, out);
  arb_exp(out, out, precision);
}

bool gauss_table(struct density *out, arb_t lost, const arb_t sigma, slong most, slong precision) {
  double width = arf_get_d(arb_midref(sigma), ARF_RND_NEAR);
  double steps = width * sqrt(2 * 0.7 * (double)precision) + 2;
  if (!(2 * steps + 1 < (double)most)) return false;
  slong n = (slong)steps;
  arb_t total, tail;
  arb_init(total);
  arb_init(tail);
  density_clear(out);
  density_init_discrete(out, -n, 2 * n + 1);
  for (slong k = -n; k <= n; k++) {
    bell(out->weights + (k + n), k, sigma, precision);
    arb_add(total, total, out->weights + (k + n), precision);
  }
  bell(tail, n, sigma, precision); /* both sides: at most 2 sigma^2/n e^(-n^2/(2 sigma^2)) */
  arb_mul(tail, tail, sigma, precision);
  arb_mul(tail, tail, sigma, precision);
  arb_mul_2exp_si(tail, tail, 1);
  arb_div_si(tail, tail, n, precision);
  arb_set(lost, tail); /* total >= 1 */
  arb_add(tail, tail, total, precision);
  arb_union(total, total, tail, precision);
  for (slong k = 0; k < 2 * n + 1; k++)
    arb_div(out->weights + k, out->weights + k, total, precision);
  arb_clear(total);
  arb_clear(tail);
  return true;
}
