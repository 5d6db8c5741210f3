/* Declarations, automata, instances and proofs, for the symbol table. */
#include "lsp/script_walk.h"
#include "lsp/symbols_internal.h"

/* ---- automata -------------------------------------------------------------------------------- */

static const struct ast_name *threshold_named(const struct ast_decl *d, const char *name) {
  for (size_t i = 0; i < d->as.automaton.var_count; i++)
    if (d->as.automaton.vars[i].text == name) return &d->as.automaton.vars[i];
  return NULL;
}

static void threshold(struct symbol_walk *w, const struct ast_decl *d, struct ast_name name,
                      bool is_write) {
  const struct ast_name *var = threshold_named(d, name.text);
  if (var) occur(w, symbol_of(w, var, SYMBOL_THRESHOLD, name.text), name.span, is_write);
}

static void state_named(struct symbol_walk *w, const struct ast_decl *d, struct ast_name name) {
  for (size_t i = 0; i < d->as.automaton.state_count; i++) {
    const struct ast_state *s = &d->as.automaton.states[i];
    if (s->name.text != name.text) continue;
    occur(w, symbol_of(w, s, SYMBOL_STATE, name.text), name.span, false);
    return;
  }
}

/* Guards compare `insample` with threshold variables, and join comparisons. */
static void walk_guard(struct symbol_walk *w, const struct ast_decl *d, const struct ast_expr *e) {
  switch (e->kind) {
  case EXPR_NAME:
    threshold(w, d, (struct ast_name){e->as.name.text, name_in(w, e->span)}, false);
    break;
  case EXPR_UNARY: walk_guard(w, d, e->as.unary.operand); break;
  case EXPR_BINARY:
    walk_guard(w, d, e->as.binary.left);
    walk_guard(w, d, e->as.binary.right);
    break;
  case EXPR_CHAIN:
    for (size_t i = 0; i < e->as.chain.count; i++)
      walk_guard(w, d, e->as.chain.operands[i]);
    break;
  default: break;
  }
}

static void walk_automaton(struct symbol_walk *w, const struct ast_decl *d) {
  for (size_t i = 0; i < d->as.automaton.var_count; i++) {
    const struct ast_name *var = &d->as.automaton.vars[i];
    define(w, symbol_of(w, var, SYMBOL_THRESHOLD, var->text), var->span);
  }
  for (size_t i = 0; i < d->as.automaton.state_count; i++) {
    const struct ast_state *s = &d->as.automaton.states[i];
    struct symbol *symbol = symbol_of(w, s, SYMBOL_STATE, s->name.text);
    symbol->state = s;
    define(w, symbol, s->name.span);
    walk_expr(w, s->d);
    walk_expr(w, s->mean);
    walk_expr(w, s->d2);
    walk_expr(w, s->mean2);
  }
  state_named(w, d, d->as.automaton.start);
  for (size_t i = 0; i < d->as.automaton.edge_count; i++) {
    const struct ast_edge *e = &d->as.automaton.edges[i];
    state_named(w, d, e->from);
    state_named(w, d, e->to);
    if (e->guard) walk_guard(w, d, e->guard);
    for (size_t j = 0; j < e->assigned_count; j++)
      threshold(w, d, e->assigned[j], true);
  }
}

/* ---- instances ------------------------------------------------------------------------------- */

/* An input is bound by its name alone, for every mechanism that has one of that name. */
static void bound_input(struct symbol_walk *w, struct ast_name name) {
  const struct ast_var *first = NULL;
  size_t found = 0;
  for (size_t i = 0; i < w->module->decl_count; i++) {
    const struct ast_decl *d = w->module->decls[i];
    if (d->kind != DECL_MECHANISM) continue;
    const struct ast_routine *r = d->as.mechanism.routine;
    for (size_t j = 0; j < r->arg_count; j++) {
      if (r->args[j]->name.text != name.text) continue;
      if (!first) first = r->args[j];
      if (found++) var_symbol(w, r->args[j])->is_ambiguous = true;
    }
  }
  if (!first) return;
  struct symbol *s = var_symbol(w, first);
  if (found > 1) s->is_ambiguous = true;
  occur(w, s, name.span, false);
}

static void walk_instance(struct symbol_walk *w, const struct ast_decl *d) {
  for (size_t i = 0; i < d->as.instance.count; i++) {
    const struct ast_binding *b = &d->as.instance.bindings[i];
    if (b->kind == BINDING_INPUT)
      bound_input(w, b->name);
    else
      walk_reference(w, b->target, b->name.span);
    walk_written_type(w, b->type);
    walk_args(w, b->args, b->arg_count);
    size_t outside = w->binders.len;
    for (size_t j = 0; j < b->arg_count; j++)
      vec_push(&w->binders, b->args[j]);
    walk_expr(w, b->value);
    w->binders.len = outside;
    if (b->routine) walk_routine(w, b->routine);
  }
}

/* ---- declarations ---------------------------------------------------------------------------- */

