/* Code whose outcomes can be listed, by their probabilities. B stands for the budget. */
#include "kernel/cases.h"
#include "kernel/internal.h"
#include "kernel/outcome_point.h"
#include "kernel/rules.h"
#include "term/build.h"
#include "term/subst.h"

/* Probability that the keys have these values; TERM_NONE: there is no term for it. */
static term_id probability_of(struct kernel *k, const struct outcomes *o, const term_id *values,
                              size_t count) {
  term_list parts = {0};
  bool ok = true;
  for (size_t i = 0; i < o->list.len && ok; i++) {
    vec_push(&parts, outcome_mass(k, &o->list.at[i], values, count));
    ok = vec_last(&parts) != TERM_NONE;
  }
  term_id zero = term_rat(k->terms, 0, 1);
  term_id sum = ok ? term_add(k->terms, zero, term_sum(k->terms, parts.at, parts.len)) : TERM_NONE;
  vec_clear(&parts);
  return sum;
}

/* The ranges that `how` states, for the integers in both runs. */
static term_id within_ranges(struct kernel *k, const struct finite_part *how) {
  struct terms *ts = k->terms;
  term_id all = k->yes;
  for (size_t i = 0; i < how->range_count; i++)
    for (unsigned run = 1; run <= 2; run++) {
      const struct finite_range *r = &how->ranges[i];
      term_id x = kernel_tag(k, r->value, run);
      all = term_and(ts, all,
                     term_and(ts, term_le(ts, term_int(ts, r->low), x),
                              term_le(ts, x, term_int(ts, r->high))));
    }
  return all;
}

/* The formula for each combination of values of the integers from number `next` on (two for each
 * range): equivalent where they are within their ranges. */
static term_id by_values(struct kernel *k, const struct finite_part *how, size_t next,
                         term_id formula) {
  struct terms *ts = k->terms;
  if (formula == TERM_NONE || formula == ts->true_term) return formula;
  if (next == 2 * how->range_count) return term_by_cases(ts, formula, how->comparison);
  const struct finite_range *r = &how->ranges[next / 2];
  term_id x = kernel_tag(k, r->value, 1 + next % 2), all = k->yes;
  for (long v = r->low; v <= r->high; v++) {
    term_id value = term_int(ts, v);
    term_id here = by_values(k, how, next + 1, term_replace(ts, formula, &x, &value, 1));
    all = term_and(ts, all, term_implies(ts, term_eq(ts, x, value), here));
  }
  return all;
}

/* Whatever values the outcome of run 1 has, they are likely enough in run 2. TERM_NONE: there is no
 * term for that. */
static term_id is_covered(struct kernel *k, const char *rule, struct span span,
                          const struct outcome *o, const struct outcomes *one,
                          const struct outcomes *two, const struct finite_part *how) {
  struct terms *ts = k->terms;
  struct outcome_any any;
  term_id all = TERM_NONE;
  if (outcome_any(k, o, how->key_count, &any)) {
    term_id p1 = probability_of(k, one, any.values, how->key_count);
    term_id p2 = probability_of(k, two, any.values, how->key_count);
    term_id covered = term_le(ts, p1, term_mul(ts, term_exp(ts, how->spent), p2));
    all = kernel_label(k, by_values(k, how, 0, covered), rule, span,
                       "an outcome of run 1 is likely enough in run 2");
    all = term_implies(ts, any.possible, all);
    if (any.names.len) all = term_forall(ts, any.names.at, any.names.len, all);
  }
  vec_clear(&any.names);
  return all;
}

static term_id precondition(struct kernel *k, const char *rule, struct span span,
                            const struct outcomes *one, const struct outcomes *two,
                            const struct finite_part *how) {
  struct terms *ts = k->terms;
  term_list all = {0};
  vec_push(&all, kernel_label(k, term_le(ts, how->spent, k->budget), rule, span,
                              "the budget pays for this part"));
  vec_push(&all, kernel_label(k, within_ranges(k, how), rule, span,
                              "the integers are within their ranges"));
  for (size_t i = 0; i < one->valid.len; i++)
    vec_push(&all, one->valid.at[i]);
  for (size_t i = 0; i < two->valid.len; i++)
    vec_push(&all, two->valid.at[i]);
  bool ok = true;
  for (size_t i = 0; i < one->list.len && ok; i++) {
    vec_push(&all, is_covered(k, rule, span, &one->list.at[i], one, two, how));
    ok = vec_last(&all) != TERM_NONE;
  }
  term_id pre = ok ? term_and_all(ts, all.at, all.len) : TERM_NONE;
  vec_clear(&all);
  return pre;
}

