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
  bool broken = notion_test_breaks(&t, x, y, 1, 128);
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

static bool breaks_cells(enum notion notion, double order, double cost, const double *p,
                         const double *q, size_t count) {
  struct notion_test t;
  notion_test_init(&t, notion);
  arb_ptr x = _arb_vec_init((slong)count), y = _arb_vec_init((slong)count);
  for (size_t i = 0; i < count; i++) {
    arb_set_d(&x[i], p[i]);
    arb_set_d(&y[i], q[i]);
  }
  arb_set_d(t.order, order);
  arb_set_d(t.cost, cost);
  bool broken = notion_test_breaks(&t, x, y, count, 128);
  _arb_vec_clear(x, (slong)count);
  _arb_vec_clear(y, (slong)count);
  notion_test_clear(&t);
  return broken;
}

/* Random distributions over n outputs of which all but one are told apart, and now and then fewer: the
 * limit is the divergence if the rest is one output, and never above it. */
static void cells(void **state) {
  (void)state;
  enum { MOST = 6 };
  for (unsigned round = 0; round < 300; round++) {
    size_t n = 2 + round % (MOST - 1);
    double p[MOST], q[MOST], all[2] = {0, 0}, sum = 0, a = 1.25 + round % 7;
    for (size_t i = 0; i < n; i++) {
      all[0] += p[i] = 1 + (round * 31 + i * 17) % 29;
      all[1] += q[i] = 1 + (round * 13 + i * i * 23) % 31;
    }
    for (size_t i = 0; i < n; i++) {
      p[i] /= all[0];
      q[i] /= all[1];
      sum += pow(p[i], a) * pow(q[i], 1 - a);
    }
    double d = log(sum) / (a - 1);
    if (d < 1e-3) continue;
    assert_true(breaks_cells(NOTION_RENYI, a, d * (1 - 1e-9), p, q, n - 1));
    assert_false(breaks_cells(NOTION_RENYI, a, d * (1 + 1e-9), p, q, n - 1));
    for (size_t k = 1; k + 1 < n; k++)
      assert_false(breaks_cells(NOTION_RENYI, a, d * (1 + 1e-9), p, q, k));
    double most = 0;
    for (size_t i = 0; i < n; i++)
      most = fmax(most, fabs(log(p[i] / q[i])));
    assert_false(breaks_cells(NOTION_ZCDP, 0, most, p, q, n - 1));
    assert_false(breaks_cells(NOTION_GAUSSIAN, 0, 3 * most, p, q, n - 1));
  }
}

/* Intervals of a normal sample moved by mu come close to its divergence a mu^2/2, from below. */
static void normal_cells(void **state) {
  (void)state;
  enum { CELLS = 120 };
  double p[CELLS], q[CELLS], mu = 1;
  for (size_t i = 0; i < CELLS; i++) {
    double low = -6 + 0.1 * (double)i, high = low + 0.1;
    p[i] = below(high - mu) - below(low - mu);
    q[i] = below(high) - below(low);
  }
  assert_true(breaks_cells(NOTION_RENYI, 2, 0.999, p, q, CELLS));
  assert_false(breaks_cells(NOTION_RENYI, 2, 1.0001, p, q, CELLS));
  assert_true(breaks_cells(NOTION_ZCDP, 0, 0.4995, p, q, CELLS));
  assert_false(breaks_cells(NOTION_ZCDP, 0, 0.5001, p, q, CELLS));
  assert_false(breaks_cells(NOTION_GAUSSIAN, 0, 1.001, p, q, CELLS));
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
      cmocka_unit_test(renyi_limit), cmocka_unit_test(gaussian_half_lines),
      cmocka_unit_test(cells),       cmocka_unit_test(normal_cells),
      cmocka_unit_test(ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
