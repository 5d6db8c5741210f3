/* Counterexamples for automata: found where the theory says there are some, never where it says
 * there are none, and judged by automaton_certify, which must see through any tampering. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dipa_file.h"
#include "num/rational.h"
#include "search/refute/automaton_refute.h"
#include "search/refute/shift_search.h"
#include "testlib.h"

static const char SVT[] =
    "(q1:non-input,1/4,0): x:= insample; output oinput; goto q2\n"
    "(q2,1/2,0): if (insample < x) then output obot; goto q2 elseif (insample >= x) then output "
    "otop; goto q3\n";
/* a sorter: the sample that was compared is stored */
static const char SORT[] = "(q1,1/2,0): x:= insample; output o; goto q2\n"
                           "(q2,1/2,0): if (insample < x) then x:= insample; output o; goto q2\n";
/* emits what it compared */
static const char NUMERIC[] =
    "(q1:non-input,1/4,0): x:= insample; output o; goto q2\n"
    "(q2,1/2,0): if (insample < x) then output o; goto q2 elseif (insample >= x) then output "
    "insample; goto q3\n";
/* two variables at different means */
static const char RANGE[] =
    "(q1:non-input,1/4,0): l:= insample; output o; goto q2\n"
    "(q2:non-input,1/4,1): r:= insample; output o; goto q3\n"
    "(q3,1/4,0,1/4,0): if (insample >= l && insample < r) then output c; goto q3 elseif (insample "
    ">= l && insample >= r) then output insampleprime; goto q4\n";
/* both edges look the same from outside: nothing is revealed after the first step */
static const char MUTE[] =
    "(q1:non-input,1/4,0): x:= insample; output o; goto q2\n"
    "(q2,1,0): if (insample < x) then output o; goto q2 elseif (insample >= x) then output o; goto "
    "q2\n";

static enum refute_status refute(struct automaton_counterexample *ce, const struct automaton *a,
                                 const struct automaton_result *analysis, const char *d,
                                 double seconds) {
  fmpq_t claimed;
  const char *why;
  fmpq_init(claimed);
  assert_true(rational_parse_str(claimed, d, NULL));
  struct budget budget = budget_of_seconds(seconds);
  automaton_counterexample_init(ce, a);
  enum refute_status status = automaton_refute(ce, a, analysis, claimed, &budget, &why);
  assert_int_equal(ce->is_certified, status == REFUTE_FOUND);
  fmpq_clear(claimed);
  return status;
}

