/* Types of expressions and formulas. */
#include <stdarg.h>
#include <string.h>

#include "base/limits.h"
#include "lang/check/check_internal.h"
#include "lang/check/constant.h"
#include "lang/syntax/builtin.h"

int constant_sign(const struct ast_expr *e) {
  fmpq_t value;
  fmpq_init(value);
  int sign = constant_eval(value, e) ? fmpq_sgn(value) : 2;
  fmpq_clear(value);
  return sign;
}

static bool is_error(const struct type *t) {
  return t->kind == TYPE_ERROR;
}

const struct type *check_numeric(struct checker *c, struct ast_expr *e, const char *what) {
  const struct type *t = check_expr(c, e);
  if (type_is_numeric(t)) return t;
  report_error(c, e->span, "type-mismatch", "%s must be a number, but this is %s", what,
               type_text(c, t));
  return c->types->error;
}

/* ---- against an expected type -----------------------------------------------------------------
 */

static bool check_literal_against(struct checker *c, struct ast_expr *e,
                                  const struct type *expected) {
  const struct type *elem = expected->elem;
  if (check_option_against(c, e, expected) || check_float_literal(c, e, expected)) return true;
  if (e->kind == EXPR_LIST && (expected->kind == TYPE_ARRAY || expected->kind == TYPE_LIST)) {
    if (!elem) return false;
    for (size_t i = 0; i < e->as.list.count; i++)
      check_against(c, e->as.list.items[i], elem, "item %zu", i + 1);
    e->type = expected;
    return true;
  }
  if (e->kind == EXPR_TUPLE && expected->kind == TYPE_TUPLE &&
      e->as.list.count == expected->count) {
    for (size_t i = 0; i < e->as.list.count; i++)
      check_against(c, e->as.list.items[i], expected->items[i], "component %zu", i + 1);
    e->type = expected;
    return true;
  }
  return false;
}

static const char *expected_text(struct checker *c, const struct type *t) {
  return t->kind == TYPE_UNIT ? "left out" : type_text(c, t);
}

static bool is_int(const struct ast_expr *e) {
  return e->type && e->type->kind == TYPE_INT;
}

/* A quotient of integers, and not just a number such as 1/2. */
static bool is_int_quotient(const struct ast_expr *e) {
  if (e->kind != EXPR_BINARY || e->as.binary.op != BINARY_DIV) return false;
  const struct ast_expr *left = e->as.binary.left, *right = e->as.binary.right;
  bool is_constant = left->kind == EXPR_NUMBER && right->kind == EXPR_NUMBER;
  return is_int(left) && is_int(right) && !is_constant;
}

void hint_integer(struct checker *c, const struct ast_expr *e) {
  report_hint(c, is_int_quotient(e) ? "`/` gives a real; `x div y` divides integers and rounds down"
                                    : "floor, ceil and round make an integer of a real");
}

void check_against(struct checker *c, struct ast_expr *e, const struct type *expected,
                   const char *what, ...) {
  if (check_literal_against(c, e, expected)) return;
  const struct type *found = check_expr(c, e);
  if (type_accepts(expected, found)) {
    if (found->kind == TYPE_LIST && !found->elem && expected->kind == TYPE_LIST) e->type = expected;
    return;
  }
  if (c->quiet) return;
  va_list args;
  va_start(args, what);
  struct buffer b;
  buffer_init(&b);
  buffer_vprintf(&b, what, args);
  va_end(args);
  report_error(c, e->span, "type-mismatch", "%s must be %s, but this is %s", buffer_text(&b),
               expected_text(c, expected), type_text(c, found));
  buffer_clear(&b);
  if (expected->kind == TYPE_INT && found->kind == TYPE_REAL) hint_integer(c, e);
  if (type_is_float(expected) && type_is_numeric(found))
    report_hint(c, "to_float(x) and to_float32(x) round a number to the nearest one of the format");
  if (type_is_float(found) && type_is_numeric(expected))
    report_hint(c, "to_real(x) is the exact value of a float; unless the claim is about rounding, "
                   "declare it as real");
  if (expected->kind == TYPE_ARRAY && found->kind == TYPE_LIST)
    report_hint(c,
                "a list is not an array: declare it as list(...), or fill an array item by item");
}

