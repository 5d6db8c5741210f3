/* ---- exact numbers -----------------------------------------------------------------------------
 *
 * An integer is a machine word while it fits and a string of limbs beyond, so nothing overflows. A
 * number is a fraction in lowest terms with a positive denominator. */

struct cp_big {
  bool negative;
  size_t count; /* limbs, the lowest first; the last is not 0 */
  uint32_t limb[];
};

/* big == NULL: `small`, which is never INT64_MIN. Else the value fits no such word. */
struct cp_int {
  int64_t small;
  const struct cp_big *big;
};

static struct cp_int cp_word(int64_t small) {
  return (struct cp_int){small, NULL};
}

/* Sign and magnitude of either form; a word's limbs are put into `room`. */
struct cp_mag {
  bool negative;
  size_t count;
  const uint32_t *limb;
};

static struct cp_mag cp_mag(struct cp_int a, uint32_t room[2]) {
  if (a.big) return (struct cp_mag){a.big->negative, a.big->count, a.big->limb};
  uint64_t size = (uint64_t)(a.small < 0 ? -a.small : a.small);
  room[0] = (uint32_t)size;
  room[1] = (uint32_t)(size >> 32);
  return (struct cp_mag){a.small < 0, room[1] ? 2 : room[0] ? 1 : 0, room};
}

static struct cp_big *cp_big_new(struct cp *c, size_t count) {
  if (count > UINT32_MAX / 64) cp_fail(c, "", "a number is too large");
  struct cp_big *big = cp_alloc(c, 1, sizeof *big + count * sizeof *big->limb);
  big->negative = false;
  big->count = count;
  memset(big->limb, 0, count * sizeof *big->limb);
  return big;
}

/* In its one form. */
static struct cp_int cp_big_done(struct cp_big *big, bool negative) {
  while (big->count && !big->limb[big->count - 1])
    big->count--;
  big->negative = negative;
  if (big->count > 2 || (big->count == 2 && big->limb[1] >> 31)) return (struct cp_int){0, big};
  int64_t size = big->count ? big->limb[0] : 0;
  if (big->count == 2) size |= (int64_t)big->limb[1] << 32;
  return cp_word(negative ? -size : size);
}

static int cp_mag_compare(struct cp_mag a, struct cp_mag b) {
  if (a.count != b.count) return a.count < b.count ? -1 : 1;
  for (size_t i = a.count; i-- > 0;)
    if (a.limb[i] != b.limb[i]) return a.limb[i] < b.limb[i] ? -1 : 1;
  return 0;
}

static struct cp_int cp_mag_add(struct cp *c, struct cp_mag a, struct cp_mag b, bool negative) {
  size_t count = (a.count > b.count ? a.count : b.count) + 1;
  struct cp_big *sum = cp_big_new(c, count);
  uint64_t carry = 0;
  for (size_t i = 0; i < count; i++) {
    carry += (uint64_t)(i < a.count ? a.limb[i] : 0) + (i < b.count ? b.limb[i] : 0);
    sum->limb[i] = (uint32_t)carry;
    carry >>= 32;
  }
  return cp_big_done(sum, negative);
}

/* a - b for a >= b. */
static struct cp_int cp_mag_sub(struct cp *c, struct cp_mag a, struct cp_mag b, bool negative) {
  struct cp_big *rest = cp_big_new(c, a.count);
  uint64_t borrow = 0;
  for (size_t i = 0; i < a.count; i++) {
    uint64_t taken = (uint64_t)(i < b.count ? b.limb[i] : 0) + borrow;
    borrow = a.limb[i] < taken;
    rest->limb[i] = (uint32_t)(a.limb[i] - taken);
  }
  return cp_big_done(rest, negative);
}

static struct cp_int cp_int_neg(struct cp *c, struct cp_int a) {
  if (!a.big) return cp_word(-a.small);
  struct cp_big *copy = cp_big_new(c, a.big->count);
  memcpy(copy->limb, a.big->limb, a.big->count * sizeof *copy->limb);
  return cp_big_done(copy, !a.big->negative);
}

