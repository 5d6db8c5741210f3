/* Functions of whole arrays: sum(a), max(a), min(a), argmax(a), argmin(a), sort(a).
 *
 * Sugar for a loop before the statement: `y <$ Lap(sum(a), b)` is
 *
 *     s := 0; for i in 0..length(a) { s := s + a[i]; } y <$ Lap(s, b)
 *
 * so that nothing behind the checker knows them. The extreme of an empty array is an error, as a[0]
 * is; therefore it may not stand where a condition decides whether it is evaluated. */
#include "lang/check/check_plain.h"
#include "lang/syntax/builtin.h"
#include "lang/syntax/walk.h"

static bool is_array_call(const struct ast_expr *e) {
  return e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_BUILTIN &&
         builtin_is_of_array(builtin_get(e->as.call.builtin), e->as.call.count);
}

/* ---- types ------------------------------------------------------------------------------------
 */

const struct type *check_array_call(struct checker *c, struct ast_expr *e,
                                    const struct builtin_info *info) {
  struct ast_expr *array = e->as.call.args[0];
  const struct type *t = check_expr(c, array);
  bool index = info->id == BUILTIN_ARGMAX || info->id == BUILTIN_ARGMIN;
  e->as.call.callee_kind = CALLEE_BUILTIN;
  e->as.call.builtin = info->id;
  bool sorts = info->id == BUILTIN_SORT;
  if (t->kind == TYPE_ERROR) return index ? c->types->integer : t;
  if (t->kind != TYPE_ARRAY || !type_is_numeric(t->elem)) {
    report_error(c, array->span, "type-mismatch", "`%s` needs an array of numbers, but this is %s",
                 info->name, type_text(c, t));
    if (type_is_numeric(t) && !index && !sorts && info->id != BUILTIN_SUM)
      report_hint(c, "`%s(x, y)` compares two numbers", info->name);
    if (t->kind == TYPE_LIST) report_hint(c, "arrays are declared with a length: real[n]");
    return c->types->error;
  }
  if (c->routine) return index ? c->types->integer : sorts ? t : t->elem;
  report_error(c, e->span, "array-function", "`%s` of an array can be used in programs only",
               info->name);
  if (info->id == BUILTIN_SUM)
    report_hint(c, "in a formula write a sum as `(sum i in 0..n. %s%s[i])`",
                array->kind == EXPR_NAME ? array->as.name.text : "q", c->ctx.two_runs ? "<1>" : "");
  else
    report_hint(c, "in a formula say it with `forall i in 0..n. ...`");
  return c->types->error;
}

/* ---- search -----------------------------------------------------------------------------------
 */

static void look_for_call(const struct ast_expr *e, void *found) {
  *(bool *)found |= is_array_call(e);
  walk_parts(e, look_for_call, found);
}

static bool expr_reduces(const struct ast_expr *e) {
  bool found = false;
  if (e) look_for_call(e, &found);
  return found;
}

static bool targets_reduce(const struct ast_target *targets, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (expr_reduces(targets[i].index)) return true;
  return false;
}

bool stmt_reduces(const struct ast_stmt *s) {
  switch (s->kind) {
  case STMT_VAR: return expr_reduces(s->as.var.init);
  case STMT_ASSIGN:
    return expr_reduces(s->as.assign.value) ||
           targets_reduce(s->as.assign.targets, s->as.assign.count);
  case STMT_SAMPLE:
    for (size_t i = 0; i < s->as.sample.dist.count; i++)
      if (expr_reduces(s->as.sample.dist.args[i])) return true;
    return targets_reduce(&s->as.sample.target, 1);
  case STMT_CALL: return expr_reduces(s->as.call);
  case STMT_IF: return expr_reduces(s->as.branch.cond);
  case STMT_WHILE: return expr_reduces(s->as.loop.cond);
  case STMT_FOR: return expr_reduces(s->as.range.low) || expr_reduces(s->as.range.high);
  case STMT_EMIT:
  case STMT_RETURN: return expr_reduces(s->as.value);
  default: return false;
  }
}

/* ---- loops ------------------------------------------------------------------------------------
 */

static struct ast_expr *item(struct plain *p, struct ast_expr *array, struct ast_expr *index) {
  struct ast_expr *e = plain_expr(p, EXPR_INDEX, array->type->elem, array->span);
  e->as.index.base = array;
  e->as.index.index = index;
  return e;
}

static struct ast_expr *builtin_call(struct plain *p, enum builtin id, const struct type *type,
                                     struct ast_expr *a, struct ast_expr *b) {
  struct ast_expr *e = plain_expr(p, EXPR_CALL, type, a->span);
  struct ast_expr *args[] = {a, b};
  const char *name = intern_str(&p->c->lang->intern, builtin_get(id)->name);
  e->as.call.callee = (struct ast_name){name, a->span};
  e->as.call.args = arena_memdup(&p->c->lang->arena, args, sizeof args);
  e->as.call.count = b ? 2 : 1;
  e->as.call.callee_kind = CALLEE_BUILTIN;
  e->as.call.builtin = id;
  return e;
}

