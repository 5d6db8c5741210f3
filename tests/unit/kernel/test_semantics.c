/* ctest-label: release */
/* Structural rules against their meaning. Premises are true by construction (weakest preconditions
 * computed from the semantics, tests/lib/finite.h), the rule function makes the conclusion, and the
 * conclusion must be true. Each test also shows that it could fail: some conclusions are tight (0.9
 * of the budget is too little), and with the side condition dropped false conclusions appear. */
#include <math.h>

#include "finite_test.h"
#include "term/subst.h"

/* ---- sequences, branches, cases ------------------------------------------------------------- */

COUNTS(sequences, seen.tight > 20 && seen.wrong > 0)
TEST(sequences, 200) {
  term_id post = random_assertion(w, 30), d = delta_term(w), e = delta_term(w);
  const struct core *c1 = finite_command(w, 1, 3), *c2 = finite_command(w, 1, 3);
  proof_of second = truth(w, finite_command(w, 1, 3), finite_command(w, 1, 3), post, d);
  proof_of first = truth(w, c1, c2, judgement_pre(second), e);
  proof_of j = rule_seq(w->k, first, second);
  conclude(w, j);
  /* deltas add up: the larger one is not enough */
  would(w, judgement_left(j), judgement_right(j), judgement_pre(j), post,
        term_max(&w->terms, d, e));
}

COUNTS(assignments, seen.applied > 0 && seen.wrong > 20)
TEST(assignments, 1000) {
  unsigned run = (unsigned)rng_range(&w->rng, 1, 2);
  const struct core *c = core_assign(w->arena, span_none(), w->bit, finite_condition(w));
  term_id post = random_assertion(w, 40);
  proof_of j = rule_assign(w->k, run, c, post);
  conclude(w, j);
  /* substitution in the other run */
  proof_of other = rule_assign(w->k, 3 - run, c, post);
  would(w, judgement_left(j), judgement_right(j), judgement_pre(other), post, judgement_delta(j));
}

COUNTS(branches, seen.tight > 20 && seen.wrong > 20)
TEST(branches, 120) {
  struct terms *ts = &w->terms;
  term_id post = random_assertion(w, 30);
  const struct core *t1 = finite_command(w, 1, 3), *t2 = finite_command(w, 1, 3);
  const struct core *e1 = finite_command(w, 1, 3), *e2 = finite_command(w, 1, 3);
  const struct core *c1 = core_if(w->arena, span_none(), finite_condition(w), t1, e1);
  const struct core *c2 = core_if(w->arena, span_none(), finite_condition(w), t2, e2);
  proof_of then = truth(w, t1, t2, post, delta_term(w));
  proof_of otherwise = truth(w, e1, e2, post, delta_term(w));
  proof_of j = rule_cond(w->k, c1, c2, then, otherwise);
  conclude(w, j);
  term_id b = kernel_tag(w->k, c1->expr, 1); /* nothing said about run 2's guard */
  term_id loose = term_and(ts, term_implies(ts, b, judgement_pre(then)),
                           term_implies(ts, term_not(ts, b), judgement_pre(otherwise)));
  would(w, c1, c2, loose, post, judgement_delta(j));
}

COUNTS(one_sided_branches, seen.tight > 20 && seen.wrong > 10)
TEST(one_sided_branches, 120) {
  unsigned run = (unsigned)rng_range(&w->rng, 1, 2);
  term_id post = random_assertion(w, 30);
  const struct core *t = finite_command(w, 1, 3), *e = finite_command(w, 1, 3);
  const struct core *other = finite_command(w, 1, 3);
  const struct core *c = core_if(w->arena, span_none(), finite_condition(w), t, e);
  term_id d = delta_term(w), d2 = delta_term(w);
  proof_of then = truth(w, run == 1 ? t : other, run == 1 ? other : t, post, d);
  proof_of otherwise = truth(w, run == 1 ? e : other, run == 1 ? other : e, post, d2);
  proof_of j = rule_cond_side(w->k, run, c, then, otherwise);
  conclude(w, j);
  would(w, judgement_left(j), judgement_right(j), judgement_pre(j), post,
        term_min(&w->terms, d, d2));
  /* the guard of the other run */
  struct terms *ts = &w->terms;
  term_id b = kernel_tag(w->k, c->expr, 3 - run);
  term_id loose = term_and(ts, term_implies(ts, b, judgement_pre(then)),
                           term_implies(ts, term_not(ts, b), judgement_pre(otherwise)));
  would(w, judgement_left(j), judgement_right(j), loose, post, judgement_delta(j));
}

