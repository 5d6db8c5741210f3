/* The referee, step kind by step kind: refutations written by hand are accepted, and each of their
 * mutations is rejected at the step and for the reason it should be. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/proof/dossier.h"
#include "check/referee/referee.h"
#include "check/referee/schemas.h"
#include "term/build.h"
#include "testlib.h"

static struct terms ts;
static struct refutation r;
static term_id hypotheses[8];
static struct sequent sequent;
static term_id x, y, z, n, m; /* three reals, two integers */
static term_id p, q, s;       /* truth values */

static int setup(void **state) {
  (void)state;
  terms_init(&ts);
  refutation_init(&r);
  sequent = (struct sequent){.hypotheses = hypotheses};
  x = term_var(&ts, "x", SORT_REAL, 0, 0);
  y = term_var(&ts, "y", SORT_REAL, 0, 0);
  z = term_var(&ts, "z", SORT_REAL, 0, 0);
  n = term_var(&ts, "n", SORT_INT, 0, 0);
  m = term_var(&ts, "m", SORT_INT, 0, 0);
  p = term_var(&ts, "p", SORT_BOOL, 0, 0);
  q = term_var(&ts, "q", SORT_BOOL, 0, 0);
  s = term_var(&ts, "s", SORT_BOOL, 0, 0);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  refutation_clear(&r);
  terms_clear(&ts);
  return 0;
}

/* ---- writing refutations ----------------------------------------------------------------------*/

#define LIST(type, ...)                                                                            \
  (const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__}) / sizeof(type)
#define ENTAILS(goal, ...) entails(goal, LIST(term_id, __VA_ARGS__))
#define LITERALS(step, ...) literals(step, LIST(struct literal, __VA_ARGS__))
#define SUMMAND(step, multiplier, ...) summand(step, multiplier, LIST(size_t, __VA_ARGS__))
#define CHAIN(...) chain(LIST(size_t, __VA_ARGS__))
#define SCHEMA(number, ...) schema(number, LIST(term_id, __VA_ARGS__))

/* Begins anew with this sequent, its hypotheses and the negated goal as the first steps. */
static void entails(term_id goal, const term_id *given, size_t count) {
  refutation_clear(&r);
  for (size_t i = 0; i < count; i++)
    hypotheses[i] = given[i];
  sequent.count = count;
  sequent.goal = goal;
  for (size_t i = 0; i <= count; i++)
    refutation_add(&r, STEP_INPUT)->number = i;
}

/* Its negation, as a literal (the builders would turn `not x < y` into y <= x). */
static struct literal no(term_id atom) {
  return (struct literal){atom, true};
}

static struct literal yes(term_id atom) {
  return (struct literal){atom, false};
}

static void literals(struct step *step, const struct literal *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    vec_push(&step->literals, list[i]);
}

static struct summand *summand(struct step *step, term_id multiplier, const size_t *factors,
                               size_t count) {
  vec_push(&step->sum, (struct summand){.multiplier = multiplier});
  for (size_t i = 0; i < count; i++)
    vec_push(&vec_last(&step->sum).factors, factors[i]);
  return &vec_last(&step->sum);
}

static void add_square(struct step *step, term_id root) {
  struct summand *last = summand(step, term_rat(&ts, 1, 1), NULL, 0);
  vec_push(&last->squares, root);
}

static struct step *chain(const size_t *hints, size_t count) {
  struct step *step = refutation_add(&r, STEP_CHAIN);
  for (size_t i = 0; i < count; i++)
    vec_push(&step->hints, hints[i]);
  return step;
}

static struct step *schema(enum schema number, const term_id *args, size_t count) {
  struct step *step = refutation_add(&r, STEP_SCHEMA);
  step->number = number;
  for (size_t i = 0; i < count; i++)
    vec_push(&step->terms, args[i]);
  return step;
}

static struct step *quantifier(enum step_kind kind, term_id formula, term_id value) {
  struct step *step = refutation_add(&r, kind);
  step->formula = formula;
  vec_push(&step->terms, value);
  return step;
}

static struct step *define(term_id formula, size_t number) {
  struct step *step = refutation_add(&r, STEP_DEFINE);
  step->formula = formula;
  step->number = number;
  return step;
}

static term_id num(long k) {
  return term_rat(&ts, k, 1);
}

static term_id zero(void) {
  return num(0);
}

static struct step *at(size_t i) {
  return &r.steps.at[i];
}