/* ---- names ------------------------------------------------------------------------------------
 */

static const struct type *check_private_use(struct checker *c, struct ast_expr *e,
                                            struct ast_var *var) {
  const char *name = var->name.text;
  if (var->role != VAR_INPUT || !var->is_private) return var->type;
  if (c->ctx.public_only) {
    report_error(c, e->span, "private-not-allowed", "%s may not mention the private input `%s`",
                 c->ctx.place, name);
    report_note(c, var->name.span, "`%s` is private", name);
    return c->types->error;
  }
  if (c->ctx.two_runs && !c->ctx.covered) {
    report_error(c, e->span, "untagged-private",
                 "%s speaks of two runs: which one's `%s` is meant?", c->ctx.place, name);
    report_hint(c, "write %s<1> or %s<2>, or use a shorthand such as all_within", name, name);
  }
  return var->type;
}

static const struct type *check_decl_name(struct checker *c, struct ast_expr *e) {
  struct ast_name name = {e->as.name.text, e->span};
  if (is_none(c, e)) return check_bare_none(c, e);
  struct ast_decl *d = names_find_value(c, name, "variable or parameter");
  if (!d) return c->types->error;
  bool needs_args =
      (d->kind == DECL_LET && d->as.let.arg_count) || (d->kind == DECL_OP && d->as.op.arg_count);
  if (needs_args) {
    report_error(c, e->span, "missing-arguments", "`%s` is %s with arguments: call it", name.text,
                 decl_kind_text(d->kind));
    report_note(c, d->name.span, "it is declared here");
    return c->types->error;
  }
  if (c->ctx.constant && d->kind != DECL_LET) {
    report_error(c, e->span, "not-constant", "%s must be a constant, but `%s` is %s", c->ctx.place,
                 name.text, decl_kind_text(d->kind));
    return c->types->error;
  }
  e->as.name.decl = d;
  switch (d->kind) {
  case DECL_PARAM: return type_reveal(c, d->as.param.type->type);
  case DECL_LET: check_formula_let(c, e, d); return type_reveal(c, d->as.let.result);
  case DECL_OP: return type_reveal(c, d->as.op.result->type);
  default: break;
  }
  e->as.name.decl = NULL;
  report_error(c, e->span, "not-a-value", "`%s` is %s, not a value", name.text,
               decl_kind_text(d->kind));
  report_note(c, d->name.span, "it is declared here");
  return c->types->error;
}

static const struct type *check_name(struct checker *c, struct ast_expr *e) {
  struct ast_var *var = ptrmap_get(&c->locals, e->as.name.text);
  e->as.name.var = var;
  if (!var) return check_decl_name(c, e);
  e->as.name.decl = NULL;
  const struct type *t = check_private_use(c, e, var);
  return t ? t : c->types->error;
}

static const struct type *check_tag(struct checker *c, struct ast_expr *e) {
  if (!c->ctx.two_runs) {
    report_error(c, e->span, "tag-not-allowed", "%s is about one run: <%d> has no meaning in it",
                 c->ctx.place, e->as.tag.run);
    report_hint(c, "run tags belong in `adjacent`, `under` and proofs");
  } else if (c->ctx.covered) {
    report_error(c, e->span, "nested-tag", "a run tag inside a run tag or an adjacency shorthand");
    report_hint(c, "the outer one already says which run is meant");
  }
  bool covered = c->ctx.covered;
  c->ctx.covered = true;
  const struct type *t = check_expr(c, e->as.tag.operand);
  c->ctx.covered = covered;
  return t;
}

/* ---- operators --------------------------------------------------------------------------------
 */

/* While types are being found, what is not known yet gives way; afterwards a mistake absorbs. */
static const struct type *join_numeric(struct checker *c, const struct type *a,
                                       const struct type *b) {
  if (!c->inferring && (is_error(a) || is_error(b))) return c->types->error;
  return type_join(c->types, a, b);
}

