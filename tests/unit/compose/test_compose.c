/* Composition theorems against enumeration of all outcomes of the worst mechanisms. */
#include <math.h>
#include <string.h>

#include "compose/compose.h"
#include "num/rational.h"
#include "testlib.h"

enum { PREC = 200 };

/* The worst (eps, delta) mechanism has four answers: with probability delta it gives itself away,
 * else randomized response. Its distribution on database `which`. */
static void worst_answers(arb_t answer[4], const fmpq_t eps, const fmpq_t delta, int which) {
  arb_t e, p, d;
  arb_init(e);
  arb_init(p);
  arb_init(d);
  ball_exp_rational(e, eps, PREC);
  arb_add_si(p, e, 1, PREC);
  arb_div(p, e, p, PREC);
  arb_set_fmpq(d, delta, PREC);
  arb_set(answer[which ? 3 : 0], d);
  arb_zero(answer[which ? 0 : 3]);
  arb_sub_si(d, d, 1, PREC);
  arb_neg(d, d);
  arb_mul(answer[which ? 2 : 1], d, p, PREC);
  arb_sub_si(p, p, 1, PREC);
  arb_neg(p, p);
  arb_mul(answer[which ? 1 : 2], d, p, PREC);
  arb_clear(e);
  arb_clear(p);
  arb_clear(d);
}

/* sum over all 4^n outcomes of max(0, P0 - e^E P1) */
static void by_enumeration(arb_t out, const compose_parts *parts, const fmpq_t total) {
  arb_t answers[8][2][4], p0, p1, factor;
  size_t n = parts->len;
  arb_init(p0);
  arb_init(p1);
  arb_init(factor);
  ball_exp_rational(factor, total, PREC);
  for (size_t i = 0; i < n; i++)
    for (int which = 0; which < 2; which++) {
      for (int k = 0; k < 4; k++)
        arb_init(answers[i][which][k]);
      worst_answers(answers[i][which], parts->at[i].eps, parts->at[i].delta, which);
    }
  arb_zero(out);
  for (size_t outcome = 0; outcome >> (2 * n) == 0; outcome++) {
    arb_one(p0);
    arb_one(p1);
    for (size_t i = 0; i < n; i++) {
      arb_mul(p0, p0, answers[i][0][outcome >> (2 * i) & 3], PREC);
      arb_mul(p1, p1, answers[i][1][outcome >> (2 * i) & 3], PREC);
    }
    arb_mul(p1, p1, factor, PREC);
    arb_sub(p0, p0, p1, PREC);
    arb_zero(p1);
    arb_max(p0, p0, p1, PREC);
    arb_add(out, out, p0, PREC);
  }
  for (size_t i = 0; i < n; i++)
    for (int which = 0; which < 2; which++)
      for (int k = 0; k < 4; k++)
        arb_clear(answers[i][which][k]);
  arb_clear(p0);
  arb_clear(p1);
  arb_clear(factor);
}

static void random_parts(compose_parts *parts, struct rng *rng, size_t n) {
  fmpq_t eps, delta;
  fmpq_init(eps);
  fmpq_init(delta);
  for (size_t i = 0; i < n; i++) {
    fmpq_set_si(eps, rng_range(rng, 0, 8), rng_below(rng, 4) + 1);
    fmpq_set_si(delta, rng_chance(rng, 1, 2) ? rng_range(rng, 0, 3) : 0, 10);
    compose_parts_push(parts, eps, delta, 1);
  }
  fmpq_clear(eps);
  fmpq_clear(delta);
}

static void optimal_delta_equals_enumeration(void **state) {
  (void)state;
  struct rng rng = rng_seeded(31);
  for (size_t round = 0; round < test_rounds(60); round++) {
    compose_parts parts = {0};
    fmpq_t total;
    arb_t formula, enumerated;
    bool is_rounded;
    fmpq_init(total);
    arb_init(formula);
    arb_init(enumerated);
    random_parts(&parts, &rng, 1 + rng_below(&rng, 5));
    fmpq_set_si(total, rng_range(&rng, 0, 20), 4);
    assert_true(compose_optimal_delta(formula, &parts, total, &is_rounded, PREC));
    assert_false(is_rounded);
    by_enumeration(enumerated, &parts, total);
    assert_true(arb_overlaps(formula, enumerated));
    assert_true(mag_cmp_2exp_si(arb_radref(formula), -100) < 0);
    compose_parts_clear(&parts);
    fmpq_clear(total);
    arb_clear(formula);
    arb_clear(enumerated);
  }
}

