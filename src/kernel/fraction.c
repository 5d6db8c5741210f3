#include "kernel/fraction.h"

#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

/* coefficient * e^exponent * rest; rest is a product of atoms, or 1. */
struct item {
  fmpq coefficient;
  term_id exponent, rest;
};
typedef VEC(struct item) sum;

/* above/below, products of sums that are written as terms. */
struct fraction {
  term_list above, below;
};

struct clearing {
  struct terms *ts;
  term_id zero, one;
  term_list positive; /* must be > 0 */
  bool failed;        /* a limit was hit */
};

/* ---- sums of products ----------------------------------------------------------------------- */

static void sum_clear(sum *s) {
  for (size_t i = 0; i < s->len; i++)
    fmpq_clear(&s->at[i].coefficient);
  vec_clear(s);
}

/* Adds c * e^exponent * rest. */
static void sum_add(struct clearing *x, sum *s, const fmpq *c, term_id exponent, term_id rest) {
  if (exponent == TERM_NONE || rest == TERM_NONE || s->len >= FRACTION_ITEMS) {
    x->failed = true;
    return;
  }
  for (size_t i = 0; i < s->len; i++)
    if (s->at[i].exponent == exponent && s->at[i].rest == rest) {
      fmpq_add(&s->at[i].coefficient, &s->at[i].coefficient, c);
      return;
    }
  struct item new = {.exponent = exponent, .rest = rest};
  fmpq_init(&new.coefficient);
  fmpq_set(&new.coefficient, c);
  vec_push(s, new);
}

static void sum_multiply(struct clearing *x, sum *out, const sum *a, const sum *b) {
  fmpq_t c;
  fmpq_init(c);
  for (size_t i = 0; i < a->len && !x->failed; i++)
    for (size_t j = 0; j < b->len && !x->failed; j++) {
      fmpq_mul(c, &a->at[i].coefficient, &b->at[j].coefficient);
      sum_add(x, out, c, term_add(x->ts, a->at[i].exponent, b->at[j].exponent),
              term_mul(x->ts, a->at[i].rest, b->at[j].rest));
    }
  fmpq_clear(c);
}

/* As a term; `sign`: only the items with this sign, made positive; 0: all. */
static term_id sum_term(struct clearing *x, const sum *s, int sign) {
  term_list parts = {0};
  fmpq_t c;
  fmpq_init(c);
  vec_push(&parts, x->zero);
  for (size_t i = 0; i < s->len; i++) {
    int own = fmpq_sgn(&s->at[i].coefficient);
    if (own == 0 || (sign && own != sign)) continue;
    fmpq_set(c, &s->at[i].coefficient);
    if (sign) fmpq_abs(c, c);
    term_id e = s->at[i].exponent == x->zero ? x->one : term_exp(x->ts, s->at[i].exponent);
    term_id factors[] = {term_num(x->ts, c, SORT_REAL), e, s->at[i].rest};
    vec_push(&parts, term_product(x->ts, factors, 3));
  }
  term_id t = term_sum(x->ts, parts.at, parts.len);
  fmpq_clear(c);
  vec_clear(&parts);
  return t;
}

static term_id normal(struct clearing *x, term_id t);

/* c * e^(argument), where the argument is written as a sum. */
static void expand_exp(struct clearing *x, sum *out, const fmpq *c, term_id argument) {
  sum_add(x, out, c, normal(x, argument), x->one);
}