static void accepted(void) {
  const char *why = NULL;
  size_t where = 0;
  if (!referee_accepts(&ts, &sequent, &r, &why, &where)) {
    print_message("step %zu: %s\n", where, why);
    fail();
  }
  assert_null(why);
}

static void rejected(size_t step, const char *reason) {
  const char *why = NULL;
  size_t where = 0;
  assert_false(referee_accepts(&ts, &sequent, &r, &why, &where));
  assert_non_null(why);
  assert_string_equal(why, reason);
  assert_int_equal(where, step);
}

#define NO_SUM "the sum is no contradiction"
#define NO_END "no contradiction at the end"
#define NO_CONFLICT "the hints do not end in a contradiction"

/* ---- the order of steps, chains ---------------------------------------------------------------*/

/* x < y, y < z |- x < z */
static void transitive(void) {
  term_id a = term_lt(&ts, x, y), b = term_lt(&ts, y, z), goal = term_lt(&ts, x, z);
  ENTAILS(goal, a, b);
  struct step *step = refutation_add(&r, STEP_ALGEBRA);
  LITERALS(step, no(a), no(b), yes(goal));
  for (size_t i = 0; i < 3; i++)
    SUMMAND(step, num(1), i);
  CHAIN(0, 1, 2, 3);
}

static void steps_are_all_needed(void **state) {
  (void)state;
  transitive();
  accepted();
  transitive();
  struct step last = vec_pop(&r.steps); /* the chain */
  rejected(4, NO_END);
  vec_push(&r.steps, last);
  accepted();
  for (size_t i = 0; i < 4; i++) { /* without one of the hints */
    transitive();
    at(4)->hints.at[i] = at(4)->hints.at[3 - (i == 3)];
    rejected(4, NO_CONFLICT);
  }
  transitive();
  refutation_clear(&r);
  rejected(0, NO_END);
}

static void inputs_and_hints_have_numbers(void **state) {
  (void)state;
  transitive();
  at(1)->number = 3;
  rejected(1, "there is no such hypothesis");
  transitive();
  at(1)->number = SIZE_MAX;
  rejected(1, "there is no such hypothesis");
  transitive();
  at(1)->number = 0; /* a hypothesis, but not the one that is needed */
  rejected(4, NO_CONFLICT);
  transitive();
  at(4)->hints.at[0] = 4; /* itself */
  rejected(4, "a hint that is not an earlier step");
  transitive();
  at(4)->hints.at[3] = SIZE_MAX;
  rejected(4, "a hint that is not an earlier step");
  transitive();
  at(0)->kind = (enum step_kind)99;
  rejected(0, "no such kind of step");
}

/* p or q, not p or q |- q, by an intermediate clause */
static void with_a_lemma(void) {
  term_id a = term_or(&ts, p, q), b = term_or(&ts, term_not(&ts, p), q);
  ENTAILS(q, a, b);
  define(a, 2); /* 3: not a or p or q */
  define(b, 2); /* 4 */
  LITERALS(CHAIN(0, 1, 3, 4), yes(q));
  CHAIN(5, 2);
}

static void chains_derive_clauses(void **state) {
  (void)state;
  with_a_lemma();
  accepted();
  with_a_lemma();
  at(5)->literals.at[0].negated = true; /* not q */
  rejected(5, NO_CONFLICT);
  with_a_lemma();
  at(5)->literals.at[0].atom = p;
  rejected(5, NO_CONFLICT);
  with_a_lemma();
  LITERALS(at(5), no(q));
  rejected(5, "a clause with both signs of a formula");
  with_a_lemma();
  LITERALS(at(5), yes(p)); /* a weaker clause: right, but it does not end */
  rejected(6, NO_CONFLICT);
  with_a_lemma();
  LITERALS(at(5), yes(x));
  rejected(5, "not a formula");
  with_a_lemma();
  LITERALS(at(6), yes(q)); /* the last clause is not empty */
  rejected(7, NO_END);
  with_a_lemma();
  at(6)->hints.len = 1;
  rejected(6, NO_CONFLICT);
}

static void sequents_are_formulas(void **state) {
  (void)state;
  transitive();
  sequent.goal = x;
  rejected(0, "the goal is not a formula");
  transitive();
  sequent.goal = TERM_NONE;
  rejected(0, "the goal is not a formula");
  transitive();
  hypotheses[1] = n;
  rejected(0, "not a formula");
  transitive();
  hypotheses[1] = TERM_NONE;
  rejected(0, "not a formula");
}

