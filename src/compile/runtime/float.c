/* ---- floating point ----------------------------------------------------------------------------
 *
 * IEEE binary64 and binary32, computed with integers: a float is the fraction that it is, and every
 * operation is the exact one, rounded once to the nearest float, ties to even. No type `double`
 * occurs, so neither compiler nor processor nor mathematical library has a part in the result.
 *
 * 1/0, -1/0 and 0/0 stand for the infinities and NaN. With these numerators and denominators the
 * formulas for sums, products and quotients of fractions do what IEEE says, with exceptions that are
 * noted. There is one zero, and what is divided by it has the sign that +0 would give it. */

struct cp_format {
  size_t digits; /* of the significand */
  int64_t least; /* exponent of the least positive number */
  int64_t large; /* 2^large is beyond all of them */
};

static const struct cp_format cp_binary64 = {53, -1074, 1024};
static const struct cp_format cp_binary32 = {24, -149, 128};

static bool cp_is_finite(struct cp_number a) {
  return cp_int_sign(a.den) != 0;
}

/* 1: infinity, -1: its opposite, 0: NaN */
static struct cp_number cp_infinite(int sign) {
  return (struct cp_number){cp_word(sign), cp_word(0)};
}

static bool cp_is_nan(struct cp_number a) {
  return !cp_is_finite(a) && !cp_int_sign(a.num);
}

/* -1, 0, 1, or 2: one of them is NaN. */
static int cp_float_order(struct cp *c, struct cp_number a, struct cp_number b) {
  if (cp_is_nan(a) || cp_is_nan(b)) return 2;
  if (!cp_is_finite(a) && !cp_is_finite(b)) return cp_int_compare(a.num, b.num);
  return cp_compare(c, a, b);
}

/* What is not finite is no value of another type. */
static struct cp_number cp_to_real(struct cp *c, const char *place, struct cp_number a) {
  if (!cp_is_finite(a)) cp_fail(c, place, "the number is not finite");
  return a;
}

static struct cp_int cp_int_scale(struct cp *c, struct cp_int a, size_t bits) {
  return cp_int_mul(c, a, cp_power_of_two(c, bits));
}

/* q * 2^e in lowest terms. */
static struct cp_number cp_dyadic(struct cp *c, int64_t q, int64_t e) {
  while (e < 0 && q % 2 == 0 && q) {
    q /= 2;
    e++;
  }
  if (e >= 0 || !q) return cp_whole(cp_int_scale(c, cp_word(q), q ? (size_t)e : 0));
  return (struct cp_number){cp_word(q), cp_power_of_two(c, (size_t)-e)};
}

/* num/den rounded down to an integer, and how the rest compares with 1/2; num >= 0, den > 0. */
static int64_t cp_divide_half(struct cp *c, struct cp_int num, struct cp_int den, int *half) {
  struct cp_int quotient, rest;
  cp_int_divide(c, num, den, &quotient, &rest);
  *half = cp_int_compare(cp_int_add(c, rest, rest), den);
  return quotient.small; /* of at most 54 bits: see below */
}

/* The nearest float to num/den, which need not be in lowest terms; den >= 0. The exponent is that of a
 * number of `digits` bits, or of one more, or the least one. */
static struct cp_number cp_nearest(struct cp *c, const struct cp_format *f, struct cp_int num,
                                   struct cp_int den) {
  const bool negative = cp_int_sign(num) < 0;
  if (!cp_int_sign(den)) return cp_infinite(cp_int_sign(num));
  if (!cp_int_sign(num)) return cp_small(0);
  if (negative) num = cp_int_neg(c, num);
  int64_t e = (int64_t)cp_int_bits(num) - (int64_t)cp_int_bits(den) - (int64_t)f->digits;
  if (e < f->least) e = f->least;
  for (;; e++) { /* at most twice */
    int half;
    struct cp_int n = e < 0 ? cp_int_scale(c, num, (size_t)-e) : num;
    struct cp_int d = e > 0 ? cp_int_scale(c, den, (size_t)e) : den;
    int64_t q = cp_divide_half(c, n, d, &half);
    if (q >> f->digits) continue;
    if (half > 0 || (half == 0 && q % 2)) q++;
    bool large = e >= f->large || (f->large - e <= (int64_t)f->digits && q >> (f->large - e));
    if (large) return cp_infinite(negative ? -1 : 1);
    return cp_dyadic(c, negative ? -q : q, e);
  }
}

