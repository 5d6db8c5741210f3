/* Functions of samples, loops that need not end, Gaussian noise: against closed forms that are
 * computed here in other ways, and against the sampler. */
#include <math.h>
#include <stdlib.h>

#include "mechanism.h"
#include "num/arb_compat.h"
#include "run/eval/number.h"
#include "run/sample/interp.h"
#include "stats.h"

static void load(struct mechanism *f, const char *body, const char *result, const char *input) {
  char *text = xasprintf("mechanism m(private x : real) returns %s adjacent within(x, 1) {\n%s\n}\n"
                         "instance i { input x = %s; }",
                         result, body, input);
  mechanism_load(f, text);
  free(text);
}

/* The event's probability is in the ball, and the ball is not wider than that. */
static void expect(struct mechanism *f, const char *event, double value, double width) {
  struct exact_result r;
  mechanism_tell(f, event, 0, &r);
  arb_t near;
  arb_init(near);
  arb_set_d(near, value);
  mag_set_d(arb_radref(near), 1e-12);
  double radius = mag_get_d(arb_radref(r.probability));
  if (!arb_overlaps(r.probability, near) || radius > width)
    fail_msg("%s: %.15g +- %g, expected %.15g", event,
             arf_get_d(arb_midref(r.probability), ARF_RND_NEAR), radius, value);
  arb_clear(near);
  exact_result_clear(&r);
}

static double laplace_cdf(double x) {
  return x < 0 ? exp(x) / 2 : 1 - exp(-x) / 2;
}

static double between(double low, double high) {
  return laplace_cdf(high) - laplace_cdf(low);
}

static void rounding_by_the_distribution_function(void **state) {
  (void)state;
  static const struct {
    const char *function;
    double low, high; /* the value is 2 there */
  } cases[] = {{"floor(x + z)", 2, 3}, {"ceil(x + z)", 1, 2}, {"round(x + z)", 1.5, 2.5}};
  for (size_t i = 0; i < 3; i++) {
    char *body = xasprintf("z <$ Lap(0, 1); return %s;", cases[i].function);
    struct mechanism f;
    load(&f, body, "int", "1/3");
    expect(&f, "2", between(cases[i].low - 1.0 / 3, cases[i].high - 1.0 / 3), 1e-25);
    expect(&f, "_", 1, 1e-25);
    mechanism_clear(&f);
    free(body);
  }
}

static void rounding_of_sums(void **state) {
  (void)state;
  /* a + b of two exponentials has distribution function 1 - e^-s (1 + s) */
  struct mechanism f;
  load(&f, "a <$ Exp(0, 1); b <$ Exp(0, 1); return floor(a + b);", "int", "0");
  for (int k = 0; k < 3; k++)
    expect(&f, (char[]){(char)('0' + k), 0}, exp(-k) * (1 + k) - exp(-k - 1) * (2 + k), 1e-20);
  mechanism_clear(&f);
}

static void remainders_by_enumeration(void **state) {
  (void)state;
  struct mechanism f;
  load(&f, "y <$ DLap(1, 2); return y mod 3;", "int", "0");
  double r = exp(-0.5), sums[3] = {0};
  for (int k = -200; k <= 200; k++)
    sums[(((k + 1) % 3) + 3) % 3] += (1 - r) / (1 + r) * pow(r, abs(k));
  for (int k = 0; k < 3; k++)
    expect(&f, (char[]){(char)('0' + k), 0}, sums[k], 1e-25);
  mechanism_clear(&f);
}

static void logarithms_are_exponential(void **state) {
  (void)state;
  struct mechanism f;
  load(&f, "u <$ Uniform(0, 1); return x - 2*ln(u);", "real", "1/2");
  expect(&f, "..3/2", 1 - exp(-0.5), 1e-25);
  expect(&f, "..0", 0, 1e-25);
  mechanism_clear(&f);
  /* the inverse of the Laplace distribution function */
  load(&f,
       "u <$ Uniform(-1/2, 1/2);\n"
       "if u < 0 { return x + ln(1 + 2*u); }\n"
       "return x - ln(1 - 2*u);",
       "real", "0");
  expect(&f, "1/2..2", between(0.5, 2), 1e-25);
  expect(&f, "-3..1", between(-3, 1), 1e-25);
  mechanism_clear(&f);
}

