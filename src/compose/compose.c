#include "compose/compose.h"

#include <flint/fmpz_poly.h>
#include <math.h>
#include <string.h>

#include "num/rational.h"

enum { PRECISION = 256, SIGNIFICANT_BITS = 30 };

void compose_parts_push(compose_parts *parts, const fmpq_t eps, const fmpq_t delta, ulong count) {
  struct compose_part part = {.count = count};
  fmpq_init(part.eps);
  fmpq_init(part.delta);
  fmpq_set(part.eps, eps);
  fmpq_set(part.delta, delta);
  vec_push(parts, part);
}

void compose_parts_clear(compose_parts *parts) {
  for (size_t i = 0; i < parts->len; i++) {
    fmpq_clear(parts->at[i].eps);
    fmpq_clear(parts->at[i].delta);
  }
  vec_clear(parts);
}

static void add_multiple(fmpq_t sum, const fmpq_t value, ulong count) {
  fmpq_t product;
  fmpz_t factor;
  fmpq_init(product);
  fmpz_init_set_ui(factor, count);
  fmpq_mul_fmpz(product, value, factor);
  fmpq_add(sum, sum, product);
  fmpq_clear(product);
  fmpz_clear(factor);
}

void compose_basic(fmpq_t eps, fmpq_t delta, const compose_parts *parts) {
  fmpq_zero(eps);
  fmpq_zero(delta);
  for (size_t i = 0; i < parts->len; i++) {
    add_multiple(eps, parts->at[i].eps, parts->at[i].count);
    add_multiple(delta, parts->at[i].delta, parts->at[i].count);
  }
}

/* A short rational that is >= every point of the ball. */
static bool round_up(fmpq_t out, const arb_t ball) {
  arf_t upper;
  arb_t rounded;
  arf_init(upper);
  arb_init(rounded);
  arb_get_ubound_arf(upper, ball, SIGNIFICANT_BITS);
  arb_set_arf(rounded, upper);
  bool ok = ball_upper(out, rounded);
  arf_clear(upper);
  arb_clear(rounded);
  return ok;
}

/* ---- advanced ------------------------------------------------------------------------------- */

bool compose_advanced(fmpq_t eps, const compose_parts *parts, const fmpq_t delta) {
  fmpq_t spent, omega, n;
  arb_t a, b;
  bool ok = parts->len > 0;
  for (size_t i = 1; i < parts->len; i++)
    ok = ok && fmpq_equal(parts->at[i].eps, parts->at[0].eps);
  if (!ok) return false;
  fmpq_init(spent);
  fmpq_init(omega);
  fmpq_init(n);
  arb_init(a);
  arb_init(b);
  compose_basic(eps, spent, parts);
  fmpq_sub(omega, delta, spent);
  for (size_t i = 0; i < parts->len; i++)
    fmpz_add_ui(fmpq_numref(n), fmpq_numref(n), parts->at[i].count);
  ok = fmpq_sgn(omega) > 0 && fmpz_cmp(fmpq_numref(omega), fmpq_denref(omega)) < 0;
  if (ok) {
    ball_ln_rational(a, omega, PRECISION);
    arb_neg(a, a);
    arb_mul_fmpz(a, a, fmpq_numref(n), PRECISION);
    arb_mul_2exp_si(a, a, 1);
    arb_sqrt(a, a, PRECISION); /* sqrt(2 n ln(1/w)) */
    ball_exp_rational(b, parts->at[0].eps, PRECISION);
    arb_sub_si(b, b, 1, PRECISION);
    arb_mul_fmpz(b, b, fmpq_numref(n), PRECISION);
    arb_add(a, a, b, PRECISION);
    arb_set_fmpq(b, parts->at[0].eps, PRECISION);
    arb_mul(a, a, b, PRECISION);
    ok = round_up(eps, a);
  }
  fmpq_clear(spent);
  fmpq_clear(omega);
  fmpq_clear(n);
  arb_clear(a);
  arb_clear(b);
  return ok;
}

