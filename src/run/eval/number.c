#include "run/eval/number.h"

#include <math.h>

#include "base/limits.h"

const char *number_fault_text(enum number_fault fault) {
  switch (fault) {
  case NUMBER_OK: return "no fault";
  case NUMBER_DIVISION_BY_ZERO: return "division by zero";
  case NUMBER_LN_DOMAIN: return "ln of a number that is not positive";
  case NUMBER_SQRT_DOMAIN: return "sqrt of a negative number";
  case NUMBER_EXPONENT: return "the exponent of `^` is not a natural number";
  case NUMBER_UNDECIDED: return "two irrational numbers are too close to tell them apart";
  case NUMBER_TOO_LARGE: return "the exact number has grown too large";
  case NUMBER_OUT_OF_RANGE: return "the number is too large for a double";
  case NUMBER_NOT_FINITE: return "this floating-point number is infinite, or not a number";
  case NUMBER_SYMBOLIC: return "samples can only be added, subtracted, scaled and compared here";
  }
  return "unknown fault";
}

/* ---- views ---------------------------------------------------------------------------------- */

static bool is_fraction(const struct rvalue *v) {
  return v->kind == RVALUE_INT || v->kind == RVALUE_RATIONAL;
}

/* An INT or RATIONAL as a fraction, sharing the limbs: read-only, not to be cleared. */
static fmpq view(const struct rvalue *v) {
  if (v->kind == RVALUE_RATIONAL) return v->as.rational;
  return (fmpq){.num = v->as.integer, .den = 1};
}

void number_get_fmpq(fmpq_t out, const struct rvalue *a) {
  if (a->kind == RVALUE_FLOAT) {
    arf_t x;
    arf_init(x);
    arf_set_d(x, a->as.number);
    arf_get_fmpq(out, x);
    arf_clear(x);
  } else {
    fmpq q = view(a);
    fmpq_set(out, &q);
  }
}

struct creal *number_to_creal(const struct rvalue *a) {
  if (a->kind == RVALUE_IRRATIONAL) return creal_ref(a->as.irrational);
  fmpq_t q;
  fmpq_init(q);
  number_get_fmpq(q, a);
  struct creal *c = creal_rational(q);
  fmpq_clear(q);
  return c;
}

static double fraction_to_double(const fmpq *q) {
  const slong exact = WORD(1) << 53;
  if (!COEFF_IS_MPZ(q->num) && !COEFF_IS_MPZ(q->den) && q->den <= exact && q->num <= exact &&
      q->num >= -exact)
    return (double)q->num / (double)q->den; /* one correctly rounded operation */
  arf_t n, d;
  arf_init(n);
  arf_init(d);
  arf_set_fmpz(n, &q->num);
  arf_set_fmpz(d, &q->den);
  arf_div(n, n, d, 53, ARF_RND_NEAR);
  double x = arf_get_d(n, ARF_RND_NEAR);
  arf_clear(n);
  arf_clear(d);
  return x;
}

double number_to_double(const struct rvalue *a) {
  if (a->kind == RVALUE_FLOAT) return a->as.number;
  if (a->kind == RVALUE_IRRATIONAL) return creal_round(a->as.irrational);
  fmpq q = view(a);
  return fraction_to_double(&q);
}

/* ---- results -------------------------------------------------------------------------------- */

static enum number_fault give_double(struct rvalue *out, double x) {
  if (!isfinite(x)) return NUMBER_OUT_OF_RANGE;
  *out = rvalue_float(x);
  return NUMBER_OK;
}

static bool too_large(const fmpz *z) {
  return COEFF_IS_MPZ(*z) && fmpz_bits(z) > NUMBER_MAX_BITS;
}

/* Takes over q. */
static enum number_fault give_fraction(struct rvalue *out, fmpq_t q) {
  if (too_large(fmpq_numref(q)) || too_large(fmpq_denref(q))) {
    fmpq_clear(q);
    return NUMBER_TOO_LARGE;
  }
  if (fmpz_is_one(fmpq_denref(q)))
    *out = (struct rvalue){.kind = RVALUE_INT, .as.integer = q->num};
  else
    *out = (struct rvalue){.kind = RVALUE_RATIONAL, .as.rational = *q};
  return NUMBER_OK;
}

