#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/eval/number.h"
#include "run/sample/noise.h"
#include "source_text.h"
#include "stats.h"
#include "testlib.h"

/* ---- values --------------------------------------------------------------------------------- */

static struct rvalue function(enum builtin f, struct rvalue a) {
  struct rvalue out = rvalue_unit();
  assert_int_equal(number_function(f, &out, &a), NUMBER_OK);
  rvalue_clear(&a);
  return out;
}

static struct rvalue binary(enum binary_op op, struct rvalue a, struct rvalue b) {
  struct rvalue out = rvalue_unit();
  assert_int_equal(number_binary(op, &out, &a, &b), NUMBER_OK);
  rvalue_clear(&a);
  rvalue_clear(&b);
  return out;
}

/* exp(x)/(1+exp(x)) */
static struct rvalue logistic(struct rvalue x) {
  struct rvalue e = function(BUILTIN_EXP, x), copy = rvalue_copy(&e);
  return binary(BINARY_DIV, e, binary(BINARY_ADD, rvalue_int(1), copy));
}

/* ---- exactness: every bit string up to a depth ---------------------------------------------- */

/* A sampler of small integers, its outcomes and the true probabilities of 0..outcomes-1. */
struct experiment {
  slong (*draw)(struct random *r, const struct rvalue *parameter);
  struct rvalue parameter;
  const double *probability;
  size_t outcomes;
};

/* The mass of the strings that lead to an outcome is a lower bound of its probability, and that
 * mass plus the undecided one an upper bound, whatever the sampler does later. */
static void check_brackets(const struct experiment *x, unsigned depth, double most_undecided) {
  size_t hits[16] = {0}, undecided = 0;
  for (unsigned long k = 0; k < 1ul << depth; k++) {
    char bits[33] = {0};
    for (unsigned i = 0; i < depth; i++)
      bits[i] = k >> (depth - 1 - i) & 1 ? '1' : '0';
    struct random r;
    random_init_script(&r, bits, k);
    slong outcome = x->draw(&r, &x->parameter);
    if (r.spent)
      undecided++;
    else if (outcome >= 0 && (size_t)outcome < x->outcomes)
      hits[outcome]++;
  }
  double rest = ldexp((double)undecided, -(int)depth);
  assert_true(rest <= most_undecided);
  for (size_t i = 0; i < x->outcomes; i++) {
    double low = ldexp((double)hits[i], -(int)depth);
    assert_true(low <= x->probability[i] + 1e-12);
    assert_true(low + rest >= x->probability[i] - 1e-12);
  }
}

static slong draw_exp(struct random *r, const struct rvalue *gamma) {
  return noise_bernoulli_exp(r, gamma);
}
static slong draw_with(void (*f)(struct random *, fmpz_t, const struct rvalue *), struct random *r,
                       const struct rvalue *parameter) {
  fmpz_t k;
  fmpz_init(k);
  f(r, k, parameter);
  slong small = fmpz_get_si(k);
  fmpz_clear(k);
  return small;
}
static slong draw_geometric(struct random *r, const struct rvalue *scale) {
  return draw_with(noise_geometric, r, scale);
}
static slong draw_laplace(struct random *r, const struct rvalue *scale) {
  return draw_with(noise_discrete_laplace, r, scale) + 3; /* outcomes -3.. */
}
static slong draw_gauss(struct random *r, const struct rvalue *sigma) {
  return draw_with(noise_discrete_gauss, r, sigma) + 3;
}

