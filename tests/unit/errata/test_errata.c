/* Confirms the errata of docs/errata.md that are statements about numbers. Every comparison is
 * between balls, so a test that passes is a proof for the instance it names; except erratum 11,
 * which is illustrated here; its proof is checked in test_disjunctions.c. */
#include <math.h>

#include "num/arb_compat.h"
#include "num/real/ball.h"
#include "num/real/piecewise.h"
#include "testlib.h"

enum { BITS = 128 };

static void set_ratio(arb_t out, long num, long den) {
  arb_set_si(out, num);
  arb_div_si(out, out, den, BITS);
}

/* Erratum 1. h is drawn once, uniform on Z_m; j = 2h + x; each of n rounds emits (j - 1 - G) mod 2m
 * with G geometric(eps). Unless no G is 0, the largest output is j - 1, odd for x = 0 and even for
 * x = 1: S = "the largest is odd" has probability >= 1 - e^(-n eps) in run 1 and <= e^(-n eps) in
 * run 2 (wrap-around, probability <= n e^(-2m eps), is given to run 2 as well). */
static void advanced_composition_in_one_direction_is_false(void **state) {
  (void)state;
  const long n = 400, m = 1001;
  arb_t eps, omega, claimed, t, p1, p2;
  arb_init(eps), arb_init(omega), arb_init(claimed), arb_init(t), arb_init(p1), arb_init(p2);
  set_ratio(eps, 1, 10);
  set_ratio(omega, 1, 1000000);
  /* claimed = sqrt(2 n ln(1/omega)) eps + n eps (e^eps - 1) */
  arb_log(t, omega, BITS);
  arb_mul_si(t, t, -2 * n, BITS);
  arb_sqrt(t, t, BITS);
  arb_mul(claimed, t, eps, BITS);
  arb_expm1(t, eps, BITS);
  arb_mul(t, t, eps, BITS);
  arb_mul_si(t, t, n, BITS);
  arb_add(claimed, claimed, t, BITS);
  arb_set_d(t, 14.73);
  assert_true(arb_lt(claimed, t));

  arb_mul_si(t, eps, -2 * m, BITS); /* wrap-around in some round */
  arb_exp(t, t, BITS);
  arb_mul_si(t, t, n, BITS);
  arb_mul_si(p2, eps, -n, BITS);
  arb_exp(p2, p2, BITS);
  arb_add(p2, p2, t, BITS);
  arb_sub_si(p1, p2, 1, BITS);
  arb_neg(p1, p1);
  /* p1 > e^claimed p2 + omega: the privacy that the rule promises does not hold. */
  arb_exp(claimed, claimed, BITS);
  arb_mul(claimed, claimed, p2, BITS);
  arb_add(claimed, claimed, omega, BITS);
  assert_true(arb_lt(claimed, p1));
  arb_clear(eps), arb_clear(omega), arb_clear(claimed), arb_clear(t), arb_clear(p1), arb_clear(p2);
}

/* Pr[|v| >= m] = 2 e^(-m/b) / (1 + e^(-1/b)) for discrete Laplace, summed directly. */
static void two_sided_tail(arb_t out, const arb_t rate, long m) {
  arb_t norm, t;
  arb_init(norm), arb_init(t);
  arb_neg(t, rate);
  arb_exp(t, t, BITS);
  arb_add_si(norm, t, 1, BITS);
  arb_mul_si(t, rate, -m, BITS);
  arb_exp(t, t, BITS);
  arb_mul_si(t, t, 2, BITS);
  arb_div(out, t, norm, BITS);
  arb_clear(norm), arb_clear(t);
}

/* Erratum 2. At eps = 1 and threshold 0.999, |v| > t means |v| >= 1 on the integers. */
static void laplace_accuracy_fails_on_the_integers(void **state) {
  (void)state;
  arb_t rate, tail, bound;
  arb_init(rate), arb_init(tail), arb_init(bound);
  arb_one(rate);
  two_sided_tail(tail, rate, 1);
  set_ratio(bound, -999, 1000);
  arb_exp(bound, bound, BITS);
  assert_true(arb_lt(bound, tail));
  set_ratio(bound, 537, 1000);
  assert_true(arb_lt(bound, tail));
  arb_clear(rate), arb_clear(tail), arb_clear(bound);
}

/* Erratum 2, PTR: with T = ln(1/delta)/eps + 1 the two-sided event |v| >= ceil(ln(1/delta)/eps) can
 * exceed delta on the integers, while the one-sided tail v >= floor(ln(1/delta)/eps) + 1 needed by
 * the corrected proof stays below it. Here eps = 3 and ln(1/delta) = 3.003, just above one step. */
