/* The accountant against closed forms and direct sums: the truth lies in its intervals, and these are
 * narrow. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compose/account.h"
#include "compose/fft.h"
#include "compose/tilt.h"
#include "num/arb_compat.h"
#include "num/rational.h"

enum { PREC = 200 };
static const double WIDTH = 0.02;

struct made {
  loss_parts parts;
  fmpq_t a, b;
};

static void add(struct made *m, enum loss_family family, const char *a, const char *b,
                ulong count) {
  const char *reason;
  fmpq_init(m->a);
  fmpq_init(m->b);
  assert_true(rational_parse_str(m->a, a, &reason));
  assert_true(rational_parse_str(m->b, b, &reason));
  loss_parts_push(&m->parts, family, m->a, m->b, count);
  fmpq_clear(m->a);
  fmpq_clear(m->b);
}

/* The interval for delta at eps contains the truth and is not much wider than `width` in eps says. */
static void holds(struct made *m, const char *eps, const arb_t truth) {
  const char *reason;
  fmpq_t e;
  arb_t low, high;
  fmpq_init(e);
  arb_init(low);
  arb_init(high);
  assert_true(rational_parse_str(e, eps, &reason));
  struct budget budget = budget_of_seconds(100);
  assert_int_equal(account_delta(low, high, &m->parts, e, WIDTH, &budget), ACCOUNT_OK);
  assert_false(arb_gt(low, truth));
  assert_false(arb_lt(high, truth));
  double l = arf_get_d(arb_midref(low), ARF_RND_NEAR),
         h = arf_get_d(arb_midref(high), ARF_RND_NEAR);
  double t = arf_get_d(arb_midref(truth), ARF_RND_NEAR);
  assert_true(h - t <= 0.03 * t + 1e-12);
  assert_true(l >= 0 ? t - l <= 0.35 * t + 1e-3 : t < 1e-2);
  fmpq_clear(e);
  arb_clear(low);
  arb_clear(high);
  loss_parts_clear(&m->parts);
}

static void phi(arb_t out, double x) {
  arb_t t, root;
  arb_init(t);
  arb_init(root);
  arb_set_d(t, -x);
  arb_sqrt_ui(root, 2, PREC);
  arb_div(t, t, root, PREC);
  arb_hypgeom_erfc(out, t, PREC);
  arb_mul_2exp_si(out, out, -1);
  arb_clear(t);
  arb_clear(root);
}

/* Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu), in doubles up to the function itself */
static void gaussian_delta(arb_t out, double mu, double eps) {
  arb_t t;
  arb_init(t);
  phi(out, mu / 2 - eps / mu);
  phi(t, -mu / 2 - eps / mu);
  arb_t e;
  arb_init(e);
  arb_set_d(e, eps);
  arb_exp(e, e, PREC);
  arb_submul(out, e, t, PREC);
  arb_set_d(e, 1e-13); /* the arguments are rounded */
  arb_add_error(out, e);
  arb_clear(e);
  arb_clear(t);
}

static void gaussian_noise_has_a_closed_form(void **state) {
  (void)state;
  arb_t truth;
  arb_init(truth);
  for (ulong count = 1; count <= 100; count *= 10) {
    struct made m = {0};
    add(&m, LOSS_GAUSSIAN, "1/4", "0", count);
    gaussian_delta(truth, 0.25 * sqrt((double)count), 1);
    holds(&m, "1", truth);
  }
  struct made many = {0}; /* 10^4 of them: mu is 1 */
  add(&many, LOSS_GAUSSIAN, "1/100", "0", 10000);
  gaussian_delta(truth, 1, 1);
  holds(&many, "1", truth);
  struct made two = {0}; /* different ones: the squares add up, 9/100 + 4 * 1/25 = 1/4 */
  add(&two, LOSS_GAUSSIAN, "3/10", "0", 1);
  add(&two, LOSS_GAUSSIAN, "1/5", "0", 4);
  gaussian_delta(truth, 0.5, 2);
  holds(&two, "2", truth);
  arb_clear(truth);
}

