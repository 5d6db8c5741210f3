/* Events against claims in other notions: formulas in doubles, and what must not be refuted. */
#include <math.h>

#include "check/counterexample/notion_test.h"
#include "testlib.h"

static double below(double x) {
  return erfc(-x / sqrt(2)) / 2;
}

static bool breaks(enum notion notion, double order, double cost, double p, double q) {
  struct notion_test t;
  arb_t x, y;
  notion_test_init(&t, notion);
  arb_init(x);
  arb_init(y);
  arb_set_d(x, p);
  arb_set_d(y, q);
  arb_set_d(t.order, order);
  arb_set_d(t.cost, cost);
  bool broken = notion_test_breaks(&t, x, y, 128);
  arb_clear(x);
  arb_clear(y);
  notion_test_clear(&t);
  return broken;
}

static double renyi(double a, double p, double q) {
  return log(pow(p, a) * pow(q, 1 - a) + pow(1 - p, a) * pow(1 - q, 1 - a)) / (a - 1);
}

/* The divergence of the event itself is the limit. */
static void renyi_limit(void **state) {
  (void)state;
  for (int i = 1; i < 20; i++)
    for (int j = 1; j < 20; j++) {
      double p = i / 20.0, q = j / 20.0;
      if (i == j) continue;
      for (double a = 1.5; a < 9; a *= 1.7) {
        double d = renyi(a, p, q);
        assert_true(breaks(NOTION_RENYI, a, d * (1 - 1e-9), p, q));
        assert_false(breaks(NOTION_RENYI, a, d * (1 + 1e-9), p, q));
        assert_false(
            breaks(NOTION_ZCDP, 0, fmax(fabs(log(p / q)), fabs(log((1 - p) / (1 - q)))), p, q));
      }
      double mu = fabs(2 * (p - q)) * 8; /* anything large enough */
      assert_false(breaks(NOTION_GAUSSIAN, 0, mu, p, q));
    }
}

/* Half-lines of a Gaussian mechanism break every smaller mu, and not the true one. */
static void gaussian_half_lines(void **state) {
  (void)state;
  for (double mu = 0.1; mu < 5; mu *= 1.5)
    for (double t = -6; t <= 6; t += 0.25) {
      double p = below(mu - t), q = below(-t);
      if (p > 0.9999) continue; /* a double does not hold the rest */
      assert_false(breaks(NOTION_GAUSSIAN, 0, mu * (1 + 1e-5), p, q));
      assert_false(breaks(NOTION_ZCDP, 0, mu * mu / 2 * (1 + 1e-5), p, q));
      assert_false(breaks(NOTION_RENYI, 2, mu * mu * (1 + 1e-5), p, q));
      if (p < 0.999 && p > 1e-9) assert_true(breaks(NOTION_GAUSSIAN, 0, mu * (1 - 1e-4), p, q));
    }
}

/* A second probability that is 0 breaks everything; equal ones break nothing. */
static void ends(void **state) {
  (void)state;
  assert_true(breaks(NOTION_RENYI, 2, 1000, 0.25, 0));
  assert_true(breaks(NOTION_ZCDP, 0, 1000, 0.25, 0));
  assert_false(breaks(NOTION_RENYI, 2, 0.001, 0.25, 0.25));
  assert_false(breaks(NOTION_ZCDP, 0, 0.001, 0.25, 0.25));
  assert_false(breaks(NOTION_GAUSSIAN, 0, 0.001, 0.25, 0.25));
  assert_false(breaks(NOTION_PURE, 0, 0, 1, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(renyi_limit),
      cmocka_unit_test(gaussian_half_lines),
      cmocka_unit_test(ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