static void ptr_needs_the_one_sided_tail(void **state) {
  (void)state;
  arb_t rate, delta, tail;
  arb_init(rate), arb_init(delta), arb_init(tail);
  arb_set_si(rate, 3);
  set_ratio(delta, -2997, 1000); /* just below one step: |v| > ln(1/delta)/eps means |v| >= 1 */
  arb_exp(delta, delta, BITS);
  two_sided_tail(tail, rate, 1);
  assert_true(arb_gt(tail, delta));
  arb_mul_2exp_si(tail, tail, -1);
  assert_true(arb_lt(tail, delta));
  arb_clear(rate), arb_clear(delta), arb_clear(tail);
}

/* Pr[index 0 wins] among n noisy queries at scale 1 (eps = 1), query 0 at `first`, others at 0. */
static void winning_probability(arb_t out, long first, unsigned n) {
  struct piecewise density, below, product;
  fmpq_t zero, centre, rate;
  fmpq_init(zero), fmpq_init(centre), fmpq_init(rate);
  fmpq_set_si(centre, first, 1);
  fmpq_one(rate);
  piecewise_init(&density), piecewise_init(&below), piecewise_init(&product);
  piecewise_set_laplace(&density, zero, rate, BITS);
  piecewise_below(&below, &density, BITS);
  piecewise_set_laplace(&product, centre, rate, BITS);
  for (unsigned i = 1; i < n; i++)
    piecewise_mul(&product, &product, &below, BITS);
  piecewise_total(out, &product, BITS);
  piecewise_clear(&density), piecewise_clear(&below), piecewise_clear(&product);
  fmpq_clear(zero), fmpq_clear(centre), fmpq_clear(rate);
}

/* Erratum 4. Noisy max at scale 1/eps: all queries within 1, so query 0 may fall by 1 while the
 * others rise by 1, i.e. move from 0 to -2 relative to them. The loss exceeds eps already with a
 * few queries and comes close to 2 eps with more. */