/* The first guess of a grid ends at about 7.3, and must not decide the tilt. */
static void small_deltas_are_found(void **state) {
  (void)state;
  static const char *const eps[] = {"7", "10", "15"};
  const char *reason;
  arb_t low, high, truth, t;
  fmpq_t e;
  arb_init(low);
  arb_init(high);
  arb_init(truth);
  arb_init(t);
  fmpq_init(e);
  for (size_t i = 0; i < 3; i++) {
    struct made m = {0};
    add(&m, LOSS_GAUSSIAN, "1", "0", 1);
    assert_true(rational_parse_str(e, eps[i], &reason));
    double at = fmpq_get_d(e); /* all arguments are exact */
    phi(truth, 0.5 - at);
    phi(t, -0.5 - at);
    arb_set_fmpq(high, e, PREC);
    arb_exp(high, high, PREC);
    arb_submul(truth, high, t, PREC);
    struct budget budget = budget_of_seconds(100);
    assert_int_equal(account_delta(low, high, &m.parts, e, WIDTH, &budget), ACCOUNT_OK);
    assert_false(arb_gt(low, truth) || arb_lt(high, truth));
    arb_mul_2exp_si(low, low, 1);
    assert_true(arb_gt(low, truth));
    arb_mul_2exp_si(truth, truth, 1);
    assert_true(arb_lt(high, truth));
    loss_parts_clear(&m.parts);
  }
  arb_clear(low);
  arb_clear(high);
  arb_clear(truth);
  arb_clear(t);
  fmpq_clear(e);
}

/* Where delta is large the answer is 0, and a tilt to the largest loss would hide it. */
static void large_deltas_need_no_epsilon(void **state) {
  (void)state;
  const char *reason;
  struct made m = {0};
  arb_t low, high;
  fmpq_t delta;
  arb_init(low);
  arb_init(high);
  fmpq_init(delta);
  struct budget budget = budget_of_seconds(100);
  add(&m, LOSS_RESPONSE, "3/5", "0", 2);
  assert_true(rational_parse_str(delta, "3/10", &reason));
  assert_int_equal(account_epsilon(low, high, &m.parts, delta, WIDTH, &budget), ACCOUNT_OK);
  assert_true(arf_cmp_d(arb_midref(high), WIDTH) < 0);
  loss_parts_clear(&m.parts);
  arb_clear(low);
  arb_clear(high);
  fmpq_clear(delta);
}

/* An eps that is no index of any grid; noise of more values than can be summed; no time. */
static void extremes_have_an_end(void **state) {
  (void)state;
  const char *reason;
  struct made m = {0}, wide = {0};
  arb_t low, high;
  fmpq_t e;
  arb_init(low);
  arb_init(high);
  fmpq_init(e);
  struct budget budget = budget_of_seconds(100), none = budget_of_seconds(1e-9);
  assert_true(rational_parse_str(e, "1e40", &reason));
  add(&m, LOSS_LAPLACE, "1", "0", 3);
  assert_int_equal(account_delta(low, high, &m.parts, e, WIDTH, &budget), ACCOUNT_OK);
  assert_false(arb_is_positive(low));
  assert_false(arb_is_negative(high));
  assert_true(arf_cmp_d(arb_midref(high), 1e-9) < 0);
  assert_true(rational_parse_str(e, "1e-6", &reason));
  add(&wide, LOSS_DISCRETE_GAUSSIAN, "1", "1e18", 1);
  assert_int_equal(account_epsilon(low, high, &wide.parts, e, WIDTH, &budget), ACCOUNT_TOO_LARGE);
  assert_int_equal(account_epsilon(low, high, &m.parts, e, WIDTH, &none), ACCOUNT_OUT_OF_TIME);
  loss_parts_clear(&m.parts);
  loss_parts_clear(&wide.parts);
  arb_clear(low);
  arb_clear(high);
  fmpq_clear(e);
}

/* What is left out below is moved up to a loss that is kept, not down to the edge of the grid. */
static void no_loss_is_moved_down(void **state) {
  (void)state;
  for (unsigned v = 1; v < 9; v++) {
    struct made m = {0};
    char variance[8];
    snprintf(variance, sizeof variance, "%u", v);
    add(&m, LOSS_DISCRETE_GAUSSIAN, "1", variance, 1);
    struct loss_grid g;
    assert_true(loss_grid_init(&g, &m.parts.at[0], LOSS_REMOVE, 8, 1e-10));
    assert_true(arb_is_positive(g.lifted));
    assert_true(arb_is_zero(g.mass)); /* the first point lies below every loss */
    loss_grid_clear(&g);
    loss_parts_clear(&m.parts);
  }
}

