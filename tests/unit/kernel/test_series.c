/* What the kernel knows of stops_odd against its series, in balls. */
#include "kernel/series.h"

#include "term/build.h"
#include "term/eval.h"
#include "testlib.h"

enum { PRECISION = 200, TERMS = 120 };

/* The sum over j, k + j odd, of g^j/(k .. (k+j-1)) (1 - g/(k+j)); what is left out is tiny for small g. */
static void sum_series(arb_t out, const fmpq *g, long k) {
  arb_t weight, ratio, stops;
  arb_init(weight);
  arb_init(ratio);
  arb_init(stops);
  arb_zero(out);
  arb_one(weight);
  for (long j = 0; j < TERMS; j++) {
    arb_set_fmpq(ratio, g, PRECISION);
    arb_div_si(ratio, ratio, k + j, PRECISION);
    arb_sub_si(stops, ratio, 1, PRECISION);
    arb_neg(stops, stops);
    if ((k + j) % 2 == 1) arb_addmul(out, weight, stops, PRECISION);
    arb_mul(weight, weight, ratio, PRECISION);
  }
  arb_clear(weight);
  arb_clear(ratio);
  arb_clear(stops);
}

static const struct tvalue *apply(struct evaluator *ev, void *context, symbol_id symbol,
                                  const struct tvalue *const *args, size_t count) {
  (void)context;
  (void)symbol;
  if (count != 2 || args[0]->kind != TVALUE_EXACT || args[1]->kind != TVALUE_EXACT)
    return tvalue_unknown(ev);
  arb_t sum;
  arb_init(sum);
  sum_series(sum, &args[0]->exact, fmpz_get_si(fmpq_numref(&args[1]->exact)));
  const struct tvalue *v = tvalue_ball(ev, sum);
  arb_clear(sum);
  return v;
}

/* b - a >= -2^-100, where `when` holds; says whether it does. */
static bool holds(struct evaluator *ev, const struct series_fact *f) {
  if (eval_truth(ev, f->when) != 1) return false;
  arb_t a, b, slack;
  arb_init(a);
  arb_init(b);
  arb_init(slack);
  assert_true(tvalue_get_ball(eval_term(ev, f->a), a, PRECISION));
  assert_true(tvalue_get_ball(eval_term(ev, f->b), b, PRECISION));
  arb_sub(slack, b, a, PRECISION);
  arb_set_si(a, 1);
  arb_mul_2exp_si(a, a, -100);
  arb_add(slack, slack, a, PRECISION);
  assert_true(arb_is_positive(slack));
  arb_clear(a);
  arb_clear(b);
  arb_clear(slack);
  return true;
}

static void facts_hold_of_the_series(void **state) {
  (void)state;
  struct terms ts;
  size_t checked = 0;
  terms_init(&ts);
  for (long eighths = 0; eighths <= 24; eighths += 3)
    for (long k = 1; k <= 6; k++) {
      struct evaluator ev;
      series_facts facts = {0};
      eval_init(&ev, &ts);
      ev.precision = PRECISION;
      ev.apply = apply;
      term_id value = series_odd(&ts, term_rat(&ts, eighths, 8), term_int(&ts, k));
      series_known(&ts, value, &facts);
      for (size_t i = 0; i < facts.len; i++)
        checked += holds(&ev, &facts.at[i]);
      vec_clear(&facts);
      eval_clear(&ev);
    }
  assert_true(checked >= 200);
  terms_clear(&ts);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(facts_hold_of_the_series)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
