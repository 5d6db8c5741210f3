/* Comparisons of Gaussian and Gumbel samples: closed forms, symmetry, sums over all outputs, and
 * independent integration in doubles over one and two variables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/exact/density_grid.h"
#include "mechanism.h"

static void probability(arb_t out, const char *text, const char *event, slong precision) {
  struct mechanism m;
  struct exact_result r;
  mechanism_load(&m, text);
  mechanism_tell(&m, event, precision, &r);
  arb_set(out, r.probability);
  exact_result_clear(&r);
  mechanism_clear(&m);
}

static void assert_value(const char *text, const char *event, double expected, double tolerance) {
  arb_t p;
  arb_init(p);
  probability(p, text, event, 96);
  double value = arf_get_d(arb_midref(p), ARF_RND_NEAR);
  if (!(mag_get_d(arb_radref(p)) < 1e-11) || !(fabs(value - expected) < tolerance))
    fail_msg("%s: %.17g +- %g is not %.17g", event, value, mag_get_d(arb_radref(p)), expected);
  arb_clear(p);
}

static double phi(double x) {
  return exp(-x * x / 2) / sqrt(2 * acos(-1));
}
static double below(double x) {
  return erfc(-x / sqrt(2)) / 2;
}

/* ---- closed forms ---------------------------------------------------------------------------- */

/* Pr[N(a, s) > c N(b, t)] = Phi((a - c b)/sqrt(s^2 + c^2 t^2)). */
static void two_gaussians(void **state) {
  (void)state;
  const double rows[][5] = {{0, 1, 0, 1, 1},
                            {1, 2, 0, 4, 1},
                            {0.3, 1, -0.7, 10, 1},
                            {2, 0.25, 1, 3, -1},
                            {1, 1, 2, 5, 2.5}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double *r = rows[i];
    char *text =
        xasprintf("mechanism m() returns bool {\n"
                  "  x <$ Gauss(%g, %g); y <$ Gauss(%g, %g); return x > %g*y; }\ninstance i {}",
                  r[0], r[1], r[2], r[3], r[4]);
    double exact = below((r[0] - r[4] * r[2]) / hypot(r[1], r[4] * r[3]));
    assert_value(text, "true", exact, 1e-13);
    assert_value(text, "false", 1 - exact, 1e-13);
    free(text);
  }
}

/* The largest of Gumbel samples: softmax. */
static void gumbel_maximum(void **state) {
  (void)state;
  const char *text = "mechanism m(q : real[4]) returns int {\n"
                     "  best := 0; winner := 0;\n"
                     "  for i in 0..4 {\n"
                     "    s <$ Gumbel(q[i], 3/2);\n"
                     "    if i = 0 or s > best { best := s; winner := i; }\n"
                     "  }\n"
                     "  return winner; }\n"
                     "instance i { input q = [0, 1, 5/3, -2]; }";
  const double q[] = {0, 1, 5.0 / 3, -2};
  double total = 0;
  for (int i = 0; i < 4; i++)
    total += exp(q[i] / 1.5);
  for (int i = 0; i < 4; i++) {
    char event[8];
    snprintf(event, sizeof event, "%d", i);
    assert_value(text, event, exp(q[i] / 1.5) / total, 1e-13);
  }
}

/* Every order of samples with the same law has the same probability: integrals inside integrals. */
static void orders_are_equal(void **state) {
  (void)state;
  for (int law = 0; law < 2; law++) {
    char *text = xasprintf("mechanism m() returns bool {\n"
                           "  a <$ %s(1/3, 2); b <$ %s(1/3, 2); c <$ %s(1/3, 2); d <$ %s(1/3, 2);\n"
                           "  return a < b and b < c and c < d; }\ninstance i {}",
                           law ? "Gumbel" : "Gauss", law ? "Gumbel" : "Gauss",
                           law ? "Gumbel" : "Gauss", law ? "Gumbel" : "Gauss");
    assert_value(text, "true", 1.0 / 24, 1e-13);
    free(text);
  }
}

/* ---- other integrals --------------------------------------------------------------------------- */

enum { STEPS = 4000 };

/* Simpson's rule. */
static double integrate(double (*f)(double x, const double *context), const double *context,
                        double low, double high, int steps) {
  double sum = 0, h = (high - low) / steps;
  for (int i = 0; i <= steps; i++)
    sum += f(low + i * h, context) * (i == 0 || i == steps ? 1 : i % 2 ? 4 : 2);
  return sum * h / 3;
}

