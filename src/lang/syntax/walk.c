#include "lang/syntax/walk.h"

static void visit_all(struct ast_expr *const *all, size_t count, expr_visitor *visit,
                      void *context) {
  for (size_t i = 0; i < count; i++)
    visit(all[i], context);
}

static void walk_quant(const struct ast_expr *e, expr_visitor *visit, void *context) {
  for (size_t i = 0; i < e->as.quant.count; i++) {
    const struct ast_binder *b = &e->as.quant.binders[i];
    if (b->low) visit(b->low, context);
    if (b->high) visit(b->high, context);
    if (b->var->declared) walk_type(b->var->declared, visit, context);
  }
  visit(e->as.quant.body, context);
}

void walk_parts(const struct ast_expr *e, expr_visitor *visit, void *context) {
  switch (e->kind) {
  case EXPR_ERROR:
  case EXPR_BOOL:
  case EXPR_NUMBER:
  case EXPR_NAME:
  case EXPR_HOLE: break;
  case EXPR_TAG: visit(e->as.tag.operand, context); break;
  case EXPR_UNARY: visit(e->as.unary.operand, context); break;
  case EXPR_BINARY:
    visit(e->as.binary.left, context);
    visit(e->as.binary.right, context);
    break;
  case EXPR_CHAIN: visit_all(e->as.chain.operands, e->as.chain.count, visit, context); break;
  case EXPR_CALL: visit_all(e->as.call.args, e->as.call.count, visit, context); break;
  case EXPR_INDEX:
    visit(e->as.index.base, context);
    visit(e->as.index.index, context);
    break;
  case EXPR_PROJ: visit(e->as.proj.base, context); break;
  case EXPR_LIST:
  case EXPR_TUPLE: visit_all(e->as.list.items, e->as.list.count, visit, context); break;
  case EXPR_IF:
    visit(e->as.cond.cond, context);
    visit(e->as.cond.then, context);
    visit(e->as.cond.otherwise, context);
    break;
  case EXPR_QUANT: walk_quant(e, visit, context); break;
  }
}

void walk_type(const struct ast_type *type, expr_visitor *visit, void *context) {
  if (!type) return;
  if (type->length) visit(type->length, context);
  for (size_t i = 0; i < type->count; i++)
    walk_type(type->items[i], visit, context);
}

static void walk_stmt(const struct ast_stmt *s, expr_visitor *visit, void *context) {
  switch (s->kind) {
  case STMT_ERROR:
  case STMT_SKIP:
  case STMT_BREAK:
  case STMT_CONTINUE: break;
  case STMT_VAR:
    walk_type(s->as.var.var->declared, visit, context);
    if (s->as.var.init) visit(s->as.var.init, context);
    break;
  case STMT_ASSIGN:
    for (size_t i = 0; i < s->as.assign.count; i++)
      if (s->as.assign.targets[i].index) visit(s->as.assign.targets[i].index, context);
    visit(s->as.assign.value, context);
    break;
  case STMT_SAMPLE:
    if (s->as.sample.target.index) visit(s->as.sample.target.index, context);
    visit_all(s->as.sample.dist.args, s->as.sample.dist.count, visit, context);
    break;
  case STMT_CALL: visit(s->as.call, context); break;
  case STMT_IF:
    visit(s->as.branch.cond, context);
    walk_block(&s->as.branch.then, visit, context);
    walk_block(&s->as.branch.otherwise, visit, context);
    break;
  case STMT_WHILE:
    visit(s->as.loop.cond, context);
    walk_block(&s->as.loop.body, visit, context);
    break;
  case STMT_FOR:
    visit(s->as.range.low, context);
    visit(s->as.range.high, context);
    walk_block(&s->as.range.body, visit, context);
    break;
  case STMT_EMIT:
  case STMT_RETURN:
    if (s->as.value) visit(s->as.value, context);
    break;
  }
}

void walk_block(const struct ast_block *block, expr_visitor *visit, void *context) {
  for (size_t i = 0; i < block->count; i++)
    walk_stmt(block->stmts[i], visit, context);
}
