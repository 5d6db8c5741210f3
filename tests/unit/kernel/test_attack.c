/* Attempts to derive something false through the public interface of the kernel. Each one was tried
 * on purpose; each must be refused, or give a judgement whose precondition cannot be met. */
#include <string.h>

#include "kernel/ahl.h"
#include "kernel/lossless.h"
#include "kernel/rules.h"
#include "smt/smt.h"
#include "term/build.h"
#include "term/subst.h"
#include "testlib.h"

struct lab {
  struct terms terms;
  struct smt smt;
  struct kernel *k;
  struct arena *arena;
  term_id x, y, q, z;
};

static void lab_init(struct lab *l) {
  terms_init(&l->terms);
  struct smt_options options = smt_default_options();
  options.timeout_s = 20;
  smt_init(&l->smt, &l->terms, &options);
  l->k = kernel_new(&l->terms, &l->smt.decider);
  l->arena = kernel_arena(l->k);
  l->x = kernel_var(l->k, "x", SORT_REAL, false);
  l->y = kernel_var(l->k, "y", SORT_REAL, false);
  l->z = kernel_var(l->k, "z", SORT_INT, false);
  l->q = kernel_var(l->k, "q", SORT_REAL, true);
}

static void lab_clear(struct lab *l) {
  kernel_free(l->k);
  smt_clear(&l->smt);
  terms_clear(&l->terms);
}

static term_id in(struct lab *l, term_id var, unsigned run) {
  return term_var_in_run(&l->terms, var, run);
}
static term_id equal(struct lab *l, term_id var) {
  return term_eq(&l->terms, in(l, var, 1), in(l, var, 2));
}
static term_id yes(struct lab *l) {
  return term_bool(&l->terms, true);
}
static term_id zero(struct lab *l) {
  return term_rat(&l->terms, 0, 1);
}
static const struct core *laplace(struct lab *l, term_id var, term_id centre, term_id scale) {
  term_id args[] = {centre, scale};
  return core_sample(l->arena, span_none(), var, DIST_LAPLACE, args, 2);
}
/* Can the judgement be used from `pre`? */
static bool usable(struct lab *l, proof_of j, term_id pre) {
  assert_non_null(j);
  return rule_conseq(l->k, span_none(), pre, judgement_post(j), judgement_delta(j), j) != NULL;
}
static proof_of shift(struct lab *l, const struct core *c1, const struct core *c2, term_id by,
                      term_id post) {
  struct coupling_case only = {TERM_NONE, by, TERM_NONE};
  struct coupling how = {TERM_NONE, &only, 1};
  return rule_sample_shift(l->k, c1, c2, &how, post);
}

#define LAB(name)                                                                                  \
  static void name##_in(struct lab *l);                                                            \
  static void name(void **state) {                                                                 \
    (void)state;                                                                                   \
    struct lab lab;                                                                                \
    lab_init(&lab);                                                                                \
    name##_in(&lab);                                                                               \
    lab_clear(&lab);                                                                               \
  }                                                                                                \
  static void name##_in(struct lab *l)

/* y := w with w a name nobody declared, then w declared as (private) program variable. */
LAB(variables_cannot_be_declared_late) {
  term_id w = term_var(&l->terms, "w", SORT_REAL, 0, 0);
  const struct core *c = core_assign(l->arena, span_none(), l->y, w);
  proof_of right = rule_assign(l->k, 2, c, equal(l, l->y));
  assert_non_null(rule_assign(l->k, 1, c, judgement_pre(right)));
  assert_int_equal(kernel_var(l->k, "w", SORT_REAL, true), TERM_NONE);
}

LAB(stale_facts_do_not_survive) {
  /* x<1> = x<2> before; x sampled with different centres at cost 0 */
  const struct core *c = laplace(l, l->x, l->q, term_rat(&l->terms, 1, 1));
  term_id null = term_sub(&l->terms, in(l, l->q, 2), in(l, l->q, 1));
  proof_of j = shift(l, c, c, null, equal(l, l->x));
  assert_false(usable(l, j, equal(l, l->x)));
  assert_true(usable(l, j, equal(l, l->q)));
}

LAB(different_variables_are_both_forgotten) {
  /* run 1 samples x, run 2 samples y; x<2> and y<1> keep their values, x<1> and y<2> do not */
  const struct core *c1 = laplace(l, l->x, zero(l), term_rat(&l->terms, 1, 1));
  const struct core *c2 = laplace(l, l->y, zero(l), term_rat(&l->terms, 1, 1));
  term_id both = term_and(&l->terms, equal(l, l->x), equal(l, l->y));
  assert_false(usable(l, shift(l, c1, c2, zero(l), equal(l, l->x)), both));
  assert_false(usable(l, shift(l, c1, c2, zero(l), equal(l, l->y)), both));
  term_id across = term_eq(&l->terms, in(l, l->x, 1), in(l, l->y, 2));
  assert_true(usable(l, shift(l, c1, c2, zero(l), across), yes(l)));
  term_id kept = term_eq(&l->terms, in(l, l->y, 1), in(l, l->x, 2));
  assert_true(usable(l, shift(l, c1, c2, zero(l), kept), kept));
}

LAB(scales) {
  struct terms *ts = &l->terms;
  term_id big = term_int(ts, 100);
  const struct core *free_noise = laplace(l, l->x, zero(l), zero(l));
  assert_false(usable(l, shift(l, free_noise, free_noise, big, yes(l)), yes(l)));
  const struct core *negative = laplace(l, l->x, zero(l), term_int(ts, -1));
  assert_false(usable(l, shift(l, negative, negative, big, yes(l)), yes(l)));
  /* 1/0: as a quotient whose value is not specified */
  const struct core *quotient =
      laplace(l, l->x, zero(l), term_div(ts, term_int(ts, 1), term_int(ts, 0)));
  assert_false(usable(l, shift(l, quotient, quotient, big, yes(l)), yes(l)));
  /* different scales in the two runs */
  const struct core *one = laplace(l, l->x, zero(l), term_int(ts, 1));
  const struct core *two = laplace(l, l->x, zero(l), term_int(ts, 2));
  assert_false(usable(l, shift(l, one, two, zero(l), yes(l)), yes(l)));
  /* a private scale */
  const struct core *own = laplace(l, l->x, zero(l), l->q);
  term_id positive =
      term_and(ts, term_lt(ts, zero(l), in(l, l->q, 1)), term_lt(ts, zero(l), in(l, l->q, 2)));
  assert_false(usable(l, shift(l, own, own, zero(l), yes(l)), positive));
  assert_null(shift(l, one,
                    core_sample(l->arena, span_none(), l->x, DIST_EXPONENTIAL, one->args, 2),
                    zero(l), yes(l)));
}

