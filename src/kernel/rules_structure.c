/* Structural rules. B stands for the budget; all premises are of the same context. */
#include "kernel/internal.h"
#include "kernel/rules.h"
#include "term/build.h"
#include "term/subst.h"

static bool same_context(struct kernel *k, const char *rule, struct span span,
                         const struct judgement *a, const struct judgement *b) {
  if (a && a->kernel == k && (!b || b->kernel == k)) return true;
  if (!a || !b) return false; /* the premise failed: keep its failure */
  kernel_fail(k, rule, span, "premises come from different contexts");
  return false;
}

/* The same for rules with two premises. */
static bool both_here(struct kernel *k, const char *rule, struct span span,
                      const struct judgement *a, const struct judgement *b) {
  return a && b && same_context(k, rule, span, a, b);
}

/* The larger of two deltas. */
static term_id larger(struct kernel *k, term_id a, term_id b) {
  if (a == b) return a;
  if (a == k->zero && term_is_num(k->terms, b) && fmpq_sgn(term_num_value(k->terms, b)) >= 0)
    return b;
  return term_max(k->terms, a, b);
}

/*  SKIP      ------------------------
 *            {Psi} skip ~0 skip {Psi}   */
proof_of rule_skip(struct kernel *k, term_id post) {
  return judgement_new(k, "SKIP", span_none(), core_skip(), core_skip(), post, post, k->zero, NULL,
                       NULL);
}

/*  ASSN-L    ------------------------------------------        ASSN-R likewise on run 2
 *            {Psi[x<1> := e<1>]} x := e ~0 skip {Psi}           x is not frozen  */
proof_of rule_assign(struct kernel *k, unsigned run, const struct core *c, term_id post) {
  const char *rule = run == 1 ? "ASSN-L" : "ASSN-R";
  if (c->kind != CORE_ASSIGN) return kernel_fail(k, rule, c->span, "this is not an assignment");
  if (run != 1 && run != 2) return kernel_fail(k, rule, c->span, "there are runs 1 and 2");
  if (!kernel_is_writable(k, c->var))
    return kernel_fail(k, rule, c->span, "the variable cannot be assigned to");
  term_id value = kernel_tag(k, c->expr, run);
  if (value == TERM_NONE) return kernel_fail(k, rule, c->span, "not a term of one run");
  term_id pre = kernel_assigned(k, post, c->var, run, value);
  return judgement_new(k, rule, c->span, run == 1 ? c : core_skip(), run == 2 ? c : core_skip(),
                       pre, post, k->zero, NULL, NULL);
}

static bool is_unit(struct kernel *k, const struct judgement *j) {
  return !j->admitted && j->left->kind == CORE_SKIP && j->right->kind == CORE_SKIP &&
         j->pre == j->post && j->delta == k->zero;
}

/*            {Phi} c1 ~d c2 {Theta}     {Theta} c1' ~d' c2' {Psi}
 *  SEQ       ----------------------------------------------------    Theta the same formula
 *            {Phi} c1;c1' ~(d+d') c2;c2' {Psi}                       0 <= d', proved on the spot
 *  (A judgement may have a negative delta where its precondition is impossible, and the first
 *  part may pay with its delta for ending there.)   */
proof_of rule_seq(struct kernel *k, proof_of first, proof_of second) {
  if (!both_here(k, "SEQ", span_none(), first, second)) return NULL;
  if (first->post != second->pre)
    return kernel_fail(k, "SEQ", first->span,
                       "the first part does not end where the second part begins");
  /* {Theta} skip ~0 skip {Theta} is a unit: no node of its own. */
  if (is_unit(k, second)) return first;
  if (is_unit(k, first)) return second;
  if (!kernel_prove_probability(k, "SEQ", second->span, second->delta)) return NULL;
  return judgement_new(k, "SEQ", first->span, core_seq(&k->arena, first->left, second->left),
                       core_seq(&k->arena, first->right, second->right), first->pre, second->post,
                       term_add(k->terms, first->delta, second->delta), first, second);
}