static struct cp_number cp_to_float(struct cp *c, const struct cp_format *f, struct cp_number a) {
  return cp_nearest(c, f, a.num, a.den);
}

static struct cp_number cp_float_fma(struct cp *c, const struct cp_format *f, struct cp_number x,
                                     struct cp_number y, struct cp_number z) {
  struct cp_int num = cp_int_mul(c, x.num, y.num), den = cp_int_mul(c, x.den, y.den);
  if (!cp_int_sign(den) && !cp_is_finite(z)) /* two infinities */
    return cp_infinite(cp_int_sign(num) == cp_int_sign(z.num) ? cp_int_sign(num) : 0);
  num = cp_int_add(c, cp_int_mul(c, num, z.den), cp_int_mul(c, z.num, den));
  return cp_nearest(c, f, num, cp_int_mul(c, den, z.den));
}

static struct cp_number cp_float_add(struct cp *c, const struct cp_format *f, struct cp_number x,
                                     struct cp_number y) {
  return cp_float_fma(c, f, x, cp_small(1), y);
}

static struct cp_number cp_float_sub(struct cp *c, const struct cp_format *f, struct cp_number x,
                                     struct cp_number y) {
  return cp_float_add(c, f, x, cp_neg(c, y));
}

static struct cp_number cp_float_mul(struct cp *c, const struct cp_format *f, struct cp_number x,
                                     struct cp_number y) {
  return cp_nearest(c, f, cp_int_mul(c, x.num, y.num), cp_int_mul(c, x.den, y.den));
}

static struct cp_number cp_float_div(struct cp *c, const struct cp_format *f, struct cp_number x,
                                     struct cp_number y) {
  struct cp_int num = cp_int_mul(c, x.num, y.den), den = cp_int_mul(c, x.den, y.num);
  if (cp_is_nan(y)) return y;
  if (cp_int_sign(y.num) < 0) { /* den, which may be 0, does not tell */
    num = cp_int_neg(c, num);
    den = cp_int_neg(c, den);
  }
  return cp_nearest(c, f, num, den);
}

/* An integer next to a float is a float too. */
static struct cp_number cp_float_floor(struct cp *c, struct cp_number x) {
  return cp_is_finite(x) ? cp_floor(c, x) : x;
}

static struct cp_number cp_float_ceil(struct cp *c, struct cp_number x) {
  return cp_is_finite(x) ? cp_ceil(c, x) : x;
}

/* To the nearest integer, ties to even. */
static struct cp_number cp_float_rint(struct cp *c, struct cp_number x) {
  if (!cp_is_finite(x)) return x;
  struct cp_number down = cp_floor(c, x), rest = cp_sub(c, x, down), one = cp_small(1);
  int half = cp_compare(c, cp_add(c, rest, rest), one);
  bool odd = down.num.big ? down.num.big->limb[0] & 1 : down.num.small & 1;
  return half > 0 || (half == 0 && odd) ? cp_add(c, down, one) : down;
}

static struct cp_number cp_float_min(struct cp *c, struct cp_number x, struct cp_number y) {
  int order = cp_float_order(c, x, y);
  return order == 2 ? cp_infinite(0) : order > 0 ? y : x;
}

static struct cp_number cp_float_max(struct cp *c, struct cp_number x, struct cp_number y) {
  int order = cp_float_order(c, x, y);
  return order == 2 ? cp_infinite(0) : order < 0 ? y : x;
}

/* ---- logarithm and exponential, correctly rounded ------------------------------------------------
 *
 * Enclosed between fractions of 2^p, for larger and larger p until both ends round to the same float.
 * This ends, because ln(x) for x != 1 and exp(x) for x != 0 are no fractions. */

/* artanh(num/den) = t + t^3/3 + t^5/5 + ... for |t| <= 1/3. When a power is at most one unit, all that
 * follows is less than one more. */