/* The eps returned is enough, and a little less is not. */
static void optimal_eps_is_tight(void **state) {
  (void)state;
  struct rng rng = rng_seeded(32);
  size_t tight = 0;
  for (size_t round = 0; round < test_rounds(60); round++) {
    compose_parts parts = {0};
    fmpq_t eps, delta, basic, spent;
    arb_t value, bound;
    bool is_rounded;
    fmpq_init(eps);
    fmpq_init(delta);
    fmpq_init(basic);
    fmpq_init(spent);
    arb_init(value);
    arb_init(bound);
    random_parts(&parts, &rng, 1 + rng_below(&rng, 5));
    compose_basic(basic, spent, &parts);
    fmpq_set_si(delta, rng_range(&rng, 1, 50), 100);
    fmpq_add(delta, delta, spent);
    arb_set_fmpq(bound, delta, PREC);
    assert_true(compose_optimal(eps, &parts, delta, &is_rounded, NULL));
    assert_true(fmpq_cmp(eps, basic) <= 0);
    by_enumeration(value, &parts, eps);
    assert_true(arb_le(value, bound) || arb_overlaps(value, bound));
    fmpq_set_si(spent, 1, 1000000);
    fmpq_sub(eps, eps, spent);
    if (fmpq_sgn(eps) > 0) {
      by_enumeration(value, &parts, eps);
      assert_true(arb_gt(value, bound));
      tight++;
    }
    compose_parts_clear(&parts);
    fmpq_clear(eps);
    fmpq_clear(delta);
    fmpq_clear(basic);
    fmpq_clear(spent);
    arb_clear(value);
    arb_clear(bound);
  }
  assert_true(tight > 10);
}

static void number(fmpq_t out, const char *text) {
  assert_true(rational_parse_str(out, text, NULL));
}

/* The optimal theorem is below all others, on many small parts far below basic; and a grid only
 * adds a little. */
static void theorems_in_order(void **state) {
  (void)state;
  compose_parts parts = {0}, rough = {0};
  fmpq_t eps, delta, zero, basic, spent, advanced, optimal, rounded;
  bool is_rounded;
  fmpq_init(eps);
  fmpq_init(delta);
  fmpq_init(zero);
  fmpq_init(basic);
  fmpq_init(spent);
  fmpq_init(advanced);
  fmpq_init(optimal);
  fmpq_init(rounded);
  number(eps, "1/10");
  number(delta, "1e-6");
  compose_parts_push(&parts, eps, zero, 400);
  compose_basic(basic, spent, &parts);
  assert_true(compose_advanced(advanced, &parts, delta));
  assert_true(compose_optimal(optimal, &parts, delta, &is_rounded, NULL));
  assert_false(is_rounded);
  assert_true(fabs(rational_double(basic) - 40) < 1e-9);
  /* sqrt(800 ln 10^6)/10 + 40 (e^0.1 - 1) */
  assert_true(fabs(rational_double(advanced) - 14.72) < 0.01);
  assert_true(fmpq_cmp(optimal, advanced) < 0);
  assert_true(rational_double(optimal) > 8 && rational_double(optimal) < 12);
  number(eps, "0.1000000000001"); /* no small unit: the grid */
  compose_parts_push(&rough, eps, zero, 399);
  number(eps, "0.0999999999999");
  compose_parts_push(&rough, eps, zero, 1);
  assert_true(compose_optimal(rounded, &rough, delta, &is_rounded, NULL));
  assert_true(is_rounded);
  assert_true(rational_double(rounded) >= rational_double(optimal) - 1e-6);
  assert_true(rational_double(rounded) < 1.1 * rational_double(optimal));
  assert_false(compose_advanced(advanced, &rough, delta)); /* different parts */
  compose_parts_clear(&parts);
  compose_parts_clear(&rough);
  fmpq_clear(eps);
  fmpq_clear(delta);
  fmpq_clear(zero);
  fmpq_clear(basic);
  fmpq_clear(spent);
  fmpq_clear(advanced);
  fmpq_clear(optimal);
  fmpq_clear(rounded);
}