static const struct type *check_comparable(struct checker *c, struct ast_expr *left,
                                           const struct type *a, struct ast_expr *right,
                                           const struct type *b, const char *op) {
  const struct type *joined;
  if (check_float_pair(c, left, right, op, &joined)) return joined;
  joined = type_join(c->types, a, b);
  if (!joined) {
    report_error(c, span_join(left->span, right->span), "type-mismatch",
                 "the sides of `%s` must have one type, but they are %s and %s", op,
                 type_text(c, a), type_text(c, b));
    return NULL;
  }
  return joined;
}

/* Lists where both sides are lists; or error. */
static const struct type *check_list(struct checker *c, struct ast_expr *e, const char *what) {
  const struct type *t = check_expr(c, e);
  if (t->kind == TYPE_LIST || is_error(t)) return t;
  report_error(c, e->span, "type-mismatch", "%s must be a list, but this is %s", what,
               type_text(c, t));
  if (t->kind == TYPE_ARRAY) report_hint(c, "an array is not a list");
  return c->types->error;
}

static const struct type *check_append(struct checker *c, struct ast_expr *e) {
  struct ast_expr *left = e->as.binary.left, *right = e->as.binary.right;
  const struct type *a = check_list(c, left, "the left side of `++`");
  const struct type *b = check_list(c, right, "the right side of `++`");
  const struct type *t = check_comparable(c, left, a, right, b, "++");
  return t ? t : c->types->error;
}

static const struct type *check_cons(struct checker *c, struct ast_expr *e) {
  struct ast_expr *left = e->as.binary.left, *right = e->as.binary.right;
  const struct type *item = check_expr(c, left);
  const struct type *list = check_list(c, right, "the right side of `::`");
  if (is_error(list)) return c->inferring ? type_list(c->types, item) : list;
  if (!list->elem) {
    right->type = type_list(c->types, item);
    return right->type;
  }
  const struct type *elem = type_join(c->types, item, list->elem);
  if (elem) return type_list(c->types, elem);
  report_error(c, left->span, "type-mismatch",
               "an item of %s is expected before `::`, but this is %s", type_text(c, list),
               type_text(c, item));
  return list;
}

/* Do only literals and parameters occur? Such a term has one value throughout. */
static bool is_parametric(const struct ast_expr *e) {
  switch (e->kind) {
  case EXPR_NUMBER:
  case EXPR_ERROR: return true;
  case EXPR_NAME: return !e->as.name.var;
  case EXPR_UNARY: return is_parametric(e->as.unary.operand);
  case EXPR_BINARY: return is_parametric(e->as.binary.left) && is_parametric(e->as.binary.right);
  case EXPR_CALL:
    for (size_t i = 0; i < e->as.call.count; i++)
      if (!is_parametric(e->as.call.args[i])) return false;
    return true;
  default: return false;
  }
}

/* An integer constant of at least 2. */
static bool is_whole_base(const struct ast_expr *e) {
  fmpq_t value;
  fmpq_init(value);
  bool whole = constant_eval(value, e) && fmpz_is_one(fmpq_denref(value)) &&
               fmpz_cmp_si(fmpq_numref(value), 2) >= 0;
  fmpq_clear(value);
  return whole;
}

/* x^k for a number or parameter k, and b^t for a constant b and any integer t. */
static const struct type *check_power(struct checker *c, struct ast_expr *e) {
  struct ast_expr *exponent = e->as.binary.right;
  const struct type *base = check_numeric(c, e->as.binary.left, "the base of `^`");
  const struct type *t = check_expr(c, exponent);
  fmpq_t value;
  fmpq_init(value);
  bool known = constant_eval(value, exponent);
  bool powers = type_accepts(c->types->integer, base) && is_whole_base(e->as.binary.left);
  bool bad = known ? !fmpz_is_one(fmpq_denref(value)) || fmpq_sgn(value) < 0
                   : !type_accepts(c->types->integer, t) || !(is_parametric(exponent) || powers);
  if (bad && !is_error(t)) {
    report_error(c, exponent->span, "bad-exponent",
                 "an exponent must be a non-negative integer constant or an int parameter");
    fmpq_add(value, value, value);
    bool half = known && fmpq_is_one(value);
    report_hint(c, half ? "for a square root write sqrt(x)"
                   : !type_accepts(c->types->integer, t)
                       ? "for a power of e write exp(...); x^y is exp(y*ln(x))"
                   : known ? "for a negative power write a quotient, such as 1/2^k"
                           : "only powers of a constant, such as 2^i, may have any integer as "
                             "exponent");
  } else if (known && fmpz_cmp_si(fmpq_numref(value), LIMIT_EXPONENT) > 0) {
    report_error(c, exponent->span, "bad-exponent", "an exponent may be at most %d",
                 LIMIT_EXPONENT);
  }
  fmpq_clear(value);
  return base;
}