COUNTS(cases, seen.tight > 20 && seen.wrong > 5)
TEST(cases, 160) {
  struct terms *ts = &w->terms;
  const struct core *c1 = finite_command(w, 2, 3), *c2 = finite_command(w, 2, 3);
  term_id post = random_assertion(w, 30), when = random_assertion(w, 50);
  term_id d = delta_term(w), d2 = delta_term(w);
  proof_of yes = truth(w, c1, c2, post, d), no = truth(w, c1, c2, post, d2);
  proof_of j = rule_case(w->k, span_none(), when, yes, no);
  /* a case may look at the budget: then the precondition need not be upward closed, so keep to
   * conditions that do not */
  if (term_mentions(ts, when, &w->k->budget, 1)) return;
  conclude(w, j);
  would(w, c1, c2, judgement_pre(j), post, term_min(ts, d, d2));
}

/* ---- frames and quantifiers ----------------------------------------------------------------- */

/* Theta about one variable of one run. */
static term_id random_fact(struct finite *w, bool bit, unsigned run) {
  struct terms *ts = &w->terms;
  term_id v = finite_in(w, bit ? w->bit : w->digit, run);
  return bit ? (rng_chance(&w->rng, 1, 2) ? v : term_not(ts, v))
             : term_eq(ts, v, term_int(ts, rng_range(&w->rng, 0, 2)));
}

COUNTS(frames, seen.tight > 10 && seen.wrong > 10)
TEST(frames, 120) {
  struct terms *ts = &w->terms;
  bool bit = rng_chance(&w->rng, 1, 2);
  unsigned run = (unsigned)rng_range(&w->rng, 1, 2);
  const struct core *own = finite_command(w, 2, bit ? 2 : 1), *any = finite_command(w, 2, 3);
  term_id theta = random_fact(w, bit, run), touched = random_fact(w, !bit, run);
  proof_of premise =
      truth(w, run == 1 ? own : any, run == 1 ? any : own, random_assertion(w, 30), delta_term(w));
  proof_of j = rule_frame(w->k, span_none(), theta, premise);
  conclude(w, j);
  if (kernel_writes_into(w->k, own, run, touched)) {
    assert_null(rule_frame(w->k, span_none(), touched, premise));
    would(w, judgement_left(j), judgement_right(j), term_and(ts, judgement_pre(premise), touched),
          term_and(ts, judgement_post(premise), touched), judgement_delta(j));
  }
}

COUNTS(budget_frames, seen.tight > 20 && seen.wrong > 5)
TEST(budget_frames, 100) {
  struct terms *ts = &w->terms;
  bool bit = rng_chance(&w->rng, 1, 2);
  unsigned run = (unsigned)rng_range(&w->rng, 1, 2);
  const struct core *own = finite_command(w, 2, bit ? 2 : 1), *any = finite_command(w, 2, 3);
  term_id some = term_rat(ts, rng_range(&w->rng, 1, 4), FINITE_STEP), zero = term_rat(ts, 0, 1);
  term_id extra = term_ite(ts, random_fact(w, bit, run), some, zero);
  term_id touched = term_ite(ts, random_fact(w, !bit, run), some, zero);
  proof_of premise =
      truth(w, run == 1 ? own : any, run == 1 ? any : own, random_assertion(w, 30), delta_term(w));
  proof_of j = rule_budget_frame(w->k, span_none(), extra, premise);
  conclude(w, j);
  if (!kernel_writes_into(w->k, own, run, touched)) return;
  assert_null(rule_budget_frame(w->k, span_none(), touched, premise));
  term_id budget = w->k->budget, rest = term_sub(ts, budget, touched);
  term_id enough = term_le(ts, touched, budget);
  term_id pre = term_and(ts, enough, term_subst(ts, judgement_pre(premise), &budget, &rest, 1));
  term_id post = term_and(ts, enough, term_subst(ts, judgement_post(premise), &budget, &rest, 1));
  would(w, judgement_left(j), judgement_right(j), pre, post, judgement_delta(j));
}