/*            Phi' -> Phi    {Phi} c1 ~d c2 {Psi}    Psi -> Psi'    d <= d'
 *  CONSEQ    ---------------------------------------------------------------
 *            {Phi'} c1 ~d' c2 {Psi'}                                          */
proof_of rule_conseq(struct kernel *k, struct span span, term_id pre, term_id post, term_id delta,
                     proof_of j) {
  if (!same_context(k, "CONSEQ", span, j, NULL)) return NULL;
  if (!kernel_is_assertion(k, pre) || !kernel_is_assertion(k, post) ||
      !kernel_is_constant(k, delta))
    return kernel_fail(k, "CONSEQ", span, "not an assertion");
  if (j->post != post && !kernel_prove(k, "CONSEQ", span, j->post, post, "the postcondition"))
    return NULL;
  if (j->delta != delta && !kernel_prove(k, "CONSEQ", span, k->yes,
                                         term_le(k->terms, j->delta, delta), "the bound on delta"))
    return NULL;
  if (j->pre != pre && !kernel_prove(k, "CONSEQ", span, pre, j->pre, "the precondition"))
    return NULL;
  return judgement_new(k, "CONSEQ", span, j->left, j->right, pre, post, delta, j, NULL);
}

static proof_of check_branches(struct kernel *k, const char *rule, const struct core *c,
                               proof_of then, proof_of otherwise) {
  if (!both_here(k, rule, c->span, then, otherwise)) return NULL;
  if (then->post != otherwise->post)
    return kernel_fail(k, rule, c->span, "the branches have different postconditions");
  return then;
}

/*            {Phi} t1 ~d t2 {Psi}     {Phi'} e1 ~d' e2 {Psi}
 *  COND      -------------------------------------------------------------------------
 *            {b1<1> = b2<2>, b1<1> -> Phi, not b1<1> -> Phi'}
 *              if b1 t1 else e1 ~max(d,d') if b2 t2 else e2 {Psi}                       */
proof_of rule_cond(struct kernel *k, const struct core *c1, const struct core *c2, proof_of then,
                   proof_of otherwise) {
  if (c1->kind != CORE_IF || c2->kind != CORE_IF)
    return kernel_fail(k, "COND", c1->span, "both sides must be conditionals");
  if (!check_branches(k, "COND", c1, then, otherwise)) return NULL;
  if (!core_equal(then->left, c1->first) || !core_equal(then->right, c2->first) ||
      !core_equal(otherwise->left, c1->second) || !core_equal(otherwise->right, c2->second))
    return kernel_fail(k, "COND", c1->span, "the premises are not about these branches");
  struct terms *ts = k->terms;
  term_id b1 = kernel_tag(k, c1->expr, 1), b2 = kernel_tag(k, c2->expr, 2);
  term_id parts[] = {
      kernel_label(k, term_eq(ts, b1, b2), "COND", c1->span, "both runs take the same branch"),
      term_implies(ts, b1, then->pre), term_implies(ts, term_not(ts, b1), otherwise->pre)};
  return judgement_new(k, "COND", c1->span, c1, c2, term_and_all(ts, parts, 3), then->post,
                       larger(k, then->delta, otherwise->delta), then, otherwise);
}

/*            {Phi} t ~d c2 {Psi}     {Phi'} e ~d' c2 {Psi}
 *  COND-L    -------------------------------------------------------------------------
 *            {b<1> -> Phi, not b<1> -> Phi'} if b t else e ~max(d,d') c2 {Psi}
 *  COND-R likewise with the conditional on the right. */
