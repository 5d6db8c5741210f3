/* Statements: types. The same walk serves the passes that find the types of variables (quiet) and
 * the last one that reports. */
#include "lang/check/check_internal.h"

static void check_block(struct checker *c, struct ast_block *b);

/* Like check_against, but the expression may be a call of a procedure, oracle or adversary. */
static void check_value_against(struct checker *c, struct ast_expr *e, const struct type *expected,
                                const char *name) {
  if (e->kind != EXPR_CALL) {
    check_against(c, e, expected, "`%s`", name);
    return;
  }
  const struct type *found = check_value(c, e);
  if (found->kind != TYPE_UNIT && !type_accepts(expected, found)) {
    report_error(c, e->span, "type-mismatch", "`%s` must be %s, but this is %s", name,
                 type_text(c, expected), type_text(c, found));
    if (expected->kind == TYPE_INT && found->kind == TYPE_REAL) hint_integer(c, e);
  }
}

static const struct type *check_has_value(struct checker *c, struct ast_expr *e) {
  if (!e->type || e->type->kind != TYPE_UNIT) return e->type;
  report_error(c, e->span, "no-value", "`%s` returns nothing", e->as.call.callee.text);
  report_hint(c, "call it as a statement: %s(...);", e->as.call.callee.text);
  return c->types->error;
}

/* ---- targets ----------------------------------------------------------------------------------
 */

/* The type that a value for the target must have, if it is known; checks the index. */
static const struct type *target_type(struct checker *c, struct ast_target *t) {
  const struct type *type = t->var ? t->var->type : c->types->error;
  if (!t->index) return type;
  check_against(c, t->index, c->types->integer, "an index");
  if (!type || type->kind == TYPE_ERROR) return c->types->error;
  if (type->kind == TYPE_ARRAY) return type->elem;
  report_error(c, t->name.span, "not-indexable",
               "only the items of an array can be assigned, but `%s` is %s", t->name.text,
               type_text(c, type));
  if (type->kind == TYPE_LIST) report_hint(c, "build a new list with :: and ++");
  return c->types->error;
}

/* The target gets a value whose type was found already. */
static void target_gets(struct checker *c, struct ast_target *t, const struct type *found,
                        struct span where) {
  const struct type *expected = target_type(c, t);
  if (t->var && !t->index) local_gets(c, t->var, found, where);
  if (!expected || type_accepts(expected, found)) return;
  report_error(c, where, "type-mismatch", "`%s` must be %s, but this is %s", t->name.text,
               type_text(c, expected), type_text(c, found));
  if (expected->kind == TYPE_INT && found->kind == TYPE_REAL)
    report_hint(c, "declare `%s` as real, or use floor, ceil or round", t->name.text);
}

static void check_assign_one(struct checker *c, struct ast_stmt *s) {
  struct ast_target *t = &s->as.assign.targets[0];
  struct ast_expr *value = s->as.assign.value;
  const struct type *expected = target_type(c, t);
  bool settled = t->index || (t->var && t->var->declared);
  if (expected && settled) {
    check_value_against(c, value, expected, t->name.text);
    check_has_value(c, value);
    return;
  }
  check_value(c, value);
  const struct type *found = check_has_value(c, value);
  if (!t->var) return;
  local_gets(c, t->var, found, value->span);
  if (!c->inferring && found->kind == TYPE_LIST && !found->elem && t->var->type->kind == TYPE_LIST)
    value->type = t->var->type;
}

static void check_assign_many(struct checker *c, struct ast_stmt *s) {
  struct ast_expr *value = s->as.assign.value;
  check_value(c, value);
  const struct type *found = check_has_value(c, value);
  size_t count = s->as.assign.count;
  if (found->kind != TYPE_ERROR && (found->kind != TYPE_TUPLE || found->count != count)) {
    report_error(c, value->span, "type-mismatch",
                 "a tuple of %zu is needed on the right, but this is %s", count,
                 type_text(c, found));
    found = c->types->error;
  }
  for (size_t i = 0; i < count; i++) {
    const struct type *item = found->kind == TYPE_TUPLE ? found->items[i] : found;
    struct span where = value->kind == EXPR_TUPLE && value->as.list.count == count
                            ? value->as.list.items[i]->span
                            : value->span;
    target_gets(c, &s->as.assign.targets[i], item, where);
  }
}

