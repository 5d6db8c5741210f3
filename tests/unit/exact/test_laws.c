/* Laws that the exact engine must obey, and closed forms it must meet. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism.h"
#include "num/real/order_integral.h"

enum { PRECISION = 192 };

/* Probability of an event of the mechanism in the text. */
static void probability(arb_t out, const char *text, const char *event) {
  struct mechanism m;
  struct exact_result r;
  mechanism_load(&m, text);
  mechanism_tell(&m, event, PRECISION, &r);
  assert_int_equal(r.points, 0);
  arb_set(out, r.probability);
  exact_result_clear(&r);
  mechanism_clear(&m);
}

/* The balls meet, and both are narrow: the numbers are equal as far as anyone can tell. */
static void assert_same(const arb_t a, const arb_t b) {
  assert_true(arb_overlaps(a, b));
  assert_true(arb_rel_accuracy_bits(a) > 100 && arb_rel_accuracy_bits(b) > 100);
}

/* ---- mechanisms ----------------------------------------------------------------------------- */

static const char noisy_max[] = "param n : int, n >= 1;\n"
                                "mechanism m(q : real[n], T : real) returns int {\n"
                                "  best := T; winner := 0;\n"
                                "  for i in 0..n {\n"
                                "    s <$ %s(q[i] + T, 2);\n"
                                "    if i = 0 or s > best { best := s; winner := i; }\n"
                                "  }\n"
                                "  return winner; }\n";
static const char svt[] = "param n : int, n >= 1;\n"
                          "mechanism m(q : real[n], T : real) emits bool {\n"
                          "  t <$ %s(T, 2);\n"
                          "  for i in 0..n {\n"
                          "    s <$ Lap(q[i] + T, 4); emit s >= t;\n"
                          "  } }\n";
static const char range[] = "param n : int, n >= 1;\n"
                            "mechanism m(q : real[n], T : real) emits bool {\n"
                            "  low <$ %s(T - 2, 1); high <$ Exp(T + 1, 1);\n"
                            "  s <$ Lap(q[0] + T, 4); emit s >= low and s < high;\n"
                            "}\n";

/* The mechanism with its noise (Lap, Exp, ...), n queries and the shift T that everything gets. */
static char *instance(const char *mechanism, const char *noise, const double *q, size_t n,
                      const char *shift) {
  struct buffer b;
  buffer_init(&b);
  buffer_printf(&b, mechanism, noise);
  buffer_printf(&b, "instance i { param n = %zu; input T = %s; input q = [", n, shift);
  for (size_t i = 0; i < n; i++)
    buffer_printf(&b, "%s%g", i ? ", " : "", q[i]);
  buffer_puts(&b, "]; }");
  return buffer_take(&b);
}

/* ---- closed forms --------------------------------------------------------------------------- */

static double laplace_density(double x, double b) {
  return exp(-fabs(x) / b) / (2 * b);
}
static double laplace_below(double x, double b) {
  return x < 0 ? exp(x / b) / 2 : 1 - exp(-x / b) / 2;
}

/* Composite Simpson rule between the centres, where the integrand is smooth. */
static double wins(const double *q, size_t n, size_t winner) {
  double ends[8], total = 0;
  for (size_t i = 0; i < n; i++)
    ends[i] = q[i];
  ends[n] = -90;
  ends[n + 1] = 90;
  for (size_t i = 0; i < n + 2; i++) /* a few numbers: bubble sort */
    for (size_t j = 0; j + 1 < n + 2; j++)
      if (ends[j] > ends[j + 1]) {
        double swap = ends[j];
        ends[j] = ends[j + 1];
        ends[j + 1] = swap;
      }
  enum { STEPS = 4000 };
  for (size_t piece = 0; piece + 1 < n + 2; piece++) {
    double a = ends[piece], h = (ends[piece + 1] - a) / STEPS;
    for (int k = 0; h > 0 && k <= STEPS; k++) {
      double x = a + k * h, f = laplace_density(x - q[winner], 2);
      for (size_t j = 0; j < n; j++)
        if (j != winner) f *= laplace_below(x - q[j], 2);
      total += f * h / 3 * (k == 0 || k == STEPS ? 1 : k % 2 ? 4 : 2);
    }
  }
  return total;
}

