/* Advanced composition of loops. The proof, with its restriction to discrete sampling, is in
 * docs/ac-hit.md. */
#include "kernel/internal.h"
#include "kernel/rules.h"
#include "term/build.h"
#include "term/subst.h"

/* Only discrete distributions: then every run visits countably many memories (for fixed coins of
 * the adversaries), which the proof uses. */
static bool is_discrete(const struct core *c) {
  switch (c->kind) {
  case CORE_SAMPLE:
    return c->dist == DIST_DISCRETE_LAPLACE || c->dist == DIST_GEOMETRIC ||
           c->dist == DIST_UNIFORM_INT || c->dist == DIST_UNIFORM_SET ||
           c->dist == DIST_BERNOULLI || c->dist == DIST_DISCRETE_GAUSS;
  case CORE_SEQ:
  case CORE_IF: return is_discrete(c->first) && is_discrete(c->second);
  case CORE_WHILE: return is_discrete(c->first);
  default: return true;
  }
}

/* The proof needs bodies of mass 1 (a body that may hang in one run only loses its whole cost in
 * every iteration). Without loops that is so: the sampling rules ask for sensible parameters. */
static bool ends_surely(struct kernel *k, const struct core *body, unsigned run) {
  return !core_has_loop(body) || lossless_check(k, body, run, NULL);
}

/* The backward premise lives where the facts have their runs exchanged. That is the exchanged
 * context, or this one if its facts are symmetric. */
static bool backward_context(struct kernel *k, struct span span, const struct kernel *other) {
  if (other == k->exchanged) return true;
  if (other != k) {
    kernel_fail(k, "AC", span, "the backward premise comes from another context");
    return false;
  }
  for (size_t i = 0; i < k->facts.len; i++)
    if (!kernel_prove(k, "AC", span, k->yes, term_swap_runs(k->terms, k->facts.at[i]),
                      "the assumptions are symmetric (or else prove the backward direction)"))
      return false;
  return true;
}

/* What both premises look like; see rule_advanced. */
struct advanced_goal advanced_goal(struct kernel *k, const struct core *c1, const struct core *c2,
                                   const struct advanced *how, bool backward) {
  struct advanced_goal none = {TERM_NONE, TERM_NONE};
  struct terms *ts = k->terms;
  if (c1->kind != CORE_WHILE || c2->kind != CORE_WHILE) return none;
  /* In the backward premise the programs change sides, and so does the relation. */
  unsigned left = backward ? 2 : 1, right = backward ? 1 : 2;
  term_id b1 = kernel_tag(k, c1->expr, left), b2 = kernel_tag(k, c2->expr, right);
  term_id theta = backward ? term_swap_runs(ts, how->relation) : how->relation;
  term_id hit = how->hit == TERM_NONE ? k->yes : how->hit;
  term_id h1 = kernel_tag(k, hit, left), h2 = kernel_tag(k, hit, right);
  term_id hits = kernel_tag(k, how->hits, left);
  term_id before = term_eq(ts, hits, how->count);
  term_id step = term_add(ts, how->count, term_ite(ts, h1, term_int(ts, 1), term_int(ts, 0)));
  term_id pre[] = {theta, b1, b2, before, term_le(ts, how->epsilon, k->budget)};
  term_id post[] = {theta, term_eq(ts, b1, b2), term_eq(ts, h1, h2), term_le(ts, step, hits),
                    backward ? k->yes : term_or(ts, h1, term_le(ts, how->epsilon, k->budget))};
  return (struct advanced_goal){term_and_all(ts, pre, 5), term_and_all(ts, post, 5)};
}

/*  AC-HIT    loops while b1 c1, while b2 c2; relation Theta (without B); a bit h of one run after
 * the body; an integer `hits` of one run; M integer, eps, omega over logical variables; m a fresh
 * logical integer; c1, c2 end with probability 1 and sample from discrete distributions only. (F)
 * {Theta, b1<1>, b2<2>, hits<1> = m, B >= eps} c1 ~0 c2 {Theta, b1<1> = b2<2>, h<1> = h<2>, hits<1>
 * >= m + [h<1>], h<1> or B >= eps} (B)  {Theta', b2<1>, b1<2>, hits<2> = m, B >= eps} c2 ~0 c1
 * {Theta', b2<1> = b1<2>, h<1> = h<2>, hits<2> >= m + [h<2>]},   Theta' the inverse of Theta, in a
 * context with the runs exchanged proved on the spot:  Theta, b1<1> = b2<2> -> hits<1> <= M;   0 <=
 * eps;   0 < omega <= 1
 *  ------------------------------------------------------------------------------------------------
 *    {Theta, b1<1> = b2<2>, 0 <= hits<1>, B >= total} while b1 c1 ~omega while b2 c2
 *                                                              {Theta, not b1<1>, not b2<2>}
 *    total = M eps^2 + 2 eps sqrt(M ln(1/omega))                                      (AC-HIT)
 *    total = sqrt(2 M ln(1/omega)) eps + M eps (e^eps - 1), allowed when h is `true`   (AC-WHILE)
 */