/* Takes over z. */
static enum number_fault give_integer(struct rvalue *out, fmpz_t z) {
  if (too_large(z)) {
    fmpz_clear(z);
    return NUMBER_TOO_LARGE;
  }
  *out = (struct rvalue){.kind = RVALUE_INT, .as.integer = *z};
  return NUMBER_OK;
}

/* Takes over the operands. */
static enum number_fault give_node(struct rvalue *out, enum creal_op op, struct creal *left,
                                   struct creal *right) {
  struct creal *c = creal_node(op, left, right);
  if (c->depth > CREAL_MAX_DEPTH) {
    creal_unref(c);
    return NUMBER_TOO_LARGE;
  }
  *out = rvalue_creal(c);
  return NUMBER_OK;
}

/* ---- comparison ----------------------------------------------------------------------------- */

/* Rounding to the nearest double is monotone, so a double that differs from the rounded fraction
 * stands to the fraction itself as it stands to that; only a tie needs the exact comparison. */
static int compare_float_fraction(double x, const fmpq *q) {
  double rounded = fraction_to_double(q);
  if (x != rounded) return x < rounded ? -1 : 1;
  struct rvalue v = rvalue_float(x);
  fmpq_t exact;
  fmpq_init(exact);
  number_get_fmpq(exact, &v);
  int order = fmpq_cmp(exact, q);
  fmpq_clear(exact);
  return order < 0 ? -1 : order > 0;
}

static bool compare_creals(int *order, const struct rvalue *a, const struct rvalue *b) {
  struct creal *x = number_to_creal(a), *y = number_to_creal(b);
  bool decided = creal_compare(order, x, y);
  creal_unref(x);
  creal_unref(y);
  return decided;
}

/* The table of whichever operand is symbolic, or NULL. */
static const struct symbolic_ops *symbolic_ops(const struct rvalue *a, const struct rvalue *b) {
  if (a->kind == RVALUE_SYMBOLIC) return a->as.symbolic->ops;
  return b->kind == RVALUE_SYMBOLIC ? b->as.symbolic->ops : NULL;
}

bool number_compare(int *order, const struct rvalue *a, const struct rvalue *b) {
  const struct symbolic_ops *symbolic = symbolic_ops(a, b);
  if (symbolic) return symbolic->compare(order, a, b);
  if (a->kind == RVALUE_FLOAT && b->kind == RVALUE_FLOAT) {
    *order = a->as.number < b->as.number ? -1 : a->as.number > b->as.number;
    return true;
  }
  if (a->kind == RVALUE_IRRATIONAL || b->kind == RVALUE_IRRATIONAL)
    return compare_creals(order, a, b);
  int c;
  if (a->kind == RVALUE_INT && b->kind == RVALUE_INT) {
    c = fmpz_cmp(&a->as.integer, &b->as.integer);
  } else if (a->kind == RVALUE_FLOAT) {
    fmpq q = view(b);
    c = compare_float_fraction(a->as.number, &q);
  } else if (b->kind == RVALUE_FLOAT) {
    fmpq q = view(a);
    c = -compare_float_fraction(b->as.number, &q);
  } else {
    fmpq x = view(a), y = view(b);
    c = fmpq_cmp(&x, &y);
  }
  *order = c < 0 ? -1 : c > 0;
  return true;
}

bool number_relation(enum binary_op op, int order) {
  switch (op) {
  case BINARY_EQ: return order == 0;
  case BINARY_NE: return order != 0;
  case BINARY_LT: return order < 0;
  case BINARY_LE: return order <= 0;
  case BINARY_GT: return order > 0;
  default: return order >= 0;
  }
}

bool number_sign(int *sign, const struct rvalue *a) {
  switch (a->kind) {
  case RVALUE_SYMBOLIC: {
    struct rvalue zero = rvalue_int(0);
    return number_compare(sign, a, &zero);
  }
  case RVALUE_FLOAT: *sign = a->as.number < 0 ? -1 : a->as.number > 0; return true;
  case RVALUE_IRRATIONAL: return creal_sign(sign, a->as.irrational);
  default: {
    fmpq q = view(a);
    *sign = fmpq_sgn(&q);
    return true;
  }
  }
}

/* ---- operations ----------------------------------------------------------------------------- */