static void laplace_noise_has_a_closed_form(void **state) {
  (void)state;
  arb_t truth;
  arb_init(truth);
  arb_set_d(truth, -0.25); /* 1 - e^((eps - r)/2) */
  arb_expm1(truth, truth, PREC);
  arb_neg(truth, truth);
  struct made m = {0};
  add(&m, LOSS_LAPLACE, "3/2", "0", 1);
  holds(&m, "1", truth);
  arb_clear(truth);
}

/* sum over k of C(n, k) max(0, p^k r^(n-k) - e^eps r^k p^(n-k)), r = 1 - p */
static void response_delta(arb_t out, double p, unsigned n, double eps) {
  arb_t a, b, t, e;
  arb_init(a);
  arb_init(b);
  arb_init(t);
  arb_init(e);
  arb_zero(out);
  arb_set_d(e, eps);
  arb_exp(e, e, PREC);
  for (unsigned k = 0; k <= n; k++) {
    arb_set_d(t, p);
    arb_pow_ui(a, t, k, PREC);
    arb_pow_ui(b, t, n - k, PREC);
    arb_set_d(t, 1 - p);
    arb_t power;
    arb_init(power);
    arb_pow_ui(power, t, n - k, PREC);
    arb_mul(a, a, power, PREC);
    arb_pow_ui(power, t, k, PREC);
    arb_mul(b, b, power, PREC);
    arb_clear(power);
    arb_submul(a, e, b, PREC);
    if (!arb_is_positive(a)) continue;
    arb_bin_uiui(t, n, k, PREC);
    arb_addmul(out, a, t, PREC);
  }
  arb_clear(a);
  arb_clear(b);
  arb_clear(t);
  arb_clear(e);
}

static void responses_are_binomial(void **state) {
  (void)state;
  arb_t truth;
  arb_init(truth);
  for (unsigned n = 1; n <= 25; n += 8) {
    struct made m = {0};
    add(&m, LOSS_RESPONSE, "5/8", "0", n);
    response_delta(truth, 0.625, n, 0.25);
    holds(&m, "1/4", truth);
  }
  arb_clear(truth);
}

static void pure_parts_reveal_with_delta(void **state) {
  (void)state;
  arb_t truth, t;
  arb_init(truth);
  arb_init(t);
  arb_set_d(t, 0.5); /* eps 1/2: with the rest, e^(1/2)/(1 + e^(1/2)) - e^eps / (1 + e^(1/2)) */
  arb_exp(truth, t, PREC);
  arb_t quarter;
  arb_init(quarter);
  arb_set_d(quarter, 0.25);
  arb_exp(quarter, quarter, PREC);
  arb_sub(t, truth, quarter, PREC);
  arb_add_ui(truth, truth, 1, PREC);
  arb_div(t, t, truth, PREC);
  arb_mul_2exp_si(quarter, t, -3); /* delta 1/8 */
  arb_sub(t, t, quarter, PREC);
  arb_set_d(truth, 0.125);
  arb_add(truth, truth, t, PREC);
  struct made m = {0};
  add(&m, LOSS_PURE, "1/2", "1/8", 1);
  holds(&m, "1/4", truth);
  arb_clear(quarter);
  arb_clear(truth);
  arb_clear(t);
}

/* Discrete Gaussian, one draw: the sum itself. */
static void discrete_noise_is_a_sum(void **state) {
  (void)state;
  const double variance = 4, shift = 2;
  double total = 0, delta = 0;
  for (int k = -60; k <= 60; k++)
    total += exp(-k * k / (2 * variance));
  for (int k = -60; k <= 60; k++) {
    double p = exp(-k * k / (2 * variance)) / total;
    double q = exp(-(k - shift) * (k - shift) / (2 * variance)) / total;
    delta += fmax(0, p - exp(0.5) * q);
  }
  arb_t truth, slack;
  arb_init(truth);
  arb_init(slack);
  arb_set_d(truth, delta);
  arb_set_d(slack, 1e-13);
  arb_add_error(truth, slack);
  struct made m = {0};
  add(&m, LOSS_DISCRETE_GAUSSIAN, "2", "4", 1);
  holds(&m, "1/2", truth);
  arb_clear(truth);
  arb_clear(slack);
}