LAB(case_lists) {
  struct terms *ts = &l->terms;
  const struct core *c = laplace(l, l->x, zero(l), term_int(ts, 1));
  term_id sample = kernel_fresh(l->k, "s", SORT_REAL);
  struct coupling none = {sample, NULL, 0};
  assert_null(rule_sample_shift(l->k, c, c, &none, yes(l)));
  struct coupling_case open_end = {term_lt(ts, zero(l), sample), zero(l), TERM_NONE};
  struct coupling no_else = {sample, &open_end, 1};
  assert_null(rule_sample_shift(l->k, c, c, &no_else, yes(l)));
  struct coupling_case two_ends[] = {{TERM_NONE, zero(l), TERM_NONE},
                                     {TERM_NONE, zero(l), TERM_NONE}};
  struct coupling ends = {sample, two_ends, 2};
  assert_null(rule_sample_shift(l->k, c, c, &ends, yes(l)));
  /* a shift that depends on the sample could send everything to one point */
  struct coupling_case collapse = {TERM_NONE, term_neg(ts, sample), TERM_NONE};
  struct coupling to_zero = {sample, &collapse, 1};
  assert_null(rule_sample_shift(l->k, c, c, &to_zero, yes(l)));
  /* overlapping images: v > 0 -> v, else -> -(nothing): both halves onto the same half line */
  struct coupling_case overlap[] = {{term_lt(ts, zero(l), sample), zero(l), TERM_NONE},
                                    {TERM_NONE, term_int(ts, 5), TERM_NONE}};
  struct coupling overlapping = {sample, overlap, 2};
  term_id rich = term_le(ts, term_int(ts, 100), kernel_budget(l->k));
  assert_false(usable(l, rule_sample_shift(l->k, c, c, &overlapping, yes(l)), rich));
  /* a bound below the distance, or negative */
  struct coupling_case cheap = {TERM_NONE, term_int(ts, 5), term_int(ts, 1)};
  struct coupling cheaper = {sample, &cheap, 1};
  assert_false(usable(l, rule_sample_shift(l->k, c, c, &cheaper, yes(l)), rich));
  cheap.bound = term_int(ts, -1);
  assert_false(usable(l, rule_sample_shift(l->k, c, c, &cheaper, yes(l)), rich));
}

LAB(budgets_do_not_grow) {
  struct terms *ts = &l->terms;
  term_id b = kernel_budget(l->k), one = term_rat(ts, 1, 1);
  /* keep more than there is, or a negative amount */
  term_id post = term_le(ts, one, b);
  assert_false(usable(l, rule_waste(l->k, span_none(), one, post), yes(l)));
  term_id minus = term_rat(ts, -1, 1);
  assert_false(usable(l, rule_waste(l->k, span_none(), minus, yes(l)), yes(l)));
  /* a frame of budget that is negative, or that the program changes */
  proof_of skip = rule_skip(l->k, yes(l));
  assert_false(usable(l, rule_budget_frame(l->k, span_none(), minus, skip), yes(l)));
  const struct core *c = core_assign(l->arena, span_none(), l->x, term_rat(ts, 7, 1));
  proof_of assign = rule_assign(l->k, 1, c, yes(l));
  assert_null(rule_budget_frame(l->k, span_none(), in(l, l->x, 1), assign));
  assert_null(rule_budget_frame(l->k, span_none(), b, skip));
}

LAB(deltas_are_constants) {
  proof_of skip = rule_skip(l->k, yes(l));
  assert_null(rule_conseq(l->k, span_none(), yes(l), yes(l), in(l, l->x, 1), skip));
  assert_null(rule_conseq(l->k, span_none(), yes(l), yes(l), kernel_budget(l->k), skip));
  assert_null(rule_conseq(l->k, span_none(), yes(l), yes(l), l->x, skip));
  assert_null(rule_conseq(l->k, span_none(), yes(l), yes(l), term_rat(&l->terms, -1, 1), skip));
}

LAB(frames) {
  const struct core *c = core_assign(l->arena, span_none(), l->x, zero(l));
  proof_of j = rule_assign(l->k, 1, c, yes(l));
  assert_null(rule_frame(l->k, span_none(), equal(l, l->x), j));
  assert_null(rule_frame(l->k, span_none(), term_le(&l->terms, zero(l), kernel_budget(l->k)), j));
  assert_non_null(rule_frame(l->k, span_none(), equal(l, l->y), j));
  /* only run 2's copy is written on the right */
  assert_non_null(rule_frame(l->k, span_none(), term_eq(&l->terms, in(l, l->x, 2), zero(l)), j));
}

LAB(cuts_must_meet) {
  proof_of a = rule_skip(l->k, equal(l, l->x)), b = rule_skip(l->k, equal(l, l->y));
  assert_null(rule_seq(l->k, a, b));
  struct lab other;
  lab_init(&other);
  proof_of foreign = rule_skip(other.k, equal(&other, other.x));
  assert_null(rule_seq(l->k, foreign, foreign));
  assert_null(rule_conseq(l->k, span_none(), yes(l), yes(l), zero(l), foreign));
  lab_clear(&other);
}

LAB(bound_variables_do_not_capture) {
  struct terms *ts = &l->terms;
  /* post: forall v. x<1> < v -> y<2> < v, about an arbitrary v; x := z uses a variable named v too
   */
  term_id v = kernel_fresh(l->k, "v", SORT_REAL);
  term_id post = term_forall(
      ts, &v, 1, term_implies(ts, term_lt(ts, in(l, l->x, 1), v), term_lt(ts, in(l, l->y, 2), v)));
  const struct core *c = laplace(l, l->x, zero(l), term_int(ts, 1));
  proof_of j = rule_sample_side(l->k, 1, c, post);
  /* would need every sample to be at least y<2> */
  assert_false(usable(l, j, yes(l)));
}

LAB(loops_keep_their_deltas_and_ends) {
  struct terms *ts = &l->terms;
  const struct core *forever = core_while(l->arena, span_none(), yes(l), core_skip());
  term_id inv = equal(l, l->x), inside = term_and(ts, inv, yes(l));
  proof_of body = rule_skip(l->k, inv);
  assert_true(judgement_pre(body) == inside);
  /* partial correctness: allowed, but it is not lossless */
  assert_non_null(rule_while(l->k, forever, forever, inv, body));
  assert_false(lossless_check(l->k, forever, 1, NULL));
  proof_of right = rule_while_side(l->k, 2, forever, inv, body, NULL);
  assert_null(right);
  /* a body that costs delta */
  proof_of costly = rule_conseq(l->k, span_none(), inside, inv, term_rat(ts, 1, 10), body);
  assert_non_null(costly);
  assert_null(rule_while(l->k, forever, forever, inv, costly));
}

