#include "num/real/exppoly.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "num/real/ball.h"

/* ---- ends ----------------------------------------------------------------------------------- */

void line_end_init(struct line_end *end, int side) {
  end->side = side;
  fmpq_init(end->at);
}

void line_end_init_at(struct line_end *end, const fmpq_t at) {
  line_end_init(end, 0);
  fmpq_set(end->at, at);
}

void line_end_set(struct line_end *to, const struct line_end *from) {
  to->side = from->side;
  fmpq_set(to->at, from->at);
}

void line_end_clear(struct line_end *end) {
  fmpq_clear(end->at);
}

int line_end_cmp(const struct line_end *a, const struct line_end *b) {
  if (a->side != b->side) return a->side < b->side ? -1 : 1;
  return a->side ? 0 : fmpq_cmp(a->at, b->at);
}

/* ---- construction --------------------------------------------------------------------------- */

void exppoly_init(struct exppoly *f) {
  *f = (struct exppoly){NULL, 0, 0};
}

static void term_init(struct exppoly_term *term) {
  fmpq_init(term->rate);
  term->power = 0;
  arb_init(term->coefficient);
}

static void term_clear(struct exppoly_term *term) {
  fmpq_clear(term->rate);
  arb_clear(term->coefficient);
}

void exppoly_clear(struct exppoly *f) {
  for (size_t i = 0; i < f->capacity; i++)
    term_clear(&f->terms[i]);
  free(f->terms);
  exppoly_init(f);
}

/* Makes room; all terms below capacity stay initialised, so buffers of old values are reused. */
static void exppoly_reserve(struct exppoly *f, size_t wanted) {
  if (wanted <= f->capacity) return;
  size_t capacity = f->capacity ? f->capacity * 2 : 2;
  if (capacity < wanted) capacity = wanted;
  f->terms = xrealloc(f->terms, capacity * sizeof *f->terms);
  for (size_t i = f->capacity; i < capacity; i++)
    term_init(&f->terms[i]);
  f->capacity = capacity;
}

/* A fresh last term: the caller keeps the order. */
static struct exppoly_term *exppoly_push(struct exppoly *f, const fmpq_t rate, ulong power) {
  exppoly_reserve(f, f->count + 1);
  struct exppoly_term *term = &f->terms[f->count++];
  fmpq_set(term->rate, rate);
  term->power = power;
  return term;
}

static void exppoly_drop_zero(struct exppoly *f) {
  if (f->count && arb_is_zero(f->terms[f->count - 1].coefficient)) f->count--;
}

static void exppoly_compact(struct exppoly *f) {
  size_t kept = 0;
  for (size_t i = 0; i < f->count; i++) {
    if (arb_is_zero(f->terms[i].coefficient)) continue;
    struct exppoly_term term = f->terms[i];
    f->terms[i] = f->terms[kept];
    f->terms[kept++] = term;
  }
  f->count = kept;
}

void exppoly_set(struct exppoly *to, const struct exppoly *from) {
  if (to == from) return;
  to->count = 0;
  for (size_t i = 0; i < from->count; i++) {
    const struct exppoly_term *t = &from->terms[i];
    arb_set(exppoly_push(to, t->rate, t->power)->coefficient, t->coefficient);
  }
}

void exppoly_swap(struct exppoly *a, struct exppoly *b) {
  struct exppoly c = *a;
  *a = *b;
  *b = c;
}

bool exppoly_is_zero(const struct exppoly *f) {
  return f->count == 0;
}

static int term_cmp(const struct exppoly_term *s, const struct exppoly_term *t) {
  int order = fmpq_cmp(s->rate, t->rate);
  if (order) return order;
  return s->power < t->power ? -1 : s->power > t->power;
}

bool exppoly_identical(const struct exppoly *f, const struct exppoly *g) {
  if (f->count != g->count) return false;
  for (size_t i = 0; i < f->count; i++) {
    if (term_cmp(&f->terms[i], &g->terms[i]) != 0) return false;
    if (!arb_equal(f->terms[i].coefficient, g->terms[i].coefficient)) return false;
  }
  return true;
}

