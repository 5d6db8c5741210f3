/* Decision and cost on random automata, against the brute-force search of automaton_gen.h.
 * 11 000 with two and three variables and shared noise, 16 000 in all.
 * ctest-label: release */
#include "out/automaton_text.h"
#include "testlib.h"

#include <stdio.h>

#include "automata/decide/automata.h"
#include "automaton_gen.h"
#include "check/automaton/classify.h"

static void dump(const struct automaton *a) {
  struct buffer b;
  buffer_init(&b);
  for (uint32_t s = 0; s < a->states.len; s++) {
    const struct automaton_state *q = &a->states.at[s];
    if (q->is_final) continue;
    char *d = fmpq_get_str(NULL, 10, automaton_value(a, q->d));
    char *d2 = fmpq_get_str(NULL, 10, automaton_value(a, q->d2));
    buffer_printf(&b, "q%u %s d %s d' %s\n", s, q->is_input ? "input" : "noninput", d, d2);
    flint_free(d);
    flint_free(d2);
  }
  for (uint32_t e = 0; e < a->edges.len; e++) {
    automaton_print_edge(&b, a, e);
    buffer_putc(&b, '\n');
  }
  print_message("%s", buffer_text(&b));
  buffer_clear(&b);
}

struct tally {
  size_t rounds, private, not_private, skipped, gaps;
};

static void compare(const struct automaton *a, struct tally *t, int cap) {
  struct class_report report;
  if (!automaton_classify(&report, a, NULL)) {
    dump(a);
    fail_msg("the generator made a meaningless automaton");
  }
  struct automaton_result r;
  automaton_analyse_with(&r, a, EFFORT_EXACT);
  int expected = reference_cost(a, cap, 1200);
  t->rounds++;
  if (expected == -2) {
    t->skipped++;
  } else if (r.verdict == AUTOMATON_UNKNOWN) {
    dump(a);
    fail_msg("unknown: %s", r.reason);
  } else if ((r.verdict == AUTOMATON_NOT_PRIVATE) != (expected == -1)) {
    dump(a);
    fail_msg("verdict %s, but the search says %d", r.verdict ? "not private" : "private", expected);
  } else if (expected >= 0) {
    t->private ++;
    if (!r.exact) t->gaps++;
    if (fmpq_cmp_si(r.upper, expected) < 0 || fmpq_cmp_si(r.lower, expected) > 0 ||
        (r.exact && fmpq_cmp_si(r.upper, expected) != 0)) {
      dump(a);
      char *l = fmpq_get_str(NULL, 10, r.lower), *u = fmpq_get_str(NULL, 10, r.upper);
      fail_msg("cost in [%s, %s], but the search says %d", l, u, expected);
    }
  } else {
    t->not_private++;
  }
  automaton_result_clear(&r);
}

static void run(const char *name, struct gen_options options, size_t rounds, uint64_t seed) {
  struct rng rng = rng_seeded(seed);
  struct tally t = {0};
  for (size_t i = 0; i < test_rounds(rounds); i++) {
    struct automaton a;
    gen_automaton(&a, &rng, &options);
    compare(&a, &t, 30);
    automaton_clear(&a);
  }
  print_message("%s: %zu automata, %zu private, %zu not private, %zu skipped, %zu brackets\n", name,
                t.rounds, t.private, t.not_private, t.skipped, t.gaps);
  /* a test that sees only one verdict tests nothing */
  assert_true(t.private * 50 > t.rounds && t.not_private * 50 > t.rounds);
  assert_true(t.skipped * 10 < t.rounds);
  assert_int_equal(t.gaps, 0);
}

static void one_variable_in_class(void **state) {
  (void)state;
  run("one variable, in class", (struct gen_options){1, 5, true, 2, 15, 10, 20, 35, false}, 1500,
      1);
}
static void one_variable_outside(void **state) {
  (void)state;
  run("one variable, outside the class",
      (struct gen_options){1, 5, false, 2, 15, 10, 40, 35, false}, 1500, 2);
}
static void two_variables_in_class(void **state) {
  (void)state;
  run("two variables, in class", (struct gen_options){2, 4, true, 2, 12, 10, 20, 30, false}, 4000,
      3);
}
static void two_variables_outside(void **state) {
  (void)state;
  run("two variables, outside the class",
      (struct gen_options){2, 4, false, 2, 12, 10, 40, 30, false}, 3500, 4);
}
static void three_variables(void **state) {
  (void)state;
  run("three variables", (struct gen_options){3, 3, false, 2, 12, 10, 30, 30, false}, 2000, 5);
}
static void many_assignments(void **state) {
  (void)state;
  run("many assignments", (struct gen_options){2, 4, false, 2, 35, 5, 30, 20, false}, 1500, 6);
}

static void independent_two(void **state) {
  (void)state;
  run("independent noise, two variables",
      (struct gen_options){2, 4, false, 2, 12, 10, 25, 30, true}, 1500, 7);
}
static void independent_three(void **state) {
  (void)state;
  run("independent noise, three variables",
      (struct gen_options){3, 3, false, 2, 12, 10, 25, 30, true}, 250, 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_variable_in_class),  cmocka_unit_test(one_variable_outside),
      cmocka_unit_test(two_variables_in_class), cmocka_unit_test(two_variables_outside),
      cmocka_unit_test(three_variables),        cmocka_unit_test(many_assignments),
      cmocka_unit_test(independent_two),        cmocka_unit_test(independent_three),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
