/* Arithmetic on numeric values (rvalue.h). Exact unless a FLOAT takes part. `out` is written only
 * on success and must not be an operand; anything it held is not released. */
#ifndef COUPLET_RUN_EVAL_NUMBER_H
#define COUPLET_RUN_EVAL_NUMBER_H

#include "lang/syntax/ast.h"
#include "run/eval/rvalue.h"

enum number_fault {
  NUMBER_OK,
  NUMBER_DIVISION_BY_ZERO,
  NUMBER_LN_DOMAIN,    /* ln of a number <= 0 */
  NUMBER_SQRT_DOMAIN,  /* sqrt of a number < 0 */
  NUMBER_EXPONENT,     /* ^ with a negative or non-integer exponent */
  NUMBER_UNDECIDED,    /* irrational numbers too close to call: equal, or nearly */
  NUMBER_TOO_LARGE,    /* more than NUMBER_MAX_BITS bits, or CREAL_MAX_DEPTH operations deep */
  NUMBER_OUT_OF_RANGE, /* too large for a double */
  NUMBER_NOT_FINITE,   /* a floating-point operation gives an infinity or NaN */
  NUMBER_SYMBOLIC      /* not possible on symbolic samples */
};

/* What the owner of RVALUE_SYMBOLIC numbers provides. At least one operand is symbolic. */
struct symbolic_ops {
  void (*free)(struct symbolic *s);
  enum number_fault (*binary)(enum binary_op op, struct rvalue *out, const struct rvalue *a,
                              const struct rvalue *b);
  /* LN, EXP, SQRT, FLOOR, CEIL, ROUND. */
  enum number_fault (*function)(enum builtin f, struct rvalue *out, const struct rvalue *a);
  /* False: undecided; the owner remembers what was asked. */
  bool (*compare)(int *order, const struct rvalue *a, const struct rvalue *b);
};

enum { NUMBER_MAX_BITS = 1 << 20 };

/* One sentence for a diagnostic, without a full stop. */
const char *number_fault_text(enum number_fault fault);

/* BINARY_ADD, SUB, MUL, DIV, POW; IDIV and MOD on integers (rounding down). */
enum number_fault number_binary(enum binary_op op, struct rvalue *out, const struct rvalue *a,
                                const struct rvalue *b);
enum number_fault number_negate(struct rvalue *out, const struct rvalue *a);
/* LN, EXP, SQRT, FLOOR, CEIL, ROUND, ABS. */
enum number_fault number_function(enum builtin f, struct rvalue *out, const struct rvalue *a);
/* BUILTIN_MIN, BUILTIN_MAX. */
enum number_fault number_extreme(enum builtin f, struct rvalue *out, const struct rvalue *a,
                                 const struct rvalue *b);
/* -1, 0, 1: exact, also between a double and a fraction. false: undecided. */
bool number_compare(int *order, const struct rvalue *a, const struct rvalue *b);
/* Does the comparison (BINARY_EQ to BINARY_GE) hold of two numbers in this order? */
bool number_relation(enum binary_op op, int order);
/* Sign: -1, 0, 1. false: undecided. */
bool number_sign(int *sign, const struct rvalue *a);

/* Nearest double; may be infinite. */
double number_to_double(const struct rvalue *a);
/* The exact value of a number that is not IRRATIONAL; `out` initialised. */
void number_get_fmpq(fmpq_t out, const struct rvalue *a);
/* A new reference. */
struct creal *number_to_creal(const struct rvalue *a);

#endif