/* Adds c * t, where quotients are atoms. */
static void expand(struct clearing *x, sum *out, const fmpq *c, term_id t) {
  struct terms *ts = x->ts;
  if (x->failed) return;
  fmpq_t k;
  fmpq_init(k);
  switch (term_kind(ts, t)) {
  case TERM_NUM:
    fmpq_mul(k, c, term_num_value(ts, t));
    sum_add(x, out, k, x->zero, x->one);
    break;
  case TERM_ADD:
    for (size_t i = 0; i < term_arg_count(ts, t); i++)
      expand(x, out, c, term_arg(ts, t, i));
    break;
  case TERM_MUL:
  case TERM_POW: {
    bool power = term_kind(ts, t) == TERM_POW;
    size_t count = power ? term_get(ts, t)->data : term_arg_count(ts, t);
    sum acc = {0};
    if (count > FRACTION_FACTORS) x->failed = true;
    sum_add(x, &acc, c, x->zero, x->one);
    for (size_t i = 0; i < count && !x->failed; i++) {
      sum factor = {0}, product = {0};
      fmpq_one(k);
      expand(x, &factor, k, term_arg(ts, t, power ? 0 : i));
      sum_multiply(x, &product, &acc, &factor);
      sum_clear(&acc);
      sum_clear(&factor);
      acc = product;
    }
    for (size_t i = 0; i < acc.len; i++)
      sum_add(x, out, &acc.at[i].coefficient, acc.at[i].exponent, acc.at[i].rest);
    sum_clear(&acc);
    break;
  }
  case TERM_EXP: expand_exp(x, out, c, term_arg(ts, t, 0)); break;
  default: sum_add(x, out, c, x->zero, term_coerce(ts, t, SORT_REAL)); break;
  }
  fmpq_clear(k);
}

/* t as a sum of products. */
static term_id normal(struct clearing *x, term_id t) {
  sum s = {0};
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  expand(x, &s, one, t);
  term_id result = x->failed ? x->zero : sum_term(x, &s, 0);
  fmpq_clear(one);
  sum_clear(&s);
  if (result == TERM_NONE) x->failed = true;
  return result == TERM_NONE ? x->zero : result;
}

/* ---- fractions ------------------------------------------------------------------------------ */

static void fraction_clear(struct fraction *f) {
  vec_clear(&f->above);
  vec_clear(&f->below);
}

/* Takes t out of the list, once. */
static bool take_out(term_list *list, term_id t) {
  for (size_t i = 0; i < list->len; i++)
    if (list->at[i] == t) {
      list->at[i] = list->at[--list->len];
      return true;
    }
  return false;
}

static void add_above(struct clearing *x, struct fraction *f, term_id t) {
  if (t != x->one && !take_out(&f->below, t)) vec_push(&f->above, t);
  if (f->above.len > FRACTION_FACTORS) x->failed = true;
}

static void add_below(struct clearing *x, struct fraction *f, term_id t) {
  if (t != x->one && !take_out(&f->above, t)) vec_push(&f->below, t);
  if (f->below.len > FRACTION_FACTORS) x->failed = true;
}

static term_id product_of(struct clearing *x, const term_list *factors) {
  term_id t = factors->len ? term_product(x->ts, factors->at, factors->len) : x->one;
  return normal(x, t);
}

static void times(struct clearing *x, struct fraction *f, term_id t);

/* Multiplies f by 1/t; what is above the line in t must be positive, as what is below is. */
static void over(struct clearing *x, struct fraction *f, term_id t) {
  struct fraction g = {0};
  times(x, &g, t);
  for (size_t i = 0; i < g.above.len; i++) {
    vec_push(&x->positive, g.above.at[i]);
    add_below(x, f, g.above.at[i]);
  }
  for (size_t i = 0; i < g.below.len; i++)
    add_above(x, f, g.below.at[i]);
  fraction_clear(&g);
}

/* Multiplies f by e^(k ln u) = u^k if the addend is of that form with a small integer k. */
static bool times_power(struct clearing *x, struct fraction *f, term_id addend) {
  fmpq_t k;
  fmpq_init(k);
  term_id ln = TERM_NONE;
  bool fits = term_split_coefficient(x->ts, addend, k, &ln) && ln != TERM_NONE &&
              term_kind(x->ts, ln) == TERM_LN && fmpz_is_one(fmpq_denref(k)) &&
              fmpz_bits(fmpq_numref(k)) <= FRACTION_BITS;
  long power = fits ? fmpz_get_si(fmpq_numref(k)) : 0;
  fmpq_clear(k);
  if (!fits) return false;
  term_id u = term_arg(x->ts, ln, 0);
  struct fraction one = {0};
  over(x, &one, u); /* so that u is positive */
  fraction_clear(&one);
  for (long i = 0; i < power; i++)
    times(x, f, u);
  for (long i = 0; i > power; i--)
    over(x, f, u);
  return true;
}

