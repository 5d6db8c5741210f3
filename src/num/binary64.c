#include "num/binary64_parts.h"

/* A finite number is k 2^e with |k| < 2^precision and e >= least; it is below 2^beyond. */
struct layout {
  int precision, least, beyond;
};

static struct layout layout_of(enum binary_format format) {
  return format == BINARY64 ? (struct layout){53, -1074, 1024} : (struct layout){24, -149, 128};
}

bool binary64_is_finite(binary64 x) {
  return binary64_exponent_field(x) != BINARY64_EXPONENTS;
}

bool binary64_is_negative(binary64 x) {
  return (x & BINARY64_SIGN) != 0;
}

/* ---- numbers and bits ----------------------------------------------------------------------- */

static int bit_length(uint64_t k) {
  int length = 0;
  for (; k != 0; k >>= 1)
    length++;
  return length;
}

binary64 binary64_encode(uint64_t k, int e) {
  while ((k & 1) == 0)
    k >>= 1, e++; /* at most 53 bits are left */
  const int length = bit_length(k), exponent = length + e - 1;
  if (exponent < -1022) return k << (e + 1074);
  const uint64_t mantissa = (k << (BINARY64_MANTISSA_BITS + 1 - length)) & BINARY64_MANTISSA;
  return ((uint64_t)(exponent + 1023) << BINARY64_MANTISSA_BITS) | mantissa;
}

uint64_t binary64_decode(binary64 x, int *e) {
  const int field = binary64_exponent_field(x);
  *e = (field == 0 ? 1 : field) - 1075;
  return (x & BINARY64_MANTISSA) | (field == 0 ? 0 : BINARY64_MANTISSA + 1);
}

slong binary64_decode_signed(fmpz_t k, binary64 x) {
  int e;
  fmpz_set_ui(k, binary64_decode(x, &e));
  if (binary64_is_negative(x)) fmpz_neg(k, k);
  return e;
}

binary64 binary64_round_dyadic(enum binary_format format, const fmpz_t k, slong e) {
  const struct layout layout = layout_of(format);
  const bool negative = fmpz_sgn(k) < 0;
  if (fmpz_is_zero(k)) return 0;
  const slong top = (slong)fmpz_bits(k) + e; /* 2^(top-1) <= |k| 2^e < 2^top */
  if (top > layout.beyond) return binary64_with_sign(BINARY64_INFINITY, negative);
  if (top < layout.least)
    return binary64_with_sign(0, negative); /* less than half the least number */
  slong unit = top - layout.precision;
  if (unit < layout.least) unit = layout.least;
  fmpz_t rounded, rest, half;
  fmpz_init(rounded);
  fmpz_init(rest);
  fmpz_init(half);
  fmpz_abs(rounded, k);
  if (unit <= e) {
    fmpz_mul_2exp(rounded, rounded, (ulong)(e - unit));
  } else {
    const ulong shift = (ulong)(unit - e);
    fmpz_fdiv_r_2exp(rest, rounded, shift);
    fmpz_fdiv_q_2exp(rounded, rounded, shift);
    fmpz_one(half);
    fmpz_mul_2exp(half, half, shift - 1);
    const int side = fmpz_cmp(rest, half);
    if (side > 0 || (side == 0 && fmpz_is_odd(rounded))) fmpz_add_ui(rounded, rounded, 1);
  }
  const uint64_t units = fmpz_get_ui(rounded);
  fmpz_clear(rounded);
  fmpz_clear(rest);
  fmpz_clear(half);
  if (units == 0) return binary64_with_sign(0, negative);
  if (bit_length(units) + unit > layout.beyond)
    return binary64_with_sign(BINARY64_INFINITY, negative);
  return binary64_with_sign(binary64_encode(units, (int)unit), negative);
}

/* A quotient of two more bits than any format has, and one that says whether something is left, round
 * as the exact quotient does. */
binary64 binary64_round_quotient(enum binary_format format, const fmpz_t a, const fmpz_t b,
                                 slong e) {
  enum { ENOUGH = 56 };
  fmpz_t quotient, rest;
  fmpz_init(quotient);
  fmpz_init(rest);
  const slong missing = ENOUGH - ((slong)fmpz_bits(a) - (slong)fmpz_bits(b));
  const ulong shift = missing > 0 ? (ulong)missing : 0;
  fmpz_abs(quotient, a);
  fmpz_mul_2exp(quotient, quotient, shift);
  fmpz_fdiv_qr(quotient, rest, quotient, b);
  fmpz_mul_2exp(quotient, quotient, 1);
  if (!fmpz_is_zero(rest)) fmpz_add_ui(quotient, quotient, 1);
  if (fmpz_sgn(a) < 0) fmpz_neg(quotient, quotient);
  const binary64 result = binary64_round_dyadic(format, quotient, e - (slong)shift - 1);
  fmpz_clear(quotient);
  fmpz_clear(rest);
  return result;
}

binary64 binary64_from_rational(enum binary_format format, const fmpq_t value) {
  return binary64_round_quotient(format, fmpq_numref(value), fmpq_denref(value), 0);
}

bool binary64_to_rational(fmpq_t out, binary64 x) {
  if (!binary64_is_finite(x)) return false;
  const slong e = binary64_decode_signed(fmpq_numref(out), x);
  fmpz_one(fmpq_denref(out));
  if (e >= 0)
    fmpq_mul_2exp(out, out, (ulong)e);
  else
    fmpq_div_2exp(out, out, (ulong)-e);
  return true;
}
