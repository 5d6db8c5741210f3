#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism.h"
#include "run/eval/number.h"

static void cannot(struct mechanism *f, const char *event, const char *reason) {
  struct exact_result r;
  mechanism_ask(f, event, 0, &r);
  if (r.status != EXACT_UNSUPPORTED || !strstr(r.why, reason))
    fail_msg("%s: status %d, %s", event, (int)r.status, r.why ? r.why : "");
  exact_result_clear(&r);
}

/* Up to the rounding of `value`. */
static void assert_holds(const arb_t ball, double value) {
  arb_t near;
  arb_init(near);
  arb_set_d(near, value);
  mag_set_d(arb_radref(near), fabs(value) * 1e-12);
  assert_true(arb_overlaps(ball, near));
  arb_clear(near);
}

/* Probability (or density) of the event; fails the test when the engine cannot tell. */
static double probability(struct mechanism *f, const char *event, unsigned *points) {
  struct exact_result r;
  mechanism_tell(f, event, 0, &r);
  assert_true(arb_rel_accuracy_bits(r.probability) > 60 || arb_contains_zero(r.probability));
  double value = arf_get_d(arb_midref(r.probability), ARF_RND_NEAR);
  if (points) *points = r.points;
  exact_result_clear(&r);
  return value;
}

static void assert_near(double actual, double expected) {
  if (!(fabs(actual - expected) <= 1e-12 * (1 + fabs(expected))))
    fail_msg("%.17g is not %.17g", actual, expected);
}

static double tail(double x, double b) { /* Pr[Lap(0, b) >= x] */
  return x >= 0 ? exp(-x / b) / 2 : 1 - exp(x / b) / 2;
}

#define HEADER "param eps : real, eps > 0; param n : int, n >= 0;\n"

static void one_laplace_sample(void **state) {
  (void)state;
  struct mechanism f;
  mechanism_load(&f, HEADER "mechanism m(private x : real) returns real adjacent within(x, 1) {\n"
                            "  y <$ Lap(x, 1/eps); return y; }\n"
                            "instance i { param eps = 1/2; param n = 0; input x = 3; }");
  unsigned points;
  assert_near(probability(&f, "5..", &points), tail(2, 2));
  assert_int_equal(points, 0);
  assert_near(probability(&f, "..5", NULL), 1 - tail(2, 2));
  assert_near(probability(&f, "0..5", NULL), 1 - tail(2, 2) - tail(3, 2));
  assert_near(probability(&f, "_", NULL), 1);
  assert_near(probability(&f, "4", &points), exp(-0.5) / 4);
  assert_int_equal(points, 1);
  mechanism_clear(&f);
}

static void thresholds_by_hand(void **state) {
  (void)state;
  /* t ~ Lap(0, 1), s ~ Lap(c, 1): Pr[s >= t] = 1 - e^-c (2 + c) / 4 for c >= 0. */
  struct mechanism f;
  mechanism_load(&f, HEADER "mechanism m(private x : real) returns bool adjacent within(x, 1) {\n"
                            "  t <$ Lap(0, 1/eps); s <$ Lap(x, 1/eps); return s >= t; }\n"
                            "instance i { param eps = 1; param n = 0; input x = 3/2; }");
  double c = 1.5;
  assert_near(probability(&f, "true", NULL), 1 - exp(-c) * (2 + c) / 4);
  assert_near(probability(&f, "false", NULL), exp(-c) * (2 + c) / 4);
  mechanism_clear(&f);
}

static const char noisy_max[] =
    HEADER "mechanism m(private q : real[n]) returns int adjacent all_within(q, 1) {\n"
           "  best := 0; winner := 0;\n"
           "  for i in 0..n {\n"
           "    s <$ Lap(q[i], 2/eps);\n"
           "    if i = 0 or s > best { best := s; winner := i; }\n"
           "  }\n"
           "  return winner; }\n";