proof_of rule_cond_side(struct kernel *k, unsigned run, const struct core *c, proof_of then,
                        proof_of otherwise) {
  const char *rule = run == 1 ? "COND-L" : "COND-R";
  if (c->kind != CORE_IF || (run != 1 && run != 2))
    return kernel_fail(k, rule, c->span, "this is not a conditional of run 1 or 2");
  if (!check_branches(k, rule, c, then, otherwise)) return NULL;
  const struct core *then_own = run == 1 ? then->left : then->right;
  const struct core *then_other = run == 1 ? then->right : then->left;
  const struct core *else_own = run == 1 ? otherwise->left : otherwise->right;
  const struct core *else_other = run == 1 ? otherwise->right : otherwise->left;
  if (!core_equal(then_own, c->first) || !core_equal(else_own, c->second) ||
      !core_equal(then_other, else_other))
    return kernel_fail(k, rule, c->span, "the premises are not about these branches");
  struct terms *ts = k->terms;
  term_id b = kernel_tag(k, c->expr, run);
  term_id pre = term_and(ts, term_implies(ts, b, then->pre),
                         term_implies(ts, term_not(ts, b), otherwise->pre));
  return judgement_new(k, rule, c->span, run == 1 ? c : then_other, run == 2 ? c : then_other, pre,
                       then->post, larger(k, then->delta, otherwise->delta), then, otherwise);
}

/*            {Phi} c1 ~d c2 {Psi}     {Phi'} c1 ~d' c2 {Psi}
 *  CASE      -----------------------------------------------------------
 *            {A -> Phi, not A -> Phi'} c1 ~max(d,d') c2 {Psi}              A any assertion
 *  If A is about logical variables alone, delta is (if A then d else d').  */
proof_of rule_case(struct kernel *k, struct span span, term_id condition, proof_of yes,
                   proof_of no) {
  if (!both_here(k, "CASE", span, yes, no)) return NULL;
  if (!kernel_is_assertion(k, condition))
    return kernel_fail(k, "CASE", span, "the condition is not an assertion");
  if (yes->post != no->post || !core_equal(yes->left, no->left) ||
      !core_equal(yes->right, no->right))
    return kernel_fail(k, "CASE", span, "the cases are about different programs or ends");
  struct terms *ts = k->terms;
  term_id pre = term_and(ts, term_implies(ts, condition, yes->pre),
                         term_implies(ts, term_not(ts, condition), no->pre));
  bool logical = kernel_is_program_term(k, condition); /* no runs, no budget */
  term_id delta = logical && yes->delta != no->delta
                      ? term_ite(ts, condition, yes->delta, no->delta)
                      : larger(k, yes->delta, no->delta);
  return judgement_new(k, "CASE", span, yes->left, yes->right, pre, yes->post, delta, yes, no);
}

/*            {Phi} c1 ~d c2 {Psi}        Theta does not mention B, nor x<1> for x written by c1,
 *  FRAME     --------------------------  nor x<2> for x written by c2
 *            {Phi, Theta} c1 ~d c2 {Psi, Theta}   */
proof_of rule_frame(struct kernel *k, struct span span, term_id formula, proof_of j) {
  if (!same_context(k, "FRAME", span, j, NULL)) return NULL;
  if (!kernel_is_assertion(k, formula) || term_mentions(k->terms, formula, &k->budget, 1))
    return kernel_fail(k, "FRAME", span, "only a formula about memories can be framed");
  if (kernel_writes_into(k, j->left, 1, formula) || kernel_writes_into(k, j->right, 2, formula))
    return kernel_fail(k, "FRAME", span, "the framed formula mentions a variable that is written");
  return judgement_new(k, "FRAME", span, j->left, j->right, term_and(k->terms, j->pre, formula),
                       term_and(k->terms, j->post, formula), j->delta, j, NULL);
}

/*            {Phi} c1 ~d c2 {Psi}        i logical, not B, not in Psi, d, the facts or the programs
 *  EXISTS    -----------------------------
 *            {exists i. Phi} c1 ~d c2 {Psi}    or  {Phi[i := t]} for a given t over the memories */