/* Threshold t ~ N(0, 4), two queries around c[0], c[1] with deviation 8: below, then above. */
static double sparse_vector(double t, const double *c) {
  return phi(t / 4) / 4 * below((t - c[0]) / 8) * (1 - below((t - c[1]) / 8));
}

static void sparse_vector_by_simpson(void **state) {
  (void)state;
  const char *text = "mechanism m(q : real[2]) emits bool {\n"
                     "  t <$ Gauss(0, 4);\n"
                     "  for i in 0..2 { s <$ Gauss(q[i], 8); emit s >= t; } }\n"
                     "instance i { input q = [3/10, -1]; }";
  const double c[] = {0.3, -1};
  assert_value(text, "[false, true]", integrate(sparse_vector, c, -60, 60, STEPS), 1e-11);
}

/* l ~ N(0, 2) < all of two queries around c[2], c[3], deviation 1 < u ~ N(1, 2): both thresholds are
 * compared with both queries. The inner integral is over u, at l = c[0]. */
static double inner(double u, const double *c) {
  double factor = u > c[0] ? phi((u - 1) / 2) / 2 : 0;
  for (int k = 2; k < 4; k++)
    factor *= below(u - c[k]) - below(c[0] - c[k]);
  return factor;
}
static double outer(double l, const double *c) {
  const double at[] = {l, 0, c[2], c[3]};
  return phi(l / 2) / 2 * integrate(inner, at, l, l + 40, 800);
}

static void range_by_two_integrals(void **state) {
  (void)state;
  const char *text = "mechanism m(q : real[2]) emits bool {\n"
                     "  l <$ Gauss(0, 2); u <$ Gauss(1, 2);\n"
                     "  for i in 0..2 { s <$ Gauss(q[i], 1); emit s >= l and s < u; } }\n"
                     "instance i { input q = [1/2, -1/4]; }";
  const double c[] = {0, 0, 0.5, -0.25};
  assert_value(text, "[true, true]", integrate(outer, c, -20, 20, 800), 1e-8);
}

/* Laplace threshold, Gaussian query, restricted before and after they meet. */
static double mixed(double g, const double *c) {
  double x = (g - c[0]) / 2, lap = x < 0 ? exp(x) / 2 : 1 - exp(-x) / 2;
  return phi((g - c[1]) / 3) / 3 * lap;
}

static void laplace_meets_gauss(void **state) {
  (void)state;
  const char *text = "mechanism m() returns int {\n"
                     "  t <$ Lap(1/3, 2); g <$ Gauss(1/2, 3);\n"
                     "  if g < -1 { return 0; }\n"
                     "  if g <= t { return 1; }\n"
                     "  if g > 7/3 { return 2; }\n"
                     "  return 3; }\ninstance i {}";
  const double c[] = {1.0 / 3, 0.5};
  double high = integrate(mixed, c, 7.0 / 3, 40, STEPS),
         middle =
             integrate(mixed, c, -1, 1.0 / 3, STEPS) + integrate(mixed, c, 1.0 / 3, 7.0 / 3, STEPS);
  assert_value(text, "0", below(-0.5), 1e-13);
  assert_value(text, "2", high, 1e-11);
  assert_value(text, "3", middle, 1e-11);
  assert_value(text, "1", 1 - below(-0.5) - high - middle, 1e-11);
}

/* ---- laws of the engine -------------------------------------------------------------------------- */

/* All outputs together have mass 1, and more precision stays inside. */
static void totals_and_precision(void **state) {
  (void)state;
  const char *text = "mechanism m(q : real[3]) emits bool {\n"
                     "  low <$ Gauss(q[0], 3); high := low;\n"
                     "  x <$ Gauss(q[1], 3);\n"
                     "  if x > high { high := x; } else { low := x; }\n"
                     "  y <$ Gumbel(q[2], 2);\n"
                     "  emit y >= low; emit y <= high; }\n"
                     "instance i { input q = [0, 1/7, -1]; }";
  const char *events[] = {"[true, true]", "[true, false]", "[false, true]", "[false, false]"};
  arb_t p, fine, total;
  arb_init(p);
  arb_init(fine);
  arb_init(total);
  for (int i = 0; i < 4; i++) {
    probability(p, text, events[i], 64);
    probability(fine, text, events[i], 160);
    assert_true(arb_overlaps(p, fine));
    assert_true(mag_cmp(arb_radref(fine), arb_radref(p)) < 0 || arb_is_zero(fine));
    arb_add(total, total, fine, 160);
  }
  assert_true(arb_contains_si(total, 1));
  assert_true(mag_get_d(arb_radref(total)) < 1e-18);
  arb_clear(p);
  arb_clear(fine);
  arb_clear(total);
}