static void check_divisor(struct checker *c, const struct ast_expr *divisor) {
  if (constant_sign(divisor) == 0)
    report_error(c, divisor->span, "division-by-zero", "division by zero");
}

static const struct type *check_arithmetic(struct checker *c, struct ast_expr *e) {
  struct ast_expr *left = e->as.binary.left, *right = e->as.binary.right;
  enum binary_op op = e->as.binary.op;
  char what[40];
  snprintf(what, sizeof what, "an operand of `%s`", binary_op_text(op));
  if (op == BINARY_IDIV || op == BINARY_MOD) {
    check_against(c, left, c->types->integer, "%s", what);
    check_against(c, right, c->types->integer, "%s", what);
    check_divisor(c, right);
    return c->types->integer;
  }
  const struct type *a = check_any_number(c, left, what), *b = check_any_number(c, right, what);
  const struct type *joined;
  if (check_float_pair(c, left, right, binary_op_text(op), &joined)) return joined;
  if (op == BINARY_DIV) check_divisor(c, right);
  joined = join_numeric(c, a, b);
  return op == BINARY_DIV && !is_error(joined) ? c->types->real : joined;
}

static const struct type *check_binary(struct checker *c, struct ast_expr *e) {
  struct ast_expr *left = e->as.binary.left, *right = e->as.binary.right;
  enum binary_op op = e->as.binary.op;
  const char *text = binary_op_text(op);
  switch (op) {
  case BINARY_IFF:
  case BINARY_IMPLIES:
  case BINARY_OR:
  case BINARY_AND:
    check_against(c, left, c->types->boolean, "an operand of `%s`", text);
    check_against(c, right, c->types->boolean, "an operand of `%s`", text);
    return c->types->boolean;
  case BINARY_EQ:
  case BINARY_NE: {
    const struct type *a = check_expr(c, left), *b = check_expr(c, right);
    check_comparable(c, left, a, right, b, text);
    return c->types->boolean;
  }
  case BINARY_LT:
  case BINARY_LE:
  case BINARY_GT:
  case BINARY_GE: {
    const struct type *common;
    check_any_number(c, left, "a side of a comparison");
    check_any_number(c, right, "a side of a comparison");
    check_float_pair(c, left, right, text, &common);
    return c->types->boolean;
  }
  case BINARY_APPEND: return check_append(c, e);
  case BINARY_CONS: return check_cons(c, e);
  case BINARY_POW: return check_power(c, e);
  default: return check_arithmetic(c, e);
  }
}

static const struct type *check_chain(struct checker *c, struct ast_expr *e) {
  const struct type *before = NULL;
  for (size_t i = 0; i < e->as.chain.count; i++) {
    struct ast_expr *operand = e->as.chain.operands[i];
    const struct type *t = check_expr(c, operand);
    for (size_t j = i ? i - 1 : 0; j < i + 1 && j + 1 < e->as.chain.count; j++) {
      enum binary_op op = e->as.chain.ops[j];
      bool ordered = op != BINARY_EQ && op != BINARY_NE;
      if (!ordered || type_is_numeric(t) || type_is_float(t)) continue;
      report_error(c, operand->span, "type-mismatch",
                   "a side of a comparison must be a number, but this is %s", type_text(c, t));
      t = c->types->error;
    }
    if (before)
      check_comparable(c, e->as.chain.operands[i - 1], before, operand, t,
                       binary_op_text(e->as.chain.ops[i - 1]));
    before = t;
  }
  return c->types->boolean;
}