proof_of rule_exists(struct kernel *k, struct span span, term_id var, term_id witness, proof_of j) {
  if (!same_context(k, "EXISTS", span, j, NULL)) return NULL;
  if (var == TERM_NONE || term_kind(k->terms, var) != TERM_VAR || var == k->budget ||
      term_var_get(k->terms, var)->run != 0 || kernel_is_var(k, var))
    return kernel_fail(k, "EXISTS", span, "only a logical variable can be quantified");
  bool used =
      term_mentions(k->terms, j->post, &var, 1) || term_mentions(k->terms, j->delta, &var, 1);
  for (size_t i = 0; i < k->facts.len; i++)
    used |= term_mentions(k->terms, k->facts.at[i], &var, 1);
  /* the judgement is about this order, not about some order */
  if (k->notion.order != TERM_NONE) used |= term_mentions(k->terms, k->notion.order, &var, 1);
  if (used || kernel_reads_logical(k, j->left, var) || kernel_reads_logical(k, j->right, var))
    return kernel_fail(k, "EXISTS", span, "the variable is used outside of the precondition");
  term_id pre = witness == TERM_NONE ? term_exists(k->terms, &var, 1, j->pre)
                                     : term_subst(k->terms, j->pre, &var, &witness, 1);
  return judgement_new(k, "EXISTS", span, j->left, j->right, pre, j->post, j->delta, j, NULL);
}

/*  WASTE     ------------------------------------------------     t a real term over memories and B
 *            {0 <= t <= B, Psi[B := t]} skip ~0 skip {Psi}   */
proof_of rule_waste(struct kernel *k, struct span span, term_id keep, term_id post) {
  struct terms *ts = k->terms;
  keep = keep == TERM_NONE ? TERM_NONE : term_coerce(ts, keep, SORT_REAL);
  if (keep == TERM_NONE) return kernel_fail(k, "WASTE", span, "a budget is a real number");
  term_id parts[] = {
      kernel_label(k, term_le(ts, k->zero, keep), "WASTE", span, "the budget is not negative"),
      kernel_label(k, term_le(ts, keep, k->budget), "WASTE", span, "enough budget is left"),
      term_subst(ts, post, &k->budget, &keep, 1)};
  return judgement_new(k, "WASTE", span, core_skip(), core_skip(), term_and_all(ts, parts, 3), post,
                       k->zero, NULL, NULL);
}

/*                   {Phi} c1 ~d c2 {Psi}        R over logical variables and memories, not B,
 *  BUDGET-FRAME     ------------------------    not written by c1 (run 1) or c2 (run 2)
 *                   {0 <= R <= B, Phi[B := B-R]} c1 ~d c2 {R <= B, Psi[B := B-R]}              */
proof_of rule_budget_frame(struct kernel *k, struct span span, term_id extra, proof_of j) {
  if (!same_context(k, "BUDGET-FRAME", span, j, NULL)) return NULL;
  if (k->notion.kind == NOTION_GAUSSIAN) /* a factor in front of f does the others */
    return kernel_fail(k, "BUDGET-FRAME", span, "budgets in mu^2 cannot be put aside");
  struct terms *ts = k->terms;
  extra = extra == TERM_NONE ? TERM_NONE : term_coerce(ts, extra, SORT_REAL);
  if (extra == TERM_NONE || term_mentions(ts, extra, &k->budget, 1) ||
      term_mentions(ts, extra, k->vars.at, k->vars.len))
    return kernel_fail(k, "BUDGET-FRAME", span, "the extra budget must be a term over memories");
  if (kernel_writes_into(k, j->left, 1, extra) || kernel_writes_into(k, j->right, 2, extra))
    return kernel_fail(k, "BUDGET-FRAME", span, "the extra budget mentions a written variable");
  term_id rest = term_sub(ts, k->budget, extra);
  term_id enough = term_le(ts, extra, k->budget);
  term_id parts[] = {kernel_label(k, term_le(ts, k->zero, extra), "BUDGET-FRAME", span,
                                  "what is put aside is not negative"),
                     kernel_label(k, enough, "BUDGET-FRAME", span, "what is put aside is there"),
                     term_subst(ts, j->pre, &k->budget, &rest, 1)};
  term_id post = term_and(ts, enough, term_subst(ts, j->post, &k->budget, &rest, 1));
  return judgement_new(k, "BUDGET-FRAME", span, j->left, j->right, term_and_all(ts, parts, 3), post,
                       j->delta, j, NULL);
}

