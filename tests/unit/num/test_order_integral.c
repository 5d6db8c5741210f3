/* The elimination engine against a second method that shares none of it: scanning the line from
 * left to right. Let P_S(t) be the probability that the samples in S lie below t in an allowed
 * order; then P_S(t) = sum over the last sample j of S of the integral of f_j P_(S-j) up to t, in
 * one variable, with piecewise.h. Exponential in the number of samples, so these stay few. */
#include <stdio.h>
#include <string.h>

#include "num/real/order_integral.h"
#include "num/real/piecewise.h"
#include "testlib.h"

enum { PREC = 256, MANY = 7 };

static void density_of(struct piecewise *f, const struct order_sample *s, slong precision) {
  if (s->noise == ORDER_LAPLACE) piecewise_set_laplace(f, s->a, s->b, precision);
  if (s->noise == ORDER_EXPONENTIAL) piecewise_set_exponential(f, s->a, s->b, precision);
  if (s->noise == ORDER_UNIFORM) piecewise_set_uniform(f, s->a, s->b, precision);
  piecewise_restrict(f, f, &s->low, &s->high);
}

static void by_scanning(arb_t out, const struct order_problem *problem, slong precision) {
  size_t n = problem->samples.len, sets = (size_t)1 << n;
  struct piecewise *below = malloc(sets * sizeof *below), part, f;
  unsigned above[MANY] = {0}; /* the samples that must be greater */
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  piecewise_init(&part);
  piecewise_init(&f);
  for (size_t k = 0; k < problem->conditions.len; k++)
    above[problem->conditions.at[k].less] |= 1u << problem->conditions.at[k].greater;
  for (size_t set = 0; set < sets; set++) {
    piecewise_init(&below[set]);
    if (set == 0) piecewise_set_constant(&below[set], one, precision);
    for (size_t j = 0; j < n; j++) {
      if (!(set >> j & 1) || (above[j] & set)) continue; /* j cannot be the last of the set */
      density_of(&f, &problem->samples.at[j], precision);
      piecewise_mul(&part, &f, &below[set & ~((size_t)1 << j)], precision);
      piecewise_below(&part, &part, precision);
      piecewise_add(&below[set], &below[set], &part, precision);
    }
  }
  struct line_end infinity;
  line_end_init(&infinity, 1);
  const struct piecewise *all = &below[sets - 1];
  exppoly_limit(out, &all->pieces[all->breakpoint_count], &infinity, precision);
  line_end_clear(&infinity);
  for (size_t set = 0; set < sets; set++)
    piecewise_clear(&below[set]);
  free(below);
  piecewise_clear(&part);
  piecewise_clear(&f);
  fmpq_clear(one);
}

static void random_problem(struct order_problem *problem, struct rng *rng, size_t n, bool laplace) {
  fmpq_t a, b;
  fmpq_init(a);
  fmpq_init(b);
  order_problem_init(problem);
  for (size_t i = 0; i < n; i++) {
    enum order_noise noise = laplace ? ORDER_LAPLACE : (enum order_noise)rng_below(rng, 3);
    fmpq_set_si(a, rng_range(rng, -2, 2), rng_below(rng, 2) + 1);
    fmpq_set_si(b, rng_range(rng, 1, 4), rng_below(rng, 2) + 1);
    if (noise == ORDER_UNIFORM) fmpq_add(b, a, b);
    uint32_t s = order_problem_sample(problem, noise, a, b);
    if (rng_chance(rng, 1, 4)) {
      fmpq_set_si(a, rng_range(rng, -3, 1), 1);
      order_problem_at_least(problem, s, a);
    }
    if (rng_chance(rng, 1, 4)) {
      fmpq_set_si(a, rng_range(rng, 0, 3), 1);
      order_problem_at_most(problem, s, a);
    }
  }
  fmpq_clear(a);
  fmpq_clear(b);
}

static void agrees_with_scanning(void **state) {
  (void)state;
  struct rng rng = rng_seeded(11);
  size_t positive = 0, rounds = test_rounds(150);
  for (size_t round = 0; round < rounds; round++) {
    size_t n = 1 + rng_below(&rng, round % 10 ? 5 : MANY);
    struct order_problem problem;
    arb_t engine, scan;
    arb_init(engine);
    arb_init(scan);
    random_problem(&problem, &rng, n, rng_chance(&rng, 1, 2));
    unsigned density = (unsigned)rng_below(&rng, 5);
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = i + 1; j < n; j++)
        if (rng_chance(&rng, density, 6)) order_problem_less(&problem, i, j);
    assert_int_equal(order_integral(engine, &problem, NULL, PREC), ORDER_OK);
    by_scanning(scan, &problem, PREC);
    assert_true(arb_is_finite(engine) && arb_is_finite(scan));
    assert_true(arb_overlaps(engine, scan));
    assert_true(mag_cmp_2exp_si(arb_radref(engine), -80) < 0);
    assert_true(mag_cmp_2exp_si(arb_radref(scan), -80) < 0);
    positive += arb_is_positive(engine);
    order_problem_clear(&problem);
    arb_clear(engine);
    arb_clear(scan);
  }
  assert_true(positive > rounds / 2); /* the comparison is not 0 = 0 */
}