/* ---- algebra ----------------------------------------------------------------------------------*/

static void sums_are_checked(void **state) {
  (void)state;
  transitive();
  at(3)->literals.at[0].negated = false; /* wrong sign */
  rejected(3, NO_SUM);
  transitive();
  at(3)->sum.at[0].multiplier = num(2);
  rejected(3, NO_SUM);
  transitive();
  at(3)->sum.at[0].multiplier = num(-1);
  rejected(3, NO_SUM);
  transitive();
  at(3)->sum.at[0].multiplier = x; /* only equations may be multiplied by anything */
  rejected(3, NO_SUM);
  transitive();
  at(3)->sum.at[0].multiplier = TERM_NONE;
  rejected(3, NO_SUM);
  transitive();
  at(3)->sum.at[0].multiplier = term_int(&ts, 1); /* not a real */
  rejected(3, NO_SUM);
  transitive();
  at(3)->sum.at[0].factors.at[0] = 3;
  rejected(3, NO_SUM);
  transitive();
  at(3)->sum.len--;
  vec_clear(&at(3)->sum.at[2].factors);
  rejected(3, NO_SUM);
  transitive();
  at(3)->literals.at[0].atom = TERM_NONE;
  rejected(3, "not a formula");
  for (size_t i = 0; i < 3; i++) { /* all multipliers 0: the sum is 0, but not strict */
    transitive();
    for (size_t k = 0; k <= i; k++)
      at(3)->sum.at[k].multiplier = zero();
    rejected(3, NO_SUM);
  }
}

/* x (relation) y, y <= z |- x (relation) z, and the sum of all three */
static void compare(bool hypothesis_strict, bool goal_strict) {
  term_id a = hypothesis_strict ? term_lt(&ts, x, y) : term_le(&ts, x, y), b = term_le(&ts, y, z);
  term_id goal = goal_strict ? term_lt(&ts, x, z) : term_le(&ts, x, z);
  ENTAILS(goal, a, b);
  struct step *step = refutation_add(&r, STEP_ALGEBRA);
  LITERALS(step, no(a), no(b), yes(goal));
  for (size_t i = 0; i < 3; i++)
    SUMMAND(step, num(1), i);
  CHAIN(0, 1, 2, 3);
}

static void strictness_matters(void **state) {
  (void)state;
  compare(true, true);
  accepted();
  compare(true, false);
  accepted();
  compare(false, false);
  accepted();
  compare(false, true); /* x <= y, y <= z do not give x < z */
  rejected(3, NO_SUM);
  compare(false, true);
  SUMMAND(at(3), num(1), 0)->factors.len = 0; /* 1 > 0 is strict, but then the sum is 1 */
  rejected(3, NO_SUM);
  compare(false, true);
  add_square(at(3), zero()); /* 0^2 >= 0 is not strict */
  rejected(3, NO_SUM);
}

/* n < m |- n + 1 <= m */
static void successor(term_id a, term_id b) {
  term_id given = term_lt(&ts, a, b), goal = term_le(&ts, term_add(&ts, a, term_int(&ts, 1)), b);
  ENTAILS(goal, given);
  struct step *step = refutation_add(&r, STEP_ALGEBRA);
  LITERALS(step, no(given), yes(goal));
  SUMMAND(step, num(1), 0);
  SUMMAND(step, num(1), 1);
  CHAIN(0, 1, 2);
}

static void integers_have_gaps(void **state) {
  (void)state;
  successor(n, m);
  accepted();
  successor(x, y);
  rejected(2, NO_SUM);
  successor(term_to_real(&ts, n), term_to_real(&ts, m)); /* compared as reals */
  rejected(2, NO_SUM);
}

/* 0 <= x, 0 <= y |- 0 <= x y */
static void product(void) {
  term_id a = term_le(&ts, zero(), x), b = term_le(&ts, zero(), y);
  term_id goal = term_le(&ts, zero(), term_mul(&ts, x, y));
  ENTAILS(goal, a, b);
  struct step *step = refutation_add(&r, STEP_ALGEBRA);
  LITERALS(step, no(a), no(b), yes(goal));
  SUMMAND(step, num(1), 0, 1);
  SUMMAND(step, num(1), 2);
  CHAIN(0, 1, 2, 3);
}

