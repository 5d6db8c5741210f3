/* Random automata as programs: two independent calculi, the strategy checker's and the kernel's,
 * about the same mechanism. What is exported is accepted by the kernel, costs at least what any
 * coupling of the automaton costs, and nothing that is not private is exported. */
#include "testlib.h"

#include <stdlib.h>

#include "automata/decide/automata.h"
#include "automaton_gen.h"
#include "check/automaton/classify.h"
#include "report/judge/export.h"

struct tally {
  size_t private, proved, same_cost;
};

static void export_one(const struct automaton *a, struct tally *t) {
  struct automaton_result r;
  struct buffer text;
  char *why = NULL;
  fmpq_t cost;
  fmpq_init(cost);
  buffer_init(&text);
  automaton_analyse(&r, a);
  enum export_status status = automaton_export(&text, cost, a, "export.dp", &why);
  if (status == EXPORT_UNPROVED) fail_msg("%s\n%s", why, buffer_text(&text));
  t->private += r.verdict == AUTOMATON_PRIVATE;
  if (status == EXPORT_PROVED) {
    assert_int_equal(r.verdict, AUTOMATON_PRIVATE);
    assert_true(fmpq_cmp(cost, r.lower) >= 0);
    t->proved++;
    t->same_cost += fmpq_equal(cost, r.upper);
  } else {
    assert_non_null(why);
  }
  free(why);
  automaton_result_clear(&r);
  buffer_clear(&text);
  fmpq_clear(cost);
}

static void the_kernel_confirms_strategies(void **state) {
  (void)state;
  static const struct gen_options kinds[] = {{1, 4, true, 2, 15, 10, 20, 35, false},
                                             {2, 3, true, 2, 15, 10, 20, 30, false},
                                             {1, 4, false, 2, 15, 10, 30, 35, false}};
  struct rng rng = rng_seeded(9);
  struct tally t = {0};
  size_t rounds = test_rounds(24);
  for (size_t i = 0; i < rounds; i++) {
    struct automaton a;
    struct class_report report;
    gen_automaton(&a, &rng, &kinds[i % 3]);
    if (automaton_classify(&report, &a, NULL)) export_one(&a, &t);
    automaton_clear(&a);
  }
  print_message("%zu automata, %zu private, %zu proved as programs, %zu of them at the same cost\n",
                rounds, t.private, t.proved, t.same_cost);
  assert_true(t.proved * 10 >= t.private * 8 && t.same_cost * 10 >= t.proved * 6);
}

static void independent_noise_is_no_program(void **state) {
  (void)state;
  struct gen_options options = {2, 3, false, 2, 15, 10, 20, 30, true};
  struct rng rng = rng_seeded(1);
  struct automaton a;
  struct buffer text;
  char *why = NULL;
  fmpq_t cost;
  fmpq_init(cost);
  buffer_init(&text);
  gen_automaton(&a, &rng, &options);
  assert_int_equal(automaton_export(&text, cost, &a, "export.dp", &why), EXPORT_IMPOSSIBLE);
  assert_non_null(why);
  assert_int_equal(text.len, 0);
  free(why);
  automaton_clear(&a);
  buffer_clear(&text);
  fmpq_clear(cost);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_kernel_confirms_strategies),
                                     cmocka_unit_test(independent_noise_is_no_program)};
  return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