/* U in [k, k+1]/2^depth decides U < p unless p lies strictly between. */
static void bernoulli_accepts_exactly_below_p(void **state) {
  (void)state;
  for (slong d = 1; d <= 12; d++)
    for (slong n = 0; n <= d; n++) {
      struct rvalue p = fraction(n, (ulong)d);
      for (slong k = 0; k < 256; k++) {
        char bits[9] = {0};
        for (int i = 0; i < 8; i++)
          bits[i] = k >> (7 - i) & 1 ? '1' : '0';
        struct random r;
        random_init_script(&r, bits, 1);
        bool accepted = noise_bernoulli(&r, &p);
        if (r.spent)
          assert_true(k * d < 256 * n && 256 * n < (k + 1) * d);
        else if (accepted)
          assert_true((k + 1) * d <= 256 * n);
        else
          assert_true(k * d >= 256 * n);
      }
      rvalue_clear(&p);
    }
}

static void irrational_bernoulli_accepts_exactly_below_p(void **state) {
  (void)state;
  struct rvalue ps[] = {function(BUILTIN_EXP, fraction(-1, 3)), logistic(fraction(1, 2)),
                        binary(BINARY_DIV, function(BUILTIN_SQRT, rvalue_int(2)), rvalue_int(2)),
                        function(BUILTIN_LN, rvalue_int(2))};
  double truth[] = {exp(-1. / 3), exp(0.5) / (1 + exp(0.5)), sqrt(2) / 2, log(2)};
  for (size_t j = 0; j < sizeof ps / sizeof *ps; j++) {
    size_t undecided = 0;
    for (long k = 0; k < 1l << 16; k++) {
      char bits[17] = {0};
      for (int i = 0; i < 16; i++)
        bits[i] = k >> (15 - i) & 1 ? '1' : '0';
      struct random r;
      random_init_script(&r, bits, 1);
      bool accepted = noise_bernoulli(&r, &ps[j]);
      double low = ldexp((double)k, -16), high = ldexp((double)k + 1, -16);
      undecided += r.spent;
      if (r.spent)
        assert_true(low < truth[j] && truth[j] < high);
      else
        assert_true(accepted ? high <= truth[j] : low >= truth[j]);
    }
    assert_int_equal(undecided, 1);
    rvalue_clear(&ps[j]);
  }
}

static void exponential_trials_are_exact(void **state) {
  (void)state;
  slong gammas[][2] = {{0, 1}, {1, 3}, {1, 1}, {7, 5}, {3, 1}};
  for (size_t i = 0; i < sizeof gammas / sizeof *gammas; i++) {
    double g = (double)gammas[i][0] / (double)gammas[i][1], p[] = {1 - exp(-g), exp(-g)};
    struct experiment x = {draw_exp, fraction(gammas[i][0], (ulong)gammas[i][1]), p, 2};
    check_brackets(&x, 14, 0.02);
    rvalue_clear(&x.parameter);
  }
  /* irrational exponent: exp(-sqrt(2)) */
  double p[] = {1 - exp(-sqrt(2)), exp(-sqrt(2))};
  struct experiment x = {draw_exp, function(BUILTIN_SQRT, rvalue_int(2)), p, 2};
  check_brackets(&x, 16, 1e-4);
  rvalue_clear(&x.parameter);
}

/* Sum over k of exp(-f(k)), and the first probabilities from `low` on. */
static void discrete(double *p, size_t outcomes, long low, double (*f)(long, double), double t,
                     bool one_sided) {
  double total = 0;
  for (long k = one_sided ? 0 : -2000; k <= 2000; k++)
    total += exp(-f(k, t));
  for (size_t i = 0; i < outcomes; i++)
    p[i] = exp(-f(low + (long)i, t)) / total;
}
static double linear(long k, double t) {
  return fabs((double)k) / t;
}
static double quadratic(long k, double s) {
  return (double)k * (double)k / (2 * s * s);
}

static void discrete_noise_is_exact(void **state) {
  (void)state;
  slong scales[][2] = {{1, 2}, {1, 1}, {5, 3}, {7, 2}};
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
    double t = (double)scales[i][0] / (double)scales[i][1], p[7];
    struct experiment x = {draw_geometric, fraction(scales[i][0], (ulong)scales[i][1]), p, 7};
    discrete(p, 7, 0, linear, t, true);
    check_brackets(&x, 15, 0.4);
    x.draw = draw_laplace;
    discrete(p, 7, -3, linear, t, false);
    check_brackets(&x, 15, 0.5);
    x.draw = draw_gauss;
    discrete(p, 7, -3, quadratic, t, false);
    check_brackets(&x, 16, 0.5);
    rvalue_clear(&x.parameter);
  }
}

