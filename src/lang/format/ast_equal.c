#include "lang/format/ast_equal.h"

#include <string.h>

static bool same_text(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_name(const struct ast_name *a, const struct ast_name *b) {
  return same_text(a->text, b->text);
}

static bool same_names(const struct ast_name *a, const struct ast_name *b, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!same_name(&a[i], &b[i])) return false;
  return true;
}

/* ---- expressions ---------------------------------------------------------------------------- */

static bool same_optional(const struct ast_expr *a, const struct ast_expr *b) {
  return a && b ? ast_equal_expr(a, b) : a == b;
}

static bool same_exprs(struct ast_expr *const *a, size_t count, struct ast_expr *const *b,
                       size_t other) {
  if (count != other) return false;
  for (size_t i = 0; i < count; i++)
    if (!ast_equal_expr(a[i], b[i])) return false;
  return true;
}

static bool same_type(const struct ast_type *a, const struct ast_type *b) {
  return a && b ? ast_equal_type(a, b) : a == b;
}

static bool same_var(const struct ast_var *a, const struct ast_var *b) {
  return a->role == b->role && a->is_private == b->is_private && same_name(&a->name, &b->name) &&
         same_type(a->declared, b->declared);
}

static bool same_vars(struct ast_var *const *a, size_t count, struct ast_var *const *b,
                      size_t other) {
  if (count != other) return false;
  for (size_t i = 0; i < count; i++)
    if (!same_var(a[i], b[i])) return false;
  return true;
}

static bool same_number(const struct ast_expr *a, const struct ast_expr *b) {
  return a->as.number.is_decimal == b->as.number.is_decimal &&
         fmpq_equal(a->as.number.value, b->as.number.value);
}

static bool same_chain(const struct ast_expr *a, const struct ast_expr *b) {
  if (!same_exprs(a->as.chain.operands, a->as.chain.count, b->as.chain.operands, b->as.chain.count))
    return false;
  for (size_t i = 0; i + 1 < a->as.chain.count; i++)
    if (a->as.chain.ops[i] != b->as.chain.ops[i]) return false;
  return true;
}

static bool same_quant(const struct ast_expr *a, const struct ast_expr *b) {
  if (a->as.quant.is_forall != b->as.quant.is_forall || a->as.quant.is_sum != b->as.quant.is_sum ||
      a->as.quant.count != b->as.quant.count)
    return false;
  for (size_t i = 0; i < a->as.quant.count; i++) {
    const struct ast_binder *x = &a->as.quant.binders[i], *y = &b->as.quant.binders[i];
    if (!same_var(x->var, y->var) || !same_optional(x->low, y->low) ||
        !same_optional(x->high, y->high))
      return false;
  }
  return ast_equal_expr(a->as.quant.body, b->as.quant.body);
}

/* The left operand is compared in the loop: left spines may be long. */
static bool same_binary(const struct ast_expr *a, const struct ast_expr *b) {
  for (; a->kind == EXPR_BINARY && b->kind == EXPR_BINARY;
       a = a->as.binary.left, b = b->as.binary.left)
    if (a->as.binary.op != b->as.binary.op ||
        !ast_equal_expr(a->as.binary.right, b->as.binary.right))
      return false;
  return ast_equal_expr(a, b);
}