static void delta_of_the_parts_must_fit(void **state) {
  (void)state;
  compose_parts parts = {0};
  fmpq_t eps, delta;
  bool is_rounded;
  fmpq_init(eps);
  fmpq_init(delta);
  number(eps, "1/10");
  number(delta, "1e-3");
  compose_parts_push(&parts, eps, delta, 10);
  assert_false(compose_advanced(eps, &parts, delta));
  assert_false(compose_optimal(eps, &parts, delta, &is_rounded, NULL));
  number(delta, "1e-2");
  assert_true(compose_optimal(eps, &parts, delta, &is_rounded, NULL));
  compose_parts_clear(&parts);
  fmpq_clear(eps);
  fmpq_clear(delta);
}

/* E[exp(l loss - w h)] <= 1 for every law of (h, loss) with -eps <= loss <= eps h and
 * E[e^-loss] = 1 (both runs end for sure): the inequality behind AC-HIT. Random laws with two
 * losses for hits and one for misses, the latter solved from the equation; and the extreme law,
 * randomized response where h says which answer was given, reaches equality. */
static void hits_inequality(void **state) {
  (void)state;
  struct rng rng = rng_seeded(33);
  double closest = 0;
  size_t tested = 0;
  for (size_t round = 0; round < test_rounds(40000); round++) {
    double eps = (double)rng_range(&rng, 1, 200) / 100, l = (double)rng_range(&rng, 1, 400) / 40;
    double w = (l + 1) * eps - log(1 + exp(eps) - exp(-l * eps));
    double p = (double)rng_below(&rng, 1000) / 1000, q = (double)rng_below(&rng, 1000) / 1000;
    double hit = eps * (double)rng_range(&rng, -1000, 1000) / 1000;
    double other = eps * (double)rng_range(&rng, -1000, 1000) / 1000;
    if (round % 7 == 0) {
      hit = other = eps;
      p = 1 / (1 + exp(-eps));
    }
    double rest = 1 - p * (q * exp(-hit) + (1 - q) * exp(-other));
    if (rest <= 0) continue;
    double miss = log((1 - p) / rest);
    if (miss > 1e-12 || miss < -eps - 1e-12) continue;
    double moment = p * (q * exp(l * hit - w) + (1 - q) * exp(l * other - w));
    moment += (1 - p) * exp(l * miss);
    assert_true(moment <= 1 + 1e-9);
    assert_true(w <= l * (l + 1) * eps * eps + 1e-12);
    if (moment > closest) closest = moment;
    tested++;
  }
  assert_often(tested > 5000);
  assert_true(closest > 1 - 1e-9);
}

/* The numeric bound is below the closed form, and never above what pure composition gives. */
static void hits_bound(void **state) {
  (void)state;
  static const struct {
    const char *eps, *omega;
    ulong hits;
  } cases[] = {{"1/10", "1e-6", 50}, {"1/100", "1e-9", 1000}, {"1/2", "1e-3", 5}, {"2", "1/2", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fmpq_t eps, omega, total;
    fmpq_init(eps);
    fmpq_init(omega);
    fmpq_init(total);
    number(eps, cases[i].eps);
    number(omega, cases[i].omega);
    assert_true(compose_hits(total, eps, cases[i].hits, omega));
    double e = rational_double(eps), m = (double)cases[i].hits;
    double closed = m * e * e + 2 * e * sqrt(m * log(1 / rational_double(omega)));
    assert_true(rational_double(total) <= closed * (1 + 1e-6));
    assert_true(rational_double(total) <= 1.001 * m * e);
    assert_true(rational_double(total) >= 0.2 * closed);
    fmpq_zero(eps);
    assert_false(compose_hits(total, eps, 3, omega));
    fmpq_clear(eps);
    fmpq_clear(omega);
    fmpq_clear(total);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(optimal_delta_equals_enumeration),
      cmocka_unit_test(optimal_eps_is_tight),
      cmocka_unit_test(theorems_in_order),
      cmocka_unit_test(delta_of_the_parts_must_fit),
      cmocka_unit_test(hits_inequality),
      cmocka_unit_test(hits_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
