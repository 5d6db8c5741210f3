/* From the pure notion to others: parts of a program that are proved there. */
#include "kernel/internal.h"
#include "kernel/rules.h"
#include "term/build.h"
#include "term/subst.h"

static term_id equality(struct kernel *k, term_id var) {
  return term_eq(k->terms, kernel_tag(k, var, 1), kernel_tag(k, var, 2));
}

static bool is_conjunct(struct kernel *k, term_id formula, term_id part) {
  term_list parts = {0};
  term_conjuncts(k->terms, formula, &parts);
  bool found = false;
  for (size_t i = 0; i < parts.len && !found; i++)
    found = parts.at[i] == part;
  vec_clear(&parts);
  return found;
}

/* Of what c writes in that run `post` mentions only variables that it says are equal; and the
 * other one says so as well. */
static bool speaks_of_equals(struct kernel *k, const struct core *c, unsigned run, term_id post,
                             term_id other) {
  term_list written = {0};
  core_writes(c, &written);
  bool ok = true;
  for (size_t i = 0; i < written.len && ok; i++) {
    term_id here = term_var_in_run(k->terms, written.at[i], run);
    if (!term_mentions(k->terms, post, &here, 1)) continue;
    term_id equal = equality(k, written.at[i]);
    ok = is_conjunct(k, post, equal) && is_conjunct(k, other, equal);
  }
  vec_clear(&written);
  return ok;
}

static const char *misfit(struct kernel *k, proof_of forward, proof_of backward) {
  if (!k->pure || forward->kernel != k->pure || backward->kernel != k->pure->exchanged)
    return "the premises are not of the pure contexts of this one";
  if (forward->kernel->vars.len != k->vars.len || backward->kernel->vars.len != k->vars.len)
    return "the contexts have different variables";
  if (!core_equal(forward->left, backward->right) || !core_equal(forward->right, backward->left))
    return "the directions are about different programs";
  if (forward->delta != k->zero || backward->delta != k->zero)
    return "a part that costs delta is not pure";
  if (term_mentions(k->terms, forward->post, &k->budget, 1))
    return "what is left of the budget is given away";
  if (!speaks_of_equals(k, forward->left, 1, forward->post, backward->post) ||
      !speaks_of_equals(k, forward->right, 2, forward->post, backward->post))
    return "of what the part writes, only what is equal in both runs is known afterwards";
  return NULL;
}

/*             in the pure notion, with the same facts: {Phi} c1 ~0 c2 {Theta}
 *             and with the runs exchanged:             {Phi'} c2 ~0 c1 {Theta'}
 *  PURE-PART  -------------------------------------------------------------------------------
 *             {0 <= e, price(e) <= B, Phi[B := e], Phi'[B := e] with the runs exchanged,
 *              c1 and c2 end with probability 1}  c1 ~0 c2  {Theta}
 *  Theta does not mention B, and of what c1 (c2) writes in run 1 (2) only variables x of which
 *  x<1> = x<2> is a part of Theta and Theta'. e is a real term over the memories before. The
 *  price is that of a step that multiplies no probability by
 *  more than e^e in either direction (notion.h).                                               */
proof_of rule_pure_part(struct kernel *k, struct span span, term_id epsilon, proof_of forward,
                        proof_of backward, const struct loop_variants *variants) {
  static const char rule[] = "PURE-PART";
  struct terms *ts = k->terms;
  if (!forward || !backward) return NULL;
  const char *why = misfit(k, forward, backward);
  if (why) return kernel_fail(k, rule, span, "%s", why);
  epsilon = epsilon == TERM_NONE ? TERM_NONE : term_coerce(ts, epsilon, SORT_REAL);
  if (epsilon == TERM_NONE || term_mentions(ts, epsilon, &k->budget, 1) ||
      term_mentions(ts, epsilon, k->vars.at, k->vars.len))
    return kernel_fail(k, rule, span, "the cost must be a term over memories");
  term_id ends = term_and(ts, lossless_wp(k, forward->left, 1, k->yes, variants),
                          lossless_wp(k, forward->right, 2, k->yes, variants));
  k->believes |= forward->kernel->believes || backward->kernel->believes;
  term_id parts[] = {
      kernel_label(k, term_le(ts, k->zero, epsilon), rule, span, "the cost is not negative"),
      kernel_label(k, term_le(ts, notion_price_both(ts, k->notion, epsilon), k->budget), rule, span,
                   "the budget pays for this part"),
      term_subst(ts, forward->pre, &k->budget, &epsilon, 1),
      term_subst(ts, term_swap_runs(ts, backward->pre), &k->budget, &epsilon, 1),
      kernel_label(k, ends, rule, span, "the part ends with probability 1")};
  return judgement_new(k, rule, span, forward->left, forward->right, term_and_all(ts, parts, 5),
                       forward->post, k->zero, forward, backward);
}