COUNTS(contracts, seen.tight > 20 && seen.wrong > 20)
TEST(contracts, 120) {
  struct terms *ts = &w->terms;
  unsigned run = (unsigned)rng_range(&w->rng, 1, 2);
  const struct core *c1 = finite_command(w, 2, (unsigned)rng_range(&w->rng, 1, 3)),
                    *c2 = finite_command(w, 2, (unsigned)rng_range(&w->rng, 1, 3));
  term_id same = rng_chance(&w->rng, 1, 2) ? term_eq(ts, w->bits[1], w->bits[2])
                                           : term_eq(ts, w->digits[1], w->digits[2]);
  term_id theta = term_or(ts, same, random_fact(w, rng_chance(&w->rng, 1, 2), run));
  term_id d = delta_term(w);
  struct finite_table after = finite_read(w, theta);
  struct finite_table before = finite_wp(w, c1, c2, &after, number(w, d));
  proof_of premise = finite_assume(w, c1, c2, finite_formula(w, &before), theta, d);
  /* what some pair of memories needs, and perhaps another price for some */
  int need = before.at[rng_range(&w->rng, 0, 5)][rng_range(&w->rng, 0, 5)];
  term_id spent = term_rat(ts, need == FINITE_NEVER ? 3 : need, FINITE_STEP);
  if (rng_chance(&w->rng, 1, 2))
    spent = term_ite(ts, random_fact(w, rng_chance(&w->rng, 1, 2), run), spent,
                     term_rat(ts, rng_range(&w->rng, 0, 12), FINITE_STEP));
  term_id budget = w->k->budget, left = term_rat(ts, rng_range(&w->rng, 1, 4), FINITE_STEP);
  term_id post = rng_chance(&w->rng, 1, 4) ? random_assertion(w, 100)
                                           : term_and(ts, theta, term_le(ts, left, budget));
  proof_of j = rule_contract(w->k, span_none(), spent, post, premise);
  conclude(w, j);
  /* what is written kept as it was, and what is spent not paid */
  term_id enough = term_le(ts, spent, budget), rest = term_sub(ts, budget, spent);
  term_id paid = term_and(ts, enough, term_subst(ts, judgement_pre(premise), &budget, &spent, 1));
  term_id stale = term_implies(ts, theta, term_subst(ts, post, &budget, &rest, 1));
  would(w, c1, c2, term_and(ts, paid, stale), post, judgement_delta(j));
  term_id vars[] = {w->bits[1], w->digits[1], w->bits[2], w->digits[2]};
  term_id gratis = term_forall(ts, vars, 4, term_implies(ts, theta, post));
  would(w, c1, c2, term_and(ts, paid, gratis), post, judgement_delta(j));
  /* a budget that is left cannot be handed on */
  term_id more = term_and(ts, theta, term_le(ts, left, budget));
  assert_null(rule_contract(w->k, span_none(), spent, post, truth(w, c1, c2, more, w->k->zero)));
  assert_null(rule_contract(w->k, span_none(), budget, post, premise));
}

COUNTS(wasted_budgets, seen.tight > 20 && seen.wrong > 20)
TEST(wasted_budgets, 500) {
  struct terms *ts = &w->terms;
  term_id keep = term_ite(ts, random_fact(w, true, 1), term_rat(ts, 3, FINITE_STEP),
                          term_rat(ts, rng_range(&w->rng, 0, 6), FINITE_STEP));
  term_id post = random_assertion(w, 40);
  conclude(w, rule_waste(w->k, span_none(), keep, post));
  /* without `keep <= B` */
  would(w, core_skip(), core_skip(), term_subst(ts, post, &w->k->budget, &keep, 1), post,
        w->k->zero);
}

