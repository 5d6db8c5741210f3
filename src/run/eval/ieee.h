/* Values of the types float and float32 (num/binary64.h has the arithmetic).
 *
 * At run time such a value is the exact number that it is: INT or RATIONAL. So it is compared,
 * printed, and given as an input like any other number, and only the operations, which go by the
 * type of the expression, know that it is rounded. What is not finite is no value: a run that comes
 * to an infinity or NaN stops there. The sign of a zero can be seen only by dividing by it, which
 * gives an infinity; there is one zero. */
#ifndef COUPLET_RUN_EVAL_IEEE_H
#define COUPLET_RUN_EVAL_IEEE_H

#include "lang/syntax/ast.h"
#include "num/real/binary64_ops.h"
#include "run/eval/number.h"

/* TYPE_FLOAT or TYPE_FLOAT32 */
enum binary_format ieee_format(enum type_kind kind);

/* The bits of a value of the format; false: it is none. */
bool ieee_bits(binary64 *out, enum binary_format format, const struct rvalue *v);
/* NUMBER_NOT_FINITE for infinities and NaN. */
enum number_fault ieee_value(struct rvalue *out, binary64 x);

/* The nearest number to any exact number, or to a sampled integer once it is known. */
enum number_fault ieee_round(struct rvalue *out, enum binary_format format, const struct rvalue *v,
                             bool is_integer);

/* What the operations are in bits, for operands that fit the format. */
bool ieee_binary(binary64 *out, enum binary_op op, enum binary_format format, binary64 x,
                 binary64 y);
/* LN, EXP, LOG1P, EXPM1, SQRT, SIN, COS, FLOOR, CEIL, ROUND, ABS; y: MIN, MAX; z: FMA. */
bool ieee_function(binary64 *out, enum builtin f, enum binary_format format, binary64 x, binary64 y,
                   binary64 z);

#endif
