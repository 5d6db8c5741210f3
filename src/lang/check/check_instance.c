/* Instances: every binding gives a meaning to something that was declared without one. */
#include "lang/check/check_internal.h"

static const struct expr_context program = {.place = "an instance"};

static void check_twice(struct checker *c, struct ptrmap *seen, struct ast_binding *b) {
  const struct ast_binding *other = ptrmap_put(&seen[b->kind], b->name.text, b);
  if (!other) return;
  report_error(c, b->name.span, "duplicate-binding", "`%s` is given twice", b->name.text);
  report_note(c, other->name.span, "the other one");
}

static struct ast_decl *bound_decl(struct checker *c, struct ast_binding *b, enum decl_kind kind,
                                   const char *word) {
  struct ast_decl *d = names_find_value(c, b->name, word);
  if (!d) return NULL;
  if (d->kind == kind) return b->target = d;
  report_error(c, b->name.span, "bad-binding", "`%s` is %s, so it cannot be bound as %s",
               b->name.text, decl_kind_text(d->kind), decl_kind_text(kind));
  report_note(c, d->name.span, "it is declared here");
  return NULL;
}

/* ---- types ------------------------------------------------------------------------------------
 */

static bool mentions_bound(const struct checker *c, const struct type *t) {
  switch (t->kind) {
  case TYPE_ABSTRACT: return ptrmap_get(c->reveal, t->name);
  case TYPE_ARRAY:
  case TYPE_LIST: return t->elem && mentions_bound(c, t->elem);
  case TYPE_TUPLE:
    for (size_t i = 0; i < t->count; i++)
      if (mentions_bound(c, t->items[i])) return true;
    return false;
  default: return false;
  }
}

/* A binding may use the types bound before it, so that there are no cycles. */
static void bind_types(struct checker *c, struct ast_decl *d) {
  for (size_t i = 0; i < d->as.instance.count; i++) {
    struct ast_binding *b = &d->as.instance.bindings[i];
    if (b->kind != BINDING_TYPE) continue;
    b->target = names_find_type(c, b->name);
    const struct type *t = type_resolve(c, b->type);
    if (b->target) ptrmap_put(c->reveal, b->name.text, (void *)t);
  }
  for (size_t i = 0; i < d->as.instance.count; i++) {
    struct ast_binding *b = &d->as.instance.bindings[i];
    if (b->kind != BINDING_TYPE || !b->target || !mentions_bound(c, b->type->type)) continue;
    report_error(c, b->type->span, "binding-order",
                 "`%s` is made of a type that this instance binds only later, or of itself",
                 b->name.text);
    report_hint(c, "bind types in the order in which they build on each other");
    ptrmap_put(c->reveal, b->name.text, (void *)c->types->error);
  }
}

/* ---- values -----------------------------------------------------------------------------------
 */

static void bind_param(struct checker *c, struct ast_binding *b) {
  struct ast_decl *d = bound_decl(c, b, DECL_PARAM, "parameter");
  if (d)
    check_against(c, b->value, type_reveal(c, d->as.param.type->type), "the parameter `%s`",
                  b->name.text);
  else
    check_expr(c, b->value);
}

static void report_unknown_input(struct checker *c, const struct ast_binding *b) {
  report_error(c, b->name.span, "unknown-input", "no mechanism above has an input called `%s`",
               b->name.text);
  struct spell_best s = {0};
  for (size_t i = 0; i < c->inputs.capacity; i++)
    if (c->inputs.slots[i].key) spell_consider(&s, b->name.text, c->inputs.slots[i].key);
  if (!s.word) report_hint(c, "inputs are arguments of mechanisms; for a parameter write `param`");
  report_nearest(c, &s);
}

/* An input is named alone: it must fit one of the mechanisms that have an input of that name. */
static void bind_input(struct checker *c, struct ast_binding *b) {
  const struct input *first = ptrmap_get(&c->inputs, b->name.text), *fits = first;
  if (!first) {
    report_unknown_input(c, b);
    check_expr(c, b->value);
    return;
  }
  const struct type *found = first->next ? check_expr(c, b->value) : c->types->error;
  while (fits && !type_fits_input(type_reveal(c, fits->var->type), found))
    fits = fits->next;
  if (!fits) fits = first;
  check_against(c, b->value, type_reveal(c, fits->var->type), "the input `%s`", b->name.text);
}

