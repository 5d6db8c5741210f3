#include "claim/whole_array.h"

#include "kernel/internal.h"
#include "lang/walk.h"

bool type_has_array(const struct type *type) {
  if (!type) return false;
  if (type->kind == TYPE_ARRAY) return true;
  if (type->kind == TYPE_LIST) return type_has_array(type->elem);
  for (size_t i = 0; type->kind == TYPE_TUPLE && i < type->count; i++)
    if (type_has_array(type->items[i])) return true;
  return false;
}

term_id whole_array_length(struct translate_env *env, const struct ast_expr *e) {
  if (!e->type || e->type->kind != TYPE_ARRAY || type_has_array(e->type->elem)) return TERM_NONE;
  if (e->kind == EXPR_IF) {
    term_id then = whole_array_length(env, e->as.cond.then);
    return then == whole_array_length(env, e->as.cond.otherwise) ? then : TERM_NONE;
  }
  if (e->kind != EXPR_NAME || !e->as.name.var) return TERM_NONE;
  const struct translate_binding *b = ptrmap_get(&env->vars, e->as.name.var);
  return b && b->length != TERM_NONE && kernel_is_constant(env->k, b->length) ? b->length
                                                                              : TERM_NONE;
}

static bool is_comparison(enum binary_op op) {
  return op == BINARY_EQ || op == BINARY_NE;
}

static void check_compared(struct translate_env *env, const struct ast_expr *a,
                           const struct ast_expr *b) {
  if (!type_has_array(a->type)) return;
  if (whole_array_length(env, a) == TERM_NONE ||
      whole_array_length(env, a) != whole_array_length(env, b))
    translate_fail(env, a->span, "arrays that are compared must have the same constant length");
}

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
  if (type_has_array(e->type) && whole_array_length(env, e) == TERM_NONE) {
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
  if (e->kind == EXPR_BINARY && is_comparison(e->as.binary.op))
    check_compared(env, e->as.binary.left, e->as.binary.right);
  for (size_t i = 0; e->kind == EXPR_CHAIN && i + 1 < e->as.chain.count; i++)
    check_compared(env, e->as.chain.operands[i], e->as.chain.operands[i + 1]);
  walk_parts(e, visit, context);
}

bool whole_arrays_fit(struct translate_env *env, const struct ast_expr *e) {
  visit(e, env);
  return !env->error;
}
