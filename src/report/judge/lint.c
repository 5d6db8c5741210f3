#include "report/judge/lint.h"

#include <string.h>

#include "claim/claim.h"
#include "claim/translate.h"
#include "kernel/kernel.h"
#include "run/eval/interp_setup.h"
#include "term/build.h"
#include "term/subst.h"

static const char *const strict_codes[] = {"nothing-private",      "contradictory-assumptions",
                                           "impossible-adjacency", "impossible-inputs",
                                           "trivial-adjacency",    "infinite-epsilon"};

bool lint_is_strict(const char *code) {
  for (size_t i = 0; i < sizeof strict_codes / sizeof *strict_codes; i++)
    if (code && strcmp(code, strict_codes[i]) == 0) return true;
  return false;
}

/* ---- the module ----------------------------------------------------------------------------- */

static bool contradicts(const struct kernel *k, struct smt *smt, size_t count, struct span place) {
  size_t all;
  const term_id *facts = kernel_facts(k, &all);
  return count <= all && smt_contradictory(smt, "lint", place, facts, count) == SMT_VALID;
}

static bool states_facts(const struct ast_decl *d) {
  return d->kind == DECL_AXIOM || (d->kind == DECL_PARAM && d->as.param.count > 0);
}

/* The declaration whose facts are the first that contradict those before it. */
static const struct ast_decl *find_culprit(const struct ast_module *module, const struct kernel *k,
                                           struct smt *smt) {
  size_t count = 0;
  for (size_t i = 0; i < module->decl_count; i++) {
    const struct ast_decl *d = module->decls[i];
    if (!states_facts(d)) continue;
    count += d->kind == DECL_AXIOM ? 1 : d->as.param.count;
    if (contradicts(k, smt, count, d->span)) return d;
  }
  return NULL;
}

bool lint_module(struct lang *lang, const struct ast_module *module,
                 const struct smt_options *options) {
  struct terms ts;
  struct smt smt;
  struct translate_env env;
  terms_init(&ts);
  smt_init(&smt, &ts, options);
  struct kernel *k = kernel_new(&ts, &smt.decider);
  translate_env_init(&env, k, lang, module);
  translate_module(&env);
  size_t count;
  kernel_facts(k, &count);
  bool fine = env.error || !contradicts(k, &smt, count, span_none());
  const struct ast_decl *culprit = fine ? NULL : find_culprit(module, k, &smt);
  if (culprit) {
    diag_warning(&lang->diags, culprit->span, "contradictory-assumptions",
                 "nothing satisfies what is assumed up to here: every claim would hold");
    diag_hint(&lang->diags, "check the assumptions on parameters and the axioms above");
  }
  translate_env_clear(&env);
  kernel_free(k);
  smt_clear(&smt);
  terms_clear(&ts);
  return !culprit;
}

/* ---- an instance ---------------------------------------------------------------------------- */

static const struct diag *find_breach(const struct diags *diags, size_t from) {
  static const char *const codes[] = {"assumption-violated", "requires-violated", "wrong-length"};
  for (size_t i = from; i < diags->list.len; i++)
    for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
      if (strcmp(diags->list.at[i].code, codes[k]) == 0) return &diags->list.at[i];
  return NULL;
}

/* What stops a run is only a warning here; what a run would say besides is not said at all. */
static bool warn_of_breach(struct diags *diags, struct diag_mark mark,
                           const struct ast_decl *instance) {
  const struct diag *breach = find_breach(diags, mark.kept);
  struct span place = breach ? breach->span : span_none();
  const char *code = breach ? breach->code : NULL, *message = breach ? breach->message : NULL;
  diags_rollback(diags, mark); /* texts stay in the arena */
  if (!breach) return false;
  diag_warning(diags, place, code, "%s, as the instance `%s` has it", message, instance->name.text);
  diag_hint(diags, "correct the instance: the verdicts do not rest on it, but `couplet run` and "
                   "`couplet prob` refuse it");
  diag_note(diags, instance->name.span, "the instance");
  return true;
}

void lint_instance(struct lang *lang, const struct ast_module *module,
                   const struct ast_decl *instance) {
  bool told = false;
  for (size_t i = 0; i < module->decl_count && !told; i++) {
    if (module->decls[i]->kind != DECL_MECHANISM) continue;
    struct interp in;
    struct diag_mark mark = diags_mark(&lang->diags);
    interp_init(&in, lang, module, module->decls[i]);
    in.instance = instance;
    in.is_partial = true;
    interp_prepare(&in);
    interp_clear(&in);
    told = warn_of_breach(&lang->diags, mark, instance);
  }
}

/* ---- a claim -------------------------------------------------------------------------------- */

struct linter {
  struct lang *lang;
  const struct ast_decl *decl;
  struct claim *claim;
  struct kernel *k;
  struct terms *ts;
  struct smt *smt;
};

static enum smt_verdict follows(struct linter *l, term_id goal) {
  size_t count;
  const term_id *facts = kernel_facts(l->k, &count);
  return smt_entails(l->smt, "lint", l->decl->span, facts, count, goal);
}

static const struct ast_expr *adjacency_of(const struct ast_decl *claim) {
  const struct ast_decl *m = claim->as.claim.target;
  if (claim->as.claim.formula) return claim->as.claim.under;
  return claim->as.claim.under ? claim->as.claim.under : m->as.mechanism.adjacent;
}

