#include "run/eval/ieee.h"

#include "num/real/ball.h"

enum binary_format ieee_format(enum type_kind kind) {
  return kind == TYPE_FLOAT32 ? BINARY32 : BINARY64;
}

bool ieee_bits(binary64 *out, enum binary_format format, const struct rvalue *v) {
  if (v->kind != RVALUE_INT && v->kind != RVALUE_RATIONAL) return false;
  fmpq_t exact, back;
  fmpq_init(exact);
  fmpq_init(back);
  number_get_fmpq(exact, v);
  *out = binary64_from_rational(format, exact);
  bool fits = binary64_to_rational(back, *out) && fmpq_equal(exact, back);
  fmpq_clear(exact);
  fmpq_clear(back);
  return fits;
}

enum number_fault ieee_value(struct rvalue *out, binary64 x) {
  fmpq_t exact;
  fmpq_init(exact);
  bool finite = binary64_to_rational(exact, x);
  if (finite) *out = rvalue_fmpq(exact);
  fmpq_clear(exact);
  return finite ? NUMBER_OK : NUMBER_NOT_FINITE;
}

/* Both ends of a ball that contains it round to the number that it rounds to. */
static enum number_fault round_irrational(binary64 *out, enum binary_format format,
                                          struct creal *c) {
  fmpq_t end;
  fmpq_init(end);
  bool decided = false;
  for (slong bits = 128; !decided && bits <= CREAL_MAX_BITS; bits *= 2) {
    const arb_struct *ball = creal_ball(c, bits);
    if (!ball_lower(end, ball)) continue;
    *out = binary64_from_rational(format, end);
    decided = ball_upper(end, ball) && *out == binary64_from_rational(format, end);
  }
  fmpq_clear(end);
  return decided ? NUMBER_OK : NUMBER_UNDECIDED;
}

enum number_fault ieee_round(struct rvalue *out, enum binary_format format, const struct rvalue *v,
                             bool is_integer) {
  binary64 bits = BINARY64_NAN;
  if (v->kind == RVALUE_SYMBOLIC) { /* as for an index: its owner says which integer it is */
    struct rvalue whole;
    if (!is_integer) return NUMBER_SYMBOLIC;
    enum number_fault fault = number_function(BUILTIN_FLOOR, &whole, v);
    if (fault || whole.kind == RVALUE_SYMBOLIC) return fault ? fault : NUMBER_SYMBOLIC;
    fault = ieee_round(out, format, &whole, false);
    rvalue_clear(&whole);
    return fault;
  }
  if (v->kind == RVALUE_IRRATIONAL) {
    enum number_fault fault = round_irrational(&bits, format, v->as.irrational);
    return fault ? fault : ieee_value(out, bits);
  }
  fmpq_t exact;
  fmpq_init(exact);
  number_get_fmpq(exact, v);
  bits = binary64_from_rational(format, exact);
  fmpq_clear(exact);
  return ieee_value(out, bits);
}

bool ieee_binary(binary64 *out, enum binary_op op, enum binary_format format, binary64 x,
                 binary64 y) {
  switch (op) {
  case BINARY_ADD: *out = binary64_add(format, x, y); return true;
  case BINARY_SUB: *out = binary64_sub(format, x, y); return true;
  case BINARY_MUL: *out = binary64_mul(format, x, y); return true;
  case BINARY_DIV: *out = binary64_div(format, x, y); return true;
  default: return false;
  }
}

bool ieee_function(binary64 *out, enum builtin f, enum binary_format format, binary64 x, binary64 y,
                   binary64 z) {
  switch (f) {
  case BUILTIN_LN: *out = binary64_ln(format, x); return true;
  case BUILTIN_EXP: *out = binary64_exp(format, x); return true;
  case BUILTIN_SQRT: *out = binary64_sqrt(format, x); return true;
  case BUILTIN_SIN: *out = binary64_sin(format, x); return true;
  case BUILTIN_COS: *out = binary64_cos(format, x); return true;
  case BUILTIN_LOG1P: *out = binary64_log1p(format, x); return true;
  case BUILTIN_EXPM1: *out = binary64_expm1(format, x); return true;
  case BUILTIN_FLOOR: *out = binary64_floor(x); return true;
  case BUILTIN_CEIL: *out = binary64_neg(binary64_floor(binary64_neg(x))); return true;
  case BUILTIN_ROUND: *out = binary64_rint(x); return true;
  case BUILTIN_ABS: *out = binary64_abs(x); return true;
  case BUILTIN_MIN: *out = binary64_less(y, x) ? y : x; break;
  case BUILTIN_MAX: *out = binary64_less(x, y) ? y : x; break;
  case BUILTIN_FMA: *out = binary64_fma(format, x, y, z); return true;
  default: return false;
  }
  if (binary64_is_nan(x) || binary64_is_nan(y)) *out = BINARY64_NAN;
  return true;
}