bool ast_equal_expr(const struct ast_expr *a, const struct ast_expr *b) {
  if (a->kind != b->kind) return false;
  switch (a->kind) {
  case EXPR_ERROR:
  case EXPR_HOLE: return true;
  case EXPR_BOOL: return a->as.boolean == b->as.boolean;
  case EXPR_NUMBER: return same_number(a, b);
  case EXPR_NAME: return same_text(a->as.name.text, b->as.name.text);
  case EXPR_TAG:
    return a->as.tag.run == b->as.tag.run && ast_equal_expr(a->as.tag.operand, b->as.tag.operand);
  case EXPR_UNARY:
    return a->as.unary.op == b->as.unary.op &&
           ast_equal_expr(a->as.unary.operand, b->as.unary.operand);
  case EXPR_BINARY: return same_binary(a, b);
  case EXPR_CHAIN: return same_chain(a, b);
  case EXPR_CALL:
    return same_name(&a->as.call.callee, &b->as.call.callee) &&
           same_exprs(a->as.call.args, a->as.call.count, b->as.call.args, b->as.call.count);
  case EXPR_INDEX:
    return ast_equal_expr(a->as.index.base, b->as.index.base) &&
           ast_equal_expr(a->as.index.index, b->as.index.index);
  case EXPR_PROJ:
    return a->as.proj.item == b->as.proj.item && ast_equal_expr(a->as.proj.base, b->as.proj.base);
  case EXPR_LIST:
  case EXPR_TUPLE:
    return same_exprs(a->as.list.items, a->as.list.count, b->as.list.items, b->as.list.count);
  case EXPR_IF:
    return ast_equal_expr(a->as.cond.cond, b->as.cond.cond) &&
           ast_equal_expr(a->as.cond.then, b->as.cond.then) &&
           ast_equal_expr(a->as.cond.otherwise, b->as.cond.otherwise);
  case EXPR_QUANT: return same_quant(a, b);
  }
  return false;
}

bool ast_equal_type(const struct ast_type *a, const struct ast_type *b) {
  if (a->kind != b->kind || a->count != b->count || a->is_option != b->is_option ||
      !same_optional(a->length, b->length))
    return false;
  if (a->kind == TYPE_ABSTRACT && !same_name(&a->name, &b->name)) return false;
  for (size_t i = 0; i < a->count; i++)
    if (!ast_equal_type(a->items[i], b->items[i])) return false;
  return true;
}

/* ---- statements ----------------------------------------------------------------------------- */

static bool same_block(const struct ast_block *a, const struct ast_block *b) {
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++)
    if (!ast_equal_stmt(a->stmts[i], b->stmts[i])) return false;
  return true;
}

static bool same_target(const struct ast_target *a, const struct ast_target *b) {
  return same_name(&a->name, &b->name) && same_optional(a->index, b->index);
}

static bool same_assign(const struct ast_stmt *a, const struct ast_stmt *b) {
  if (a->as.assign.count != b->as.assign.count) return false;
  for (size_t i = 0; i < a->as.assign.count; i++)
    if (!same_target(&a->as.assign.targets[i], &b->as.assign.targets[i])) return false;
  return ast_equal_expr(a->as.assign.value, b->as.assign.value);
}

static bool same_dist(const struct ast_dist *x, const struct ast_dist *y) {
  if (!x || !y) return x == y;
  return x->kind == y->kind && x->sugar == y->sugar &&
         same_exprs(x->args, x->count, y->args, y->count);
}

static bool same_sample(const struct ast_stmt *a, const struct ast_stmt *b) {
  return same_target(&a->as.sample.target, &b->as.sample.target) &&
         same_dist(&a->as.sample.dist, &b->as.sample.dist);
}

bool ast_equal_stmt(const struct ast_stmt *a, const struct ast_stmt *b) {
  if (a->kind != b->kind) return false;
  switch (a->kind) {
  case STMT_ERROR:
  case STMT_SKIP:
  case STMT_BREAK:
  case STMT_CONTINUE: return true;
  case STMT_VAR:
    return same_var(a->as.var.var, b->as.var.var) && same_optional(a->as.var.init, b->as.var.init);
  case STMT_ASSIGN: return same_assign(a, b);
  case STMT_SAMPLE: return same_sample(a, b);
  case STMT_CALL: return ast_equal_expr(a->as.call, b->as.call);
  case STMT_IF:
    return ast_equal_expr(a->as.branch.cond, b->as.branch.cond) &&
           same_block(&a->as.branch.then, &b->as.branch.then) &&
           a->as.branch.has_else == b->as.branch.has_else &&
           same_block(&a->as.branch.otherwise, &b->as.branch.otherwise);
  case STMT_WHILE:
    return ast_equal_expr(a->as.loop.cond, b->as.loop.cond) &&
           same_block(&a->as.loop.body, &b->as.loop.body);
  case STMT_FOR:
    return same_var(a->as.range.var, b->as.range.var) &&
           ast_equal_expr(a->as.range.low, b->as.range.low) &&
           ast_equal_expr(a->as.range.high, b->as.range.high) &&
           same_block(&a->as.range.body, &b->as.range.body);
  case STMT_EMIT:
  case STMT_RETURN: return same_optional(a->as.value, b->as.value);
  }
  return false;
}

