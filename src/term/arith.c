/* Builders of arithmetic terms. */
#include <stdlib.h>

#include "term/build.h"
#include "term/linear.h"

static term_id make1(struct terms *ts, enum term_kind kind, sort_id sort, term_id a) {
  return term_make_(ts, (struct term_node){.kind = kind, .sort = sort}, &a, 1);
}

static term_id make2(struct terms *ts, enum term_kind kind, sort_id sort, term_id a, term_id b) {
  return term_make_(ts, (struct term_node){.kind = kind, .sort = sort}, (term_id[]){a, b}, 2);
}

term_id term_int(struct terms *ts, long value) {
  fmpq q;
  fmpq_init(&q);
  fmpq_set_si(&q, value, 1);
  term_id t = term_num(ts, &q, SORT_INT);
  fmpq_clear(&q);
  return t;
}

term_id term_rat(struct terms *ts, long numerator, unsigned long denominator) {
  if (!denominator) return term_fail_(ts, TERM_FAILURE_SORT);
  fmpq q;
  fmpq_init(&q);
  fmpq_set_si(&q, numerator, denominator);
  term_id t = term_num(ts, &q, SORT_REAL);
  fmpq_clear(&q);
  return t;
}

/* All arguments numeric: their common sort; else SORT_NONE with the failure noted. */
static sort_id common_sort(struct terms *ts, const term_id *args, size_t count) {
  sort_id sort = SORT_INT;
  for (size_t i = 0; i < count; i++) {
    if (args[i] == TERM_NONE) return SORT_NONE;
    sort_id s = term_sort(ts, args[i]);
    if (!sort_is_numeric(s)) {
      term_fail_(ts, TERM_FAILURE_SORT);
      return SORT_NONE;
    }
    if (s == SORT_REAL) sort = SORT_REAL;
  }
  return sort;
}

/* Brings two numeric arguments to their common sort. */
static sort_id unify(struct terms *ts, term_id *a, term_id *b) {
  sort_id sort = common_sort(ts, (term_id[]){*a, *b}, 2);
  if (sort == SORT_REAL) {
    *a = term_to_real(ts, *a);
    *b = term_to_real(ts, *b);
    if (!*a || !*b) return SORT_NONE;
  }
  return sort;
}

static term_id linear_combination(struct terms *ts, const term_id *args, const long *scales,
                                  size_t count) {
  sort_id sort = common_sort(ts, args, count);
  if (sort == SORT_NONE) return TERM_NONE;
  struct linear sum;
  linear_init(&sum);
  fmpq scale;
  fmpq_init(&scale);
  bool ok = true;
  for (size_t i = 0; ok && i < count; i++) {
    term_id a = sort == SORT_REAL ? term_to_real(ts, args[i]) : args[i];
    ok = a != TERM_NONE;
    fmpq_set_si(&scale, scales ? scales[i] : 1, 1);
    if (ok) linear_add(&sum, ts, &scale, a);
  }
  term_id t = ok ? linear_term(&sum, ts, sort) : TERM_NONE;
  fmpq_clear(&scale);
  linear_clear(&sum);
  return t;
}

term_id term_sum(struct terms *ts, const term_id *args, size_t count) {
  return linear_combination(ts, args, NULL, count);
}

term_id term_add(struct terms *ts, term_id a, term_id b) {
  return linear_combination(ts, (term_id[]){a, b}, NULL, 2);
}

term_id term_sub(struct terms *ts, term_id a, term_id b) {
  return linear_combination(ts, (term_id[]){a, b}, (long[]){1, -1}, 2);
}

term_id term_neg(struct terms *ts, term_id a) {
  return linear_combination(ts, &a, (long[]){-1}, 1);
}

/* ---- products ------------------------------------------------------------------------------- */

struct factor {
  term_id base;
  unsigned long exponent;
};

struct product {
  fmpq coefficient;
  VEC(struct factor) factors;
};

