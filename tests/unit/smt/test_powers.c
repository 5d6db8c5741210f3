/* ctest-label: release */
/* b^t and differing(a, b): the facts that are handed to the solver are true at random points, they
 * are enough for what they are there for, and what is false is not proved with them - in particular
 * nothing about negative exponents, and nothing about where equal arrays differ. */
#include <string.h>

#include "smt/facts.h"
#include "smt/powers.h"
#include "smt/smt.h"
#include "term/build.h"
#include "term/eval.h"
#include "term/subst.h"
#include "testlib.h"

static struct terms ts;
static struct smt smt;
static term_id t, u, k, n, zero, one;

static int setup(void **state) {
  (void)state;
  terms_init(&ts);
  struct smt_options options = smt_default_options();
  options.timeout_s = 2;
  smt_init(&smt, &ts, &options);
  t = term_var(&ts, "t", SORT_INT, 0, 0);
  u = term_var(&ts, "u", SORT_INT, 0, 0);
  k = term_var(&ts, "k", SORT_INT, 0, 0);
  n = term_var(&ts, "n", SORT_INT, 0, 0);
  zero = term_int(&ts, 0);
  one = term_int(&ts, 1);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  smt_clear(&smt);
  terms_clear(&ts);
  return 0;
}

static enum smt_verdict ask(term_id hypothesis, term_id goal) {
  return smt_entails(&smt, "t", span_none(), &hypothesis, 1, goal);
}
static void is_valid(term_id hypothesis, term_id goal) {
  assert_int_equal(ask(hypothesis, goal), SMT_VALID);
}
static void is_not_valid(term_id hypothesis, term_id goal) {
  assert_int_not_equal(ask(hypothesis, goal), SMT_VALID);
}

static term_id plus(term_id a, long c) {
  return term_add(&ts, a, term_int(&ts, c));
}
static term_id times(long c, term_id a) {
  return term_mul(&ts, term_int(&ts, c), a);
}
static term_id two_to(term_id a) {
  return term_raise(&ts, 2, a);
}
static term_id natural(term_id a) {
  return term_le(&ts, zero, a);
}

/* ---- powers --------------------------------------------------------------------------------- */

static term_id random_exponent(struct rng *rng) {
  static const long shifts[] = {0, 0, 1, 2, -1, 3};
  term_id a = rng_chance(rng, 1, 2) ? t : u;
  if (rng_chance(rng, 1, 4)) a = term_sub(&ts, t, u);
  return plus(a, shifts[rng_below(rng, 6)]);
}

static term_id random_factor(struct rng *rng) {
  switch (rng_below(rng, 3)) {
  case 0: return k;
  case 1: return term_idiv(&ts, k, term_int(&ts, rng_chance(rng, 1, 3) ? -3 : 2));
  default: return term_raise(&ts, 2 + (uint32_t)rng_below(rng, 2), random_exponent(rng));
  }
}

static void facts_about_powers_hold(void **state) {
  (void)state;
  struct rng rng = rng_seeded(5);
  struct evaluator ev;
  eval_init(&ev, &ts);
  size_t seen = 0, decided = 0;
  for (size_t round = 0; round < test_rounds(400); round++) {
    uint32_t base = 2 + (uint32_t)rng_below(&rng, 2);
    term_id parts[] = {term_raise(&ts, base, random_exponent(&rng)), random_factor(&rng),
                       random_factor(&rng)};
    term_id formulas[] = {term_le(&ts, term_product(&ts, parts, 3), n),
                          term_le(&ts, term_raise(&ts, base, random_exponent(&rng)), n)};
    term_list facts = {0};
    powers_facts(&ts, formulas, 2, &facts);
    for (int point = 0; point < 6; point++) {
      eval_reset(&ev);
      const term_id vars[] = {t, u, k, n};
      for (size_t i = 0; i < 4; i++)
        eval_assign(&ev, vars[i], tvalue_int(&ev, rng_range(&rng, -4, 7)));
      for (size_t i = 0; i < facts.len; i++) {
        int truth = eval_truth(&ev, facts.at[i]);
        assert_int_not_equal(truth, 0);
        seen++;
        decided += truth == 1;
      }
    }
    vec_clear(&facts);
  }
  assert_often(seen > 5000 && decided > seen / 2);
  eval_clear(&ev);
}

/* The invariant k 2^t = n + 1 of a counter that halves k, and the bound it gives for t. */
static void halving_keeps_the_product(void **state) {
  (void)state;
  term_id product = term_eq(&ts, term_mul(&ts, k, two_to(t)), plus(n, 1));
  term_id even = term_eq(&ts, term_mod(&ts, k, term_int(&ts, 2)), zero);
  term_id half = term_idiv(&ts, k, term_int(&ts, 2));
  term_id given = term_and_all(&ts, (term_id[]){product, even, natural(t)}, 3);
  term_id kept = term_eq(&ts, term_mul(&ts, half, two_to(plus(t, 1))), plus(n, 1));
  is_valid(given, kept);
  is_not_valid(term_and(&ts, product, even), kept);
  is_not_valid(term_and(&ts, product, natural(t)), kept);
  is_not_valid(given, term_eq(&ts, term_mul(&ts, half, two_to(plus(t, 2))), plus(n, 1)));
  term_id bound[] = {natural(u), product, term_le(&ts, one, k),
                     term_lt(&ts, plus(n, 1), two_to(u))};
  is_valid(term_and_all(&ts, bound, 4), term_lt(&ts, t, u));
  is_not_valid(term_and_all(&ts, bound, 4), term_lt(&ts, plus(t, 1), u));
  for (size_t i = 0; i < 4; i++) { /* each is needed */
    term_id others[4];
    memcpy(others, bound, sizeof bound);
    others[i] = term_bool(&ts, true);
    is_not_valid(term_and_all(&ts, others, 4), term_lt(&ts, t, u));
  }
}

