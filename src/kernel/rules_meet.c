/* Several samples of run 1 that meet in one sample of run 2. Of run 2's distribution only the mass
 * of that one sample is used, so what the samples of run 1 need adds up. B stands for the budget.
 */
#include "kernel/cases.h"
#include "kernel/dist.h"
#include "kernel/internal.h"
#include "kernel/rules.h"
#include "kernel/sampling.h"
#include "term/build.h"
#include "term/subst.h"

static bool is_over_memories(struct kernel *k, term_id t) {
  return t != TERM_NONE && !term_mentions(k->terms, t, k->vars.at, k->vars.len);
}

static bool is_cost(struct kernel *k, term_id t) {
  return is_over_memories(k, t) && sort_is_numeric(term_sort(k->terms, t));
}

/* e^(-cost) */
static term_id discount(struct terms *ts, term_id cost) {
  return term_exp(ts, term_neg(ts, term_coerce(ts, cost, SORT_REAL)));
}

/*  MEET      c1 = (x <$ Bernoulli(p)), c2 = (y <$ Bernoulli(q));  w a bool, cost_true and
 *            cost_false numbers (of any sign), over the memories before
 *  pre:   0 <= p<1>, q<2> <= 1;  p<1> e^(-cost_true) + (1 - p<1>) e^(-cost_false) <= Pr[y<2> = w]
 *         for v in {true, false}:  cost_v <= B,  Psi[x<1> := v, y<2> := w, B := B - cost_v]
 *  (With f(v) <= e^(B - cost_v) g(w) for both v:
 *   E[f] = sum_v Pr1[v] f(v) <= e^B g(w) sum_v Pr1[v] e^(-cost_v) <= e^B g(w) Pr2[w] <= e^B E[g].)
 */
proof_of rule_sample_meet(struct kernel *k, const struct core *c1, const struct core *c2,
                          term_id value, term_id cost_true, term_id cost_false, term_id post) {
  static const char rule[] = "MEET";
  struct terms *ts = k->terms;
  struct sampling one, two;
  if (!kernel_needs_pure(k, rule, c1->span)) return NULL;
  if (!sampling_open(k, rule, c1, 1, &one) || !sampling_open(k, rule, c2, 2, &two)) return NULL;
  if (c1->dist != DIST_BERNOULLI || c2->dist != DIST_BERNOULLI)
    return kernel_fail(k, rule, c1->span, "both runs must sample a Bernoulli variable");
  if (!is_over_memories(k, value) || term_sort(ts, value) != SORT_BOOL)
    return kernel_fail(k, rule, c1->span, "the sample of run 2 must be true or false");
  if (!is_cost(k, cost_true) || !is_cost(k, cost_false))
    return kernel_fail(k, rule, c1->span, "the costs must be numbers");
  term_id p = one.args[0], not_p = term_sub(ts, term_int(ts, 1), p);
  term_id need = term_add(ts, term_mul(ts, p, discount(ts, cost_true)),
                          term_mul(ts, not_p, discount(ts, cost_false)));
  term_id all[] = {
      sampling_valid(k, rule, &one), sampling_valid(k, rule, &two),
      kernel_label(
          k,
          term_by_cases(ts, term_le(ts, need, dist_mass(ts, two.c->dist, two.args, value)), false),
          rule, c1->span, "the costs cover the probabilities of run 1 by that of run 2's sample"),
      sampling_after(k, rule, &one, &two, term_bool(ts, true), value,
                     term_coerce(ts, cost_true, SORT_REAL), post),
      sampling_after(k, rule, &one, &two, term_bool(ts, false), value,
                     term_coerce(ts, cost_false, SORT_REAL), post)};
  return judgement_new(k, rule, c1->span, c1, c2, term_and_all(ts, all, 5), post, k->zero, NULL,
                       NULL);
}

/*  MEET-R    c2 = (y <$ D), D Bernoulli or UniformInt;  w and cost over the memories before
 *  pre:   the parameters of D make sense;  e^(-cost) <= Pr[y<2> = w];  cost <= B
 *         Psi[y<2> := w, B := B - cost]
 *  conclusion: skip ~0 c2.  (f <= e^(B - cost) g(w) <= e^B Pr2[w] g(w) <= e^B E[g].) */
proof_of rule_sample_aim(struct kernel *k, const struct core *c, term_id value, term_id cost,
                         term_id post) {
  static const char rule[] = "MEET-R";
  struct terms *ts = k->terms;
  struct sampling two;
  if (!kernel_needs_pure(k, rule, c->span)) return NULL;
  if (!sampling_open(k, rule, c, 2, &two)) return NULL;
  if (!is_over_memories(k, value) || term_sort(ts, value) != two.sort)
    return kernel_fail(k, rule, c->span, "the sample of run 2 has the wrong type");
  bool is_finite = c->dist == DIST_BERNOULLI || c->dist == DIST_UNIFORM_INT;
  term_id mass = is_finite ? dist_mass(ts, c->dist, two.args, value) : TERM_NONE;
  if (mass == TERM_NONE)
    return kernel_fail(k, rule, c->span, "a single sample has a mass in finite distributions only");
  if (!is_cost(k, cost)) return kernel_fail(k, rule, c->span, "the cost must be a number");
  cost = term_coerce(ts, cost, SORT_REAL);
  term_id from[] = {two.var, k->budget};
  term_id to[] = {term_coerce(ts, value, term_sort(ts, two.var)), term_sub(ts, k->budget, cost)};
  term_id all[] = {sampling_valid(k, rule, &two),
                   kernel_label(k, term_le(ts, discount(ts, cost), mass), rule, c->span,
                                "the cost covers the probability of run 2's sample"),
                   kernel_label(k, term_le(ts, cost, k->budget), rule, c->span,
                                "the budget pays for the coupling"),
                   term_subst(ts, post, from, to, 2)};
  return judgement_new(k, rule, c->span, core_skip(), c, term_and_all(ts, all, 4), post, k->zero,
                       NULL, NULL);
}
