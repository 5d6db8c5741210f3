#include <stdlib.h>
#include <string.h>

#include "out/print.h"
#include "term/build.h"
#include "term/eval.h"
#include "term/linear.h"
#include "term/subst.h"
#include "termgen.h"
#include "testlib.h"

static struct terms ts;

static int setup(void **state) {
  (void)state;
  terms_init(&ts);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  terms_clear(&ts);
  return 0;
}

static term_id real(const char *name, unsigned run) {
  return term_var(&ts, name, SORT_REAL, run, 0);
}

static term_id integer(const char *name, unsigned run) {
  return term_var(&ts, name, SORT_INT, run, 0);
}

static void assert_prints(term_id t, const char *expected) {
  char *text = term_text(&ts, t);
  assert_string_equal(text, expected);
  free(text);
}

static void equal_terms_are_one_handle(void **state) {
  (void)state;
  term_id x = real("x", 1), y = real("y", 2);
  assert_int_equal(x, real("x", 1));
  assert_int_not_equal(x, real("x", 2));
  assert_int_not_equal(x, real("x", 0));
  assert_int_not_equal(x, term_var(&ts, "x", SORT_REAL, 1, 1));
  assert_int_not_equal(x, term_var(&ts, "x", SORT_INT, 1, 0));
  assert_int_equal(term_add(&ts, x, y), term_add(&ts, y, x));
  assert_int_equal(term_mul(&ts, x, y), term_mul(&ts, y, x));
  term_id f = term_fresh(&ts, x), g = term_fresh(&ts, x);
  assert_true(f != g && f != x);
  assert_string_equal(term_var_get(&ts, f)->name, "x");
  assert_int_equal(term_var_get(&ts, f)->run, 1);
}

static void linear_terms_are_canonical(void **state) {
  (void)state;
  term_id x = real("x", 0), y = real("y", 0);
  assert_int_equal(term_sub(&ts, x, x), term_rat(&ts, 0, 1));
  term_id a = term_add(&ts, term_mul(&ts, term_rat(&ts, 3, 2), term_add(&ts, x, y)), x);
  term_id b =
      term_sub(&ts, term_mul(&ts, term_rat(&ts, 5, 2), x), term_mul(&ts, term_rat(&ts, -3, 2), y));
  assert_int_equal(a, b);
  assert_int_equal(term_le(&ts, x, term_add(&ts, x, term_int(&ts, 1))), ts.true_term);
  assert_int_equal(term_lt(&ts, x, x), ts.false_term);
  assert_int_equal(term_eq(&ts, x, term_add(&ts, x, term_int(&ts, 1))), ts.false_term);
  assert_int_equal(term_abs(&ts, term_sub(&ts, x, y)), term_abs(&ts, term_sub(&ts, y, x)));
}

static void only_quotients_by_numbers_are_simplified(void **state) {
  (void)state;
  term_id x = real("x", 0), y = real("y", 0), zero = term_rat(&ts, 0, 1);
  assert_int_equal(term_div(&ts, x, term_int(&ts, 2)), term_mul(&ts, term_rat(&ts, 1, 2), x));
  assert_int_equal(term_kind(&ts, term_div(&ts, x, x)), TERM_DIV);
  assert_int_equal(term_kind(&ts, term_div(&ts, zero, y)), TERM_DIV);
  assert_int_equal(term_kind(&ts, term_div(&ts, x, zero)), TERM_DIV);
  assert_int_equal(term_kind(&ts, term_mul(&ts, y, term_div(&ts, x, y))), TERM_MUL);
  assert_int_equal(term_kind(&ts, term_exp(&ts, term_ln(&ts, x))), TERM_EXP);
  term_id n = integer("n", 0), i0 = term_int(&ts, 0);
  assert_int_equal(term_kind(&ts, term_idiv(&ts, n, i0)), TERM_IDIV);
  assert_int_equal(term_kind(&ts, term_mod(&ts, i0, n)), TERM_MOD);
}

