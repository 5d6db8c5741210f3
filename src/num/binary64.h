/* IEEE 754 floating-point numbers, exactly: what a program in C computes with `double`, or with
 * `float`, rounding to nearest and ties to even, on any machine and in any rounding mode.
 *
 * A value is the 64 bits of a binary64. Every binary32 is a binary64 too, so both formats share
 * the type: the format given to an operation says to which of them its result is rounded.
 * Rounding is monotone: from x <= y follows round(x) <= round(y). There is one NaN. */
#ifndef COUPLET_NUM_BINARY64_H
#define COUPLET_NUM_BINARY64_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint64_t binary64;

enum binary_format { BINARY64, BINARY32 };

#define BINARY64_NAN UINT64_C(0x7ff8000000000000)
#define BINARY64_INFINITY UINT64_C(0x7ff0000000000000)
#define BINARY64_SIGN UINT64_C(0x8000000000000000)

/* The number nearest to a rational; for a zero, +0. */
binary64 binary64_from_rational(enum binary_format format, const fmpq_t value);
/* False for infinities and NaN. */
bool binary64_to_rational(fmpq_t out, binary64 x);

bool binary64_is_finite(binary64 x);
bool binary64_is_negative(binary64 x); /* its sign bit is set: -0 too */

#endif
