/* Loops. B stands for the budget, which is part of the invariant like any variable. */
#include "kernel/internal.h"
#include "kernel/lossless.h"
#include "kernel/rules.h"
#include "term/build.h"
#include "term/subst.h"

static bool open_guards(struct kernel *k, const char *rule, const struct core *c1,
                        const struct core *c2, term_id invariant, term_id *b1, term_id *b2) {
  if (c1->kind != CORE_WHILE || c2->kind != CORE_WHILE) {
    kernel_fail(k, rule, c1->span, "both sides must be loops");
    return false;
  }
  *b1 = kernel_tag(k, c1->expr, 1);
  *b2 = kernel_tag(k, c2->expr, 2);
  if (*b1 == TERM_NONE || *b2 == TERM_NONE || !kernel_is_assertion(k, invariant)) {
    kernel_fail(k, rule, c1->span, "guard or invariant is not well formed");
    return false;
  }
  return true;
}

static bool body_is(struct kernel *k, const char *rule, const struct core *c1,
                    const struct core *c2, const struct judgement *body, term_id pre,
                    term_id post) {
  if (!body) return false;
  const char *wrong = NULL;
  if (body->kernel != k)
    wrong = "the premise comes from another context";
  else if (!core_equal(body->left, c1->first) || !core_equal(body->right, c2->first))
    wrong = "the premise is not about these loop bodies";
  else if (body->pre != pre)
    wrong = "the body must start from the invariant with both guards true";
  else if (body->post != post)
    wrong = "the body must end in the invariant with equal guards";
  if (wrong) kernel_fail(k, rule, c1->span, "%s", wrong);
  return !wrong;
}

/*            {I, b1<1>, b2<2>} c1 ~0 c2 {I, b1<1> = b2<2>}
 *  WHILE     -------------------------------------------------------------------------------
 *            {I, b1<1> = b2<2>} while b1 c1 ~0 while b2 c2 {I, not b1<1>, not b2<2>}
 *  The premise must have delta 0: a delta per iteration adds up, see WHILE-DELTA.              */
proof_of rule_while(struct kernel *k, const struct core *c1, const struct core *c2,
                    term_id invariant, proof_of body) {
  static const char rule[] = "WHILE";
  struct terms *ts = k->terms;
  term_id b1, b2;
  if (!open_guards(k, rule, c1, c2, invariant, &b1, &b2)) return NULL;
  term_id inside[] = {invariant, b1, b2};
  term_id outside[] = {invariant, term_not(ts, b1), term_not(ts, b2)};
  term_id cut = term_and(ts, invariant, term_eq(ts, b1, b2));
  if (!body_is(k, rule, c1, c2, body, term_and_all(ts, inside, 3), cut)) return NULL;
  if (body->delta != k->zero)
    return kernel_fail(k, rule, c1->span, "the body costs delta in every iteration");
  return judgement_new(k, rule, c1->span, c1, c2, cut, term_and_all(ts, outside, 3), k->zero, body,
                       NULL);
}

/*            {I, b<1>} c ~0 skip {I}
 *  WHILE-L   --------------------------------------------          WHILE-R likewise on run 2,
 *            {I} while b c ~0 skip {I, not b<1>}                    if the loop is lossless   */
proof_of rule_while_side(struct kernel *k, unsigned run, const struct core *c, term_id invariant,
                         proof_of body, const struct loop_variants *variants) {
  const char *rule = run == 1 ? "WHILE-L" : "WHILE-R";
  struct terms *ts = k->terms;
  if (!body) return NULL;
  if (c->kind != CORE_WHILE || (run != 1 && run != 2))
    return kernel_fail(k, rule, c->span, "this is not a loop of run 1 or 2");
  const struct core *own = run == 1 ? body->left : body->right;
  const struct core *other = run == 1 ? body->right : body->left;
  term_id b = kernel_tag(k, c->expr, run);
  if (b == TERM_NONE || !kernel_is_assertion(k, invariant))
    return kernel_fail(k, rule, c->span, "guard or invariant is not well formed");
  if (body->kernel != k || !core_equal(own, c->first) || other->kind != CORE_SKIP ||
      body->pre != term_and(ts, invariant, b) || body->post != invariant || body->delta != k->zero)
    return kernel_fail(k, rule, c->span, "the premise does not preserve this invariant");
  if (run == 2 && !lossless_check(k, c, 2, variants)) return NULL;
  return judgement_new(k, rule, c->span, run == 1 ? c : core_skip(), run == 2 ? c : core_skip(),
                       invariant, term_and(ts, invariant, term_not(ts, b)), k->zero, body, NULL);
}

/*               {I, b1<1>, b2<2>} c1 ~0 c2 {I}
 *               {I, not (b1<1> and b2<2>)} while b1 c1 ~0 while b2 c2 {I, not b1<1>, not b2<2>}
 *  WHILE-APART  ------------------------------------------------------------------------------
 *               {I} while b1 c1 ~0 while b2 c2 {I, not b1<1>, not b2<2>}
 *  Together as long as both runs are in the loop; what follows is for the second premise, where
 *  each run may go on by itself (WHILE-L, WHILE-R).                                            */