static char *with_queries(const char *mechanism, const char *queries, unsigned n) {
  return xasprintf("%sinstance i { param eps = 1; param n = %u; input q = %s; }", mechanism, n,
                   queries);
}

static void noisy_max_is_symmetric_and_sums_to_one(void **state) {
  (void)state;
  struct mechanism f;
  char *text = with_queries(noisy_max, "[0, 0, 0, 0]", 4);
  mechanism_load(&f, text);
  for (int i = 0; i < 4; i++)
    assert_near(probability(&f, (char[]){(char)('0' + i), 0}, NULL), 0.25);
  mechanism_clear(&f);
  free(text);

  text = with_queries(noisy_max, "[1, 0, -1/2, 2, 0]", 5);
  mechanism_load(&f, text);
  struct exact_distribution d;
  exact_distribution_init(&d);
  exact_distribution(&f.in, &(struct exact_options){0}, &d);
  assert_int_equal(d.status, EXACT_OK);
  assert_int_equal(d.outcomes.len, 5);
  arb_t sum;
  arb_init(sum);
  for (size_t i = 0; i < d.outcomes.len; i++)
    arb_add(sum, sum, d.outcomes.at[i].probability, 192);
  assert_true(arb_contains_si(sum, 1));
  assert_true(arb_rel_accuracy_bits(sum) > 100);
  arb_clear(sum);
  exact_distribution_clear(&d);
  mechanism_clear(&f);
  free(text);
}

/* Two queries: Pr[0 wins] with difference c at scale b is the law of a difference of Laplaces. */
static void noisy_max_of_two_by_hand(void **state) {
  (void)state;
  struct mechanism f;
  char *text = with_queries(noisy_max, "[3, 0]", 2);
  mechanism_load(&f, text);
  double c = 3.0 / 2;
  assert_near(probability(&f, "0", NULL), 1 - exp(-c) * (2 + c) / 4);
  mechanism_clear(&f);
  free(text);
}

static const char svt[] =
    HEADER "mechanism m(private q : real[n]) emits bool adjacent all_within(q, 1) {\n"
           "  t <$ Lap(0, 2/eps); count := 0; i := 0;\n"
           "  while i < n and count < 1 {\n"
           "    s <$ Lap(q[i], 4/eps);\n"
           "    if s >= t { emit true; count := count + 1; } else { emit false; }\n"
           "    i := i + 1; } }\n";

/* Quadrature of the same event, written independently. */
static double svt_by_quadrature(const double *q, unsigned n, unsigned hit) {
  double sum = 0, h = 1.0 / 4096;
  for (long k = -60 * 4096; k <= 60 * 4096; k++) {
    double t = (double)k * h, p = exp(-fabs(t) / 2) / 4;
    for (unsigned i = 0; i < n && i <= hit; i++)
      p *= i == hit ? tail(t - q[i], 4) : 1 - tail(t - q[i], 4);
    sum += p * h;
  }
  return sum;
}

static void svt_agrees_with_quadrature(void **state) {
  (void)state;
  struct mechanism f;
  char *text = with_queries(svt, "[1, -1, 2]", 3);
  mechanism_load(&f, text);
  const double q[] = {1, -1, 2};
  const char *events[] = {"[true]", "[false, true]", "[false, false, true]",
                          "[false, false, false]"};
  double sum = 0;
  for (unsigned i = 0; i < 4; i++) {
    double p = probability(&f, events[i], NULL);
    sum += p;
    if (fabs(p - svt_by_quadrature(q, 3, i)) > 1e-7) fail_msg("event %s: %g", events[i], p);
  }
  assert_near(sum, 1);
  assert_near(probability(&f, "[false, ...]", NULL), 1 - probability(&f, "[true]", NULL));
  mechanism_clear(&f);
  free(text);
}