/* (x, x) := e leaves open which value stays. */
static void check_distinct_targets(struct checker *c, struct ast_stmt *s) {
  for (size_t i = 0; i < s->as.assign.count; i++)
    for (size_t j = 0; j < i; j++) {
      struct ast_target *a = &s->as.assign.targets[i], *b = &s->as.assign.targets[j];
      if (a->name.text != b->name.text || a->index || b->index) continue;
      report_error(c, a->name.span, "duplicate-target", "`%s` is assigned twice at once",
                   a->name.text);
      return;
    }
}

/* ---- statements -------------------------------------------------------------------------------
 */

/* An array of numbers, truth values or lists starts as zeros; other things have no zero. */
static bool has_zero(const struct type *t) {
  switch (t->kind) {
  case TYPE_ABSTRACT: return false;
  case TYPE_ARRAY: return has_zero(t->elem);
  case TYPE_TUPLE:
    for (size_t i = 0; i < t->count; i++)
      if (!has_zero(t->items[i])) return false;
    return true;
  default: return true;
  }
}

static void check_array_var(struct checker *c, struct ast_var *var, const struct ast_type *t) {
  for (; t->kind == TYPE_ARRAY; t = t->items[0])
    if (!t->length) {
      report_error(c, t->span, "missing-length", "the array `%s` needs a length", var->name.text);
      report_hint(c, "write it in the brackets, as in real[n]");
      return;
    }
  if (!has_zero(var->type)) {
    report_error(c, var->name.span, "no-initial-value",
                 "an array of %s has no initial value: there is no zero of that type",
                 type_text(c, var->type->elem));
    report_hint(c, "use a list");
    var->type = c->types->error;
  }
}

static void check_var(struct checker *c, struct ast_stmt *s) {
  struct ast_var *var = s->as.var.var;
  struct ast_expr *init = s->as.var.init;
  if (var->declared) var->type = type_resolve(c, var->declared);
  if (!init) {
    if (var->type && var->type->kind == TYPE_ARRAY && var->declared)
      check_array_var(c, var, var->declared);
    return;
  }
  if (var->declared) {
    check_value_against(c, init, var->type, var->name.text);
    check_has_value(c, init);
  } else {
    check_value(c, init);
    local_gets(c, var, check_has_value(c, init), init->span);
  }
}

static void check_sample(struct checker *c, struct ast_stmt *s) {
  check_dist(c, &s->as.sample.dist);
  target_gets(c, &s->as.sample.target, dist_type(c, &s->as.sample.dist), s->as.sample.dist.span);
}

static void check_call_stmt(struct checker *c, struct ast_stmt *s) {
  struct ast_expr *e = s->as.call;
  check_value(c, e);
  if (e->kind != EXPR_CALL) return;
  enum callee_kind kind = e->as.call.callee_kind;
  if (kind == CALLEE_BUILTIN || kind == CALLEE_LET || kind == CALLEE_OP) {
    report_error(c, s->span, "no-effect", "`%s` only computes a value, which is not used here",
                 e->as.call.callee.text);
    report_hint(c, "assign it to a variable, or remove the statement");
  }
}

static void check_loop_body(struct checker *c, struct ast_block *body) {
  c->loops++;
  check_block(c, body);
  c->loops--;
}

static void check_jump(struct checker *c, const struct ast_stmt *s) {
  if (c->loops) return;
  const char *word = s->kind == STMT_BREAK ? "break" : "continue";
  report_error(c, s->span, "jump-outside-loop", "`%s` stands in no loop", word);
  report_hint(c, "`return` ends the routine; `%s` belongs in the body of `for` or `while`", word);
}

static void check_for(struct checker *c, struct ast_stmt *s) {
  check_against(c, s->as.range.low, c->types->integer, "the bound of a loop");
  check_against(c, s->as.range.high, c->types->integer, "the bound of a loop");
  struct ast_var *before = names_bind(c, s->as.range.var);
  check_loop_body(c, &s->as.range.body);
  names_unbind(c, s->as.range.var, before);
}