static void walk_definition(struct symbol_walk *w, struct ast_var *const *args, size_t count,
                            const struct ast_type *type, const struct ast_expr *body) {
  walk_args(w, args, count);
  walk_written_type(w, type);
  size_t outside = w->binders.len;
  for (size_t i = 0; i < count; i++)
    vec_push(&w->binders, args[i]);
  walk_expr(w, body);
  w->binders.len = outside;
}

static void walk_mechanism(struct symbol_walk *w, const struct ast_decl *d) {
  const struct ast_routine *r = d->as.mechanism.routine;
  if (!r) return;
  walk_routine(w, r);
  w->routine = r;
  walk_expr(w, d->as.mechanism.adjacent_written);
  for (size_t i = 0; i < d->as.mechanism.written_count; i++)
    walk_expr(w, d->as.mechanism.requires_written[i]);
  w->routine = NULL;
}

static void walk_claim(struct symbol_walk *w, const struct ast_decl *d) {
  const struct ast_decl *target = d->as.claim.target;
  if (!target) target = ptrmap_get(&w->values, d->as.claim.subject.text);
  bool is_named = d->name.span.begin != d->as.claim.subject.span.begin;
  if (is_named) walk_declared(w, d);
  walk_reference(w, target, d->as.claim.subject.span);
  if (target && target->kind == DECL_MECHANISM) w->routine = target->as.mechanism.routine;
  if (d->as.claim.order) walk_expr(w, d->as.claim.order);
  walk_bound_cost(w, d->as.claim.all_order, d->as.claim.epsilon);
  walk_expr(w, d->as.claim.delta);
  walk_expr(w, d->as.claim.formula);
  for (size_t i = 0; d->as.claim.law && i < d->as.claim.law->count; i++)
    walk_expr(w, d->as.claim.law->args[i]);
  walk_expr(w, d->as.claim.under_written);
  for (size_t i = 0; i < d->as.claim.at_count; i++) {
    const struct ast_domain *domain = &d->as.claim.at[i];
    if (domain->param) walk_reference(w, domain->param, domain->name.span);
    if (domain->input) occur(w, var_symbol(w, domain->input), domain->name.span, false);
    for (size_t j = 0; j < domain->count; j++)
      walk_expr(w, domain->values[j]);
  }
  w->routine = NULL;
}

void walk_decl(struct symbol_walk *w, const struct ast_decl *d) {
  bool has_name = d->kind != DECL_ERROR && d->kind != DECL_INCLUDE && d->kind != DECL_CLAIM;
  if (has_name && d->name.text) walk_declared(w, d);
  switch (d->kind) {
  case DECL_ERROR:
  case DECL_INCLUDE:
  case DECL_LIBM:
  case DECL_TYPE: break;
  case DECL_PARAM:
    walk_written_type(w, d->as.param.type);
    for (size_t i = 0; i < d->as.param.count; i++)
      walk_expr(w, d->as.param.assumptions[i]);
    break;
  case DECL_LET:
    walk_definition(w, d->as.let.args, d->as.let.arg_count, d->as.let.type, d->as.let.body);
    break;
  case DECL_OP: walk_definition(w, d->as.op.args, d->as.op.arg_count, d->as.op.result, NULL); break;
  case DECL_AXIOM:
  case DECL_LEMMA: walk_expr(w, d->as.formula); break;
  case DECL_ADVERSARY:
    walk_definition(w, d->as.adversary.args, d->as.adversary.arg_count, d->as.adversary.returns,
                    NULL);
    for (size_t i = 0; i < d->as.adversary.use_count; i++)
      walk_use(w, &d->as.adversary.uses[i]);
    break;
  case DECL_PROCEDURE:
    if (d->as.procedure) walk_routine(w, d->as.procedure);
    break;
  case DECL_MECHANISM: walk_mechanism(w, d); break;
  case DECL_AUTOMATON: walk_automaton(w, d); break;
  case DECL_CLAIM: walk_claim(w, d); break;
  case DECL_INSTANCE: walk_instance(w, d); break;
  }
}

/* ---- proofs ---------------------------------------------------------------------------------- */

static void used_in_proof(void *context, const struct ast_name *name) {
  struct symbol *s = resolve(context, name->text);
  if (s) occur(context, s, name->span, false);
}

static void defined_in_proof(void *context, const struct ast_name *name) {
  struct symbol_walk *w = context;
  vec_push(&w->proof_names, name);
  define(w, symbol_of(w, name, SYMBOL_VALUE, name->text), name->span);
}

static void expr_in_proof(void *context, const struct ast_expr *e) {
  walk_expr(context, e);
}

void walk_proof(struct symbol_walk *w, const struct proof_text *proof) {
  const struct script_visitor visitor = {w, used_in_proof, defined_in_proof, expr_in_proof};
  const struct ast_decl *d = proof->claim;
  const struct ast_decl *target = d->kind == DECL_CLAIM ? d->as.claim.target : NULL;
  w->decl = d;
  w->in_proof = true;
  if (target && target->kind == DECL_MECHANISM) w->routine = target->as.mechanism.routine;
  script_walk(proof->scope, &visitor);
  w->routine = NULL;
  w->proof_names.len = 0;
  w->in_proof = false;
}