static void integer_noise_in_closed_form(void **state) {
  (void)state;
  struct mechanism f;
  mechanism_load(&f, HEADER "mechanism m(private x : int) returns bool adjacent within(x, 1) {\n"
                            "  t <$ DLap(0, 1/eps); s <$ DLap(x, 1/eps); return s > t; }\n"
                            "instance i { param eps = 1; param n = 0; input x = 0; }");
  /* Pr[s = t] = ((1-r)/(1+r))^2 (1 + r^2)/(1 - r^2), and > and < are equally likely. */
  double r = exp(-1), tie = pow((1 - r) / (1 + r), 2) * (1 + r * r) / (1 - r * r);
  assert_near(probability(&f, "true", NULL), (1 - tie) / 2);
  mechanism_clear(&f);
}

static void outputs_with_density_at_a_point(void **state) {
  (void)state;
  /* Emits a noisy value that was compared: s = o leaves the threshold below o. */
  struct mechanism f;
  mechanism_load(&f, HEADER "mechanism m(private x : real) emits real adjacent within(x, 1) {\n"
                            "  t <$ Lap(0, 2/eps); s <$ Lap(x, 1/eps);\n"
                            "  if s >= t { emit s; } else { emit 7; } }\n"
                            "instance i { param eps = 1; param n = 0; input x = 1; }");
  unsigned points;
  assert_near(probability(&f, "[2]", &points), exp(-1) / 2 * (1 - exp(-1) / 2));
  assert_int_equal(points, 1);
  /* 7 is also emitted with positive probability: the point is then nothing against it. */
  double atom = probability(&f, "[7]", &points);
  assert_int_equal(points, 0);
  assert_true(atom > 0.1 && atom < 0.5);
  mechanism_clear(&f);
}

static void irrational_thresholds(void **state) {
  (void)state;
  struct mechanism f;
  mechanism_load(&f, HEADER "mechanism m(private x : real) returns bool adjacent within(x, 1) {\n"
                            "  s <$ Lap(x, 1/eps); return s > ln(5) + 1; }\n"
                            "instance i { param eps = 1; param n = 0; input x = 1; }");
  assert_near(probability(&f, "true", NULL), 0.1);
  assert_near(probability(&f, "false", NULL), 0.9);
  mechanism_clear(&f);
}

static void load_choice(struct mechanism *f, const char *type, const char *body) {
  char *text =
      xasprintf(HEADER "mechanism m(private x : int) returns %s adjacent within(x, 1) {\n%s }\n"
                       "instance i { param eps = 1; param n = 0; input x = 0; }",
                type, body);
  mechanism_load(f, text);
  free(text);
}

/* One sample between irrational numbers: every branch has what lies between its ends, whichever of
 * them the program asks about first. */
static void several_irrational_thresholds(void **state) {
  (void)state;
  struct mechanism f;
  static const char *const bodies[] = {
      "if u <= exp(-2) { return 0; } else if u <= exp(-1) { return 1; } return 2;",
      "if u > exp(-1) { return 2; } if u > exp(-2) { return 1; } return 0;",
      "if u > exp(-2) and u <= exp(-1) { return 1; } if u > exp(-1) { return 2; } return 0;"};
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    char *body = xasprintf("u <$ Uniform(0, 1); %s", bodies[i]);
    load_choice(&f, "int", body);
    assert_near(probability(&f, "0", NULL), exp(-2));
    assert_near(probability(&f, "1", NULL), exp(-1) - exp(-2));
    assert_near(probability(&f, "2", NULL), 1 - exp(-1));
    mechanism_clear(&f);
    free(body);
  }
  load_choice(&f, "int",
              "z <$ UniformInt(0, 9); if z > exp(1) and z < exp(2) { return z mod 4; } return -1;");
  assert_near(probability(&f, "3", NULL), 0.2); /* 3 and 7 */
  assert_near(probability(&f, "2", NULL), 0.1); /* 6 */
  assert_near(probability(&f, "-1", NULL), 0.5);
  mechanism_clear(&f);
}