/* Where closed forms exist, the grid agrees with them: Laplace, exponential and uniform noise. */
static void grids_agree_with_closed_forms(void **state) {
  (void)state;
  struct sampler *sampler = sampler_new(96);
  fmpq_t zero, rate;
  fmpq_init(zero);
  fmpq_init(rate);
  for (slong i = 0; i < 27; i++) {
    struct density stay, s, grid;
    struct density_bound bounds[2];
    arb_t exact, value;
    arb_init(exact);
    arb_init(value);
    density_init_continuous(&stay);
    density_init_continuous(&s);
    density_init_continuous(&grid);
    fmpq_set_si(rate, 1 + i % 3, 2);
    piecewise_set_laplace(&stay.f, zero, rate, 96);
    fmpq_set_si(rate, 3 - i / 3 % 3, 3);
    (i / 9 == 0   ? piecewise_set_laplace
     : i / 9 == 1 ? piecewise_set_exponential
                  : piecewise_set_uniform)(&s.f, zero, rate, 96);
    for (int b = 0; b < 2; b++) {
      bounds[b].is_lower = b == 0;
      fmpq_init(bounds[b].slope);
      fmpq_init(bounds[b].offset);
      fmpq_set_si(bounds[b].slope, b || i % 2 ? 1 : -2, 1 + (ulong)b);
      fmpq_set_si(bounds[b].offset, i - 9 + 8 * b, 7);
    }
    density_set(&grid, &stay);
    density_set_grid(&grid, density_to_grid(&stay, sampler), sampler);
    size_t count = 1 + (size_t)i % 2;
    assert_true(density_absorb(&stay, &s, bounds, count, 96));
    assert_true(density_absorb(&grid, &s, bounds, count, 96));
    density_total(exact, &stay, 96);
    density_total(value, &grid, 96);
    assert_true(arb_overlaps(exact, value));
    assert_true(mag_get_d(arb_radref(value)) < 1e-12);
    density_clear(&stay);
    density_clear(&s);
    density_clear(&grid);
    for (int b = 0; b < 2; b++) {
      fmpq_clear(bounds[b].slope);
      fmpq_clear(bounds[b].offset);
    }
    arb_clear(exact);
    arb_clear(value);
  }
  fmpq_clear(zero);
  fmpq_clear(rate);
  sampler_unref(sampler);
}

/* What was cut off must not be called impossible. */
static void far_ends_are_possible(void **state) {
  (void)state;
  const char *text = "mechanism m() returns int {\n"
                     "  x <$ Gauss(0, 1); y <$ Gauss(0, 1);\n"
                     "  if y > x { return 0; }\n"
                     "  if x > 50 { return 100; }\n"
                     "  return 2 + floor(x/10); }\ninstance i {}";
  arb_t p;
  arb_init(p);
  probability(p, text, "100", 64);
  assert_false(arb_is_zero(p));
  assert_true(arf_get_d(arb_midref(p), ARF_RND_NEAR) < 1e-15);
  probability(p, text, "6", 64); /* 40 <= x < 50 */
  assert_false(arb_is_zero(p));
  arb_clear(p);
  assert_value(text, "2", 3.0 / 8, 1e-13); /* Pr[x >= 0, y <= x], but for x >= 10 */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_gaussians),          cmocka_unit_test(gumbel_maximum),
      cmocka_unit_test(orders_are_equal),       cmocka_unit_test(sparse_vector_by_simpson),
      cmocka_unit_test(range_by_two_integrals), cmocka_unit_test(laplace_meets_gauss),
      cmocka_unit_test(totals_and_precision),   cmocka_unit_test(grids_agree_with_closed_forms),
      cmocka_unit_test(far_ends_are_possible),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