static const struct type *check_unary(struct checker *c, struct ast_expr *e) {
  if (e->as.unary.op == UNARY_NEG)
    return check_any_number(c, e->as.unary.operand, "the operand of `-`");
  check_against(c, e->as.unary.operand, c->types->boolean, "the operand of `not`");
  return c->types->boolean;
}

/* ---- the rest ---------------------------------------------------------------------------------
 */

static const struct type *check_index(struct checker *c, struct ast_expr *e) {
  const struct type *base = check_expr(c, e->as.index.base);
  check_against(c, e->as.index.index, c->types->integer, "an index");
  if (base->kind == TYPE_ARRAY) return base->elem;
  if (base->kind == TYPE_LIST) return base->elem ? base->elem : c->types->error;
  if (!is_error(base))
    report_error(c, e->as.index.base->span, "not-indexable",
                 "only arrays and lists have items, but this is %s", type_text(c, base));
  return c->types->error;
}

static const struct type *check_proj(struct checker *c, struct ast_expr *e) {
  const struct type *base = check_expr(c, e->as.proj.base);
  if (is_error(base)) return base;
  if (base->kind != TYPE_TUPLE) {
    report_error(c, e->span, "not-a-tuple", "`.%u` takes a component of a tuple, but this is %s",
                 e->as.proj.item, type_text(c, base));
    return c->types->error;
  }
  if (e->as.proj.item < 1 || e->as.proj.item > base->count) {
    report_error(c, e->span, "no-such-component", "%s has components .1 to .%zu, there is no `.%u`",
                 type_text(c, base), base->count, e->as.proj.item);
    return c->types->error;
  }
  return base->items[e->as.proj.item - 1];
}

static const struct type *check_list_literal(struct checker *c, struct ast_expr *e) {
  const struct type *elem = NULL;
  for (size_t i = 0; i < e->as.list.count; i++) {
    struct ast_expr *item = e->as.list.items[i];
    const struct type *t = check_expr(c, item);
    const struct type *joined = elem ? type_join(c->types, elem, t) : t;
    if (!joined)
      report_error(c, item->span, "type-mismatch",
                   "the items of a list must have one type: this is %s, but those before are %s",
                   type_text(c, t), type_text(c, elem));
    else
      elem = joined;
  }
  return type_list(c->types, elem);
}

static const struct type *check_tuple(struct checker *c, struct ast_expr *e) {
  VEC(const struct type *) items = {0};
  for (size_t i = 0; i < e->as.list.count; i++)
    vec_push(&items, check_expr(c, e->as.list.items[i]));
  const struct type *t = type_tuple(c->types, items.at, items.len);
  vec_clear(&items);
  return t;
}

static const struct type *check_if(struct checker *c, struct ast_expr *e) {
  check_against(c, e->as.cond.cond, c->types->boolean, "the condition of `if`");
  const struct type *a = check_expr(c, e->as.cond.then), *b = check_expr(c, e->as.cond.otherwise);
  const struct type *joined;
  if (check_float_pair(c, e->as.cond.then, e->as.cond.otherwise, "if", &joined)) return joined;
  joined = type_join(c->types, a, b);
  if (joined) return joined;
  report_error(c, e->as.cond.otherwise->span, "type-mismatch",
               "the branches of `if` must have one type: this is %s, but `then` is %s",
               type_text(c, b), type_text(c, a));
  return c->types->error;
}

static void check_binder(struct checker *c, struct ast_binder *binder,
                         const struct ast_binder *before) {
  struct ast_var *var = binder->var;
  if (binder->low) {
    check_against(c, binder->low, c->types->integer, "the bound of a range");
    check_against(c, binder->high, c->types->integer, "the bound of a range");
    var->type = c->types->integer;
  } else if (before && var->declared && before->var->declared == var->declared) {
    var->type = before->var->type; /* x, y : T */
  } else {
    var->type = var->declared ? type_resolve(c, var->declared) : c->types->error;
  }
  if (type_has_float(var->type)) { /* a formula would speak of all reals */
    report_error(c, var->name.span, "quantifier-not-allowed",
                 "a quantifier cannot range over floating-point numbers");
    report_hint(c, "let it range over `real`, which has them all");
  }
  var->role = VAR_BINDER;
  var->slot = c->ctx.next_slot++;
}

