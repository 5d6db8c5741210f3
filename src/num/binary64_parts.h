/* The bits of floating-point numbers, for the files that compute with them (binary64.c, binary64_ops.c
 * of num/real). */
#ifndef COUPLET_NUM_BINARY64_PARTS_H
#define COUPLET_NUM_BINARY64_PARTS_H

#include "num/binary64.h"

#define BINARY64_MANTISSA UINT64_C(0x000fffffffffffff)
enum { BINARY64_MANTISSA_BITS = 52, BINARY64_EXPONENTS = 0x7ff };

static inline int binary64_exponent_field(binary64 x) {
  return (int)(x >> BINARY64_MANTISSA_BITS) & BINARY64_EXPONENTS;
}

static inline binary64 binary64_with_sign(binary64 magnitude, bool negative) {
  return negative ? magnitude | BINARY64_SIGN : magnitude;
}

/* The bits of k 2^e > 0, a number of the widest format. */
binary64 binary64_encode(uint64_t k, int e);
/* |x| = k 2^e for a finite x. */
uint64_t binary64_decode(binary64 x, int *e);
/* k 2^e with the sign of k: the exact value of a finite x. */
slong binary64_decode_signed(fmpz_t k, binary64 x);

/* k 2^e, rounded. A zero that was not exact keeps the sign of k; an exact one is +0. */
binary64 binary64_round_dyadic(enum binary_format format, const fmpz_t k, slong e);
/* (a / b) 2^e for b > 0, rounded. */
binary64 binary64_round_quotient(enum binary_format format, const fmpz_t a, const fmpz_t b, slong e);

#endif