static void check_emit(struct checker *c, struct ast_stmt *s) {
  struct routine *r = c->routine;
  if (r->emits) {
    check_against(c, s->as.value, r->emits, "what `%s` emits", r->ast->name.text);
    return;
  }
  check_expr(c, s->as.value);
  if (r->kind == ROUTINE_MECHANISM) {
    report_error(c, s->span, "emit-not-declared", "`%s` is not declared to emit anything",
                 r->ast->name.text);
    report_hint(c, "write `emits %s` after its arguments",
                s->as.value->type->kind == TYPE_ERROR ? "T" : type_text(c, s->as.value->type));
    return;
  }
  report_error(c, s->span, "emit-outside-mechanism", "only a mechanism can emit");
  report_hint(c, r->kind == ROUTINE_ORACLE ? "return the value: the adversary sees it"
                                           : "return the value and emit it in the mechanism");
}

static void check_return(struct checker *c, struct ast_stmt *s) {
  struct routine *r = c->routine;
  bool returns = r->returns->kind != TYPE_UNIT;
  if (!s->as.value) {
    if (returns && r->returns->kind != TYPE_ERROR)
      report_error(c, s->span, "missing-return-value", "`%s` must return %s", r->ast->name.text,
                   type_text(c, r->returns));
    return;
  }
  if (returns) {
    check_against(c, s->as.value, r->returns, "what `%s` returns", r->ast->name.text);
    return;
  }
  check_expr(c, s->as.value);
  report_error(c, s->as.value->span, "return-not-declared",
               "`%s` is not declared to return a value", r->ast->name.text);
  if (s->as.value->type->kind != TYPE_ERROR)
    report_hint(c,
                r->kind == ROUTINE_MECHANISM ? "write `returns %s` after its arguments"
                                             : "write `: %s` after its arguments",
                type_text(c, s->as.value->type));
}

static void check_stmt(struct checker *c, struct ast_stmt *s) {
  switch (s->kind) {
  case STMT_ERROR:
  case STMT_SKIP: break;
  case STMT_VAR: check_var(c, s); break;
  case STMT_ASSIGN:
    if (s->as.assign.count == 1) {
      check_assign_one(c, s);
    } else {
      check_distinct_targets(c, s);
      check_assign_many(c, s);
    }
    break;
  case STMT_SAMPLE: check_sample(c, s); break;
  case STMT_CALL: check_call_stmt(c, s); break;
  case STMT_IF:
    check_against(c, s->as.branch.cond, c->types->boolean, "the condition of `if`");
    check_block(c, &s->as.branch.then);
    check_block(c, &s->as.branch.otherwise);
    break;
  case STMT_WHILE:
    check_against(c, s->as.loop.cond, c->types->boolean, "the condition of `while`");
    check_loop_body(c, &s->as.loop.body);
    break;
  case STMT_FOR: check_for(c, s); break;
  case STMT_BREAK:
  case STMT_CONTINUE: check_jump(c, s); break;
  case STMT_EMIT: check_emit(c, s); break;
  case STMT_RETURN: check_return(c, s); break;
  }
}

static void check_block(struct checker *c, struct ast_block *b) {
  for (size_t i = 0; i < b->count; i++)
    check_stmt(c, b->stmts[i]);
}

void routine_enter(struct checker *c, struct routine *r) {
  for (size_t i = 0; i < r->own.len; i++)
    r->own.at[i].before = ptrmap_put(&c->locals, r->own.at[i].var->name.text, r->own.at[i].var);
}

void routine_leave(struct checker *c, struct routine *r) {
  for (size_t i = r->own.len; i-- > 0;)
    ptrmap_put(&c->locals, r->own.at[i].var->name.text, r->own.at[i].before);
}

void check_body(struct checker *c, struct routine *r) {
  struct routine *outer = c->routine;
  struct expr_context ctx = c->ctx;
  c->routine = r;
  c->ctx = (struct expr_context){.place = "a program"};
  routine_enter(c, r);
  check_block(c, &r->ast->body);
  routine_leave(c, r);
  c->ctx = ctx;
  c->routine = outer;
}