/* |- 0 <= (x - y)^2, strict: 0 < (x - y)^2 */
static void square(bool strict) {
  term_id difference = term_sub(&ts, x, y), square = term_mul(&ts, difference, difference);
  term_id goal = strict ? term_lt(&ts, zero(), square) : term_le(&ts, zero(), square);
  entails(goal, NULL, 0);
  struct step *step = refutation_add(&r, STEP_ALGEBRA);
  LITERALS(step, yes(goal));
  SUMMAND(step, num(1), 0);
  add_square(step, difference);
  CHAIN(0, 1);
}

static void products_and_squares(void **state) {
  (void)state;
  product();
  accepted();
  product();
  at(3)->sum.at[0].factors.at[1] = 0; /* x^2 instead of x y */
  rejected(3, NO_SUM);
  product();
  at(3)->literals.at[1].negated = false; /* now y < 0 */
  rejected(3, NO_SUM);
  square(false);
  accepted();
  square(true); /* false for x = y */
  rejected(1, NO_SUM);
  square(false);
  at(1)->sum.at[1].squares.at[0] = term_add(&ts, x, y);
  rejected(1, NO_SUM);
  square(false);
  at(1)->sum.at[1].squares.at[0] = n; /* not a real */
  rejected(1, NO_SUM);
  square(false);
  at(1)->sum.at[1].multiplier = num(-1);
  rejected(1, NO_SUM);
}

/* x = y |- x^2 = y^2: (x + y) (x - y) = x^2 - y^2, the disequation */
static void target(void) {
  term_id given = term_eq(&ts, x, y);
  term_id goal = term_eq(&ts, term_pow(&ts, x, 2), term_pow(&ts, y, 2));
  ENTAILS(goal, given);
  struct step *step = refutation_add(&r, STEP_ALGEBRA);
  LITERALS(step, no(given), yes(goal));
  bool turned =
      (term_arg(&ts, given, 0) == x) != (term_kind(&ts, term_arg(&ts, goal, 0)) == TERM_POW &&
                                         term_arg(&ts, term_arg(&ts, goal, 0), 0) == x);
  term_id sum = term_add(&ts, x, y);
  SUMMAND(step, turned ? term_neg(&ts, sum) : sum, 0);
  step->number = 2;
  CHAIN(0, 1, 2);
}

static void disequations_are_targets(void **state) {
  (void)state;
  target();
  accepted();
  target();
  at(2)->number = 0; /* a sum that is no number */
  rejected(2, NO_SUM);
  target();
  at(2)->number = 1; /* an equation, not a disequation */
  rejected(2, NO_SUM);
  target();
  at(2)->number = 3;
  rejected(2, NO_SUM);
  target();
  at(2)->number = SIZE_MAX;
  rejected(2, NO_SUM);
  target();
  at(2)->sum.at[0].multiplier = term_sub(&ts, x, y);
  rejected(2, NO_SUM);
  target();
  at(2)->sum.at[0].multiplier = term_neg(&ts, at(2)->sum.at[0].multiplier);
  rejected(2, NO_SUM);
  target();
  at(2)->sum.at[0].factors.at[0] = 1; /* a disequation is no factor */
  rejected(2, NO_SUM);
  /* with a target all summands have to be 0: x^2 >= 0 does not show x^2 = 0 */
  term_id goal = term_eq(&ts, term_pow(&ts, x, 2), zero());
  entails(goal, NULL, 0);
  struct step *step = refutation_add(&r, STEP_ALGEBRA);
  LITERALS(step, yes(goal));
  add_square(step, x);
  step->number = 1;
  CHAIN(0, 1);
  rejected(1, NO_SUM);
}

/* a = b, b = c |- a = c for values of any sort */
static void same(term_id a, term_id b, term_id c) {
  term_id first = term_eq(&ts, a, b), second = term_eq(&ts, b, c), goal = term_eq(&ts, a, c);
  ENTAILS(goal, first, second);
  struct step *step = refutation_add(&r, STEP_ALGEBRA);
  LITERALS(step, no(first), no(second), yes(goal));
  SUMMAND(step, num(1), 0); /* a < b < c as handles: sides stand in this order */
  SUMMAND(step, num(1), 1);
  step->number = 3;
  CHAIN(0, 1, 2, 3);
}

