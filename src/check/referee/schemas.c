#include "check/referee/schemas.h"

#include "num/arb_compat.h"
#include "num/ends.h"
#include "term/build.h"

static const struct {
  const char *name;
  size_t arity;
} table[SCHEMA_COUNT] = {
    [SCHEMA_TRICHOTOMY] = {"trichotomy", 2},
    [SCHEMA_QUOTIENT] = {"quotient", 2},
    [SCHEMA_ABS] = {"abs", 1},
    [SCHEMA_MIN] = {"min", 2},
    [SCHEMA_MAX] = {"max", 2},
    [SCHEMA_FLOOR] = {"floor", 1},
    [SCHEMA_CEIL] = {"ceil", 1},
    [SCHEMA_DIVMOD] = {"divmod", 2},
    [SCHEMA_CHOICE] = {"choice", 3},
    [SCHEMA_CONGRUENCE] = {"congruence", 2},
    [SCHEMA_READ] = {"read", 4},
    [SCHEMA_DIFFERING] = {"differing", 2},
    [SCHEMA_LENGTH] = {"length", 1},
    [SCHEMA_LIST] = {"list", 1},
    [SCHEMA_CONS] = {"cons", 2},
    [SCHEMA_APPEND] = {"append", 2},
    [SCHEMA_TUPLE] = {"tuple", 2},
    [SCHEMA_POWER] = {"power", 1},
    [SCHEMA_POWER_STEP] = {"power-step", 2},
    [SCHEMA_POWER_SHIFT] = {"power-shift", 2},
    [SCHEMA_EXP] = {"exp", 2},
    [SCHEMA_EXP_ORDER] = {"exp-order", 2},
    [SCHEMA_EXP_TANGENT] = {"exp-tangent", 2},
    [SCHEMA_EXP_SUM] = {"exp-sum", 2},
    [SCHEMA_EXP_MULTIPLE] = {"exp-multiple", 2},
    [SCHEMA_EXP_AT] = {"exp-at", 2},
    [SCHEMA_EXP_LINE] = {"exp-line", 2},
    [SCHEMA_LN] = {"ln", 2},
    [SCHEMA_LN_ORDER] = {"ln-order", 2},
    [SCHEMA_LN_PRODUCT] = {"ln-product", 2},
    [SCHEMA_LN_AT] = {"ln-at", 2},
    [SCHEMA_LN_LINE] = {"ln-line", 2},
    [SCHEMA_EXP_LN] = {"exp-ln", 1},
    [SCHEMA_LN_EXP] = {"ln-exp", 1},
    [SCHEMA_SQRT] = {"sqrt", 1},
    [SCHEMA_SQRT_AT] = {"sqrt-at", 1},
    [SCHEMA_SQRT_ORDER] = {"sqrt-order", 2},
    [SCHEMA_SQRT_PRODUCT] = {"sqrt-product", 2},
    [SCHEMA_PARTS] = {"parts", 2},
    [SCHEMA_POWER_SUM] = {"power-sum", 2},
};

const char *schema_name(enum schema s) {
  return table[s].name;
}

size_t schema_arity(enum schema s) {
  return table[s].arity;
}

/* ---- shorthands ------------------------------------------------------------------------------ */

static term_id num(struct terms *ts, long n) {
  return term_rat(ts, n, 1);
}

static term_id both(struct terms *ts, term_id a, term_id b) {
  return term_and(ts, a, b);
}

static term_id positive(struct terms *ts, term_id t) {
  return term_lt(ts, term_int(ts, 0), t);
}

static term_id natural(struct terms *ts, term_id t) {
  return term_le(ts, term_int(ts, 0), t);
}

static bool is_number(struct terms *ts, term_id t) {
  return sort_is_numeric(term_sort(ts, t));
}

static bool is_real(struct terms *ts, term_id t) {
  return term_sort(ts, t) == SORT_REAL;
}

static enum sort_kind kind_of(struct terms *ts, term_id t) {
  return sort_get(ts, term_sort(ts, t))->kind;
}

/* sum of c[i]/d[i] * x^i */
static term_id polynomial(struct terms *ts, const long *c, const unsigned long *d, size_t n,
                          term_id x) {
  term_id sum = num(ts, 0);
  for (size_t i = 0; i < n; i++)
    sum = term_add(ts, sum, term_mul(ts, term_rat(ts, c[i], d[i]), term_pow(ts, x, (unsigned)i)));
  return sum;
}

