#include "num/real/binary64_ops.h"

#include "base/fatal.h"
#include "num/binary64_parts.h"
#include "num/real/ball.h"

/* ---- kinds of numbers ----------------------------------------------------------------------- */

bool binary64_is_nan(binary64 x) {
  return binary64_exponent_field(x) == BINARY64_EXPONENTS && (x & BINARY64_MANTISSA) != 0;
}

bool binary64_is_zero(binary64 x) {
  return (x & ~BINARY64_SIGN) == 0;
}

static bool is_infinite(binary64 x) {
  return (x & ~BINARY64_SIGN) == BINARY64_INFINITY;
}

binary64 binary64_neg(binary64 x) {
  return binary64_is_nan(x) ? BINARY64_NAN : x ^ BINARY64_SIGN;
}

binary64 binary64_abs(binary64 x) {
  return binary64_is_nan(x) ? BINARY64_NAN : x & ~BINARY64_SIGN;
}

binary64 binary64_round(enum binary_format format, binary64 x) {
  if (binary64_is_nan(x)) return BINARY64_NAN;
  if (is_infinite(x) || binary64_is_zero(x)) return x;
  fmpz_t k;
  fmpz_init(k);
  const slong e = binary64_decode_signed(k, x);
  const binary64 result = binary64_round_dyadic(format, k, e);
  fmpz_clear(k);
  return result;
}

/* ---- comparison ----------------------------------------------------------------------------- */

/* Order of the bits as signed magnitudes, which is that of the numbers. */
static int64_t signed_magnitude(binary64 x) {
  const int64_t magnitude = (int64_t)(x & ~BINARY64_SIGN);
  return binary64_is_negative(x) ? -magnitude : magnitude;
}

bool binary64_equal(binary64 x, binary64 y) {
  return !binary64_is_nan(x) && !binary64_is_nan(y) && signed_magnitude(x) == signed_magnitude(y);
}

