#include "lang/check/constant.h"

#include "base/limits.h"
#include "num/binary64.h"

static bool fits(const fmpq_t x) {
  return fmpz_bits(fmpq_numref(x)) <= LIMIT_CONSTANT_BITS &&
         fmpz_bits(fmpq_denref(x)) <= LIMIT_CONSTANT_BITS;
}

static bool is_integer(const fmpq_t x) {
  return fmpz_is_one(fmpq_denref(x));
}

static void floor_of(fmpq_t x) {
  fmpz_fdiv_q(fmpq_numref(x), fmpq_numref(x), fmpq_denref(x));
  fmpz_one(fmpq_denref(x));
}

static void ceil_of(fmpq_t x) {
  fmpz_cdiv_q(fmpq_numref(x), fmpq_numref(x), fmpq_denref(x));
  fmpz_one(fmpq_denref(x));
}

/* floor(x + 1/2) */
static void round_of(fmpq_t x) {
  fmpq_t half;
  fmpq_init(half);
  fmpq_set_si(half, 1, 2);
  fmpq_add(x, x, half);
  fmpq_clear(half);
  floor_of(x);
}

/* a := a ^ b */
static bool power(fmpq_t a, const fmpq_t b) {
  if (!is_integer(b) || !fmpz_fits_si(fmpq_numref(b))) return false;
  slong k = fmpz_get_si(fmpq_numref(b));
  if (k > LIMIT_EXPONENT || k < -LIMIT_EXPONENT) return false;
  if (k < 0 && fmpq_is_zero(a)) return false;
  ulong bits = fmpz_bits(fmpq_numref(a)) + fmpz_bits(fmpq_denref(a));
  if (bits * (ulong)(k < 0 ? -k : k) > 4 * (ulong)LIMIT_CONSTANT_BITS) return false;
  fmpq_pow_si(a, a, k);
  return true;
}

/* a := a op b; false when it has no value. */
static bool apply(enum binary_op op, fmpq_t a, const fmpq_t b) {
  switch (op) {
  case BINARY_ADD: fmpq_add(a, a, b); return true;
  case BINARY_SUB: fmpq_sub(a, a, b); return true;
  case BINARY_MUL: fmpq_mul(a, a, b); return true;
  case BINARY_DIV:
    if (fmpq_is_zero(b)) return false;
    fmpq_div(a, a, b);
    return true;
  case BINARY_IDIV:
  case BINARY_MOD:
    if (fmpq_is_zero(b) || !is_integer(a) || !is_integer(b)) return false;
    (op == BINARY_IDIV ? fmpz_fdiv_q : fmpz_fdiv_r)(fmpq_numref(a), fmpq_numref(a), fmpq_numref(b));
    return true;
  case BINARY_POW: return power(a, b);
  default: return false;
  }
}

static bool eval(fmpq_t value, const struct ast_expr *e);

static bool eval_binary(fmpq_t value, const struct ast_expr *e) {
  fmpq_t right;
  fmpq_init(right);
  bool ok = eval(value, e->as.binary.left) && eval(right, e->as.binary.right) &&
            apply(e->as.binary.op, value, right);
  fmpq_clear(right);
  return ok;
}

static bool eval_extremum(fmpq_t value, const struct ast_expr *e, int sign) {
  fmpq_t right;
  fmpq_init(right);
  bool ok = eval(value, e->as.call.args[0]) && eval(right, e->as.call.args[1]);
  if (ok && sign * fmpq_cmp(right, value) > 0) fmpq_set(value, right);
  fmpq_clear(right);
  return ok;
}

static bool eval_call(fmpq_t value, const struct ast_expr *e) {
  if (e->as.call.callee_kind != CALLEE_BUILTIN) return false;
  enum builtin id = e->as.call.builtin;
  size_t arity = id == BUILTIN_MIN || id == BUILTIN_MAX ? 2 : 1;
  if (e->as.call.count != arity) return false;
  if (id == BUILTIN_MIN) return eval_extremum(value, e, -1);
  if (id == BUILTIN_MAX) return eval_extremum(value, e, 1);
  switch (id) {
  case BUILTIN_FLOOR:
  case BUILTIN_CEIL:
  case BUILTIN_ROUND:
  case BUILTIN_ABS:
  case BUILTIN_REAL:
  case BUILTIN_DECLASSIFY: break;
  default: return false;
  }
  if (!eval(value, e->as.call.args[0])) return false;
  if (id == BUILTIN_FLOOR) floor_of(value);
  if (id == BUILTIN_CEIL) ceil_of(value);
  if (id == BUILTIN_ROUND) round_of(value);
  if (id == BUILTIN_ABS) fmpq_abs(value, value);
  return true;
}