static double normal(double x) {
  return erfc(-x / sqrt(2)) / 2;
}

/* One sampled step: delta of both orders at the noise where the loss is eps. */
static void sampling_has_two_orders(void **state) {
  (void)state;
  const double q = 0.25, m = 1, eps = 0.25;
  double x = log((exp(eps) - 1 + q) / q) / m + m / 2;
  double removed = (1 - q) * normal(-x) + q * normal(m - x) - exp(eps) * normal(-x);
  double y = log((exp(-eps) - 1 + q) / q) / m + m / 2;
  double added = normal(y) - exp(eps) * ((1 - q) * normal(y) + q * normal(y - m));
  arb_t truth, slack;
  arb_init(truth);
  arb_init(slack);
  arb_set_d(truth, fmax(removed, added));
  arb_set_d(slack, 1e-13);
  arb_add_error(truth, slack);
  struct made made = {0};
  add(&made, LOSS_SAMPLED_GAUSSIAN, "1", "1/4", 1);
  holds(&made, "1/4", truth);
  arb_clear(truth);
  arb_clear(slack);
}

/* eps at delta is where delta at eps is delta: from both sides. */
static void epsilon_and_delta_agree(void **state) {
  (void)state;
  struct made m = {0};
  add(&m, LOSS_LAPLACE, "1/4", "0", 20);
  add(&m, LOSS_SAMPLED_GAUSSIAN, "1/2", "1/10", 50);
  fmpq_t delta, eps;
  arb_t low, high, l, h;
  fmpq_init(delta);
  fmpq_init(eps);
  arb_init(low);
  arb_init(high);
  arb_init(l);
  arb_init(h);
  struct budget budget = budget_of_seconds(100);
  fmpq_set_si(delta, 1, 100000);
  assert_int_equal(account_epsilon(low, high, &m.parts, delta, WIDTH, &budget), ACCOUNT_OK);
  assert_true(arb_lt(low, high));
  arb_sub(l, high, low, PREC);
  assert_true(arf_cmp_d(arb_midref(l), 2 * WIDTH) < 0);
  arb_set_fmpq(l, delta, PREC);
  arb_get_lbound_arf(arb_midref(h), low, PREC);
  arf_get_fmpq(eps, arb_midref(h));
  arb_t at_low, at_high;
  arb_init(at_low);
  arb_init(at_high);
  assert_int_equal(account_delta(at_low, at_high, &m.parts, eps, WIDTH, &budget), ACCOUNT_OK);
  assert_false(arb_lt(at_high, l)); /* at the lower end of eps delta is too large */
  arb_clear(at_low);
  arb_clear(at_high);
  fmpq_clear(delta);
  fmpq_clear(eps);
  arb_clear(low);
  arb_clear(high);
  arb_clear(l);
  arb_clear(h);
  loss_parts_clear(&m.parts);
}