LAB(variants_must_decrease) {
  struct terms *ts = &l->terms;
  term_id one = term_int(ts, 1);
  const struct core *stay = core_assign(l->arena, span_none(), l->z, l->z);
  const struct core *loop =
      core_while(l->arena, span_none(), term_lt(ts, term_int(ts, 0), l->z), stay);
  assert_false(lossless_check(l->k, loop, 1, NULL));
  const struct core *down = core_assign(l->arena, span_none(), l->z, term_sub(ts, l->z, one));
  const struct core *ends =
      core_while(l->arena, span_none(), term_lt(ts, term_int(ts, 0), l->z), down);
  assert_true(lossless_check(l->k, ends, 1, NULL));
  /* a variant that decreases but is not bounded by the guard */
  const struct core *below =
      core_while(l->arena, span_none(), term_lt(ts, l->z, term_int(ts, 0)), down);
  const struct core *loops[] = {below};
  term_id variants[] = {l->z};
  struct loop_variants named = {.loops = loops, .variants = variants, .count = 1};
  assert_false(lossless_check(l->k, below, 1, &named));
}

LAB(pointwise_needs_a_countable_output_and_every_value) {
  term_id i = kernel_fresh(l->k, "i", SORT_REAL);
  proof_of j = rule_skip(l->k, rule_pointwise_goal(l->k, l->x, i, equal(l, l->x)));
  assert_null(rule_pointwise(l->k, span_none(), l->x, i, yes(l), NULL, j));
  term_id n = kernel_fresh(l->k, "n", SORT_INT);
  proof_of k = rule_skip(l->k, rule_pointwise_goal(l->k, l->z, n, equal(l, l->z)));
  /* skip leaves the value in the precondition: it has to hold for every value */
  proof_of every = rule_pointwise(l->k, span_none(), l->z, n, yes(l), NULL, k);
  assert_false(term_mentions(&l->terms, judgement_pre(every), &n, 1));
  term_id five = term_eq(&l->terms, in(l, l->z, 2), term_int(&l->terms, 5));
  term_id not_five =
      term_not(&l->terms, term_eq(&l->terms, in(l, l->z, 1), term_int(&l->terms, 5)));
  assert_false(usable(l, every, yes(l)));
  assert_false(usable(l, every, five));
  assert_false(usable(l, every, not_five)); /* enough for the value 5, not for others */
  assert_false(usable(l, every, term_eq(&l->terms, n, term_int(&l->terms, 5))));
  assert_true(usable(l, every, equal(l, l->z)));
  proof_of all = rule_conseq(l->k, span_none(), equal(l, l->z), judgement_post(k), zero(l), k);
  assert_non_null(rule_pointwise(l->k, span_none(), l->z, n, yes(l), NULL, all));
  /* a program that reads the value, and a fact about it */
  const struct core *copy = core_assign(l->arena, span_none(), l->z, n);
  term_id goal = rule_pointwise_goal(l->k, l->z, n, equal(l, l->z));
  proof_of right = rule_assign(l->k, 2, copy, goal);
  proof_of reads = rule_seq(l->k, rule_assign(l->k, 1, copy, judgement_pre(right)), right);
  assert_non_null(reads);
  assert_null(rule_pointwise(l->k, span_none(), l->z, n, yes(l), NULL, reads));
}

/* x := 0 leads to x<1> = x<2>, and nothing else may be concluded of x, or of the budget. */
LAB(contracts_forget_what_is_written) {
  struct terms *ts = &l->terms;
  const struct core *c = core_assign(l->arena, span_none(), l->x, zero(l));
  term_id one = term_rat(ts, 1, 1), b = kernel_budget(l->k);
  proof_of right = rule_assign(l->k, 2, c, equal(l, l->x));
  proof_of j = rule_seq(l->k, rule_assign(l->k, 1, c, judgement_pre(right)), right);
  term_id rich = term_le(ts, one, b), posts[] = {equal(l, l->x), equal(l, l->y), rich};
  assert_true(usable(l, rule_contract(l->k, span_none(), zero(l), posts[0], j), yes(l)));
  assert_true(usable(l, rule_contract(l->k, span_none(), zero(l), posts[1], j), posts[1]));
  assert_false(usable(l, rule_contract(l->k, span_none(), zero(l), posts[1], j), yes(l)));
  assert_true(usable(l, rule_contract(l->k, span_none(), zero(l), rich, j), rich));
  assert_false(usable(l, rule_contract(l->k, span_none(), one, rich, j), rich));
  assert_true(usable(l, rule_contract(l->k, span_none(), one, rich, j),
                     term_le(ts, term_rat(ts, 2, 1), b)));
  /* a negative price, more than there is, what x was before */
  assert_false(usable(l, rule_contract(l->k, span_none(), term_rat(ts, -1, 1), rich, j), rich));
  assert_false(usable(l, rule_contract(l->k, span_none(), one, yes(l), j), yes(l)));
  term_id old = term_eq(ts, in(l, l->x, 1), one);
  assert_false(usable(l, rule_contract(l->k, span_none(), zero(l), old, j), old));
  /* the price is that of the memories before: x<1> is 5 there, whatever it is afterwards */
  term_id price = in(l, l->x, 1), five = term_rat(ts, 5, 1), four = term_rat(ts, 4, 1);
  proof_of dear = rule_contract(l->k, span_none(), price, rich, j);
  term_id is_five = term_eq(ts, price, five);
  assert_true(usable(l, dear, term_and(ts, is_five, term_le(ts, term_rat(ts, 6, 1), b))));
  assert_false(usable(l, dear, term_and(ts, is_five, term_le(ts, term_add(ts, one, four), b))));
  /* run-less terms, the budget, another context */
  assert_null(rule_contract(l->k, span_none(), l->x, yes(l), j));
  assert_null(rule_contract(l->k, span_none(), b, yes(l), j));
  assert_null(rule_contract(l->k, span_none(), zero(l), l->x, j));
  assert_null(rule_contract(l->k, span_none(), zero(l), yes(l), rule_skip(l->k, rich)));
  struct lab other;
  lab_init(&other);
  assert_null(rule_contract(other.k, span_none(), zero(&other), yes(&other), j));
  lab_clear(&other);
}

LAB(exists_needs_a_logical_variable) {
  struct terms *ts = &l->terms;
  term_id i = kernel_fresh(l->k, "i", SORT_REAL);
  const struct core *c = core_assign(l->arena, span_none(), l->x, i);
  proof_of j = rule_assign(l->k, 1, c, term_eq(ts, in(l, l->x, 1), term_int(ts, 5)));
  /* pre: i = 5; "exists i. i = 5" is true, but the program assigns the real i */
  assert_null(rule_exists(l->k, span_none(), i, TERM_NONE, j));
  assert_null(
      rule_exists(l->k, span_none(), kernel_budget(l->k), TERM_NONE, rule_skip(l->k, yes(l))));
  assert_null(
      rule_exists(l->k, span_none(), in(l, l->x, 1), TERM_NONE, rule_skip(l->k, equal(l, l->x))));
}

LAB(inputs_and_facts) {
  const struct core *c = core_assign(l->arena, span_none(), l->q, zero(l));
  assert_null(rule_assign(l->k, 1, c, yes(l)));
  assert_null(rule_sample_side(l->k, 1, laplace(l, l->q, zero(l), term_int(&l->terms, 1)), yes(l)));
  assert_false(kernel_assume(l->k, equal(l, l->x)));
  assert_false(
      kernel_assume(l->k, term_le(&l->terms, term_int(&l->terms, 9), kernel_budget(l->k))));
  assert_true(kernel_assume(l->k, equal(l, l->q)));
  assert_false(kernel_lemma(l->k, span_none(), term_bool(&l->terms, false)));
  assert_false(kernel_lemma(l->k, span_none(), equal(l, l->x)));
}

