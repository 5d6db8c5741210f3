/* ctest-label: release */
/* A table of inequalities with exp, ln, sqrt: the true ones must be proved, the false ones (most
 * are true ones with a constant nudged) must not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "claim/lemma.h"
#include "kernel/internal.h"
#include "lang/syntax/lang.h"
#include "smt/smt.h"
#include "source_text.h"
#include "term/build.h"
#include "term/eval.h"
#include "testlib.h"

#define EPS "param eps : real, eps > 0, eps < 1; "
#define DELTA "param delta : real, delta > 0, delta < 1; "
#define X01 "param x : real, x > 0, x <= 1; "
#define XPOS "param x : real, x > 0; "
#define X "param x : real; "
#define XY "param x : real; param y : real; "

struct row {
  const char *declarations, *formula;
};

/* The advanced composition bound of Advanced couplings, Theorem 7, with
 * e = eps/(2 sqrt(2 n ln(1/omega))). */
#define TH7                                                                                        \
  EPS "param n : int, n >= 1; param omega : real, omega > 0, omega < 1/2;"                         \
      "let e : real = eps/(2*sqrt(2*n*ln(1/omega)));"
#define TH22 EPS DELTA "param M : int, M >= 1; let e : real = eps/(4*sqrt(2*M*ln(2/delta)));"
#define LAPINT "param e : real, e > 0, e < 1; let b : real = 3/e; let sigma : real = (6/e)*ln(4/e);"

#define UNIT "param x : real, x >= 0, x <= 1; "
#define BOTH "param x : real, x > 0; param y : real, y > 0; "
#define NONNEG "param x : real, x >= 0; param y : real, y >= 0; "
#define P "param p : real, p > 0, p < 1; "

#define SCALED "param s : real, s >= 0; param u : real, u > 0, u <= 1; "

static const struct row true_rows[] = {
    /* what the named theorems need */
    {X01, "exp(2*x/3)/(1 - x/4) <= exp(x)"},
    {TH7, "sqrt(2*n*ln(1/omega))*e + n*e*(exp(e) - 1) <= eps"},
    {LAPINT, "ln(exp(2/b)/(1 - exp(-sigma/(2*b)))) <= e"},
    {LAPINT, "2/b <= e"},
    {TH22, "M*e^2 + 2*e*sqrt(M*ln(2/delta)) <= 0.8*(eps/2)"},
    {TH22, "0 < e and e < 1"},
    {TH22, "0 < (6/e)*ln(4/e)"},
    {EPS DELTA, "exp(-(ln(1/delta)/eps)*eps)/2 <= delta/2"},
    {EPS DELTA, "exp(-(floor(ln(1/delta)/eps) + 1)*eps)/(1 + exp(-eps)) <= 0.942*delta"},
    {EPS DELTA, "exp(-(floor((2/eps)*ln(2/delta)) + 1)*eps/2)/(1 + exp(-eps/2)) <= delta/2"},
    {EPS DELTA, "exp(-ceil((2/eps)*ln(2/delta))/(2/eps))/(1 + exp(-1/(2/eps))) <= delta/2"},
    {EPS DELTA "param m : int, m >= ln(2/delta)/eps;", "2*exp(-m*eps)/(1 + exp(-eps)) <= delta"},
    {SCALED, "ln(exp(-s)*u) = ln(u) - s"},
    {SCALED, "0 < exp(-s)*u and exp(-s)*u <= 1"},
    /* laws */
    {XY, "exp(x + y) = exp(x)*exp(y)"},
    {XY, "x <= y -> exp(x) <= exp(y)"},
    {X, "exp(-x)*exp(x) = 1"},
    {X, "exp(x/2)^2 = exp(x)"},
    {XPOS, "exp(ln(x)) = x"},
    {BOTH, "ln(x*y) = ln(x) + ln(y)"},
    {BOTH, "x < y -> ln(x) < ln(y)"},
    {BOTH, "sqrt(x*y) = sqrt(x)*sqrt(y)"},
    {NONNEG, "sqrt(x + y) <= sqrt(x) + sqrt(y)"},
    {NONNEG, "sqrt(x*y) <= (x + y)/2"},
    /* bounds, touching ones among them */
    {X, "1 + x <= exp(x)"},
    {XPOS, "ln(x) <= x - 1"},
    {XPOS, "1 - 1/x <= ln(x)"},
    {X, "exp(x) + exp(-x) >= 2"},
    {UNIT, "exp(x) <= 1 + x + x^2"},
    {UNIT, "exp(x) <= 1 + 1.7183*x"},
    {UNIT, "1 - exp(-x) >= x - x^2/2"},
    {UNIT, "exp(x) - 1 <= x*exp(x)"},
    {UNIT, "ln((1 + exp(x))/2) <= x/2 + x^2/8"},
    {XPOS, "x/(1 + x) <= ln(1 + x)"},
    {XPOS, "exp(-x) <= 1/(1 + x)"},
    {EPS, "(exp(eps) - 1)/(exp(eps) + 1) <= eps/2"},
    {EPS P, "ln(1 + p*(exp(eps) - 1)) <= eps"},
    {EPS P, "ln(1 + p*(exp(eps) - 1)) <= p*(exp(eps) - 1)"},
    {"param n : int, n >= 2;", "ln(n) <= n/2"},
    /* contradictory hypotheses */
    {"param x : real, x > 0, exp(x) <= 1;", "false"},
    /* numbers */
    {"", "exp(1) < 2.71829 and 2.71828 < exp(1)"},
    {"", "ln(2) > 0.6931 and ln(2) < 0.6932"},
    {"", "sqrt(2) + sqrt(3) < 3.1463"},
    {"", "exp(1/2)*ln(3) < 1.8114"},
    {"", "0 <= ln((99/100)^8 + 8*(99/100)^7/100 + 28*(99/100)^6*exp(1/4)/10^4 + "
         "56*(99/100)^5*exp(3/4)/10^6 + 70*(99/100)^4*exp(3/2)/10^8)"},
};