/* Several copies of the same sample below and above: the shortcut for alike samples. */
static void alike_samples_agree_with_scanning(void **state) {
  (void)state;
  struct rng rng = rng_seeded(12);
  for (size_t round = 0; round < test_rounds(30); round++) {
    struct order_problem problem;
    arb_t engine, scan;
    arb_init(engine);
    arb_init(scan);
    random_problem(&problem, &rng, 2, true);
    order_problem_less(&problem, 0, 1);
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    for (int kind = 0; kind < 2; kind++) {
      fmpq_set_si(a, rng_range(&rng, -2, 2), 1);
      fmpq_set_si(b, rng_range(&rng, 1, 3), 2);
      int copies = rng_range(&rng, 1, 2), mode = rng_range(&rng, 0, 3);
      for (int k = 0; k < copies; k++) {
        uint32_t s = order_problem_sample(&problem, ORDER_LAPLACE, a, b);
        if (mode != 1) order_problem_less(&problem, mode == 2 ? 1 : 0, s);
        if (mode == 0) order_problem_less(&problem, s, 1);
        if (mode == 1) order_problem_less(&problem, s, 0);
      }
    }
    assert_int_equal(order_integral(engine, &problem, NULL, PREC), ORDER_OK);
    by_scanning(scan, &problem, PREC);
    assert_true(arb_overlaps(engine, scan));
    assert_true(mag_cmp_2exp_si(arb_radref(engine), -80) < 0);
    fmpq_clear(a);
    fmpq_clear(b);
    order_problem_clear(&problem);
    arb_clear(engine);
    arb_clear(scan);
  }
}

/* For any graph of comparisons the probabilities of its outcomes sum to 1. */
static void outcomes_sum_to_one(void **state) {
  (void)state;
  struct rng rng = rng_seeded(13);
  for (size_t round = 0; round < test_rounds(15); round++) {
    uint32_t n = 3 + (uint32_t)rng_below(&rng, 3), pairs[5][2];
    arb_t sum, p;
    arb_init(sum);
    arb_init(p);
    for (size_t k = 0; k < 5; k++) {
      pairs[k][0] = (uint32_t)rng_below(&rng, n);
      pairs[k][1] = (pairs[k][0] + 1 + (uint32_t)rng_below(&rng, n - 1)) % n;
    }
    uint64_t seed = rng_next(&rng);
    for (unsigned outcome = 0; outcome < 32; outcome++) {
      struct order_problem problem;
      struct rng again = rng_seeded(seed);
      fmpq_t a, b;
      fmpq_init(a);
      fmpq_init(b);
      order_problem_init(&problem);
      for (uint32_t i = 0; i < n; i++) {
        fmpq_set_si(a, rng_range(&again, -3, 3), 2);
        fmpq_set_si(b, rng_range(&again, 1, 3), 1);
        order_problem_sample(&problem, ORDER_LAPLACE, a, b);
      }
      for (size_t k = 0; k < 5; k++)
        order_problem_less(&problem, pairs[k][outcome >> k & 1], pairs[k][1 - (outcome >> k & 1)]);
      assert_int_equal(order_integral(p, &problem, NULL, PREC), ORDER_OK);
      arb_add(sum, sum, p, PREC);
      order_problem_clear(&problem);
      fmpq_clear(a);
      fmpq_clear(b);
    }
    assert_true(arb_contains_si(sum, 1));
    assert_true(mag_cmp_2exp_si(arb_radref(sum), -80) < 0);
    arb_clear(sum);
    arb_clear(p);
  }
}

static bool evaluate(arb_t out, void *context, slong precision) {
  return order_integral(out, context, NULL, precision) == ORDER_OK;
}

