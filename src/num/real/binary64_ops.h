/* Operations on IEEE 754 floating-point numbers (num/binary64.h). Each is the real one, rounded once,
 * subnormal numbers and overflow included. NaN is what operations without a meaning give (0/0,
 * inf - inf, ln(-1)), and it compares false with everything. Rounding is monotone; so each operation
 * below is monotone wherever the real operation is. */
#ifndef COUPLET_NUM_REAL_BINARY64_OPS_H
#define COUPLET_NUM_REAL_BINARY64_OPS_H

#include "num/binary64.h"

bool binary64_is_nan(binary64 x);
bool binary64_is_zero(binary64 x);

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