static void powers_grow(void **state) {
  (void)state;
  term_id p = two_to(t), both = term_and(&ts, natural(t), natural(u));
  is_valid(natural(t), term_lt(&ts, t, p));
  is_valid(natural(t), term_le(&ts, one, p));
  is_valid(natural(t), term_eq(&ts, two_to(plus(t, 3)), times(8, p)));
  is_valid(term_and(&ts, both, term_lt(&ts, t, u)), term_lt(&ts, p, two_to(u)));
  is_valid(term_and(&ts, both, term_eq(&ts, p, two_to(u))), term_eq(&ts, t, u));
  is_valid(term_eq(&ts, t, zero), term_eq(&ts, p, one));
}

static void nothing_is_known_below_zero(void **state) {
  (void)state;
  term_id yes = term_bool(&ts, true), p = two_to(t);
  is_not_valid(yes, term_le(&ts, one, p));
  is_not_valid(yes, term_lt(&ts, zero, p));
  is_not_valid(yes, term_ne(&ts, p, zero));
  is_not_valid(yes, term_eq(&ts, two_to(plus(t, 1)), times(2, p)));
  is_not_valid(yes, term_lt(&ts, t, p));
  is_not_valid(term_lt(&ts, t, u), term_lt(&ts, p, two_to(u)));
  term_id some[] = {term_lt(&ts, t, u), natural(u), term_le(&ts, one, p)};
  is_not_valid(term_and_all(&ts, some, 3), term_lt(&ts, p, two_to(u)));
  is_not_valid(term_lt(&ts, t, zero), term_eq(&ts, two_to(plus(t, 1)), times(2, p)));
  is_not_valid(yes, term_eq(&ts, two_to(term_int(&ts, -1)), zero));
  is_not_valid(yes, term_forall(&ts, &t, 1, term_le(&ts, one, p)));
  is_not_valid(term_forall(&ts, &t, 1, term_eq(&ts, p, n)), term_eq(&ts, n, zero));
}

static void false_powers_are_not_proved(void **state) {
  (void)state;
  term_id p = two_to(t), q = two_to(u), both = term_and(&ts, natural(t), natural(u));
  is_not_valid(both, term_eq(&ts, p, plus(t, 1)));
  is_not_valid(both, term_le(&ts, term_int(&ts, 2), p));
  is_not_valid(both, term_eq(&ts, p, q));
  is_not_valid(both, term_le(&ts, p, q));
  is_not_valid(both, term_le(&ts, term_raise(&ts, 3, t), p));
  is_not_valid(both, term_eq(&ts, two_to(term_add(&ts, t, u)), term_add(&ts, p, q)));
  is_not_valid(term_and(&ts, both, term_lt(&ts, t, u)), term_le(&ts, times(3, p), q));
  is_not_valid(both, term_bool(&ts, false));
  is_not_valid(term_lt(&ts, t, zero), term_bool(&ts, false));
}

/* ---- arrays --------------------------------------------------------------------------------- */

static void where_arrays_differ(void **state) {
  (void)state;
  sort_id sort = sort_array(&ts, SORT_REAL);
  term_id a = term_var(&ts, "x", sort, 1, 0), b = term_var(&ts, "x", sort, 2, 0),
          c = term_var(&ts, "y", sort, 1, 0), x = term_var(&ts, "v", SORT_REAL, 0, 0);
  term_id e = term_differing(&ts, a, b), yes = term_bool(&ts, true), differ = term_ne(&ts, a, b);
  term_id here = term_ne(&ts, term_select(&ts, a, e), term_select(&ts, b, e));
  assert_int_equal(e, term_differing(&ts, b, a));
  is_valid(differ, here);
  is_not_valid(yes, here);
  is_not_valid(differ, natural(e));
  is_not_valid(differ, term_eq(&ts, e, zero));
  is_not_valid(yes, term_eq(&ts, e, term_differing(&ts, a, c)));
  is_not_valid(yes, term_bool(&ts, false));
  is_not_valid(differ, term_bool(&ts, false));
  is_not_valid(term_eq(&ts, a, b), term_bool(&ts, false));
  term_id there = term_ne(&ts, term_select(&ts, a, n), term_select(&ts, b, n));
  is_not_valid(there, term_eq(&ts, e, n));
  /* equal but at one place: then it is that one */
  term_id but = term_eq(&ts, b, term_store(&ts, a, n, term_select(&ts, b, n)));
  is_valid(term_and(&ts, but, differ), term_eq(&ts, e, n));
  is_not_valid(but, term_eq(&ts, e, n));
  term_id stored = term_store(&ts, a, n, x), f = term_differing(&ts, a, stored);
  is_valid(term_ne(&ts, x, term_select(&ts, a, n)), term_eq(&ts, f, n));
  is_not_valid(yes, term_eq(&ts, f, n));
  is_not_valid(yes, term_forall(&ts, &n, 1, term_eq(&ts, f, n)));
  /* what substitution makes of it is about the new arrays */
  is_valid(yes, term_implies(&ts, term_ne(&ts, stored, b),
                             term_ne(&ts, term_select(&ts, stored, term_differing(&ts, stored, b)),
                                     term_select(&ts, b, term_differing(&ts, stored, b)))));
  assert_int_equal(term_subst(&ts, e, &a, &stored, 1), term_differing(&ts, stored, b));
}