static enum number_fault float_binary(enum binary_op op, struct rvalue *out, double x, double y) {
  switch (op) {
  case BINARY_ADD: return give_double(out, x + y);
  case BINARY_SUB: return give_double(out, x - y);
  case BINARY_MUL: return give_double(out, x * y);
  default: return y == 0 ? NUMBER_DIVISION_BY_ZERO : give_double(out, x / y);
  }
}

static enum number_fault integer_binary(enum binary_op op, struct rvalue *out, const fmpz *x,
                                        const fmpz *y) {
  if ((op == BINARY_IDIV || op == BINARY_MOD) && fmpz_is_zero(y)) return NUMBER_DIVISION_BY_ZERO;
  fmpz_t z;
  fmpz_init(z);
  switch (op) {
  case BINARY_ADD: fmpz_add(z, x, y); break;
  case BINARY_SUB: fmpz_sub(z, x, y); break;
  case BINARY_MUL: fmpz_mul(z, x, y); break;
  case BINARY_IDIV: fmpz_fdiv_q(z, x, y); break;
  default: fmpz_fdiv_r(z, x, y); break;
  }
  return give_integer(out, z);
}

static enum number_fault fraction_binary(enum binary_op op, struct rvalue *out, const fmpq *x,
                                         const fmpq *y) {
  if (op == BINARY_DIV && fmpz_is_zero(&y->num)) return NUMBER_DIVISION_BY_ZERO;
  fmpq_t q;
  fmpq_init(q);
  switch (op) {
  case BINARY_ADD: fmpq_add(q, x, y); break;
  case BINARY_SUB: fmpq_sub(q, x, y); break;
  case BINARY_MUL: fmpq_mul(q, x, y); break;
  default: fmpq_div(q, x, y); break;
  }
  return give_fraction(out, q);
}

/* Identities that bring an exact number back to a fraction, or keep comparisons decidable. */
static bool simplify(enum binary_op op, struct rvalue *out, const struct rvalue *a,
                     const struct rvalue *b) {
  if (a->kind != RVALUE_IRRATIONAL || b->kind != RVALUE_IRRATIONAL) return false;
  if (op == BINARY_ADD || !creal_same(a->as.irrational, b->as.irrational)) return false;
  if (op == BINARY_SUB) {
    *out = rvalue_int(0);
  } else if (op == BINARY_DIV) {
    *out = rvalue_int(1);
  } else {
    struct creal *c = a->as.irrational;
    if (c->op != CREAL_SQRT) return false;
    *out = rvalue_creal(creal_ref(c->left));
  }
  return true;
}

static bool is_small(const struct rvalue *a, slong n) {
  return a->kind == RVALUE_INT && fmpz_equal_si(&a->as.integer, n);
}

static enum number_fault irrational_binary(enum binary_op op, struct rvalue *out,
                                           const struct rvalue *a, const struct rvalue *b) {
  int sign;
  if (op == BINARY_DIV) {
    if (!number_sign(&sign, b)) return NUMBER_UNDECIDED;
    if (sign == 0) return NUMBER_DIVISION_BY_ZERO;
  }
  if ((op == BINARY_MUL && (is_small(a, 0) || is_small(b, 0))) ||
      (op == BINARY_DIV && is_small(a, 0))) {
    *out = rvalue_int(0);
    return NUMBER_OK;
  }
  if (simplify(op, out, a, b)) return NUMBER_OK;
  enum creal_op node = op == BINARY_ADD   ? CREAL_ADD
                       : op == BINARY_SUB ? CREAL_SUB
                       : op == BINARY_MUL ? CREAL_MUL
                                          : CREAL_DIV;
  return give_node(out, node, number_to_creal(a), number_to_creal(b));
}

static enum number_fault fraction_power(struct rvalue *out, const struct rvalue *base, ulong k) {
  fmpq q = view(base);
  ulong bits = FLINT_MAX(fmpz_bits(&q.num), fmpz_bits(&q.den));
  if (bits > 1 && k > NUMBER_MAX_BITS / bits + 1) return NUMBER_TOO_LARGE;
  fmpq_t power;
  fmpq_init(power);
  fmpz_pow_ui(fmpq_numref(power), &q.num, k);
  fmpz_pow_ui(fmpq_denref(power), &q.den, k);
  return give_fraction(out, power);
}