static void ill_sorted_arguments_give_no_term(void **state) {
  (void)state;
  term_id x = real("x", 0), b = term_var(&ts, "b", SORT_BOOL, 0, 0);
  term_id nothing[] = {term_add(&ts, x, b),
                       term_and(&ts, x, b),
                       term_le(&ts, b, x),
                       term_not(&ts, x),
                       term_idiv(&ts, x, x),
                       term_select(&ts, x, term_int(&ts, 0)),
                       term_length(&ts, x),
                       term_eq(&ts, x, b),
                       term_ite(&ts, x, b, b),
                       term_not(&ts, TERM_NONE),
                       term_and(&ts, b, TERM_NONE),
                       term_or(&ts, ts.true_term, TERM_NONE),
                       term_implies(&ts, ts.false_term, TERM_NONE),
                       term_mul(&ts, term_rat(&ts, 0, 1), TERM_NONE),
                       term_forall(&ts, &x, 1, x),
                       term_rat(&ts, 1, 0)};
  for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
    assert_int_equal(nothing[i], TERM_NONE);
}

static void limits_fail_closed(void **state) {
  (void)state;
  term_id t = real("x", 0);
  for (int i = 0; t && i < 3 * TERM_LIMIT_DEPTH; i++)
    t = term_exp(&ts, term_neg(&ts, t));
  assert_int_equal(t, TERM_NONE);
  assert_int_equal(ts.failure, TERM_FAILURE_DEPTH);
  term_id big = term_int(&ts, 3);
  for (int i = 0; big && i < 40; i++)
    big = term_mul(&ts, big, big);
  assert_int_equal(big, TERM_NONE);
  assert_int_equal(ts.failure, TERM_FAILURE_NUMBER);
  assert_int_equal(term_pow(&ts, real("x", 0), TERM_LIMIT_POWER + 1), TERM_NONE);
}

static void quantifiers_do_not_know_names(void **state) {
  (void)state;
  term_id i = integer("i", 0), j = integer("j", 0), n = integer("n", 0);
  term_id q = term_var(&ts, "q", sort_array(&ts, SORT_REAL), 1, 0);
  term_id p = term_var(&ts, "q", sort_array(&ts, SORT_REAL), 2, 0);
  term_id one = term_int(&ts, 1), zero = term_int(&ts, 0);
  term_id q_i = term_select(&ts, q, i), p_i = term_select(&ts, p, i);
  term_id body_i = term_le(&ts, term_abs(&ts, term_sub(&ts, q_i, p_i)), one);
  term_id body_j = term_subst(&ts, body_i, &i, &j, 1);
  term_id all_i = term_forall_range(&ts, i, zero, n, body_i);
  term_id all_j = term_forall_range(&ts, j, zero, n, body_j);
  assert_int_equal(all_i, all_j);
  assert_prints(all_i, "forall i in 0..n. abs(q<1>[i] - q<2>[i]) <= 1");
  /* Capture: putting i for n must not bind it. */
  term_id captured = term_subst(&ts, all_i, &n, &i, 1);
  assert_prints(captured, "forall i' in 0..i. abs(q<1>[i'] - q<2>[i']) <= 1");
  assert_true(term_mentions(&ts, captured, &i, 1));
  assert_false(term_mentions(&ts, all_i, &i, 1));
  term_id at3 = term_instantiate(&ts, all_i, term_int(&ts, 3));
  assert_prints(at3, "3 < n -> abs(q<1>[3] - q<2>[3]) <= 1");
  assert_int_equal(term_forall(&ts, &i, 1, term_le(&ts, n, one)), term_le(&ts, n, one));
  term_id nested = term_forall(&ts, (term_id[]){i, j}, 2,
                               term_exists(&ts, &n, 1, term_lt(&ts, term_add(&ts, i, j), n)));
  assert_prints(nested, "forall i : int, j : int. exists n : int. j + i < n");
  term_id var, opened = term_open(&ts, nested, &var);
  assert_int_equal(term_forall(&ts, &var, 1, opened), nested);
}

static void runs_swap_and_tag(void **state) {
  (void)state;
  term_id x1 = real("x", 1), x2 = real("x", 2), e = real("eps", 0);
  term_id t = term_le(&ts, term_sub(&ts, x1, x2), e);
  term_id s = term_swap_runs(&ts, t);
  assert_int_equal(s, term_le(&ts, term_sub(&ts, x2, x1), e));
  assert_int_equal(term_swap_runs(&ts, s), t);
  term_id x = real("x", 0);
  assert_int_equal(term_tag(&ts, term_add(&ts, x, e), 2, &x, 1), term_add(&ts, x2, e));
  assert_true(term_in_run(&ts, t, 1) && term_in_run(&ts, t, 2) && !term_in_run(&ts, x1, 2));
}