static void noisy_max_at_one_over_eps_loses_almost_twice_eps(void **state) {
  (void)state;
  arb_t high, low, loss, bound;
  arb_init(high), arb_init(low), arb_init(loss), arb_init(bound);
  const struct {
    unsigned n;
    double least, most;
  } cases[] = {{2, 1.3, 2}, {3, 1.4, 2}, {12, 1.7, 2}, {40, 1.9, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    winning_probability(high, 0, cases[i].n);
    winning_probability(low, -2, cases[i].n);
    arb_div(loss, high, low, BITS);
    arb_log(loss, loss, BITS);
    arb_set_d(bound, cases[i].least);
    assert_true(arb_lt(bound, loss));
    arb_set_d(bound, cases[i].most);
    assert_true(arb_lt(loss, bound));
  }
  arb_clear(high), arb_clear(low), arb_clear(loss), arb_clear(bound);
}

/* Pr[Snap = grid point or clamp] for centre f, by the Laplace law of the noise before rounding. */
static void snap_cell(arb_t out, double low, bool low_infinite, double high, bool high_infinite,
                      double centre, const arb_t eps) {
  struct piecewise density, below;
  fmpq_t c, x, rate;
  arb_t t;
  fmpq_init(c), fmpq_init(x), fmpq_init(rate), arb_init(t);
  fmpq_one(rate);
  assert_true(arb_is_one(eps));
  fmpq_set_si(c, (slong)(centre * 64), 64);
  fmpq_canonicalise(c);
  piecewise_init(&density), piecewise_init(&below);
  piecewise_set_laplace(&density, c, rate, BITS);
  piecewise_below(&below, &density, BITS);
  arb_one(out);
  if (!high_infinite) {
    fmpq_set_si(x, (slong)(high * 64), 64);
    fmpq_canonicalise(x);
    piecewise_eval(out, &below, x, BITS);
  }
  if (!low_infinite) {
    fmpq_set_si(x, (slong)(low * 64), 64);
    fmpq_canonicalise(x);
    piecewise_eval(t, &below, x, BITS);
    arb_sub(out, out, t, BITS);
  }
  piecewise_clear(&density), piecewise_clear(&below);
  fmpq_clear(c), fmpq_clear(x), fmpq_clear(rate), arb_clear(t);
}

/* Erratum 6: the corrected row (1, B) of the snapping note's Theorem 5, for eps = 1, Lambda = 1/4, b = 3: the
 * probability ratio of landing strictly between 1 and B with f(a) = 0 against f(a') = 1. */
static void snap_row_between_one_and_the_bound(void **state) {
  (void)state;
  arb_t eps, p0, p1, ratio, top, bottom, t;
  arb_init(eps), arb_init(p0), arb_init(p1), arb_init(ratio), arb_init(top), arb_init(bottom);
  arb_init(t);
  arb_one(eps);
  const double half = 0.125, b = 3;
  snap_cell(p0, 1 + half, false, b + half, false, 0, eps);
  snap_cell(p1, 1 + half, false, b + half, false, 1, eps);
  arb_div(ratio, p0, p1, BITS);
  /* (e^-(1+L/2) - e^-(b+L/2)) / (e^(-L/2) - e^-(b+L/2-1)) */
  arb_set_d(t, -(1 + half)), arb_exp(top, t, BITS);
  arb_set_d(t, -(b + half)), arb_exp(t, t, BITS), arb_sub(top, top, t, BITS);
  arb_set_d(t, -half), arb_exp(bottom, t, BITS);
  arb_set_d(t, -(b + half - 1)), arb_exp(t, t, BITS), arb_sub(bottom, bottom, t, BITS);
  arb_div(t, top, bottom, BITS);
  assert_true(arb_overlaps(t, ratio));
  arb_sub(t, t, ratio, BITS);
  arb_set_d(top, 1e-20);
  assert_true(arb_lt(t, top));
  arb_clear(eps), arb_clear(p0), arb_clear(p1), arb_clear(ratio), arb_clear(top);
  arb_clear(bottom), arb_clear(t);
}

/* ---- erratum 11 --------------------------------------------------------------------------------
 */

enum { GRID = 480 };
static double grid_point(int i) {
  return -20 + i * 0.25;
}
static double log_below(double t) { /* ln Pr[Lap(0, 1) < t] */
  return t < 0 ? t - log(2) : log1p(-exp(-t) / 2);
}

/* ln Pr[l rounds of (s < x or s < y) at a, s >= x and s >= y at e, l rounds of s >= x at b] for
 * x ~ Lap(0, 1/dx), y ~ Lap(0, 1/dy), all other noise Lap(0, 1): a sum over a grid, good to a few
 * digits. */
static double log_two_loops(double a, double e, double b, int l, double dx, double dy) {
  static double term[GRID * GRID];
  double most = -INFINITY, sum = 0;
  for (int i = 0; i < GRID; i++)
    for (int j = 0; j < GRID; j++) {
      double x = grid_point(i), y = grid_point(j);
      double miss = log_below(a - x) + log_below(a - y);
      double *t = &term[i * GRID + j];
      *t = -dx * fabs(x) - dy * fabs(y) + log_below(e - x) + log_below(e - y) +
           l * (log(-expm1(miss)) + log_below(b - x));
      most = fmax(most, *t);
    }
  for (int k = 0; k < GRID * GRID; k++)
    sum += exp(term[k] - most);
  return most + log(sum);
}

/* The loss when the two groups of inputs move towards each other. */
static double squeeze_loss(double a, double width, int l, double dx, double dy) {
  double e = a + width + 20;
  return log_two_loops(a, e, a + width, l, dx, dy) -
         log_two_loops(a + 1, e, a + width - 1, l, dx, dy);
}

static void disjunctions_depend_on_the_noise(void **state) {
  (void)state;
  static const int rounds[] = {10, 100, 1000};
  static const double widths[] = {1.5, 4, 9};
  double equal = 0, larger = 0;
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < 3; k++) {
      equal = fmax(equal, squeeze_loss(0, widths[k], rounds[i], 1, 1));
      equal = fmax(equal, squeeze_loss(50, widths[k], rounds[i], 1, 1));
      larger = fmax(larger, squeeze_loss(50, widths[k], rounds[i], 0.5, 1));
    }
  print_message("equal noise: loss %.2f; larger noise in x: %.2f\n", equal, larger);
  assert_true(equal > 1.5 && equal < 3); /* the proof says: below 30 */
  assert_true(larger > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(advanced_composition_in_one_direction_is_false),
      cmocka_unit_test(laplace_accuracy_fails_on_the_integers),
      cmocka_unit_test(ptr_needs_the_one_sided_tail),
      cmocka_unit_test(noisy_max_at_one_over_eps_loses_almost_twice_eps),
      cmocka_unit_test(snap_row_between_one_and_the_bound),
      cmocka_unit_test(disjunctions_depend_on_the_noise),
  };
  return cmocka_run_group_tests_name("errata", tests, NULL, NULL);
}
