/* ---- probabilities with exponentials -----------------------------------------------------------
 *
 * A probability like exp(eps)/(1 + exp(eps)) is no fraction. It is kept as an expression that can be
 * enclosed between fractions as tightly as a comparison with random bits needs: what is sampled has
 * exactly this probability. */

enum cp_real_op { CP_CONSTANT, CP_ADD, CP_SUB, CP_MUL, CP_DIV, CP_EXP };

struct cp_real {
  enum cp_real_op op;
  struct cp_number value; /* constants */
  const struct cp_real *a, *b;
};

/* low/2^p <= x <= high/2^p */
struct cp_interval {
  struct cp_int low, high;
};

static const struct cp_real *cp_constant(struct cp *c, struct cp_number value) {
  struct cp_real *x = cp_alloc(c, 1, sizeof *x);
  *x = (struct cp_real){.op = CP_CONSTANT, .value = value};
  return x;
}

static bool cp_is_zero(const struct cp_real *x) {
  return x->op == CP_CONSTANT && !cp_int_sign(x->value.num);
}

/* 1 or 0: x is positive, or not negative, which can be seen without computing. */
static int cp_least_sign(const struct cp_real *x) {
  if (x->op == CP_CONSTANT) return cp_int_sign(x->value.num);
  if (x->op == CP_EXP) return 1;
  int a = cp_least_sign(x->a), b = cp_least_sign(x->b);
  if (x->op == CP_SUB || a < 0 || b < 0 || (x->op == CP_DIV && !b)) return -1;
  return x->op == CP_ADD ? a || b : a && b;
}

static const struct cp_real *cp_real(struct cp *c, const char *where, enum cp_real_op op,
                                     const struct cp_real *a, const struct cp_real *b) {
  struct cp_real *x = cp_alloc(c, 1, sizeof *x);
  *x = (struct cp_real){.op = op, .a = a, .b = b};
  if (op == CP_EXP && cp_is_zero(a)) return cp_constant(c, cp_small(1));
  if ((op == CP_MUL && (cp_is_zero(a) || cp_is_zero(b))) ||
      (op == CP_DIV && cp_is_zero(a) && cp_least_sign(b) > 0))
    return cp_constant(c, cp_small(0));
  if (op == CP_EXP || a->op != CP_CONSTANT || b->op != CP_CONSTANT) return x;
  switch (op) {
  case CP_ADD: return cp_constant(c, cp_add(c, a->value, b->value));
  case CP_SUB: return cp_constant(c, cp_sub(c, a->value, b->value));
  case CP_MUL: return cp_constant(c, cp_mul(c, a->value, b->value));
  default: return cp_constant(c, cp_div(c, where, a->value, b->value));
  }
}

static struct cp_int cp_power_of_two(struct cp *c, size_t exponent) {
  struct cp_big *big = cp_big_new(c, exponent / 32 + 1);
  big->limb[exponent / 32] = UINT32_C(1) << exponent % 32;
  return cp_big_done(big, false);
}

/* Makes x contain num/den; the first time x is nothing yet. */
static void cp_widen(struct cp *c, struct cp_interval *x, struct cp_int num, struct cp_int den,
                     bool first) {
  struct cp_int low, rest;
  if (cp_int_sign(den) < 0) {
    num = cp_int_neg(c, num);
    den = cp_int_neg(c, den);
  }
  cp_int_divide(c, num, den, &low, &rest);
  struct cp_int high = cp_int_sign(rest) ? cp_int_add(c, low, cp_word(1)) : low;
  if (first || cp_int_compare(low, x->low) < 0) x->low = low;
  if (first || cp_int_compare(high, x->high) > 0) x->high = high;
}

/* x/2^bits, rounded outwards. */
static struct cp_interval cp_interval_shift(struct cp *c, struct cp_interval x, size_t bits) {
  struct cp_int up = cp_int_shift(c, cp_int_neg(c, x.high), bits);
  return (struct cp_interval){cp_int_shift(c, x.low, bits), cp_int_neg(c, up)};
}

static struct cp_interval cp_interval_mul(struct cp *c, struct cp_interval a, struct cp_interval b,
                                          size_t p) {
  struct cp_int first = cp_int_mul(c, a.low, b.low);
  struct cp_int others[] = {cp_int_mul(c, a.low, b.high), cp_int_mul(c, a.high, b.low),
                            cp_int_mul(c, a.high, b.high)};
  struct cp_interval x = {first, first};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    if (cp_int_compare(others[i], x.low) < 0) x.low = others[i];
    if (cp_int_compare(others[i], x.high) > 0) x.high = others[i];
  }
  return cp_interval_shift(c, x, p);
}