static void substitution_is_simultaneous(void **state) {
  (void)state;
  term_id x = real("x", 0), y = real("y", 0);
  term_id t = term_sub(&ts, x, term_mul(&ts, term_int(&ts, 2), y));
  term_id swapped = term_subst(&ts, t, (term_id[]){x, y}, (term_id[]){y, x}, 2);
  assert_int_equal(swapped, term_sub(&ts, y, term_mul(&ts, term_int(&ts, 2), x)));
  /* ill-sorted replacement */
  assert_int_equal(term_subst(&ts, t, &x, &ts.true_term, 1), TERM_NONE);
}

static void terms_print_as_source(void **state) {
  (void)state;
  term_id x = real("x", 1), y = real("y", 2), e = real("eps", 0), n = integer("n", 0);
  term_id two = term_int(&ts, 2), b = term_var(&ts, "b", SORT_BOOL, 0, 0);
  assert_prints(term_sub(&ts, y, x), "y<2> - x<1>");
  assert_prints(term_neg(&ts, x), "-x<1>");
  assert_prints(term_div(&ts, term_mul(&ts, term_int(&ts, 3), x), two), "3*x<1>/2");
  assert_prints(term_div(&ts, x, term_mul(&ts, two, e)), "x<1>/(2*eps)");
  assert_prints(term_mul(&ts, x, term_add(&ts, y, term_rat(&ts, 1, 2))), "x<1>*(y<2> + 1/2)");
  assert_prints(term_pow(&ts, term_add(&ts, x, y), 2), "(x<1> + y<2>)^2");
  assert_prints(term_ne(&ts, x, y), "x<1> != y<2>");
  term_id le = term_le(&ts, x, y);
  assert_prints(term_implies(&ts, term_or(&ts, b, le), term_and(&ts, b, term_not(&ts, le))),
                "b or x<1> <= y<2> -> b and y<2> < x<1>");
  assert_prints(term_not(&ts, term_or(&ts, b, le)), "not (b or x<1> <= y<2>)");
  assert_prints(term_iff(&ts, b, le), "b <-> x<1> <= y<2>");
  assert_prints(term_ite(&ts, b, x, n), "if b then x<1> else n");
  assert_prints(term_add(&ts, term_ite(&ts, b, x, y), e), "eps + (if b then x<1> else y<2>)");
  term_id l = term_var(&ts, "l", sort_list(&ts, SORT_INT), 1, 0);
  term_id nil = term_nil(&ts, sort_list(&ts, SORT_INT));
  assert_prints(term_cons(&ts, n, l), "n :: l<1>");
  assert_prints(term_cons(&ts, n, term_cons(&ts, two, nil)), "[n, 2]");
  assert_prints(term_length(&ts, term_cons(&ts, n, l)), "length(l<1>) + 1");
  assert_prints(term_append(&ts, l, l), "l<1> ++ l<1>");
  term_id pair = term_var(&ts, "p", sort_tuple(&ts, (sort_id[]){SORT_INT, SORT_REAL}, 2), 0, 0);
  assert_prints(term_proj(&ts, pair, 1), "p.2");
  assert_prints(term_fresh(&ts, x), "x@1<1>");
  assert_prints(term_div(&ts, term_ln(&ts, term_div(&ts, term_int(&ts, 1), e)), e),
                "ln(1/eps)/eps");
}

/* Every builder computes what plain arithmetic computes. */
static void normal_forms_keep_the_value(void **state) {
  (void)state;
  struct termgen g;
  termgen_init(&g, &ts, 42);
  struct evaluator ev;
  eval_init(&ev, &ts);
  size_t checked = 0, rounds = test_rounds(6000);
  for (size_t i = 0; i < rounds; i++) {
    if (i % 10 == 0) termgen_assign(&g);
    static const sort_id sorts[] = {SORT_INT, SORT_REAL, SORT_BOOL};
    sort_id sort = sorts[i % 3];
    struct sample s;
    sample_init(&s);
    termgen_sample(&g, &s, sort, (int)(i % 5) + 1);
    assert_int_not_equal(s.term, TERM_NONE);
    assert_int_equal(term_sort(&ts, s.term), sort);
    if (!s.poison) {
      eval_reset(&ev);
      termgen_bind(&g, &ev);
      const struct tvalue *v = eval_term(&ev, s.term);
      if (sort == SORT_BOOL) {
        assert_int_equal(v->kind, TVALUE_BOOL);
        assert_int_equal(v->truth, s.truth);
      } else {
        assert_int_equal(v->kind, TVALUE_EXACT);
        assert_true(fmpq_equal(&v->exact, &s.number));
      }
      checked++;
    }
    sample_clear(&s);
  }
  assert_true(checked > rounds / 2);
  eval_clear(&ev);
  termgen_clear(&g);
}