static bool is_cost(struct kernel *k, term_id t) {
  return t != TERM_NONE && !term_mentions(k->terms, t, &k->budget, 1) &&
         !term_mentions(k->terms, t, k->vars.at, k->vars.len);
}

/* All integers with values, and not too many combinations. */
static bool are_ranges(struct kernel *k, const struct finite_part *how) {
  double combinations = 1;
  for (size_t i = 0; i < how->range_count; i++) {
    const struct finite_range *r = &how->ranges[i];
    term_id x = kernel_tag(k, r->value, 1);
    if (x == TERM_NONE || term_sort(k->terms, x) != SORT_INT || r->low > r->high) return false;
    double size = (double)r->high - (double)r->low + 1;
    combinations *= size * size;
  }
  return combinations <= OUTCOMES_STATES;
}

/*  FINITE    c1, c2 with countably many outcomes (outcomes.h, outcome_point.h) for x1 .. xn;
 *            t a real term over the memories before; P1(v), P2(v): probabilities of x1 .. xn = v
 *  pre:   t <= B;  every distribution that is reached makes sense;
 *         for each outcome v of c1:  P1(v) <= e^t P2(v)
 *  conclusion: c1 ~0 c2 {xi<1> = xi<2> for all i}
 *  (Let f <= g where the xi are equal, F(v) the largest value of f where x = v, G(v) the least one
 *   of g: E[f] <= sum_v P1(v) F(v) <= e^t sum_v P2(v) G(v) <= e^B E[g].)
 *  The inequalities are stated by cases (cases.h) and without denominators (fraction.h). */
proof_of rule_finite(struct kernel *k, struct span span, const struct core *c1,
                     const struct core *c2, const struct finite_part *how) {
  static const char rule[] = "FINITE";
  if (!kernel_needs_pure(k, rule, span)) return NULL;
  struct terms *ts = k->terms;
  struct finite_part h = *how;
  h.spent = h.spent == TERM_NONE ? TERM_NONE : term_coerce(ts, h.spent, SORT_REAL);
  if (!is_cost(k, h.spent)) return kernel_fail(k, rule, span, "the cost must be a number");
  if (!are_ranges(k, how))
    return kernel_fail(k, rule, span, "ranges are of integers, with at most 4096 combinations");
  term_id post = k->yes;
  for (size_t i = 0; i < h.key_count; i++) {
    if (!kernel_is_var(k, h.keys[i])) return kernel_fail(k, rule, span, "not a program variable");
    post =
        term_and(ts, post, term_eq(ts, kernel_tag(k, h.keys[i], 1), kernel_tag(k, h.keys[i], 2)));
  }
  struct outcomes one = {0}, two = {0};
  bool ok = outcomes_of(k, rule, c1, 1, h.keys, h.key_count, &one) &&
            outcomes_of(k, rule, c2, 2, h.keys, h.key_count, &two);
  if (ok && one.list.len * two.list.len > OUTCOMES_PAIRS) {
    kernel_fail(k, rule, span, "there are more than 2^20 pairs of outcomes (OUTCOMES_PAIRS)");
    ok = false;
  }
  term_id pre = ok ? precondition(k, rule, span, &one, &two, &h) : TERM_NONE;
  outcomes_free(&one);
  outcomes_free(&two);
  if (ok && pre == TERM_NONE)
    return kernel_fail(k, rule, span,
                       "an outcome depends on a sample in a way that has no inverse");
  return ok ? judgement_new(k, rule, span, c1, c2, pre, post, k->zero, NULL, NULL) : NULL;
}
