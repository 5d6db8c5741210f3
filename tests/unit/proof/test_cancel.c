/* Amounts for display: fewer factors, the same value wherever no divisor is 0. */
#include <stdlib.h>
#include <string.h>

#include "out/print.h"
#include "proof/cancel.h"
#include "term/build.h"
#include "term/eval.h"
#include "testlib.h"

static struct terms ts;
static term_id eps, n, k;

static int set_up(void **state) {
  (void)state;
  terms_init(&ts);
  eps = term_var(&ts, "eps", SORT_REAL, 0, 0);
  n = term_to_real(&ts, term_var(&ts, "N", SORT_INT, 0, 0));
  k = term_var(&ts, "k", SORT_REAL, 0, 0);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  terms_clear(&ts);
  return 0;
}

static void shows(term_id t, const char *expected) {
  char *text = term_text(&ts, factors_cancelled(&ts, t));
  assert_string_equal(text, expected);
  free(text);
}

static void common_factors_go(void **state) {
  (void)state;
  term_id two = term_int(&ts, 2);
  shows(term_div(&ts, term_mul(&ts, eps, n), term_mul(&ts, two, n)), "eps/2");
  shows(term_mul(&ts, term_rat(&ts, 1, 2), term_div(&ts, eps, n)), "eps/(2*N)");
  shows(term_div(&ts, n, n), "1");
  shows(term_div(&ts, eps, term_div(&ts, k, n)), "eps*N/k");
  shows(term_add(&ts, term_div(&ts, term_mul(&ts, eps, n), n), k), "eps + k");
  shows(term_div(&ts, eps, term_int(&ts, 0)), "eps/0");
  shows(term_mul(&ts, eps, n), "eps*N");
  shows(term_sub(&ts, k, term_mul(&ts, term_rat(&ts, 1, 2), term_div(&ts, eps, n))),
        "k - eps/(2*N)");
}

static term_id random_amount(struct rng *rng, int depth) {
  const term_id leaves[] = {eps, n, k, term_int(&ts, 2), term_rat(&ts, -3, 4)};
  if (depth == 0 || rng_chance(rng, 1, 4)) return leaves[rng_below(rng, 5)];
  term_id a = random_amount(rng, depth - 1), b = random_amount(rng, depth - 1);
  switch (rng_below(rng, 4)) {
  case 0: return term_add(&ts, a, b);
  case 1: return term_mul(&ts, a, b);
  default: return term_div(&ts, a, b);
  }
}

static void values_stay(void **state) {
  (void)state;
  struct rng rng = rng_seeded(7);
  struct evaluator ev;
  eval_init(&ev, &ts);
  size_t compared = 0, changed = 0;
  for (size_t round = 0; round < test_rounds(500); round++) {
    term_id t = random_amount(&rng, 4), shown = factors_cancelled(&ts, t);
    if (t == TERM_NONE) continue;
    eval_reset(&ev);
    fmpq_t value;
    fmpq_init(value);
    const term_id vars[] = {eps, term_arg(&ts, n, 0), k};
    for (size_t i = 0; i < 3; i++) {
      fmpq_set_si(value, rng_range(&rng, 1, 50), i == 1 ? 1 : 7);
      eval_assign(&ev, vars[i], tvalue_exact(&ev, value));
    }
    fmpq_clear(value);
    int same = tvalue_equal(&ev, eval_term(&ev, t), eval_term(&ev, shown));
    assert_int_not_equal(same, 0); /* -1: a divisor is 0 */
    compared += same == 1;
    changed += t != shown;
  }
  eval_clear(&ev);
  assert_often(compared > 300 && changed > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(common_factors_go),
                                     cmocka_unit_test(values_stay)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