/* False: the divisor may be 0, as far as it is known. */
static bool cp_interval_div(struct cp *c, struct cp_interval a, struct cp_interval b, size_t p,
                            struct cp_interval *x) {
  if (cp_int_sign(b.low) != cp_int_sign(b.high) || !cp_int_sign(b.low)) return false;
  struct cp_int unit = cp_power_of_two(c, p);
  struct cp_int low = cp_int_mul(c, a.low, unit), high = cp_int_mul(c, a.high, unit);
  cp_widen(c, x, low, b.low, true);
  cp_widen(c, x, low, b.high, false);
  cp_widen(c, x, high, b.low, false);
  cp_widen(c, x, high, b.high, false);
  return true;
}

/* exp(t) for |t| <= 1/2: terms t^j/j!, each rounded outwards, until they are at most one unit; what
 * follows is then less than one unit more. */
static struct cp_interval cp_exp_series(struct cp *c, struct cp_interval t, size_t p) {
  struct cp_int unit = cp_power_of_two(c, p);
  struct cp_interval sum = {unit, unit}, term = sum;
  for (int64_t j = 1;; j++) {
    struct cp_interval power = cp_interval_mul(c, term, t, p);
    cp_widen(c, &term, power.low, cp_word(j), true);
    cp_widen(c, &term, power.high, cp_word(j), false);
    sum.low = cp_int_add(c, sum.low, term.low);
    sum.high = cp_int_add(c, sum.high, term.high);
    if (cp_int_compare(term.low, cp_word(-1)) >= 0 && cp_int_compare(term.high, cp_word(1)) <= 0)
      break;
  }
  sum.low = cp_int_sub(c, sum.low, cp_word(1));
  sum.high = cp_int_add(c, sum.high, cp_word(1));
  return sum;
}

/* exp(x) = exp(x/2^k)^(2^k), with more digits in between. For x <= -p it is less than one unit. */
static struct cp_interval cp_interval_exp(struct cp *c, struct cp_interval x, size_t p) {
  enum { most = 24 };
  struct cp_int far = cp_int_mul(c, cp_word(-(int64_t)p), cp_power_of_two(c, p));
  if (cp_int_compare(x.high, far) <= 0) return (struct cp_interval){cp_word(0), cp_word(1)};
  size_t low = cp_int_bits(x.low), high = cp_int_bits(x.high), bits = low > high ? low : high;
  size_t k = bits + 1 > p ? bits + 1 - p : 0, more = 2 * k + 16;
  if (k > most) cp_fail(c, "", "the argument of exp is too large");
  struct cp_int up = cp_power_of_two(c, more - k);
  struct cp_interval t = {cp_int_mul(c, x.low, up), cp_int_mul(c, x.high, up)};
  struct cp_interval e = cp_exp_series(c, t, p + more);
  for (size_t i = 0; i < k; i++) {
    if (cp_int_sign(e.low) < 0) e.low = cp_word(0);
    e = cp_interval_mul(c, e, e, p + more);
  }
  return cp_interval_shift(c, e, more);
}

/* Quotients of exponentials that are all large, or all small: both sides are multiplied by exp(-m),
 * where m is the largest exponent below the line. */

/* x is about exp of this; it need not be. */
static struct cp_number cp_top(struct cp *c, const struct cp_real *x) {
  if (x->op == CP_EXP && x->a->op == CP_CONSTANT) return x->a->value;
  if (x->op == CP_CONSTANT || x->op == CP_EXP) return cp_small(0);
  struct cp_number a = cp_top(c, x->a), b = cp_top(c, x->b);
  if (x->op == CP_MUL) return cp_add(c, a, b);
  if (x->op == CP_DIV) return cp_sub(c, a, b);
  return cp_is_zero(x->a) ? b : cp_is_zero(x->b) ? a : cp_max(c, a, b);
}

/* x*exp(-m), multiplied out. */
static const struct cp_real *cp_scaled(struct cp *c, const struct cp_real *x, struct cp_number m) {
  if (x->op == CP_EXP && x->a->op == CP_CONSTANT)
    return cp_real(c, "", CP_EXP, cp_constant(c, cp_sub(c, x->a->value, m)), NULL);
  if (x->op == CP_CONSTANT || x->op == CP_EXP)
    return cp_real(c, "", CP_MUL, x, cp_real(c, "", CP_EXP, cp_constant(c, cp_neg(c, m)), NULL));
  if (x->op == CP_ADD || x->op == CP_SUB)
    return cp_real(c, "", x->op, cp_scaled(c, x->a, m), cp_scaled(c, x->b, m));
  struct cp_number part = cp_top(c, x->b);
  m = x->op == CP_MUL ? cp_sub(c, m, part) : cp_add(c, m, part);
  return cp_real(c, "", x->op, cp_scaled(c, x->a, m), cp_scaled(c, x->b, part));
}