/* Several samples against irrational numbers. */
static void several_samples_and_irrational_thresholds(void **state) {
  (void)state;
  struct mechanism f;
  load_choice(&f, "int",
              "u <$ Lap(x, 1); v <$ Lap(0, 1); if u - v > ln(2) { return 1; }"
              "if v - u > ln(3) { return 2; } return 0;");
  assert_near(probability(&f, "1", NULL), (2 + log(2)) / 8); /* e^(-t) (2 + t)/4 */
  assert_near(probability(&f, "2", NULL), (2 + log(3)) / 12);
  assert_near(probability(&f, "0", NULL), 1 - (2 + log(2)) / 8 - (2 + log(3)) / 12);
  mechanism_clear(&f);
  load_choice(&f, "int",
              "u <$ Uniform(0, 1); v <$ Uniform(0, 1); if u + v < sqrt(2) { return 1; } return 0;");
  assert_near(probability(&f, "1", NULL), 1 - (2 - sqrt(2)) * (2 - sqrt(2)) / 2);
  mechanism_clear(&f);
  /* equality has no probability; nor has a side that is asked about again another answer */
  load_choice(&f, "int",
              "u <$ Lap(x, 1); v <$ Lap(0, 1); a := if u + v >= exp(1) then 1 else 0;"
              "b := if u + v > exp(1) then 1 else 0; return a + 2*b;");
  assert_near(probability(&f, "3", NULL), exp(-exp(1)) * (2 + exp(1)) / 4);
  assert_near(probability(&f, "1", NULL), 0);
  assert_near(probability(&f, "2", NULL), 0);
  mechanism_clear(&f);
}

/* A sample that is given out after it was compared with an irrational number. */
static void outputs_beyond_irrational_thresholds(void **state) {
  (void)state;
  struct mechanism f;
  unsigned points;
  load_choice(&f, "real", "y <$ Lap(x, 1); if y > ln(5) { return y; } return 0;");
  assert_near(probability(&f, "2", &points), exp(-2) / 2);
  assert_int_equal(points, 1);
  assert_near(probability(&f, "1", NULL), 0); /* below the bound */
  assert_near(probability(&f, "0", &points), 0.9);
  assert_int_equal(points, 0);
  assert_near(probability(&f, "1..2", NULL), 0.1 - exp(-2) / 2);
  mechanism_clear(&f);
}

static void finite_choices_and_procedures(void **state) {
  (void)state;
  struct mechanism f;
  mechanism_load(&f, HEADER "procedure flip(p : real, b : bool) : bool {\n"
                            "  keep <$ Bernoulli(p); return if keep then b else not b; }\n"
                            "mechanism m(private b : bool) returns (bool, int) adjacent true {\n"
                            "  a := flip(exp(eps)/(1+exp(eps)), b); u <$ UniformInt(1, 6);\n"
                            "  v <$ Uniform{0, 10}; return (a, u + v); }\n"
                            "instance i { param eps = 1; param n = 0; input b = true; }");
  double p = exp(1) / (1 + exp(1));
  assert_near(probability(&f, "(true, 13)", NULL), p / 12);
  assert_near(probability(&f, "(false, _)", NULL), 1 - p);
  assert_near(probability(&f, "(_, 12..)", NULL), 5.0 / 12);
  mechanism_clear(&f);
}