static const struct row false_rows[] = {
    {EPS DELTA "param m : int, m >= ln(1/delta)/eps;", "2*exp(-m*eps)/(1 + exp(-eps)) <= delta"},
    {SCALED, "ln(exp(-s)*u) = ln(u) + s"},
    {SCALED, "exp(-s)*u < 1"},
    {"param e : real, e > 0, e <= 1; param l : real, l > 0, l <= 2;",
     "(l + 1)*e - ln(1 + exp(e) - exp(-l*e)) <= 0.4*l*(l + 1)*e^2"},
    {X01, "exp(2*x/3)/(1 - x/3) <= exp(x)"},
    {X01, "exp(3*x/4)/(1 - x/4) <= exp(x)"},
    {"param x : real, x > 0, x <= 2;", "exp(2*x/3)/(1 - x/4) <= exp(x)"},
    {TH7, "sqrt(2*n*ln(1/omega))*e + n*e*(exp(e) - 1) <= 0.6*eps"},
    {EPS "param n : int, n >= 1; param omega : real, omega > 0, omega < 1;"
         "let e : real = eps/(2*sqrt(2*n*ln(1/omega)));",
     "sqrt(2*n*ln(1/omega))*e + n*e*(exp(e) - 1) <= eps"},
    {LAPINT, "ln(exp(2/b)/(1 - exp(-sigma/(2*b)))) <= 0.9*e"},
    {"param e : real, e > 0, e < 1; let b : real = 3/e; let sigma : real = (6/e)*ln(2/e);",
     "ln(exp(2/b)/(1 - exp(-sigma/(2*b)))) <= e"},
    {LAPINT, "ln(exp(3/b)/(1 - exp(-sigma/(2*b)))) <= e"},
    {TH22, "M*e^2 + 2*e*sqrt(M*ln(2/delta)) <= 0.79*(eps/2)"},
    {TH22, "M*e^2 + 2*e*sqrt(2*M*ln(2/delta)) <= 0.8*(eps/2)"},
    {TH22, "e < 0.2"},
    {EPS DELTA, "exp(-(ln(1/delta)/eps)*eps)/2 <= 0.49*delta"},
    {EPS DELTA, "exp(-floor(ln(1/delta)/eps)*eps)/(1 + exp(-eps)) <= 0.942*delta"},
    {EPS DELTA, "2*exp(-(floor(ln(1/delta)/eps) + 1)*eps)/(1 + exp(-eps)) <= delta"},
    {"param eps : real, eps > 0, eps < 3; " DELTA,
     "exp(-(floor(ln(1/delta)/eps) + 1)*eps)/(1 + exp(-eps)) <= 0.942*delta"},
    {EPS DELTA, "exp(-floor((2/eps)*ln(2/delta))*eps/2)/(1 + exp(-eps/2)) <= delta/2"},
    {XY, "exp(x + y) <= exp(x) + exp(y)"},
    {XY, "exp(x*y) = exp(x)*exp(y)"},
    {XY, "x <= y -> exp(y) <= exp(x)"},
    {X, "exp(x/2)^3 = exp(x)"},
    {X, "exp(ln(x)) = x"},
    {XY, "ln(x*y) = ln(x) + ln(y)"},
    {X, "sqrt(x)^2 = x"},
    {X, "sqrt(x^2) = x"},
    {NONNEG, "sqrt(x) + sqrt(y) <= sqrt(x + y)"},
    {NONNEG, "sqrt(x*y) <= (x + y)/2.01"},
    {X, "1 + 1.01*x <= exp(x)"},
    {X, "1 + x < exp(x)"},
    {XPOS, "ln(x) < x - 1"},
    {XPOS, "1 - 1/x < ln(x)"},
    {X, "exp(x) + exp(-x) >= 2.001"},
    {"param x : real, x >= 0, x <= 2; ", "exp(x) <= 1 + x + x^2"},
    {UNIT, "exp(x) <= 1 + 1.7182*x"},
    {UNIT, "1 - exp(-x) >= x - 0.4*x^2"},
    {UNIT, "ln((1 + exp(x))/2) <= x/2 + 0.12*x^2"},
    {XPOS, "1.01*x/(1 + x) <= ln(1 + x)"},
    {EPS, "(exp(eps) - 1)/(exp(eps) + 1) <= 0.46*eps"},
    {EPS P, "ln(1 + p*(exp(eps) - 1)) <= p*eps"},
    {"param n : int, n >= 2;", "ln(n) <= 0.36*n"},
    {"param x : real, x > 0, exp(x) <= 1.0001;", "false"},
    {"", "exp(1) < 2.71828"},
    {"", "ln(2) > 0.6932"},
    {"", "0 <= ln((99/100)^8 + 8*(99/100)^7/100 + 28*(99/100)^6*exp(-1/4)/10^4)"},
    {"", "sqrt(2) + sqrt(3) < 3.1462"},
};