static void values_of_other_sorts_are_compared(void **state) {
  (void)state;
  sort_id sorts[] = {sort_abstract(&ts, "thing"), sort_array(&ts, SORT_REAL),
                     sort_list(&ts, SORT_INT)};
  for (size_t i = 0; i < 3; i++) {
    term_id a = term_var(&ts, "a", sorts[i], 0, 0), b = term_var(&ts, "b", sorts[i], 0, 0);
    term_id c = term_var(&ts, "c", sorts[i], 0, 0);
    same(a, b, c);
    accepted();
    same(a, b, c);
    at(3)->sum.at[1].multiplier = num(2);
    rejected(3, NO_SUM);
    same(a, b, c);
    at(3)->sum.at[1].multiplier = a; /* no number */
    rejected(3, NO_SUM);
    same(a, b, c);
    vec_push(&at(3)->sum.at[1].squares, a);
    rejected(3, NO_SUM);
  }
  same(p, q, s); /* truth values are no numbers */
  rejected(3, NO_SUM);
}

static void polynomials_are_limited(void **state) {
  (void)state;
  for (unsigned degree = 64; degree <= 65; degree++) { /* |- x^d = x^d + (x - x): by x^(d-1) x */
    term_id power = term_mul(&ts, term_pow(&ts, term_add(&ts, x, num(1)), 32),
                             term_pow(&ts, term_add(&ts, x, num(1)), degree - 32));
    term_id goal = term_le(&ts, power, term_add(&ts, power, y)), given = term_le(&ts, zero(), y);
    ENTAILS(goal, given);
    struct step *step = refutation_add(&r, STEP_ALGEBRA);
    LITERALS(step, no(given), yes(goal));
    SUMMAND(step, num(1), 0);
    SUMMAND(step, num(1), 1);
    CHAIN(0, 1, 2);
    if (degree == 64)
      accepted();
    else
      rejected(2, NO_SUM);
  }
}

/* ---- connectives ------------------------------------------------------------------------------*/

/* Is there a contradiction between values of f and its arguments, by clause k? Bits: f, then the
 * arguments. If f is false it is the goal: its negation is the last input. */
static bool clause_excludes(term_id f, const term_id *args, size_t count, unsigned values,
                            size_t k) {
  term_id given[4];
  size_t hints[8];
  for (size_t i = 0; i < count; i++)
    given[i] = values >> (i + 1) & 1 ? args[i] : term_not(&ts, args[i]);
  given[count] = values & 1 ? f : ts.true_term;
  entails(values & 1 ? ts.false_term : f, given, count + 1);
  define(f, k);
  for (size_t i = 0; i < count + 3; i++)
    hints[i] = i;
  chain(hints, count + 3);
  return referee_accepts(&ts, &sequent, &r, NULL, NULL);
}

/* The clauses exclude exactly the rows that are not in the truth table. */
static void assert_clauses(term_id f, const term_id *args, size_t count, size_t clauses,
                           bool (*table)(unsigned args)) {
  for (unsigned values = 0; values < 2u << count; values++) {
    bool is_right = table(values >> 1) == (values & 1), excluded = false;
    for (size_t k = 0; k < clauses + 2; k++)
      excluded = clause_excludes(f, args, count, values, k) || excluded;
    assert_int_equal(excluded, !is_right);
  }
  entails(ts.false_term, NULL, 0);
  define(f, clauses);
  rejected(1, "the connective has no such clause");
  at(1)->number = SIZE_MAX;
  rejected(1, "the connective has no such clause");
}

static bool all_of(unsigned v) {
  return v == 7;
}
static bool one_of(unsigned v) {
  return v != 0;
}
static bool implication(unsigned v) {
  return !(v & 1) || (v & 2);
}
static bool equivalence(unsigned v) {
  return (v & 1) == (v >> 1 & 1);
}
static bool choice(unsigned v) {
  return v & 1 ? v & 2 : v & 4;
}
static bool always(unsigned v) {
  (void)v;
  return true;
}
static bool never(unsigned v) {
  (void)v;
  return false;
}

static void connectives_mean_their_tables(void **state) {
  (void)state;
  const term_id three[] = {p, q, s};
  assert_clauses(term_and_all(&ts, three, 3), three, 3, 4, all_of);
  assert_clauses(term_or_all(&ts, three, 3), three, 3, 4, one_of);
  assert_clauses(term_implies(&ts, p, q), three, 2, 3, implication);
  assert_clauses(term_iff(&ts, p, q), three, 2, 4, equivalence);
  assert_clauses(term_ite(&ts, p, q, s), three, 3, 4, choice);
  assert_clauses(ts.true_term, three, 0, 1, always);
  assert_clauses(ts.false_term, three, 0, 1, never);
}