/* ---- declarations --------------------------------------------------------------------------- */

static bool same_routine(const struct ast_routine *a, const struct ast_routine *b) {
  if (!same_name(&a->name, &b->name) || !same_vars(a->args, a->arg_count, b->args, b->arg_count) ||
      !same_type(a->emits, b->emits) || !same_type(a->returns, b->returns) ||
      a->oracle_count != b->oracle_count || !same_block(&a->body, &b->body))
    return false;
  for (size_t i = 0; i < a->oracle_count; i++)
    if (!same_routine(a->oracles[i], b->oracles[i])) return false;
  return true;
}

static bool same_adversary(const struct ast_decl *a, const struct ast_decl *b) {
  if (!same_vars(a->as.adversary.args, a->as.adversary.arg_count, b->as.adversary.args,
                 b->as.adversary.arg_count) ||
      !same_type(a->as.adversary.returns, b->as.adversary.returns) ||
      a->as.adversary.use_count != b->as.adversary.use_count)
    return false;
  for (size_t i = 0; i < a->as.adversary.use_count; i++) {
    const struct ast_oracle_use *x = &a->as.adversary.uses[i], *y = &b->as.adversary.uses[i];
    if (!same_name(&x->name, &y->name) ||
        !same_vars(x->args, x->arg_count, y->args, y->arg_count) ||
        !same_type(x->returns, y->returns) || !ast_equal_expr(x->bound, y->bound))
      return false;
  }
  return true;
}

static bool same_state(const struct ast_state *a, const struct ast_state *b) {
  return same_name(&a->name, &b->name) && a->is_final == b->is_final &&
         (a->is_final || a->is_input == b->is_input) && same_optional(a->d, b->d) &&
         same_optional(a->mean, b->mean) && same_optional(a->d2, b->d2) &&
         same_optional(a->mean2, b->mean2);
}

static bool same_edge(const struct ast_edge *a, const struct ast_edge *b) {
  return same_name(&a->from, &b->from) && same_name(&a->to, &b->to) &&
         same_optional(a->guard, b->guard) && a->output == b->output &&
         (a->output != OUTPUT_SYMBOL || same_name(&a->symbol, &b->symbol)) &&
         a->assigned_count == b->assigned_count &&
         same_names(a->assigned, b->assigned, a->assigned_count);
}

static bool same_automaton(const struct ast_decl *a, const struct ast_decl *b) {
  if (a->as.automaton.independent != b->as.automaton.independent ||
      a->as.automaton.var_count != b->as.automaton.var_count ||
      a->as.automaton.state_count != b->as.automaton.state_count ||
      a->as.automaton.edge_count != b->as.automaton.edge_count ||
      !same_name(&a->as.automaton.start, &b->as.automaton.start) ||
      !same_names(a->as.automaton.vars, b->as.automaton.vars, a->as.automaton.var_count))
    return false;
  for (size_t i = 0; i < a->as.automaton.state_count; i++)
    if (!same_state(&a->as.automaton.states[i], &b->as.automaton.states[i])) return false;
  for (size_t i = 0; i < a->as.automaton.edge_count; i++)
    if (!same_edge(&a->as.automaton.edges[i], &b->as.automaton.edges[i])) return false;
  return true;
}

static bool same_instance(const struct ast_decl *a, const struct ast_decl *b) {
  if (a->as.instance.count != b->as.instance.count) return false;
  for (size_t i = 0; i < a->as.instance.count; i++) {
    const struct ast_binding *x = &a->as.instance.bindings[i], *y = &b->as.instance.bindings[i];
    if (x->kind != y->kind || !same_name(&x->name, &y->name) || !same_type(x->type, y->type) ||
        !same_vars(x->args, x->arg_count, y->args, y->arg_count) ||
        !same_optional(x->value, y->value))
      return false;
    if (x->kind == BINDING_ADVERSARY && !same_routine(x->routine, y->routine)) return false;
  }
  return true;
}