static struct lang lang;
static struct terms ts;
static struct smt smt;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static enum smt_verdict decide(const struct row *row) {
  lang_init(&lang);
  terms_init(&ts);
  struct smt_options options = smt_default_options();
  options.timeout_s = 120; /* the resource limit decides, not the load of the machine */
  smt_init(&smt, &ts, &options);
  char *text = xasprintf("%s lemma row: %s;", row->declarations, row->formula);
  struct ast_module *m = load_valid_text(&lang, text);
  free(text);
  struct ast_decl *decl = m->decls[m->decl_count - 1];
  struct lemma *lemma = lemma_open(&lang, m, decl, &ts, &smt.decider, NULL);
  assert_non_null(lemma);
  const term_list *facts = &lemma_kernel(lemma)->facts;
  term_id goal = translate_expr(lemma_env(lemma), decl->as.formula);
  double start = seconds();
  enum smt_verdict v = smt_entails(&smt, "row", span_none(), facts->at, facts->len, goal);
  const struct smt_record *r = smt_last(&smt);
  if (getenv("COUPLET_TEST_VERBOSE"))
    print_message("%-8s %-9s %5.2fs %3u  %s\n", smt_verdict_name(v), r->method, seconds() - start,
                  r->questions, row->formula);
  lemma_close(lemma);
  smt_clear(&smt);
  terms_clear(&ts);
  lang_clear(&lang);
  return v;
}