static void other_formulas_have_no_clauses(void **state) {
  (void)state;
  const term_id none[] = {p, term_not(&ts, p), term_lt(&ts, x, y), term_eq(&ts, x, y),
                          term_forall(&ts, &x, 1, term_lt(&ts, x, y))};
  for (size_t i = 0; i < 5; i++) {
    entails(ts.false_term, NULL, 0);
    define(none[i], 0);
    rejected(1, "not a connective");
  }
  const term_id wrong[] = {x, TERM_NONE, (term_id)ts.nodes.len, UINT32_MAX};
  for (size_t i = 0; i < 4; i++) {
    entails(ts.false_term, NULL, 0);
    define(wrong[i], 0);
    rejected(1, "not a formula");
  }
}

/* ---- quantifiers ------------------------------------------------------------------------------*/

static term_id entry(term_id index) {
  return term_select(&ts, term_var(&ts, "a", sort_array(&ts, SORT_REAL), 0, 0), index);
}

static term_id natural_entry(term_id index) {
  return term_le(&ts, zero(), entry(index));
}

/* forall i. 0 <= a[i] |- 0 <= a[3]     0 <= a[3] |- exists i. 0 <= a[i] */
static void instantiate(bool universal) {
  term_id three = term_int(&ts, 3), body = natural_entry(n);
  term_id f = universal ? term_forall(&ts, &n, 1, body) : term_exists(&ts, &n, 1, body);
  if (universal)
    ENTAILS(natural_entry(three), f);
  else
    ENTAILS(f, natural_entry(three));
  quantifier(STEP_INSTANCE, f, three);
  CHAIN(0, 1, 2);
}

static void instances_fit(void **state) {
  (void)state;
  for (int universal = 0; universal < 2; universal++) {
    instantiate(universal);
    accepted();
    instantiate(universal);
    at(2)->terms.at[0] = term_int(&ts, 4);
    rejected(3, NO_CONFLICT);
    const char *unfit = "the value does not fit the quantifier";
    instantiate(universal);
    at(2)->terms.at[0] = num(3); /* a real */
    rejected(2, unfit);
    instantiate(universal);
    at(2)->terms.at[0] = p;
    rejected(2, unfit);
    instantiate(universal);
    at(2)->terms.at[0] = TERM_NONE;
    rejected(2, unfit);
    instantiate(universal);
    vec_push(&at(2)->terms, n);
    rejected(2, "not a quantifier");
    instantiate(universal);
    at(2)->terms.len = 0;
    rejected(2, "not a quantifier");
    instantiate(universal);
    at(2)->formula = natural_entry(n);
    rejected(2, "not a quantifier");
    instantiate(universal);
    at(2)->formula = TERM_NONE;
    rejected(2, "not a quantifier");
    instantiate(universal); /* as a witness it says the converse */
    at(2)->kind = STEP_WITNESS;
    rejected(2, "the witness has occurred before");
    instantiate(universal);
    at(2)->kind = STEP_WITNESS;
    at(2)->terms.at[0] = term_var(&ts, "w", SORT_INT, 0, 0);
    rejected(3, NO_CONFLICT);
  }
  /* 0 <= a[3] |- forall i. 0 <= a[i] is not an instance of anything */
  term_id f = term_forall(&ts, &n, 1, natural_entry(n));
  ENTAILS(f, natural_entry(term_int(&ts, 3)));
  quantifier(STEP_INSTANCE, f, term_int(&ts, 3));
  CHAIN(0, 1, 2);
  rejected(3, NO_CONFLICT);
}

/* exists i. a[i] < 0 |- exists i. a[i] <= 0 */
static void witnessed(term_id constant) {
  term_id given = term_exists(&ts, &n, 1, term_lt(&ts, entry(n), zero()));
  term_id goal = term_exists(&ts, &n, 1, term_le(&ts, entry(n), zero()));
  ENTAILS(goal, given);
  quantifier(STEP_WITNESS, given, constant);
  quantifier(STEP_INSTANCE, goal, constant);
  struct step *step = refutation_add(&r, STEP_ALGEBRA);
  LITERALS(step, no(term_lt(&ts, entry(constant), zero())),
           yes(term_le(&ts, entry(constant), zero())));
  SUMMAND(step, num(1), 0);
  SUMMAND(step, num(1), 1);
  CHAIN(0, 1, 2, 3, 4);
}

