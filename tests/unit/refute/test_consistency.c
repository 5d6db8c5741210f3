/* The two halves of the automata engine against each other: no certified loss may exceed the cost
 * that a checked strategy proves, on random automata with every feature the generator has. The loss
 * is measured by exact integration, the cost by couplings: they share nothing but the model. */
#include "automata/decide/automata.h"
#include "automaton_gen.h"
#include "check/automaton/classify.h"
#include "search/refute/automaton_refute.h"
#include "testlib.h"

static void compare(const struct automaton *a, size_t *measured) {
  struct automaton_result r;
  automaton_analyse(&r, a);
  if (r.verdict == AUTOMATON_PRIVATE) {
    struct automaton_counterexample ce;
    struct budget budget = budget_of_seconds(0.05);
    const char *why = NULL;
    automaton_counterexample_init(&ce, a);
    if (automaton_lower_bound(&ce, a, &r, &budget, &why) == REFUTE_FOUND) {
      arb_t upper;
      arb_init(upper);
      arb_set_fmpq(upper, r.upper, 128);
      assert_false(arb_gt(ce.loss, upper));
      arb_clear(upper);
      ++*measured;
    }
    automaton_counterexample_clear(&ce);
  }
  automaton_result_clear(&r);
}

static void run(struct gen_options options, uint64_t seed) {
  struct rng rng = rng_seeded(seed);
  size_t rounds = test_rounds(150), measured = 0;
  for (size_t i = 0; i < rounds; i++) {
    struct automaton a;
    struct class_report report;
    gen_automaton(&a, &rng, &options);
    if (automaton_classify(&report, &a, NULL)) compare(&a, &measured);
    automaton_clear(&a);
  }
  print_message("%zu of %zu losses measured\n", measured, rounds);
  assert_true(measured * 10 > rounds);
}

static void one_variable(void **state) {
  (void)state;
  run((struct gen_options){1, 5, false, 2, 15, 10, 30, 35, false}, 11);
}

static void several_variables(void **state) {
  (void)state;
  run((struct gen_options){2, 4, false, 2, 20, 10, 30, 30, false}, 12);
  run((struct gen_options){3, 4, false, 2, 20, 10, 30, 30, false}, 13);
}

static void independent_noise(void **state) {
  (void)state;
  run((struct gen_options){2, 4, false, 2, 15, 10, 25, 30, true}, 14);
}

/* ---- in class the shift cost is the true one ---------------------------------------------------
 */

struct attained {
  size_t private, not_private, misses;
};

/* Private: losses come close to the cost. Not private: D = 2 is refuted. */
static void attain(const struct automaton *a, struct attained *t) {
  struct automaton_result r;
  struct automaton_counterexample ce;
  struct budget budget = budget_of_seconds(3);
  const char *why = NULL;
  bool ok = true;
  automaton_analyse(&r, a);
  automaton_counterexample_init(&ce, a);
  if (r.verdict == AUTOMATON_PRIVATE && fmpq_sgn(r.upper) > 0) {
    t->private ++;
    ok = automaton_lower_bound(&ce, a, &r, &budget, &why) == REFUTE_FOUND &&
         arf_get_d(arb_midref(ce.loss), ARF_RND_NEAR) > 0.95 * fmpq_get_d(r.upper);
  } else if (r.verdict == AUTOMATON_NOT_PRIVATE) {
    fmpq_t d;
    fmpq_init(d);
    fmpq_set_si(d, 2, 1);
    t->not_private++;
    ok = automaton_refute(&ce, a, &r, d, &budget, &why) == REFUTE_FOUND;
    fmpq_clear(d);
  }
  t->misses += !ok;
  automaton_counterexample_clear(&ce);
  automaton_result_clear(&r);
}

static void in_class_costs_are_attained(void **state) {
  (void)state;
  static const struct gen_options kinds[] = {
      {1, 5, true, 2, 15, 10, 20, 35, false}, {2, 4, true, 2, 15, 10, 20, 30, false},
      {3, 4, true, 2, 15, 10, 20, 30, false}, {2, 4, true, 2, 15, 10, 20, 30, true},
      {3, 4, true, 2, 15, 10, 20, 30, true},
  };
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    struct rng rng = rng_seeded(100 + k);
    struct attained t = {0};
    size_t rounds = test_rounds(150);
    for (size_t i = 0; i < rounds; i++) {
      struct automaton a;
      struct class_report report;
      gen_automaton(&a, &rng, &kinds[k]);
      if (automaton_classify(&report, &a, NULL) && report.in_class) attain(&a, &t);
      automaton_clear(&a);
    }
    print_message("%u variables%s: %zu private, %zu not private, %zu not attained\n", kinds[k].vars,
                  kinds[k].independent ? ", independent noise" : "", t.private, t.not_private,
                  t.misses);
    assert_true(t.private * 5 > rounds && (t.not_private > 0 || rounds < 100));
    assert_true(t.misses * 20 <= t.private + t.not_private); /* the search has limits */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_variable),
      cmocka_unit_test(several_variables),
      cmocka_unit_test(independent_noise),
      cmocka_unit_test(in_class_costs_are_attained),
  };
  return cmocka_run_group_tests_name("consistency", tests, NULL, NULL);
}