/* for i in low..length(array) { body }; makes i, the body comes later. */
static struct ast_stmt *loop_over(struct plain *p, struct ast_expr *array, unsigned low) {
  struct ast_stmt *s = plain_stmt(p, STMT_FOR, array->span);
  s->as.range.var = plain_var(p, "at", p->c->types->integer, array->span);
  s->as.range.var->role = VAR_LOOP;
  s->as.range.low = plain_number(p, low, array->span);
  s->as.range.high = builtin_call(p, BUILTIN_LENGTH, p->c->types->integer, array, NULL);
  return s;
}

/* if next is better { value := next; where := i; } */
static struct ast_stmt *improve(struct plain *p, bool largest, struct ast_var *value,
                                struct ast_var *where, struct ast_expr *next, struct ast_var *i) {
  struct ast_stmt *s = plain_stmt(p, STMT_IF, next->span);
  stmt_vec then = {0};
  s->as.branch.cond = plain_binary(p, largest ? BINARY_GT : BINARY_LT, p->c->types->boolean, next,
                                   plain_name(p, value, next->span));
  vec_push(&then, plain_assign(p, value, next, next->span));
  vec_push(&then, plain_assign(p, where, plain_name(p, i, next->span), next->span));
  s->as.branch.then = as_block(p, &then, next->span);
  return s;
}

/* array[index] := value */
static struct ast_stmt *store(struct plain *p, struct ast_var *array, struct ast_expr *index,
                              struct ast_expr *value) {
  struct ast_stmt *s = plain_assign(p, array, value, value->span);
  s->as.assign.targets->index = index;
  return s;
}

/* s := array; so often as there are items: each item and the one before it in the right order. */
static struct ast_var *compute_sort(struct plain *p, struct ast_expr *e, struct ast_expr *array,
                                    stmt_vec *out) {
  const struct type *elem = array->type->elem;
  struct ast_var *sorted = plain_var(p, "sort", array->type, e->span);
  struct ast_var *less = plain_var(p, "less", elem, e->span);
  struct ast_expr *all = plain_name(p, sorted, e->span);
  struct ast_stmt *rounds = loop_over(p, all, 0), *steps = loop_over(p, all, 1);
  struct ast_expr *here = plain_name(p, steps->as.range.var, e->span);
  struct ast_expr *before =
      plain_binary(p, BINARY_SUB, p->c->types->integer, here, plain_number(p, 1, e->span));
  struct ast_expr *a = item(p, all, before), *b = item(p, all, here);
  stmt_vec body = {0}, pass = {0};
  vec_push(&body, plain_assign(p, less, builtin_call(p, BUILTIN_MIN, elem, a, b), e->span));
  vec_push(&body, store(p, sorted, here, builtin_call(p, BUILTIN_MAX, elem, a, b)));
  vec_push(&body, store(p, sorted, before, plain_name(p, less, e->span)));
  steps->as.range.body = as_block(p, &body, e->span);
  vec_push(&pass, steps);
  rounds->as.range.body = as_block(p, &pass, e->span);
  vec_push(out, plain_assign(p, sorted, array, e->span));
  vec_push(out, rounds);
  return sorted;
}

/* The variable that has the value of the call, and the statements that compute it. */
static struct ast_var *compute(struct plain *p, struct ast_expr *e, struct ast_expr *array,
                               stmt_vec *out) {
  enum builtin id = e->as.call.builtin;
  if (id == BUILTIN_SORT) return compute_sort(p, e, array, out);
  const struct type *elem = array->type->elem;
  bool sums = id == BUILTIN_SUM, index = id == BUILTIN_ARGMAX || id == BUILTIN_ARGMIN;
  bool largest = id == BUILTIN_MAX || id == BUILTIN_ARGMAX;
  struct ast_expr *zero = plain_number(p, 0, e->span);
  struct ast_var *value = plain_var(p, sums ? "sum" : largest ? "max" : "min", elem, e->span);
  struct ast_var *where = NULL;
  struct ast_stmt *loop = loop_over(p, array, sums ? 0 : 1);
  struct ast_expr *next = item(p, array, plain_name(p, loop->as.range.var, e->span));
  stmt_vec body = {0};
  vec_push(out, plain_assign(p, value, sums ? zero : item(p, array, zero), e->span));
  if (index) {
    where = plain_var(p, largest ? "argmax" : "argmin", p->c->types->integer, e->span);
    vec_push(out, plain_assign(p, where, zero, e->span));
    vec_push(&body, improve(p, largest, value, where, next, loop->as.range.var));
  } else {
    struct ast_expr *so_far = plain_name(p, value, e->span);
    enum builtin step = largest ? BUILTIN_MAX : BUILTIN_MIN;
    vec_push(&body, plain_assign(p, value,
                                 sums ? plain_binary(p, BINARY_ADD, elem, so_far, next)
                                      : builtin_call(p, step, elem, so_far, next),
                                 e->span));
  }
  loop->as.range.body = as_block(p, &body, e->span);
  vec_push(out, loop);
  return index ? where : value;
}

/* ---- replacement ------------------------------------------------------------------------------
 */