static void product_add(struct product *p, struct terms *ts, term_id t) {
  if (term_kind(ts, t) == TERM_NUM) {
    fmpq_mul(&p->coefficient, &p->coefficient, term_num_value(ts, t));
  } else if (term_kind(ts, t) == TERM_MUL) {
    for (size_t i = 0; i < term_arg_count(ts, t); i++)
      product_add(p, ts, term_arg(ts, t, i));
  } else if (term_kind(ts, t) == TERM_POW) {
    vec_push(&p->factors, (struct factor){term_arg(ts, t, 0), term_get(ts, t)->data});
  } else {
    vec_push(&p->factors, (struct factor){t, 1});
  }
}

static int by_base(const void *a, const void *b) {
  term_id x = ((const struct factor *)a)->base, y = ((const struct factor *)b)->base;
  return (x > y) - (x < y);
}

static void product_normalise(struct product *p) {
  if (p->factors.len > 1) qsort(p->factors.at, p->factors.len, sizeof *p->factors.at, by_base);
  size_t kept = 0;
  for (size_t i = 0; i < p->factors.len;) {
    struct factor f = p->factors.at[i++];
    while (i < p->factors.len && p->factors.at[i].base == f.base)
      f.exponent += p->factors.at[i++].exponent;
    p->factors.at[kept++] = f;
  }
  p->factors.len = kept;
}

static term_id power_node(struct terms *ts, struct factor f, sort_id sort) {
  if (f.exponent == 1) return f.base;
  if (f.exponent > TERM_LIMIT_POWER) return term_fail_(ts, TERM_FAILURE_NUMBER);
  return term_make_(
      ts, (struct term_node){.kind = TERM_POW, .sort = sort, .data = (uint32_t)f.exponent}, &f.base,
      1);
}

static term_id scale_term(struct terms *ts, const fmpq *coefficient, term_id t, sort_id sort) {
  struct linear l;
  linear_init(&l);
  linear_add(&l, ts, coefficient, t);
  term_id result = linear_term(&l, ts, sort);
  linear_clear(&l);
  return result;
}

static term_id product_term(struct product *p, struct terms *ts, sort_id sort) {
  if (fmpq_is_zero(&p->coefficient)) p->factors.len = 0;
  product_normalise(p);
  if (!p->factors.len) return term_num(ts, &p->coefficient, sort);
  term_list args = {0};
  for (size_t i = 0; i < p->factors.len; i++)
    vec_push(&args, power_node(ts, p->factors.at[i], sort));
  term_id t = args.len == 1 ? args.at[0]
                            : term_make_(ts, (struct term_node){.kind = TERM_MUL, .sort = sort},
                                         args.at, args.len);
  vec_clear(&args);
  if (t == TERM_NONE || fmpq_is_one(&p->coefficient)) return t;
  return scale_term(ts, &p->coefficient, t, sort);
}

term_id term_product(struct terms *ts, const term_id *args, size_t count) {
  sort_id sort = common_sort(ts, args, count);
  if (sort == SORT_NONE) return TERM_NONE;
  struct product p = {0};
  fmpq_init(&p.coefficient);
  fmpq_one(&p.coefficient);
  bool ok = true;
  for (size_t i = 0; ok && i < count; i++) {
    term_id a = sort == SORT_REAL ? term_to_real(ts, args[i]) : args[i];
    ok = a != TERM_NONE;
    if (ok) product_add(&p, ts, a);
    ok = ok && (fmpq_height_bits(&p.coefficient) <= TERM_LIMIT_BITS ||
                term_fail_(ts, TERM_FAILURE_NUMBER) != TERM_NONE);
  }
  term_id t = ok ? product_term(&p, ts, sort) : TERM_NONE;
  vec_clear(&p.factors);
  fmpq_clear(&p.coefficient);
  return t;
}

term_id term_mul(struct terms *ts, term_id a, term_id b) {
  return term_product(ts, (term_id[]){a, b}, 2);
}

static term_id number_power(struct terms *ts, term_id base, unsigned exponent) {
  if (fmpq_height_bits(term_num_value(ts, base)) * exponent > TERM_LIMIT_BITS)
    return term_fail_(ts, TERM_FAILURE_NUMBER);
  fmpq q;
  fmpq_init(&q);
  fmpq_pow_si(&q, term_num_value(ts, base), (slong)exponent);
  term_id t = term_num(ts, &q, term_sort(ts, base));
  fmpq_clear(&q);
  return t;
}