/* False: there is nothing else to say. */
static bool lint_possible(struct linter *l) {
  size_t count;
  kernel_facts(l->k, &count);
  if (!contradicts(l->k, l->smt, count, l->decl->span)) return true;
  const struct ast_expr *adjacency = adjacency_of(l->decl);
  if (l->decl->as.claim.formula) {
    diag_warning(&l->lang->diags, adjacency ? adjacency->span : l->decl->as.claim.subject.span,
                 "impossible-inputs",
                 "no input satisfies `under` and what `%s` requires: the claim says nothing",
                 l->decl->as.claim.target->name.text);
    return false;
  }
  diag_warning(&l->lang->diags, adjacency ? adjacency->span : l->decl->as.claim.subject.span,
               "impossible-adjacency",
               "no two inputs satisfy the adjacency and what `%s` requires: the claim says nothing",
               l->decl->as.claim.target->name.text);
  diag_hint(&l->lang->diags, "look for a contradiction between `adjacent` (or `under`), `requires` "
                             "and the assumptions on parameters");
  return false;
}

/* Adjacent inputs are equal wherever they are private? Arrays are not looked into. */
static void lint_differs(struct linter *l) {
  const struct ast_routine *r = l->decl->as.claim.target->as.mechanism.routine;
  size_t count = 0;
  for (size_t i = 0; i < r->arg_count; i++) {
    if (!r->args[i]->is_private) continue;
    const struct translate_binding *b = translate_find(claim_env(l->claim), r->args[i]->name.text);
    if (!b || term_sort(l->ts, b->term) > SORT_REAL) return;
    term_id equal = term_eq(l->ts, kernel_tag(l->k, b->term, 1), kernel_tag(l->k, b->term, 2));
    if (follows(l, equal) != SMT_VALID) return;
    count++;
  }
  if (!count) return;
  const struct ast_expr *adjacency = adjacency_of(l->decl);
  diag_warning(&l->lang->diags, adjacency ? adjacency->span : l->decl->as.claim.subject.span,
               "trivial-adjacency",
               "adjacent inputs are equal: both runs are the same, and the claim says nothing");
  diag_hint(&l->lang->diags, "say how the private inputs may differ, e.g. `within(q, 1)`");
}

/* What an operation needs to have a value; TERM_NONE: nothing. */
static term_id needed(struct terms *ts, term_id t) {
  term_id zero = term_int(ts, 0);
  switch (term_kind(ts, t)) {
  case TERM_DIV:
  case TERM_IDIV:
  case TERM_MOD: return term_ne(ts, term_arg(ts, t, 1), zero);
  case TERM_LN: return term_lt(ts, zero, term_arg(ts, t, 0));
  case TERM_SQRT: return term_le(ts, zero, term_arg(ts, t, 0));
  default: return TERM_NONE;
  }
}

static void lint_finite(struct linter *l, term_id t, const struct ast_expr *e, const char *what) {
  term_list parts = {0};
  term_subterms(l->ts, t, &parts);
  bool conditional = false, infinite = false;
  for (size_t i = 0; i < parts.len; i++)
    conditional |= term_kind(l->ts, parts.at[i]) == TERM_ITE;
  for (size_t i = 0; i < parts.len && !conditional && !infinite; i++) {
    term_id condition = needed(l->ts, parts.at[i]);
    infinite = condition != TERM_NONE && follows(l, condition) == SMT_INVALID;
  }
  vec_clear(&parts);
  if (!infinite) return;
  diag_warning(&l->lang->diags, e->span, "infinite-epsilon",
               "%s has no value for some parameters that are allowed", what);
  diag_hint(&l->lang->diags, sources_language(&l->lang->sources, e->span.file) == SOURCE_PYTHON
                                 ? "assume what it needs, e.g. `requires=\"n > 0\"`"
                                 : "assume what it needs, e.g. `param n : int, n > 0;`");
}

void lint_claim(struct lang *lang, const struct ast_module *module, const struct ast_decl *decl,
                const struct smt_options *options) {
  fmpq_t zero;
  fmpq_init(zero);
  const struct ast_expr *epsilon = decl->as.claim.epsilon;
  struct ast_expr none = *epsilon;
  bool is_open = decl->as.claim.asked != NULL;
  if (is_open) { /* any epsilon will do: the assumptions are looked at */
    none.kind = EXPR_NUMBER;
    none.as.number.value = zero;
    none.as.number.is_decimal = false;
  }
  struct terms ts;
  struct smt smt;
  terms_init(&ts);
  smt_init(&smt, &ts, options);
  struct claim *claim =
      claim_open_by(lang, module, decl, is_open ? &none : epsilon, NULL, &ts, &smt.decider, NULL);
  if (claim) {
    struct linter l = {lang, decl, claim, claim_kernel(claim, CLAIM_FORWARD), &ts, &smt};
    if (lint_possible(&l)) {
      bool accuracy = decl->as.claim.formula != NULL;
      if (!accuracy) lint_differs(&l);
      if (!is_open)
        lint_finite(&l, claim_epsilon(claim), epsilon,
                    accuracy ? "the probability of failure" : "epsilon");
      if (decl->as.claim.delta) lint_finite(&l, claim_delta(claim), decl->as.claim.delta, "delta");
    }
  }
  claim_close(claim);
  smt_clear(&smt);
  terms_clear(&ts);
  fmpq_clear(zero);
}