static void noisy_max_by_quadrature(void **state) {
  (void)state;
  static const double q[] = {0.5, -1, 2, 0.5, 1.25};
  arb_t p;
  arb_init(p);
  for (size_t n = 2; n <= 5; n++) {
    char *text = instance(noisy_max, "Lap", q, n, "0");
    for (size_t i = 0; i < n; i++) {
      probability(p, text, (char[]){(char)('0' + i), 0});
      double value = arf_get_d(arb_midref(p), ARF_RND_NEAR), expected = wins(q, n, i);
      if (!(fabs(value - expected) < 1e-9))
        fail_msg("%zu of %zu: %.12g %.12g", i, n, value, expected);
    }
    free(text);
  }
  arb_clear(p);
}

/* low = -2 + Lap(1), high = 1 + Exp(1), s = q + Lap(4), all independent given s:
 * Pr = integral of f(s) Pr[low <= s] Pr[high > s]. */
static void range_query_by_quadrature(void **state) {
  (void)state;
  static const double q[] = {0.5};
  double total = 0;
  static const double ends[] = {-90, -2, 0.5, 1, 90};
  for (size_t piece = 0; piece < 4; piece++) {
    enum { STEPS = 20000 };
    double a = ends[piece], h = (ends[piece + 1] - a) / STEPS;
    for (int k = 0; k <= STEPS; k++) {
      double s = a + k * h, f = laplace_density(s - q[0], 4) * laplace_below(s + 2, 1);
      f *= s <= 1 ? 1 : exp(1 - s);
      total += f * h / 3 * (k == 0 || k == STEPS ? 1 : k % 2 ? 4 : 2);
    }
  }
  arb_t p;
  arb_init(p);
  char *text = instance(range, "Lap", q, 1, "0");
  probability(p, text, "[true]");
  assert_true(fabs(arf_get_d(arb_midref(p), ARF_RND_NEAR) - total) < 1e-9);
  free(text);
  arb_clear(p);
}

/* Integer samples tie: two geometric samples with ratio r are equal with probability
 * (1-r)/(1+r), and discrete Laplace ones with the square of that norm times the sum of r^2|k|. */
static void ties_of_integers(void **state) {
  (void)state;
  double r = exp(-0.5);
  const struct {
    const char *noise, *order;
    double expected;
  } cases[] = {
      {"Geom", "=", (1 - r) / (1 + r)},
      {"Geom", ">", r / (1 + r)},
      {"Geom", ">=", 1 / (1 + r)},
      {"DLap", "=", pow((1 - r) / (1 + r), 2) * (1 + r * r) / (1 - r * r)},
      {"DLap", "!=", 1 - pow((1 - r) / (1 + r), 2) * (1 + r * r) / (1 - r * r)},
      {"DLap", ">", (1 - pow((1 - r) / (1 + r), 2) * (1 + r * r) / (1 - r * r)) / 2},
  };
  arb_t p;
  arb_init(p);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int halved = 0; halved < 2; halved++) { /* the same comparison with rational factors */
      char *text = xasprintf("mechanism m(x : int) returns bool {\n"
                             "  a <$ %s(x, 2); b <$ %s(x, 2); return a%s %s b%s; }\n"
                             "instance i { input x = 3; }",
                             cases[i].noise, cases[i].noise, halved ? "*2/3 - 1/5" : "",
                             cases[i].order, halved ? "*2/3 - 1/5" : "");
      probability(p, text, "true");
      double value = arf_get_d(arb_midref(p), ARF_RND_NEAR);
      if (!(fabs(value - cases[i].expected) < 1e-12))
        fail_msg("%s %s: %.15g", cases[i].noise, cases[i].order, value);
      free(text);
    }
  arb_clear(p);
}

/* ---- laws ----------------------------------------------------------------------------------- */

static void shifting_everything_changes_nothing(void **state) {
  (void)state;
  static const double q[] = {1, -0.5, 0, 3};
  static const char *const noises[] = {"Lap", "Exp"};
  arb_t a, b;
  arb_init(a);
  arb_init(b);
  for (size_t k = 0; k < 2; k++) {
    const struct {
      const char *mechanism, *event;
      size_t n;
    } cases[] = {{noisy_max, "3", 4}, {svt, "[false, true, false]", 3}, {range, "[true]", 1}};
    for (size_t c = 0; c < 3; c++) {
      char *here = instance(cases[c].mechanism, noises[k], q, cases[c].n, "0"),
           *there = instance(cases[c].mechanism, noises[k], q, cases[c].n, "-17/3");
      probability(a, here, cases[c].event);
      probability(b, there, cases[c].event);
      assert_same(a, b);
      free(here);
      free(there);
    }
  }
  arb_clear(a);
  arb_clear(b);
}