proof_of rule_advanced(struct kernel *k, const struct core *c1, const struct core *c2,
                       const struct advanced *how, proof_of forward, proof_of backward) {
  const char *rule = how->hit == TERM_NONE ? "AC-WHILE" : "AC-HIT";
  struct terms *ts = k->terms;
  if (!forward || !backward) return NULL;
  if (c1->kind != CORE_WHILE || c2->kind != CORE_WHILE)
    return kernel_fail(k, rule, c1->span, "both sides must be loops");
  if (!is_discrete(c1) || !is_discrete(c2))
    return kernel_fail(k, rule, c1->span, "the loop may only sample from discrete distributions");
  if (!ends_surely(k, c1->first, 1) || !ends_surely(k, c2->first, 2)) return NULL;
  if (!kernel_is_assertion(k, how->relation) || term_mentions(ts, how->relation, &k->budget, 1))
    return kernel_fail(
        k, rule, c1->span,
        "the relation may not speak of the budget: the cost of an iteration is fixed");
  term_id hit = how->hit == TERM_NONE ? k->yes : how->hit;
  if (!kernel_is_program_term(k, hit) || term_sort(ts, hit) != SORT_BOOL ||
      !kernel_is_program_term(k, how->hits) || term_sort(ts, how->hits) != SORT_INT)
    return kernel_fail(k, rule, c1->span,
                       "the bit and the number of hits must be terms of one run");
  if (!kernel_is_constant(k, how->most) || term_sort(ts, how->most) != SORT_INT ||
      !kernel_is_constant(k, how->epsilon) || !kernel_is_constant(k, how->omega))
    return kernel_fail(k, rule, c1->span, "M, eps and omega must be terms over parameters");
  term_id count = how->count;
  if (!kernel_is_constant(k, count) || term_kind(ts, count) != TERM_VAR ||
      term_sort(ts, count) != SORT_INT)
    return kernel_fail(k, rule, c1->span, "the counter must be a logical integer");
  bool used = term_mentions(ts, how->relation, &count, 1) || term_mentions(ts, hit, &count, 1) ||
              term_mentions(ts, how->hits, &count, 1) || term_mentions(ts, how->most, &count, 1) ||
              term_mentions(ts, how->epsilon, &count, 1) ||
              term_mentions(ts, how->omega, &count, 1) || kernel_reads_logical(k, c1, count) ||
              kernel_reads_logical(k, c2, count);
  for (size_t i = 0; i < k->facts.len; i++)
    used |= term_mentions(ts, k->facts.at[i], &count, 1);
  if (used) return kernel_fail(k, rule, c1->span, "the counter occurs elsewhere");
  struct advanced_goal f = advanced_goal(k, c1, c2, how, false);
  struct advanced_goal b = advanced_goal(k, c1, c2, how, true);
  if (forward->kernel != k || forward->pre != f.pre || forward->post != f.post ||
      forward->delta != k->zero || !core_equal(forward->left, c1->first) ||
      !core_equal(forward->right, c2->first))
    return kernel_fail(k, rule, c1->span, "the forward premise is not the one that is needed");
  if (backward->pre != b.pre || backward->post != b.post ||
      backward->delta != backward->kernel->zero || !core_equal(backward->left, c2->first) ||
      !core_equal(backward->right, c1->first))
    return kernel_fail(k, rule, c1->span, "the backward premise is not the one that is needed");
  if (!backward_context(k, c1->span, backward->kernel)) return NULL;
  term_id b1 = kernel_tag(k, c1->expr, 1), b2 = kernel_tag(k, c2->expr, 2);
  term_id hits = kernel_tag(k, how->hits, 1), zero = term_int(ts, 0);
  term_id always = term_and(ts, how->relation, term_eq(ts, b1, b2));
  if (!kernel_prove(k, rule, c1->span, always, term_le(ts, hits, how->most),
                    "there are at most so many hits") ||
      !kernel_prove(k, rule, c1->span, k->yes, term_le(ts, zero, how->epsilon),
                    "the cost of an iteration is not negative") ||
      !kernel_prove(
          k, rule, c1->span, k->yes,
          term_and(ts, term_lt(ts, zero, how->omega), term_le(ts, how->omega, term_int(ts, 1))),
          "omega is a probability"))
    return NULL;
  term_id total = advanced_total(k, how);
  term_id start[] = {how->relation, term_eq(ts, b1, b2),
                     kernel_label(k, term_le(ts, zero, hits), rule, c1->span,
                                  "the number of hits is not negative"),
                     kernel_label(k, term_le(ts, total, k->budget), rule, c1->span,
                                  "the budget pays for all iterations")};
  term_id outside[] = {how->relation, term_not(ts, b1), term_not(ts, b2)};
  return judgement_new(k, rule, c1->span, c1, c2, term_and_all(ts, start, 4),
                       term_and_all(ts, outside, 3), how->omega, forward, backward);
}

term_id advanced_total(struct kernel *k, const struct advanced *how) {
  struct terms *ts = k->terms;
  term_id n = how->most, e = how->epsilon;
  term_id log = term_ln(ts, term_div(ts, term_int(ts, 1), how->omega));
  if (how->hit == TERM_NONE) {
    term_id root = term_sqrt(ts, term_mul(ts, term_mul(ts, term_int(ts, 2), n), log));
    term_id drift =
        term_mul(ts, term_mul(ts, n, e), term_sub(ts, term_exp(ts, e), term_int(ts, 1)));
    return term_add(ts, term_mul(ts, root, e), drift);
  }
  term_id root = term_sqrt(ts, term_mul(ts, n, log));
  return term_add(ts, term_mul(ts, n, term_mul(ts, e, e)),
                  term_mul(ts, term_int(ts, 2), term_mul(ts, e, root)));
}