static void what_it_cannot_do_it_says(void **state) {
  (void)state;
  const char *bodies[] = {"s <$ Gauss(x, 1); t <$ Gauss(0, 1); u <$ Gauss(0, 1);"
                          " return s > t + u;",
                          "s <$ Gumbel(x, 1); t <$ Gumbel(0, 1); u <$ Lap(0, 1);"
                          " return s + t > u;",
                          "s <$ Uniform(1, 2); t <$ Gauss(0, s); return t > 1;",
                          "s <$ Lap(x, 1/eps); t <$ Lap(0, 1/eps); return s * t > 0;"};
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    struct mechanism f;
    char *text = xasprintf(HEADER "mechanism m(private x : real) returns bool adjacent within(x, 1)"
                                  " { %s }\n"
                                  "instance i { param eps = 1; param n = 0; input x = 0; }",
                           bodies[i]);
    mechanism_load(&f, text);
    struct pattern p;
    size_t at;
    char *why;
    assert_true(pattern_parse(&p, "true", &at, &why));
    struct exact_result r;
    exact_result_init(&r);
    exact_probability(&f.in, &p, &(struct exact_options){0}, &r);
    assert_int_equal(r.status, EXACT_UNSUPPORTED);
    assert_non_null(r.why);
    assert_int_equal(f.lang.diags.errors, 0);
    exact_result_clear(&r);
    pattern_clear(&p);
    mechanism_clear(&f);
    free(text);
  }
}

static void patterns_read_back(void **state) {
  (void)state;
  const char *good[] = {"_",    "true", "-3/2", "[1, 2..3, ..0, 4.., ...]", "([], (1, false))",
                        "[...]"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    struct pattern p;
    size_t at;
    char *why;
    assert_true(pattern_parse(&p, good[i], &at, &why));
    struct buffer b;
    buffer_init(&b);
    pattern_print(&b, &p);
    assert_string_equal(buffer_text(&b), good[i]);
    buffer_clear(&b);
    pattern_clear(&p);
  }
  const char *bad[] = {"", "[1", "(1)", "1 2", "..", "[..., 1]", "x", "1/0", "[1,,2]"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct pattern p;
    size_t at;
    char *why = NULL;
    assert_false(pattern_parse(&p, bad[i], &at, &why));
    assert_non_null(why);
    free(why);
  }
}

/* Numbers that a pattern may hold or not, between and at the ends of those below. */
static bool holds_number(const struct pattern *p, double x) {
  if (p->kind == PATTERN_VALUE) return number_to_double(&p->value) == x;
  return (!p->low.kind || number_to_double(&p->low) <= x) &&
         (!p->high.kind || x <= number_to_double(&p->high));
}

/* What is said to be disjoint has nothing in common, and closed sets that touch are not. */
static void disjoint_sets_of_numbers(void **state) {
  (void)state;
  static const char *const sets[] = {"0", "1", "..0", "0..", "1/2..1", "0..1/2", "..-1", "2.."};
  enum { SETS = sizeof sets / sizeof *sets };
  struct pattern p[SETS];
  for (size_t i = 0; i < SETS; i++) {
    size_t at;
    char *why;
    assert_true(pattern_parse(&p[i], sets[i], &at, &why));
  }
  for (size_t i = 0; i < SETS; i++)
    for (size_t j = 0; j < SETS; j++) {
      bool common = false;
      for (int x = -8; x <= 12; x++)
        common |= holds_number(&p[i], x / 4.0) && holds_number(&p[j], x / 4.0);
      if (pattern_disjoint(&p[i], &p[j]) == common) fail_msg("%s and %s", sets[i], sets[j]);
    }
  for (size_t i = 0; i < SETS; i++)
    pattern_clear(&p[i]);
}