static void claims_below_the_cost_are_refuted(void **state) {
  (void)state;
  static const struct {
    const char *text, *below, *cost;
  } cases[] = {{SVT, "6/5", "5/4"}, {RANGE, "6/5", "5/4"}, {MUTE, NULL, "0"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct dipa_file l;
    struct automaton_counterexample ce;
    assert_true(dipa_file_parse(&l, cases[i].text));
    if (cases[i].below) {
      assert_int_equal(refute(&ce, &l.a, NULL, cases[i].below, 20), REFUTE_FOUND);
      automaton_counterexample_clear(&ce);
    }
    assert_int_equal(refute(&ce, &l.a, NULL, cases[i].cost, 1) == REFUTE_FOUND, false);
    automaton_counterexample_clear(&ce);
    dipa_file_clear(&l);
  }
}

static void automata_that_are_not_private_lose_any_budget(void **state) {
  (void)state;
  static const char *const texts[] = {SORT, NUMERIC};
  static const char *const claims[] = {"1", "2", "4", "8"};
  for (size_t i = 0; i < 2; i++) {
    struct dipa_file l;
    assert_true(dipa_file_parse(&l, texts[i]));
    for (size_t k = 0; k < 4; k++) {
      struct automaton_counterexample ce;
      fmpq_t d, lower;
      fmpq_init(d);
      fmpq_init(lower);
      assert_int_equal(refute(&ce, &l.a, NULL, claims[k], 30), REFUTE_FOUND);
      rational_parse_str(d, claims[k], NULL);
      ball_lower(lower, ce.loss);
      assert_true(fmpq_cmp(lower, d) > 0);
      fmpq_clear(d);
      fmpq_clear(lower);
      automaton_counterexample_clear(&ce);
    }
    dipa_file_clear(&l);
  }
}

/* Following the walk of the decision: the cycle again and again. */
static void walks_are_followed(void **state) {
  (void)state;
  struct dipa_file l;
  struct automaton_counterexample ce;
  struct automaton_result analysis;
  assert_true(dipa_file_parse(&l, SORT));
  automaton_analyse(&analysis, &l.a);
  assert_int_equal(analysis.verdict, AUTOMATON_NOT_PRIVATE);
  assert_int_equal(refute(&ce, &l.a, &analysis, "3", 30), REFUTE_FOUND);
  assert_true(ce.iterations > 0);
  automaton_counterexample_clear(&ce);
  automaton_result_clear(&analysis);
  dipa_file_clear(&l);
}

/* What must be noticed: each change makes the data no counterexample any more. */
static void tampering_is_noticed(void **state) {
  (void)state;
  struct dipa_file l;
  struct automaton_counterexample ce;
  char *why;
  assert_true(dipa_file_parse(&l, SVT));
  assert_int_equal(refute(&ce, &l.a, NULL, "1", 20), REFUTE_FOUND);
  assert_true(automaton_certify(&ce, NULL, &why));
  /* the runs swapped */
  struct automaton_query swap = ce.first;
  ce.first = ce.second;
  ce.second = swap;
  assert_false(automaton_certify(&ce, NULL, &why));
  assert_false(ce.is_certified);
  assert_string_equal(why, "the loss does not exceed the claim");
  free(why);
  swap = ce.first;
  ce.first = ce.second;
  ce.second = swap;
  /* a claim above the cost */
  fmpq_set_si(ce.claimed, 5, 4);
  assert_false(automaton_certify(&ce, NULL, &why));
  free(why);
  fmpq_one(ce.claimed);
  /* inputs too far apart */
  struct automaton_step *last = &vec_last(&ce.second.steps);
  fmpq_t saved, more;
  fmpq_init(saved);
  fmpq_init(more);
  fmpq_set_si(more, 1, 1000);
  fmpq_set(saved, last->input);
  fmpq_sub(last->input, last->input, more);
  assert_false(automaton_certify(&ce, NULL, &why));
  assert_string_equal(why, "the inputs of step 4 differ by more than 1");
  free(why);
  fmpq_set(last->input, saved);
  /* a non-input state */
  fmpq_set(ce.second.steps.at[0].input, more);
  assert_false(automaton_certify(&ce, NULL, &why));
  assert_string_equal(why, "step 1 reads no input, but the inputs differ");
  free(why);
  fmpq_zero(ce.second.steps.at[0].input);
  /* another output in one of the runs */
  uint32_t what = last->what;
  last->what = ce.first.steps.at[0].what;
  assert_false(automaton_certify(&ce, NULL, &why));
  assert_string_equal(why, "the queries differ in the output of step 4");
  free(why);
  last->what = what;
  /* another eps in one of the runs */
  fmpq_add(ce.second.eps, ce.second.eps, more);
  assert_false(automaton_certify(&ce, NULL, &why));
  free(why);
  fmpq_sub(ce.second.eps, ce.second.eps, more);
  assert_true(automaton_certify(&ce, NULL, &why)); /* all is as it was */
  fmpq_clear(saved);
  fmpq_clear(more);
  automaton_counterexample_clear(&ce);
  dipa_file_clear(&l);
}

/* Along one path of MUTE the probabilities differ, but the output is what counts: it has two. */
static void other_paths_with_the_same_output_count(void **state) {
  (void)state;
  struct dipa_file l;
  struct automaton_counterexample ce;
  char *why;
  assert_true(dipa_file_parse(&l, MUTE));
  automaton_counterexample_init(&ce, &l.a);
  uint32_t o = l.a.edges.at[0].emit;
  fmpq_one(ce.eps);
  fmpq_set_si(ce.claimed, 1, 1000);
  for (int i = 0; i < 3; i++) {
    automaton_query_push(&ce.first, o);
    fmpq_set_si(automaton_query_push(&ce.second, o)->input, i > 0, 1);
  }
  assert_false(automaton_certify(&ce, NULL, &why));
  assert_int_equal(ce.paths, 4);
  assert_true(arb_contains_si(ce.p1, 1) && arb_contains_si(ce.p2, 1));
  free(why);
  automaton_counterexample_clear(&ce);
  dipa_file_clear(&l);
}

static void lower_bounds_approach_the_cost(void **state) {
  (void)state;
  static const char *const texts[] = {SVT, RANGE};
  for (size_t i = 0; i < 4; i++) {
    struct dipa_file l;
    struct automaton_counterexample ce;
    struct automaton_result analysis;
    const char *why;
    fmpq_t end;
    struct budget budget = budget_of_seconds(20);
    fmpq_init(end);
    assert_true(dipa_file_parse(&l, texts[i % 2]));
    automaton_analyse(&analysis, &l.a);
    assert_int_equal(analysis.verdict, AUTOMATON_PRIVATE);
    automaton_counterexample_init(&ce, &l.a);
    assert_int_equal(automaton_lower_bound(&ce, &l.a, i < 2 ? &analysis : NULL, &budget, &why),
                     REFUTE_FOUND);
    ball_lower(end, ce.loss);
    assert_true(rational_double(end) >= 0.99 * 1.25);
    ball_upper(end, ce.loss);
    assert_true(fmpq_cmp(end, analysis.upper) < 0);
    fmpq_clear(end);
    automaton_counterexample_clear(&ce);
    automaton_result_clear(&analysis);
    dipa_file_clear(&l);
  }
}

/* The cost of a path, against trying all shifts. */
static void deltas_are_priced_correctly(void **state) {
  (void)state;
  struct dipa_file l;
  struct shift_path path;
  const char *why;
  fmpq_t expected;
  fmpq_init(expected);
  assert_true(dipa_file_parse(&l, SVT));
  uint32_t edges[5] = {0, 1, 1, 1, 2};
  shift_path_init(&path);
  assert_true(shift_search_deltas(&path, &l.a, edges, 5, NULL, &why));
  fmpq_set_si(expected, 5, 4);
  assert_true(fmpq_equal(path.cost, expected));
  assert_int_equal(path.deltas.at[1], 1); /* below: the query rises */
  assert_int_equal(path.deltas.at[4], -1);
  shift_path_clear(&path);
  shift_path_init(&path);
  assert_true(shift_search_deltas(&path, &l.a, edges, 2, NULL, &why));
  fmpq_set_si(expected, 1, 4);
  assert_true(fmpq_equal(path.cost, expected));
  shift_path_clear(&path);
  shift_path_init(&path);
  edges[1] = 0;
  assert_false(shift_search_deltas(&path, &l.a, edges, 2, NULL, &why));
  shift_path_clear(&path);
  fmpq_clear(expected);
  dipa_file_clear(&l);
}

/* The peer's automata: those that are not private lose more than eps, with evidence; a private one
 * never loses its cost. */
static void peer_automata(void **state) {
  (void)state;
  const char *folder = "../shared/peers/dipaut";
  char path[512], line[512];
  snprintf(path, sizeof path, "%s/expected.tsv", folder);
  FILE *table = fopen(path, "r");
  if (!table) {
    print_message("skipped: %s is not there\n", path);
    skip();
  }
  size_t refuted = 0, kept = 0;
  while (fgets(line, sizeof line, table)) {
    char *save, *file = strtok_r(line, "\t", &save), *expected = strtok_r(NULL, "\t", &save);
    char *cost = strtok_r(NULL, "\t", &save);
    bool is_private = strcmp(expected, "private") == 0;
    if (!is_private && strcmp(expected, "not private") != 0) continue;
    if (strncmp(cost, "<= ", 3) == 0) cost += 3;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    struct dipa_file l;
    struct automaton_counterexample ce;
    assert_true(dipa_file_read(&l, path));
    enum refute_status status =
        refute(&ce, &l.a, NULL, is_private ? cost : "1", is_private ? 0.05 : 60);
    if ((status == REFUTE_FOUND) == is_private) fail_msg("%s", file);
    *(is_private ? &kept : &refuted) += 1;
    automaton_counterexample_clear(&ce);
    dipa_file_clear(&l);
  }
  fclose(table);
  assert_true(refuted >= 20 && kept >= 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(claims_below_the_cost_are_refuted),
      cmocka_unit_test(automata_that_are_not_private_lose_any_budget),
      cmocka_unit_test(walks_are_followed),
      cmocka_unit_test(tampering_is_noticed),
      cmocka_unit_test(other_paths_with_the_same_output_count),
      cmocka_unit_test(lower_bounds_approach_the_cost),
      cmocka_unit_test(deltas_are_priced_correctly),
      cmocka_unit_test(peer_automata),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