/* ---- frequencies ---------------------------------------------------------------------------- */

/* Chi-square on -30..30 and the two tails. */
static void check_frequencies(slong (*draw)(struct random *, const struct rvalue *), slong shift,
                              struct rvalue parameter, double (*f)(long, double), double t,
                              bool one_sided, size_t n, uint64_t seed) {
  enum { reach = 30, bins = 2 * reach + 3 };
  double p[bins] = {0};
  size_t count[bins] = {0};
  double total = 0;
  for (long k = one_sided ? 0 : -20000; k <= 20000; k++)
    total += exp(-f(k, t));
  for (long k = one_sided ? 0 : -20000; k <= 20000; k++) {
    long bin = k < -reach ? 0 : k > reach ? bins - 1 : k + reach + 1;
    p[bin] += exp(-f(k, t)) / total;
  }
  struct random r;
  random_init_seeded(&r, seed);
  for (size_t i = 0; i < n; i++) {
    slong k = draw(&r, &parameter) - shift;
    count[k < -reach ? 0 : k > reach ? bins - 1 : k + reach + 1]++;
  }
  double z = chi_square_z(p, count, bins, n);
  if (!(z < 3.7)) print_error("z = %g at parameter %g\n", z, t);
  assert_true(z < 3.7);
  rvalue_clear(&parameter);
}

static void discrete_frequencies_fit(void **state) {
  (void)state;
  size_t n = test_rounds(30000);
  slong scales[][2] = {{1, 3}, {1, 1}, {9, 4}, {10, 1}, {40, 1}};
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
    slong a = scales[i][0], b = scales[i][1];
    double t = (double)a / (double)b;
    check_frequencies(draw_geometric, 0, fraction(a, (ulong)b), linear, t, true, n, 100 + i);
    check_frequencies(draw_laplace, 3, fraction(a, (ulong)b), linear, t, false, n, 200 + i);
    check_frequencies(draw_gauss, 3, fraction(a, (ulong)b), quadratic, t, false, n, 300 + i);
  }
  /* a double stands for the fraction it is */
  check_frequencies(draw_laplace, 3, rvalue_float(2.75), linear, 2.75, false, n, 400);
}

static void irrational_parameters_fit(void **state) {
  (void)state;
  size_t n = test_rounds(20000);
  double t = 3 / log(5);
  struct rvalue scale = binary(BINARY_DIV, rvalue_int(3), function(BUILTIN_LN, rvalue_int(5)));
  check_frequencies(draw_geometric, 0, rvalue_copy(&scale), linear, t, true, n, 500);
  check_frequencies(draw_laplace, 3, rvalue_copy(&scale), linear, t, false, n, 501);
  check_frequencies(draw_gauss, 3, scale, quadratic, t, false, test_rounds(5000), 502);
  /* sigma = sqrt(7): the variance is rational again */
  struct rvalue sigma = function(BUILTIN_SQRT, rvalue_int(7));
  check_frequencies(draw_gauss, 3, sigma, quadratic, sqrt(7), false, n, 503);
}

/* Far beyond what can be seen directly: among samples with k >= 6t, one more step still costs
 * exp(-1/t). */
static void the_discrete_tail_keeps_falling(void **state) {
  (void)state;
  struct random r;
  random_init_seeded(&r, 600);
  struct rvalue scale = fraction(3, 2);
  size_t beyond = 0, further = 0;
  for (size_t i = 0; i < test_rounds(300000); i++) {
    slong k = draw_geometric(&r, &scale);
    beyond += k >= 9;
    further += k >= 10;
  }
  assert_often(beyond > 300);
  assert_true(fabs(binomial_z(further, beyond, exp(-2. / 3))) < 4);
}