/* ---- ring operations ------------------------------------------------------------------------ */

/* out = f + sign * g, all three distinct. */
static void merge(struct exppoly *out, const struct exppoly *f, const struct exppoly *g, int sign,
                  slong precision) {
  size_t i = 0, j = 0;
  out->count = 0;
  while (i < f->count || j < g->count) {
    const struct exppoly_term *s = i < f->count ? &f->terms[i] : NULL;
    const struct exppoly_term *t = j < g->count ? &g->terms[j] : NULL;
    int order = !s ? 1 : !t ? -1 : term_cmp(s, t);
    const struct exppoly_term *first = order <= 0 ? s : t;
    struct exppoly_term *sum = exppoly_push(out, first->rate, first->power);
    if (order < 0) {
      arb_set(sum->coefficient, s->coefficient);
    } else if (order > 0) {
      if (sign > 0)
        arb_set(sum->coefficient, t->coefficient);
      else
        arb_neg(sum->coefficient, t->coefficient);
    } else if (sign > 0) {
      arb_add(sum->coefficient, s->coefficient, t->coefficient, precision);
    } else {
      arb_sub(sum->coefficient, s->coefficient, t->coefficient, precision);
    }
    exppoly_drop_zero(out);
    i += order <= 0;
    j += order >= 0;
  }
}

static void add_signed(struct exppoly *out, const struct exppoly *f, const struct exppoly *g,
                       int sign, slong precision) {
  struct exppoly sum;
  exppoly_init(&sum);
  merge(&sum, f, g, sign, precision);
  exppoly_swap(out, &sum);
  exppoly_clear(&sum);
}

void exppoly_add(struct exppoly *out, const struct exppoly *f, const struct exppoly *g,
                 slong precision) {
  add_signed(out, f, g, 1, precision);
}

void exppoly_sub(struct exppoly *out, const struct exppoly *f, const struct exppoly *g,
                 slong precision) {
  add_signed(out, f, g, -1, precision);
}

void exppoly_add_term(struct exppoly *f, const arb_t c, ulong k, const fmpq_t a, slong precision) {
  struct exppoly one;
  exppoly_init(&one);
  arb_set(exppoly_push(&one, a, k)->coefficient, c);
  exppoly_drop_zero(&one);
  exppoly_add(f, f, &one, precision);
  exppoly_clear(&one);
}

void exppoly_scale(struct exppoly *out, const struct exppoly *f, const arb_t c, slong precision) {
  struct exppoly product;
  exppoly_init(&product);
  for (size_t i = 0; i < f->count; i++) {
    const struct exppoly_term *t = &f->terms[i];
    arb_mul(exppoly_push(&product, t->rate, t->power)->coefficient, t->coefficient, c, precision);
    exppoly_drop_zero(&product);
  }
  exppoly_swap(out, &product);
  exppoly_clear(&product);
}

/* out = f * (terms of g in [from, to)): halves are merged, single terms keep the order of f. */
static void mul_range(struct exppoly *out, const struct exppoly *f, const struct exppoly *g,
                      size_t from, size_t to, slong precision) {
  if (to - from == 1) {
    const struct exppoly_term *t = &g->terms[from];
    fmpq_t rate;
    fmpq_init(rate);
    out->count = 0;
    for (size_t i = 0; i < f->count; i++) {
      const struct exppoly_term *s = &f->terms[i];
      fmpq_add(rate, s->rate, t->rate);
      struct exppoly_term *product = exppoly_push(out, rate, s->power + t->power);
      arb_mul(product->coefficient, s->coefficient, t->coefficient, precision);
      exppoly_drop_zero(out);
    }
    fmpq_clear(rate);
    return;
  }
  struct exppoly low, high;
  exppoly_init(&low);
  exppoly_init(&high);
  size_t middle = from + (to - from) / 2;
  mul_range(&low, f, g, from, middle, precision);
  mul_range(&high, f, g, middle, to, precision);
  merge(out, &low, &high, 1, precision);
  exppoly_clear(&low);
  exppoly_clear(&high);
}