/* value(t[x := u]) under A  =  value(t) under A[x := value(u)]. */
static void substitution_lemma(void **state) {
  (void)state;
  struct termgen g;
  termgen_init(&g, &ts, 7);
  struct evaluator before, after;
  eval_init(&before, &ts);
  eval_init(&after, &ts);
  size_t checked = 0, rounds = test_rounds(1500);
  for (size_t i = 0; i < rounds; i++) {
    termgen_assign(&g);
    term_id t = termgen_term(&g, SORT_BOOL, 4);
    term_id u = termgen_term(&g, SORT_REAL, 2), n = termgen_term(&g, SORT_INT, 2);
    if (i % 2) { /* also below a binder, where the replaced variable may occur */
      term_id k = g.ints[1];
      t = term_forall(&ts, &k, 1, t);
    }
    term_id from[] = {g.reals[0], g.ints[0]}, to[] = {u, n};
    term_id s = term_subst(&ts, t, from, to, 2);
    assert_int_not_equal(s, TERM_NONE);
    eval_reset(&before);
    eval_reset(&after);
    termgen_bind(&g, &before);
    termgen_bind(&g, &after);
    const struct tvalue *vu = eval_term(&before, u), *vn = eval_term(&before, n);
    if (vu->kind != TVALUE_EXACT || vn->kind != TVALUE_EXACT) continue;
    eval_assign(&after, from[0], tvalue_exact(&after, &vu->exact));
    eval_assign(&after, from[1], tvalue_exact(&after, &vn->exact));
    int a = eval_truth(&before, s), b = eval_truth(&after, t);
    assert_true(a < 0 || b < 0 || a == b);
    if (a >= 0 && b >= 0) checked++;
  }
  assert_true(checked > rounds / 4);
  eval_clear(&before);
  eval_clear(&after);
  termgen_clear(&g);
}

static void balls_enclose_and_decide(void **state) {
  (void)state;
  struct evaluator ev;
  eval_init(&ev, &ts);
  term_id x = real("x", 0);
  fmpq q;
  fmpq_init(&q);
  fmpq_set_si(&q, 1, 3);
  eval_assign(&ev, x, tvalue_exact(&ev, &q));
  fmpq_clear(&q);
  term_id e = term_exp(&ts, x), one_plus = term_add(&ts, x, term_int(&ts, 1));
  assert_int_equal(eval_truth(&ev, term_le(&ts, one_plus, e)), 1);
  assert_int_equal(eval_truth(&ev, term_le(&ts, e, one_plus)), 0);
  assert_int_equal(eval_truth(&ev, term_eq(&ts, e, one_plus)), 0);
  term_id root = term_sqrt(&ts, term_rat(&ts, 2, 1));
  assert_int_equal(eval_truth(&ev, term_eq(&ts, term_mul(&ts, root, root), term_int(&ts, 2))), -1);
  assert_int_equal(eval_truth(&ev, term_lt(&ts, term_ln(&ts, term_neg(&ts, x)), x)), -1);
  assert_int_equal(eval_truth(&ev, term_eq(&ts, term_div(&ts, x, term_rat(&ts, 0, 1)), x)), -1);
  eval_clear(&ev);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(equal_terms_are_one_handle, setup, teardown),
      cmocka_unit_test_setup_teardown(linear_terms_are_canonical, setup, teardown),
      cmocka_unit_test_setup_teardown(only_quotients_by_numbers_are_simplified, setup, teardown),
      cmocka_unit_test_setup_teardown(ill_sorted_arguments_give_no_term, setup, teardown),
      cmocka_unit_test_setup_teardown(limits_fail_closed, setup, teardown),
      cmocka_unit_test_setup_teardown(quantifiers_do_not_know_names, setup, teardown),
      cmocka_unit_test_setup_teardown(runs_swap_and_tag, setup, teardown),
      cmocka_unit_test_setup_teardown(substitution_is_simultaneous, setup, teardown),
      cmocka_unit_test_setup_teardown(terms_print_as_source, setup, teardown),
      cmocka_unit_test_setup_teardown(normal_forms_keep_the_value, setup, teardown),
      cmocka_unit_test_setup_teardown(substitution_lemma, setup, teardown),
      cmocka_unit_test_setup_teardown(balls_enclose_and_decide, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