/* Queries in another order: the events move along. */
static void relabelling(void **state) {
  (void)state;
  static const double q[] = {1, -0.5, 0, 3};
  static const size_t moved[] = {2, 0, 3, 1}; /* query i becomes query moved[i] */
  double r[4];
  for (size_t i = 0; i < 4; i++)
    r[moved[i]] = q[i];
  arb_t a, b;
  arb_init(a);
  arb_init(b);
  char *here = instance(noisy_max, "Exp", q, 4, "0"),
       *there = instance(noisy_max, "Exp", r, 4, "0");
  for (size_t i = 0; i < 4; i++) {
    probability(a, here, (char[]){(char)('0' + i), 0});
    probability(b, there, (char[]){(char)('0' + moved[i]), 0});
    assert_same(a, b);
  }
  free(here);
  free(there);
  here = instance(svt, "Lap", q, 4, "1");
  there = instance(svt, "Lap", r, 4, "1");
  probability(a, here, "[true, false, false, true]");
  probability(b, there, "[false, true, true, false]");
  assert_same(a, b);
  free(here);
  free(there);
  arb_clear(a);
  arb_clear(b);
}

/* The parts of an event add up to it; all outputs add up to 1. */
static void parts_add_up(void **state) {
  (void)state;
  static const char mixed[] =
      "mechanism m(x : real) emits real returns bool {\n"
      "  t <$ Lap(x, 2); s <$ Exp(0, 3); k <$ DLap(1, 1); c <$ Bernoulli(1/3);\n"
      "  if c { emit s - t; } else { emit 2*s + 1; }\n"
      "  if k > 2 { emit t; }\n"
      "  return s >= t; }\n"
      "instance i { input x = 1/2; }";
  static const char *const splits[][4] = {
      {"_", "(_, true)", "(_, false)", NULL},
      {"_", "([_], _)", "([_, ...], true)", "([_, ...], false)"},
      {"([..5/2, ...], true)", "([..-1, ...], true)", "([-1..2, ...], true)",
       "([2..5/2, ...], true)"},
      {"([0..3, _], _)", "([0..1, _], _)", "([1..3, ..1/2], _)", "([1..3, 1/2..], _)"},
  };
  arb_t whole, sum, part;
  arb_init(whole);
  arb_init(sum);
  arb_init(part);
  for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
    probability(whole, mixed, splits[i][0]);
    arb_zero(sum);
    for (size_t j = 1; j < 4 && splits[i][j]; j++) {
      probability(part, mixed, splits[i][j]);
      arb_add(sum, sum, part, PRECISION);
    }
    if (i == 1) { /* the first two overlap: the stream of one item was counted twice */
      probability(part, mixed, "([_], _)");
      arb_sub(sum, sum, part, PRECISION);
    }
    assert_same(whole, sum);
    if (i == 0) assert_true(arb_contains_si(sum, 1));
  }
  arb_clear(whole);
  arb_clear(sum);
  arb_clear(part);
}

/* ---- cycles -----------------------------------------------------------------------------------
 */

enum { QUERIES = 3 };

/* Pr[low < s_i < high for every i in the set], by another method (num/real/order_integral.h). */
static void all_inside(arb_t out, const int *q, unsigned set) {
  struct order_problem problem;
  fmpq_t a, b;
  fmpq_init(a);
  fmpq_init(b);
  order_problem_init(&problem);
  fmpq_set_si(a, -1, 1);
  fmpq_set_si(b, 1, 2);
  uint32_t low = order_problem_sample(&problem, ORDER_LAPLACE, a, b);
  fmpq_set_si(a, 1, 2);
  fmpq_set_si(b, 1, 3);
  uint32_t high = order_problem_sample(&problem, ORDER_EXPONENTIAL, a, b);
  for (unsigned i = 0; i < QUERIES; i++) {
    if (!(set >> i & 1)) continue;
    fmpq_set_si(a, q[i], 1);
    fmpq_set_si(b, 1, 4);
    uint32_t s = order_problem_sample(&problem, ORDER_LAPLACE, a, b);
    order_problem_less(&problem, low, s);
    order_problem_less(&problem, s, high);
  }
  assert_int_equal(order_integral(out, &problem, NULL, PRECISION), ORDER_OK);
  order_problem_clear(&problem);
  fmpq_clear(a);
  fmpq_clear(b);
}