static struct cp_interval cp_artanh(struct cp *c, struct cp_int num, struct cp_int den, size_t p) {
  struct cp_interval t, term;
  cp_widen(c, &t, cp_int_scale(c, num, p), den, true);
  struct cp_interval sum = t, power = t, square = cp_interval_mul(c, t, t, p);
  for (int64_t j = 3;; j += 2) {
    power = cp_interval_mul(c, power, square, p);
    cp_widen(c, &term, power.low, cp_word(j), true);
    cp_widen(c, &term, power.high, cp_word(j), false);
    sum.low = cp_int_add(c, sum.low, term.low);
    sum.high = cp_int_add(c, sum.high, term.high);
    if (cp_int_compare(power.low, cp_word(-1)) >= 0 && cp_int_compare(power.high, cp_word(1)) <= 0)
      break;
  }
  sum.low = cp_int_sub(c, sum.low, cp_word(1));
  sum.high = cp_int_add(c, sum.high, cp_word(1));
  return sum;
}

/* ln(x) = k ln(2) + ln(y) for x = 2^k y, with ln(y) = 2 artanh((y - 1)/(y + 1)); y is between 1/2 and 2
 * and becomes one between 2/3 and 4/3. */
static struct cp_interval cp_interval_ln(struct cp *c, struct cp_number x, size_t p) {
  int64_t k = (int64_t)cp_int_bits(x.num) - (int64_t)cp_int_bits(x.den);
  struct cp_int num = k < 0 ? cp_int_scale(c, x.num, (size_t)-k) : x.num;
  struct cp_int den = k > 0 ? cp_int_scale(c, x.den, (size_t)k) : x.den;
  if (cp_int_compare(cp_int_mul(c, num, cp_word(3)), cp_int_mul(c, den, cp_word(2))) < 0) {
    num = cp_int_add(c, num, num);
    k--;
  } else if (cp_int_compare(cp_int_mul(c, num, cp_word(3)), cp_int_mul(c, den, cp_word(4))) > 0) {
    den = cp_int_add(c, den, den);
    k++;
  }
  struct cp_interval y = cp_artanh(c, cp_int_sub(c, num, den), cp_int_add(c, num, den), p);
  struct cp_interval two = cp_artanh(c, cp_word(1), cp_word(3), p);
  struct cp_int low = cp_int_mul(c, k < 0 ? two.high : two.low, cp_word(k));
  struct cp_int high = cp_int_mul(c, k < 0 ? two.low : two.high, cp_word(k));
  low = cp_int_add(c, low, y.low);
  high = cp_int_add(c, high, y.high);
  return (struct cp_interval){cp_int_add(c, low, low), cp_int_add(c, high, high)};
}

/* Do both ends round to one float? */
static bool cp_float_between(struct cp *c, const struct cp_format *f, struct cp_interval x,
                             size_t p, struct cp_number *out) {
  struct cp_int unit = cp_power_of_two(c, p);
  struct cp_number high = cp_nearest(c, f, x.high, unit);
  *out = cp_nearest(c, f, x.low, unit);
  return cp_compare(c, *out, high) == 0;
}

static struct cp_number cp_float_ln(struct cp *c, const struct cp_format *f, struct cp_number x) {
  struct cp_number out;
  if (cp_is_nan(x) || cp_int_sign(x.num) < 0) return cp_infinite(0);
  if (!cp_is_finite(x)) return x;
  if (!cp_int_sign(x.num)) return cp_infinite(-1);
  if (cp_compare(c, x, cp_small(1)) == 0) return cp_small(0);
  for (size_t p = 96;; p *= 2)
    if (cp_float_between(c, f, cp_interval_ln(c, x, p), p, &out)) return out;
}

/* ln(1 + x), of the exact sum. */
static struct cp_number cp_float_log1p(struct cp *c, const struct cp_format *f,
                                       struct cp_number x) {
  return cp_float_ln(c, f, cp_is_finite(x) ? cp_add(c, x, cp_small(1)) : x);
}

static struct cp_number cp_float_exp(struct cp *c, const struct cp_format *f, struct cp_number x) {
  struct cp_number out;
  if (!cp_is_finite(x)) return cp_int_sign(x.num) < 0 ? cp_small(0) : x;
  if (!cp_int_sign(x.num)) return cp_small(1);
  if (cp_compare(c, x, cp_small(710)) >= 0) return cp_infinite(1);
  if (cp_compare(c, x, cp_small(-746)) <= 0) return cp_small(0); /* less than half of the least */
  for (size_t p = 96;; p *= 2) {
    struct cp_interval a;
    cp_widen(c, &a, cp_int_scale(c, x.num, p), x.den, true);
    if (cp_float_between(c, f, cp_interval_exp(c, a, p), p, &out)) return out;
  }
}
