/* Expressions of the language as terms: what is asked of the solver is what was written. */
#include <stdlib.h>
#include <string.h>

#include "claim/translate.h"
#include "kernel/internal.h"
#include "lang/syntax/lang.h"
#include "out/print.h"
#include "smt/smt.h"
#include "source_text.h"
#include "term/build.h"
#include "testlib.h"

static struct lang lang;
static struct terms ts;
static struct smt smt;
static struct kernel *k;
static struct translate_env env;

static int setup(void **state) {
  (void)state;
  lang_init(&lang);
  terms_init(&ts);
  smt_init(&smt, &ts, NULL);
  k = kernel_new(&ts, &smt.decider);
  translate_env_init(&env, k, &lang, NULL);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  translate_env_clear(&env);
  kernel_free(k);
  smt_clear(&smt);
  terms_clear(&ts);
  lang_clear(&lang);
  return 0;
}

static struct ast_module *load(const char *text) {
  struct ast_module *m = load_valid_text(&lang, text);
  env.module = m;
  return m;
}

static struct ast_decl *find(struct ast_module *m, enum decl_kind kind) {
  for (size_t i = 0; i < m->decl_count; i++)
    if (m->decls[i]->kind == kind) return m->decls[i];
  return NULL;
}

static void assert_prints(term_id t, const char *expected) {
  if (!t) print_message("problem: %s\n", env.error ? env.error : "?");
  char *text = term_text(&ts, t);
  assert_string_equal(text, expected);
  free(text);
}

static void lemma_prints(const char *declarations, const char *formula, const char *expected) {
  struct buffer b;
  buffer_init(&b);
  buffer_printf(&b, "%s lemma test_lemma: %s;", declarations, formula);
  struct ast_module *m = load(buffer_text(&b));
  buffer_clear(&b);
  struct ast_decl *d = find(m, DECL_LEMMA);
  assert_non_null(d);
  assert_prints(translate_expr(&env, d->as.formula), expected);
}

