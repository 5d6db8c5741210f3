/* ctest-label: release */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "out/print.h"
#include "smt/cvc5.h"
#include "smt/smt.h"
#include "term/build.h"
#include "term/subst.h"
#include "termgen.h"
#include "testlib.h"

static struct terms ts;
static struct smt smt;

static int setup(void **state) {
  (void)state;
  terms_init(&ts);
  struct smt_options options = smt_default_options();
  options.timeout_s = 120; /* the resource limit decides, not the load of the machine */
  smt_init(&smt, &ts, &options);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  smt_clear(&smt);
  terms_clear(&ts);
  return 0;
}

static term_id var(const char *name, sort_id sort, unsigned run) {
  return term_var(&ts, name, sort, run, 0);
}

static term_id num(long n) {
  return term_int(&ts, n);
}

static void assert_verdict(enum smt_verdict expected, term_id hypothesis, term_id goal) {
  enum smt_verdict v = smt_implies(&smt, "test", span_none(), hypothesis, goal);
  if (v != expected) {
    char *h = term_text(&ts, hypothesis), *g = term_text(&ts, goal);
    const struct smt_record *r = smt_last(&smt);
    print_message("%s |= %s: %s (%s)\n", h, g, smt_verdict_name(v), r->reason ? r->reason : "");
    free(h);
    free(g);
  }
  assert_int_equal(v, expected);
}

static void linear_arithmetic(void **state) {
  (void)state;
  term_id x = var("x", SORT_REAL, 1), y = var("x", SORT_REAL, 2);
  term_id h = term_le(&ts, term_abs(&ts, term_sub(&ts, x, y)), num(1));
  assert_verdict(SMT_VALID, h, term_le(&ts, x, term_add(&ts, y, num(1))));
  assert_verdict(SMT_INVALID, h, term_le(&ts, x, y));
  assert_true(smt.has_model);
  struct buffer b;
  buffer_init(&b);
  model_print(&b, &smt.model);
  assert_non_null(strstr(buffer_text(&b), "x<1> = "));
  assert_non_null(strstr(buffer_text(&b), "x<2> = "));
  buffer_clear(&b);
}

static void integers_are_integers(void **state) {
  (void)state;
  term_id n = var("n", SORT_INT, 0), z = var("z", SORT_REAL, 0);
  term_id h = term_lt(&ts, num(0), n), half = term_rat(&ts, 1, 2);
  assert_verdict(SMT_VALID, h, term_ge(&ts, n, num(1)));
  assert_verdict(SMT_INVALID, term_lt(&ts, num(0), z), term_ge(&ts, z, num(1)));
  term_id floor = term_floor(&ts, term_add(&ts, z, half));
  assert_verdict(SMT_VALID, ts.true_term,
                 term_le(&ts, term_abs(&ts, term_sub(&ts, floor, z)), half));
  term_id ceil = term_ceil(&ts, z);
  assert_verdict(
      SMT_VALID, ts.true_term,
      term_and(&ts, term_le(&ts, z, ceil), term_lt(&ts, ceil, term_add(&ts, z, num(1)))));
}

/* x div y rounds down for either sign of y. */
static void division_is_floor_division(void **state) {
  (void)state;
  term_id x = var("x", SORT_INT, 0);
  static const int divisors[] = {3, -3, 2, -2};
  for (size_t i = 0; i < 4; i++) {
    term_id d = num(divisors[i]);
    term_id rest = term_sub(&ts, x, term_mul(&ts, d, term_idiv(&ts, x, d)));
    term_id low = num(divisors[i] > 0 ? 0 : divisors[i] + 1);
    term_id high = num(divisors[i] > 0 ? divisors[i] - 1 : 0);
    assert_verdict(SMT_VALID, ts.true_term,
                   term_and(&ts, term_le(&ts, low, rest), term_le(&ts, rest, high)));
    assert_verdict(SMT_VALID, ts.true_term, term_eq(&ts, rest, term_mod(&ts, x, d)));
  }
  /* the divisor a variable, pinned by bounds so that the solver has to do the work */
  static const int cases[][4] = {{7, 2, 3, 1}, {-7, 2, -4, 1}, {7, -2, -4, -1}, {-7, -2, 3, -1}};
  term_id y = var("y", SORT_INT, 0);
  for (size_t i = 0; i < 4; i++) {
    term_id pins[] = {term_le(&ts, x, num(cases[i][0])), term_ge(&ts, x, num(cases[i][0])),
                      term_le(&ts, y, num(cases[i][1])), term_ge(&ts, y, num(cases[i][1]))};
    term_id h = term_and_all(&ts, pins, 4);
    assert_verdict(SMT_VALID, h, term_eq(&ts, term_idiv(&ts, x, y), num(cases[i][2])));
    assert_verdict(SMT_VALID, h, term_eq(&ts, term_mod(&ts, x, y), num(cases[i][3])));
  }
  term_id zero = term_rat(&ts, 0, 1), r = var("r", SORT_REAL, 0);
  assert_int_not_equal(smt_implies(&smt, "x/0", span_none(), ts.true_term,
                                   term_eq(&ts, term_div(&ts, r, zero), zero)),
                       SMT_VALID);
}