struct replacement {
  struct plain *p;
  stmt_vec *out;
  unsigned guards; /* conditions that decide whether this is evaluated */
};

static struct ast_expr *without_arrays(struct replacement *r, struct ast_expr *e);

static struct ast_expr *guarded(struct replacement *r, struct ast_expr *e) {
  r->guards++;
  e = without_arrays(r, e);
  r->guards--;
  return e;
}

static struct ast_expr **all_without(struct replacement *r, struct ast_expr **all, size_t count) {
  struct ast_expr **copy = arena_memdup(&r->p->c->lang->arena, all, count * sizeof *all);
  for (size_t i = 0; i < count; i++)
    copy[i] = without_arrays(r, all[i]);
  return copy;
}

static struct ast_expr *replace_call(struct replacement *r, struct ast_expr *e) {
  bool always = e->as.call.builtin == BUILTIN_SUM || e->as.call.builtin == BUILTIN_SORT;
  if (r->guards && !always) {
    report_error(r->p->c, e->span, "array-function",
                 "`%s` of an array may not stand where a condition decides whether it is evaluated",
                 e->as.call.callee.text);
    report_hint(r->p->c, "assign it to a variable before, or in an `if` statement");
  }
  struct ast_expr *array = without_arrays(r, e->as.call.args[0]);
  return plain_name(r->p, compute(r->p, e, array, r->out), e->span);
}

/* The expression with variables in the place of such calls. */
static struct ast_expr *without_arrays(struct replacement *r, struct ast_expr *e) {
  if (!expr_reduces(e)) return e;
  if (is_array_call(e)) return replace_call(r, e);
  e = arena_memdup(&r->p->c->lang->arena, e, sizeof *e);
  switch (e->kind) {
  case EXPR_UNARY: e->as.unary.operand = without_arrays(r, e->as.unary.operand); break;
  case EXPR_BINARY:
    e->as.binary.left = without_arrays(r, e->as.binary.left);
    e->as.binary.right = e->as.binary.op <= BINARY_AND ? guarded(r, e->as.binary.right)
                                                       : without_arrays(r, e->as.binary.right);
    break;
  case EXPR_CHAIN:
    e->as.chain.operands = all_without(r, e->as.chain.operands, e->as.chain.count);
    break;
  case EXPR_CALL: e->as.call.args = all_without(r, e->as.call.args, e->as.call.count); break;
  case EXPR_INDEX:
    e->as.index.base = without_arrays(r, e->as.index.base);
    e->as.index.index = without_arrays(r, e->as.index.index);
    break;
  case EXPR_PROJ: e->as.proj.base = without_arrays(r, e->as.proj.base); break;
  case EXPR_LIST:
  case EXPR_TUPLE: e->as.list.items = all_without(r, e->as.list.items, e->as.list.count); break;
  case EXPR_IF:
    e->as.cond.cond = without_arrays(r, e->as.cond.cond);
    e->as.cond.then = guarded(r, e->as.cond.then);
    e->as.cond.otherwise = guarded(r, e->as.cond.otherwise);
    break;
  default: break; /* formulas, which are not in programs */
  }
  return e;
}

static struct ast_target *targets_without(struct replacement *r, struct ast_target *targets,
                                          size_t count) {
  struct ast_target *copy = arena_memdup(&r->p->c->lang->arena, targets, count * sizeof *targets);
  for (size_t i = 0; i < count; i++)
    if (copy[i].index) copy[i].index = without_arrays(r, copy[i].index);
  return copy;
}

struct ast_stmt *stmt_without_arrays(struct plain *p, struct ast_stmt *s, stmt_vec *out) {
  struct replacement r = {.p = p, .out = out};
  if (!stmt_reduces(s)) return s;
  s = arena_memdup(&p->c->lang->arena, s, sizeof *s);
  switch (s->kind) {
  case STMT_VAR: s->as.var.init = without_arrays(&r, s->as.var.init); break;
  case STMT_ASSIGN:
    s->as.assign.value = without_arrays(&r, s->as.assign.value);
    s->as.assign.targets = targets_without(&r, s->as.assign.targets, s->as.assign.count);
    break;
  case STMT_SAMPLE:
    s->as.sample.dist.args = all_without(&r, s->as.sample.dist.args, s->as.sample.dist.count);
    s->as.sample.target = *targets_without(&r, &s->as.sample.target, 1);
    break;
  case STMT_CALL: s->as.call = without_arrays(&r, s->as.call); break;
  case STMT_IF: s->as.branch.cond = without_arrays(&r, s->as.branch.cond); break;
  case STMT_WHILE:
    report_error(p->c, s->as.loop.cond->span, "array-function",
                 "a function of an array may not stand in the condition of `while`");
    report_hint(p->c, "assign it to a variable before the loop and at the end of its body");
    break;
  case STMT_FOR:
    s->as.range.low = without_arrays(&r, s->as.range.low);
    s->as.range.high = without_arrays(&r, s->as.range.high);
    break;
  case STMT_EMIT:
  case STMT_RETURN: s->as.value = without_arrays(&r, s->as.value); break;
  default: break;
  }
  return s;
}
