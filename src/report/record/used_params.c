#include "report/record/used_params.h"

#include "base/ptrmap.h"
#include "lang/syntax/walk.h"

struct look {
  const struct ast_decl *param;
  struct ptrmap seen; /* declarations and routines */
  bool found;
};

static void look_at(const struct ast_expr *e, void *context);

static bool is_new(struct look *l, const void *key) {
  return !l->found && !ptrmap_put(&l->seen, key, l);
}

static void look_in_routine(struct look *l, const struct ast_routine *r) {
  if (!r || !is_new(l, r)) return;
  for (size_t i = 0; i < r->arg_count; i++)
    walk_type(r->args[i]->declared, look_at, l);
  for (size_t i = 0; i < r->local_count; i++)
    if (r->locals[i]->declared) walk_type(r->locals[i]->declared, look_at, l);
  walk_block(&r->body, look_at, l);
  for (size_t i = 0; i < r->oracle_count; i++)
    look_in_routine(l, r->oracles[i]);
}

static void look_in_decl(struct look *l, const struct ast_decl *d) {
  if (!d || !is_new(l, d)) return;
  l->found |= d == l->param;
  if (d->kind == DECL_LET && d->as.let.body) look_at(d->as.let.body, l);
  if (d->kind == DECL_PROCEDURE) look_in_routine(l, d->as.procedure);
}

static void look_at(const struct ast_expr *e, void *context) {
  struct look *l = context;
  if (e->kind == EXPR_NAME) look_in_decl(l, e->as.name.decl);
  if (e->kind == EXPR_CALL) look_in_decl(l, e->as.call.decl);
  if (!l->found) walk_parts(e, look_at, l);
}

static void look_if(struct look *l, const struct ast_expr *e) {
  if (e) look_at(e, l);
}

static void look_in_claim(struct look *l, const struct program_claim *claim) {
  const struct ast_decl *c = claim->claim, *m = c->as.claim.target;
  const struct ast_expr *parts[] = {c->as.claim.order,   c->as.claim.epsilon,
                                    c->as.claim.formula, c->as.claim.delta,
                                    c->as.claim.under,   m->as.mechanism.adjacent};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    look_if(l, parts[i]);
  for (size_t i = 0; c->as.claim.law && i < c->as.claim.law->count; i++)
    look_at(c->as.claim.law->args[i], l);
  for (size_t i = 0; i < m->as.mechanism.require_count; i++)
    look_at(m->as.mechanism.requires[i], l);
  look_in_routine(l, m->as.mechanism.routine);
}

/* What is abstract may be about anything. */
static void look_in_module(struct look *l, const struct ast_module *module) {
  for (size_t i = 0; i < module->decl_count; i++) {
    const struct ast_decl *d = module->decls[i];
    if (d->kind == DECL_AXIOM) look_if(l, d->as.formula);
    for (size_t k = 0; d->kind == DECL_ADVERSARY && k < d->as.adversary.use_count; k++)
      look_if(l, d->as.adversary.uses[k].bound);
  }
}

bool claim_uses_param(const struct program_claim *claim, const struct ast_decl *param) {
  struct look l = {.param = param};
  ptrmap_init(&l.seen);
  look_in_claim(&l, claim);
  look_in_module(&l, claim->module);
  ptrmap_clear(&l.seen);
  return l.found;
}