COUNTS(existentials, seen.tight > 10 && seen.wrong > 10)
TEST(existentials, 100) {
  struct terms *ts = &w->terms;
  const struct core *c1 = finite_command(w, 2, 3), *c2 = finite_command(w, 2, 3);
  term_id is_zero = term_eq(ts, w->index, term_int(ts, 0)), d = delta_term(w);
  /* for each value of the variable another part of the weakest precondition */
  term_id post = random_assertion(w, 30), part = random_assertion(w, 50);
  term_id weakest = judgement_pre(truth(w, c1, c2, post, d));
  term_id pre = term_ite(ts, is_zero, term_and(ts, weakest, part), weakest);
  proof_of j =
      rule_exists(w->k, span_none(), w->index, TERM_NONE, finite_assume(w, c1, c2, pre, post, d));
  conclude(w, j);
  /* the variable in the postcondition: the value before need not be the one afterwards */
  term_id other = random_assertion(w, 30);
  term_id either = term_ite(ts, is_zero, post, other);
  pre = term_ite(ts, is_zero, weakest, judgement_pre(truth(w, c1, c2, other, d)));
  proof_of premise = finite_assume(w, c1, c2, pre, either, d);
  assert_null(rule_exists(w->k, span_none(), w->index, TERM_NONE, premise));
  would(w, c1, c2, term_exists(ts, &w->index, 1, pre), either, d);
}

/* ---- loops ---------------------------------------------------------------------------------- */

/* The largest invariant below the relation: from I with both guards true the bodies lead back. */
static struct finite_table kept(struct finite *w, struct finite_table inv, const struct core *c1,
                                const struct core *c2, const struct core *b1, const struct core *b2,
                                bool synchronous) {
  for (bool changed = true; changed;) {
    struct finite_table goal = inv;
    changed = false;
    for (int s = 0; s < FINITE_STATES; s++)
      for (int t = 0; t < FINITE_STATES; t++)
        if (synchronous && finite_holds(w, c1->expr, s, s, 0) != finite_holds(w, c2->expr, t, t, 0))
          goal.at[s][t] = FINITE_NEVER;
    struct finite_table before = finite_wp(w, b1, b2, &goal, 0);
    for (int s = 0; s < FINITE_STATES; s++)
      for (int t = 0; t < FINITE_STATES; t++) {
        bool inside = (c1->kind != CORE_WHILE || finite_holds(w, c1->expr, s, s, 0)) &&
                      (c2->kind != CORE_WHILE || finite_holds(w, c2->expr, t, t, 0));
        if (inside && before.at[s][t] > inv.at[s][t]) {
          inv.at[s][t] = before.at[s][t];
          changed = true;
        }
      }
  }
  return inv;
}

static struct finite_table invariant(struct finite *w, const struct core *c1, const struct core *c2,
                                     const struct core *b1, const struct core *b2,
                                     bool synchronous) {
  return kept(w, finite_relation(w, 60), c1, c2, b1, b2, synchronous);
}

COUNTS(loops, seen.tight > 20 && seen.wrong > 5)
TEST(loops, 100) {
  struct terms *ts = &w->terms;
  const struct core *body1 = finite_command(w, 2, 3), *body2 = finite_command(w, 2, 3);
  const struct core *c1 = core_while(w->arena, span_none(), finite_condition(w), body1);
  const struct core *c2 = core_while(w->arena, span_none(), finite_condition(w), body2);
  struct finite_table table = invariant(w, c1, c2, body1, body2, true);
  term_id inv = finite_formula(w, &table);
  term_id b1 = kernel_tag(w->k, c1->expr, 1), b2 = kernel_tag(w->k, c2->expr, 2);
  term_id inside[] = {inv, b1, b2}, cut = term_and(ts, inv, term_eq(ts, b1, b2));
  term_id pre = term_and_all(ts, inside, 3);
  proof_of j = rule_while(w->k, c1, c2, inv, finite_assume(w, body1, body2, pre, cut, w->k->zero));
  conclude(w, j);
  /* bodies that cost delta: refused, and one delta is not enough for all iterations */
  term_id d = term_rat(ts, 1, 16);
  struct finite_table after = finite_read(w, cut),
                      weak = finite_wp(w, body1, body2, &after, 1.0 / 16);
  struct finite_table entered = finite_read(w, pre);
  bool preserved = true;
  for (int s = 0; s < FINITE_STATES; s++)
    for (int t = 0; t < FINITE_STATES; t++)
      preserved &= weak.at[s][t] <= entered.at[s][t];
  assert_true(preserved);
  assert_null(rule_while(w->k, c1, c2, inv, finite_assume(w, body1, body2, pre, cut, d)));
  /* guards that need not agree afterwards */
  struct finite_table alone = invariant(w, c1, c2, body1, body2, false);
  term_id loose = finite_formula(w, &alone), out[] = {loose, term_not(ts, b1), term_not(ts, b2)};
  would(w, c1, c2, term_and(ts, loose, term_eq(ts, b1, b2)), term_and_all(ts, out, 3), w->k->zero);
}