/* Inside exactly for the set: inclusion and exclusion over what may also be inside. */
static void exactly_inside(arb_t out, const int *q, unsigned set) {
  arb_t part;
  arb_init(part);
  arb_zero(out);
  for (unsigned more = 0; more < 1 << QUERIES; more++) {
    if (more & set) continue;
    all_inside(part, q, set | more);
    if (__builtin_popcount(more) % 2)
      arb_sub(out, out, part, PRECISION);
    else
      arb_add(out, out, part, PRECISION);
  }
  arb_clear(part);
}

/* Every query is compared with both thresholds, so that the comparisons form cycles. */
static void between_two_thresholds(void **state) {
  (void)state;
  static const char text[] = "mechanism m(q : real[3]) emits bool {\n"
                             "  low <$ Lap(-1, 2); high <$ Exp(1/2, 3);\n"
                             "  for i in 0..3 {\n"
                             "    s <$ Lap(q[i], 4); emit s >= low and s < high;\n"
                             "  } }\n"
                             "instance i { input q = [%d, %d, %d]; }";
  static const int inputs[][QUERIES] = {{0, 0, 0}, {1, -2, 3}, {0, 5, 5}};
  arb_t expected, actual, sum;
  arb_init(expected);
  arb_init(actual);
  arb_init(sum);
  for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++) {
    char *m = xasprintf(text, inputs[k][0], inputs[k][1], inputs[k][2]);
    arb_zero(sum);
    for (unsigned set = 0; set < 1 << QUERIES; set++) {
      char *event = xasprintf("[%s, %s, %s]", set & 1 ? "true" : "false",
                              set & 2 ? "true" : "false", set & 4 ? "true" : "false");
      probability(actual, m, event);
      exactly_inside(expected, inputs[k], set);
      assert_same(actual, expected);
      arb_add(sum, sum, actual, PRECISION);
      free(event);
    }
    assert_true(arb_contains_si(sum, 1));
    free(m);
  }
  arb_clear(expected);
  arb_clear(actual);
  arb_clear(sum);
}

/* The same with integers throughout, where ties count: against all values of the thresholds. */
static void between_two_integer_thresholds(void **state) {
  (void)state;
  static const char text[] = "mechanism m(x : int) emits bool {\n"
                             "  low <$ UniformInt(-2, 1); high <$ UniformInt(-1, 2);\n"
                             "  a <$ UniformInt(-3, 3); emit a >= low and a < high;\n"
                             "  b <$ UniformInt(-3, 4); emit low <= b and b <= high;\n"
                             "  c <$ UniformInt(0, 2); emit not (c > low or c > high);\n"
                             "}\ninstance i { input x = 0; }";
  for (unsigned set = 0; set < 8; set++) {
    slong hits = 0;
    for (int low = -2; low <= 1; low++)
      for (int high = -1; high <= 2; high++)
        for (int a = -3; a <= 3; a++)
          for (int b = -3; b <= 4; b++)
            for (int c = 0; c <= 2; c++) {
              unsigned seen = (unsigned)(a >= low && a < high) |
                              (unsigned)(low <= b && b <= high) << 1 |
                              (unsigned)!(c > low || c > high) << 2;
              hits += seen == set;
            }
    char *event = xasprintf("[%s, %s, %s]", set & 1 ? "true" : "false", set & 2 ? "true" : "false",
                            set & 4 ? "true" : "false");
    arb_t actual;
    fmpq_t expected;
    arb_init(actual);
    fmpq_init(expected);
    probability(actual, text, event);
    fmpq_set_si(expected, hits, 4 * 4 * 7 * 8 * 3);
    assert_true(arb_contains_fmpq(actual, expected));
    arb_clear(actual);
    fmpq_clear(expected);
    free(event);
  }
}

/* Comparisons of sums: the volume of a simplex, and S = Lap(1, 1) + Lap(0, 2) - Lap(0, 3/2), whose
 * tail is a sum of exponentials with partial fractions as weights. */