term_id term_pow(struct terms *ts, term_id base, unsigned exponent) {
  sort_id sort = common_sort(ts, &base, 1);
  if (sort == SORT_NONE) return TERM_NONE;
  if (exponent > TERM_LIMIT_POWER) return term_fail_(ts, TERM_FAILURE_NUMBER);
  if (exponent == 0) return sort == SORT_INT ? term_int(ts, 1) : term_rat(ts, 1, 1);
  if (exponent == 1) return base;
  if (term_is_num(ts, base)) return number_power(ts, base, exponent);
  if (term_kind(ts, base) == TERM_MUL) { /* (c x y)^k = c^k x^k y^k */
    term_list args = {0};
    for (size_t i = 0; i < term_arg_count(ts, base); i++)
      vec_push(&args, term_pow(ts, term_arg(ts, base, i), exponent));
    term_id t = term_product(ts, args.at, args.len);
    vec_clear(&args);
    return t;
  }
  struct factor f = {base, exponent};
  if (term_kind(ts, base) == TERM_POW)
    f = (struct factor){term_arg(ts, base, 0), (unsigned long)exponent * term_get(ts, base)->data};
  return power_node(ts, f, sort);
}

/* A constant exponent that is not too large is computed. */
term_id term_raise(struct terms *ts, uint32_t base, term_id exponent) {
  if (exponent == TERM_NONE) return TERM_NONE;
  if (base < 2 || term_sort(ts, exponent) != SORT_INT) return term_fail_(ts, TERM_FAILURE_SORT);
  if (term_is_num(ts, exponent)) {
    const fmpz *k = fmpq_numref(term_num_value(ts, exponent));
    if (fmpz_sgn(k) >= 0 && fmpz_cmp_ui(k, TERM_LIMIT_POWER) <= 0) {
      unsigned power = (unsigned)fmpz_get_ui(k); /* before the next number is made */
      return term_pow(ts, term_int(ts, (long)base), power);
    }
  }
  struct term_node n = {.kind = TERM_RAISE, .sort = SORT_INT, .data = base};
  return term_make_(ts, n, &exponent, 1);
}

/* ---- quotients ------------------------------------------------------------------------------ */

term_id term_div(struct terms *ts, term_id a, term_id b) {
  a = term_to_real(ts, a);
  b = term_to_real(ts, b);
  if (!a || !b) return TERM_NONE;
  if (!term_is_num(ts, b) || fmpq_is_zero(term_num_value(ts, b)))
    return make2(ts, TERM_DIV, SORT_REAL, a, b);
  fmpq inverse;
  fmpq_init(&inverse);
  fmpq_inv(&inverse, term_num_value(ts, b));
  term_id t = scale_term(ts, &inverse, a, SORT_REAL);
  fmpq_clear(&inverse);
  return t;
}

static bool is_int(struct terms *ts, term_id t) {
  if (t == TERM_NONE) return false;
  if (term_sort(ts, t) == SORT_INT) return true;
  term_fail_(ts, TERM_FAILURE_SORT);
  return false;
}

/* Both numbers, the divisor not 0: quotient or remainder of floor division. */
static term_id divide_numbers(struct terms *ts, term_id a, term_id b, bool quotient) {
  const fmpz *x = fmpq_numref(term_num_value(ts, a)), *y = fmpq_numref(term_num_value(ts, b));
  fmpq q;
  fmpq_init(&q);
  if (quotient)
    fmpz_fdiv_q(fmpq_numref(&q), x, y);
  else
    fmpz_fdiv_r(fmpq_numref(&q), x, y);
  term_id t = term_num(ts, &q, SORT_INT);
  fmpq_clear(&q);
  return t;
}

static term_id int_division(struct terms *ts, term_id a, term_id b, bool quotient) {
  if (!is_int(ts, a) || !is_int(ts, b)) return TERM_NONE;
  if (term_is_num(ts, b) && !fmpq_is_zero(term_num_value(ts, b))) {
    if (term_is_num(ts, a)) return divide_numbers(ts, a, b, quotient);
    if (fmpq_is_one(term_num_value(ts, b))) return quotient ? a : term_int(ts, 0);
  }
  return make2(ts, quotient ? TERM_IDIV : TERM_MOD, SORT_INT, a, b);
}