/* False: more digits are needed to know anything. */
static bool cp_enclose(struct cp *c, const struct cp_real *x, size_t p, struct cp_interval *out) {
  enum { large = 64 };
  struct cp_interval a, b;
  if (x->op == CP_CONSTANT) {
    cp_widen(c, out, cp_int_mul(c, x->value.num, cp_power_of_two(c, p)), x->value.den, true);
    return true;
  }
  const struct cp_real *left = x->a, *right = x->b;
  struct cp_number m = x->op == CP_DIV ? cp_top(c, x->b) : cp_small(0);
  if (cp_compare(c, cp_abs(c, m), cp_small(large)) > 0) {
    left = cp_scaled(c, left, m);
    right = cp_scaled(c, right, m);
  }
  if (!cp_enclose(c, left, p, &a) || (right && !cp_enclose(c, right, p, &b))) return false;
  switch (x->op) {
  case CP_ADD:
    *out = (struct cp_interval){cp_int_add(c, a.low, b.low), cp_int_add(c, a.high, b.high)};
    return true;
  case CP_SUB:
    *out = (struct cp_interval){cp_int_sub(c, a.low, b.high), cp_int_sub(c, a.high, b.low)};
    return true;
  case CP_MUL: *out = cp_interval_mul(c, a, b, p); return true;
  case CP_DIV: return cp_interval_div(c, a, b, p, out);
  default: *out = cp_interval_exp(c, a, p); return true;
  }
}

static bool cp_same(struct cp *c, const struct cp_real *x, const struct cp_real *y) {
  if (x->op != y->op) return false;
  if (x->op == CP_CONSTANT) return cp_compare(c, x->value, y->value) == 0;
  return cp_same(c, x->a, y->a) && (!x->b || cp_same(c, x->b, y->b));
}

static bool cp_is_term(struct cp *c, const struct cp_real *x, const struct cp_real *sum) {
  return cp_same(c, x, sum) ||
         (sum->op == CP_ADD && (cp_is_term(c, x, sum->a) || cp_is_term(c, x, sum->b)));
}

/* Fails unless it is certain that 0 <= x <= 1. A share v/(v + w) is, however close to 0 or 1: whether
 * a run fails must not tell how large the weights are. */
static void cp_need_probability(struct cp *c, const char *where, const struct cp_real *x) {
  enum { first = 96, last = 1 << 13 };
  if (x->op == CP_DIV && cp_least_sign(x->a) >= 0 && cp_least_sign(x->b) > 0 &&
      cp_is_term(c, x->a, x->b))
    return;
  for (size_t p = first; p <= last; p *= 2) {
    struct cp_interval v;
    struct cp_int unit = cp_power_of_two(c, p);
    if (!cp_enclose(c, x, p, &v)) continue;
    if (cp_int_sign(v.low) >= 0 && cp_int_compare(v.high, unit) <= 0) return;
    if (cp_int_sign(v.high) < 0 || cp_int_compare(v.low, unit) > 0)
      cp_fail(c, where, "the probability is not between 0 and 1");
  }
  cp_fail(c, where, "cannot tell whether the probability is between 0 and 1");
}

/* U < x for a uniform U, of which [k, k+1]/2^bits is known: more bits and digits until it is
 * decided. */
static bool cp_below_real(struct cp *c, const struct cp_real *x) {
  enum { step = 8, guard = 32 };
  struct cp_int k = cp_word(0);
  struct cp_interval v = {cp_word(0), cp_word(0)};
  bool known = false;
  for (size_t bits = step, digits = 0;; bits += step) {
    size_t p = (bits / 64 + 1) * 64 + guard;
    if (p != digits) known = cp_enclose(c, x, digits = p, &v);
    k = cp_int_add(c, cp_int_mul(c, k, cp_word(1 << step)), cp_word(cp_random_bits(c, step)));
    if (!known) continue;
    struct cp_int unit = cp_power_of_two(c, p - bits);
    struct cp_int low = cp_int_mul(c, k, unit), high = cp_int_add(c, low, unit);
    if (cp_int_compare(high, v.low) <= 0) return true;
    if (cp_int_compare(low, v.high) >= 0) return false;
  }
}

static bool cp_draw_bernoulli_real(struct cp *c, const char *where, const struct cp_real *x) {
  if (x->op == CP_CONSTANT) return cp_draw_bernoulli(c, where, x->value);
  struct cp_chunk *last = c->chunks; /* not NULL: x is in one */
  size_t used = last->used;
  cp_need_probability(c, where, x);
  bool below = cp_below_real(c, x);
  cp_free_since(c, last, used);
  return below;
}