static void witnesses_are_new(void **state) {
  (void)state;
  const char *stale = "the witness has occurred before";
  term_id w = term_var(&ts, "w", SORT_INT, 0, 0), v = term_var(&ts, "v", SORT_INT, 0, 0);
  witnessed(w);
  accepted();
  witnessed(n); /* the name of a bound variable is no occurrence */
  accepted();
  witnessed(term_int(&ts, 0));
  rejected(2, stale);
  witnessed(term_add(&ts, w, term_int(&ts, 1)));
  rejected(2, stale);
  witnessed(w);
  hypotheses[sequent.count++] = term_le(&ts, w, v); /* occurs in a hypothesis */
  at(1)->number = 2;
  rejected(2, stale);
  /* exists i. a[i] = 0, exists i. a[i] = 1 |- false: not by one witness of both */
  term_id f = term_exists(&ts, &n, 1, term_eq(&ts, entry(n), zero()));
  term_id g = term_exists(&ts, &n, 1, term_eq(&ts, entry(n), num(1)));
  for (int reuse = 0; reuse < 2; reuse++) {
    ENTAILS(ts.false_term, f, g);
    quantifier(STEP_WITNESS, f, w);
    quantifier(STEP_WITNESS, g, reuse ? w : v);
    rejected(reuse ? 4 : 5, reuse ? stale : NO_END);
  }
  /* nor one of a schema, of an instance, or of the formula itself */
  ENTAILS(ts.false_term, f);
  SCHEMA(SCHEMA_TRICHOTOMY, w, v);
  quantifier(STEP_WITNESS, f, w);
  rejected(3, stale);
  ENTAILS(ts.false_term, f);
  quantifier(STEP_INSTANCE, f, w);
  quantifier(STEP_WITNESS, f, w);
  rejected(3, stale);
  term_id h = term_exists(&ts, &n, 1, term_lt(&ts, n, w));
  ENTAILS(ts.false_term, f);
  quantifier(STEP_WITNESS, h, w);
  rejected(2, stale);
  /* forall: the converse. Not (forall i. 0 <= a[i]) has a witness; forall has none */
  term_id all = term_forall(&ts, &n, 1, natural_entry(n));
  ENTAILS(natural_entry(w), all);
  quantifier(STEP_WITNESS, all, v);
  CHAIN(0, 1, 2);
  rejected(3, NO_CONFLICT);
}

/* ---- schemas ----------------------------------------------------------------------------------*/

/* y <> 0 |- (x/y) y = x */
static void quotient(void) {
  term_id given = term_ne(&ts, y, zero());
  term_id goal = term_eq(&ts, term_mul(&ts, term_div(&ts, x, y), y), x);
  ENTAILS(goal, given);
  struct step *step = SCHEMA(SCHEMA_QUOTIENT, x, y);
  define(schema_formula(&ts, SCHEMA_QUOTIENT, step->terms.at, 2), 2);
  CHAIN(0, 1, 2, 3);
}

static void schemas_fit(void **state) {
  (void)state;
  const char *unfit = "the arguments do not fit the schema";
  quotient();
  accepted();
  quotient();
  at(2)->number = SCHEMA_COUNT;
  rejected(2, "there is no such schema");
  quotient();
  at(2)->number = SIZE_MAX;
  rejected(2, "there is no such schema");
  quotient();
  at(2)->number = SCHEMA_TRICHOTOMY; /* another schema of numbers */
  rejected(4, NO_CONFLICT);
  quotient();
  at(2)->terms.at[1] = z; /* says nothing of y */
  rejected(4, NO_CONFLICT);
  quotient();
  at(2)->terms.at[1] = p;
  rejected(2, unfit);
  quotient();
  at(2)->terms.at[1] = TERM_NONE;
  rejected(2, unfit);
  quotient();
  at(2)->terms.len = 1;
  rejected(2, unfit);
  quotient();
  vec_push(&at(2)->terms, z);
  rejected(2, unfit);
  quotient(); /* 0 is not excluded: the hypothesis is needed */
  hypotheses[0] = ts.true_term;
  rejected(4, NO_CONFLICT);
}

static void every_schema_has_its_arity(void **state) {
  (void)state;
  const term_id args[] = {x, y, z, n, x, y};
  for (size_t i = 0; i < SCHEMA_COUNT; i++) {
    assert_true(strlen(schema_name((enum schema)i)) > 0);
    for (size_t count = 0; count < 6; count++) {
      if (count == schema_arity((enum schema)i)) continue;
      entails(ts.false_term, NULL, 0);
      schema((enum schema)i, args, count);
      rejected(1, "the arguments do not fit the schema");
    }
  }
}