term_id term_idiv(struct terms *ts, term_id a, term_id b) {
  return int_division(ts, a, b, true);
}

term_id term_mod(struct terms *ts, term_id a, term_id b) {
  return int_division(ts, a, b, false);
}

/* ---- conversions and rounding --------------------------------------------------------------- */

term_id term_to_real(struct terms *ts, term_id a) {
  if (common_sort(ts, &a, 1) == SORT_NONE) return TERM_NONE;
  if (term_sort(ts, a) == SORT_REAL) return a;
  switch (term_kind(ts, a)) {
  case TERM_NUM: {
    fmpq copy;
    fmpq_init(&copy);
    fmpq_set(&copy, term_num_value(ts, a));
    term_id t = term_num(ts, &copy, SORT_REAL);
    fmpq_clear(&copy);
    return t;
  }
  case TERM_ADD:
  case TERM_MUL: {
    term_list args = {0};
    enum term_kind kind = term_kind(ts, a);
    for (size_t i = 0; i < term_arg_count(ts, a); i++)
      vec_push(&args, term_to_real(ts, term_arg(ts, a, i)));
    term_id t = (kind == TERM_ADD ? term_sum : term_product)(ts, args.at, args.len);
    vec_clear(&args);
    return t;
  }
  case TERM_POW: return term_pow(ts, term_to_real(ts, term_arg(ts, a, 0)), term_get(ts, a)->data);
  case TERM_ABS: return term_abs(ts, term_to_real(ts, term_arg(ts, a, 0)));
  case TERM_MIN:
  case TERM_MAX: {
    enum term_kind kind = term_kind(ts, a);
    term_id x = term_to_real(ts, term_arg(ts, a, 0)), y = term_to_real(ts, term_arg(ts, a, 1));
    return (kind == TERM_MIN ? term_min : term_max)(ts, x, y);
  }
  case TERM_ITE: {
    term_id c = term_arg(ts, a, 0);
    term_id x = term_to_real(ts, term_arg(ts, a, 1)), y = term_to_real(ts, term_arg(ts, a, 2));
    return term_ite(ts, c, x, y);
  }
  default: return make1(ts, TERM_TO_REAL, SORT_REAL, a);
  }
}

/* Splits a real sum into an integer term and the rest: floor(n + r) = n + floor(r). */
static void split_integer_part(struct terms *ts, term_id a, term_id *integer, term_id *rest) {
  struct linear whole, left, right;
  linear_read(&whole, ts, a);
  linear_init(&left);
  linear_init(&right);
  for (size_t i = 0; i < whole.items.len; i++) {
    struct linear_item *item = &whole.items.at[i];
    bool is_integer =
        term_kind(ts, item->atom) == TERM_TO_REAL && fmpz_is_one(fmpq_denref(&item->coefficient));
    if (is_integer)
      linear_add(&left, ts, &item->coefficient, term_arg(ts, item->atom, 0));
    else
      linear_add(&right, ts, &item->coefficient, item->atom);
  }
  fmpz_fdiv_q(fmpq_numref(&left.constant), fmpq_numref(&whole.constant),
              fmpq_denref(&whole.constant));
  fmpq_sub(&right.constant, &whole.constant, &left.constant);
  *integer = linear_term(&left, ts, SORT_INT);
  *rest = linear_term(&right, ts, SORT_REAL);
  linear_clear(&whole);
  linear_clear(&left);
  linear_clear(&right);
}

term_id term_floor(struct terms *ts, term_id a) {
  sort_id sort = common_sort(ts, &a, 1);
  if (sort != SORT_REAL) return sort == SORT_INT ? a : TERM_NONE;
  term_id integer, rest;
  split_integer_part(ts, a, &integer, &rest);
  if (!integer || !rest) return TERM_NONE;
  /* A rest that is a number lies in [0,1). */
  if (term_is_num(ts, rest)) return integer;
  return term_add(ts, integer, make1(ts, TERM_FLOOR, SORT_INT, rest));
}