void exppoly_mul(struct exppoly *out, const struct exppoly *f, const struct exppoly *g,
                 slong precision) {
  struct exppoly product;
  exppoly_init(&product);
  const struct exppoly *longer = f->count >= g->count ? f : g;
  const struct exppoly *shorter = f->count >= g->count ? g : f;
  if (shorter->count) mul_range(&product, longer, shorter, 0, shorter->count, precision);
  exppoly_swap(out, &product);
  exppoly_clear(&product);
}

/* ---- calculus ------------------------------------------------------------------------------- */

/* c (x+h)^k e^(a(x+h)) = sum_j c e^(ah) binom(k,j) h^(k-j) x^j e^(ax) */
void exppoly_shift(struct exppoly *out, const struct exppoly *f, const fmpq_t h, slong precision) {
  struct exppoly sum;
  exppoly_init(&sum);
  fmpq_t exponent;
  arb_t factor, step;
  fmpz_t binomial;
  fmpq_init(exponent);
  arb_init(factor);
  arb_init(step);
  fmpz_init(binomial);
  arb_set_fmpq(step, h, precision);
  for (size_t i = 0; i < f->count; i++) {
    const struct exppoly_term *t = &f->terms[i];
    fmpq_mul(exponent, t->rate, h);
    arb_t base, c;
    arb_init(base);
    arb_init(c);
    ball_exp_rational(base, exponent, precision);
    arb_mul(base, base, t->coefficient, precision);
    for (ulong j = 0; j <= t->power; j++) {
      fmpz_bin_uiui(binomial, t->power, j);
      arb_pow_ui(factor, step, t->power - j, precision);
      arb_mul_fmpz(factor, factor, binomial, precision);
      arb_mul(c, base, factor, precision);
      exppoly_add_term(&sum, c, j, t->rate, precision);
    }
    arb_clear(base);
    arb_clear(c);
  }
  exppoly_swap(out, &sum);
  exppoly_clear(&sum);
  fmpq_clear(exponent);
  arb_clear(factor);
  arb_clear(step);
  fmpz_clear(binomial);
}

/* (x^k e^(ax))' = a x^k e^(ax) + k x^(k-1) e^(ax) */
/* a = 0: x^(k+1)/(k+1). Else e^(ax) sum_j c_j x^j with c_k = c/a, c_(j-1) = -j c_j / a.
 * Powers of one rate are consecutive, so each c_j is collected before it is divided: one pass from
 * the highest power of the rate down. */
void exppoly_antiderivative(struct exppoly *out, const struct exppoly *f, slong precision) {
  struct exppoly sum;
  exppoly_init(&sum);
  arb_t carry;
  arb_init(carry);
  for (size_t begin = 0, end; begin < f->count; begin = end) {
    const fmpq *rate = f->terms[begin].rate;
    for (end = begin; end < f->count && fmpq_equal(f->terms[end].rate, rate);)
      end++;
    if (fmpq_is_zero(rate)) {
      for (size_t i = begin; i < end; i++) {
        ulong k = f->terms[i].power + 1;
        arb_div_ui(exppoly_push(&sum, rate, k)->coefficient, f->terms[i].coefficient, k, precision);
      }
      continue;
    }
    size_t base = sum.count, top = f->terms[end - 1].power;
    for (ulong k = 0; k <= top; k++)
      arb_zero(exppoly_push(&sum, rate, k)->coefficient);
    for (size_t i = begin; i < end; i++)
      arb_set(sum.terms[base + f->terms[i].power].coefficient, f->terms[i].coefficient);
    for (ulong k = top + 1; k-- > 0;) {
      struct exppoly_term *t = &sum.terms[base + k];
      if (k < top) { /* what the antiderivative of the power above leaves here */
        arb_mul_ui(carry, sum.terms[base + k + 1].coefficient, k + 1, precision);
        arb_sub(t->coefficient, t->coefficient, carry, precision);
      }
      arb_mul_fmpz(t->coefficient, t->coefficient, fmpq_denref(rate), precision);
      arb_div_fmpz(t->coefficient, t->coefficient, fmpq_numref(rate), precision);
    }
  }
  arb_clear(carry);
  exppoly_compact(&sum);
  exppoly_swap(out, &sum);
  exppoly_clear(&sum);
}