/* Multiplies f by e^a. */
static void times_exp(struct clearing *x, struct fraction *f, term_id a) {
  term_id rest = x->zero;
  bool is_sum = term_kind(x->ts, a) == TERM_ADD;
  for (size_t i = 0; i < (is_sum ? term_arg_count(x->ts, a) : 1) && !x->failed; i++) {
    term_id addend = is_sum ? term_arg(x->ts, a, i) : a;
    if (!times_power(x, f, addend)) rest = term_add(x->ts, rest, addend);
  }
  if (rest == TERM_NONE) x->failed = true;
  if (x->failed || rest == x->zero) return;
  add_above(x, f, normal(x, term_exp(x->ts, rest)));
}

/* Multiplies f by the sum t, brought to a common denominator. */
static void times_sum(struct clearing *x, struct fraction *f, term_id t) {
  size_t count = term_arg_count(x->ts, t);
  struct fraction *parts = xcalloc(count, sizeof *parts);
  term_list common = {0}, addends = {0};
  for (size_t i = 0; i < count && !x->failed; i++) {
    times(x, &parts[i], term_arg(x->ts, t, i));
    term_list missing = {0};
    for (size_t j = 0; j < common.len; j++)
      vec_push(&missing, common.at[j]);
    for (size_t j = 0; j < parts[i].below.len; j++)
      if (!take_out(&missing, parts[i].below.at[j])) vec_push(&common, parts[i].below.at[j]);
    vec_clear(&missing);
    if (common.len > FRACTION_FACTORS) x->failed = true;
  }
  for (size_t i = 0; i < count && !x->failed; i++) {
    term_list missing = {0};
    for (size_t j = 0; j < common.len; j++)
      vec_push(&missing, common.at[j]);
    for (size_t j = 0; j < parts[i].below.len; j++)
      take_out(&missing, parts[i].below.at[j]);
    for (size_t j = 0; j < missing.len; j++)
      vec_push(&parts[i].above, missing.at[j]);
    vec_clear(&missing);
    vec_push(&addends, product_of(x, &parts[i].above));
  }
  if (!x->failed) {
    term_id whole = term_sum(x->ts, addends.at, addends.len);
    if (whole == TERM_NONE) x->failed = true;
    if (!x->failed) add_above(x, f, normal(x, whole));
    for (size_t i = 0; i < common.len; i++)
      add_below(x, f, common.at[i]);
  }
  for (size_t i = 0; i < count; i++)
    fraction_clear(&parts[i]);
  free(parts);
  vec_clear(&common);
  vec_clear(&addends);
}

/* Multiplies f by t. */
static void times(struct clearing *x, struct fraction *f, term_id t) {
  struct terms *ts = x->ts;
  if (x->failed) return;
  switch (term_kind(ts, t)) {
  case TERM_DIV:
    times(x, f, term_arg(ts, t, 0));
    over(x, f, term_arg(ts, t, 1));
    break;
  case TERM_ADD: times_sum(x, f, t); break;
  case TERM_MUL:
    for (size_t i = 0; i < term_arg_count(ts, t); i++)
      times(x, f, term_arg(ts, t, i));
    break;
  case TERM_POW:
    for (uint32_t i = 0; i < term_get(ts, t)->data && !x->failed; i++)
      times(x, f, term_arg(ts, t, 0));
    break;
  case TERM_EXP: times_exp(x, f, term_arg(ts, t, 0)); break;
  default: add_above(x, f, normal(x, t)); break;
  }
}

/* Multiplies both sides by what is below the line on either. */
static void cross_multiply(struct clearing *x, struct fraction *a, struct fraction *b) {
  term_list below_a = a->below, below_b = b->below;
  a->below = b->below = (term_list){0};
  for (size_t i = 0; i < below_a.len; i++)
    if (!take_out(&below_b, below_a.at[i])) add_above(x, b, below_a.at[i]);
  for (size_t i = 0; i < below_b.len; i++)
    add_above(x, a, below_b.at[i]);
  vec_clear(&below_a);
  vec_clear(&below_b);
}

/* Divides both sides by sums with exponentials that they have in common, which must be positive. */
static void divide_both(struct clearing *x, struct fraction *a, struct fraction *b) {
  for (size_t i = 0; i < a->above.len;) {
    term_id t = a->above.at[i];
    bool sum_of_exp =
        term_kind(x->ts, t) == TERM_ADD && term_get(x->ts, t)->flags & TERM_HAS_TRANSCENDENTAL;
    if (!sum_of_exp || !take_out(&b->above, t)) {
      i++;
      continue;
    }
    take_out(&a->above, t);
    vec_push(&x->positive, t);
  }
}