/* Masses on the grid: they sum to one with what left it, and E[e^(-L')] = 1 - what Q has elsewhere. */
static void grids_keep_both_measures(void **state) {
  (void)state;
  static const struct {
    enum loss_family family;
    const char *a, *b;
  } cases[] = {{LOSS_LAPLACE, "3/7", "0"},         {LOSS_GAUSSIAN, "3/7", "0"},
               {LOSS_RESPONSE, "3/5", "0"},        {LOSS_PURE, "3/7", "0"},
               {LOSS_DISCRETE_GAUSSIAN, "1", "5"}, {LOSS_SAMPLED_GAUSSIAN, "3/7", "1/9"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int order = 0; order < 2; order++) {
      struct made m = {0};
      struct loss_grid g;
      add(&m, cases[i].family, cases[i].a, cases[i].b, 1);
      assert_true(loss_grid_init(&g, &m.parts.at[0], (enum loss_order)order, 8, 1e-30));
      arb_t sum, other, t;
      arb_init(sum);
      arb_init(other);
      arb_init(t);
      for (slong k = 0; k < g.length; k++) {
        arb_add(sum, sum, g.mass + k, PREC);
        arb_set_si(t, -(g.first + k));
        arb_mul_2exp_si(t, t, -8);
        arb_exp(t, t, PREC);
        arb_addmul(other, t, g.mass + k, PREC);
        assert_false(arb_is_negative(g.mass + k));
      }
      arb_add(sum, sum, g.cut, PREC);
      arb_add(sum, sum, g.infinite, PREC);
      assert_true(arb_contains_si(sum, 1));
      arb_sub_ui(other, other, 1, PREC);
      arb_abs(other, other);
      assert_true(arf_cmp_d(arb_midref(other), 1e-12) < 0);
      arb_clear(sum);
      arb_clear(other);
      arb_clear(t);
      loss_grid_clear(&g);
      loss_parts_clear(&m.parts);
    }
}

/* Against the definition, in balls. */
static void transforms_keep_their_bound(void **state) {
  (void)state;
  for (unsigned log = 1; log <= 7; log++) {
    size_t n = (size_t)1 << log;
    struct fft plan;
    struct complex_array x = complex_array_new(n), y = complex_array_new(n);
    fft_init(&plan, log);
    srand(log);
    for (size_t i = 0; i < n; i++)
      x.re[i] = y.re[i] = rand() / (double)RAND_MAX - 0.3;
    fft_run(&plan, y, 0);
    double error = 0, norm = 0;
    arb_t re, im, s, c, angle, t;
    arb_init(re);
    arb_init(im);
    arb_init(s);
    arb_init(c);
    arb_init(angle);
    arb_init(t);
    for (size_t k = 0; k < n; k++) {
      arb_zero(re);
      arb_zero(im);
      for (size_t j = 0; j < n; j++) {
        arb_set_ui(angle, 2 * ((j * k) % n));
        arb_div_ui(angle, angle, n, PREC);
        arb_sin_cos_pi(s, c, angle, PREC);
        arb_set_d(t, x.re[j]);
        arb_addmul(re, c, t, PREC);
        arb_submul(im, s, t, PREC);
      }
      double truth_re = arf_get_d(arb_midref(re), ARF_RND_NEAR);
      double truth_im = arf_get_d(arb_midref(im), ARF_RND_NEAR);
      arb_set_d(t, y.re[k]);
      arb_sub(re, re, t, PREC);
      arb_set_d(t, y.im[k]);
      arb_sub(im, im, t, PREC);
      double dr = arf_get_d(arb_midref(re), ARF_RND_NEAR),
             di = arf_get_d(arb_midref(im), ARF_RND_NEAR);
      error += dr * dr + di * di;
      norm += truth_re * truth_re + truth_im * truth_im;
    }
    assert_true(sqrt(error) <= fft_error(log) * sqrt(norm));
    assert_true(sqrt(error) > 0.001 * fft_error(log) * sqrt(norm) || log < 3); /* not idle either */
    fft_run(&plan, y, 1);
    for (size_t i = 0; i < n; i++)
      assert_true(fabs(y.re[i] / (double)n - x.re[i]) < 1e-14);
    arb_clear(re);
    arb_clear(im);
    arb_clear(s);
    arb_clear(c);
    arb_clear(angle);
    arb_clear(t);
    complex_array_free(&x);
    complex_array_free(&y);
    fft_clear(&plan);
  }
}

/* ---- bounds in zcdp and renyi ----------------------------------------------------------------- */

static double upper_delta(struct made *m, const char *eps, double *low) {
  const char *reason;
  fmpq_t e;
  arb_t l, h;
  fmpq_init(e);
  arb_init(l);
  arb_init(h);
  assert_true(rational_parse_str(e, eps, &reason));
  struct budget budget = budget_of_seconds(100);
  assert_int_equal(account_delta(l, h, &m->parts, e, WIDTH, &budget), ACCOUNT_OK);
  double high = arf_get_d(arb_midref(h), ARF_RND_NEAR);
  *low = arf_get_d(arb_midref(l), ARF_RND_NEAR);
  fmpq_clear(e);
  arb_clear(l);
  arb_clear(h);
  loss_parts_clear(&m->parts);
  return high;
}

/* e^((a-1)(P - eps)) (a-1)^(a-1)/a^a */
static double converted(double a, double divergence, double eps) {
  return exp((a - 1) * (divergence - eps) + (a - 1) * log(a - 1) - a * log(a));
}

static double best_converted(double rho, double eps) {
  double best = 1;
  for (double a = 1.001; a < 1000; a *= 1.001)
    best = fmin(best, converted(a, a * rho, eps));
  return best;
}

/* One part: the closed form of the conversion, and never below a mechanism with that rho. */
static void zcdp_is_converted(void **state) {
  (void)state;
  static const char *const rhos[] = {"1/50", "1/2", "2"}, *const epsilons[] = {"1/4", "2", "6"};
  arb_t truth;
  arb_init(truth);
  for (size_t i = 0; i < 9; i++) {
    const char *rho = rhos[i / 3], *eps = epsilons[i % 3];
    double r = i / 3 == 0 ? 0.02 : i / 3 == 1 ? 0.5 : 2, e = i % 3 == 0 ? 0.25 : i % 3 == 1 ? 2 : 6;
    struct made m = {0};
    double low;
    add(&m, LOSS_ZCDP, rho, "0", 1);
    double high = upper_delta(&m, eps, &low), form = best_converted(r, e);
    gaussian_delta(truth, sqrt(2 * r), e); /* normal noise with that rho */
    assert_true(high >= arf_get_d(arb_midref(truth), ARF_RND_NEAR));
    assert_true(high <= form * 1.02 + 1e-9);
    assert_true(low == 0);
  }
  arb_clear(truth);
}

static void renyi_is_converted(void **state) {
  (void)state;
  struct made m = {0};
  double low;
  add(&m, LOSS_RENYI, "1/4", "3", 1);
  double high = upper_delta(&m, "2", &low), form = converted(3, 0.25, 2);
  assert_true(high >= form * 0.999 && high <= form * 1.02);
  assert_true(low == 0);
}

/* Bounds of one kind add up before they are converted; and with noise that is named they stay above
 * what normal noise loses, and not below it by themselves. */
static void bounds_add_up(void **state) {
  (void)state;
  struct made many = {0}, one = {0}, mixed = {0};
  double low, first, second;
  add(&many, LOSS_ZCDP, "1/100", "0", 30);
  add(&many, LOSS_ZCDP, "1/5", "0", 1);
  add(&one, LOSS_ZCDP, "1/2", "0", 1);
  assert_int_equal(many.parts.len, 1);
  first = upper_delta(&many, "3", &low);
  second = upper_delta(&one, "3", &low);
  assert_true(first == second);
  add(&mixed, LOSS_RENYI, "1/2", "4", 1);
  add(&mixed, LOSS_RENYI, "1/2", "5", 2);
  assert_int_equal(mixed.parts.len, 2);
  loss_parts_clear(&mixed.parts);
  arb_t truth;
  arb_init(truth);
  add(&mixed, LOSS_GAUSSIAN, "3/5", "0", 1);
  add(&mixed, LOSS_ZCDP, "8/25", "0", 1); /* normal noise of mu 4/5: together 1 */
  first = upper_delta(&mixed, "2", &low);
  gaussian_delta(truth, 1, 2);
  assert_true(first >= arf_get_d(arb_midref(truth), ARF_RND_NEAR));
  gaussian_delta(truth, 0.6, 2);
  double alone = arf_get_d(arb_midref(truth), ARF_RND_NEAR);
  assert_true(low <= alone && low >= 0.5 * alone);
  arb_clear(truth);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gaussian_noise_has_a_closed_form),
      cmocka_unit_test(small_deltas_are_found),
      cmocka_unit_test(large_deltas_need_no_epsilon),
      cmocka_unit_test(extremes_have_an_end),
      cmocka_unit_test(no_loss_is_moved_down),
      cmocka_unit_test(laplace_noise_has_a_closed_form),
      cmocka_unit_test(responses_are_binomial),
      cmocka_unit_test(pure_parts_reveal_with_delta),
      cmocka_unit_test(discrete_noise_is_a_sum),
      cmocka_unit_test(sampling_has_two_orders),
      cmocka_unit_test(epsilon_and_delta_agree),
      cmocka_unit_test(grids_keep_both_measures),
      cmocka_unit_test(transforms_keep_their_bound),
      cmocka_unit_test(zcdp_is_converted),
      cmocka_unit_test(renyi_is_converted),
      cmocka_unit_test(bounds_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