static bool same_domains(const struct ast_decl *a, const struct ast_decl *b) {
  if (a->as.claim.at_count != b->as.claim.at_count) return false;
  for (size_t i = 0; i < a->as.claim.at_count; i++) {
    const struct ast_domain *x = &a->as.claim.at[i], *y = &b->as.claim.at[i];
    if (!same_name(&x->name, &y->name) || x->is_set != y->is_set ||
        !same_exprs(x->values, x->count, y->values, y->count))
      return false;
  }
  return true;
}

bool ast_equal_decl(const struct ast_decl *a, const struct ast_decl *b) {
  if (a->kind != b->kind || !same_name(&a->name, &b->name)) return false;
  switch (a->kind) {
  case DECL_ERROR:
  case DECL_TYPE: return true;
  case DECL_INCLUDE: return same_text(a->as.include.path, b->as.include.path);
  case DECL_PARAM:
    return same_type(a->as.param.type, b->as.param.type) &&
           same_exprs(a->as.param.assumptions, a->as.param.count, b->as.param.assumptions,
                      b->as.param.count);
  case DECL_LET:
    return same_vars(a->as.let.args, a->as.let.arg_count, b->as.let.args, b->as.let.arg_count) &&
           same_type(a->as.let.type, b->as.let.type) &&
           ast_equal_expr(a->as.let.body, b->as.let.body);
  case DECL_OP:
    return same_vars(a->as.op.args, a->as.op.arg_count, b->as.op.args, b->as.op.arg_count) &&
           same_type(a->as.op.result, b->as.op.result);
  case DECL_LIBM:
    if (a->as.libm.count != b->as.libm.count) return false;
    for (size_t i = 0; i < a->as.libm.count; i++)
      if (!same_name(&a->as.libm.functions[i], &b->as.libm.functions[i])) return false;
    return ast_equal_expr(a->as.libm.bound, b->as.libm.bound);
  case DECL_AXIOM:
  case DECL_LEMMA:
    return ast_equal_expr(a->as.formula, b->as.formula) &&
           !a->lemma_proof.file == !b->lemma_proof.file;
  case DECL_ADVERSARY: return same_adversary(a, b);
  case DECL_PROCEDURE: return same_routine(a->as.procedure, b->as.procedure);
  case DECL_MECHANISM:
    return same_routine(a->as.mechanism.routine, b->as.mechanism.routine) &&
           same_optional(a->as.mechanism.adjacent_written, b->as.mechanism.adjacent_written) &&
           same_exprs(a->as.mechanism.requires_written, a->as.mechanism.written_count,
                      b->as.mechanism.requires_written, b->as.mechanism.written_count);
  case DECL_AUTOMATON: return same_automaton(a, b);
  case DECL_CLAIM:
    return same_name(&a->as.claim.subject, &b->as.claim.subject) &&
           a->as.claim.notion == b->as.claim.notion &&
           same_optional(a->as.claim.order, b->as.claim.order) &&
           !a->as.claim.all_order == !b->as.claim.all_order &&
           (!a->as.claim.all_order ||
            same_name(&a->as.claim.all_order->name, &b->as.claim.all_order->name)) &&
           same_optional(a->as.claim.formula, b->as.claim.formula) &&
           same_dist(a->as.claim.law, b->as.claim.law) &&
           ast_equal_expr(a->as.claim.epsilon, b->as.claim.epsilon) &&
           same_optional(a->as.claim.delta, b->as.claim.delta) &&
           same_optional(a->as.claim.under_written, b->as.claim.under_written) &&
           same_domains(a, b) && a->as.claim.has_proof == b->as.claim.has_proof;
  case DECL_INSTANCE: return same_instance(a, b);
  }
  return false;
}

bool ast_equal_unit(const struct ast_unit *a, const struct ast_unit *b) {
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++)
    if (!ast_equal_decl(a->decls[i], b->decls[i])) return false;
  return true;
}
