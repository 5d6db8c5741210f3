/* Code with finitely many outcomes, by their probabilities. B stands for the budget. */
#include "kernel/cases.h"
#include "kernel/internal.h"
#include "kernel/outcomes.h"
#include "kernel/rules.h"
#include "term/build.h"
#include "term/subst.h"

/* The values are equal in all places. */
static term_id same_values(struct terms *ts, const term_id *a, const term_id *b, size_t count) {
  term_id all = term_bool(ts, true);
  for (size_t i = 0; i < count; i++)
    all = term_and(ts, all, term_eq(ts, a[i], b[i]));
  return all;
}

/* Probability that the keys have these values. */
static term_id probability_of(struct terms *ts, const struct outcomes *o, const term_id *values,
                              size_t count) {
  term_list parts = {0};
  term_id zero = term_rat(ts, 0, 1);
  vec_push(&parts, zero);
  for (size_t i = 0; i < o->list.len; i++)
    vec_push(&parts, term_ite(ts, same_values(ts, o->list.at[i].values, values, count),
                              o->list.at[i].probability, zero));
  term_id sum = term_sum(ts, parts.at, parts.len);
  vec_clear(&parts);
  return sum;
}

static term_id precondition(struct kernel *k, const char *rule, struct span span,
                            const struct outcomes *one, const struct outcomes *two, size_t count,
                            term_id spent) {
  struct terms *ts = k->terms;
  term_list all = {0};
  vec_push(&all, kernel_label(k, term_le(ts, spent, k->budget), rule, span,
                              "the budget pays for this part"));
  for (size_t i = 0; i < one->valid.len; i++)
    vec_push(&all, one->valid.at[i]);
  for (size_t i = 0; i < two->valid.len; i++)
    vec_push(&all, two->valid.at[i]);
  for (size_t i = 0; i < one->list.len; i++) {
    const term_id *v = one->list.at[i].values;
    term_id enough = term_mul(ts, term_exp(ts, spent), probability_of(ts, two, v, count));
    term_id covered = term_le(ts, probability_of(ts, one, v, count), enough);
    vec_push(&all, kernel_label(k, term_by_cases(ts, covered), rule, span,
                                "an outcome of run 1 is likely enough in run 2"));
  }
  term_id pre = term_and_all(ts, all.at, all.len);
  vec_clear(&all);
  return pre;
}

static bool is_cost(struct kernel *k, term_id t) {
  return t != TERM_NONE && !term_mentions(k->terms, t, &k->budget, 1) &&
         !term_mentions(k->terms, t, k->vars.at, k->vars.len);
}

/*  FINITE    c1, c2 with finitely many outcomes (outcomes.h) for the variables x1 .. xn;
 *            t a real term over the memories before; P1(v), P2(v): probabilities of x1 .. xn = v
 *  pre:   t <= B;  every distribution that is reached makes sense;
 *         for each outcome v of c1:  P1(v) <= e^t P2(v)
 *  conclusion: c1 ~0 c2 {xi<1> = xi<2> for all i}
 *  (Let f <= g where the xi are equal, F(v) the largest value of f where x = v, G(v) the least one
 *   of g: E[f] <= sum_v P1(v) F(v) <= e^t sum_v P2(v) G(v) <= e^B E[g].) */
proof_of rule_finite(struct kernel *k, struct span span, const struct core *c1,
                     const struct core *c2, const term_id *keys, size_t count, term_id spent) {
  static const char rule[] = "FINITE";
  struct terms *ts = k->terms;
  spent = spent == TERM_NONE ? TERM_NONE : term_coerce(ts, spent, SORT_REAL);
  if (!is_cost(k, spent)) return kernel_fail(k, rule, span, "the cost must be a number");
  term_id post = k->yes;
  for (size_t i = 0; i < count; i++) {
    if (!kernel_is_var(k, keys[i])) return kernel_fail(k, rule, span, "not a program variable");
    post = term_and(ts, post, term_eq(ts, kernel_tag(k, keys[i], 1), kernel_tag(k, keys[i], 2)));
  }
  struct outcomes one = {0}, two = {0};
  bool ok = outcomes_of(k, rule, c1, 1, keys, count, &one) &&
            outcomes_of(k, rule, c2, 2, keys, count, &two);
  if (ok && one.list.len * two.list.len > OUTCOMES_PAIRS) {
    kernel_fail(k, rule, span, "there are more than 2^20 pairs of outcomes (OUTCOMES_PAIRS)");
    ok = false;
  }
  term_id pre = ok ? precondition(k, rule, span, &one, &two, count, spent) : TERM_NONE;
  outcomes_clear(&one);
  outcomes_clear(&two);
  return ok ? judgement_new(k, rule, span, c1, c2, pre, post, k->zero, NULL, NULL) : NULL;
}