static void arrays_and_adjacency(void **state) {
  (void)state;
  sort_id array = sort_array(&ts, SORT_REAL);
  term_id q1 = var("q", array, 1), q2 = var("q", array, 2);
  term_id i = var("i", SORT_INT, 0), j = var("j", SORT_INT, 1), n = var("n", SORT_INT, 0);
  term_id difference = term_sub(&ts, term_select(&ts, q1, i), term_select(&ts, q2, i));
  term_id adjacent =
      term_forall_range(&ts, i, num(0), n, term_le(&ts, term_abs(&ts, difference), num(1)));
  term_id in_range = term_and(&ts, term_le(&ts, num(0), j), term_lt(&ts, j, n));
  term_id at_j = term_sub(&ts, term_select(&ts, q1, j), term_select(&ts, q2, j));
  term_id h = term_and(&ts, adjacent, in_range);
  assert_verdict(SMT_VALID, h, term_le(&ts, at_j, num(1)));
  enum smt_verdict v =
      smt_implies(&smt, "out of range", span_none(), adjacent, term_le(&ts, at_j, num(1)));
  assert_int_not_equal(v, SMT_VALID);
  v = smt_implies(&smt, "too strong", span_none(), h, term_le(&ts, at_j, term_rat(&ts, 9, 10)));
  assert_int_not_equal(v, SMT_VALID);
  term_id stored = term_store(&ts, q1, j, num(5));
  assert_verdict(SMT_VALID, term_eq(&ts, i, j), term_eq(&ts, term_select(&ts, stored, i), num(5)));
}

static void lists_and_tuples(void **state) {
  (void)state;
  sort_id list = sort_list(&ts, SORT_INT);
  term_id l1 = var("l", list, 1), l2 = var("l", list, 2), m = var("m", list, 0);
  term_id x = var("x", SORT_INT, 0);
  term_id equal = term_eq(&ts, l1, l2);
  assert_verdict(SMT_VALID, equal, term_eq(&ts, term_length(&ts, l1), term_length(&ts, l2)));
  assert_verdict(SMT_VALID, equal, term_eq(&ts, term_cons(&ts, x, l1), term_cons(&ts, x, l2)));
  assert_verdict(SMT_VALID, term_eq(&ts, term_cons(&ts, x, l1), term_cons(&ts, x, l2)), equal);
  assert_verdict(SMT_VALID, ts.true_term, term_ge(&ts, term_length(&ts, l1), num(0)));
  assert_verdict(SMT_VALID, term_eq(&ts, term_length(&ts, l1), num(0)),
                 term_eq(&ts, l1, term_nil(&ts, list)));
  term_id grown = term_eq(&ts, m, term_append(&ts, l1, l2));
  assert_verdict(SMT_VALID, term_and(&ts, grown, equal),
                 term_eq(&ts, term_length(&ts, m), term_mul(&ts, num(2), term_length(&ts, l2))));
  term_id pushed = term_eq(&ts, m, term_cons(&ts, x, l1));
  assert_verdict(SMT_VALID, pushed,
                 term_eq(&ts, term_length(&ts, m), term_add(&ts, term_length(&ts, l1), num(1))));
  assert_verdict(SMT_INVALID, ts.true_term, equal);
  enum smt_verdict v = smt_implies(&smt, "length", span_none(),
                                   term_eq(&ts, term_length(&ts, l1), term_length(&ts, l2)), equal);
  assert_int_not_equal(v, SMT_VALID);
  sort_id pair = sort_tuple(&ts, (sort_id[]){SORT_INT, SORT_BOOL}, 2);
  term_id p = var("p", pair, 1), q = var("p", pair, 2);
  term_id items = term_and(&ts, term_eq(&ts, term_proj(&ts, p, 0), term_proj(&ts, q, 0)),
                           term_eq(&ts, term_proj(&ts, p, 1), term_proj(&ts, q, 1)));
  assert_verdict(SMT_VALID, items, term_eq(&ts, p, q));
  assert_verdict(SMT_INVALID, term_eq(&ts, term_proj(&ts, p, 0), term_proj(&ts, q, 0)),
                 term_eq(&ts, p, q));
}

