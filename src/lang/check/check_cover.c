/* Loops that write every item of an array: `for i in 0..n { h[i] <$ Lap(h[i], s); }`. What such a
 * loop writes is all that is left in the array, whatever was there before. */
#include "lang/check/check_internal.h"

static size_t writes_in(const struct ast_block *b, const struct ast_var *var);

/* How often the statement writes the variable or an item of it, as the text has it. */
static size_t writes_of(const struct ast_stmt *s, const struct ast_var *var) {
  size_t count = 0;
  switch (s->kind) {
  case STMT_VAR: return s->as.var.var == var;
  case STMT_SAMPLE: return s->as.sample.target.var == var;
  case STMT_ASSIGN:
    for (size_t i = 0; i < s->as.assign.count; i++)
      count += s->as.assign.targets[i].var == var;
    return count;
  case STMT_IF: return writes_in(&s->as.branch.then, var) + writes_in(&s->as.branch.otherwise, var);
  case STMT_WHILE: return writes_in(&s->as.loop.body, var);
  case STMT_FOR: return writes_in(&s->as.range.body, var);
  default: return 0;
  }
}

static size_t writes_in(const struct ast_block *b, const struct ast_var *var) {
  size_t count = 0;
  for (size_t i = 0; i < b->count; i++)
    count += writes_of(b->stmts[i], var);
  return count;
}

/* Are they written alike? */
static bool is_alike(const struct ast_expr *a, const struct ast_expr *b) {
  if (a->kind != b->kind) return false;
  switch (a->kind) {
  case EXPR_NUMBER: return fmpq_equal(a->as.number.value, b->as.number.value);
  case EXPR_NAME: return a->as.name.var == b->as.name.var && a->as.name.decl == b->as.name.decl;
  case EXPR_BINARY:
    return a->as.binary.op == b->as.binary.op && is_alike(a->as.binary.left, b->as.binary.left) &&
           is_alike(a->as.binary.right, b->as.binary.right);
  default: return false;
  }
}

static bool is_source(const struct ast_expr *value) {
  return value->kind == EXPR_NAME && value->as.name.var && value->as.name.var->declared;
}

/* Where an array without a declared type comes from: `out := x`, with x declared, wherever it is
 * assigned as a whole. The first of these, or NULL. False: it is also something else. */
static bool find_source(const struct ast_block *b, const struct ast_var *var,
                        const struct ast_var **source) {
  for (size_t i = 0; i < b->count; i++) {
    const struct ast_stmt *s = b->stmts[i];
    bool ok = true;
    switch (s->kind) {
    case STMT_IF:
      ok = find_source(&s->as.branch.then, var, source) &&
           find_source(&s->as.branch.otherwise, var, source);
      break;
    case STMT_WHILE: ok = find_source(&s->as.loop.body, var, source); break;
    case STMT_FOR: ok = find_source(&s->as.range.body, var, source); break;
    case STMT_ASSIGN:
      for (size_t k = 0; k < s->as.assign.count; k++) {
        if (s->as.assign.targets[k].var != var || s->as.assign.targets[k].index) continue;
        ok = s->as.assign.count == 1 && !*source && is_source(s->as.assign.value);
        if (ok) *source = s->as.assign.value->as.name.var;
      }
      break;
    case STMT_SAMPLE: ok = s->as.sample.target.var != var || s->as.sample.target.index; break;
    default: break;
    }
    if (!ok) return false;
  }
  return true;
}

static bool is_length_of(const struct ast_expr *e, const struct ast_var *array,
                         const struct ast_block *all) {
  if (e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_BUILTIN &&
      e->as.call.builtin == BUILTIN_LENGTH && e->as.call.count == 1) {
    const struct ast_expr *of = e->as.call.args[0];
    return of->kind == EXPR_NAME && of->as.name.var == array;
  }
  const struct ast_var *source = NULL;
  if (!array->declared && find_source(all, array, &source) && source) array = source;
  const struct ast_type *t = array->declared;
  return t && t->kind == TYPE_ARRAY && t->length && is_alike(e, t->length);
}

/* The variable that goes through 0, 1, ... below `end`, or NULL. Where the counter of a while loop
 * begins is not looked at. */
static const struct ast_var *counter_of(const struct ast_stmt *loop, const struct ast_expr **end) {
  if (loop->kind == STMT_FOR) {
    const struct ast_expr *low = loop->as.range.low;
    *end = loop->as.range.high;
    return low->kind == EXPR_NUMBER && fmpq_is_zero(low->as.number.value) ? loop->as.range.var
                                                                          : NULL;
  }
  const struct ast_expr *cond = loop->as.loop.cond;
  if (cond->kind != EXPR_BINARY || cond->as.binary.op != BINARY_LT) return NULL;
  const struct ast_expr *left = cond->as.binary.left;
  *end = cond->as.binary.right;
  bool counts = left->kind == EXPR_NAME && left->as.name.var &&
                writes_in(&loop->as.loop.body, left->as.name.var) == 1;
  return counts ? left->as.name.var : NULL;
}

static const struct ast_target *only_target(const struct ast_stmt *s) {
  if (s->kind == STMT_SAMPLE) return &s->as.sample.target;
  return s->kind == STMT_ASSIGN && s->as.assign.count == 1 ? s->as.assign.targets : NULL;
}

const struct ast_target *covering_target(const struct ast_block *all, const struct ast_stmt *loop,
                                         const struct ast_stmt *s) {
  const struct ast_block *body =
      loop->kind == STMT_WHILE ? &loop->as.loop.body : &loop->as.range.body;
  const struct ast_target *t = only_target(s);
  const struct ast_expr *end = NULL;
  if (!t || !t->var || !t->index || t->index->kind != EXPR_NAME) return NULL;
  if (block_jumps(body, STMT_BREAK) || block_jumps(body, STMT_CONTINUE)) return NULL;
  const struct ast_var *counter = counter_of(loop, &end);
  bool covers = counter && t->index->as.name.var == counter && is_length_of(end, t->var, all) &&
                writes_in(body, t->var) == 1;
  return covers ? t : NULL;
}