/* n+1 identical samples: the first is the greatest with probability 1/(n+1); and 1/n! in a row. */
static void symmetric_closed_forms(void **state) {
  (void)state;
  fmpq_t a, b, expected;
  arb_t p;
  fmpq_init(a);
  fmpq_init(b);
  fmpq_init(expected);
  arb_init(p);
  fmpq_set_si(a, 2, 3);
  fmpq_set_si(b, 5, 4);
  for (uint32_t n = 1; n <= 300; n += n < 5 ? 1 : 59) {
    struct order_problem problem;
    order_problem_init(&problem);
    for (uint32_t i = 0; i <= n; i++) {
      order_problem_sample(&problem, ORDER_LAPLACE, a, b);
      if (i) order_problem_less(&problem, i, 0);
    }
    assert_int_equal(ball_adapt(p, evaluate, &problem, (struct ball_goal){.digits = 20}), BALL_OK);
    fmpq_set_si(expected, 1, n + 1);
    assert_true(arb_contains_fmpq(p, expected));
    order_problem_clear(&problem);
  }
  fmpq_one(expected);
  for (uint32_t n = 1; n <= 12; n++) {
    struct order_problem problem;
    order_problem_init(&problem);
    for (uint32_t i = 0; i < n; i++) {
      order_problem_sample(&problem, ORDER_LAPLACE, a, b);
      if (i) order_problem_less(&problem, i - 1, i);
    }
    fmpq_div_fmpz(expected, expected, (fmpz[]){n});
    assert_int_equal(ball_adapt(p, evaluate, &problem, (struct ball_goal){.digits = 20}), BALL_OK);
    assert_true(arb_contains_fmpq(p, expected));
    order_problem_clear(&problem);
  }
  fmpq_clear(a);
  fmpq_clear(b);
  fmpq_clear(expected);
  arb_clear(p);
}

static void contradictions_have_probability_zero(void **state) {
  (void)state;
  struct order_problem problem;
  fmpq_t a, b;
  arb_t p;
  fmpq_init(a);
  fmpq_init(b);
  arb_init(p);
  fmpq_one(b);
  order_problem_init(&problem);
  for (int i = 0; i < 3; i++)
    order_problem_sample(&problem, ORDER_LAPLACE, a, b);
  order_problem_at_least(&problem, 0, b); /* s0 >= 1, s2 <= 0 */
  order_problem_at_most(&problem, 2, a);
  assert_int_equal(order_integral(p, &problem, NULL, PREC), ORDER_OK);
  assert_true(arb_is_positive(p));
  order_problem_less(&problem, 0, 1);
  order_problem_less(&problem, 1, 2);
  assert_int_equal(order_integral(p, &problem, NULL, PREC), ORDER_OK);
  assert_true(arb_is_zero(p));
  order_problem_clear(&problem);
  order_problem_init(&problem);
  for (int i = 0; i < 3; i++)
    order_problem_sample(&problem, ORDER_LAPLACE, a, b);
  for (uint32_t i = 0; i < 3; i++)
    order_problem_less(&problem, i, (i + 1) % 3);
  assert_int_equal(order_integral(p, &problem, NULL, PREC), ORDER_OK);
  assert_true(arb_is_zero(p));
  order_problem_clear(&problem);
  fmpq_clear(a);
  fmpq_clear(b);
  arb_clear(p);
}

static void limits_fail_closed(void **state) {
  (void)state;
  struct order_problem problem;
  fmpq_t a, b;
  arb_t p;
  fmpq_init(a);
  fmpq_init(b);
  arb_init(p);
  order_problem_init(&problem);
  for (uint32_t i = 0; i < 12; i++) { /* every one of six below every other of six */
    fmpq_set_si(a, i, 3);
    fmpq_set_si(b, 1 + i % 3, 1);
    order_problem_sample(&problem, ORDER_LAPLACE, a, b);
    for (uint32_t j = 0; j < 6 && i >= 6; j++)
      order_problem_less(&problem, j, i);
  }
  assert_int_equal(order_integral(p, &problem, NULL, PREC), ORDER_TOO_WIDE);
  assert_false(arb_is_finite(p));
  struct budget spent = {.deadline_ns = 1};
  problem.conditions.len = 0;
  assert_int_equal(order_integral(p, &problem, &spent, PREC), ORDER_TIMEOUT);
  assert_false(arb_is_finite(p));
  order_problem_clear(&problem);
  fmpq_clear(a);
  fmpq_clear(b);
  arb_clear(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_scanning),
      cmocka_unit_test(alike_samples_agree_with_scanning),
      cmocka_unit_test(outcomes_sum_to_one),
      cmocka_unit_test(symmetric_closed_forms),
      cmocka_unit_test(contradictions_have_probability_zero),
      cmocka_unit_test(limits_fail_closed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
