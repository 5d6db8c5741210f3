#include "claim/whole_array.h"

#include "kernel/context.h"
#include "lang/syntax/walk.h"

bool type_has_array(const struct type *type) {
  if (!type) return false;
  if (type->kind == TYPE_ARRAY) return true;
  if (type->kind == TYPE_LIST) return type_has_array(type->elem);
  for (size_t i = 0; type->kind == TYPE_TUPLE && i < type->count; i++)
    if (type_has_array(type->items[i])) return true;
  return false;
}

/* ---- lengths -------------------------------------------------------------------------------- */

struct scope_search {
  struct translate_env *env;
  bool unbound;
};

static void search_unbound(const struct ast_expr *e, void *context) {
  struct scope_search *s = context;
  if (e->kind == EXPR_NAME && e->as.name.var)
    s->unbound |= !ptrmap_get(&s->env->vars, e->as.name.var);
  walk_parts(e, search_unbound, context);
}

/* A length as written, if it is constant and has a meaning here: the length of the result of an
 * operator may depend on its arguments. */
static term_id constant_length(struct translate_env *env, const struct ast_expr *length) {
  struct scope_search s = {.env = env};
  if (!length) return TERM_NONE;
  search_unbound(length, &s);
  term_id n = s.unbound ? TERM_NONE : translate_expr(env, length);
  return n != TERM_NONE && kernel_is_constant(env->k, n) ? n : TERM_NONE;
}

/* The length that a type as written gives to arrays `depth` levels inside. */
static term_id declared_length(struct translate_env *env, const struct ast_type *t, size_t depth) {
  while (t && t->kind == TYPE_ARRAY && depth-- > 0)
    t = t->items[0];
  return t && t->kind == TYPE_ARRAY ? constant_length(env, t->length) : TERM_NONE;
}

static term_id length_at(struct translate_env *env, const struct ast_expr *e, size_t depth);

/* What an argument of a let or procedure declares does not count: what it was given does. */
static term_id variable_length(struct translate_env *env, const struct ast_var *var, size_t depth) {
  const struct translate_binding *b = ptrmap_get(&env->vars, var);
  if (depth == 0)
    return b && b->length && kernel_is_constant(env->k, b->length) ? b->length : TERM_NONE;
  bool binds = var->role == VAR_INPUT || var->role == VAR_LOCAL;
  return binds ? declared_length(env, var->declared, depth) : TERM_NONE;
}

static term_id global_length(struct translate_env *env, const struct ast_decl *d, size_t depth) {
  if (!d) return TERM_NONE;
  if (d->kind == DECL_PARAM) return declared_length(env, d->as.param.type, depth);
  if (d->kind == DECL_OP) return declared_length(env, d->as.op.result, depth);
  return d->kind == DECL_LET && !d->as.let.arg_count ? length_at(env, d->as.let.body, depth)
                                                     : TERM_NONE;
}

/* The constant length of the arrays that are `depth` levels inside; 0: the array itself. */
static term_id length_at(struct translate_env *env, const struct ast_expr *e, size_t depth) {
  switch (e->kind) {
  case EXPR_TAG: return length_at(env, e->as.tag.operand, depth);
  case EXPR_INDEX: return length_at(env, e->as.index.base, depth + 1);
  case EXPR_IF: {
    term_id then = length_at(env, e->as.cond.then, depth);
    return then == length_at(env, e->as.cond.otherwise, depth) ? then : TERM_NONE;
  }
  case EXPR_NAME:
    return e->as.name.var ? variable_length(env, e->as.name.var, depth)
                          : global_length(env, e->as.name.decl, depth);
  case EXPR_CALL:
    return e->as.call.callee_kind == CALLEE_OP ? global_length(env, e->as.call.decl, depth)
                                               : TERM_NONE;
  default: return TERM_NONE;
  }
}

term_id array_length(struct translate_env *env, const struct ast_expr *e) {
  return e->type && e->type->kind == TYPE_ARRAY ? length_at(env, e, 0) : TERM_NONE;
}

term_id whole_array_length(struct translate_env *env, const struct ast_expr *e) {
  if (!e->type || e->type->kind != TYPE_ARRAY || type_has_array(e->type->elem)) return TERM_NONE;
  if (e->kind != EXPR_IF && (e->kind != EXPR_NAME || !e->as.name.var)) return TERM_NONE;
  return length_at(env, e, 0);
}

/* ---- comparisons and operators -------------------------------------------------------------- */

bool whole_arrays_alike(struct translate_env *env, const struct ast_expr *a,
                        const struct ast_expr *b) {
  const struct type *t = a->type;
  if (!type_has_array(t) && !type_has_array(b->type)) return true;
  for (size_t depth = 0; t && t->kind == TYPE_ARRAY; depth++, t = t->elem) {
    term_id n = length_at(env, a, depth);
    if (n == TERM_NONE || n != length_at(env, b, depth)) break;
    if (!type_has_array(t->elem)) return true;
  }
  translate_fail(env, a->span, "arrays that are compared must have the same constant length");
  return false;
}

bool whole_array_may_be(struct translate_env *env, const struct ast_var *arg,
                        const struct ast_expr *e) {
  if (!type_has_array(arg->type)) return true;
  term_id n = arg->type->kind == TYPE_ARRAY && !type_has_array(arg->type->elem)
                  ? length_at(env, e, 0)
                  : TERM_NONE;
  const struct translate_binding *first = ptrmap_get(&env->op_args, arg);
  if (n != TERM_NONE && !first) {
    struct translate_binding *b = arena_new(kernel_arena(env->k), struct translate_binding);
    *b = (struct translate_binding){.length = n};
    ptrmap_put(&env->op_args, arg, b);
  }
  if (n != TERM_NONE && (!first || first->length == n)) return true;
  translate_fail(env, e->span,
                 "arrays that an operator gets must have one constant length, the same wherever "
                 "it is used");
  return false;
}

/* ---- programs ------------------------------------------------------------------------------- */

static void visit(const struct ast_expr *e, void *context);

/* What an element or the length is taken from may be any array. */
static void visit_base(struct translate_env *env, const struct ast_expr *e) {
  if (e->kind == EXPR_INDEX) {
    visit_base(env, e->as.index.base);
    visit(e->as.index.index, env);
  } else if (e->kind != EXPR_NAME) {
    walk_parts(e, visit, env);
  }
}

static void visit(const struct ast_expr *e, void *context) {
  struct translate_env *env = context;
  if (env->error) return;
  bool whole = type_has_array(e->type) && e->kind != EXPR_TUPLE; /* of a tuple: each item */
  if (whole && whole_array_length(env, e) == TERM_NONE) {
    translate_fail(env, e->span,
                   "the length of a whole array that the program uses must be constant: made of "
                   "parameters and public inputs");
    return;
  }
  if (e->kind == EXPR_INDEX) {
    visit_base(env, e);
    return;
  }
  if (e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_BUILTIN &&
      e->as.call.builtin == BUILTIN_LENGTH && e->as.call.count == 1) {
    visit_base(env, e->as.call.args[0]);
    return;
  }
  walk_parts(e, visit, context);
}

bool whole_arrays_fit(struct translate_env *env, const struct ast_expr *e) {
  visit(e, env);
  return !env->error;
}