/* ---- continuous ----------------------------------------------------------------------------- */

static double exponential_cdf(double x, const void *unused) {
  (void)unused;
  return x < 0 ? 0 : -expm1(-x);
}
static double laplace_cdf(double x, const void *unused) {
  (void)unused;
  return x < 0 ? exp(x) / 2 : 1 - exp(-x) / 2;
}
static double gauss_cdf(double x, const void *unused) {
  (void)unused;
  return erfc(-x / sqrt(2)) / 2;
}

static void continuous_samples_fit(void **state) {
  (void)state;
  size_t n = test_rounds(100000);
  double *x = malloc(n * sizeof *x);
  struct random r;
  random_init_seeded(&r, 700);
  struct {
    double (*draw)(struct random *);
    double (*cdf)(double, const void *);
  } cases[] = {
      {noise_exponential, exponential_cdf}, {noise_laplace, laplace_cdf}, {noise_gauss, gauss_cdf}};
  for (size_t c = 0; c < 3; c++) {
    for (size_t i = 0; i < n; i++)
      x[i] = cases[c].draw(&r);
    double k = kolmogorov(x, n, cases[c].cdf, NULL);
    if (!(k < 1.95)) print_error("case %zu: %g\n", c, k);
    assert_true(k < 1.95);
  }
  free(x);
}

static void continuous_tails_fit(void **state) {
  (void)state;
  size_t n = test_rounds(400000), far_e = 0, far_l = 0, far_g = 0, near_e = 0;
  struct random r;
  random_init_seeded(&r, 701);
  for (size_t i = 0; i < n; i++) {
    double e = noise_exponential(&r);
    far_e += e > 8;
    near_e += e < 1e-3;
    far_l += fabs(noise_laplace(&r)) > 8;
    far_g += fabs(noise_gauss(&r)) > 3.5;
  }
  assert_true(fabs(binomial_z(far_e, n, exp(-8))) < 4);
  assert_true(fabs(binomial_z(near_e, n, -expm1(-1e-3))) < 4);
  assert_true(fabs(binomial_z(far_l, n, exp(-8))) < 4);
  assert_true(fabs(binomial_z(far_g, n, erfc(3.5 / sqrt(2)))) < 4);
}

/* 40 scripted rejections put the sample beyond 40, where 53-bit uniforms have no points left
 * (-ln 2^-53 = 36.7); the excess must again be exponential. */
static void the_tail_has_no_end(void **state) {
  (void)state;
  enum { rejections = 40 };
  char script[rejections * 96 + 1] = {0};
  for (int i = 0; i < rejections; i++) {
    memset(script + 96 * i, '0', 32);      /* z1 near 0 */
    memset(script + 96 * i + 32, '1', 32); /* x near 1 */
    memset(script + 96 * i + 64, '1', 32); /* z2 > z1: a run of one, odd */
  }
  size_t n = test_rounds(20000);
  double *excess = malloc(n * sizeof *excess);
  for (size_t i = 0; i < n; i++) {
    struct random r;
    random_init_script(&r, script, i);
    excess[i] = noise_exponential(&r) - rejections;
    assert_true(excess[i] >= 0);
  }
  assert_true(kolmogorov(excess, n, exponential_cdf, NULL) < 2);
  free(excess);
}

/* Near 0 a sample has all its digits: z1 near 1, x = 0.(96 zeros)(1101101...) is accepted. */
static void tiny_samples_are_precise(void **state) {
  (void)state;
  enum { zeros = 96, digits = 96 };
  char script[32 + zeros + digits + 1] = {0};
  memset(script, '1', 32);
  memset(script + 32, '0', zeros);
  long double exact = 0;
  for (int i = digits - 1; i >= 0; i--) {
    script[32 + zeros + i] = i % 3 == 2 ? '0' : '1';
    if (i < 64) exact = (exact + (i % 3 != 2)) / 2;
  }
  struct random r;
  random_init_script(&r, script, 1);
  double e = noise_exponential(&r);
  assert_true(fabsl(ldexpl((long double)e, zeros) - exact) <= ldexpl(exact, -53));
}