LAB(programs_do_not_read_runs_or_budgets) {
  const struct core *peek = core_assign(l->arena, span_none(), l->x, in(l, l->q, 2));
  assert_null(rule_assign(l->k, 1, peek, yes(l)));
  const struct core *spend = core_assign(l->arena, span_none(), l->x, kernel_budget(l->k));
  assert_null(rule_assign(l->k, 1, spend, yes(l)));
}

LAB(admitted_stays_admitted) {
  proof_of bad =
      rule_admit(l->k, span_none(), core_skip(), core_skip(), yes(l), term_bool(&l->terms, false));
  assert_true(judgement_admitted(bad));
  proof_of more = rule_conseq(l->k, span_none(), yes(l), equal(l, l->x), zero(l), bad);
  assert_non_null(more);
  assert_true(judgement_admitted(more));
  proof_of seq = rule_seq(l->k, more, rule_skip(l->k, equal(l, l->x)));
  assert_true(judgement_admitted(seq));
  proof_of clean = rule_skip(l->k, equal(l, l->x));
  proof_of both = rule_case(l->k, span_none(), yes(l), clean, more);
  assert_non_null(both);
  assert_true(judgement_admitted(both));
}

LAB(array_stores_do_not_alias) {
  struct terms *ts = &l->terms;
  /* only through assignment of the whole array: a[i] := 1; a[j] untouched for j other than i */
  sort_id array = sort_array(ts, SORT_REAL);
  struct lab other;
  lab_init(&other);
  sort_id other_array = sort_array(&other.terms, SORT_REAL);
  (void)array;
  term_id a = kernel_var(other.k, "a", other_array, false);
  assert_true(a != TERM_NONE);
  struct terms *os = &other.terms;
  term_id value = term_store(os, a, other.z, term_rat(os, 1, 1));
  const struct core *c = core_assign(other.arena, span_none(), a, value);
  term_id a1 = term_var_in_run(os, a, 1);
  term_id zero_at_2 = term_eq(os, term_select(os, a1, term_int(os, 2)), zero(&other));
  proof_of j = rule_assign(other.k, 1, c, zero_at_2);
  term_id elsewhere = term_ne(os, in(&other, other.z, 1), term_int(os, 2));
  assert_false(usable(&other, j, zero_at_2));
  assert_true(usable(&other, j, term_and(os, zero_at_2, elsewhere)));
  lab_clear(&other);
}

LAB(tails) {
  struct terms *ts = &l->terms;
  term_id args[] = {term_int(ts, 0), term_int(ts, 1)};
  const struct core *d = core_sample(l->arena, span_none(), l->z, DIST_DISCRETE_LAPLACE, args, 2);
  /* docs/errata.md, 2: a real threshold on integers; Pr[|v| > 0.999] is 0.538, not 0.368 */
  term_id small = term_le(ts, term_abs(ts, in(l, l->z, 1)), term_rat(ts, 999, 1000));
  term_id claimed = term_rat(ts, 37, 100);
  assert_null(ahl_tail(l->k, 1, d, TAIL_BOTH, term_rat(ts, 999, 1000), claimed, small));
  bound_of floor = ahl_tail(l->k, 1, d, TAIL_BOTH, term_int(ts, 0), claimed, small);
  assert_non_null(floor);
  assert_null(ahl_conseq(l->k, span_none(), yes(l), small, claimed, floor));
  bound_of honest = ahl_tail(l->k, 1, d, TAIL_BOTH, term_int(ts, 0), term_rat(ts, 54, 100), small);
  assert_non_null(ahl_conseq(l->k, span_none(), yes(l), small, term_rat(ts, 54, 100), honest));
  /* a negative threshold, and an event of the other run */
  bound_of negative =
      ahl_tail(l->k, 1, d, TAIL_ABOVE, term_int(ts, -3), term_rat(ts, 1, 2), yes(l));
  assert_null(ahl_conseq(l->k, span_none(), yes(l), yes(l), term_rat(ts, 1, 2), negative));
  assert_null(ahl_skip(l->k, 1, equal(l, l->x)));
}

LAB(up_to_bad_counts_the_bad) {
  struct terms *ts = &l->terms;
  const struct core *c = laplace(l, l->x, l->q, term_int(ts, 1));
  term_id good = term_le(ts, in(l, l->x, 1), term_int(ts, 3));
  term_id post = equal(l, l->x);
  bound_of event = ahl_sample(l->k, 1, c, good);
  proof_of j = shift(l, c, c, zero(l), term_implies(ts, good, post));
  assert_non_null(rule_upto(l->k, span_none(), event, TERM_NONE, post, j));
  /* the premise is about another event; the event is about another program */
  proof_of wrong = shift(l, c, c, zero(l), post);
  assert_null(rule_upto(l->k, span_none(), event, TERM_NONE, post, wrong));
  bound_of skip = ahl_skip(l->k, 1, good);
  assert_null(rule_upto(l->k, span_none(), skip, TERM_NONE, post, j));
  /* run 2 without a bound on the budget */
  term_id good2 = term_le(ts, in(l, l->x, 2), term_int(ts, 3));
  bound_of event2 = ahl_sample(l->k, 2, c, good2);
  proof_of j2 = shift(l, c, c, zero(l), term_implies(ts, good2, post));
  assert_null(rule_upto(l->k, span_none(), event2, TERM_NONE, post, j2));
  assert_non_null(rule_upto(l->k, span_none(), event2, term_int(ts, 1), post, j2));
}

LAB(adversaries_see_the_same) {
  struct terms *ts = &l->terms;
  struct lab other;
  lab_init(&other);
  sort_id secret = sort_abstract(&other.terms, "S");
  term_id state = kernel_var(other.k, "state", secret, false);
  term_id args[] = {other.q};
  const char *name = intern_str(&other.terms.names, "A");
  const struct core *c = core_adversary(other.arena, span_none(), name, state, other.x, args, 1);
  proof_of j = rule_adversary(other.k, c, c, equal(&other, other.x));
  assert_false(usable(&other, j, equal(&other, state)));
  assert_true(
      usable(&other, j, term_and(&other.terms, equal(&other, state), equal(&other, other.q))));
  assert_false(usable(&other, j, equal(&other, other.q))); /* states differ */
  /* two different adversaries */
  const struct core *d = core_adversary(
      other.arena, span_none(), intern_str(&other.terms.names, "B"), state, other.x, args, 1);
  assert_null(rule_adversary(other.k, c, d, yes(&other)));
  lab_clear(&other);
  (void)ts;
}

/* ---- second round: rules with deltas, sets, equivalences --------------------------------------
 */