/* Adj and a 1-sensitive query, as in the papers. */
static void operators_with_axioms(void **state) {
  (void)state;
  sort_id db = sort_abstract(&ts, "Db"), query = sort_abstract(&ts, "Query");
  symbol_id adj = symbol_declare(&ts, "Adj", (sort_id[]){db, db}, 2, SORT_BOOL);
  symbol_id eval = symbol_declare(&ts, "evalQ", (sort_id[]){query, db}, 2, SORT_INT);
  term_id d1 = var("d", db, 1), d2 = var("d", db, 2), q = var("q", query, 0);
  term_id a = var("a", db, 0), b = var("b", db, 0);
  term_id answer1 = term_app(&ts, eval, (term_id[]){q, a}, 2);
  term_id answer2 = term_app(&ts, eval, (term_id[]){q, b}, 2);
  term_id bound = term_le(&ts, term_abs(&ts, term_sub(&ts, answer1, answer2)), num(1));
  term_id sensitive =
      term_forall(&ts, (term_id[]){q, a, b}, 3,
                  term_implies(&ts, term_app(&ts, adj, (term_id[]){a, b}, 2), bound));
  term_id h = term_app(&ts, adj, (term_id[]){d1, d2}, 2);
  term_id r1 = term_app(&ts, eval, (term_id[]){q, d1}, 2);
  term_id r2 = term_app(&ts, eval, (term_id[]){q, d2}, 2);
  term_id goal = term_le(&ts, r1, term_add(&ts, r2, num(1)));
  assert_int_not_equal(smt_implies(&smt, "no axiom", span_none(), h, goal), SMT_VALID);
  h = term_and(&ts, h, sensitive);
  assert_verdict(SMT_VALID, h, goal);
  assert_int_not_equal(smt_implies(&smt, "too strong", span_none(), h, term_le(&ts, r1, r2)),
                       SMT_VALID);
}

static void assert_not_valid(term_id hypothesis, term_id goal) {
  assert_int_not_equal(smt_implies(&smt, "false", span_none(), hypothesis, goal), SMT_VALID);
}

/* What a sampling rule asks: the shift |1 + q1[i] - q2[i]| at scale 4/eps costs at most eps/2. */
static void costs_over_arrays(void **state) {
  (void)state;
  sort_id array = sort_array(&ts, SORT_REAL);
  term_id q1 = var("q", array, 1), q2 = var("q", array, 2), eps = var("eps", SORT_REAL, 0);
  term_id k = var("k", SORT_INT, 0), i = var("i", SORT_INT, 1), n = var("n", SORT_INT, 0);
  term_id at_k = term_sub(&ts, term_select(&ts, q1, k), term_select(&ts, q2, k));
  term_id at_i = term_sub(&ts, term_select(&ts, q1, i), term_select(&ts, q2, i));
  term_id adjacent =
      term_forall_range(&ts, k, num(0), n, term_le(&ts, term_abs(&ts, at_k), num(1)));
  term_id known[] = {adjacent, term_le(&ts, num(0), i), term_lt(&ts, i, n),
                     term_gt(&ts, eps, num(0))};
  term_id h = term_and_all(&ts, known, 4);
  term_id shift = term_abs(&ts, term_add(&ts, at_i, num(1)));
  term_id cost = term_div(&ts, shift, term_div(&ts, num(4), eps));
  assert_verdict(SMT_VALID, h, term_le(&ts, cost, term_div(&ts, eps, num(2))));
  assert_not_valid(h, term_le(&ts, cost, term_mul(&ts, eps, term_rat(&ts, 49, 100))));
  assert_not_valid(term_and_all(&ts, known, 3), term_le(&ts, cost, term_div(&ts, eps, num(2))));
}

/* Equations are used as substitutions: the arguments of mod become equal. */
static void equations_are_substituted(void **state) {
  (void)state;
  term_id j1 = var("j", SORT_INT, 1), j2 = var("j", SORT_INT, 2), m = var("m", SORT_INT, 0);
  term_id two_m = term_mul(&ts, num(2), m), h = term_eq(&ts, j2, term_add(&ts, j1, num(1)));
  term_id left = term_mod(&ts, term_sub(&ts, j2, num(2)), two_m);
  assert_verdict(SMT_VALID, h, term_eq(&ts, left, term_mod(&ts, term_sub(&ts, j1, num(1)), two_m)));
  assert_not_valid(h, term_eq(&ts, left, term_mod(&ts, j1, two_m)));
}