/* The same, and from where a run has left the loop the rest of the loops leads to the end. */
static struct finite_table kept_apart(struct finite *w, struct finite_table inv,
                                      const struct core *c1, const struct core *c2) {
  struct terms *ts = &w->terms;
  term_id b1 = kernel_tag(w->k, c1->expr, 1), b2 = kernel_tag(w->k, c2->expr, 2);
  for (bool changed = true; changed;) {
    inv = kept(w, inv, c1, c2, c1->first, c2->first, false);
    term_id out[] = {finite_formula(w, &inv), term_not(ts, b1), term_not(ts, b2)};
    struct finite_table after = finite_read(w, term_and_all(ts, out, 3)),
                        rest = finite_wp(w, c1, c2, &after, 0);
    changed = false;
    for (int s = 0; s < FINITE_STATES; s++)
      for (int t = 0; t < FINITE_STATES; t++)
        if (!(finite_holds(w, c1->expr, s, s, 0) && finite_holds(w, c2->expr, t, t, 0)) &&
            rest.at[s][t] > inv.at[s][t]) {
          inv.at[s][t] = rest.at[s][t];
          changed = true;
        }
  }
  return inv;
}

COUNTS(loops_apart, seen.tight > 10 && seen.wrong > 5)
TEST(loops_apart, 60) {
  struct terms *ts = &w->terms;
  const struct core *body1 = finite_command(w, 2, 3), *body2 = finite_command(w, 2, 3);
  const struct core *c1 = core_while(w->arena, span_none(), finite_condition(w), body1);
  const struct core *c2 = core_while(w->arena, span_none(), finite_condition(w), body2);
  struct finite_table loose = invariant(w, c1, c2, body1, body2, false),
                      table = kept_apart(w, loose, c1, c2);
  term_id inv = finite_formula(w, &table);
  term_id b1 = kernel_tag(w->k, c1->expr, 1), b2 = kernel_tag(w->k, c2->expr, 2);
  term_id inside[] = {inv, b1, b2}, out[] = {inv, term_not(ts, b1), term_not(ts, b2)};
  term_id pre = term_and_all(ts, inside, 3), post = term_and_all(ts, out, 3);
  term_id left = term_and(ts, inv, term_not(ts, term_and(ts, b1, b2)));
  proof_of body = finite_assume(w, body1, body2, pre, inv, w->k->zero);
  proof_of rest = finite_assume(w, c1, c2, left, post, w->k->zero);
  conclude(w, rule_while_apart(w->k, c1, c2, inv, body, rest));
  /* premises that cost delta, and one about something else, are refused */
  term_id d = term_rat(ts, 1, 16);
  assert_null(rule_while_apart(w->k, c1, c2, inv, body, finite_assume(w, c1, c2, left, post, d)));
  assert_null(
      rule_while_apart(w->k, c1, c2, inv, finite_assume(w, body1, body2, pre, inv, d), rest));
  assert_null(rule_while_apart(w->k, c1, c2, inv, body, body));
  /* without the second premise it would be wrong */
  out[0] = finite_formula(w, &loose);
  would(w, c1, c2, out[0], term_and_all(ts, out, 3), w->k->zero);
}

/* Counts down, so that it ends; `stay` keeps it from doing so. */
static const struct core *countdown(struct finite *w, const struct core *inner, bool stay) {
  struct terms *ts = &w->terms;
  term_id zero = term_int(ts, 0), less = term_sub(ts, w->digit, term_int(ts, 1));
  term_id next = stay ? w->digit : term_max(ts, less, zero);
  const struct core *down = core_assign(w->arena, span_none(), w->digit, next);
  return core_while(w->arena, span_none(), term_lt(ts, term_int(ts, 0), w->digit),
                    core_seq(w->arena, inner, down));
}

