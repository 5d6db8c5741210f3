/* Floating-point numbers. Both sides of an operation have one format, and nothing is converted
 * silently, with one exception: a literal beside such a number, or where one is expected, stands
 * for the nearest number, as in C. The checker writes to_float(0.1) for it in the tree itself, so
 * that nobody behind it has to know. */
#include "base/limits.h"
#include "lang/check/check_internal.h"
#include "lang/syntax/builtin.h"

const struct type *check_any_number(struct checker *c, struct ast_expr *e, const char *what) {
  const struct type *t = check_expr(c, e);
  if (type_is_numeric(t) || type_is_float(t)) return t;
  report_error(c, e->span, "type-mismatch", "%s must be a number, but this is %s", what,
               type_text(c, t));
  return c->types->error;
}

/* 0.1 or -0.1 */
static bool is_literal(const struct ast_expr *e) {
  if (e->kind == EXPR_UNARY && e->as.unary.op == UNARY_NEG) e = e->as.unary.operand;
  return e->kind == EXPR_NUMBER;
}

void become_conversion(struct checker *c, struct ast_expr *e, const struct type *type) {
  struct ast_expr *number = arena_new(&c->lang->arena, struct ast_expr);
  enum builtin id = type->kind == TYPE_FLOAT ? BUILTIN_TO_FLOAT : BUILTIN_TO_FLOAT32;
  *number = *e;
  *e = (struct ast_expr){.kind = EXPR_CALL, .span = number->span, .type = type};
  e->as.call.callee =
      (struct ast_name){intern_str(&c->lang->intern, builtin_get(id)->name), number->span};
  e->as.call.args = arena_memdup(&c->lang->arena, &number, sizeof number);
  e->as.call.count = 1;
  e->as.call.callee_kind = CALLEE_BUILTIN;
  e->as.call.builtin = id;
}

bool check_float_literal(struct checker *c, struct ast_expr *e, const struct type *expected) {
  if (!type_is_float(expected) || !is_literal(e)) return false;
  check_expr(c, e);
  become_conversion(c, e, expected);
  return true;
}

static void report_mixture(struct checker *c, struct span span, const struct type *a,
                           const struct type *b, const char *what) {
  report_error(c, span, "type-mismatch",
               "the operands of `%s` must have one type, but they are %s and %s", what,
               type_text(c, a), type_text(c, b));
  const struct type *exact = type_is_float(a) ? b : a;
  if (type_is_float(exact))
    report_hint(c, "to_float(x) and to_float32(x) convert between the formats");
  else
    report_hint(c,
                "to_float(x) rounds a number to the nearest float; to_real(x) is the exact value "
                "of a float");
}

bool check_float_pair(struct checker *c, struct ast_expr *left, struct ast_expr *right,
                      const char *what, const struct type **common) {
  const struct type *a = left->type, *b = right->type;
  if (!type_is_float(a) && !type_is_float(b)) return false;
  if (a->kind == TYPE_ERROR || b->kind == TYPE_ERROR) {
    *common = c->inferring ? (type_is_float(a) ? a : b) : c->types->error;
  } else if (type_is_float(a) && check_float_literal(c, right, a)) {
    *common = a;
  } else if (type_is_float(b) && check_float_literal(c, left, b)) {
    *common = b;
  } else {
    *common = a == b ? a : c->types->error;
    if (a != b) report_mixture(c, span_join(left->span, right->span), a, b, what);
  }
  return true;
}

static const struct type *check_fma(struct checker *c, struct ast_expr **args) {
  const struct type *t = c->types->error;
  for (size_t i = 0; i < 3; i++) {
    const struct type *found = check_expr(c, args[i]);
    if (type_is_float(found)) t = found;
  }
  if (!type_is_float(t)) t = c->types->binary64;
  for (size_t i = 0; i < 3; i++)
    check_against(c, args[i], t, "an argument of `fma`");
  return t;
}