proof_of rule_while_apart(struct kernel *k, const struct core *c1, const struct core *c2,
                          term_id invariant, proof_of body, proof_of rest) {
  static const char rule[] = "WHILE-APART";
  struct terms *ts = k->terms;
  term_id b1, b2;
  if (!open_guards(k, rule, c1, c2, invariant, &b1, &b2)) return NULL;
  term_id inside[] = {invariant, b1, b2};
  term_id outside[] = {invariant, term_not(ts, b1), term_not(ts, b2)};
  term_id left = term_and(ts, invariant, term_not(ts, term_and(ts, b1, b2)));
  term_id post = term_and_all(ts, outside, 3);
  if (!body_is(k, rule, c1, c2, body, term_and_all(ts, inside, 3), invariant)) return NULL;
  if (!rest || rest->kernel != k || !core_equal(rest->left, c1) || !core_equal(rest->right, c2) ||
      rest->pre != left || rest->post != post)
    return kernel_fail(k, rule, c1->span,
                       "the second premise is not about the rest of these loops");
  if (body->delta != k->zero || rest->delta != k->zero)
    return kernel_fail(k, rule, c1->span, "the premises must not cost delta");
  return judgement_new(k, rule, c1->span, c1, c2, invariant, post, k->zero, body, rest);
}

/*               {I, b1<1>, b2<2>, V<1> = k} c1 ~d(k) c2 {I, b1<1> = b2<2>, V<1> < k}
 *  WHILE-DELTA  ------------------------------------------------------------------------------
 *               {I, b1<1> = b2<2>, V<1> <= n, 0 <= n} while b1 c1 ~S(n) while b2 c2
 *                                                               {I, not b1<1>, not b2<2>}
 *  V an integer, k a logical integer not in I, V, n, the facts or the programs; proved on the spot:
 *    I, V<1> <= 0 -> not b1<1>;  S(0) >= 0;  for k >= 1: d(k) >= 0 and S(k) >= S(k-1) + d(k) */
proof_of rule_while_delta(struct kernel *k, const struct core *c1, const struct core *c2,
                          term_id invariant, struct while_delta how, proof_of body) {
  static const char rule[] = "WHILE-DELTA";
  struct terms *ts = k->terms;
  term_id b1, b2;
  if (!open_guards(k, rule, c1, c2, invariant, &b1, &b2)) return NULL;
  term_id variant = how.variant == TERM_NONE ? TERM_NONE : kernel_tag(k, how.variant, 1);
  if (variant == TERM_NONE || term_sort(ts, variant) != SORT_INT)
    return kernel_fail(k, rule, c1->span, "the variant must be an integer of one run");
  term_id n = how.most, count = how.count;
  if (!kernel_is_constant(k, n) || term_sort(ts, n) != SORT_INT ||
      !kernel_is_constant(k, how.total) || !kernel_is_constant(k, count) ||
      term_kind(ts, count) != TERM_VAR || term_sort(ts, count) != SORT_INT)
    return kernel_fail(k, rule, c1->span, "bound and total must be terms over parameters");
  bool used = term_mentions(ts, invariant, &count, 1) || term_mentions(ts, variant, &count, 1) ||
              term_mentions(ts, n, &count, 1) || kernel_reads_logical(k, c1, count) ||
              kernel_reads_logical(k, c2, count);
  for (size_t i = 0; i < k->facts.len; i++)
    used |= term_mentions(ts, k->facts.at[i], &count, 1);
  if (used) return kernel_fail(k, rule, c1->span, "the counter occurs in the invariant or program");
  term_id inside[] = {invariant, b1, b2, term_eq(ts, variant, count)};
  term_id after[] = {invariant, term_eq(ts, b1, b2), term_lt(ts, variant, count)};
  if (!body_is(k, rule, c1, c2, body, term_and_all(ts, inside, 4), term_and_all(ts, after, 3)))
    return NULL;
  term_id zero = term_int(ts, 0), one = term_int(ts, 1), less = term_sub(ts, count, one);
  term_id total_0 = term_subst(ts, how.total, &count, &zero, 1);
  term_id total_less = term_subst(ts, how.total, &count, &less, 1);
  term_id total_n = term_subst(ts, how.total, &count, &n, 1);
  if (!kernel_prove(k, rule, c1->span, term_and(ts, invariant, term_le(ts, variant, zero)),
                    term_not(ts, b1), "the loop has ended when the variant reaches 0") ||
      !kernel_prove(k, rule, c1->span, k->yes, term_le(ts, zero, total_0),
                    "the total delta of no iteration is not negative") ||
      !kernel_prove(k, rule, c1->span, term_le(ts, one, count), term_le(ts, zero, body->delta),
                    "the delta of an iteration is not negative") ||
      !kernel_prove(k, rule, c1->span, term_le(ts, one, count),
                    term_le(ts, term_add(ts, total_less, body->delta), how.total),
                    "the total delta covers the sum over the iterations"))
    return NULL;
  term_id start[] = {invariant, term_eq(ts, b1, b2),
                     kernel_label(k, term_le(ts, variant, n), rule, c1->span,
                                  "the variant starts within its bound"),
                     kernel_label(k, term_le(ts, zero, n), rule, c1->span,
                                  "the bound of the variant is not negative")};
  term_id outside[] = {invariant, term_not(ts, b1), term_not(ts, b2)};
  return judgement_new(k, rule, c1->span, c1, c2, term_and_all(ts, start, 4),
                       term_and_all(ts, outside, 3), total_n, body, NULL);
}