/* x < y and v < w, or x = y and v = w, or x > y and v > w */
static term_id same_order(struct terms *ts, term_id x, term_id y, term_id v, term_id w) {
  term_id cases[] = {both(ts, term_lt(ts, x, y), term_lt(ts, v, w)),
                     both(ts, term_eq(ts, x, y), term_eq(ts, v, w)),
                     both(ts, term_lt(ts, y, x), term_lt(ts, w, v))};
  return term_or_all(ts, cases, 3);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* b <> 0 -> a = b (a div b) + a mod b;   0 < b -> 0 <= a mod b < b;   b < 0 -> b < a mod b <= 0 */
static term_id divmod(struct terms *ts, term_id a, term_id b) {
  if (term_sort(ts, a) != SORT_INT || term_sort(ts, b) != SORT_INT) return TERM_NONE;
  term_id zero = term_int(ts, 0), q = term_idiv(ts, a, b), r = term_mod(ts, a, b);
  term_id parts[] = {
      term_or(ts, term_eq(ts, b, zero), term_eq(ts, a, term_add(ts, term_mul(ts, b, q), r))),
      term_or(ts, term_le(ts, b, zero), both(ts, natural(ts, r), term_lt(ts, r, b))),
      term_or(ts, term_le(ts, zero, b), both(ts, term_le(ts, r, zero), term_lt(ts, b, r)))};
  return term_and_all(ts, parts, 3);
}

static term_id numbers(struct terms *ts, enum schema s, term_id a, term_id b) {
  term_id zero = term_int(ts, 0), t;
  switch (s) {
  case SCHEMA_TRICHOTOMY: /* a = b or a < b or b < a */
    return term_or(ts, term_eq(ts, a, b), term_or(ts, term_lt(ts, a, b), term_lt(ts, b, a)));
  case SCHEMA_QUOTIENT: /* b = 0 or (a/b) b = a */
    return term_or(ts, term_eq(ts, b, zero), term_eq(ts, term_mul(ts, term_div(ts, a, b), b), a));
  case SCHEMA_ABS: /* 0 <= a -> |a| = a;   a <= 0 -> |a| = -a */
    t = term_abs(ts, a);
    return both(ts, term_implies(ts, term_le(ts, zero, a), term_eq(ts, t, a)),
                term_implies(ts, term_le(ts, a, zero), term_eq(ts, t, term_neg(ts, a))));
  case SCHEMA_MIN: /* a <= b -> min = a;   b <= a -> min = b */
    t = term_min(ts, a, b);
    return both(ts, term_implies(ts, term_le(ts, a, b), term_eq(ts, t, a)),
                term_implies(ts, term_le(ts, b, a), term_eq(ts, t, b)));
  case SCHEMA_MAX: /* a <= b -> max = b;   b <= a -> max = a */
    t = term_max(ts, a, b);
    return both(ts, term_implies(ts, term_le(ts, a, b), term_eq(ts, t, b)),
                term_implies(ts, term_le(ts, b, a), term_eq(ts, t, a)));
  case SCHEMA_FLOOR: /* floor(a) <= a < floor(a) + 1 */
    t = term_floor(ts, a);
    return both(ts, term_le(ts, t, a), term_lt(ts, a, term_add(ts, t, num(ts, 1))));
  case SCHEMA_CEIL: /* ceil(a) - 1 < a <= ceil(a) */
    t = term_ceil(ts, a);
    return both(ts, term_le(ts, a, t), term_lt(ts, term_sub(ts, t, num(ts, 1)), a));
  case SCHEMA_DIVMOD: return divmod(ts, a, b);
  default: return TERM_NONE;
  }
}

/* 0 <= t -> t + 1 <= b^t;   t = 0 -> b^t = 1   (b >= 2) */
static term_id power(struct terms *ts, term_id p) {
  term_id t = term_arg(ts, p, 0), one = term_int(ts, 1);
  return both(ts, term_implies(ts, natural(ts, t), term_le(ts, term_add(ts, t, one), p)),
              term_implies(ts, term_eq(ts, t, term_int(ts, 0)), term_eq(ts, p, one)));
}

static bool is_power(struct terms *ts, term_id t) {
  return term_kind(ts, t) == TERM_RAISE;
}

/* 0 <= t < u -> b b^t <= b^u */
static term_id power_step(struct terms *ts, term_id p, term_id q) {
  if (!is_power(ts, q) || term_get(ts, p)->data != term_get(ts, q)->data) return TERM_NONE;
  term_id t = term_arg(ts, p, 0), u = term_arg(ts, q, 0);
  term_id base = term_int(ts, (long)term_get(ts, p)->data);
  return term_implies(ts, both(ts, natural(ts, t), term_lt(ts, t, u)),
                      term_le(ts, term_mul(ts, base, p), q));
}

/* 0 <= t -> b^(t + c) = b^c b^t, for a number c >= 0 */
static term_id power_shift(struct terms *ts, term_id p, term_id c) {
  if (!term_is_num(ts, c) || term_sort(ts, c) != SORT_INT || fmpq_sgn(term_num_value(ts, c)) < 0)
    return TERM_NONE;
  uint32_t base = term_get(ts, p)->data;
  term_id t = term_arg(ts, p, 0), factor = term_raise(ts, base, c);
  if (!factor || !term_is_num(ts, factor)) return TERM_NONE;
  return term_implies(
      ts, natural(ts, t),
      term_eq(ts, term_raise(ts, base, term_add(ts, t, c)), term_mul(ts, factor, p)));
}

/* 0 <= t, 0 <= u -> b^(t + u) = b^t b^u */
static term_id power_sum(struct terms *ts, term_id p, term_id q) {
  if (!is_power(ts, q) || term_get(ts, p)->data != term_get(ts, q)->data) return TERM_NONE;
  term_id t = term_arg(ts, p, 0), u = term_arg(ts, q, 0);
  term_id whole = term_raise(ts, term_get(ts, p)->data, term_add(ts, t, u));
  if (whole == TERM_NONE) return TERM_NONE;
  return term_implies(ts, both(ts, natural(ts, t), natural(ts, u)),
                      term_eq(ts, whole, term_mul(ts, p, q)));
}

/* ---- structure ------------------------------------------------------------------------------- */

static bool same_head(struct terms *ts, term_id t, term_id u) {
  const struct term_node *m = term_get(ts, t), *n = term_get(ts, u);
  if (m->kind != n->kind || m->sort != n->sort || m->count != n->count || m->count == 0)
    return false;
  if (m->kind == TERM_FORALL || m->kind == TERM_EXISTS || m->data != n->data) return false;
  for (size_t i = 0; i < m->count; i++)
    if (term_sort(ts, term_arg(ts, t, i)) != term_sort(ts, term_arg(ts, u, i))) return false;
  return true;
}

/* x1 = y1 and ... -> f(x1, ...) = f(y1, ...) */
static term_id congruence(struct terms *ts, term_id t, term_id u) {
  if (!same_head(ts, t, u)) return TERM_NONE;
  term_id equal = term_bool(ts, true);
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    equal = term_and(ts, equal, term_eq(ts, term_arg(ts, t, i), term_arg(ts, u, i)));
  return term_implies(ts, equal, term_eq(ts, t, u));
}

/* Lists are finite. 0 <= length(l);   length(l) = 0 <-> l = nil;
 * l = nil or length(l) = length(tail l) + 1 */
static term_id length(struct terms *ts, term_id l) {
  term_id zero = term_int(ts, 0), n = term_length(ts, l);
  term_id empty = term_eq(ts, l, term_nil(ts, term_sort(ts, l)));
  term_id rest = term_length(ts, term_tail(ts, l));
  term_id parts[] = {term_le(ts, zero, n), term_iff(ts, term_eq(ts, n, zero), empty),
                     term_or(ts, empty, term_eq(ts, n, term_add(ts, rest, term_int(ts, 1))))};
  return term_and_all(ts, parts, 3);
}

/* a = nil -> a ++ b = b;   b = nil -> a ++ b = a;
 * a = nil or a ++ b = head a :: (tail a ++ b) */
static term_id append(struct terms *ts, term_id a, term_id b) {
  term_id nil = term_nil(ts, term_sort(ts, a)), whole = term_append(ts, a, b);
  term_id empty = term_eq(ts, a, nil);
  term_id unfolded = term_cons(ts, term_head(ts, a), term_append(ts, term_tail(ts, a), b));
  term_id parts[] = {term_implies(ts, empty, term_eq(ts, whole, b)),
                     term_implies(ts, term_eq(ts, b, nil), term_eq(ts, whole, a)),
                     term_or(ts, empty, term_eq(ts, whole, unfolded))};
  return term_and_all(ts, parts, 3);
}

/* equal items -> p = q */
static term_id tuple(struct terms *ts, term_id p, term_id q) {
  if (kind_of(ts, p) != SORT_KIND_TUPLE || term_sort(ts, p) != term_sort(ts, q)) return TERM_NONE;
  term_id equal = term_bool(ts, true);
  size_t count = sort_get(ts, term_sort(ts, p))->count;
  for (size_t i = 0; i < count; i++)
    equal = term_and(ts, equal, term_eq(ts, term_proj(ts, p, i), term_proj(ts, q, i)));
  return term_implies(ts, equal, term_eq(ts, p, q));
}

/* t = x :: l -> head t = x and tail t = l and t <> nil;
 * t = (x, y, ...) -> t.0 = x and t.1 = y and ... */
static term_id parts(struct terms *ts, term_id t, term_id c) {
  enum term_kind kind = term_kind(ts, c);
  if (term_sort(ts, t) != term_sort(ts, c) || (kind != TERM_CONS && kind != TERM_TUPLE))
    return TERM_NONE;
  term_id equal = term_bool(ts, true);
  for (size_t i = 0; i < term_arg_count(ts, c); i++) {
    term_id part = kind == TERM_TUPLE ? term_proj(ts, t, i)
                   : i == 0           ? term_head(ts, t)
                                      : term_tail(ts, t);
    equal = term_and(ts, equal, term_eq(ts, part, term_arg(ts, c, i)));
  }
  if (kind == TERM_CONS)
    equal = term_and(ts, equal, term_ne(ts, t, term_nil(ts, term_sort(ts, t))));
  return term_implies(ts, term_eq(ts, t, c), equal);
}

static term_id structure(struct terms *ts, enum schema s, const term_id *args) {
  term_id a = args[0], b = table[s].arity > 1 ? args[1] : TERM_NONE, t, d;
  switch (s) {
  case SCHEMA_CHOICE: /* c -> (if c then a else b) = a;   not c -> ... = b */
    if (term_sort(ts, a) != SORT_BOOL) return TERM_NONE;
    t = term_ite(ts, a, b, args[2]);
    return both(ts, term_implies(ts, a, term_eq(ts, t, b)),
                term_or(ts, a, term_eq(ts, t, args[2])));
  case SCHEMA_CONGRUENCE: return congruence(ts, a, b);
  case SCHEMA_READ: /* i = j -> a[i := v][j] = v;   i = j or a[i := v][j] = a[j] */
    t = term_select(ts, term_store(ts, a, b, args[2]), args[3]);
    d = term_eq(ts, b, args[3]);
    return both(ts, term_implies(ts, d, term_eq(ts, t, args[2])),
                term_or(ts, d, term_eq(ts, t, term_select(ts, a, args[3]))));
  case SCHEMA_DIFFERING: /* a = b or a[d] <> b[d], d = differing(a, b) */
    d = term_differing(ts, a, b);
    return term_or(ts, term_eq(ts, a, b),
                   term_ne(ts, term_select(ts, a, d), term_select(ts, b, d)));
  case SCHEMA_LENGTH: return length(ts, a);
  case SCHEMA_LIST: /* l = nil or l = head l :: tail l */
    return term_or(ts, term_eq(ts, a, term_nil(ts, term_sort(ts, a))),
                   term_eq(ts, a, term_cons(ts, term_head(ts, a), term_tail(ts, a))));
  case SCHEMA_CONS: /* x :: l <> nil */
    return term_ne(ts, term_cons(ts, a, b), term_nil(ts, term_sort(ts, b)));
  case SCHEMA_APPEND: return append(ts, a, b);
  case SCHEMA_TUPLE: return tuple(ts, a, b);
  case SCHEMA_PARTS: return parts(ts, a, b);
  default: return TERM_NONE;
  }
}

/* ---- exp, ln, sqrt --------------------------------------------------------------------------- */

static term_id exp_bound(struct terms *ts, term_id a, long which) {
  term_id zero = num(ts, 0), one = num(ts, 1), two = num(ts, 2), e = term_exp(ts, a), range;
  term_id scaled = term_mul(ts, e, term_sub(ts, two, a));
  switch (which) {
  case 0: /* 0 < e^a */ return positive(ts, e);
  case 1: /* 1 + a <= e^a */ return term_le(ts, term_add(ts, a, one), e);
  case 2: /* a < 1 -> e^a (1 - a) <= 1 */
    return term_implies(ts, term_lt(ts, a, one),
                        term_le(ts, term_mul(ts, e, term_sub(ts, one, a)), one));
  case 3: /* 1 + a + a^2/2 + a^3/6 <= e^a */
    return term_le(ts, polynomial(ts, (long[]){1, 1, 1, 1}, (unsigned long[]){1, 1, 2, 6}, 4, a),
                   e);
  case 4: /* 0 <= a -> 1 + a + a^2/2 <= e^a */
    return term_implies(
        ts, term_le(ts, zero, a),
        term_le(ts, polynomial(ts, (long[]){1, 1, 1}, (unsigned long[]){1, 1, 2}, 3, a), e));
  case 5: /* a <= 1 -> e^a <= 1 + a + a^2 */
    return term_implies(
        ts, term_le(ts, a, one),
        term_le(ts, e, polynomial(ts, (long[]){1, 1, 1}, (unsigned long[]){1, 1, 1}, 3, a)));
  case 6: /* a <= 1 -> e^a <= 1 + a + a^2/2 + a^3/6 + a^4/8 */
    return term_implies(
        ts, term_le(ts, a, one),
        term_le(ts, e,
                polynomial(ts, (long[]){1, 1, 1, 1, 1}, (unsigned long[]){1, 1, 2, 6, 8}, 5, a)));
  case 7: /* 0 <= a < 2 -> e^a (2 - a) <= 2 + a */
    range = both(ts, term_le(ts, zero, a), term_lt(ts, a, two));
    return term_implies(ts, range, term_le(ts, scaled, term_add(ts, two, a)));
  case 8: /* -2 < a <= 0 -> 2 + a <= e^a (2 - a) */
    range = both(ts, term_le(ts, a, zero), term_lt(ts, num(ts, -2), a));
    return term_implies(ts, range, term_le(ts, term_add(ts, two, a), scaled));
  default: return TERM_NONE;
  }
}

static term_id ln_bound(struct terms *ts, term_id u, long which) {
  term_id one = num(ts, 1), two = num(ts, 2), l = term_ln(ts, u);
  term_id minus = term_sub(ts, u, one), plus = term_add(ts, u, one);
  switch (which) {
  case 0: /* 0 < u -> ln u <= u - 1 */
    return term_implies(ts, positive(ts, u), term_le(ts, l, minus));
  case 1: /* 0 < u -> u - 1 <= u ln u */
    return term_implies(ts, positive(ts, u), term_le(ts, minus, term_mul(ts, l, u)));
  case 2: /* 1 <= u -> 2 (u - 1) <= (u + 1) ln u */
    return term_implies(ts, term_le(ts, one, u),
                        term_le(ts, term_mul(ts, two, minus), term_mul(ts, l, plus)));
  case 3: /* 0 < u <= 1 -> (u + 1) ln u <= 2 (u - 1) */
    return term_implies(ts, both(ts, positive(ts, u), term_le(ts, u, one)),
                        term_le(ts, term_mul(ts, l, plus), term_mul(ts, two, minus)));
  default: return TERM_NONE;
  }
}

/* Rational bounds of exp, ln or sqrt at a rational, from a ball. */
static bool enclose(const fmpq *c, enum term_kind f, fmpq_t low, fmpq_t high) {
  enum { BITS = 20 };
  arb_t x;
  arb_init(x);
  arb_set_fmpq(x, c, 2 * BITS);
  bool ok = true;
  if (f == TERM_EXP) {
    ok = mag_cmp_2exp_si(arb_radref(x), 0) < 0 && arf_cmpabs_2exp_si(arb_midref(x), 10) < 0;
    if (ok) arb_exp(x, x, 2 * BITS);
  } else if (f == TERM_LN) {
    arb_log(x, x, 2 * BITS);
  } else {
    arb_sqrt(x, x, 2 * BITS);
  }
  ok = ok && arb_is_finite(x);
  if (ok) ball_short_ends(low, high, x, BITS);
  arb_clear(x);
  return ok;
}

/* c <= x -> low <= f(x);   x <= c -> f(x) <= high   (ln: for 0 < x), low <= f(c) <= high */
static term_id at_number(struct terms *ts, term_id x, term_id c, bool is_exp, const fmpq_t low,
                         const fmpq_t high) {
  term_id y = is_exp ? term_exp(ts, x) : term_ln(ts, x), below = term_le(ts, x, c);
  if (!is_exp) below = both(ts, positive(ts, x), below);
  return both(ts, term_implies(ts, term_le(ts, c, x), term_le(ts, term_num(ts, low, SORT_REAL), y)),
              term_implies(ts, below, term_le(ts, y, term_num(ts, high, SORT_REAL))));
}

/* exp: 0 <= 1 + x - c -> low (1 + x - c) <= e^x;   ln: 0 < x -> ln x <= high + (x - c)/c */
static term_id line_at_number(struct terms *ts, term_id x, term_id c, bool is_exp, const fmpq_t low,
                              const fmpq_t high) {
  term_id offset = term_sub(ts, x, c);
  if (is_exp) {
    term_id line = term_add(ts, num(ts, 1), offset);
    return term_implies(
        ts, term_le(ts, num(ts, 0), line),
        term_le(ts, term_mul(ts, term_num(ts, low, SORT_REAL), line), term_exp(ts, x)));
  }
  term_id line = term_add(ts, term_num(ts, high, SORT_REAL), term_div(ts, offset, c));
  return term_implies(ts, positive(ts, x), term_le(ts, term_ln(ts, x), line));
}

static term_id near_number(struct terms *ts, enum schema s, term_id x, term_id c) {
  bool is_exp = s == SCHEMA_EXP_AT || s == SCHEMA_EXP_LINE;
  if (!term_is_num(ts, c) || (!is_exp && fmpq_sgn(term_num_value(ts, c)) <= 0)) return TERM_NONE;
  fmpq_t low, high;
  fmpq_init(low);
  fmpq_init(high);
  term_id fact = TERM_NONE;
  if (enclose(term_num_value(ts, c), is_exp ? TERM_EXP : TERM_LN, low, high))
    fact = s == SCHEMA_EXP_AT || s == SCHEMA_LN_AT ? at_number(ts, x, c, is_exp, low, high)
                                                   : line_at_number(ts, x, c, is_exp, low, high);
  fmpq_clear(low);
  fmpq_clear(high);
  return fact;
}

/* low <= sqrt c <= high, for a number c >= 0 */
static term_id sqrt_at(struct terms *ts, term_id c) {
  if (!term_is_num(ts, c) || fmpq_sgn(term_num_value(ts, c)) < 0) return TERM_NONE;
  fmpq_t low, high;
  fmpq_init(low);
  fmpq_init(high);
  term_id fact = TERM_NONE, s = term_sqrt(ts, c);
  if (enclose(term_num_value(ts, c), TERM_SQRT, low, high))
    fact = both(ts, term_le(ts, term_num(ts, low, SORT_REAL), s),
                term_le(ts, s, term_num(ts, high, SORT_REAL)));
  fmpq_clear(low);
  fmpq_clear(high);
  return fact;
}

/* An integer argument of a schema, e.g. the number of a bound. */
static bool small_integer(struct terms *ts, term_id t, long *value) {
  if (!term_is_num(ts, t)) return false;
  const fmpq *q = term_num_value(ts, t);
  if (!fmpz_is_one(fmpq_denref(q)) || fmpz_bits(fmpq_numref(q)) > 10) return false;
  *value = fmpz_get_si(fmpq_numref(q));
  return true;
}

/* k >= 1: e^(k a) = (e^a)^k;   k <= -1: e^(k a) (e^a)^-k = 1 */
static term_id exp_multiple(struct terms *ts, term_id a, term_id number) {
  long k;
  if (!small_integer(ts, number, &k) || k == 0 || k > 64 || k < -64) return TERM_NONE;
  term_id e = term_exp(ts, term_mul(ts, num(ts, k), a));
  term_id p = term_pow(ts, term_exp(ts, a), (unsigned)(k > 0 ? k : -k));
  return k > 0 ? term_eq(ts, e, p) : term_eq(ts, term_mul(ts, e, p), num(ts, 1));
}

static term_id transcendental(struct terms *ts, enum schema s, term_id a, term_id b) {
  term_id zero = num(ts, 0), guard;
  long which;
  switch (s) {
  case SCHEMA_EXP: return small_integer(ts, b, &which) ? exp_bound(ts, a, which) : TERM_NONE;
  case SCHEMA_LN: return small_integer(ts, b, &which) ? ln_bound(ts, a, which) : TERM_NONE;
  case SCHEMA_EXP_ORDER: /* exp is strictly increasing */
    return same_order(ts, a, b, term_exp(ts, a), term_exp(ts, b));
  case SCHEMA_EXP_TANGENT: /* e^b (1 + a - b) <= e^a */
    return term_le(ts, term_mul(ts, term_exp(ts, b), term_add(ts, num(ts, 1), term_sub(ts, a, b))),
                   term_exp(ts, a));
  case SCHEMA_EXP_SUM: /* e^(a + b) = e^a e^b */
    return term_eq(ts, term_exp(ts, term_add(ts, a, b)),
                   term_mul(ts, term_exp(ts, a), term_exp(ts, b)));
  case SCHEMA_EXP_MULTIPLE: return exp_multiple(ts, a, b);
  case SCHEMA_EXP_AT:
  case SCHEMA_EXP_LINE:
  case SCHEMA_LN_AT:
  case SCHEMA_LN_LINE: return near_number(ts, s, a, b);
  case SCHEMA_LN_ORDER: /* 0 < u, 0 < v: ln is strictly increasing */
    return term_implies(ts, both(ts, positive(ts, a), positive(ts, b)),
                        same_order(ts, a, b, term_ln(ts, a), term_ln(ts, b)));
  case SCHEMA_LN_PRODUCT: /* 0 < u, 0 < v -> ln(u v) = ln u + ln v */
    return term_implies(
        ts, both(ts, positive(ts, a), positive(ts, b)),
        term_eq(ts, term_ln(ts, term_mul(ts, a, b)), term_add(ts, term_ln(ts, a), term_ln(ts, b))));
  case SCHEMA_EXP_LN: /* 0 < u -> e^(ln u) = u */
    return term_implies(ts, positive(ts, a), term_eq(ts, term_exp(ts, term_ln(ts, a)), a));
  case SCHEMA_LN_EXP: /* ln(e^a) = a */ return term_eq(ts, term_ln(ts, term_exp(ts, a)), a);
  case SCHEMA_SQRT: /* 0 <= u -> 0 <= sqrt u and (sqrt u)^2 = u */
    guard = term_sqrt(ts, a);
    return term_implies(
        ts, term_le(ts, zero, a),
        both(ts, term_le(ts, zero, guard), term_eq(ts, term_mul(ts, guard, guard), a)));
  case SCHEMA_SQRT_AT: return sqrt_at(ts, a);
  case SCHEMA_SQRT_ORDER: /* 0 <= u, 0 <= v: sqrt is strictly increasing */
    return term_implies(ts, both(ts, term_le(ts, zero, a), term_le(ts, zero, b)),
                        same_order(ts, a, b, term_sqrt(ts, a), term_sqrt(ts, b)));
  case SCHEMA_SQRT_PRODUCT: /* 0 <= u, 0 <= v -> sqrt(u v) = sqrt u sqrt v */
    return term_implies(ts, both(ts, term_le(ts, zero, a), term_le(ts, zero, b)),
                        term_eq(ts, term_sqrt(ts, term_mul(ts, a, b)),
                                term_mul(ts, term_sqrt(ts, a), term_sqrt(ts, b))));
  default: return TERM_NONE;
  }
}

term_id schema_formula(struct terms *ts, enum schema s, const term_id *args, size_t count) {
  if (s >= SCHEMA_COUNT || count != table[s].arity) return TERM_NONE;
  for (size_t i = 0; i < count; i++)
    if (args[i] == TERM_NONE || term_get(ts, args[i])->loose) return TERM_NONE;
  term_id a = args[0], b = count > 1 ? args[1] : TERM_NONE;
  if ((s >= SCHEMA_CHOICE && s <= SCHEMA_TUPLE) || s == SCHEMA_PARTS) return structure(ts, s, args);
  if ((s >= SCHEMA_POWER && s <= SCHEMA_POWER_SHIFT) || s == SCHEMA_POWER_SUM) {
    if (!is_power(ts, a)) return TERM_NONE;
    return s == SCHEMA_POWER         ? power(ts, a)
           : s == SCHEMA_POWER_STEP  ? power_step(ts, a, b)
           : s == SCHEMA_POWER_SHIFT ? power_shift(ts, a, b)
                                     : power_sum(ts, a, b);
  }
  if (!is_number(ts, a) || (count > 1 && !is_number(ts, b))) return TERM_NONE;
  if (s < SCHEMA_CHOICE) return numbers(ts, s, a, b);
  return is_real(ts, a) ? transcendental(ts, s, a, b) : TERM_NONE;
}