/* A variable with the largest version: the next fresh one would be the program's own. */
LAB(fresh_variables_do_not_wrap_around) {
  struct terms *ts = &l->terms;
  (void)term_var(ts, "v", SORT_REAL, 0, UINT32_MAX);
  (void)term_var(ts, "v", SORT_REAL, 0, (unsigned)TERM_LIMIT_VERSION);
  term_id guess = term_var(ts, "v", SORT_REAL, 0, 0);
  const struct core *c = laplace(l, l->x, l->q, term_int(ts, 1));
  /* "the sample is that number": with v captured, "for all v: v = v" would be all there is to show
   */
  proof_of j = rule_sample_side(l->k, 1, c, term_eq(ts, in(l, l->x, 1), guess));
  if (j) assert_false(usable(l, j, yes(l)));
}

static proof_of subset(struct lab *l, const struct core *c, struct sample_set one,
                       struct sample_set two, term_id in, term_id out, term_id post) {
  struct subset_coupling how = {.sample = kernel_fresh(l->k, "s", SORT_REAL),
                                .sets = {one, two},
                                .inside = in,
                                .outside = out};
  return rule_sample_subset(l->k, c, c, &how, post);
}

LAB(sets_of_samples) {
  struct terms *ts = &l->terms;
  const struct core *c = laplace(l, l->x, zero(l), term_int(ts, 1));
  term_id none = TERM_NONE, two = term_int(ts, 2), one = term_int(ts, 1),
          budget = kernel_budget(l->k);
  term_id rich = term_le(ts, term_int(ts, 50), budget), no = term_bool(ts, false);
  struct sample_set all = {none, none, none}, empty = {two, one, none}, up = {one, none, none};
  /* an empty interval has a negative "probability": nothing would be to show for it */
  assert_false(usable(l, subset(l, c, empty, empty, zero(l), zero(l), yes(l)), rich));
  /* everything against nothing but a half line */
  assert_false(usable(l, subset(l, c, all, up, zero(l), zero(l), yes(l)), rich));
  assert_true(usable(l, subset(l, c, all, all, zero(l), zero(l), yes(l)), yes(l)));
  /* false afterwards: no cost pays for it */
  assert_false(usable(l, subset(l, c, all, all, term_int(ts, 40), zero(l), no), rich));
  /* negative costs would give budget back */
  term_id minus = term_int(ts, -1);
  assert_false(usable(l, subset(l, c, up, up, minus, minus, term_le(ts, one, budget)), yes(l)));
  /* conditions on continuous noise have no probability; a set that depends on the budget */
  struct sample_set odd = {none, none, yes(l)};
  assert_null(subset(l, c, odd, odd, zero(l), zero(l), yes(l)));
  term_id p = term_rat(ts, 1, 2);
  const struct core *set = core_sample(l->arena, span_none(), l->z, DIST_UNIFORM_INT,
                                       (const term_id[]){zero(l), one}, 2);
  assert_null(subset(l, set, up, up, zero(l), zero(l), yes(l))); /* reals as ends of a range */
  struct sample_set greedy = {none, none, term_le(ts, one, budget)};
  const struct core *coin =
      core_sample(l->arena, span_none(), l->z, DIST_UNIFORM_SET, (const term_id[]){one, two}, 2);
  struct subset_coupling how = {.sample = kernel_fresh(l->k, "s", SORT_INT),
                                .sets = {greedy, greedy},
                                .inside = zero(l),
                                .outside = zero(l)};
  assert_null(rule_sample_subset(l->k, coin, coin, &how, yes(l)));
  (void)p;
}

LAB(scaled_noise) {
  struct terms *ts = &l->terms;
  term_id one = term_int(ts, 1), rich = term_le(ts, term_int(ts, 50), kernel_budget(l->k));
  const struct core *c = laplace(l, l->x, zero(l), one), *off = laplace(l, l->x, one, one);
  const struct core *own = laplace(l, l->x, l->q, one),
                    *wide = laplace(l, l->x, zero(l), term_int(ts, 2));
  assert_true(usable(l, rule_sample_scale(l->k, c, c, one, zero(l), yes(l)), rich));
  assert_false(usable(l, rule_sample_scale(l->k, c, c, term_int(ts, -1), zero(l), yes(l)), rich));
  assert_false(usable(l, rule_sample_scale(l->k, c, c, one, term_rat(ts, -1, 2), yes(l)), rich));
  assert_false(usable(l, rule_sample_scale(l->k, off, off, one, zero(l), yes(l)), rich));
  assert_false(usable(l, rule_sample_scale(l->k, own, own, one, zero(l), yes(l)), rich));
  assert_false(usable(l, rule_sample_scale(l->k, c, wide, one, zero(l), yes(l)), rich));
  assert_null(rule_sample_scale(l->k, c, c, one, kernel_budget(l->k), yes(l)));
  assert_null(rule_sample_scale(l->k, c, c, one, in(l, l->q, 1), yes(l)));
}

LAB(witnesses) {
  struct terms *ts = &l->terms;
  term_id i = kernel_fresh(l->k, "i", SORT_REAL);
  proof_of j =
      rule_conseq(l->k, span_none(), term_eq(ts, in(l, l->x, 1), i),
                  term_eq(ts, in(l, l->x, 1), in(l, l->x, 1)), zero(l), rule_skip(l->k, yes(l)));
  assert_non_null(rule_exists(l->k, span_none(), i, in(l, l->x, 1), j));
  assert_null(rule_exists(l->k, span_none(), i, l->x, j));   /* of no run */
  assert_null(rule_exists(l->k, span_none(), i, yes(l), j)); /* of another sort */
  proof_of kept = rule_skip(l->k, term_eq(ts, in(l, l->x, 1), i));
  assert_null(rule_exists(l->k, span_none(), i, in(l, l->x, 1), kept)); /* still in the post */
}

LAB(dead_code_is_dead) {
  struct terms *ts = &l->terms;
  const struct core *set_x = core_assign(l->arena, span_none(), l->x, term_int(ts, 7));
  const struct core *copy = core_assign(l->arena, span_none(), l->y, l->x);
  const struct core *input = core_assign(l->arena, span_none(), l->q, zero(l));
  const struct core *forever = core_while(l->arena, span_none(), yes(l), set_x);
  proof_of skip = rule_skip(l->k, equal(l, l->y)), about_x = rule_skip(l->k, equal(l, l->x));
  assert_non_null(rule_equiv_dead(l->k, 1, set_x, NULL, skip));
  assert_null(rule_equiv_dead(l->k, 1, set_x, NULL, about_x));
  assert_null(rule_equiv_dead(l->k, 1, input, NULL, skip));
  assert_null(rule_equiv_dead(l->k, 2, forever, NULL, skip));
  assert_null(rule_equiv_dead(l->k, 3, set_x, NULL, skip));
  /* y := x reads it, though neither pre nor post mentions x<1> */
  proof_of reads = rule_conseq(l->k, span_none(), term_bool(ts, false), equal(l, l->y), zero(l),
                               rule_assign(l->k, 1, copy, equal(l, l->y)));
  assert_non_null(reads);
  assert_null(rule_equiv_dead(l->k, 1, set_x, NULL, reads));
}