void exppoly_eval(arb_t out, const struct exppoly *f, const fmpq_t x, slong precision) {
  arb_t sum, point, value, power;
  fmpq_t exponent;
  arb_init(sum);
  arb_init(point);
  arb_init(value);
  arb_init(power);
  fmpq_init(exponent);
  arb_set_fmpq(point, x, precision);
  for (size_t i = 0; i < f->count; i++) {
    const struct exppoly_term *t = &f->terms[i];
    fmpq_mul(exponent, t->rate, x);
    ball_exp_rational(value, exponent, precision);
    arb_pow_ui(power, point, t->power, precision);
    arb_mul(value, value, power, precision);
    arb_addmul(sum, value, t->coefficient, precision);
  }
  arb_swap(out, sum);
  arb_clear(sum);
  arb_clear(point);
  arb_clear(value);
  arb_clear(power);
  fmpq_clear(exponent);
}

void exppoly_eval_ball(arb_t out, const struct exppoly *f, const arb_t x, slong precision) {
  arb_t sum, value, power;
  arb_init(sum);
  arb_init(value);
  arb_init(power);
  for (size_t i = 0; i < f->count; i++) {
    const struct exppoly_term *t = &f->terms[i];
    arb_set_fmpq(value, t->rate, precision);
    arb_mul(value, value, x, precision);
    arb_exp(value, value, precision);
    arb_pow_ui(power, x, t->power, precision);
    arb_mul(value, value, power, precision);
    arb_addmul(sum, value, t->coefficient, precision);
  }
  arb_swap(out, sum);
  arb_clear(sum);
  arb_clear(value);
  arb_clear(power);
}

/* |c z^k e^(a z)| = |c| |z|^k e^(a x) */
void exppoly_bound(mag_t out, const struct exppoly *f, const arb_t real, const mag_t imaginary,
                   slong precision) {
  arb_t value;
  mag_t size, term;
  arb_init(value);
  mag_init(size);
  mag_init(term);
  arb_get_mag(size, real);
  mag_add(size, size, imaginary);
  mag_zero(out);
  for (size_t i = 0; i < f->count; i++) {
    const struct exppoly_term *t = &f->terms[i];
    arb_mul_fmpz(value, real, fmpq_numref(t->rate), precision);
    arb_div_fmpz(value, value, fmpq_denref(t->rate), precision);
    arb_exp(value, value, precision);
    arb_mul(value, value, t->coefficient, precision);
    arb_get_mag(term, value);
    for (ulong k = 0; k < t->power; k++)
      mag_mul(term, term, size);
    mag_add(out, out, term);
  }
  arb_clear(value);
  mag_clear(size);
  mag_clear(term);
}

void exppoly_limit(arb_t out, const struct exppoly *f, const struct line_end *at, slong precision) {
  if (at->side == 0) {
    exppoly_eval(out, f, at->at, precision);
    return;
  }
  arb_zero(out);
  for (size_t i = 0; i < f->count; i++) {
    const struct exppoly_term *t = &f->terms[i];
    int growth = fmpq_sgn(t->rate) * at->side;
    if (growth < 0) continue; /* decays */
    if (growth > 0 || t->power > 0) {
      arb_indeterminate(out);
      return;
    }
    arb_add(out, out, t->coefficient, precision);
  }
}

void exppoly_integral(arb_t out, const struct exppoly *f, const struct line_end *low,
                      const struct line_end *high, slong precision) {
  if (f->count == 0 || line_end_cmp(low, high) == 0) {
    arb_zero(out);
    return;
  }
  struct exppoly primitive;
  arb_t bottom;
  exppoly_init(&primitive);
  arb_init(bottom);
  exppoly_antiderivative(&primitive, f, precision);
  exppoly_limit(bottom, &primitive, low, precision);
  exppoly_limit(out, &primitive, high, precision);
  arb_sub(out, out, bottom, precision);
  arb_clear(bottom);
  exppoly_clear(&primitive);
}
