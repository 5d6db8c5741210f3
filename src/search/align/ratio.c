#include "search/align/ratio.h"

#include <limits.h>

static const struct ratio NOT_A_NUMBER = {0, 0};

static bool is_number(struct ratio a) {
  return a.den != 0 || a.num != 0;
}

static unsigned long gcd(unsigned long a, unsigned long b) {
  while (b) {
    unsigned long r = a % b;
    a = b;
    b = r;
  }
  return a;
}

static unsigned long magnitude(long a) {
  return a < 0 ? 0UL - (unsigned long)a : (unsigned long)a;
}

struct ratio ratio_make(long num, long den) {
  if (den == 0 || num == LONG_MIN || den == LONG_MIN) return NOT_A_NUMBER;
  long g = (long)gcd(magnitude(num), magnitude(den));
  if (den < 0) g = -g;
  return (struct ratio){num / g, den / g};
}

struct ratio ratio_from_fmpq(const fmpq *q) {
  if (!fmpz_fits_si(fmpq_numref(q)) || !fmpz_fits_si(fmpq_denref(q))) return NOT_A_NUMBER;
  return ratio_make(fmpz_get_si(fmpq_numref(q)), fmpz_get_si(fmpq_denref(q)));
}

void ratio_to_fmpq(fmpq *q, struct ratio r) {
  fmpz_set_si(fmpq_numref(q), r.num);
  fmpz_set_si(fmpq_denref(q), r.den ? r.den : 1);
}

struct ratio ratio_add(struct ratio a, struct ratio b) {
  if (!is_number(a) || !is_number(b)) return NOT_A_NUMBER;
  if (!ratio_is_finite(a)) return ratio_is_finite(b) || a.num == b.num ? a : NOT_A_NUMBER;
  if (!ratio_is_finite(b)) return b;
  long left, right, sum, den;
  if (__builtin_mul_overflow(a.num, b.den, &left) || __builtin_mul_overflow(b.num, a.den, &right) ||
      __builtin_add_overflow(left, right, &sum) || __builtin_mul_overflow(a.den, b.den, &den))
    return NOT_A_NUMBER;
  return ratio_make(sum, den);
}

struct ratio ratio_neg(struct ratio a) {
  return (struct ratio){-a.num, a.den};
}

struct ratio ratio_sub(struct ratio a, struct ratio b) {
  return ratio_add(a, ratio_neg(b));
}

struct ratio ratio_mul(struct ratio a, struct ratio b) {
  if (!is_number(a) || !is_number(b)) return NOT_A_NUMBER;
  if (ratio_is_zero(a) || ratio_is_zero(b)) return ratio_int(0);
  if (!ratio_is_finite(a) || !ratio_is_finite(b))
    return ratio_infinite((a.num > 0) == (b.num > 0) ? 1 : -1);
  long num, den;
  if (__builtin_mul_overflow(a.num, b.num, &num) || __builtin_mul_overflow(a.den, b.den, &den))
    return NOT_A_NUMBER;
  return ratio_make(num, den);
}

struct ratio ratio_div(struct ratio a, struct ratio b) {
  if (!ratio_is_finite(b) || b.num == 0) return NOT_A_NUMBER;
  return ratio_mul(a, ratio_make(b.den, b.num));
}

struct ratio ratio_abs(struct ratio a) {
  return a.num < 0 ? ratio_neg(a) : a;
}

bool ratio_le(struct ratio a, struct ratio b) {
  if (!is_number(a) || !is_number(b)) return false;
  if (!ratio_is_finite(a)) return a.num < 0 || (!ratio_is_finite(b) && b.num > 0);
  if (!ratio_is_finite(b)) return b.num > 0;
  return (__int128)a.num * b.den <= (__int128)b.num * a.den;
}

bool ratio_eq(struct ratio a, struct ratio b) {
  return is_number(a) && a.num == b.num && a.den == b.den;
}

struct ratio ratio_max(struct ratio a, struct ratio b) {
  return !is_number(a) || ratio_le(b, a) ? a : b;
}

struct ratio ratio_min(struct ratio a, struct ratio b) {
  return !is_number(a) || ratio_le(a, b) ? a : b;
}