COUNTS(one_sided_loops, seen.tight > 0 && seen.wrong > 5)
TEST(one_sided_loops, 120) {
  struct terms *ts = &w->terms;
  unsigned run = (unsigned)rng_range(&w->rng, 1, 2);
  bool stay = rng_chance(&w->rng, 1, 3);
  const struct core *c = countdown(w, finite_command(w, 1, 1), stay);
  const struct core *c1 = run == 1 ? c : core_skip(), *c2 = run == 2 ? c : core_skip();
  const struct core *b1 = run == 1 ? c->first : core_skip();
  const struct core *b2 = run == 2 ? c->first : core_skip();
  struct finite_table table = invariant(w, c1, c2, b1, b2, false);
  term_id inv = finite_formula(w, &table), b = kernel_tag(w->k, c->expr, run);
  proof_of body = finite_assume(w, b1, b2, term_and(ts, inv, b), inv, w->k->zero);
  proof_of j = rule_while_side(w->k, run, c, inv, body, NULL);
  assert_int_equal(j != NULL, run == 1 || !stay);
  if (j) conclude(w, j);
  /* run 2 that does not end: refused, and wrong */
  if (!j) would(w, c1, c2, inv, term_and(ts, inv, term_not(ts, b)), w->k->zero);
}

COUNTS(loops_with_deltas, seen.wrong > 5)
TEST(loops_with_deltas, 100) {
  struct terms *ts = &w->terms;
  const struct core *c1 = countdown(w, finite_command(w, 1, 1), false);
  const struct core *c2 = countdown(w, finite_command(w, 1, 1), false);
  /* equal digits, and the weakest invariant for a delta of 1/8, or k/8 at digit k */
  struct finite_table inv = finite_relation(w, 60), before;
  for (int s = 0; s < FINITE_STATES; s++)
    for (int t = 0; t < FINITE_STATES; t++)
      if (s / 2 != t / 2) inv.at[s][t] = FINITE_NEVER;
  bool steep = rng_chance(&w->rng, 1, 2);
  for (int digit = 1; digit <= 2; digit++) {
    before = finite_wp(w, c1->first, c2->first, &inv, (steep ? digit : 1) / 8.0);
    for (int s = 2 * digit; s < 2 * digit + 2; s++)
      for (int t = 2 * digit; t < 2 * digit + 2; t++)
        if (before.at[s][t] > inv.at[s][t]) inv.at[s][t] = before.at[s][t];
  }
  term_id formula = finite_formula(w, &inv), digit = finite_in(w, w->digit, 1), n = w->index;
  term_id b1 = kernel_tag(w->k, c1->expr, 1), b2 = kernel_tag(w->k, c2->expr, 2);
  term_id inside[] = {formula, b1, b2, term_eq(ts, digit, n)};
  term_id after[] = {formula, term_eq(ts, b1, b2), term_lt(ts, digit, n)};
  term_id d = term_mul(ts, term_rat(ts, 1, 8), steep ? n : term_int(ts, 1));
  term_id sum = steep ? term_mul(ts, n, term_add(ts, n, term_int(ts, 1))) : n;
  struct while_delta how = {.variant = w->digit,
                            .count = n,
                            .total = term_mul(ts, term_rat(ts, 1, steep ? 16 : 8), sum),
                            .most = term_int(ts, 2)};
  proof_of body = finite_assume(w, c1->first, c2->first, term_and_all(ts, inside, 4),
                                term_and_all(ts, after, 3), d);
  assert_true(finite_sound(w, body, 1, 2, NULL));
  proof_of j = rule_while_delta(w->k, c1, c2, formula, how, body);
  conclude(w, j);
  assert_true(fabs(number(w, judgement_delta(j)) - (steep ? 3 : 2) / 8.0) < 1e-9);
  /* a total that forgets an iteration, or a bound that is too small */
  struct while_delta less = how;
  less.total = d;
  if (!steep) assert_null(rule_while_delta(w->k, c1, c2, formula, less, body));
  would(w, c1, c2, judgement_pre(j), judgement_post(j), term_rat(ts, 1, 8));
  less = how;
  less.variant = term_neg(ts, w->digit);
  assert_null(rule_while_delta(w->k, c1, c2, formula, less, body));
}

