/* ctest-label: release */
/* The facts that are handed to the solver are true: at random points, for random products and
 * quotients. And they are there: a question about a budget is answered without nonlinear search. */
#include "smt/facts.h"
#include "smt/smt.h"
#include "term/build.h"
#include "term/eval.h"
#include "testlib.h"

enum { VARS = 4 };

static term_id random_factor(struct terms *ts, struct rng *rng, const term_id *vars) {
  term_id a = vars[rng_below(rng, VARS)], b = vars[rng_below(rng, VARS)];
  switch (rng_below(rng, 3)) {
  case 0: return a;
  case 1: return term_sub(ts, a, b);
  default: return term_div(ts, a, b);
  }
}

static void facts_about_signs_hold(void **state) {
  (void)state;
  struct rng rng = rng_seeded(3);
  struct terms ts;
  terms_init(&ts);
  term_id vars[VARS];
  const char *names[VARS] = {"a", "b", "c", "d"};
  for (size_t i = 0; i < VARS; i++)
    vars[i] = term_var(&ts, names[i], i < 2 ? SORT_INT : SORT_REAL, 0, 0);
  struct evaluator ev;
  eval_init(&ev, &ts);
  size_t seen = 0, decided = 0;
  fmpq_t value;
  fmpq_init(value);
  for (size_t round = 0; round < test_rounds(400); round++) {
    term_id product = term_mul(&ts, random_factor(&ts, &rng, vars), random_factor(&ts, &rng, vars));
    term_id formula = term_le(&ts, product, vars[3]);
    term_list facts = {0};
    facts_signs(&ts, &formula, 1, &facts);
    eval_reset(&ev);
    for (size_t i = 0; i < VARS; i++) {
      int n = rng_range(&rng, -4, 4);
      fmpq_set_si(value, n ? n : 1, i < 2 ? 1 : (unsigned long)rng_range(&rng, 1, 3));
      eval_assign(&ev, vars[i], tvalue_exact(&ev, value));
    }
    for (size_t i = 0; i < facts.len; i++) {
      int truth = eval_truth(&ev, facts.at[i]);
      assert_int_not_equal(truth, 0);
      seen++;
      decided += truth == 1;
    }
    vec_clear(&facts);
  }
  assert_often(seen > 500 && decided > seen / 2);
  fmpq_clear(value);
  eval_clear(&ev);
  terms_clear(&ts);
}

/* eps > 0, N >= 1, go -> count < N, go, (N - count)*(eps/N)/2 <= B |- (eps/N)/2 <= B */
static void budgets_are_linear(void **state) {
  (void)state;
  struct terms ts;
  struct smt smt;
  terms_init(&ts);
  struct smt_options options = smt_default_options();
  options.rlimit = 200000;
  smt_init(&smt, &ts, &options);
  term_id eps = term_var(&ts, "eps", SORT_REAL, 0, 0), n = term_var(&ts, "N", SORT_INT, 0, 0),
          count = term_var(&ts, "count", SORT_INT, 0, 0), b = term_var(&ts, "B", SORT_REAL, 0, 0),
          go = term_var(&ts, "go", SORT_BOOL, 0, 0), zero = term_int(&ts, 0);
  term_id rate = term_mul(&ts, term_rat(&ts, 1, 2), term_div(&ts, eps, n));
  term_id given[] = {term_lt(&ts, zero, eps), term_le(&ts, term_int(&ts, 1), n),
                     term_implies(&ts, go, term_lt(&ts, count, n)), go,
                     term_le(&ts, term_mul(&ts, term_sub(&ts, n, count), rate), b)};
  assert_int_equal(smt_entails(&smt, "t", span_none(), given, 5, term_le(&ts, rate, b)), SMT_VALID);
  term_id twice = term_mul(&ts, term_int(&ts, 2), rate);
  assert_int_not_equal(smt_entails(&smt, "t", span_none(), given, 5, term_le(&ts, twice, b)),
                       SMT_VALID);
  smt_clear(&smt);
  terms_clear(&ts);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(facts_about_signs_hold),
                                     cmocka_unit_test(budgets_are_linear)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