static void true_inequalities_are_proved(void **state) {
  (void)state;
  bool all = true;
  for (size_t i = 0; i < sizeof true_rows / sizeof *true_rows; i++) {
    if (decide(&true_rows[i]) == SMT_VALID) continue;
    print_message("not proved: %s\n", true_rows[i].formula);
    all = false;
  }
  assert_true(all);
}

static void false_inequalities_are_not_proved(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof false_rows / sizeof *false_rows; i++)
    assert_int_not_equal(decide(&false_rows[i]), SMT_VALID);
}

/* ---- random inequalities ----------------------------------------------------------------------
 */

static term_id random_side(struct rng *rng, const term_id *vars, int depth) {
  if (depth <= 0) {
    if (rng_chance(rng, 1, 3)) return term_rat(&ts, rng_range(rng, -4, 8), 4);
    return vars[rng_below(rng, 2)];
  }
  term_id a = random_side(rng, vars, depth - 1);
  switch (rng_below(rng, 8)) {
  case 0: return term_exp(&ts, a);
  case 1: return term_exp(&ts, term_neg(&ts, a));
  case 2: return term_ln(&ts, term_add(&ts, a, term_rat(&ts, 1, 1)));
  case 3: return term_sqrt(&ts, a);
  case 4: return term_div(&ts, a, random_side(rng, vars, depth - 1));
  case 5: return term_mul(&ts, a, random_side(rng, vars, depth - 1));
  default: return term_add(&ts, a, random_side(rng, vars, depth - 1));
  }
}

/* Whatever is called valid holds at random points of its domain. */
static void valid_means_true_at_points(void **state) {
  (void)state;
  terms_init(&ts);
  struct smt_options options = smt_default_options();
  options.rlimit = 2000000;
  options.timeout_s = 120;
  smt_init(&smt, &ts, &options);
  struct rng rng = rng_seeded(5);
  term_id vars[] = {term_var(&ts, "x", SORT_REAL, 0, 0), term_var(&ts, "y", SORT_REAL, 0, 0)};
  term_id zero = term_rat(&ts, 0, 1), one = term_rat(&ts, 1, 1);
  term_id hyps[] = {term_lt(&ts, zero, vars[0]), term_le(&ts, vars[0], one),
                    term_le(&ts, zero, vars[1]), term_le(&ts, vars[1], vars[0])};
  struct evaluator ev;
  eval_init(&ev, &ts);
  fmpq q;
  fmpq_init(&q);
  size_t valid = 0, invalid = 0, rounds = test_rounds(60);
  for (size_t k = 0; k < rounds; k++) {
    term_id a = random_side(&rng, vars, 2), b = random_side(&rng, vars, 2);
    term_id goal = rng_chance(&rng, 1, 2) ? term_le(&ts, a, b) : term_lt(&ts, a, b);
    enum smt_verdict v = smt_entails(&smt, "random", span_none(), hyps, 4, goal);
    valid += v == SMT_VALID;
    invalid += v == SMT_INVALID;
    for (int i = 0; v == SMT_VALID && i < 100; i++) {
      eval_reset(&ev);
      int x = rng_range(&rng, 1, 64);
      fmpq_set_si(&q, x, 64);
      eval_assign(&ev, vars[0], tvalue_exact(&ev, &q));
      fmpq_set_si(&q, rng_range(&rng, 0, x), 64);
      eval_assign(&ev, vars[1], tvalue_exact(&ev, &q));
      assert_int_not_equal(eval_truth(&ev, goal), 0);
    }
  }
  if (getenv("COUPLET_TEST_VERBOSE"))
    print_message("random: %zu valid, %zu invalid of %zu\n", valid, invalid, rounds);
  assert_true(valid > rounds / 10);
  assert_true(invalid > rounds / 10);
  fmpq_clear(&q);
  eval_clear(&ev);
  smt_clear(&smt);
  terms_clear(&ts);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(true_inequalities_are_proved),
      cmocka_unit_test(false_inequalities_are_not_proved),
      cmocka_unit_test(valid_means_true_at_points),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
