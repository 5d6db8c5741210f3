/* The decision by shifts on automata with disjunctive guards is complete for shift couplings:
 * verdict and cost against a brute force that knows nothing of essential literals
 * (disjunctive_gen.h). */
#include "automata/decide/automata.h"
#include "check/automaton/classify.h"
#include "disjunctive_gen.h"
#include "testlib.h"

struct tally {
  size_t rounds, coupled, not_coupled, skipped, disjunctive;
};

static void compare(const struct automaton *a, struct tally *t) {
  struct class_report report;
  struct automaton_result r;
  assert_true(automaton_classify(&report, a, NULL));
  automaton_analyse_with(&r, a, EFFORT_EXACT);
  int expected = disjunctive_shift_cost(a, 30, 20000);
  t->rounds++;
  t->disjunctive += !report.in_class;
  if (expected == -2) {
    t->skipped++;
  } else if (expected == -1) {
    assert_int_equal(r.verdict, AUTOMATON_NOT_PRIVATE);
    t->not_coupled++;
  } else {
    assert_int_equal(r.verdict, AUTOMATON_PRIVATE);
    assert_true(r.exact);
    assert_int_equal(fmpq_cmp_si(r.upper, expected), 0);
    t->coupled++;
  }
  automaton_result_clear(&r);
}

static void run(struct disjunctive_options options, size_t rounds, uint64_t seed) {
  struct rng rng = rng_seeded(seed);
  struct tally t = {0};
  for (size_t i = 0; i < test_rounds(rounds); i++) {
    struct automaton a;
    disjunctive_gen(&a, &rng, &options);
    compare(&a, &t);
    automaton_clear(&a);
  }
  print_message("%zu automata, %zu with disjunctions: %zu with a shift coupling, %zu without, %zu "
                "skipped\n",
                t.rounds, t.disjunctive, t.coupled, t.not_coupled, t.skipped);
  assert_true(t.coupled * 10 > t.rounds && t.not_coupled * 10 > t.rounds);
  assert_true(t.skipped * 50 < t.rounds && t.disjunctive * 2 > t.rounds);
}

static void few_assignments(void **state) {
  (void)state;
  run((struct disjunctive_options){4, 2, 8, 10, 35}, 6000, 31);
}
static void more_assignments(void **state) {
  (void)state;
  run((struct disjunctive_options){4, 2, 25, 15, 30}, 5000, 32);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_assignments),
      cmocka_unit_test(more_assignments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