static struct cp_int cp_int_add(struct cp *c, struct cp_int a, struct cp_int b) {
  int64_t sum;
  if (!a.big && !b.big && !__builtin_add_overflow(a.small, b.small, &sum) && sum != INT64_MIN)
    return cp_word(sum);
  uint32_t room[2][2];
  struct cp_mag x = cp_mag(a, room[0]), y = cp_mag(b, room[1]);
  if (x.negative == y.negative) return cp_mag_add(c, x, y, x.negative);
  return cp_mag_compare(x, y) >= 0 ? cp_mag_sub(c, x, y, x.negative)
                                   : cp_mag_sub(c, y, x, y.negative);
}

static struct cp_int cp_int_sub(struct cp *c, struct cp_int a, struct cp_int b) {
  int64_t rest;
  if (!a.big && !b.big && !__builtin_sub_overflow(a.small, b.small, &rest) && rest != INT64_MIN)
    return cp_word(rest);
  return cp_int_add(c, a, cp_int_neg(c, b));
}

static struct cp_int cp_int_mul(struct cp *c, struct cp_int a, struct cp_int b) {
  int64_t small;
  if (!a.big && !b.big && !__builtin_mul_overflow(a.small, b.small, &small) && small != INT64_MIN)
    return cp_word(small);
  uint32_t room[2][2];
  struct cp_mag x = cp_mag(a, room[0]), y = cp_mag(b, room[1]);
  struct cp_big *product = cp_big_new(c, x.count + y.count);
  for (size_t i = 0; i < x.count; i++) {
    uint64_t carry = 0;
    for (size_t j = 0; j < y.count || carry; j++) {
      carry += (uint64_t)x.limb[i] * (j < y.count ? y.limb[j] : 0) + product->limb[i + j];
      product->limb[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  return cp_big_done(product, x.negative != y.negative);
}

static int cp_int_sign(struct cp_int a) {
  if (a.big) return a.big->negative ? -1 : 1;
  return (a.small > 0) - (a.small < 0);
}

static int cp_int_compare(struct cp_int a, struct cp_int b) {
  if (!a.big && !b.big) return (a.small > b.small) - (a.small < b.small);
  if (cp_int_sign(a) != cp_int_sign(b)) return cp_int_sign(a) < cp_int_sign(b) ? -1 : 1;
  uint32_t room[2][2];
  int order = cp_mag_compare(cp_mag(a, room[0]), cp_mag(b, room[1]));
  return cp_int_sign(a) < 0 ? -order : order;
}

static bool cp_int_is_one(struct cp_int a) {
  return !a.big && a.small == 1;
}

static size_t cp_mag_bits(struct cp_mag a) {
  if (!a.count) return 0;
  return 32 * a.count - (size_t)__builtin_clz(a.limb[a.count - 1]);
}

static size_t cp_int_bits(struct cp_int a) {
  uint32_t room[2];
  return cp_mag_bits(cp_mag(a, room));
}

/* rest = 2*rest + bit; it has room for one bit more. */
static void cp_big_push_bit(struct cp_big *rest, uint32_t bit) {
  for (size_t i = 0; i < rest->count; i++) {
    uint32_t top = rest->limb[i] >> 31;
    rest->limb[i] = rest->limb[i] << 1 | bit;
    bit = top;
  }
}

/* rest -= b if that is not negative: was it done? */
static bool cp_big_take(struct cp_big *rest, struct cp_mag b) {
  size_t count = rest->count;
  while (count && !rest->limb[count - 1])
    count--;
  if (cp_mag_compare((struct cp_mag){false, count, rest->limb}, b) < 0) return false;
  uint64_t borrow = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t taken = (uint64_t)(i < b.count ? b.limb[i] : 0) + borrow;
    borrow = rest->limb[i] < taken;
    rest->limb[i] = (uint32_t)(rest->limb[i] - taken);
  }
  return true;
}

/* Quotient and remainder of magnitudes, as on paper: limb by limb for a divisor of one limb, else bit
 * by bit; b is not 0. */
static void cp_mag_divide(struct cp *c, struct cp_mag a, struct cp_mag b, struct cp_int *quotient,
                          struct cp_int *remainder) {
  struct cp_big *q = cp_big_new(c, a.count);
  if (b.count == 1) {
    uint64_t rest = 0;
    for (size_t i = a.count; i-- > 0;) {
      rest = rest << 32 | a.limb[i];
      q->limb[i] = (uint32_t)(rest / b.limb[0]);
      rest %= b.limb[0];
    }
    *quotient = cp_big_done(q, false);
    *remainder = cp_word((int64_t)rest);
    return;
  }
  struct cp_big *r = cp_big_new(c, b.count + 1);
  for (size_t i = cp_mag_bits(a); i-- > 0;) {
    cp_big_push_bit(r, a.limb[i / 32] >> i % 32 & 1);
    if (cp_big_take(r, b)) q->limb[i / 32] |= UINT32_C(1) << i % 32;
  }
  *quotient = cp_big_done(q, false);
  *remainder = cp_big_done(r, false);
}

/* Rounding down: a = quotient * b + remainder with 0 <= remainder < b, for b > 0. */
static void cp_int_divide(struct cp *c, struct cp_int a, struct cp_int b, struct cp_int *quotient,
                          struct cp_int *remainder) {
  if (!a.big && !b.big) {
    int64_t q = a.small / b.small, r = a.small % b.small;
    *quotient = cp_word(r < 0 ? q - 1 : q);
    *remainder = cp_word(r < 0 ? r + b.small : r);
    return;
  }
  uint32_t room[2][2];
  struct cp_mag x = cp_mag(a, room[0]);
  cp_mag_divide(c, x, cp_mag(b, room[1]), quotient, remainder);
  if (!x.negative) return;
  *quotient = cp_int_neg(c, *quotient);
  if (!cp_int_sign(*remainder)) return;
  *quotient = cp_int_sub(c, *quotient, cp_word(1));
  *remainder = cp_int_sub(c, b, *remainder);
}

/* a/2^bits, rounded down. */
static struct cp_int cp_int_shift(struct cp *c, struct cp_int a, size_t bits) {
  uint32_t room[2];
  struct cp_mag x = cp_mag(a, room);
  size_t limbs = bits / 32, rest = bits % 32;
  struct cp_big *q = cp_big_new(c, x.count > limbs ? x.count - limbs : 0);
  bool exact = x.count > limbs ? !rest || !(x.limb[limbs] << (32 - rest)) : !x.count;
  for (size_t i = 0; i < limbs && i < x.count; i++)
    exact = exact && !x.limb[i];
  for (size_t i = 0; i < q->count; i++) {
    uint64_t pair = x.limb[i + limbs];
    if (i + limbs + 1 < x.count) pair |= (uint64_t)x.limb[i + limbs + 1] << 32;
    q->limb[i] = (uint32_t)(pair >> rest);
  }
  struct cp_int quotient = cp_big_done(q, x.negative);
  return x.negative && !exact ? cp_int_sub(c, quotient, cp_word(1)) : quotient;
}

static struct cp_int cp_int_gcd(struct cp *c, struct cp_int a, struct cp_int b) {
  if (cp_int_sign(a) < 0) a = cp_int_neg(c, a);
  if (cp_int_sign(b) < 0) b = cp_int_neg(c, b);
  while (cp_int_sign(b)) {
    struct cp_int quotient, rest;
    cp_int_divide(c, a, b, &quotient, &rest);
    a = b;
    b = rest;
  }
  return a;
}

/* ---- fractions --------------------------------------------------------------------------------- */

struct cp_number {
  struct cp_int num, den;
};

static struct cp_number cp_whole(struct cp_int n) {
  return (struct cp_number){n, cp_word(1)};
}

static struct cp_number cp_small(int64_t n) {
  return cp_whole(cp_word(n));
}

static bool cp_is_whole(struct cp_number a) {
  return cp_int_is_one(a.den);
}

/* num/den for den != 0, in lowest terms. */
static struct cp_number cp_fraction(struct cp *c, struct cp_int num, struct cp_int den) {
  if (cp_int_sign(den) < 0) {
    num = cp_int_neg(c, num);
    den = cp_int_neg(c, den);
  }
  struct cp_int common = cp_int_gcd(c, num, den), none;
  if (cp_int_is_one(common)) return (struct cp_number){num, den};
  cp_int_divide(c, num, common, &num, &none);
  cp_int_divide(c, den, common, &den, &none);
  return (struct cp_number){num, den};
}

static struct cp_number cp_neg(struct cp *c, struct cp_number a) {
  return (struct cp_number){cp_int_neg(c, a.num), a.den};
}

static struct cp_number cp_add(struct cp *c, struct cp_number a, struct cp_number b) {
  if (cp_is_whole(a) && cp_is_whole(b)) return cp_whole(cp_int_add(c, a.num, b.num));
  struct cp_int left = cp_int_mul(c, a.num, b.den), right = cp_int_mul(c, b.num, a.den);
  return cp_fraction(c, cp_int_add(c, left, right), cp_int_mul(c, a.den, b.den));
}

static struct cp_number cp_sub(struct cp *c, struct cp_number a, struct cp_number b) {
  return cp_add(c, a, cp_neg(c, b));
}

static struct cp_number cp_mul(struct cp *c, struct cp_number a, struct cp_number b) {
  if (cp_is_whole(a) && cp_is_whole(b)) return cp_whole(cp_int_mul(c, a.num, b.num));
  return cp_fraction(c, cp_int_mul(c, a.num, b.num), cp_int_mul(c, a.den, b.den));
}

static struct cp_number cp_div(struct cp *c, const char *where, struct cp_number a,
                               struct cp_number b) {
  if (!cp_int_sign(b.num)) cp_fail(c, where, "division by zero");
  return cp_fraction(c, cp_int_mul(c, a.num, b.den), cp_int_mul(c, a.den, b.num));
}

static struct cp_number cp_floor(struct cp *c, struct cp_number a) {
  struct cp_int whole, rest;
  if (cp_is_whole(a)) return a;
  cp_int_divide(c, a.num, a.den, &whole, &rest);
  return cp_whole(whole);
}

static struct cp_number cp_ceil(struct cp *c, struct cp_number a) {
  return cp_neg(c, cp_floor(c, cp_neg(c, a)));
}

/* Halves up. */
static struct cp_number cp_round(struct cp *c, struct cp_number a) {
  return cp_floor(c, cp_add(c, a, (struct cp_number){cp_word(1), cp_word(2)}));
}

static struct cp_number cp_idiv(struct cp *c, const char *where, struct cp_number a,
                                struct cp_number b) {
  return cp_floor(c, cp_div(c, where, a, b));
}

static struct cp_number cp_mod(struct cp *c, const char *where, struct cp_number a,
                               struct cp_number b) {
  return cp_sub(c, a, cp_mul(c, b, cp_idiv(c, where, a, b)));
}

static struct cp_number cp_pow(struct cp *c, const char *where, struct cp_number a,
                               struct cp_number exponent) {
  enum { most_bits = 1 << 20 };
  if (!cp_is_whole(exponent) || cp_int_sign(exponent.num) < 0)
    cp_fail(c, where, "the exponent is not a non-negative integer");
  size_t bits = cp_int_bits(a.num) + cp_int_bits(a.den);
  bool trivial = cp_is_whole(a) && !a.num.big && a.num.small >= -1 && a.num.small <= 1;
  if (!trivial && (exponent.num.big || (uint64_t)exponent.num.small > most_bits / bits))
    cp_fail(c, where, "a power is too large");
  struct cp_number result = cp_small(1);
  for (struct cp_int left = exponent.num, bit; cp_int_sign(left); a = cp_mul(c, a, a)) {
    cp_int_divide(c, left, cp_word(2), &left, &bit);
    if (cp_int_sign(bit)) result = cp_mul(c, result, a);
    if (!cp_int_sign(left)) break;
  }
  return result;
}

static int cp_compare(struct cp *c, struct cp_number a, struct cp_number b) {
  if (cp_is_whole(a) && cp_is_whole(b)) return cp_int_compare(a.num, b.num);
  return cp_int_compare(cp_int_mul(c, a.num, b.den), cp_int_mul(c, b.num, a.den));
}

static struct cp_number cp_abs(struct cp *c, struct cp_number a) {
  return cp_int_sign(a.num) < 0 ? cp_neg(c, a) : a;
}

static struct cp_number cp_min(struct cp *c, struct cp_number a, struct cp_number b) {
  return cp_compare(c, b, a) < 0 ? b : a;
}

static struct cp_number cp_max(struct cp *c, struct cp_number a, struct cp_number b) {
  return cp_compare(c, b, a) > 0 ? b : a;
}

/* A number as a count of things, below `limit`. */
static size_t cp_count(struct cp *c, const char *where, struct cp_number a, size_t limit,
                       const char *what) {
  if (!cp_is_whole(a) || a.num.big || a.num.small < 0 || (uint64_t)a.num.small >= limit)
    cp_fail(c, where, what);
  return (size_t)a.num.small;
}