LAB(rewritten_loops_are_the_same_loops) {
  struct terms *ts = &l->terms;
  term_id guard = term_lt(ts, l->z, term_int(ts, 3)), p = term_lt(ts, l->z, term_int(ts, 1));
  const struct core *body =
      core_assign(l->arena, span_none(), l->z, term_add(ts, l->z, term_int(ts, 1)));
  const struct core *loop = core_while(l->arena, span_none(), guard, body);
  const struct core *more = core_while(l->arena, span_none(), term_and(ts, guard, p), body);
  const struct core *blocks =
      core_while(l->arena, span_none(), guard, core_seq(l->arena, body, more));
  const struct core *other =
      core_while(l->arena, span_none(), guard, core_seq(l->arena, more, body));
  proof_of good = rule_admit(l->k, span_none(), blocks, core_skip(), yes(l), yes(l));
  proof_of bad = rule_admit(l->k, span_none(), other, core_skip(), yes(l), yes(l));
  assert_non_null(rule_equiv_block(l->k, 1, loop, p, good));
  assert_true(judgement_admitted(rule_equiv_block(l->k, 1, loop, p, good)));
  assert_null(rule_equiv_block(l->k, 1, loop, p, bad));
  assert_null(rule_equiv_block(l->k, 2, loop, p, good));
  assert_null(rule_equiv_block(l->k, 1, loop, in(l, l->z, 1), good));
  assert_null(rule_equiv_block(l->k, 1, loop, term_le(ts, zero(l), kernel_budget(l->k)), good));
}

LAB(flat_loops_need_a_flag_of_their_own) {
  struct terms *ts = &l->terms;
  term_id f = kernel_var(l->k, "f", SORT_BOOL, false), g = kernel_var(l->k, "g", SORT_BOOL, true);
  term_id three = term_int(ts, 3), one = term_int(ts, 1);
  const struct core *up = core_assign(l->arena, span_none(), l->z, term_add(ts, l->z, one));
  const struct core *inner = core_while(l->arena, span_none(), term_lt(ts, l->z, three), up);
  const struct core *loop = core_while(l->arena, span_none(), term_lt(ts, l->z, one), inner);
  const struct core *reads = core_while(l->arena, span_none(), f, inner);
  proof_of good =
      rule_admit(l->k, span_none(), equiv_flat(l->k, loop, f), core_skip(), yes(l), yes(l));
  assert_non_null(rule_equiv_flatten(l->k, 1, loop, f, good));
  assert_true(judgement_admitted(rule_equiv_flatten(l->k, 1, loop, f, good)));
  assert_null(rule_equiv_flatten(l->k, 2, loop, f, good));
  assert_null(rule_equiv_flatten(l->k, 3, loop, f, good));
  /* no loop inside; a guard that is the flag; an input, a number, a logical variable as the flag */
  assert_null(rule_equiv_flatten(l->k, 1, inner, f, good));
  assert_null(equiv_flat(l->k, inner, f));
  assert_null(rule_equiv_flatten(
      l->k, 1, reads, f,
      rule_admit(l->k, span_none(), equiv_flat(l->k, reads, f), core_skip(), yes(l), yes(l))));
  const term_id bad[] = {g, l->z, term_var(ts, "p", SORT_BOOL, 0, 0)};
  for (size_t i = 0; i < 3; i++)
    assert_null(rule_equiv_flatten(l->k, 1, loop, bad[i], good));
}

LAB(invariants_for_termination_are_checked) {
  struct terms *ts = &l->terms;
  term_id zero_int = term_int(ts, 0);
  /* while 0 < z { z := z - x } would end if x were at least 1 all the time */
  const struct core *down =
      core_assign(l->arena, span_none(), l->z, term_sub(ts, l->z, term_floor(ts, l->x)));
  const struct core *loop = core_while(l->arena, span_none(), term_lt(ts, zero_int, l->z), down);
  const struct core *loops[] = {loop};
  term_id variants[] = {l->z}, claims[] = {term_le(ts, term_int(ts, 1), l->x)};
  struct loop_variants how = {loops, variants, claims, 1, NULL, 0};
  assert_false(lossless_check(l->k, loop, 1, &how)); /* not true at the beginning */
  const struct core *set = core_assign(l->arena, span_none(), l->x, term_int(ts, 1));
  assert_true(lossless_check(l->k, core_seq(l->arena, set, loop), 1, &how));
  const struct core *halve =
      core_assign(l->arena, span_none(), l->x, term_mul(ts, term_rat(ts, 1, 2), l->x));
  const struct core *worse = core_while(l->arena, span_none(), term_lt(ts, zero_int, l->z),
                                        core_seq(l->arena, down, halve));
  loops[0] = worse; /* not true in the second iteration */
  assert_false(lossless_check(l->k, core_seq(l->arena, set, worse), 1, &how));
}

/* while z < 2 { z := z + 1 } composed at eps each, delta d each; premises are given. */
static proof_of compose(struct lab *l, struct advanced how, bool good) {
  struct terms *ts = &l->terms;
  const struct core *body =
      core_assign(l->arena, span_none(), l->z, term_add(ts, l->z, term_int(ts, 1)));
  const struct core *loop =
      core_while(l->arena, span_none(), term_lt(ts, l->z, term_int(ts, 2)), body);
  term_id here = in(l, l->z, 1);
  how.relation = term_and(ts, equal(l, l->z), term_le(ts, here, term_int(ts, 2)));
  how.hits = l->z;
  struct advanced_goal f = advanced_goal(l->k, loop, loop, &how, false);
  struct advanced_goal b = advanced_goal(l->k, loop, loop, &how, true);
  term_id delta = how.delta == TERM_NONE ? zero(l) : how.delta;
  proof_of forward = rule_admit(l->k, span_none(), body, body, f.pre, f.post);
  proof_of backward = rule_admit(l->k, span_none(), body, body, b.pre, b.post);
  forward = forward ? rule_conseq(l->k, span_none(), f.pre, f.post, delta, forward) : NULL;
  if (good)
    backward = backward ? rule_conseq(l->k, span_none(), b.pre, b.post, delta, backward) : NULL;
  return forward && backward ? rule_advanced(l->k, loop, loop, &how, forward, backward) : NULL;
}