static void ill_sorted_terms_are_refused(void **state) {
  (void)state;
  term_id reals = term_var(&ts, "x", sort_array(&ts, SORT_REAL), 1, 0),
          ints = term_var(&ts, "x", sort_array(&ts, SORT_INT), 2, 0),
          r = term_var(&ts, "r", SORT_REAL, 0, 0);
  assert_int_equal(term_differing(&ts, reals, ints), TERM_NONE);
  assert_int_equal(term_differing(&ts, t, u), TERM_NONE);
  assert_int_equal(term_differing(&ts, reals, TERM_NONE), TERM_NONE);
  assert_int_equal(two_to(r), TERM_NONE);
  assert_int_equal(term_raise(&ts, 1, t), TERM_NONE);
  assert_int_equal(term_raise(&ts, 0, t), TERM_NONE);
}

/* One function of the two maps: what entries are written twice or say what the fallback says does
 * not matter, nor does the order of the arguments. */
static const struct tvalue *random_array(struct evaluator *ev, struct rng *rng, const int *values,
                                         int fallback) {
  fmpz keys[14];
  const struct tvalue *items[14];
  size_t count = 0;
  for (int i = -3; i <= 3; i++) {
    int repeat = values[i + 3] == fallback ? rng_range(rng, 0, 1) : rng_range(rng, 1, 2);
    while (repeat--) {
      fmpz_init_set_si(&keys[count], i);
      items[count++] = tvalue_int(ev, repeat ? 99 : values[i + 3]);
    }
  }
  const struct tvalue *v = tvalue_array(ev, keys, items, count, tvalue_int(ev, fallback));
  for (size_t i = 0; i < count; i++)
    fmpz_clear(&keys[i]);
  return v;
}

static void the_choice_is_a_function(void **state) {
  (void)state;
  struct rng rng = rng_seeded(9);
  struct evaluator ev;
  eval_init(&ev, &ts);
  sort_id sort = sort_array(&ts, SORT_INT);
  term_id a = term_var(&ts, "x", sort, 1, 0), b = term_var(&ts, "x", sort, 2, 0);
  term_id e = term_differing(&ts, a, b);
  term_list facts = {0};
  term_id mention = term_eq(&ts, e, zero);
  facts_differing(&ts, &mention, 1, &facts);
  assert_int_equal(facts.len, 1);
  for (size_t round = 0; round < test_rounds(300); round++) {
    int left[7], right[7], low = rng_range(&rng, 0, 1), high = rng_range(&rng, 0, 1);
    for (size_t i = 0; i < 7; i++) {
      left[i] = rng_range(&rng, 0, 1);
      right[i] = rng_chance(&rng, 1, 4) ? rng_range(&rng, 0, 1) : left[i];
    }
    fmpq first;
    fmpq_init(&first);
    for (int again = 0; again < 4; again++) {
      eval_reset(&ev);
      const struct tvalue *x = random_array(&ev, &rng, left, low);
      const struct tvalue *y = random_array(&ev, &rng, right, high);
      eval_assign(&ev, a, again % 2 ? y : x);
      eval_assign(&ev, b, again % 2 ? x : y);
      const struct tvalue *v = eval_term(&ev, e);
      assert_int_equal(v->kind, TVALUE_EXACT);
      if (!again) fmpq_set(&first, &v->exact);
      assert_true(fmpq_equal(&first, &v->exact));
      assert_int_equal(eval_truth(&ev, facts.at[0]), 1);
    }
    fmpq_clear(&first);
  }
  vec_clear(&facts);
  eval_clear(&ev);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(facts_about_powers_hold, setup, teardown),
      cmocka_unit_test_setup_teardown(halving_keeps_the_product, setup, teardown),
      cmocka_unit_test_setup_teardown(powers_grow, setup, teardown),
      cmocka_unit_test_setup_teardown(nothing_is_known_below_zero, setup, teardown),
      cmocka_unit_test_setup_teardown(false_powers_are_not_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(where_arrays_differ, setup, teardown),
      cmocka_unit_test_setup_teardown(ill_sorted_terms_are_refused, setup, teardown),
      cmocka_unit_test_setup_teardown(the_choice_is_a_function, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