/* ---- optimal -------------------------------------------------------------------------------- */

/* All sums eps(S) = s * unit, with the number of sets that have it. */
struct sums {
  fmpq_t unit;
  slong total;      /* units of all parts together */
  slong *units;     /* of each part */
  fmpz_poly_t sets; /* coefficient of x^s */
  bool is_rounded;
};

/* The units of each part, eps_i / unit rounded up; false if the total exceeds the grid. */
static bool count_units(struct sums *sums, const compose_parts *parts) {
  fmpz_t all, units;
  fmpq_t ratio;
  fmpz_init(all);
  fmpz_init(units);
  fmpq_init(ratio);
  for (size_t i = 0; i < parts->len; i++) {
    fmpq_div(ratio, parts->at[i].eps, sums->unit);
    fmpz_cdiv_q(units, fmpq_numref(ratio), fmpq_denref(ratio));
    if (!fmpz_is_one(fmpq_denref(ratio))) sums->is_rounded = true;
    sums->units[i] = fmpz_fits_si(units) ? fmpz_get_si(units) : 0;
    fmpz_mul_ui(units, units, parts->at[i].count);
    fmpz_add(all, all, units);
  }
  bool ok = fmpz_cmp_si(all, 2 * COMPOSE_GRID) <= 0;
  sums->total = ok ? fmpz_get_si(all) : 0;
  fmpz_clear(all);
  fmpz_clear(units);
  fmpq_clear(ratio);
  return ok;
}

/* prod (1 + x^units)^count */
static void count_sets(struct sums *sums, const compose_parts *parts) {
  fmpz_poly_t factor;
  fmpz_poly_init(factor);
  fmpz_poly_set_si(sums->sets, 1);
  for (size_t i = 0; i < parts->len; i++) {
    fmpz_poly_zero(factor);
    fmpz_poly_set_coeff_si(factor, 0, 1);
    if (sums->units[i] == 0)
      fmpz_poly_set_coeff_si(factor, 0, 2);
    else
      fmpz_poly_set_coeff_si(factor, sums->units[i], 1);
    fmpz_poly_pow(factor, factor, parts->at[i].count);
    fmpz_poly_mul(sums->sets, sums->sets, factor);
  }
  fmpz_poly_clear(factor);
}

static void sums_clear(struct sums *sums) {
  fmpq_clear(sums->unit);
  fmpz_poly_clear(sums->sets);
  free(sums->units);
}

static bool sums_init(struct sums *sums, const compose_parts *parts) {
  fmpq_t total, delta;
  ulong count = 0;
  memset(sums, 0, sizeof *sums);
  fmpq_init(sums->unit);
  fmpz_poly_init(sums->sets);
  sums->units = xcalloc(parts->len + 1, sizeof *sums->units);
  fmpq_init(total);
  fmpq_init(delta);
  for (size_t i = 0; i < parts->len; i++) {
    fmpq_gcd(sums->unit, sums->unit, parts->at[i].eps);
    count =
        parts->at[i].count > COMPOSE_PARTS_MAX ? COMPOSE_PARTS_MAX + 1 : count + parts->at[i].count;
  }
  compose_basic(total, delta, parts);
  bool ok = count <= COMPOSE_PARTS_MAX;
  if (fmpq_is_zero(sums->unit)) fmpq_one(sums->unit);
  if (ok && !count_units(sums, parts)) { /* too many: round up to a grid */
    fmpq_div_fmpz(sums->unit, total, (fmpz[]){COMPOSE_GRID});
    ok = count_units(sums, parts);
  }
  if (ok) count_sets(sums, parts);
  fmpq_clear(total);
  fmpq_clear(delta);
  return ok;
}