static void sums_of_samples(void **state) {
  (void)state;
  static const char text[] = "mechanism m(x : int) returns bool {\n"
                             "  y <$ %s; z <$ %s; w <$ %s; return %s; }\n"
                             "instance i { input x = 0; }";
  double tail = 0;
  static const double scales[] = {1, 2, 1.5};
  for (int i = 0; i < 3; i++) {
    double weight = 0.5;
    for (int j = 0; j < 3; j++)
      if (j != i) weight *= scales[i] * scales[i] / (scales[i] * scales[i] - scales[j] * scales[j]);
    tail += weight * exp(-1 / scales[i]);
  }
  const struct {
    const char *y, *z, *w, *condition;
    double expected;
  } cases[] = {
      {"Uniform(0, 1)", "Uniform(0, 1)", "Uniform(0, 1)", "y + z <= w", 1.0 / 6},
      {"Uniform(0, 1)", "Uniform(0, 1)", "Uniform(0, 1)", "y + z + w <= 1/2", 1.0 / 48},
      {"Uniform(0, 1)", "Uniform(0, 1)", "Uniform(0, 1)", "y + z + w <= 3/2", 0.5},
      {"Lap(1, 1)", "Lap(0, 2)", "Lap(0, 3/2)", "y + z > w", 1 - tail},
      {"Lap(0, 1)", "Lap(0, 2)", "Lap(0, 3/2)", "y + z - w > 1", tail},
      {"Exp(0, 1)", "Exp(0, 1)", "Exp(0, 1)", "y + z > w", 0.75},
      {"Lap(0, 1)", "Lap(0, 1)", "Lap(0, 1)", "y + z > w and y - z > w and y > z", 15.0 / 64},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arb_t actual;
    arb_init(actual);
    char *m = xasprintf(text, cases[i].y, cases[i].z, cases[i].w, cases[i].condition);
    probability(actual, m, "true");
    double value = arf_get_d(arb_midref(actual), ARF_RND_NEAR);
    if (!(fabs(value - cases[i].expected) < 1e-14) || arb_rel_accuracy_bits(actual) < 100)
      fail_msg("%.17g is not %.17g:\n%s", value, cases[i].expected, m);
    free(m);
    arb_clear(actual);
  }
}

static double discrete_from(int k, int centre, double b) { /* Pr[DLap(centre, b) >= k] */
  double r = exp(-1 / b);
  int m = k - centre;
  return m > 0 ? pow(r, m) / (1 + r) : 1 - pow(r, 1 - m) / (1 + r);
}

/* A real threshold among integer queries: between two integers nothing changes. */
static void integers_against_a_real_threshold(void **state) {
  (void)state;
  static const char text[] = "mechanism m(q : int[4]) emits bool {\n"
                             "  t <$ Lap(1/2, 2);\n"
                             "  for i in 0..4 { s <$ DLap(q[i], 3/2); emit s >= t; } }\n"
                             "instance i { input q = [0, 1, -2, 1]; }";
  static const int q[] = {0, 1, -2, 1};
  static const bool above[] = {true, false, true, true};
  double expected = 0;
  for (int k = -80; k <= 80; k++) { /* t in (k - 1, k] */
    double part = laplace_below(k - 0.5, 2) - laplace_below(k - 1.5, 2);
    for (int i = 0; i < 4; i++)
      part *= above[i] ? discrete_from(k, q[i], 1.5) : 1 - discrete_from(k, q[i], 1.5);
    expected += part;
  }
  arb_t actual;
  arb_init(actual);
  probability(actual, text, "[true, false, true, true]");
  double value = arf_get_d(arb_midref(actual), ARF_RND_NEAR);
  if (!(fabs(value - expected) < 1e-13)) fail_msg("%.17g is not %.17g", value, expected);
  arb_clear(actual);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(noisy_max_by_quadrature),
      cmocka_unit_test(range_query_by_quadrature),
      cmocka_unit_test(ties_of_integers),
      cmocka_unit_test(shifting_everything_changes_nothing),
      cmocka_unit_test(relabelling),
      cmocka_unit_test(parts_add_up),
      cmocka_unit_test(between_two_thresholds),
      cmocka_unit_test(between_two_integer_thresholds),
      cmocka_unit_test(sums_of_samples),
      cmocka_unit_test(integers_against_a_real_threshold),
  };
  return cmocka_run_group_tests_name("laws", tests, NULL, NULL);
}