static double interval_cdf(double x, const void *ends) {
  const double *e = ends;
  return (x - e[0]) / (e[1] - e[0]);
}

static void uniform_stays_in_its_interval(void **state) {
  (void)state;
  double ends[][2] = {{0, 1}, {-3, 5}, {1, 1.0000000000000007}, {-1e-300, 1e300}};
  size_t n = test_rounds(50000);
  double *x = malloc(n * sizeof *x);
  struct random r;
  random_init_seeded(&r, 800);
  for (size_t c = 0; c < 4; c++) {
    for (size_t i = 0; i < n; i++) {
      x[i] = noise_uniform(&r, ends[c][0], ends[c][1]);
      assert_true(x[i] > ends[c][0] && x[i] <= ends[c][1]);
    }
    if (c != 2) assert_true(kolmogorov(x, n, interval_cdf, ends[c]) < 2);
  }
  free(x);
}

/* ---- by name -------------------------------------------------------------------------------- */

static enum noise_fault sample(enum dist_kind kind, struct rvalue a, struct rvalue b) {
  struct random r;
  random_init_seeded(&r, 900);
  struct rvalue args[] = {a, b}, out = rvalue_unit();
  enum noise_fault fault = noise_sample(&r, kind, args, 2, &out);
  rvalue_clear(&out);
  rvalue_clear(&args[0]);
  rvalue_clear(&args[1]);
  return fault;
}

static void bad_parameters_are_faults(void **state) {
  (void)state;
  for (int kind = 0; kind < DIST_COUNT; kind++) {
    if (!dist_is_centred(kind)) continue;
    assert_int_equal(sample(kind, rvalue_int(0), rvalue_int(0)), NOISE_SCALE);
    assert_int_equal(sample(kind, rvalue_int(0), fraction(-1, 3)), NOISE_SCALE);
    assert_int_equal(sample(kind, rvalue_int(0), fraction(1, 3)), NOISE_OK);
  }
  assert_int_equal(sample(DIST_BERNOULLI, fraction(-1, 9), rvalue_unit()), NOISE_PROBABILITY);
  assert_int_equal(sample(DIST_BERNOULLI, fraction(10, 9), rvalue_unit()), NOISE_PROBABILITY);
  assert_int_equal(sample(DIST_BERNOULLI, rvalue_int(0), rvalue_unit()), NOISE_OK);
  assert_int_equal(sample(DIST_BERNOULLI, rvalue_int(1), rvalue_unit()), NOISE_OK);
  assert_int_equal(sample(DIST_UNIFORM, rvalue_int(1), rvalue_int(1)), NOISE_RANGE);
  assert_int_equal(sample(DIST_UNIFORM_INT, rvalue_int(2), rvalue_int(1)), NOISE_RANGE);
  assert_int_equal(sample(DIST_UNIFORM_INT, rvalue_int(1), rvalue_int(1)), NOISE_OK);
  /* ln(2) + ln(3) - ln(6) is 0, but no finite precision shows it */
  struct rvalue zero = binary(
      BINARY_SUB,
      binary(BINARY_ADD, function(BUILTIN_LN, rvalue_int(2)), function(BUILTIN_LN, rvalue_int(3))),
      function(BUILTIN_LN, rvalue_int(6)));
  assert_int_equal(sample(DIST_LAPLACE, rvalue_int(0), zero), NOISE_UNDECIDED);
}