/* The ball of a density holds its limits on all sides of the point; or the engine gives up. */
static void densities_at_jumps(void **state) {
  (void)state;
  struct mechanism f;
  mechanism_load(&f, HEADER
                 "mechanism m(private a : real) returns (real, bool) adjacent within(a, 1) {\n"
                 "  k <$ UniformInt(0, 3); x <$ Uniform(0, 4); return (x, k >= x); }\n"
                 "instance i { param eps = 1; param n = 0; input a = 0; }");
  struct exact_result r;
  mechanism_tell(&f, "(1, true)", 0, &r);
  assert_int_equal(r.points, 1);
  assert_holds(r.probability, 0.75 / 4); /* just below 1 */
  assert_holds(r.probability, 0.5 / 4);  /* just above */
  exact_result_clear(&r);
  mechanism_tell(&f, "(3/2, true)", 0, &r);
  assert_true(arb_rel_accuracy_bits(r.probability) > 60);
  assert_holds(r.probability, 0.5 / 4);
  exact_result_clear(&r);
  mechanism_clear(&f);

  /* Two jumps that hide one another on the line s + t = 0: 1 where both are positive, else 0. */
  mechanism_load(&f, HEADER "mechanism m(private a : real) emits real adjacent within(a, 1) {\n"
                            "  s <$ Exp(a, 1); t <$ Exp(0, 1); emit s + t; emit t; }\n"
                            "instance i { param eps = 1; param n = 0; input a = 0; }");
  cannot(&f, "[0, 0]", "several outputs fix the same sample");
  mechanism_clear(&f);

  /* an observed output is used again */
  mechanism_load(&f, HEADER "mechanism m(private a : real) emits real adjacent within(a, 1) {\n"
                            "  s <$ Lap(a, 1); emit s; if s > 0 { emit 1; } else { emit 0; }\n"
                            "  t <$ Lap(s, 1); if t > 0 { emit 1; } else { emit 0; } }\n"
                            "instance i { param eps = 1; param n = 0; input a = 0; }");
  cannot(&f, "[0, 1, ...]", "used again");
  mechanism_clear(&f);
  mechanism_load(&f, HEADER "mechanism m(private a : real) emits real adjacent within(a, 1) {\n"
                            "  s <$ Lap(a, 1); emit s;\n"
                            "  t <$ Lap(s, 1); if t > 0 { emit 1; } else { emit 0; } }\n"
                            "instance i { param eps = 1; param n = 0; input a = 0; }");
  assert_near(probability(&f, "[1, 1]", NULL), exp(-1) / 2 * (1 - exp(-1) / 2));
  assert_near(probability(&f, "[-1, 1]", NULL), exp(-1) / 2 * exp(-1) / 2);
  mechanism_clear(&f);
}

/* In (x, a[i]) := e the index is evaluated before anything is assigned. */
static void several_targets(void **state) {
  (void)state;
  struct mechanism f;
  mechanism_load(&f,
                 HEADER "mechanism m(private a : real) returns (int, int) adjacent within(a, 1) {\n"
                        "  var t : int[3]; i := 0; j := 0; c <$ Bernoulli(1/4);\n"
                        "  if c { (i, t[i]) := (2, 7); } else { (t[j], j) := (8, 1); }\n"
                        "  return (t[0], t[2]); }\n"
                        "instance i { param eps = 1; param n = 0; input a = 0; }");
  assert_near(probability(&f, "(7, 0)", NULL), 0.25);
  assert_near(probability(&f, "(8, 0)", NULL), 0.75);
  mechanism_clear(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patterns_read_back),
      cmocka_unit_test(disjoint_sets_of_numbers),
      cmocka_unit_test(one_laplace_sample),
      cmocka_unit_test(thresholds_by_hand),
      cmocka_unit_test(noisy_max_of_two_by_hand),
      cmocka_unit_test(noisy_max_is_symmetric_and_sums_to_one),
      cmocka_unit_test(svt_agrees_with_quadrature),
      cmocka_unit_test(integer_noise_in_closed_form),
      cmocka_unit_test(outputs_with_density_at_a_point),
      cmocka_unit_test(densities_at_jumps),
      cmocka_unit_test(several_targets),
      cmocka_unit_test(irrational_thresholds),
      cmocka_unit_test(several_irrational_thresholds),
      cmocka_unit_test(several_samples_and_irrational_thresholds),
      cmocka_unit_test(outputs_beyond_irrational_thresholds),
      cmocka_unit_test(finite_choices_and_procedures),
      cmocka_unit_test(what_it_cannot_do_it_says),
  };
  return cmocka_run_group_tests_name("exact", tests, NULL, NULL);
}