/* Square and multiply, for doubles and irrationals alike. */
static enum number_fault repeated_product(struct rvalue *out, const struct rvalue *base, ulong k) {
  struct rvalue result = rvalue_int(1), square = rvalue_copy(base);
  enum number_fault fault = NUMBER_OK;
  for (; k && !fault; k >>= 1) {
    struct rvalue next;
    if (k & 1) {
      fault = number_binary(BINARY_MUL, &next, &result, &square);
      if (fault) break;
      rvalue_clear(&result);
      result = next;
    }
    if (k == 1) break;
    fault = number_binary(BINARY_MUL, &next, &square, &square);
    if (fault) break;
    rvalue_clear(&square);
    square = next;
  }
  rvalue_clear(&square);
  if (fault)
    rvalue_clear(&result);
  else
    *out = result;
  return fault;
}

static enum number_fault power(struct rvalue *out, const struct rvalue *a, const struct rvalue *b) {
  if (b->kind != RVALUE_INT || fmpz_sgn(&b->as.integer) < 0) return NUMBER_EXPONENT;
  if (!fmpz_abs_fits_ui(&b->as.integer)) return NUMBER_TOO_LARGE;
  ulong k = fmpz_get_ui(&b->as.integer);
  return is_fraction(a) ? fraction_power(out, a, k) : repeated_product(out, a, k);
}

enum number_fault number_binary(enum binary_op op, struct rvalue *out, const struct rvalue *a,
                                const struct rvalue *b) {
  const struct symbolic_ops *symbolic = symbolic_ops(a, b);
  if (symbolic) return symbolic->binary(op, out, a, b);
  if (op == BINARY_POW) return power(out, a, b);
  if (a->kind == RVALUE_INT && b->kind == RVALUE_INT && op != BINARY_DIV)
    return integer_binary(op, out, &a->as.integer, &b->as.integer);
  if (a->kind == RVALUE_FLOAT || b->kind == RVALUE_FLOAT)
    return float_binary(op, out, number_to_double(a), number_to_double(b));
  if (!is_fraction(a) || !is_fraction(b)) return irrational_binary(op, out, a, b);
  fmpq x = view(a), y = view(b);
  return fraction_binary(op, out, &x, &y);
}

enum number_fault number_negate(struct rvalue *out, const struct rvalue *a) {
  if (a->kind == RVALUE_FLOAT) return give_double(out, -a->as.number);
  struct rvalue zero = rvalue_int(0);
  return number_binary(BINARY_SUB, out, &zero, a);
}

/* ---- functions ------------------------------------------------------------------------------ */

static enum number_fault round_fraction(enum builtin f, struct rvalue *out, const fmpq *q) {
  fmpz_t z;
  fmpz_init(z);
  if (f == BUILTIN_FLOOR) {
    fmpz_fdiv_q(z, &q->num, &q->den);
  } else if (f == BUILTIN_CEIL) {
    fmpz_cdiv_q(z, &q->num, &q->den);
  } else { /* floor(q + 1/2) = floor((2 num + den) / (2 den)) */
    fmpz_t twice;
    fmpz_init(twice);
    fmpz_mul_ui(z, &q->num, 2);
    fmpz_add(z, z, &q->den);
    fmpz_mul_ui(twice, &q->den, 2);
    fmpz_fdiv_q(z, z, twice);
    fmpz_clear(twice);
  }
  return give_integer(out, z);
}

/* ceil(x) = -floor(-x), round(x) = floor(x + 1/2): one decided question each. */
static enum number_fault round_irrational(enum builtin f, struct rvalue *out,
                                          const struct rvalue *a) {
  fmpq_t shift;
  fmpq_init(shift);
  if (f == BUILTIN_ROUND) fmpq_set_si(shift, 1, 2);
  struct creal *c = f == BUILTIN_CEIL
                        ? creal_node(CREAL_SUB, creal_rational(shift), number_to_creal(a))
                        : creal_node(CREAL_ADD, creal_rational(shift), number_to_creal(a));
  fmpz_t z;
  fmpz_init(z);
  bool decided = creal_floor(z, c);
  creal_unref(c);
  fmpq_clear(shift);
  if (!decided) {
    fmpz_clear(z);
    return NUMBER_UNDECIDED;
  }
  if (f == BUILTIN_CEIL) fmpz_neg(z, z);
  return give_integer(out, z);
}