/* ---- the example of docs/referee.md ----------------------------------------------------------*/

/* What stands between the number and the remark. */
static char *content(char *line) {
  line[strcspn(line, "#\n")] = '\0';
  size_t length = strlen(line);
  while (length && line[length - 1] == ' ')
    line[--length] = '\0';
  while (*line == ' ')
    line++;
  while (isdigit((unsigned char)*line))
    line++;
  return line + strspn(line, " ");
}

/* The block with the refutation: lines of terms, the numbers of the sequent's, steps. */
static void read_example(struct dossier *terms, unsigned long lines[3], struct buffer *steps) {
  FILE *page = fopen("docs/referee.md", "r");
  assert_non_null(page);
  char line[4096], part = '-';
  while (part != '.' && fgets(line, sizeof line, page)) {
    if (strcmp(line, "```refutation\n") == 0) part = '?';
    if (part == '-') continue;
    if (strcmp(line, "```\n") == 0) part = '.';
    if (line[0] != ' ') {
      if (part != '.') part = line[2]; /* te(r)ms, se(q)uent, st(e)ps */
      continue;
    }
    char *text = part == 'q' ? line : content(line);
    if (part == 'r') dossier_add_line(terms, text, strlen(text));
    if (part == 'q') sscanf(text, "%lu %lu %lu", &lines[0], &lines[1], &lines[2]);
    if (part == 'e') buffer_printf(steps, "%s\n", text);
  }
  fclose(page);
  assert_int_equal(part, '.');
  assert_int_equal(terms->lines.len, 10);
}

static void the_documented_example_is_accepted(void **state) {
  (void)state;
  struct dossier dossier;
  struct buffer steps;
  unsigned long lines[3] = {0};
  dossier_init(&dossier);
  buffer_init(&steps);
  read_example(&dossier, lines, &steps);
  struct term_reader reader;
  term_reader_init(&reader, &ts);
  for (size_t i = 0; i < dossier.lines.len; i++)
    assert_true(term_read_line(&reader, dossier.lines.at[i], strlen(dossier.lines.at[i])));
  for (size_t i = 0; i < 2; i++)
    hypotheses[i] = term_read(&reader, lines[i]);
  sequent.count = 2;
  sequent.goal = term_read(&reader, lines[2]);
  char key[SHA256_HEX + 1];
  sequent_key(&ts, &sequent, key);
  dossier_add_entry(&dossier, key, buffer_text(&steps));
  struct dossier_decider decider;
  dossier_decider_init(&decider, &dossier, &ts);
  const char *why = NULL;
  assert_true(decider.decider.refute(&decider.decider, &ts, &sequent, &r, &why));
  assert_int_equal(r.steps.len, 5);
  accepted();
  dossier_decider_clear(&decider);
  term_reader_clear(&reader);
  buffer_clear(&steps);
  dossier_clear(&dossier);
}

/* Each has its paragraph, under its number and name. */
static void every_schema_is_documented(void **state) {
  (void)state;
  for (size_t i = 0; i < SCHEMA_COUNT; i++) {
    FILE *page = fopen("docs/referee.md", "r");
    assert_non_null(page);
    char line[4096], title[64];
    bool found = false;
    snprintf(title, sizeof title, "**%zu %s**", i, schema_name((enum schema)i));
    while (!found && fgets(line, sizeof line, page))
      found = strstr(line, title) != NULL;
    fclose(page);
    if (!found) fail_msg("docs/referee.md has no %s", title);
  }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(steps_are_all_needed),
      TEST(inputs_and_hints_have_numbers),
      TEST(chains_derive_clauses),
      TEST(sequents_are_formulas),
      TEST(sums_are_checked),
      TEST(strictness_matters),
      TEST(integers_have_gaps),
      TEST(products_and_squares),
      TEST(disequations_are_targets),
      TEST(values_of_other_sorts_are_compared),
      TEST(polynomials_are_limited),
      TEST(connectives_mean_their_tables),
      TEST(other_formulas_have_no_clauses),
      TEST(instances_fit),
      TEST(witnesses_are_new),
      TEST(schemas_fit),
      TEST(every_schema_has_its_arity),
      TEST(the_documented_example_is_accepted),
      TEST(every_schema_is_documented),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