/* ---- equivalent programs -------------------------------------------------------------------- */

COUNTS(swaps, seen.tight > 5 && seen.wrong > 50)
TEST(swaps, 500) {
  unsigned run = (unsigned)rng_range(&w->rng, 1, 2);
  const struct core *a = finite_command(w, 0, 3), *b = finite_command(w, 0, 3);
  const struct core *ab = core_seq(w->arena, a, b), *ba = core_seq(w->arena, b, a);
  if (ab->kind != CORE_SEQ) return;
  proof_of premise = finite_assume(w, run == 1 ? ab : core_skip(), run == 2 ? ab : core_skip(),
                                   w->k->yes, w->k->yes, w->k->zero);
  if (rule_equiv_swap(w->k, run, premise)) {
    assert_true(same_program(w, ab, ba));
    proof_of j = rule_equiv_swap(
        w->k, run, about(w, run, ab, finite_command(w, 1, 3), random_assertion(w, 30)));
    conclude(w, j);
    assert_true(core_equal(run == 1 ? judgement_left(j) : judgement_right(j), ba));
  } else if (!same_program(w, ab, ba)) {
    seen.wrong++;
  }
}

COUNTS(unrolled_loops, seen.tight > 5)
TEST(unrolled_loops, 60) {
  struct terms *ts = &w->terms;
  unsigned run = (unsigned)rng_range(&w->rng, 1, 2);
  const struct core *body = finite_command(w, 1, 3);
  const struct core *loop = core_while(w->arena, span_none(), finite_condition(w), body);
  const struct core *other = finite_command(w, 1, 3);
  term_id post = random_assertion(w, 40), p = finite_condition(w);
  const struct core *once =
      core_if(w->arena, span_none(), loop->expr, core_seq(w->arena, body, loop), core_skip());
  conclude(w, rule_equiv_unroll(w->k, run, loop, about(w, run, once, other, post)));
  const struct core *split = core_seq(
      w->arena, core_while(w->arena, span_none(), term_and(ts, loop->expr, p), body), loop);
  conclude(w, rule_equiv_split(w->k, run, loop, p, about(w, run, split, other, post)));
  /* another first loop, another guard */
  const struct core *wrong = core_seq(w->arena, core_while(w->arena, span_none(), p, body), loop);
  if (term_and(ts, loop->expr, p) != p)
    assert_null(rule_equiv_split(w->k, run, loop, p, about(w, run, wrong, other, post)));
  if (!same_program(w, wrong, loop)) seen.wrong++;
}

/* ---- one run --------------------------------------------------------------------------------- */

static void concluded(struct finite *w, const struct core *c, bound_of a) {
  assert_non_null(a);
  seen.applied++;
  double beta = number(w, ahl_beta(a)), out = miss(w, c, ahl_pre(a), ahl_post(a));
  assert_true(out <= beta + 1e-9);
  if (out > 0.9 * beta && beta > 0) seen.tight++;
}
/* A loop that cannot fail: any number of iterations. */
static void surely(struct finite *w, unsigned run, const struct core *loop, term_id inv) {
  term_id g = kernel_tag(w->k, loop->expr, run), enter = term_and(&w->terms, inv, g);
  bool sure = miss(w, loop->first, enter, inv) == 0;
  term_id beta = sure ? w->k->zero : up_to_grid(w, miss(w, loop->first, enter, inv));
  bound_of body = finite_assume_event(w, run, loop->first, enter, inv, beta);
  bound_of all = ahl_while_sure(w->k, loop, inv, body);
  if (sure)
    concluded(w, loop, all);
  else
    assert_null(all);
}

/* Bad samples of a coin or a set. */
static void some_samples(struct finite *w, unsigned run, const struct core *c, term_id end) {
  bool is_finite =
      c->kind == CORE_SAMPLE && (c->dist == DIST_BERNOULLI || c->dist == DIST_UNIFORM_SET);
  for (long k = 0; is_finite && k <= 4; k++)
    concluded(w, c, ahl_coin(w->k, run, c, term_rat(&w->terms, k, 4), end));
  if (c->kind == CORE_SAMPLE && !is_finite) assert_null(ahl_coin(w->k, run, c, w->k->zero, end));
}