static void formulas_keep_their_meaning(void **state) {
  (void)state;
  static const char declarations[] = "param eps : real, eps > 0; param n : int, n >= 1;"
                                     "let twice(x : real) : real = 2*x;"
                                     "let share : real = eps/2; "
                                     "op f(x : int) : real;";
  static const struct {
    const char *formula, *expected;
  } cases[] = {
      {"twice(n) <= twice(share) + 1/3", "2*n <= eps + 1/3"},
      {"0 < eps <= 1 -> f(n) = f(n + 0)", "true"},
      {"forall i in 0..n, j : int. i < j -> f(i) < f(j)",
       "forall i in 0..n, j : int. i < j -> f(i) < f(j)"},
      {"round(eps) <= max(eps, 1) and n mod 2 = 0",
       "floor(eps + 1/2) <= max(eps, 1) and n mod 2 = 0"},
      {"if n > 3 then true else eps^2 <= exp(eps)", "if 3 < n then true else eps^2 <= exp(eps)"},
      {"length([1, 2] ++ []) = n", "n = 2"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    teardown(NULL);
    setup(NULL);
    lemma_prints(declarations, cases[i].formula, cases[i].expected);
  }
}

static const char mechanism[] =
    "param eps : real, eps > 0; param n : int, n >= 0;"
    "mechanism m(private q : real[n], private x : int, T : real) returns int"
    "  adjacent %s { t <$ Lap(T, 2/eps); return 0; }";

/* q and x are private, T is public. */
static void bind_inputs(const struct ast_decl *d) {
  struct ast_routine *r = d->as.mechanism.routine;
  term_id n = term_var(&ts, "n", SORT_INT, 0, 0);
  term_id q = kernel_var(k, "q", sort_array(&ts, SORT_REAL), true);
  term_id x = kernel_var(k, "x", SORT_INT, true);
  translate_bind(&env, r->args[0], "q", q, true, n);
  translate_bind(&env, r->args[1], "x", x, true, TERM_NONE);
  translate_bind(&env, r->args[2], "T", term_var(&ts, "T", SORT_REAL, 0, 0), false, TERM_NONE);
}

static void adjacency_is_written_out(void **state) {
  (void)state;
  static const struct {
    const char *formula, *expected;
  } cases[] = {
      {"all_within(q, 1)", "forall i in 0..n. abs(q<1>[i] - q<2>[i]) <= 1"},
      {"within(x, 2)", "abs(x<1> - x<2>) <= 2"},
      {"x<1> = x<2> + 1", "x<1> = x<2> + 1"},
      {"same(q)", "forall i in 0..n. q<1>[i] = q<2>[i]"},
      {"all_increase(q, eps)",
       "forall i in 0..n. q<2>[i] - q<1>[i] <= eps and 0 <= q<2>[i] - q<1>[i]"},
      {"one_differs(q, 1)", "exists differs : int. forall i in 0..n. if i = differs then"
                            " abs(q<1>[i] - q<2>[i]) <= 1 else q<1>[i] = q<2>[i]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    teardown(NULL);
    setup(NULL);
    char *text = xasprintf(mechanism, cases[i].formula);
    struct ast_decl *d = find(load(text), DECL_MECHANISM);
    free(text);
    bind_inputs(d);
    assert_prints(translate_expr(&env, d->as.mechanism.adjacent), cases[i].expected);
    struct ast_expr *scale = d->as.mechanism.routine->body.stmts[0]->as.sample.dist.args[1];
    assert_prints(translate_expr(&env, scale), "2/eps");
  }
}

/* one_differs says: at most one entry differs. */
static void one_differs_means_at_most_one(void **state) {
  (void)state;
  char *text = xasprintf(mechanism, "one_differs(q, 1)");
  struct ast_module *m = load(text);
  free(text);
  struct ast_decl *d = find(m, DECL_MECHANISM);
  bind_inputs(d);
  term_id adjacent = translate_expr(&env, d->as.mechanism.adjacent);
  translate_module(&env);
  assert_null(env.error);
  assert_int_equal(k->facts.len, 2);
  term_id n = term_var(&ts, "n", SORT_INT, 0, 0), q = kernel_var_at(k, 0);
  term_id i = term_var(&ts, "a", SORT_INT, 0, 0), j = term_var(&ts, "b", SORT_INT, 0, 0);
  term_id q1 = term_var_in_run(&ts, q, 1), q2 = term_var_in_run(&ts, q, 2), zero = term_int(&ts, 0);
  term_id differs_i = term_ne(&ts, term_select(&ts, q1, i), term_select(&ts, q2, i));
  term_id differs_j = term_ne(&ts, term_select(&ts, q1, j), term_select(&ts, q2, j));
  term_id hyps[] = {adjacent,           differs_i,
                    differs_j,          term_le(&ts, zero, i),
                    term_lt(&ts, i, n), term_le(&ts, zero, j),
                    k->facts.at[0],     k->facts.at[1],
                    term_lt(&ts, j, n)};
  term_id goal = term_eq(&ts, i, j);
  assert_int_not_equal(smt_entails(&smt, "open", span_none(), hyps, 8, goal), SMT_VALID);
  assert_int_equal(smt_entails(&smt, "one", span_none(), hyps, 9, goal), SMT_VALID);
}

static void what_cannot_be_said_is_refused_with_a_place(void **state) {
  (void)state;
  struct ast_module *m = load("param n : int, n >= 0; param x : real;"
                              "lemma l: x^n <= 1;");
  struct ast_decl *d = find(m, DECL_LEMMA);
  assert_int_equal(translate_expr(&env, d->as.formula), TERM_NONE);
  assert_non_null(env.error);
  assert_int_not_equal(env.error_span.file, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(formulas_keep_their_meaning, setup, teardown),
      cmocka_unit_test_setup_teardown(adjacency_is_written_out, setup, teardown),
      cmocka_unit_test_setup_teardown(one_differs_means_at_most_one, setup, teardown),
      cmocka_unit_test_setup_teardown(what_cannot_be_said_is_refused_with_a_place, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