static bool eval(fmpq_t value, const struct ast_expr *e) {
  switch (e->kind) {
  case EXPR_NUMBER: fmpq_set(value, e->as.number.value); return true;
  case EXPR_NAME: {
    const struct ast_decl *decl = e->as.name.decl;
    if (!decl || decl->kind != DECL_LET || !decl->as.let.constant) return false;
    fmpq_set(value, decl->as.let.constant);
    return true;
  }
  case EXPR_UNARY:
    if (e->as.unary.op != UNARY_NEG || !eval(value, e->as.unary.operand)) return false;
    fmpq_neg(value, value);
    return true;
  case EXPR_BINARY: return eval_binary(value, e) && fits(value);
  case EXPR_CALL: return eval_call(value, e);
  default: return false;
  }
}

bool constant_eval(fmpq_t value, const struct ast_expr *expr) {
  fmpq_t result;
  fmpq_init(result);
  bool ok = eval(result, expr);
  if (ok) fmpq_swap(value, result);
  fmpq_clear(result);
  return ok;
}

static bool is_conversion(const struct ast_expr *e) {
  return e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_BUILTIN &&
         (e->as.call.builtin == BUILTIN_TO_FLOAT || e->as.call.builtin == BUILTIN_TO_FLOAT32);
}

bool constant_value(fmpq_t value, const struct ast_expr *expr) {
  fmpq_t exact;
  if (!is_conversion(expr)) return constant_eval(value, expr);
  fmpq_init(exact);
  enum binary_format format = expr->as.call.builtin == BUILTIN_TO_FLOAT ? BINARY64 : BINARY32;
  bool ok = constant_eval(exact, expr->as.call.args[0]) &&
            binary64_to_rational(value, binary64_from_rational(format, exact));
  fmpq_clear(exact);
  return ok;
}

/* expr = constant + slope * name */
static bool linear(fmpq_t constant, fmpq_t slope, const struct ast_expr *e, const char *name);

static bool linear_binary(fmpq_t constant, fmpq_t slope, const struct ast_expr *e,
                          const char *name) {
  fmpq_t c, s;
  fmpq_init(c);
  fmpq_init(s);
  bool ok =
      linear(constant, slope, e->as.binary.left, name) && linear(c, s, e->as.binary.right, name);
  enum binary_op op = e->as.binary.op;
  if (!ok) {
  } else if (op == BINARY_ADD || op == BINARY_SUB) {
    apply(op, constant, c);
    apply(op, slope, s);
  } else if (op == BINARY_MUL && (fmpq_is_zero(slope) || fmpq_is_zero(s))) {
    /* (a + b x)(c + d x) with b = 0 or d = 0 */
    fmpq_mul(s, s, constant);
    fmpq_mul(slope, slope, c);
    fmpq_add(slope, slope, s);
    fmpq_mul(constant, constant, c);
  } else if (op == BINARY_DIV && fmpq_is_zero(s) && !fmpq_is_zero(c)) {
    fmpq_div(constant, constant, c);
    fmpq_div(slope, slope, c);
  } else {
    ok = fmpq_is_zero(slope) && fmpq_is_zero(s) && apply(op, constant, c);
  }
  fmpq_clear(c);
  fmpq_clear(s);
  return ok && fits(constant) && fits(slope);
}

static bool linear(fmpq_t constant, fmpq_t slope, const struct ast_expr *e, const char *name) {
  fmpq_zero(constant);
  fmpq_zero(slope);
  if (e->kind == EXPR_NAME && e->as.name.text == name) {
    fmpq_one(slope);
    return true;
  }
  if (e->kind == EXPR_BINARY) return linear_binary(constant, slope, e, name);
  if (e->kind == EXPR_UNARY && e->as.unary.op == UNARY_NEG) {
    if (!linear(constant, slope, e->as.unary.operand, name)) return false;
    fmpq_neg(constant, constant);
    fmpq_neg(slope, slope);
    return true;
  }
  return eval(constant, e);
}

bool constant_multiple(fmpq_t coefficient, const struct ast_expr *expr, const char *name) {
  fmpq_t constant, slope;
  fmpq_init(constant);
  fmpq_init(slope);
  bool ok = linear(constant, slope, expr, name) && fmpq_is_zero(constant);
  if (ok) fmpq_swap(coefficient, slope);
  fmpq_clear(constant);
  fmpq_clear(slope);
  return ok;
}