/* h(E) = sum_s sets(s) max(0, e^(us) - e^(E + u(total-s))) / prod (1 + e^(eps_i)) */
static void hockey_stick(arb_t out, const struct sums *sums, const compose_parts *parts,
                         const fmpq_t total, slong precision) {
  fmpq_t exponent, threshold;
  arb_t high, low, step, norm;
  fmpq_init(exponent);
  fmpq_init(threshold);
  arb_init(high);
  arb_init(low);
  arb_init(step);
  arb_init(norm);
  /* only s with us > E + u(total - s) count: s > (E/u + total)/2 */
  fmpq_div(threshold, total, sums->unit);
  fmpq_add_si(threshold, threshold, sums->total);
  fmpq_div_2exp(threshold, threshold, 1);
  fmpz_t first;
  fmpz_init(first);
  fmpz_fdiv_q(first, fmpq_numref(threshold), fmpq_denref(threshold));
  slong s = fmpz_fits_si(first) ? fmpz_get_si(first) + 1 : sums->total + 1;
  if (s < 0) s = 0;
  arb_zero(out);
  for (; s <= sums->total; s++) {
    const fmpz *count = fmpz_poly_get_coeff_ptr(sums->sets, s);
    if (!count || fmpz_is_zero(count)) continue;
    fmpq_mul_si(exponent, sums->unit, s);
    ball_exp_rational(high, exponent, precision);
    fmpq_mul_si(exponent, sums->unit, sums->total - s);
    fmpq_add(exponent, exponent, total);
    ball_exp_rational(low, exponent, precision);
    arb_sub(high, high, low, precision);
    arb_addmul_fmpz(out, high, count, precision);
  }
  arb_one(norm);
  for (size_t i = 0; i < parts->len; i++) {
    fmpq_mul_si(exponent, sums->unit, sums->units[i]);
    ball_exp_rational(step, exponent, precision);
    arb_add_si(step, step, 1, precision);
    arb_pow_ui(step, step, parts->at[i].count, precision);
    arb_mul(norm, norm, step, precision);
  }
  arb_div(out, out, norm, precision);
  fmpz_clear(first);
  fmpq_clear(exponent);
  fmpq_clear(threshold);
  arb_clear(high);
  arb_clear(low);
  arb_clear(step);
  arb_clear(norm);
}

static void total_delta(arb_t out, const struct sums *sums, const compose_parts *parts,
                        const fmpq_t total, slong precision) {
  arb_t keep, factor;
  arb_init(keep);
  arb_init(factor);
  hockey_stick(out, sums, parts, total, precision);
  arb_sub_si(keep, out, 1, precision);
  arb_neg(keep, keep);
  for (size_t i = 0; i < parts->len; i++) {
    arb_set_fmpq(factor, parts->at[i].delta, precision);
    arb_sub_si(factor, factor, 1, precision);
    arb_neg(factor, factor);
    arb_pow_ui(factor, factor, parts->at[i].count, precision);
    arb_mul(keep, keep, factor, precision);
  }
  arb_sub_si(keep, keep, 1, precision);
  arb_neg(out, keep);
  arb_clear(keep);
  arb_clear(factor);
}

bool compose_optimal_delta(arb_t out, const compose_parts *parts, const fmpq_t total,
                           bool *is_rounded, slong precision) {
  struct sums sums;
  bool ok = sums_init(&sums, parts);
  if (ok) total_delta(out, &sums, parts, total, precision);
  *is_rounded = ok && sums.is_rounded;
  sums_clear(&sums);
  return ok;
}

/* Certainly delta(E) <= the bound? */
static bool suffices(const struct sums *sums, const compose_parts *parts, const fmpq_t total,
                     const fmpq_t bound) {
  arb_t value, limit;
  arb_init(value);
  arb_init(limit);
  total_delta(value, sums, parts, total, PRECISION);
  arb_set_fmpq(limit, bound, PRECISION);
  bool ok = arb_le(value, limit) || (arb_is_zero(limit) && arb_is_zero(value));
  arb_clear(value);
  arb_clear(limit);
  return ok;
}

/* delta(E) falls with E: halve the interval between an E that fails and one that suffices, until
 * they agree in about nine digits. */