/* ---- term by term --------------------------------------------------------------------------- */

/* Is e^b r near e^a r: the same r, and b - a without private data if those of run 2 were those of
 * run 1? */
static bool is_near(struct clearing *x, const struct item *a, const struct item *b) {
  if (a->rest != b->rest) return false;
  term_id gap = normal(x, term_sub(x->ts, b->exponent, a->exponent));
  term_list vars = {0}, other = {0};
  term_free_vars(x->ts, gap, &vars);
  for (size_t i = 0; i < vars.len; i++) {
    unsigned run = term_var_get(x->ts, vars.at[i])->run;
    vec_push(&other, run == 2 ? term_var_in_run(x->ts, vars.at[i], 1) : vars.at[i]);
  }
  term_id merged = term_subst(x->ts, gap, vars.at, other.at, vars.len);
  merged = merged == TERM_NONE ? TERM_NONE : normal(x, merged);
  vec_clear(&vars);
  vec_clear(&other);
  return merged != TERM_NONE && !term_in_run(x->ts, merged, 1);
}

/* Covers what is negative in the difference by what is positive; uses the latter up. TERM_NONE:
 * that does not work out. */
static term_id dominated(struct clearing *x, sum *difference) {
  term_id all = term_bool(x->ts, true);
  for (size_t i = 0; i < difference->len && !x->failed; i++) {
    struct item *need = &difference->at[i];
    for (size_t j = 0; j < difference->len && fmpq_sgn(&need->coefficient) < 0; j++) {
      struct item *have = &difference->at[j];
      if (fmpq_sgn(&have->coefficient) <= 0 || !is_near(x, need, have)) continue;
      fmpq_add(&have->coefficient, &have->coefficient, &need->coefficient);
      fmpq_zero(&need->coefficient);
      if (fmpq_sgn(&have->coefficient) < 0) {
        fmpq_swap(&need->coefficient, &have->coefficient);
      }
      all = term_and(x->ts, all, term_le(x->ts, need->exponent, have->exponent));
      all = term_and(x->ts, all, term_le(x->ts, x->zero, have->rest));
    }
    if (fmpq_sgn(&need->coefficient) < 0) return TERM_NONE;
  }
  for (size_t i = 0; i < difference->len; i++) /* what is left over must not hurt */
    if (fmpq_sgn(&difference->at[i].coefficient) > 0)
      all = term_and(x->ts, all, term_le(x->ts, x->zero, difference->at[i].rest));
  return all;
}

/* ---- sums of exponents ----------------------------------------------------------------------- */

enum { UNITS = 8 }; /* exponents on one side */

/* The exponents of one side, each as often as `unit` fits into its coefficient. */
static size_t units_of(const sum *difference, int sign, const fmpq_t unit, term_id *out) {
  size_t count = 0;
  fmpq_t times;
  fmpq_init(times);
  for (size_t i = 0; i < difference->len; i++) {
    const struct item *one = &difference->at[i];
    if (fmpq_sgn(&one->coefficient) != sign) continue;
    fmpq_div(times, &one->coefficient, unit);
    long many =
        fmpz_fits_si(fmpq_numref(times)) ? labs(fmpz_get_si(fmpq_numref(times))) : UNITS + 1;
    for (long n = 0; n < many && count <= UNITS; n++) {
      if (count < UNITS) out[count] = one->exponent;
      count++;
    }
  }
  fmpq_clear(times);
  return count;
}

/* Where public values are 1 and private ones 0: a guess at which exponents are large. */
static bool is_larger(struct clearing *x, term_id a, term_id b) {
  term_list vars = {0}, values = {0};
  term_id d = term_sub(x->ts, a, b);
  if (d != TERM_NONE) term_free_vars(x->ts, d, &vars);
  for (size_t i = 0; i < vars.len; i++) {
    sort_id sort = term_sort(x->ts, vars.at[i]);
    bool private = term_var_get(x->ts, vars.at[i])->run != 0;
    if (sort_is_numeric(sort))
      vec_push(&values, term_coerce(x->ts, term_int(x->ts, !private), sort));
    else
      vars.at[i--] = vec_pop(&vars);
  }
  term_id value = d == TERM_NONE ? d : term_subst(x->ts, d, vars.at, values.at, vars.len);
  bool larger =
      value != TERM_NONE && term_is_num(x->ts, value) && fmpq_sgn(term_num_value(x->ts, value)) > 0;
  vec_clear(&vars);
  vec_clear(&values);
  return larger;
}