/* Fresh variables for what c writes, as it is in that run; appended. */
static void forget_written(struct kernel *k, const struct core *c, unsigned run, term_list *from,
                           term_list *to) {
  term_list written = {0};
  core_writes(c, &written);
  for (size_t i = 0; i < written.len; i++) {
    term_id var = term_var_in_run(k->terms, written.at[i], run);
    bool seen = false;
    for (size_t j = 0; j < from->len && !seen; j++)
      seen = from->at[j] == var;
    if (seen) continue;
    const struct term_var *v = term_var_get(k->terms, var);
    vec_push(from, var);
    vec_push(to, kernel_fresh(k, v->name, v->sort));
  }
  vec_clear(&written);
}

/*            {Phi} c1 ~d c2 {Theta}       Theta does not mention B; W: x<1> for x written by c1,
 *  CONTRACT  ------------------------     x<2> for x written by c2; t a real term over memories
 *            {0 <= t <= B, Phi[B := t], for all values w: Theta[W := w] -> Psi[W := w, B := B-t]}
 *              c1 ~d c2 {Psi}                                                                   */
proof_of rule_contract(struct kernel *k, struct span span, term_id spent, term_id post,
                       proof_of j) {
  static const char rule[] = "CONTRACT";
  struct terms *ts = k->terms;
  if (!same_context(k, rule, span, j, NULL)) return NULL;
  if (!kernel_is_assertion(k, post)) return kernel_fail(k, rule, span, "not an assertion");
  spent = spent == TERM_NONE ? TERM_NONE : term_coerce(ts, spent, SORT_REAL);
  if (spent == TERM_NONE || term_mentions(ts, spent, &k->budget, 1) ||
      term_mentions(ts, spent, k->vars.at, k->vars.len))
    return kernel_fail(k, rule, span, "what is spent must be a term over memories");
  if (term_mentions(ts, j->post, &k->budget, 1))
    return kernel_fail(k, rule, span, "what is left of the budget is given away");
  term_list from = {0}, to = {0};
  forget_written(k, j->left, 1, &from, &to);
  forget_written(k, j->right, 2, &from, &to);
  size_t count = to.len;
  term_id known = term_subst(ts, j->post, from.at, to.at, count);
  vec_push(&from, k->budget); /* all at once: `spent` is about the memories before */
  vec_push(&to, term_sub(ts, k->budget, spent));
  term_id wanted = term_subst(ts, post, from.at, to.at, from.len);
  term_id parts[] = {
      kernel_label(k, term_le(ts, k->zero, spent), rule, span, "what is spent is not negative"),
      kernel_label(k, term_le(ts, spent, k->budget), rule, span, "the budget pays for this part"),
      term_subst(ts, j->pre, &k->budget, &spent, 1),
      term_forall(ts, to.at, count, term_implies(ts, known, wanted))};
  vec_clear(&from);
  vec_clear(&to);
  return judgement_new(k, rule, span, j->left, j->right, term_and_all(ts, parts, 4), post, j->delta,
                       j, NULL);
}

/*  ADMIT     ------------------------      marked; the mark never goes away
 *            {Phi} c1 ~0 c2 {Psi}   */
proof_of rule_admit(struct kernel *k, struct span span, const struct core *c1,
                    const struct core *c2, term_id pre, term_id post) {
  struct judgement *j =
      (struct judgement *)judgement_new(k, "ADMIT", span, c1, c2, pre, post, k->zero, NULL, NULL);
  if (j) j->admitted = true;
  return j;
}