static void bind_op(struct checker *c, struct ast_binding *b) {
  struct ast_decl *d = bound_decl(c, b, DECL_OP, "op");
  if (d && d->as.op.arg_count != b->arg_count) {
    report_error(c, b->span, "wrong-arity", "`%s` takes %zu argument%s, not %zu", b->name.text,
                 d->as.op.arg_count, d->as.op.arg_count == 1 ? "" : "s", b->arg_count);
    report_note(c, d->name.span, "it is declared here");
    d = NULL;
  }
  for (size_t i = 0; i < b->arg_count; i++) {
    b->args[i]->role = VAR_ARG;
    b->args[i]->slot = i;
    b->args[i]->type = d ? type_reveal(c, d->as.op.args[i]->type) : c->types->error;
    names_bind(c, b->args[i]);
  }
  c->ctx.next_slot = b->arg_count;
  if (d)
    check_against(c, b->value, type_reveal(c, d->as.op.result->type), "the value of `%s`",
                  b->name.text);
  else
    check_expr(c, b->value);
}

/* ---- adversaries ------------------------------------------------------------------------------
 */

/* The oracles that the script may call, as routines with a head and no body. */
static void offer_oracles(struct checker *c, const struct ast_decl *d) {
  for (size_t i = 0; i < d->as.adversary.use_count; i++) {
    const struct ast_oracle_use *use = &d->as.adversary.uses[i];
    struct ast_routine *o = arena_new(&c->lang->arena, struct ast_routine);
    *o = (struct ast_routine){.name = use->name,
                              .args = use->args,
                              .arg_count = use->arg_count,
                              .returns = use->returns,
                              .span = use->name.span};
    ptrmap_put(&c->oracles, use->name.text, o);
  }
}

static void bind_adversary(struct checker *c, struct ast_binding *b) {
  struct ast_decl *d = bound_decl(c, b, DECL_ADVERSARY, "adversary");
  struct ast_routine *ast = b->routine;
  if (!d) return;
  if (ast->arg_count != d->as.adversary.arg_count) {
    report_error(c, b->span, "wrong-arity", "`%s` takes %zu argument%s, not %zu", b->name.text,
                 d->as.adversary.arg_count, d->as.adversary.arg_count == 1 ? "" : "s",
                 ast->arg_count);
    report_note(c, d->name.span, "it is declared here");
    return;
  }
  for (size_t i = 0; i < ast->arg_count; i++) {
    ast->args[i]->role = VAR_ARG;
    ast->args[i]->type = type_reveal(c, d->as.adversary.args[i]->type);
    names_bind(c, ast->args[i]);
  }
  const struct ast_type *returns = d->as.adversary.returns;
  struct routine r = {.kind = ROUTINE_SCRIPT,
                      .ast = ast,
                      .decl = d,
                      .returns = returns ? type_reveal(c, returns->type) : c->types->unit};
  offer_oracles(c, d);
  check_routine(c, &r);
}

/* ---- all --------------------------------------------------------------------------------------
 */

void check_instance(struct checker *c, struct ast_decl *d) {
  struct ptrmap reveal, seen[BINDING_ADVERSARY + 1] = {0};
  ptrmap_init(&reveal);
  c->reveal = &reveal;
  c->ctx = program;
  bind_types(c, d);
  for (size_t i = 0; i < d->as.instance.count; i++) {
    struct ast_binding *b = &d->as.instance.bindings[i];
    check_twice(c, seen, b);
    ptrmap_clear(&c->locals);
    ptrmap_clear(&c->oracles);
    switch (b->kind) {
    case BINDING_TYPE: break;
    case BINDING_PARAM: bind_param(c, b); break;
    case BINDING_INPUT: bind_input(c, b); break;
    case BINDING_OP: bind_op(c, b); break;
    case BINDING_ADVERSARY: bind_adversary(c, b); break;
    }
  }
  for (size_t i = 0; i <= BINDING_ADVERSARY; i++)
    ptrmap_clear(&seen[i]);
  c->reveal = NULL;
  ptrmap_clear(&reveal);
}