static void centres_and_scales_are_applied(void **state) {
  (void)state;
  struct random r;
  random_init_seeded(&r, 901);
  size_t n = test_rounds(20000);
  struct {
    enum dist_kind kind;
    double mean, variance;
  } cases[] = {{DIST_LAPLACE, 7, 2 * 6.25},
               {DIST_EXPONENTIAL, 9.5, 6.25},
               {DIST_GAUSS, 7, 6.25},
               {DIST_GUMBEL, 7 + 2.5 * 0.57721566490153286, 6.25 * M_PI * M_PI / 6},
               {DIST_GEOMETRIC, 7 + 1 / expm1(0.4), exp(-0.4) / pow(1 - exp(-0.4), 2)},
               {DIST_DISCRETE_LAPLACE, 7, 2 * exp(-0.4) / pow(1 - exp(-0.4), 2)},
               {DIST_DISCRETE_GAUSS, 7, 6.25},
               {DIST_UNIFORM, 4.75, 4.5 * 4.5 / 12}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    struct rvalue args[] = {rvalue_int(7), fraction(5, 2)};
    if (cases[c].kind == DIST_UNIFORM) {
      args[0] = fraction(5, 2);
      args[1] = rvalue_int(7);
    }
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
      struct rvalue v = rvalue_unit();
      assert_int_equal(noise_sample(&r, cases[c].kind, args, 2, &v), NOISE_OK);
      double x = number_to_double(&v) - cases[c].mean;
      sum += x;
      squares += x * x;
      rvalue_clear(&v);
    }
    double mean = sum / (double)n, variance = squares / (double)n;
    assert_true(fabs(mean) < 4 * sqrt(cases[c].variance / (double)n));
    assert_true(fabs(variance / cases[c].variance - 1) < 10 / sqrt((double)n));
    rvalue_clear(&args[0]);
    rvalue_clear(&args[1]);
  }
}

static void items_and_integers_are_equally_likely(void **state) {
  (void)state;
  struct random r;
  random_init_seeded(&r, 902);
  struct rvalue items[] = {rvalue_bool(true), rvalue_int(5), fraction(1, 3)}, v = rvalue_unit();
  struct rvalue range[] = {rvalue_int(-2), rvalue_int(2)};
  size_t set[3] = {0}, ints[5] = {0}, n = test_rounds(30000);
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(noise_sample(&r, DIST_UNIFORM_SET, items, 3, &v), NOISE_OK);
    set[v.kind == RVALUE_BOOL ? 0 : v.kind == RVALUE_INT ? 1 : 2]++;
    rvalue_clear(&v);
    assert_int_equal(noise_sample(&r, DIST_UNIFORM_INT, range, 2, &v), NOISE_OK);
    ints[fmpz_get_si(&v.as.integer) + 2]++;
    rvalue_clear(&v);
  }
  assert_true(chi_square_z((double[]){1. / 3, 1. / 3, 1. / 3}, set, 3, n) < 3.7);
  assert_true(chi_square_z((double[]){.2, .2, .2, .2, .2}, ints, 5, n) < 3.7);
  rvalue_clear(&items[2]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bernoulli_accepts_exactly_below_p),
      cmocka_unit_test(irrational_bernoulli_accepts_exactly_below_p),
      cmocka_unit_test(exponential_trials_are_exact),
      cmocka_unit_test(discrete_noise_is_exact),
      cmocka_unit_test(discrete_frequencies_fit),
      cmocka_unit_test(irrational_parameters_fit),
      cmocka_unit_test(the_discrete_tail_keeps_falling),
      cmocka_unit_test(continuous_samples_fit),
      cmocka_unit_test(continuous_tails_fit),
      cmocka_unit_test(the_tail_has_no_end),
      cmocka_unit_test(tiny_samples_are_precise),
      cmocka_unit_test(uniform_stays_in_its_interval),
      cmocka_unit_test(bad_parameters_are_faults),
      cmocka_unit_test(centres_and_scales_are_applied),
      cmocka_unit_test(items_and_integers_are_equally_likely),
  };
  return cmocka_run_group_tests_name("noise", tests, NULL, NULL);
}