bool compose_optimal(fmpq_t eps, const compose_parts *parts, const fmpq_t delta, bool *is_rounded,
                     const struct budget *budget) {
  struct sums sums;
  fmpq_t low, high, middle;
  bool ok = sums_init(&sums, parts);
  fmpq_init(low);
  fmpq_init(high);
  fmpq_init(middle);
  *is_rounded = ok && sums.is_rounded;
  if (ok) fmpq_mul_si(high, sums.unit, sums.total);
  ok = ok && suffices(&sums, parts, high, delta); /* at E = all of it, h = 0 */
  for (int i = 0; ok && i < SIGNIFICANT_BITS && !budget_is_spent(budget); i++) {
    fmpq_add(middle, low, high);
    fmpq_div_2exp(middle, middle, 1);
    if (suffices(&sums, parts, middle, delta))
      fmpq_swap(high, middle);
    else
      fmpq_swap(low, middle);
  }
  if (ok) fmpq_set(eps, high);
  fmpq_clear(low);
  fmpq_clear(high);
  fmpq_clear(middle);
  sums_clear(&sums);
  return ok;
}

/* ---- hits ----------------------------------------------------------------------------------- */

static double hits_estimate(double eps, double hits, double log_omega, double l) {
  double w = (l + 1) * eps - log(1 + exp(eps) - exp(-l * eps));
  return (w * hits + log_omega) / l;
}

/* The l that is best in floating point: golden section on ln l (the bound has one valley). */
static double best_l(double eps, double hits, double log_omega) {
  double low = log(1e-6), high = log(1e9), ratio = 0.6180339887498949;
  for (int i = 0; i < 200; i++) {
    double a = high - ratio * (high - low), b = low + ratio * (high - low);
    double at_a = hits_estimate(eps, hits, log_omega, exp(a));
    double at_b = hits_estimate(eps, hits, log_omega, exp(b));
    if (!(at_b < at_a)) /* also when b overflowed */
      high = b;
    else
      low = a;
  }
  return exp((low + high) / 2);
}

bool compose_hits(fmpq_t total, const fmpq_t eps, ulong hits, const fmpq_t omega) {
  bool ok = fmpq_sgn(eps) > 0 && fmpq_sgn(omega) > 0 &&
            fmpz_cmp(fmpq_numref(omega), fmpq_denref(omega)) < 0;
  if (!ok) return false;
  arb_t log_omega, w, part;
  fmpq_t l, exponent;
  arb_init(log_omega);
  arb_init(w);
  arb_init(part);
  fmpq_init(l);
  fmpq_init(exponent);
  ball_ln_rational(log_omega, omega, PRECISION);
  arb_neg(log_omega, log_omega);
  double guess =
      best_l(rational_double(eps), (double)hits, arf_get_d(arb_midref(log_omega), ARF_RND_NEAR));
  arf_t exact; /* any l > 0 is valid: a few bits of the guess are enough */
  arf_init(exact);
  arf_set_d(exact, guess > 0 && guess < 1e12 ? guess : 1);
  arf_set_round(exact, exact, 20, ARF_RND_NEAR);
  arf_get_fmpq(l, exact);
  arf_clear(exact);
  /* 1 + e^eps - e^(-l eps) */
  fmpq_mul(exponent, l, eps);
  fmpq_neg(exponent, exponent);
  ball_exp_rational(part, exponent, PRECISION);
  ball_exp_rational(w, eps, PRECISION);
  arb_sub(w, w, part, PRECISION);
  arb_add_si(w, w, 1, PRECISION);
  arb_log(w, w, PRECISION);
  fmpq_sub(exponent, eps, exponent); /* (l+1) eps */
  arb_set_fmpq(part, exponent, PRECISION);
  arb_sub(w, part, w, PRECISION);
  arb_mul_ui(w, w, hits, PRECISION);
  arb_add(w, w, log_omega, PRECISION);
  arb_set_fmpq(part, l, PRECISION);
  arb_div(w, w, part, PRECISION);
  ok = round_up(total, w);
  arb_clear(log_omega);
  arb_clear(w);
  arb_clear(part);
  fmpq_clear(l);
  fmpq_clear(exponent);
  return ok;
}