static enum number_fault round_number(enum builtin f, struct rvalue *out, const struct rvalue *a) {
  if (a->kind == RVALUE_IRRATIONAL) return round_irrational(f, out, a);
  fmpq_t q;
  fmpq_init(q);
  number_get_fmpq(q, a);
  enum number_fault fault = round_fraction(f, out, q);
  fmpq_clear(q);
  return fault;
}

/* sqrt of a fraction that is a square. */
static bool exact_sqrt(struct rvalue *out, const struct rvalue *a) {
  if (!is_fraction(a)) return false;
  fmpq q = view(a);
  if (!fmpz_is_square(&q.num) || !fmpz_is_square(&q.den)) return false;
  fmpq_t root;
  fmpq_init(root);
  fmpz_sqrt(fmpq_numref(root), &q.num);
  fmpz_sqrt(fmpq_denref(root), &q.den);
  return give_fraction(out, root) == NUMBER_OK;
}

static enum number_fault transcendental(enum creal_op op, struct rvalue *out,
                                        const struct rvalue *a) {
  int sign = 1;
  if (op != CREAL_EXP && !number_sign(&sign, a)) return NUMBER_UNDECIDED;
  if (op == CREAL_LN && sign <= 0) return NUMBER_LN_DOMAIN;
  if (op == CREAL_SQRT && sign < 0) return NUMBER_SQRT_DOMAIN;
  if (a->kind == RVALUE_FLOAT) return give_double(out, creal_function_round(op, a->as.number));
  if (op == CREAL_EXP && is_small(a, 0)) {
    *out = rvalue_int(1);
    return NUMBER_OK;
  }
  if (op == CREAL_LN && is_small(a, 1)) {
    *out = rvalue_int(0);
    return NUMBER_OK;
  }
  if (op == CREAL_SQRT && exact_sqrt(out, a)) return NUMBER_OK;
  if (a->kind == RVALUE_IRRATIONAL) { /* exp and ln are inverse to each other */
    struct creal *c = a->as.irrational;
    if ((op == CREAL_EXP && c->op == CREAL_LN) || (op == CREAL_LN && c->op == CREAL_EXP)) {
      *out = rvalue_creal(creal_ref(c->left));
      return NUMBER_OK;
    }
  }
  return give_node(out, op, number_to_creal(a), NULL);
}

static enum number_fault absolute(struct rvalue *out, const struct rvalue *a) {
  int sign;
  if (!number_sign(&sign, a)) {
    if (a->kind == RVALUE_SYMBOLIC) return NUMBER_UNDECIDED;
    return give_node(out, CREAL_ABS, number_to_creal(a), NULL);
  }
  if (sign < 0) return number_negate(out, a);
  *out = rvalue_copy(a);
  return NUMBER_OK;
}

enum number_fault number_function(enum builtin f, struct rvalue *out, const struct rvalue *a) {
  if (a->kind == RVALUE_SYMBOLIC && f != BUILTIN_ABS)
    return a->as.symbolic->ops->function(f, out, a);
  switch (f) {
  case BUILTIN_LN: return transcendental(CREAL_LN, out, a);
  case BUILTIN_EXP: return transcendental(CREAL_EXP, out, a);
  case BUILTIN_SQRT: return transcendental(CREAL_SQRT, out, a);
  case BUILTIN_ABS: return absolute(out, a);
  default:
    if (a->kind == RVALUE_INT) {
      *out = rvalue_copy(a);
      return NUMBER_OK;
    }
    return round_number(f, out, a);
  }
}

enum number_fault number_extreme(enum builtin f, struct rvalue *out, const struct rvalue *a,
                                 const struct rvalue *b) {
  int order;
  if (number_compare(&order, a, b)) {
    *out = rvalue_copy((order <= 0) == (f == BUILTIN_MIN) ? a : b);
    return NUMBER_OK;
  }
  if (symbolic_ops(a, b)) return NUMBER_UNDECIDED;
  /* too close to tell which, but the smaller is still a definite number */
  return give_node(out, f == BUILTIN_MIN ? CREAL_MIN : CREAL_MAX, number_to_creal(a),
                   number_to_creal(b));
}
