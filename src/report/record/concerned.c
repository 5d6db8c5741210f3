#include "report/record/concerned.h"

#include "lang/syntax/walk.h"

struct tour {
  decl_list seen; /* parameters, constants, procedures */
};

static void visit(const struct ast_expr *e, void *context);

static void visit_optional(const struct ast_expr *e, struct tour *t) {
  if (e) visit(e, t);
}

static void visit_list(struct ast_expr **list, size_t count, struct tour *t) {
  for (size_t i = 0; i < count; i++)
    visit(list[i], t);
}

static void visit_args(struct ast_var **args, size_t count, struct tour *t) {
  for (size_t i = 0; i < count; i++)
    if (args[i]->declared) walk_type(args[i]->declared, visit, t);
}

static void visit_routine(const struct ast_routine *r, struct tour *t) {
  visit_args(r->args, r->arg_count, t);
  if (r->returns) walk_type(r->returns, visit, t);
  walk_block(&r->body, visit, t);
  for (size_t i = 0; i < r->oracle_count; i++)
    visit_routine(r->oracles[i], t);
}

static void visit_decl(const struct ast_decl *d, struct tour *t) {
  if (decls_have(&t->seen, d)) return;
  vec_push(&t->seen, d);
  switch (d->kind) {
  case DECL_PARAM:
    if (d->as.param.type) walk_type(d->as.param.type, visit, t);
    visit_list(d->as.param.assumptions, d->as.param.count, t);
    break;
  case DECL_LET:
    visit_args(d->as.let.args, d->as.let.arg_count, t);
    visit_optional(d->as.let.body, t);
    break;
  case DECL_ADVERSARY:
    for (size_t i = 0; i < d->as.adversary.use_count; i++)
      visit_optional(d->as.adversary.uses[i].bound, t);
    break;
  case DECL_PROCEDURE: visit_routine(d->as.procedure, t); break;
  case DECL_MECHANISM:
    visit_routine(d->as.mechanism.routine, t);
    visit_optional(d->as.mechanism.adjacent, t);
    visit_list(d->as.mechanism.requires, d->as.mechanism.require_count, t);
    break;
  default: break;
  }
}

static void visit(const struct ast_expr *e, void *context) {
  if (e->kind == EXPR_NAME && e->as.name.decl) visit_decl(e->as.name.decl, context);
  if (e->kind == EXPR_CALL && e->as.call.decl) visit_decl(e->as.call.decl, context);
  walk_parts(e, visit, context);
}

static void visit_claim(const struct ast_decl *claim, struct tour *t) {
  const struct ast_expr *parts[] = {claim->as.claim.epsilon, claim->as.claim.delta,
                                    claim->as.claim.order, claim->as.claim.formula,
                                    claim->as.claim.under};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    visit_optional(parts[i], t);
  const struct ast_dist *law = claim->as.claim.law;
  if (law) visit_list(law->args, law->count, t);
  for (size_t i = 0; i < claim->as.claim.at_count; i++)
    if (claim->as.claim.at[i].param) visit_decl(claim->as.claim.at[i].param, t);
  if (claim->as.claim.target) visit_decl(claim->as.claim.target, t);
}

void concerned_params(decl_list *out, const struct ast_module *module,
                      const struct ast_decl *claim) {
  struct tour t = {0};
  visit_claim(claim, &t);
  for (size_t i = 0; i < module->decl_count; i++) /* assumptions of every claim */
    if (module->decls[i]->kind == DECL_AXIOM) visit(module->decls[i]->as.formula, &t);
  for (size_t i = 0; i < t.seen.len; i++)
    if (t.seen.at[i]->kind == DECL_PARAM) vec_push(out, t.seen.at[i]);
  vec_clear(&t.seen);
}

bool decls_have(const decl_list *list, const struct ast_decl *decl) {
  for (size_t i = 0; i < list->len; i++)
    if (list->at[i] == decl) return true;
  return false;
}