term_id term_ceil(struct terms *ts, term_id a) {
  sort_id sort = common_sort(ts, &a, 1);
  if (sort != SORT_REAL) return sort == SORT_INT ? a : TERM_NONE;
  term_id integer, rest;
  split_integer_part(ts, a, &integer, &rest);
  if (!integer || !rest) return TERM_NONE;
  if (term_is_num(ts, rest))
    return fmpq_is_zero(term_num_value(ts, rest)) ? integer
                                                  : term_add(ts, integer, term_int(ts, 1));
  return term_add(ts, integer, make1(ts, TERM_CEIL, SORT_INT, rest));
}

/* ---- abs, min, max -------------------------------------------------------------------------- */

/* Is the first coefficient negative? Of t and -t exactly one has it, so |t| = |-t| is one term. */
static bool leads_negative(struct terms *ts, term_id t) {
  fmpq c;
  fmpq_init(&c);
  term_id atom;
  term_id lead = term_kind(ts, t) == TERM_ADD ? term_arg(ts, t, 0) : t;
  bool negative = term_split_coefficient(ts, lead, &c, &atom) && fmpq_sgn(&c) < 0;
  fmpq_clear(&c);
  return negative;
}

term_id term_abs(struct terms *ts, term_id a) {
  sort_id sort = common_sort(ts, &a, 1);
  if (sort == SORT_NONE) return TERM_NONE;
  if (leads_negative(ts, a)) a = term_neg(ts, a);
  if (a == TERM_NONE || term_is_num(ts, a)) return a;
  enum term_kind kind = term_kind(ts, a);
  if (kind == TERM_ABS || kind == TERM_EXP) return a;
  return make1(ts, TERM_ABS, sort, a);
}

static term_id extremum(struct terms *ts, enum term_kind kind, term_id a, term_id b) {
  sort_id sort = unify(ts, &a, &b);
  if (sort == SORT_NONE) return TERM_NONE;
  term_id difference = term_sub(ts, a, b);
  if (term_is_num(ts, difference)) {
    bool a_is_less = fmpq_sgn(term_num_value(ts, difference)) <= 0;
    return a_is_less == (kind == TERM_MIN) ? a : b;
  }
  return a < b ? make2(ts, kind, sort, a, b) : make2(ts, kind, sort, b, a);
}

term_id term_min(struct terms *ts, term_id a, term_id b) {
  return extremum(ts, TERM_MIN, a, b);
}

term_id term_max(struct terms *ts, term_id a, term_id b) {
  return extremum(ts, TERM_MAX, a, b);
}

/* ---- exp, ln, sqrt -------------------------------------------------------------------------- */

static bool is_value(const struct terms *ts, term_id t, long value) {
  return term_is_num(ts, t) && fmpz_is_one(fmpq_denref(term_num_value(ts, t))) &&
         fmpz_equal_si(fmpq_numref(term_num_value(ts, t)), value);
}

term_id term_exp(struct terms *ts, term_id a) {
  a = term_to_real(ts, a);
  if (a == TERM_NONE) return a;
  if (is_value(ts, a, 0)) return term_rat(ts, 1, 1);
  return make1(ts, TERM_EXP, SORT_REAL, a);
}

term_id term_ln(struct terms *ts, term_id a) {
  a = term_to_real(ts, a);
  if (a == TERM_NONE) return a;
  if (is_value(ts, a, 1)) return term_rat(ts, 0, 1);
  if (term_kind(ts, a) == TERM_EXP) return term_arg(ts, a, 0);
  return make1(ts, TERM_LN, SORT_REAL, a);
}

term_id term_sqrt(struct terms *ts, term_id a) {
  a = term_to_real(ts, a);
  if (a == TERM_NONE) return a;
  if (term_is_num(ts, a)) {
    const fmpq *v = term_num_value(ts, a);
    if (fmpz_is_square(fmpq_numref(v)) && fmpz_is_square(fmpq_denref(v))) {
      fmpq root;
      fmpq_init(&root);
      fmpz_sqrt(fmpq_numref(&root), fmpq_numref(v));
      fmpz_sqrt(fmpq_denref(&root), fmpq_denref(v));
      term_id t = term_num(ts, &root, SORT_REAL);
      fmpq_clear(&root);
      return t;
    }
  }
  return make1(ts, TERM_SQRT, SORT_REAL, a);
}
