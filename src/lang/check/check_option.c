/* Optional values. `option(T)` is the type (bool, T); the checker writes
 *
 *     some(e)      as (true, e)              is_some(x)   as x.1
 *     none         as (false, zero of T)     value(x)     as x.2
 *
 * in the tree itself, so that nobody behind it knows them. Every `none` that a program writes is the
 * same; an input may be any pair. */
#include <string.h>

#include "lang/check/check_internal.h"
#include "lang/syntax/builtin.h"

bool is_none(const struct checker *c, const struct ast_expr *e) {
  return e->kind == EXPR_NAME && strcmp(e->as.name.text, "none") == 0 &&
         !ptrmap_get(&c->locals, e->as.name.text) && !names_visible(c, &c->values, e->as.name.text);
}

static bool is_call_of(const struct checker *c, const struct ast_expr *e, enum builtin id) {
  const struct builtin_info *info =
      e->kind == EXPR_CALL ? builtin_find(e->as.call.callee.text) : NULL;
  return info && info->id == id && e->as.call.count == 1 &&
         !ptrmap_get(&c->oracles, e->as.call.callee.text) &&
         !names_visible(c, &c->values, e->as.call.callee.text);
}

/* ---- what is written in their place -----------------------------------------------------------
 */

static struct ast_expr *new_expr(struct checker *c, enum expr_kind kind, const struct type *type,
                                 struct span span) {
  struct ast_expr *e = arena_new(&c->lang->arena, struct ast_expr);
  *e = (struct ast_expr){.kind = kind, .span = span, .type = type};
  return e;
}

/* The pair of a flag and a value. */
static void become_pair(struct checker *c, struct ast_expr *e, bool there, struct ast_expr *value,
                        const struct type *type) {
  struct ast_expr *items[] = {new_expr(c, EXPR_BOOL, c->types->boolean, e->span), value};
  items[0]->as.boolean = there;
  *e = (struct ast_expr){.kind = EXPR_TUPLE, .span = e->span, .type = type};
  e->as.list.items = arena_memdup(&c->lang->arena, items, sizeof items);
  e->as.list.count = 2;
}

static void become_part(struct ast_expr *e, unsigned item, const struct type *type) {
  struct ast_expr *base = e->as.call.args[0];
  *e = (struct ast_expr){.kind = EXPR_PROJ, .span = e->span, .type = type};
  e->as.proj.base = base;
  e->as.proj.item = item;
}

/* NULL: the type has none. */
static struct ast_expr *zero_of(struct checker *c, const struct type *t, struct span span) {
  struct ast_expr *e;
  switch (t->kind) {
  case TYPE_BOOL: return new_expr(c, EXPR_BOOL, t, span);
  case TYPE_LIST: return new_expr(c, EXPR_LIST, t, span);
  case TYPE_FLOAT:
  case TYPE_FLOAT32: /* the zero of int, converted */
    e = zero_of(c, c->types->integer, span);
    check_float_literal(c, e, t);
    return e;
  case TYPE_INT:
  case TYPE_REAL:
    e = new_expr(c, EXPR_NUMBER, c->types->integer, span);
    e->as.number.value = arena_new(&c->lang->arena, fmpq);
    fmpq_init(e->as.number.value);
    e->as.number.text = intern_str(&c->lang->intern, "0");
    return e;
  case TYPE_TUPLE:
    e = new_expr(c, EXPR_TUPLE, t, span);
    e->as.list.items = arena_alloc(&c->lang->arena, t->count * sizeof *e->as.list.items);
    e->as.list.count = t->count;
    for (size_t i = 0; e && i < t->count; i++)
      if (!(e->as.list.items[i] = zero_of(c, t->items[i], span))) return NULL;
    return e;
  default: return NULL;
  }
}

/* ---- checks -----------------------------------------------------------------------------------
 */

const struct type *check_bare_none(struct checker *c, const struct ast_expr *e) {
  report_error(c, e->span, "cannot-infer-type", "nothing says of which type this `none` is");
  report_hint(c, "declare the variable, `var x : option(int) := none;`, or test with is_some(x)");
  return c->types->error;
}

/* Where the type is known. False: it is nothing of this kind. */
bool check_option_against(struct checker *c, struct ast_expr *e, const struct type *expected) {
  if (!type_is_option(expected)) return false;
  if (is_none(c, e)) {
    struct ast_expr *zero = zero_of(c, expected->items[1], e->span);
    if (zero) {
      become_pair(c, e, false, zero, expected);
    } else {
      report_error(c, e->span, "no-initial-value", "`none` needs a zero to stand for %s",
                   type_text(c, expected->items[1]));
      report_hint(c, "use a list of at most one item");
      e->type = c->types->error;
    }
    return true;
  }
  if (is_call_of(c, e, BUILTIN_SOME)) {
    struct ast_expr *value = e->as.call.args[0];
    check_against(c, value, expected->items[1], "the value of `some`");
    become_pair(c, e, true, value, expected);
    return true;
  }
  if (e->kind != EXPR_IF) return false;
  check_against(c, e->as.cond.cond, c->types->boolean, "the condition of `if`");
  check_against(c, e->as.cond.then, expected, "this branch");
  check_against(c, e->as.cond.otherwise, expected, "this branch");
  e->type = expected;
  return true;
}

const struct type *check_option_call(struct checker *c, struct ast_expr *e,
                                     const struct builtin_info *info) {
  struct ast_expr *x = e->as.call.args[0];
  const struct type *t = check_expr(c, x);
  if (t->kind == TYPE_ERROR) return t;
  if (info->id == BUILTIN_SOME) {
    const struct type *items[] = {c->types->boolean, t};
    const struct type *option = type_tuple(c->types, items, 2);
    become_pair(c, e, true, x, option);
    return option;
  }
  if (type_is_option(t)) {
    unsigned item = info->id == BUILTIN_IS_SOME ? 1 : 2;
    become_part(e, item, t->items[item - 1]);
    return e->type;
  }
  report_error(c, x->span, "type-mismatch", "`%s` needs an optional value, but this is %s",
               info->name, type_text(c, t));
  report_hint(c, "its type is written option(T)");
  return c->types->error;
}