/* The sample itself is gone then; it is never mistaken for another one. */
static void a_sample_and_its_logarithm(void **state) {
  (void)state;
  static const char *const bodies[] = {
      "u <$ Uniform(0, 1); y := ln(u); if u > 1/2 { return y; } return 0;",
      "u <$ Uniform(0, 1); y := ln(u); return u + y;",
      "u <$ Uniform(0, 1); if u > 1/2 { return ln(u); } return 0;",
      "u <$ Uniform(0, 2); return ln(u);",
  };
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    struct mechanism f;
    struct exact_result r;
    load(&f, bodies[i], "real", "0");
    mechanism_ask(&f, "-1..0", 0, &r);
    assert_int_equal(r.status, EXACT_UNSUPPORTED);
    exact_result_clear(&r);
    mechanism_clear(&f);
  }
  struct mechanism f;
  load(&f, "u <$ Uniform(0, 1); v <$ Uniform(0, 1); y := ln(u); z := ln(u) + ln(v); return y + z;",
       "real", "0");
  /* 2 A + B <= 2 for exponentials A, B: 1 - 2 e^-1 + e^-2 */
  expect(&f, "-2..", 1 - 2 * exp(-1) + exp(-2), 1e-20);
  mechanism_clear(&f);
}

static void waiting_times(void **state) {
  (void)state;
  struct mechanism f;
  load(&f, "k := 0; go := true; while go { go <$ Bernoulli(3/4); k := k + 1; } return k;", "int",
       "0");
  expect(&f, "1", 0.25, 1e-25);
  expect(&f, "3", 0.25 * 0.75 * 0.75, 1e-25);
  mechanism_clear(&f);
  load(&f, "y := -1; while y < 0 { y <$ Lap(x, 1); } return y;", "real", "1");
  expect(&f, "0..1", between(-1, 0) / between(-1, 60), 1e-20);
  expect(&f, "_", 1, 1e-20);
  mechanism_clear(&f);
}

static void endless_runs_have_no_output(void **state) {
  (void)state;
  struct mechanism f;
  load(&f, "y <$ Lap(0, 1); while y > 1 { skip; } return y;", "real", "0");
  expect(&f, "_", laplace_cdf(1), 1e-25);
  mechanism_clear(&f);
  load(&f, "k := 0; b <$ Bernoulli(1/2); while b { k := 1 - k; } return k;", "int", "0");
  struct exact_result r; /* it does not end, but no round is like the one before */
  mechanism_ask(&f, "_", 0, &r);
  assert_int_equal(r.status, EXACT_UNSUPPORTED);
  exact_result_clear(&r);
  mechanism_clear(&f);
}

static void normal(arb_t out, double low, double high) {
  arb_t a, b, root;
  arb_init(a);
  arb_init(b);
  arb_init(root);
  arb_set_si(root, 2);
  arb_sqrt(root, root, 128);
  arb_set_d(a, low);
  arb_set_d(b, high);
  arb_div(a, a, root, 128);
  arb_div(b, b, root, 128);
  arb_hypgeom_erf(a, a, 128);
  arb_hypgeom_erf(b, b, 128);
  arb_sub(out, b, a, 128);
  arb_mul_2exp_si(out, out, -1);
  arb_clear(a);
  arb_clear(b);
  arb_clear(root);
}

static void gauss_holds_the_error_function(void **state) {
  (void)state;
  struct mechanism f;
  arb_t expected;
  arb_init(expected);
  load(&f, "y <$ Gauss(x, 2); return y;", "real", "1");
  for (int low = -14; low <= 14; low += 4)
    for (int width = 1; width <= 40; width += 3) {
      char *event = xasprintf("%d/3..%d/3", low, low + width);
      struct exact_result r;
      mechanism_tell(&f, event, 0, &r);
      normal(expected, (low / 3.0 - 1) / 2, ((low + width) / 3.0 - 1) / 2);
      mag_add_ui_2exp_si(arb_radref(expected), arb_radref(expected), 1, -50); /* doubles above */
      if (!arb_overlaps(r.probability, expected)) fail_msg("%s", event);
      assert_true(mag_get_d(arb_radref(r.probability)) < 3e-4);
      exact_result_clear(&r);
      free(event);
    }
  arb_clear(expected);
  mechanism_clear(&f);
}

static void discrete_gauss_by_its_definition(void **state) {
  (void)state;
  struct mechanism f;
  load(&f, "y <$ DGauss(0, 3/2); return y;", "int", "1");
  double total = 0;
  for (int k = -40; k <= 40; k++)
    total += exp(-k * k / 4.5);
  for (int k = 0; k < 4; k++)
    expect(&f, (char[]){(char)('0' + k), 0}, exp(-k * k / 4.5) / total, 1e-25);
  mechanism_clear(&f);
}