COUNTS(union_bounds, seen.tight > 50)
TEST(union_bounds, 300) {
  struct terms *ts = &w->terms;
  unsigned run = (unsigned)rng_range(&w->rng, 1, 2);
  const struct core *a = finite_command(w, 1, 3), *b = finite_command(w, 1, 3);
  term_id pre = condition_in(w, run), middle = condition_in(w, run), end = condition_in(w, run);
  bound_of first = event_truth(w, run, a, pre, middle);
  bound_of second = event_truth(w, run, b, middle, end);
  concluded(w, core_seq(w->arena, a, b), ahl_seq(w->k, first, second));
  const struct core *either = core_if(w->arena, span_none(), finite_condition(w), a, b);
  concluded(w, either,
            ahl_cond(w->k, either, event_truth(w, run, a, pre, end),
                     event_truth(w, run, b, middle, end)));
  bound_of also = event_truth(w, run, a, end, condition_in(w, run));
  concluded(w, a, ahl_and(w->k, first, also));
  const struct core *sample = finite_command(w, 0, 3);
  if (sample->kind == CORE_SAMPLE) concluded(w, sample, ahl_sample(w->k, run, sample, end));
  some_samples(w, run, sample, end);
  /* a loop of at most two iterations */
  const struct core *loop = countdown(w, finite_command(w, 1, 1), false);
  term_id inv = kernel_tag(w->k, rng_chance(&w->rng, 1, 2) ? w->bit : term_not(ts, w->bit), run);
  term_id v = finite_in(w, w->digit, run);
  term_id inside[] = {inv, kernel_tag(w->k, loop->expr, run), term_eq(ts, v, w->index)};
  double beta = 0;
  term_id enter = term_and_all(ts, inside, 3), leave = term_and(ts, inv, term_lt(ts, v, w->index));
  for (int i = 1; i <= 2; i++) {
    w->index_value = i;
    beta = fmax(beta, miss(w, loop->first, enter, leave));
  }
  bound_of body = finite_assume_event(w, run, loop->first, enter, leave, up_to_grid(w, beta));
  concluded(w, loop, ahl_while(w->k, loop, inv, w->digit, w->index, term_int(ts, 2), body));
  /* the same as independent ones: b, and b + (1 - b) b */
  term_id p = ahl_beta(body), twice = term_sub(ts, term_add(ts, p, p), term_mul(ts, p, p));
  term_id total = term_ite(ts, term_le(ts, w->index, term_int(ts, 1)), p, twice);
  total = term_ite(ts, term_le(ts, w->index, term_int(ts, 0)), w->k->zero, total);
  bound_of each = ahl_while_each(w->k, loop, inv, w->digit, w->index, term_int(ts, 2), total, body);
  concluded(w, loop, each);
  /* totals that do not cover both iterations: refused, or wrong */
  term_id once = term_ite(ts, term_le(ts, w->index, term_int(ts, 0)), w->k->zero, p);
  bound_of few = ahl_while_each(w->k, loop, inv, w->digit, w->index, term_int(ts, 2), once, body);
  if (few) concluded(w, loop, few);
  surely(w, run, loop, inv);
  surely(w, run, loop, end);
  if (miss(w, loop, inv, term_and(ts, inv, term_eq(ts, v, term_int(ts, 0)))) >
      number(w, body->beta) + 1e-6)
    seen.wrong++;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sequences),       cmocka_unit_test(assignments),
      cmocka_unit_test(branches),        cmocka_unit_test(one_sided_branches),
      cmocka_unit_test(cases),           cmocka_unit_test(frames),
      cmocka_unit_test(budget_frames),   cmocka_unit_test(contracts),
      cmocka_unit_test(wasted_budgets),  cmocka_unit_test(existentials),
      cmocka_unit_test(loops),           cmocka_unit_test(loops_apart),
      cmocka_unit_test(one_sided_loops), cmocka_unit_test(loops_with_deltas),
      cmocka_unit_test(swaps),           cmocka_unit_test(unrolled_loops),
      cmocka_unit_test(union_bounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