LAB(optimal_composition_counts_everything) {
  struct terms *ts = &l->terms;
  term_id m = kernel_fresh(l->k, "m", SORT_INT), half = term_rat(ts, 1, 2);
  struct advanced fair = {.count = m,
                          .most = term_int(ts, 2),
                          .epsilon = half,
                          .delta = term_rat(ts, 1, 10),
                          .total = half,
                          .omega = term_rat(ts, 1, 2)};
  assert_non_null(compose(l, fair, true));
  assert_null(compose(l, fair, false)); /* no delta in the backward premise: another judgement */
  struct advanced how = fair;
  how.omega = term_rat(ts, 1, 5); /* 1 - 0.9^2 = 0.19 and then some */
  assert_null(compose(l, how, true));
  how = fair;
  how.most = term_int(ts, 1); /* the loop runs twice */
  assert_null(compose(l, how, true));
  how = fair;
  how.most = term_var(ts, "n", SORT_INT, 0, 0); /* not a number */
  assert_null(compose(l, how, true));
  how = fair;
  how.epsilon = term_neg(ts, half);
  assert_null(compose(l, how, true));
  how = fair;
  how.delta = term_int(ts, 3); /* (1 - 3)^2 = 4 > 0 */
  assert_null(compose(l, how, true));
  how = fair;
  how.total = TERM_NONE;
  how.epsilon = term_mul(ts, half, m); /* a cost that changes, in the theorem for equal ones */
  assert_null(compose(l, how, true));
  how = fair;
  how.omega = term_mul(ts, half, m);
  assert_null(compose(l, how, true));
  how = fair;
  how.total = term_mul(ts, half, m);
  assert_null(compose(l, how, true));
  how = fair;
  how.hit = yes(l); /* hits know no deltas */
  assert_null(compose(l, how, true));
}

/* while true { z := z + 1 }: from M on every iteration is "lost", at a delta that nobody counts. */
LAB(lost_iterations_are_counted) {
  struct terms *ts = &l->terms;
  const struct core *body =
      core_assign(l->arena, span_none(), l->z, term_add(ts, l->z, term_int(ts, 1)));
  const struct core *loop =
      core_while(l->arena, span_none(), term_lt(ts, l->z, term_int(ts, 9)), body);
  for (int most = 0; most <= 1; most++)
    for (int optimal = 0; optimal <= 1; optimal++) {
      term_id m = kernel_fresh(l->k, "m", SORT_INT), few = term_int(ts, most);
      term_id lost = term_ite(ts, term_le(ts, few, m), term_rat(ts, 1, 1), zero(l));
      struct advanced how = {.relation =
                                 term_and(ts, equal(l, l->z), term_le(ts, in(l, l->z, 1), few)),
                             .hits = l->z,
                             .count = m,
                             .most = few,
                             .epsilon = term_rat(ts, 1, 2),
                             .omega = term_rat(ts, 1, 2),
                             .delta = optimal ? lost : term_rat(ts, 1, 1),
                             .total = optimal ? term_rat(ts, 1, 1) : TERM_NONE};
      struct advanced_goal f = advanced_goal(l->k, loop, loop, &how, false);
      struct advanced_goal b = advanced_goal(l->k, loop, loop, &how, true);
      /* both premises are true: with most = 1 the first iteration keeps the relation */
      proof_of forward = rule_conseq(l->k, span_none(), f.pre, f.post, how.delta,
                                     rule_admit(l->k, span_none(), body, body, f.pre, f.post));
      proof_of backward = rule_conseq(l->k, span_none(), b.pre, b.post, how.delta,
                                      rule_admit(l->k, span_none(), body, body, b.pre, b.post));
      assert_non_null(forward);
      assert_null(rule_advanced(l->k, loop, loop, &how, forward, backward));
      assert_non_null(strstr(kernel_failure(l->k)->message, "the loop has ended"));
    }
}

LAB(sums_of_deltas_are_complete) {
  struct terms *ts = &l->terms;
  term_id i = kernel_fresh(l->k, "i", SORT_INT), one = term_int(ts, 1), zero_int = term_int(ts, 0);
  term_id some = term_rat(ts, 1, 10), post = equal(l, l->z);
  term_id goal = rule_pointwise_goal(l->k, l->z, i, post);
  proof_of all = rule_conseq(l->k, span_none(), post, goal, some, rule_skip(l->k, goal));
  assert_non_null(all);
  /* every integer costs 1/10: no finite sum covers that */
  struct pointwise_sum sum = {zero_int, one, term_mul(ts, some, term_add(ts, i, one))};
  assert_null(rule_pointwise(l->k, span_none(), l->z, i, yes(l), &sum, all));
  assert_null(rule_pointwise(l->k, span_none(), l->z, i, yes(l), NULL, all));
  /* 1/10 for 0 and 1 */
  term_id in_range = term_and(ts, term_le(ts, zero_int, i), term_le(ts, i, one));
  term_id d = term_ite(ts, in_range, some, zero(l));
  proof_of two = rule_conseq(l->k, span_none(), post, goal, d, rule_skip(l->k, goal));
  proof_of j = rule_pointwise(l->k, span_none(), l->z, i, yes(l), &sum, two);
  assert_non_null(j);
  assert_non_null(rule_conseq(l->k, span_none(), post, post, term_rat(ts, 2, 10), j));
  assert_null(rule_conseq(l->k, span_none(), post, post, term_rat(ts, 19, 100), j));
  struct pointwise_sum flat = {zero_int, one, some}, high = {zero_int, zero_int, sum.total},
                       low = {zero_int, one, term_sub(ts, sum.total, some)},
                       own = {i, one, sum.total}, state = {in(l, l->z, 1), one, sum.total},
                       reversed = {one, term_int(ts, -5), sum.total};
  const struct pointwise_sum *wrong[] = {&flat, &high, &low, &own, &state, &reversed};
  for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++)
    assert_null(rule_pointwise(l->k, span_none(), l->z, i, yes(l), wrong[w], two));
}

LAB(deltas_of_cases) {
  struct terms *ts = &l->terms;
  term_id n = term_var(ts, "n", SORT_INT, 0, 0), some = term_rat(ts, 1, 10);
  proof_of free_of = rule_skip(l->k, yes(l));
  proof_of costly = rule_conseq(l->k, span_none(), yes(l), yes(l), some, rule_skip(l->k, yes(l)));
  term_id parameter = term_lt(ts, n, term_int(ts, 0)),
          rich = term_le(ts, some, kernel_budget(l->k));
  term_id memory = term_lt(ts, in(l, l->x, 1), zero(l));
  proof_of by_parameter = rule_case(l->k, span_none(), parameter, free_of, costly);
  assert_true(judgement_delta(by_parameter) == term_ite(ts, parameter, zero(l), some));
  /* a delta cannot depend on the state or the budget */
  assert_true(judgement_delta(rule_case(l->k, span_none(), memory, free_of, costly)) == some);
  assert_true(judgement_delta(rule_case(l->k, span_none(), rich, free_of, costly)) == some);
  assert_null(rule_case(l->k, span_none(), l->x, free_of, costly));
}

LAB(both_events_of_one_program) {
  term_id good = term_le(&l->terms, in(l, l->x, 1), zero(l));
  bound_of a = ahl_skip(l->k, 1, good), b = ahl_skip(l->k, 1, yes(l));
  assert_non_null(ahl_and(l->k, a, b));
  bound_of other = ahl_frame(l->k, 1, core_assign(l->arena, span_none(), l->y, zero(l)), good);
  assert_null(ahl_and(l->k, a, other));
  assert_null(ahl_and(l->k, a, ahl_skip(l->k, 2, yes(l))));
  assert_null(ahl_and(l->k, a, NULL));
}