bool binary64_less(binary64 x, binary64 y) {
  return !binary64_is_nan(x) && !binary64_is_nan(y) && signed_magnitude(x) < signed_magnitude(y);
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

/* x y + z of finite numbers, rounded once. An exact zero is +0 unless both terms are -0. */
static binary64 fused(enum binary_format format, binary64 x, binary64 y, binary64 z) {
  const bool negative = binary64_is_negative(x) != binary64_is_negative(y);
  if ((binary64_is_zero(x) || binary64_is_zero(y)) && binary64_is_zero(z))
    return binary64_with_sign(0, negative && binary64_is_negative(z));
  fmpz_t a, b;
  fmpz_init(a);
  fmpz_init(b);
  slong ea = binary64_decode_signed(a, x) + binary64_decode_signed(b, y);
  fmpz_mul(a, a, b);
  const slong eb = binary64_decode_signed(b, z);
  if (ea > eb) {
    fmpz_mul_2exp(a, a, (ulong)(ea - eb));
    ea = eb;
  } else {
    fmpz_mul_2exp(b, b, (ulong)(eb - ea));
  }
  fmpz_add(a, a, b);
  const binary64 result = binary64_round_dyadic(format, a, ea);
  fmpz_clear(a);
  fmpz_clear(b);
  return result;
}

static binary64 one(void) {
  return UINT64_C(1023) << BINARY64_MANTISSA_BITS;
}

binary64 binary64_fma(enum binary_format format, binary64 x, binary64 y, binary64 z) {
  if (binary64_is_nan(x) || binary64_is_nan(y) || binary64_is_nan(z)) return BINARY64_NAN;
  if (!is_infinite(x) && !is_infinite(y)) return is_infinite(z) ? z : fused(format, x, y, z);
  if (binary64_is_zero(x) || binary64_is_zero(y)) return BINARY64_NAN;
  const bool negative = binary64_is_negative(x) != binary64_is_negative(y);
  if (is_infinite(z) && binary64_is_negative(z) != negative) return BINARY64_NAN;
  return binary64_with_sign(BINARY64_INFINITY, negative);
}

binary64 binary64_add(enum binary_format format, binary64 x, binary64 y) {
  return binary64_fma(format, x, one(), y);
}

binary64 binary64_sub(enum binary_format format, binary64 x, binary64 y) {
  return binary64_add(format, x, binary64_neg(y));
}

/* A zero product, exact or not, has the sign of a product. */
binary64 binary64_mul(enum binary_format format, binary64 x, binary64 y) {
  const bool negative = binary64_is_negative(x) != binary64_is_negative(y);
  return binary64_fma(format, x, y, binary64_with_sign(0, negative));
}

binary64 binary64_div(enum binary_format format, binary64 x, binary64 y) {
  if (binary64_is_nan(x) || binary64_is_nan(y)) return BINARY64_NAN;
  const bool negative = binary64_is_negative(x) != binary64_is_negative(y);
  if (is_infinite(x)) return is_infinite(y) ? BINARY64_NAN : binary64_with_sign(BINARY64_INFINITY, negative);
  if (is_infinite(y)) return binary64_with_sign(0, negative);
  if (binary64_is_zero(y))
    return binary64_is_zero(x) ? BINARY64_NAN : binary64_with_sign(BINARY64_INFINITY, negative);
  if (binary64_is_zero(x)) return binary64_with_sign(0, negative);
  fmpz_t a, b;
  fmpz_init(a);
  fmpz_init(b);
  const slong e = binary64_decode_signed(a, x) - binary64_decode_signed(b, y);
  if (fmpz_sgn(b) < 0) {
    fmpz_neg(a, a);
    fmpz_neg(b, b);
  }
  const binary64 result = binary64_round_quotient(format, a, b, e);
  fmpz_clear(a);
  fmpz_clear(b);
  return result;
}

binary64 binary64_sqrt(enum binary_format format, binary64 x) {
  enum { ENOUGH = 56 }; /* as in round_quotient */
  if (binary64_is_nan(x)) return BINARY64_NAN;
  if (binary64_is_zero(x)) return x;
  if (binary64_is_negative(x)) return BINARY64_NAN;
  if (is_infinite(x)) return x;
  fmpz_t k, rest;
  fmpz_init(k);
  fmpz_init(rest);
  slong e = binary64_decode_signed(k, x);
  const slong shift = 2 * ENOUGH + (e & 1); /* e - shift is even */
  fmpz_mul_2exp(k, k, (ulong)shift);
  e = (e - shift) / 2;
  fmpz_sqrtrem(k, rest, k);
  fmpz_mul_2exp(k, k, 1);
  if (!fmpz_is_zero(rest)) fmpz_add_ui(k, k, 1);
  const binary64 result = binary64_round_dyadic(format, k, e - 1);
  fmpz_clear(k);
  fmpz_clear(rest);
  return result;
}

/* To an integer: down, or to the nearest with ties to even. */
static binary64 to_integer(binary64 x, bool nearest) {
  if (binary64_is_nan(x)) return BINARY64_NAN;
  int e;
  if (is_infinite(x) || binary64_is_zero(x)) return x;
  const uint64_t k = binary64_decode(x, &e);
  if (e >= 0) return x; /* an integer already */
  const bool negative = binary64_is_negative(x);
  uint64_t whole = -e < 64 ? k >> -e : 0;
  const bool inexact = -e >= 64 || (whole << -e) != k;
  if (!nearest) {
    if (negative && inexact) whole++;
  } else if (-e < 64) {
    const uint64_t rest = k - (whole << -e), half = UINT64_C(1) << (-e - 1);
    if (rest > half || (rest == half && (whole & 1))) whole++;
  } /* else |x| < 2^53 2^-64: nearest to 0 */
  return binary64_with_sign(whole == 0 ? 0 : binary64_encode(whole, 0), negative);
}

binary64 binary64_floor(binary64 x) {
  return to_integer(x, false);
}

binary64 binary64_rint(binary64 x) {
  return to_integer(x, true);
}

/* ---- functions by balls --------------------------------------------------------------------- */

static binary64 round_arf(enum binary_format format, const arf_t x) {
  fmpz_t k, e;
  fmpz_init(k);
  fmpz_init(e);
  arf_get_fmpz_2exp(k, e, x);
  /* exponents that are not small: far beyond the range, or far below it */
  binary64 result;
  if (fmpz_fits_si(e) && fmpz_cmp_si(e, -100000) > 0 && fmpz_cmp_si(e, 100000) < 0) {
    result = binary64_round_dyadic(format, k, fmpz_get_si(e));
  } else {
    result = binary64_with_sign(fmpz_sgn(e) > 0 ? BINARY64_INFINITY : 0, fmpz_sgn(k) < 0);
  }
  fmpz_clear(k);
  fmpz_clear(e);
  return result;
}

typedef void (*arb_function)(arb_t out, const arb_t in, slong precision);

/* f(x) for a finite x, where f(x) is not the middle between two numbers of the format. */
static binary64 round_function(enum binary_format format, arb_function f, binary64 x) {
  arb_t in, out;
  arf_t low, high;
  fmpz_t k, e;
  arb_init(in);
  arb_init(out);
  arf_init(low);
  arf_init(high);
  fmpz_init(k);
  fmpz_init_set_si(e, binary64_decode_signed(k, x));
  arb_set_fmpz_2exp(in, k, e);
  binary64 result = 0;
  bool decided = false;
  for (slong precision = 80; !decided && precision <= BALL_PRECISION_MAX; precision *= 2) {
    f(out, in, precision);
    if (!arb_is_finite(out)) continue;
    arb_get_lbound_arf(low, out, precision);
    arb_get_ubound_arf(high, out, precision);
    result = round_arf(format, low);
    decided = result == round_arf(format, high);
  }
  arb_clear(in);
  arb_clear(out);
  arf_clear(low);
  arf_clear(high);
  fmpz_clear(k);
  fmpz_clear(e);
  if (!decided) fatal_error("a floating-point function could not be rounded");
  return result;
}

binary64 binary64_ln(enum binary_format format, binary64 x) {
  if (binary64_is_zero(x)) return BINARY64_INFINITY | BINARY64_SIGN;
  if (binary64_is_nan(x) || binary64_is_negative(x)) return BINARY64_NAN;
  if (is_infinite(x)) return x;
  if (x == one()) return 0;
  return round_function(format, arb_log, x);
}

/* Beyond 2^11 exp overflows, or is far below half of the least number, in both formats. */
static binary64 far_for_exp(void) {
  return UINT64_C(1034) << BINARY64_MANTISSA_BITS;
}

binary64 binary64_exp(enum binary_format format, binary64 x) {
  if (binary64_is_nan(x)) return BINARY64_NAN;
  if (binary64_is_zero(x)) return one();
  if (!binary64_less(binary64_abs(x), far_for_exp()))
    return binary64_is_negative(x) ? 0 : BINARY64_INFINITY;
  return round_function(format, arb_exp, x);
}

binary64 binary64_log1p(enum binary_format format, binary64 x) {
  const binary64 least = binary64_with_sign(one(), true);
  if (binary64_is_nan(x) || binary64_less(x, least)) return BINARY64_NAN;
  if (x == least) return binary64_with_sign(BINARY64_INFINITY, true);
  if (is_infinite(x) || binary64_is_zero(x)) return x;
  return round_function(format, arb_log1p, x);
}

binary64 binary64_expm1(enum binary_format format, binary64 x) {
  if (binary64_is_nan(x)) return BINARY64_NAN;
  if (binary64_is_zero(x)) return x;
  if (!binary64_less(binary64_abs(x), far_for_exp()))
    return binary64_is_negative(x) ? binary64_with_sign(one(), true) : BINARY64_INFINITY;
  return round_function(format, arb_expm1, x);
}

binary64 binary64_sin(enum binary_format format, binary64 x) {
  if (!binary64_is_finite(x)) return BINARY64_NAN;
  return binary64_is_zero(x) ? x : round_function(format, arb_sin, x);
}

binary64 binary64_cos(enum binary_format format, binary64 x) {
  if (!binary64_is_finite(x)) return BINARY64_NAN;
  return binary64_is_zero(x) ? one() : round_function(format, arb_cos, x);
}

/* ---- order ---------------------------------------------------------------------------------- */

/* A binary32 has 29 bits less of mantissa; those below 2^-126 are k 2^-149. */
enum { NARROW_BITS = 29 };

int64_t binary64_rank(enum binary_format format, binary64 x) {
  if (format == BINARY64) return signed_magnitude(x);
  const binary64 magnitude = binary64_abs(x);
  const int64_t least_normal = (int64_t)((UINT64_C(1023) - 126) << BINARY64_MANTISSA_BITS);
  int64_t rank;
  if (is_infinite(magnitude)) {
    rank = binary64_last_rank(format);
  } else if ((int64_t)magnitude >= least_normal) {
    rank = (((int64_t)magnitude - least_normal) >> NARROW_BITS) + (1 << 23);
  } else {
    int e;
    const uint64_t k = binary64_decode(magnitude, &e);
    rank = binary64_is_zero(magnitude) ? 0 : (int64_t)(k >> (-149 - e));
  }
  return binary64_is_negative(x) ? -rank : rank;
}

binary64 binary64_of_rank(enum binary_format format, int64_t rank) {
  const bool negative = rank < 0;
  const uint64_t magnitude = (uint64_t)(negative ? -rank : rank);
  if (format == BINARY64) return binary64_with_sign(magnitude, negative);
  if (magnitude == 0) return 0;
  if (rank == binary64_last_rank(format) || -rank == binary64_last_rank(format))
    return binary64_with_sign(BINARY64_INFINITY, negative);
  if (magnitude < 1 << 23) return binary64_with_sign(binary64_encode(magnitude, -149), negative);
  const uint64_t least_normal = (UINT64_C(1023) - 126) << BINARY64_MANTISSA_BITS;
  return binary64_with_sign(((magnitude - (1 << 23)) << NARROW_BITS) + least_normal, negative);
}

int64_t binary64_last_rank(enum binary_format format) {
  return format == BINARY64 ? (int64_t)BINARY64_INFINITY : INT64_C(0x7f800000);
}