/* A potential: the budget left is (N - count) * eps / (2 N). */
static void potentials(void **state) {
  (void)state;
  term_id eps = var("eps", SORT_REAL, 0), n = var("N", SORT_INT, 0), c = var("count", SORT_INT, 1);
  term_id known[] = {term_gt(&ts, eps, num(0)), term_ge(&ts, n, num(1)), term_le(&ts, num(0), c),
                     term_lt(&ts, c, n)};
  term_id h = term_and_all(&ts, known, 4), two_n = term_mul(&ts, num(2), n);
  term_id left = term_div(&ts, term_mul(&ts, term_sub(&ts, n, c), eps), two_n);
  term_id next = term_add(&ts, c, num(1));
  term_id then = term_div(&ts, term_mul(&ts, term_sub(&ts, n, next), eps), two_n);
  term_id step = term_div(&ts, eps, two_n);
  assert_verdict(SMT_VALID, h, term_le(&ts, term_add(&ts, then, step), left));
  assert_verdict(SMT_VALID, h, term_ge(&ts, then, num(0))); /* needs count + 1 <= N */
  assert_verdict(SMT_VALID, h, term_le(&ts, left, term_div(&ts, eps, num(2))));
  assert_not_valid(h, term_gt(&ts, then, num(0)));
  assert_not_valid(h, term_lt(&ts, term_add(&ts, then, step), left));
}

/* The same through an operator with a sensitivity axiom, scale 3/e. */
static void costs_through_operators(void **state) {
  (void)state;
  sort_id db = sort_abstract(&ts, "Db"), query = sort_abstract(&ts, "Query");
  symbol_id adj = symbol_declare(&ts, "Adj", (sort_id[]){db, db}, 2, SORT_BOOL);
  symbol_id eval = symbol_declare(&ts, "evalQ", (sort_id[]){query, db}, 2, SORT_INT);
  term_id d1 = var("d", db, 1), d2 = var("d", db, 2), q = var("q", query, 1);
  term_id a = var("a", db, 0), b = var("b", db, 0), r = var("r", query, 0);
  term_id e = var("e", SORT_REAL, 0);
  term_id difference = term_sub(&ts, term_app(&ts, eval, (term_id[]){r, a}, 2),
                                term_app(&ts, eval, (term_id[]){r, b}, 2));
  term_id small = term_le(&ts, term_abs(&ts, difference), num(1));
  term_id sensitive =
      term_forall(&ts, (term_id[]){r, a, b}, 3,
                  term_implies(&ts, term_app(&ts, adj, (term_id[]){a, b}, 2), small));
  term_id h = term_and(&ts, term_app(&ts, adj, (term_id[]){d1, d2}, 2), term_gt(&ts, e, num(0)));
  h = term_and(&ts, h, sensitive);
  term_id moved = term_sub(&ts, term_app(&ts, eval, (term_id[]){q, d1}, 2),
                           term_app(&ts, eval, (term_id[]){q, d2}, 2));
  term_id cost = term_div(&ts, term_abs(&ts, moved), term_div(&ts, num(3), e));
  assert_verdict(SMT_VALID, h, term_le(&ts, cost, term_div(&ts, e, num(3))));
  assert_not_valid(h, term_le(&ts, cost, term_div(&ts, e, num(4))));
}

static void missing_terms_prove_nothing(void **state) {
  (void)state;
  term_id b = var("b", SORT_BOOL, 0);
  term_id bad[] = {ts.false_term, TERM_NONE};
  assert_int_equal(smt_entails(&smt, "x", span_none(), bad, 2, b), SMT_UNKNOWN);
  assert_int_equal(smt_entails(&smt, "x", span_none(), bad, 1, TERM_NONE), SMT_UNKNOWN);
  assert_int_equal(smt_implies(&smt, "x", span_none(), var("r", SORT_REAL, 0), b), SMT_UNKNOWN);
  assert_non_null(smt_last(&smt)->reason);
}

