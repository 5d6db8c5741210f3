/* IEEE 754 floating-point numbers, exactly: what a program in C computes with `double`, or with
 * `float`, rounding to nearest and ties to even, on any machine and in any rounding mode.
 *
 * A value is the 64 bits of a binary64. Every binary32 is a binary64 too, so both formats share
 * the type: the format given to an operation says to which of them its result is rounded. Each
 * operation is the real one, rounded once, subnormal numbers and overflow included. There is one
 * NaN; it is what operations without a meaning give (0/0, inf - inf, ln(-1)), and it compares
 * false with everything.
 *
 * Rounding is monotone: from x <= y follows round(x) <= round(y). So each operation below is
 * monotone wherever the real operation is. */
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

bool binary64_is_nan(binary64 x);
bool binary64_is_finite(binary64 x);
bool binary64_is_zero(binary64 x);
bool binary64_is_negative(binary64 x); /* its sign bit is set: -0 too */

/* As C's == and <: -0 equals 0, NaN is neither equal to nor less than anything. */
bool binary64_equal(binary64 x, binary64 y);
bool binary64_less(binary64 x, binary64 y);

/* Exact: the sign bit only. */
binary64 binary64_neg(binary64 x);
binary64 binary64_abs(binary64 x);

binary64 binary64_round(enum binary_format format, binary64 x); /* a conversion */
binary64 binary64_add(enum binary_format format, binary64 x, binary64 y);
binary64 binary64_sub(enum binary_format format, binary64 x, binary64 y);
binary64 binary64_mul(enum binary_format format, binary64 x, binary64 y);
binary64 binary64_div(enum binary_format format, binary64 x, binary64 y);
binary64 binary64_fma(enum binary_format format, binary64 x, binary64 y, binary64 z);
binary64 binary64_sqrt(enum binary_format format, binary64 x);

/* To an integer: the greatest one below, the nearest one with ties to even. Exact. */
binary64 binary64_floor(binary64 x);
binary64 binary64_rint(binary64 x);

/* Correctly rounded: in balls, with more and more bits until both ends round to the same number.
 * That ends, because the exact values are transcendental but for ln(1) and those at 0. */
binary64 binary64_ln(enum binary_format format, binary64 x);
binary64 binary64_exp(enum binary_format format, binary64 x);
binary64 binary64_log1p(enum binary_format format, binary64 x); /* ln(1 + x) */
binary64 binary64_expm1(enum binary_format format, binary64 x); /* exp(x) - 1 */
binary64 binary64_sin(enum binary_format format, binary64 x);
binary64 binary64_cos(enum binary_format format, binary64 x);

/* The position among the numbers of the format in their order: 0 for both zeros, 1 for the least
 * positive number, up to binary64_last_rank for infinity; negative numbers have negative ranks.
 * Not for NaN, nor for what does not fit. Back: +0 for rank 0. */
int64_t binary64_rank(enum binary_format format, binary64 x);
binary64 binary64_of_rank(enum binary_format format, int64_t rank);
int64_t binary64_last_rank(enum binary_format format);

#endif