/* A symbol that looks like a label but is an operator of its own: taking it off would change what
 * the formula says. */
LAB(only_labels_are_taken_off) {
  struct terms *ts = &l->terms;
  sort_id ints[] = {SORT_INT, SORT_INT};
  symbol_id fake = symbol_declare(ts, "label#evil", ints, 2, SORT_INT);
  term_id args[] = {term_int(ts, 1), term_int(ts, 2)};
  term_id formula = term_eq(ts, term_app(ts, fake, args, 2), term_int(ts, 1));
  assert_false(kernel_lemma(l->k, span_none(), formula));
}

/* differing(a) is about the arrays as they are: a store in between may move the place, and nothing
 * is known of the place where they are equal. */
LAB(places_do_not_survive_a_store) {
  struct terms *ts = &l->terms;
  term_id a = kernel_var(l->k, "a", sort_array(ts, SORT_REAL), false);
  term_id a1 = in(l, a, 1), a2 = in(l, a, 2), three = term_int(ts, 3), five = term_int(ts, 5);
  term_id place = term_differing(ts, a1, a2);
  term_id at_five = term_eq(ts, place, five), differ = term_ne(ts, a1, a2);
  term_id same_but = term_eq(ts, a2, term_store(ts, a1, five, term_select(ts, a2, five)));
  const struct core *put =
      core_assign(l->arena, span_none(), a, term_store(ts, a, three, l->q)); /* a[3] := q */
  const struct core *clear =
      core_assign(l->arena, span_none(), a, term_store(ts, a, five, zero(l)));
  term_id posts[] = {at_five, term_implies(ts, differ, at_five)};
  for (size_t i = 0; i < 2; i++) {
    proof_of j = rule_assign(l->k, 2, put, posts[i]);
    j = rule_seq(l->k, rule_assign(l->k, 1, put, judgement_pre(j)), j);
    assert_false(usable(l, j, at_five));
    assert_false(usable(l, j, term_and_all(ts, (term_id[]){at_five, same_but, differ}, 3)));
    assert_false(usable(l, j, equal(l, a)));
  }
  /* where nothing else differs and q is the same, the place stays; without q it is the new one */
  proof_of j = rule_assign(l->k, 2, put, posts[1]);
  j = rule_seq(l->k, rule_assign(l->k, 1, put, judgement_pre(j)), j);
  assert_true(usable(l, j, term_and(ts, same_but, equal(l, l->q))));
  j = rule_assign(l->k, 2, put, term_implies(ts, differ, term_eq(ts, place, three)));
  j = rule_seq(l->k, rule_assign(l->k, 1, put, judgement_pre(j)), j);
  assert_true(usable(l, j, equal(l, a)));
  /* overwriting the place makes the arrays equal, but not where more than that differs */
  j = rule_assign(l->k, 2, clear, equal(l, a));
  j = rule_seq(l->k, rule_assign(l->k, 1, clear, judgement_pre(j)), j);
  assert_true(usable(l, j, same_but));
  assert_false(usable(l, j, at_five));
  assert_false(usable(l, j, term_and(ts, at_five, differ)));
  /* a frame must not carry it over a store */
  assert_null(rule_frame(l->k, span_none(), at_five, j));
}

/* 2^z after z := z - 1: half of it only for z >= 1. */
LAB(powers_below_zero) {
  struct terms *ts = &l->terms;
  term_id z1 = in(l, l->z, 1), one = term_int(ts, 1), two = term_int(ts, 2);
  const struct core *down = core_assign(l->arena, span_none(), l->z, term_sub(ts, l->z, one));
  term_id old = kernel_fresh(l->k, "old", SORT_INT);
  term_id was = term_eq(ts, term_raise(ts, 2, z1), old);
  term_id post = term_eq(ts, term_mul(ts, two, term_raise(ts, 2, z1)), old);
  proof_of j = rule_assign(l->k, 1, down, post);
  assert_true(usable(l, j, term_and(ts, was, term_le(ts, one, z1))));
  assert_false(usable(l, j, was));
  assert_false(usable(l, j, term_and(ts, was, term_le(ts, term_int(ts, 0), z1))));
  /* a budget that is a power is no budget for a negative exponent */
  term_id power = term_to_real(ts, term_raise(ts, 2, z1));
  term_id enough = term_le(ts, power, kernel_budget(l->k));
  proof_of skip = rule_skip(l->k, term_le(ts, one, kernel_budget(l->k)));
  assert_true(usable(l, skip, term_and(ts, enough, term_le(ts, term_int(ts, 0), z1))));
  assert_false(usable(l, skip, enough));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fresh_variables_do_not_wrap_around),
      cmocka_unit_test(sets_of_samples),
      cmocka_unit_test(scaled_noise),
      cmocka_unit_test(witnesses),
      cmocka_unit_test(dead_code_is_dead),
      cmocka_unit_test(rewritten_loops_are_the_same_loops),
      cmocka_unit_test(flat_loops_need_a_flag_of_their_own),
      cmocka_unit_test(invariants_for_termination_are_checked),
      cmocka_unit_test(optimal_composition_counts_everything),
      cmocka_unit_test(sums_of_deltas_are_complete),
      cmocka_unit_test(lost_iterations_are_counted),
      cmocka_unit_test(deltas_of_cases),
      cmocka_unit_test(both_events_of_one_program),
      cmocka_unit_test(only_labels_are_taken_off),
      cmocka_unit_test(variables_cannot_be_declared_late),
      cmocka_unit_test(stale_facts_do_not_survive),
      cmocka_unit_test(different_variables_are_both_forgotten),
      cmocka_unit_test(scales),
      cmocka_unit_test(case_lists),
      cmocka_unit_test(budgets_do_not_grow),
      cmocka_unit_test(deltas_are_constants),
      cmocka_unit_test(frames),
      cmocka_unit_test(cuts_must_meet),
      cmocka_unit_test(bound_variables_do_not_capture),
      cmocka_unit_test(loops_keep_their_deltas_and_ends),
      cmocka_unit_test(variants_must_decrease),
      cmocka_unit_test(pointwise_needs_a_countable_output_and_every_value),
      cmocka_unit_test(contracts_forget_what_is_written),
      cmocka_unit_test(exists_needs_a_logical_variable),
      cmocka_unit_test(inputs_and_facts),
      cmocka_unit_test(programs_do_not_read_runs_or_budgets),
      cmocka_unit_test(admitted_stays_admitted),
      cmocka_unit_test(array_stores_do_not_alias),
      cmocka_unit_test(places_do_not_survive_a_store),
      cmocka_unit_test(powers_below_zero),
      cmocka_unit_test(tails),
      cmocka_unit_test(up_to_bad_counts_the_bad),
      cmocka_unit_test(adversaries_see_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