void check_formula_let(struct checker *c, const struct ast_expr *e, const struct ast_decl *let) {
  if (!ptrmap_get(&c->formulas, let)) return;
  c->quantified = true;
  if (c->ctx.formula) return;
  report_error(c, e->span, "quantifier-not-allowed", "%s may not use `%s`, which has a quantifier",
               c->ctx.place, let->name.text);
  report_note(c, let->name.span, "it is declared here");
}

static const struct type *check_quant(struct checker *c, struct ast_expr *e) {
  c->quantified = true;
  if (!c->ctx.formula) {
    report_error(c, e->span, "quantifier-not-allowed", "%s may not contain `%s`", c->ctx.place,
                 e->as.quant.is_sum      ? "sum"
                 : e->as.quant.is_forall ? "forall"
                                         : "exists");
    if (e->as.quant.is_sum && strcmp(c->ctx.place, "epsilon") == 0)
      report_hint(c, "assume a bound, `requires (sum i in 0..n. e[i]) <= eps`, and claim that");
    else
      report_hint(c, "quantifiers belong in formulas; a program computes with a loop");
  }
  size_t slot = c->ctx.next_slot;
  VEC(struct ast_var *) before = {0};
  for (size_t i = 0; i < e->as.quant.count; i++) {
    check_binder(c, &e->as.quant.binders[i], i ? &e->as.quant.binders[i - 1] : NULL);
    vec_push(&before, names_bind(c, e->as.quant.binders[i].var));
  }
  if (e->as.quant.is_sum)
    check_numeric(c, e->as.quant.body, "what is added up");
  else
    check_against(c, e->as.quant.body, c->types->boolean, "the body of a quantifier");
  for (size_t i = e->as.quant.count; i-- > 0;)
    names_unbind(c, e->as.quant.binders[i].var, before.at[i]);
  vec_clear(&before);
  c->ctx.next_slot = slot;
  return e->as.quant.is_sum ? c->types->real : c->types->boolean;
}

static const struct type *check_kind(struct checker *c, struct ast_expr *e) {
  switch (e->kind) {
  case EXPR_ERROR: return c->types->error;
  case EXPR_BOOL: return c->types->boolean;
  case EXPR_NUMBER:
    return e->as.number.is_decimal || !fmpz_is_one(fmpq_denref(e->as.number.value))
               ? c->types->real
               : c->types->integer;
  case EXPR_NAME: return check_name(c, e);
  case EXPR_TAG: return check_tag(c, e);
  case EXPR_UNARY: return check_unary(c, e);
  case EXPR_BINARY: return check_binary(c, e);
  case EXPR_CHAIN: return check_chain(c, e);
  case EXPR_CALL: return check_call(c, e, false);
  case EXPR_INDEX: return check_index(c, e);
  case EXPR_PROJ: return check_proj(c, e);
  case EXPR_LIST: return check_list_literal(c, e);
  case EXPR_TUPLE: return check_tuple(c, e);
  case EXPR_IF: return check_if(c, e);
  case EXPR_QUANT: return check_quant(c, e);
  case EXPR_HOLE:
    if (c->ctx.may_ask) return c->types->real;
    report_error(c, e->span, "misplaced-hole", "`?` may only stand for a whole epsilon");
    return c->types->error;
  }
  return c->types->error;
}

const struct type *check_expr(struct checker *c, struct ast_expr *e) {
  return e->type = check_kind(c, e);
}

const struct type *check_value(struct checker *c, struct ast_expr *e) {
  return e->type = e->kind == EXPR_CALL ? check_call(c, e, true) : check_kind(c, e);
}

void check_formula(struct checker *c, struct ast_expr *e, struct expr_context ctx) {
  struct expr_context before = c->ctx;
  c->ctx = ctx;
  check_against(c, e, c->types->boolean, "%s", ctx.place);
  c->ctx = before;
}