const struct type *check_float_call(struct checker *c, struct ast_expr *e,
                                    const struct builtin_info *info) {
  struct ast_expr **args = e->as.call.args;
  char what[40];
  snprintf(what, sizeof what, "the argument of `%s`", info->name);
  switch (info->id) {
  case BUILTIN_TO_FLOAT: check_any_number(c, args[0], what); return c->types->binary64;
  case BUILTIN_TO_FLOAT32: check_any_number(c, args[0], what); return c->types->binary32;
  case BUILTIN_TO_REAL: check_any_number(c, args[0], what); return c->types->real;
  case BUILTIN_FMA: return check_fma(c, args);
  default: break;
  }
  const struct type *t = check_expr(c, args[0]);
  if (type_is_float(t) || t->kind == TYPE_ERROR) return t;
  report_error(c, args[0]->span, "type-mismatch", "%s must be a float, but this is %s", what,
               type_text(c, t));
  report_hint(c, "to_float(x) rounds a number to the nearest float");
  return c->types->error;
}

/* ---- libraries ------------------------------------------------------------------------------ */

static bool is_libm(enum builtin id) {
  return id == BUILTIN_LN || id == BUILTIN_EXP || id == BUILTIN_LOG1P || id == BUILTIN_EXPM1 ||
         id == BUILTIN_SIN || id == BUILTIN_COS;
}

static const struct ast_name *libm_entry(const struct ast_decl *d, enum builtin id) {
  for (size_t i = 0; d->kind == DECL_LIBM && i < d->as.libm.count; i++) {
    const struct builtin_info *info = builtin_find(d->as.libm.functions[i].text);
    if (info && info->id == id) return &d->as.libm.functions[i];
  }
  return NULL;
}

/* Of a bound that check_libm accepts; else the greatest, and there is an error anyway. */
static unsigned bound_value(const struct ast_decl *d) {
  const struct ast_expr *e = d->as.libm.bound;
  bool fits = e->kind == EXPR_NUMBER && fmpz_is_one(fmpq_denref(e->as.number.value)) &&
              fmpz_sgn(fmpq_numref(e->as.number.value)) >= 0 &&
              fmpz_cmp_ui(fmpq_numref(e->as.number.value), LIMIT_ULPS) <= 0;
  return fits ? (unsigned)fmpz_get_ui(fmpq_numref(e->as.number.value)) : LIMIT_ULPS + 1;
}

unsigned libm_ulps(const struct checker *c, enum builtin id) {
  for (size_t i = 0; i < c->module->decl_count; i++)
    if (libm_entry(c->module->decls[i], id)) return bound_value(c->module->decls[i]);
  return 0;
}

void check_libm(struct checker *c, struct ast_decl *d) {
  d->as.libm.bound->type = c->types->integer;
  if (bound_value(d) > LIMIT_ULPS) {
    report_error(c, d->as.libm.bound->span, "bad-ulp",
                 "the bound must be a whole number from 0 to %d", LIMIT_ULPS);
    report_hint(c,
                "`libm ln within 1 ulp;`: an error below 1.5 ulp is 1 step from the right float");
  }
  for (size_t i = 0; i < d->as.libm.count; i++) {
    struct ast_name name = d->as.libm.functions[i];
    const struct builtin_info *info = builtin_find(name.text);
    if (!info || !is_libm(info->id)) {
      report_error(c, name.span, "unknown-name", "`%s` is no function of a libm", name.text);
      report_hint(c, "these are ln, exp, log1p, expm1, sin and cos; other operations are exact or "
                     "rounded correctly everywhere");
      continue;
    }
    const struct ast_name *first = NULL;
    for (size_t k = 0; k < c->module->decl_count && !first; k++)
      first = libm_entry(c->module->decls[k], info->id);
    if (!first || (first->span.file == name.span.file && first->span.begin == name.span.begin))
      continue;
    report_error(c, name.span, "duplicate-name", "`%s` has two bounds", name.text);
    report_note(c, first->span, "the first one");
  }
}