/* The sampler knows nothing of questions, cuts and logarithms. */
static void frequencies(void **state) {
  (void)state;
  static const struct {
    const char *body, *event;
    double low, high;
  } cases[] = {
      {"u <$ Uniform(0, 1); e <$ UniformInt(0, 1); return x + (2*e - 1)*ln(u);", "1/2..2", 0.5, 2},
      {"z <$ Lap(0, 1); w <$ Lap(x, 1); return round(z + w) + floor(2*z)/2;", "0..2", 0, 2},
      {"k <$ Geom(0, 1/2); y := 0; for i in 0..k { z <$ Bernoulli(1/3);\n"
       "  y := y + (if z then 1 else 0); } return y*y mod 5;",
       "1..4", 1, 4},
      {"k <$ UniformInt(0, 3); y := 7 div (k + 1); b <$ Bernoulli(1/(k + 2));\n"
       "if b { return y; } return -y;",
       "0..3", 0, 3},
      {"g <$ Gauss(x, 1); return max(-1, min(g, floor(g) + 1/2));", "0..3/4", 0, 0.75},
  };
  const size_t runs = test_rounds(20000);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct mechanism f;
    struct exact_result r;
    struct random random;
    load(&f, cases[i].body, "real", "1/4");
    mechanism_tell(&f, cases[i].event, 0, &r);
    double p = arf_get_d(arb_midref(r.probability), ARF_RND_NEAR);
    double slack = mag_get_d(arb_radref(r.probability));
    random_init_seeded(&random, 7 + i);
    size_t hits = 0;
    for (size_t k = 0; k < runs; k++) {
      struct rvalue output;
      assert_true(interp_run(&f.in, &random, &output));
      double y = number_to_double(&output);
      hits += y >= cases[i].low && y <= cases[i].high;
      rvalue_clear(&output);
    }
    if (fabs((double)hits / (double)runs - p) > slack + 4.5 * sqrt(p * (1 - p) / (double)runs))
      fail_msg("%zu hits of %zu, probability %g +- %g: %s", hits, runs, p, slack, cases[i].body);
    exact_result_clear(&r);
    mechanism_clear(&f);
  }
}

/* Noise around an irrational number, and irrational numbers added to it. */
static void irrational_shifts(void **state) {
  (void)state;
  const double shift = log(5) / 2;
  static const char *const bodies[] = {
      "z <$ Lap(ln(5)/2, 1); return x + max(0, z);",
      "z <$ Lap(0, 1); return x + max(0, ln(5)/2 + z);",
      "z <$ Lap(x, 1); y := z - x + ln(5)/2; if y > 0 { return y + x; } return x;",
      "z <$ Lap(0, 2); y := (z + ln(5))/2; return x + max(y + sqrt(2) - sqrt(2), 0);"};
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    struct mechanism f;
    load(&f, bodies[i], "real", "1/2");
    expect(&f, "..1/2", laplace_cdf(-shift), 1e-25);
    expect(&f, "1/2..1", laplace_cdf(0.5 - shift), 1e-25);
    expect(&f, "1..3", between(0.5 - shift, 2.5 - shift), 1e-25);
    expect(&f, "..0", 0, 0);
    mechanism_clear(&f);
  }
}

/* u/v for u uniform on 0..1 and v on 1..2 is areas of triangles and trapezes; the quotient of two
 * Laplace samples is as often above 1 as below -1. */
static void quotients(void **state) {
  (void)state;
  static const struct {
    const char *body, *event;
    double value;
  } cases[] = {
      {"u <$ Uniform(0, 1); v <$ Uniform(1, 2); return u/v;", "..1/2", 0.75},
      {"u <$ Uniform(0, 1); v <$ Uniform(1, 2); return u/v;", "1/2..3/4", 5.0 / 24},
      {"u <$ Uniform(0, 1); v <$ Uniform(-2, -1); return 3 - 2*(u/v);", "4..9/2", 5.0 / 24},
      {"u <$ Uniform(0, 1); v <$ Uniform(1, 2); if u/v > 1/2 { return 1; } return u/v/2;", "1..",
       0.25},
      {"u <$ Uniform(0, 1); v <$ Uniform(1, 2); if u/v > 1/2 { return 1; } return u/v/2;", "..1/8",
       0.375},
      {"a <$ Lap(0, 1); b <$ Lap(0, 1); return a/b;", "1..", 0.25},
      {"a <$ Lap(0, 1); b <$ Lap(0, 1); return a/b;", "-1..0", 0.25},
      {"u <$ Uniform(0, 1); return 1/u;", "2..4", 0.25},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct mechanism f;
    load(&f, cases[i].body, "real", "0");
    expect(&f, cases[i].event, cases[i].value, 1e-20);
    mechanism_clear(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rounding_by_the_distribution_function),
      cmocka_unit_test(rounding_of_sums),
      cmocka_unit_test(remainders_by_enumeration),
      cmocka_unit_test(logarithms_are_exponential),
      cmocka_unit_test(a_sample_and_its_logarithm),
      cmocka_unit_test(irrational_shifts),
      cmocka_unit_test(quotients),
      cmocka_unit_test(waiting_times),
      cmocka_unit_test(endless_runs_have_no_output),
      cmocka_unit_test(gauss_holds_the_error_function),
      cmocka_unit_test(discrete_gauss_by_its_definition),
      cmocka_unit_test(frequencies),
  };
  return cmocka_run_group_tests_name("functions of samples", tests, NULL, NULL);
}