static void sort_units(struct clearing *x, term_id *units, size_t count) {
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && is_larger(x, units[j], units[j - 1]); j--) {
      term_id lower = units[j - 1];
      units[j - 1] = units[j];
      units[j] = lower;
    }
}

/* Weak majorization: if, for each k, any k of the a have at most the sum of some k of the b, and
 * there are as many b at least, then sum e^a <= sum e^b (Hardy, Littlewood, Polya; Tomic, Weyl).
 * TERM_NONE: there are other factors, or too many terms. */
static term_id majorized(struct clearing *x, sum *difference) {
  struct terms *ts = x->ts;
  fmpq_t unit;
  fmpq_init(unit);
  bool fits = true;
  for (size_t i = 0; i < difference->len; i++) {
    if (fmpq_is_zero(&difference->at[i].coefficient)) continue;
    fits = fits && difference->at[i].rest == x->one;
    fmpq_gcd(unit, unit, &difference->at[i].coefficient);
  }
  term_id a[UNITS], b[UNITS], all = ts->true_term;
  size_t needs = fits ? units_of(difference, -1, unit, a) : UNITS + 1;
  size_t haves = fits ? units_of(difference, 1, unit, b) : 0;
  fmpq_clear(unit);
  if (needs > UNITS || haves > UNITS || needs > haves) return TERM_NONE;
  sort_units(x, b, haves);
  for (size_t set = 1; set < (size_t)1 << needs; set++) {
    term_id sum_a = x->zero, sum_b = x->zero;
    for (size_t i = 0, k = 0; i < needs; i++) {
      if (!(set >> i & 1)) continue;
      sum_a = term_add(ts, sum_a, a[i]);
      sum_b = term_add(ts, sum_b, b[k++]);
    }
    all = term_and(ts, all, term_le(ts, sum_a, sum_b));
  }
  return all;
}

/* ---- comparisons ---------------------------------------------------------------------------- */

/* b - a for fractions without denominators. */
static void subtract(struct clearing *x, sum *out, const struct fraction *a,
                     const struct fraction *b) {
  fmpq_t sign;
  fmpq_init(sign);
  fmpq_set_si(sign, -1, 1);
  expand(x, out, sign, product_of(x, &a->above));
  fmpq_one(sign);
  expand(x, out, sign, product_of(x, &b->above));
  fmpq_clear(sign);
}

/* The sign that all products have which are certainly not 0; 0: they differ, or are unknown. */
static int sign_of(const struct clearing *x, const sum *s) {
  int sign = 0;
  for (size_t i = 0; i < s->len; i++) {
    int own = fmpq_sgn(&s->at[i].coefficient);
    if (own == 0) continue;
    if (s->at[i].rest != x->one || (sign && own != sign)) return 0;
    sign = own;
  }
  return sign;
}

/* If all exponents are multiples of one atom: (multiple of a unit)*atom, the unit as large as
 * possible. The items become products with powers u^0, u^1, .. of u = e^(unit*atom), after a
 * division by the lowest one. */