static void answers_are_remembered_and_recorded(void **state) {
  (void)state;
  term_id x = var("x", SORT_REAL, 0), y = var("y", SORT_REAL, 0);
  term_id h[] = {term_lt(&ts, x, y), term_lt(&ts, y, num(3))};
  term_id goal = term_lt(&ts, x, num(3));
  assert_int_equal(smt_entails(&smt, "first", (struct span){1, 2, 3}, h, 2, goal), SMT_VALID);
  assert_string_equal(smt_last(&smt)->method, "z3");
  term_id swapped[] = {h[1], h[0]};
  assert_int_equal(smt_entails(&smt, "again", span_none(), swapped, 2, goal), SMT_VALID);
  assert_string_equal(smt_last(&smt)->method, "cache");
  assert_int_equal(smt_last(&smt)->questions, 0);
  assert_int_equal(smt_entails(&smt, "other", span_none(), h, 1, goal), SMT_INVALID);
  assert_int_equal(smt.records.len, 3);
  assert_string_equal(smt.records.at[0].name, "first");
  assert_int_equal(smt.records.at[0].place.file, 1);
}

static void names_never_clash(void **state) {
  (void)state;
  /* words of SMT-LIB, the same name at two sorts and versions, an operator like a variable */
  term_id real_store = var("store", SORT_REAL, 0), int_store = var("store", SORT_INT, 0);
  term_id old = term_fresh(&ts, real_store);
  symbol_id f = symbol_declare(&ts, "store", (sort_id[]){SORT_REAL}, 1, SORT_REAL);
  term_id h = term_and(&ts, term_eq(&ts, real_store, num(1)), term_eq(&ts, old, num(2)));
  assert_verdict(SMT_VALID, h, term_lt(&ts, real_store, old));
  assert_verdict(SMT_INVALID, h, term_eq(&ts, int_store, num(1)));
  term_id f_old = term_app(&ts, f, &old, 1), f_new = term_app(&ts, f, &real_store, 1);
  assert_verdict(SMT_VALID, term_eq(&ts, old, real_store), term_eq(&ts, f_old, f_new));
  assert_int_not_equal(smt_implies(&smt, "f", span_none(), h, term_eq(&ts, f_old, f_new)),
                       SMT_VALID);
}

/* A formula called valid is true at every random point; a model is a counterexample. */
static void random_formulas_agree_with_evaluation(void **state) {
  (void)state;
  smt.options.rlimit = 300000;
  struct termgen g;
  termgen_init(&g, &ts, 2024);
  g.linear = true;
  struct evaluator ev;
  eval_init(&ev, &ts);
  size_t valid = 0, invalid = 0, rounds = test_rounds(150);
  for (size_t i = 0; i < rounds; i++) {
    term_id h = termgen_term(&g, SORT_BOOL, 3), goal = termgen_term(&g, SORT_BOOL, 3);
    if (i % 3 == 0) /* consequences of the hypothesis */
      goal = term_or(&ts, goal, term_and(&ts, h, termgen_term(&g, SORT_BOOL, 2)));
    if (i % 3 == 1) goal = term_or(&ts, h, goal);
    enum smt_verdict v = smt_implies(&smt, "random", span_none(), h, goal);
    valid += v == SMT_VALID;
    invalid += v == SMT_INVALID;
    for (int k = 0; v == SMT_VALID && k < 50; k++) {
      termgen_assign(&g);
      eval_reset(&ev);
      termgen_bind(&g, &ev);
      if (eval_truth(&ev, h) == 1) assert_int_not_equal(eval_truth(&ev, goal), 0);
    }
  }
  assert_true(valid > rounds / 10);
  assert_true(invalid > rounds / 10);
  eval_clear(&ev);
  termgen_clear(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(linear_arithmetic, setup, teardown),
      cmocka_unit_test_setup_teardown(integers_are_integers, setup, teardown),
      cmocka_unit_test_setup_teardown(division_is_floor_division, setup, teardown),
      cmocka_unit_test_setup_teardown(arrays_and_adjacency, setup, teardown),
      cmocka_unit_test_setup_teardown(lists_and_tuples, setup, teardown),
      cmocka_unit_test_setup_teardown(operators_with_axioms, setup, teardown),
      cmocka_unit_test_setup_teardown(costs_over_arrays, setup, teardown),
      cmocka_unit_test_setup_teardown(equations_are_substituted, setup, teardown),
      cmocka_unit_test_setup_teardown(potentials, setup, teardown),
      cmocka_unit_test_setup_teardown(costs_through_operators, setup, teardown),
      cmocka_unit_test_setup_teardown(missing_terms_prove_nothing, setup, teardown),
      cmocka_unit_test_setup_teardown(answers_are_remembered_and_recorded, setup, teardown),
      cmocka_unit_test_setup_teardown(names_never_clash, setup, teardown),
      cmocka_unit_test_setup_teardown(random_formulas_agree_with_evaluation, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