static void as_polynomial(struct clearing *x, sum *s) {
  struct terms *ts = x->ts;
  term_id atom = TERM_NONE;
  fmpq_t c, unit, low;
  fmpq_init(c);
  fmpq_init(unit);
  fmpq_init(low);
  bool fits = true;
  bool first = true;
  for (size_t i = 0; i < s->len && fits; i++) {
    if (fmpq_is_zero(&s->at[i].coefficient)) continue;
    term_id own = TERM_NONE;
    fmpq_zero(c);
    if (s->at[i].exponent != x->zero)
      fits = term_split_coefficient(ts, s->at[i].exponent, c, &own) && own != TERM_NONE &&
             (atom == TERM_NONE || own == atom) && term_kind(ts, own) != TERM_ADD;
    if (own != TERM_NONE) atom = own;
    fmpq_gcd(unit, unit, c);
    if (first || fmpq_cmp(c, low) < 0) fmpq_set(low, c);
    first = false;
  }
  term_id u = TERM_NONE;
  if (fits && atom != TERM_NONE)
    u = term_exp(ts, term_mul(ts, term_num(ts, unit, SORT_REAL), atom));
  for (size_t i = 0; u != TERM_NONE && i < s->len; i++) {
    if (fmpq_is_zero(&s->at[i].coefficient)) continue;
    term_id own;
    fmpq_zero(c);
    if (s->at[i].exponent != x->zero) term_split_coefficient(ts, s->at[i].exponent, c, &own);
    fmpq_sub(c, c, low);
    fmpq_div(c, c, unit); /* an integer >= 0 */
    bool small = fmpz_bits(fmpq_numref(c)) < 8;
    unsigned power = small ? (unsigned)fmpz_get_si(fmpq_numref(c)) : 0;
    s->at[i].exponent = x->zero;
    if (power) s->at[i].rest = term_mul(ts, s->at[i].rest, term_pow(ts, u, power));
    if (!small || s->at[i].rest == TERM_NONE) x->failed = true;
  }
  fmpq_clear(c);
  fmpq_clear(unit);
  fmpq_clear(low);
}

/* 0 <= difference, with positive coefficients on both sides. */
static term_id not_negative(struct clearing *x, sum *difference) {
  int sign = sign_of(x, difference);
  if (sign) return term_bool(x->ts, sign > 0);
  as_polynomial(x, difference);
  if (x->failed) return TERM_NONE;
  return term_le(x->ts, sum_term(x, difference, -1), sum_term(x, difference, 1));
}

/* a <= b, cleared; what it demands goes to *demand. TERM_NONE: beyond limits. */
static term_id cleared(struct terms *ts, term_id le, enum comparison how, term_id *demand) {
  struct clearing x = {.ts = ts, .zero = term_rat(ts, 0, 1), .one = term_rat(ts, 1, 1)};
  struct fraction a = {0}, b = {0};
  sum difference = {0};
  times(&x, &a, term_coerce(ts, term_arg(ts, le, 0), SORT_REAL));
  times(&x, &b, term_coerce(ts, term_arg(ts, le, 1), SORT_REAL));
  cross_multiply(&x, &a, &b);
  divide_both(&x, &a, &b);
  if (!x.failed) subtract(&x, &difference, &a, &b);
  term_id result = TERM_NONE;
  if (!x.failed)
    result = how == COMPARE_TERMWISE    ? dominated(&x, &difference)
             : how == COMPARE_MAJORIZED ? majorized(&x, &difference)
                                        : not_negative(&x, &difference);
  *demand = ts->true_term;
  for (size_t i = 0; i < x.positive.len; i++)
    *demand = term_and(ts, *demand, term_lt(ts, x.zero, x.positive.at[i]));
  bool failed = x.failed || *demand == TERM_NONE;
  vec_clear(&x.positive);
  sum_clear(&difference);
  fraction_clear(&a);
  fraction_clear(&b);
  return failed ? TERM_NONE : result;
}

term_id term_cleared(struct terms *ts, term_id formula, enum comparison how) {
  if (formula == TERM_NONE || term_kind(ts, formula) != TERM_LE) return formula;
  term_id demand, result = cleared(ts, formula, how, &demand);
  if (result == TERM_NONE) result = cleared(ts, formula, COMPARE_WHOLE, &demand);
  return result == TERM_NONE ? formula : term_and(ts, demand, result);
}

term_id term_cleared_condition(struct terms *ts, term_id condition, term_id *demand) {
  *demand = ts->true_term;
  bool strict = term_kind(ts, condition) == TERM_LT;
  if (!strict && term_kind(ts, condition) != TERM_LE) return condition;
  term_id le = strict ? term_not(ts, condition) : condition; /* not a < b is b <= a */
  if (le == TERM_NONE || term_kind(ts, le) != TERM_LE) return condition;
  term_id result = cleared(ts, le, COMPARE_WHOLE, demand);
  if (result == TERM_NONE) {
    *demand = ts->true_term;
    return condition;
  }
  return strict ? term_not(ts, result) : result;
}
