#include "advocate/poly.h"

#include <string.h>

#include "base/arena.h"
#include "term/build.h"

/* ---- monomials ------------------------------------------------------------------------------- */

void monomials_init(struct monomials *m) {
  *m = (struct monomials){0};
  arena_init(&m->arena);
  memo_init(&m->products);
  vec_push(&m->list, (struct monomial){0});
}

void monomials_clear(struct monomials *m) {
  vec_clear(&m->list);
  vec_clear(&m->buckets_);
  memo_clear(&m->products);
  arena_clear(&m->arena);
}

static uint64_t hash_factors(const struct factor *factors, size_t count) {
  uint64_t h = 1469598103934665603u;
  for (size_t i = 0; i < count; i++) {
    h = (h ^ factors[i].generator) * 1099511628211u;
    h = (h ^ factors[i].exponent) * 1099511628211u;
  }
  return h ^ (h >> 29);
}

static bool same_factors(const struct monomial *a, const struct factor *factors, size_t count) {
  if (a->count != count) return false;
  for (size_t i = 0; i < count; i++)
    if (a->factors[i].generator != factors[i].generator ||
        a->factors[i].exponent != factors[i].exponent)
      return false;
  return true;
}

static void grow(struct monomials *m) {
  size_t size = m->buckets_.len ? m->buckets_.len * 2 : 256;
  vec_reserve(&m->buckets_, size);
  m->buckets_.len = size;
  memset(m->buckets_.at, 0, size * sizeof *m->buckets_.at);
  for (size_t i = 1; i < m->list.len; i++) {
    size_t slot = hash_factors(m->list.at[i].factors, m->list.at[i].count) & (size - 1);
    while (m->buckets_.at[slot])
      slot = (slot + 1) & (size - 1);
    m->buckets_.at[slot] = (uint32_t)i + 1;
  }
}

uint32_t monomial_of(struct monomials *m, const struct factor *factors, size_t count) {
  if (count == 0) return 0;
  if (m->list.len * 2 >= m->buckets_.len) grow(m);
  size_t mask = m->buckets_.len - 1, slot = hash_factors(factors, count) & mask;
  for (; m->buckets_.at[slot]; slot = (slot + 1) & mask) {
    uint32_t known = m->buckets_.at[slot] - 1;
    if (same_factors(&m->list.at[known], factors, count)) return known;
  }
  struct monomial new = {.factors = arena_memdup(&m->arena, factors, count * sizeof *factors),
                         .count = count};
  for (size_t i = 0; i < count; i++)
    new.degree += factors[i].exponent;
  vec_push(&m->list, new);
  m->buckets_.at[slot] = (uint32_t)m->list.len;
  return (uint32_t)m->list.len - 1;
}

uint32_t monomial_generator(struct monomials *m, term_id generator) {
  return monomial_of(m, &(struct factor){generator, 1}, 1);
}

uint32_t monomial_product(struct monomials *m, uint32_t a, uint32_t b) {
  if (a == 0) return b;
  if (b == 0) return a;
  uint64_t key = a < b ? ((uint64_t)a << 32) | b : ((uint64_t)b << 32) | a;
  uint32_t known;
  if (memo_find(&m->products, key, &known)) return known;
  struct monomial x = m->list.at[a], y = m->list.at[b];
  VEC(struct factor) all = {0};
  size_t i = 0, k = 0;
  while (i < x.count || k < y.count) {
    if (k == y.count || (i < x.count && x.factors[i].generator < y.factors[k].generator)) {
      vec_push(&all, x.factors[i++]);
    } else if (i == x.count || y.factors[k].generator < x.factors[i].generator) {
      vec_push(&all, y.factors[k++]);
    } else {
      struct factor both = {x.factors[i].generator, x.factors[i].exponent + y.factors[k].exponent};
      vec_push(&all, both);
      i++, k++;
    }
  }
  uint32_t product = monomial_of(m, all.at, all.len);
  vec_clear(&all);
  memo_put(&m->products, key, product);
  return product;
}

unsigned monomial_exponent(const struct monomials *m, uint32_t a, term_id generator) {
  const struct monomial *x = &m->list.at[a];
  for (size_t i = 0; i < x->count; i++)
    if (x->factors[i].generator == generator) return x->factors[i].exponent;
  return 0;
}

uint32_t monomial_without(struct monomials *m, uint32_t a, term_id generator) {
  struct monomial x = m->list.at[a];
  VEC(struct factor) rest = {0};
  for (size_t i = 0; i < x.count; i++)
    if (x.factors[i].generator != generator) vec_push(&rest, x.factors[i]);
  uint32_t result = monomial_of(m, rest.at, rest.len);
  vec_clear(&rest);
  return result;
}

/* ---- polynomials ----------------------------------------------------------------------------- */

void poly_clear(struct poly *p) {
  for (size_t i = 0; i < p->items.len; i++)
    fmpq_clear(&p->items.at[i].coefficient);
  vec_clear(&p->items);
}

static void push_item(struct poly *p, uint32_t monomial, const fmpq *c) {
  struct poly_item item = {.monomial = monomial};
  fmpq_init(&item.coefficient);
  fmpq_set(&item.coefficient, c);
  vec_push(&p->items, item);
}

void poly_set(struct poly *p, const struct poly *q) {
  struct poly copy = {0};
  for (size_t i = 0; i < q->items.len; i++)
    push_item(&copy, q->items.at[i].monomial, &q->items.at[i].coefficient);
  poly_clear(p);
  *p = copy;
}

void poly_set_monomial(struct poly *p, uint32_t monomial, const fmpq *coefficient) {
  struct poly made = {0};
  if (!fmpq_is_zero(coefficient)) push_item(&made, monomial, coefficient);
  poly_clear(p);
  *p = made;
}

void poly_add(struct poly *p, const fmpq *c, const struct poly *q) {
  struct poly sum = {0};
  fmpq_t value;
  fmpq_init(value);
  size_t i = 0, k = 0;
  while (i < p->items.len || k < q->items.len) {
    uint32_t a = i < p->items.len ? p->items.at[i].monomial : UINT32_MAX;
    uint32_t b = k < q->items.len ? q->items.at[k].monomial : UINT32_MAX;
    fmpq_zero(value);
    if (a <= b) fmpq_set(value, &p->items.at[i].coefficient);
    if (b <= a) fmpq_addmul(value, c, &q->items.at[k].coefficient);
    if (!fmpq_is_zero(value)) push_item(&sum, a < b ? a : b, value);
    i += a <= b;
    k += b <= a;
  }
  fmpq_clear(value);
  poly_clear(p);
  *p = sum;
}

void poly_add_si(struct poly *p, long c, const struct poly *q) {
  fmpq_t factor;
  fmpq_init(factor);
  fmpq_set_si(factor, c, 1);
  poly_add(p, factor, q);
  fmpq_clear(factor);
}

void poly_scale(struct poly *p, const fmpq *c) {
  struct poly zero = {0};
  poly_add(&zero, c, p);
  poly_clear(p);
  *p = zero;
}

static int by_monomial(const void *a, const void *b) {
  uint32_t x = ((const struct poly_item *)a)->monomial, y = ((const struct poly_item *)b)->monomial;
  return (x > y) - (x < y);
}

static void sort_items(struct poly_item *items, size_t count) {
  enum {
    FEW = 32
  }; /* most products are short, and then a call for each comparison is what counts */
  if (count > FEW) {
    qsort(items, count, sizeof *items, by_monomial);
    return;
  }
  for (size_t i = 1; i < count; i++) {
    struct poly_item item = items[i];
    size_t k = i;
    for (; k > 0 && items[k - 1].monomial > item.monomial; k--)
      items[k] = items[k - 1];
    items[k] = item;
  }
}

/* Sorts and gathers. */
static void tidy(struct poly *p) {
  sort_items(p->items.at, p->items.len);
  size_t kept = 0;
  for (size_t i = 0; i < p->items.len; i++) {
    struct poly_item item = p->items.at[i];
    if (kept && p->items.at[kept - 1].monomial == item.monomial) {
      fmpq *last = &p->items.at[kept - 1].coefficient;
      fmpq_add(last, last, &item.coefficient);
      fmpq_clear(&item.coefficient);
    } else {
      if (kept && fmpq_is_zero(&p->items.at[kept - 1].coefficient))
        fmpq_clear(&p->items.at[--kept].coefficient);
      p->items.at[kept++] = item;
    }
  }
  if (kept && fmpq_is_zero(&p->items.at[kept - 1].coefficient))
    fmpq_clear(&p->items.at[--kept].coefficient);
  p->items.len = kept;
}

bool poly_mul(struct monomials *m, struct poly *p, const struct poly *a, const struct poly *b) {
  struct poly product = {0};
  bool ok = a->items.len * b->items.len <= 8 * POLY_ITEMS;
  fmpq_t c;
  fmpq_init(c);
  for (size_t i = 0; ok && i < a->items.len; i++)
    for (size_t k = 0; ok && k < b->items.len; k++) {
      uint32_t x = monomial_product(m, a->items.at[i].monomial, b->items.at[k].monomial);
      ok = m->list.at[x].degree <= POLY_DEGREE;
      fmpq_mul(c, &a->items.at[i].coefficient, &b->items.at[k].coefficient);
      push_item(&product, x, c);
    }
  fmpq_clear(c);
  tidy(&product);
  poly_clear(p);
  *p = product;
  return ok && p->items.len <= POLY_ITEMS;
}

bool poly_equal(const struct poly *p, const struct poly *q) {
  if (p->items.len != q->items.len) return false;
  for (size_t i = 0; i < p->items.len; i++)
    if (p->items.at[i].monomial != q->items.at[i].monomial ||
        !fmpq_equal(&p->items.at[i].coefficient, &q->items.at[i].coefficient))
      return false;
  return true;
}

bool poly_is_constant(const struct poly *p, const fmpq **value) {
  if (p->items.len > 1 || (p->items.len == 1 && p->items.at[0].monomial != 0)) return false;
  *value = p->items.len ? &p->items.at[0].coefficient : NULL;
  return true;
}

const fmpq *poly_coefficient(const struct poly *p, uint32_t monomial) {
  for (size_t i = 0; i < p->items.len; i++)
    if (p->items.at[i].monomial == monomial) return &p->items.at[i].coefficient;
  return NULL;
}

bool poly_has(const struct monomials *m, const struct poly *p, term_id generator) {
  for (size_t i = 0; i < p->items.len; i++)
    if (monomial_exponent(m, p->items.at[i].monomial, generator)) return true;
  return false;
}

/* ---- terms ----------------------------------------------------------------------------------- */

static bool add_term(struct monomials *m, struct terms *ts, term_id t, struct poly *out) {
  struct poly part = {0};
  bool ok = poly_of_term(m, ts, t, &part);
  if (ok) poly_add_si(out, 1, &part);
  poly_clear(&part);
  return ok && out->items.len <= POLY_ITEMS;
}

static bool mul_term(struct monomials *m, struct terms *ts, term_id t, struct poly *out) {
  struct poly part = {0};
  bool ok = poly_of_term(m, ts, t, &part) && poly_mul(m, out, out, &part);
  poly_clear(&part);
  return ok;
}

static void set_one(struct poly *p) {
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  poly_set_monomial(p, 0, one);
  fmpq_clear(one);
}

bool poly_of_term(struct monomials *m, struct terms *ts, term_id t, struct poly *out) {
  poly_clear(out);
  if (term_sort(ts, t) == SORT_INT) t = term_to_real(ts, t);
  if (t == TERM_NONE) return false;
  size_t count = term_arg_count(ts, t);
  switch (term_kind(ts, t)) {
  case TERM_NUM: poly_set_monomial(out, 0, term_num_value(ts, t)); return true;
  case TERM_TO_REAL:
    set_one(out);
    out->items.at[0].monomial = monomial_generator(m, term_arg(ts, t, 0));
    return true;
  case TERM_ADD:
    for (size_t i = 0; i < count; i++)
      if (!add_term(m, ts, term_arg(ts, t, i), out)) return false;
    return true;
  case TERM_MUL:
    set_one(out);
    for (size_t i = 0; i < count; i++)
      if (!mul_term(m, ts, term_arg(ts, t, i), out)) return false;
    return true;
  case TERM_POW:
    set_one(out);
    if (term_get(ts, t)->data > POLY_DEGREE) return false;
    for (size_t i = 0; i < term_get(ts, t)->data; i++)
      if (!mul_term(m, ts, term_arg(ts, t, 0), out)) return false;
    return true;
  default:
    set_one(out);
    out->items.at[0].monomial = monomial_generator(m, t);
    return true;
  }
}

term_id poly_term(const struct monomials *m, struct terms *ts, const struct poly *p) {
  term_list sum = {0}, product = {0};
  vec_push(&sum, term_rat(ts, 0, 1));
  for (size_t i = 0; i < p->items.len; i++) {
    const struct monomial *x = &m->list.at[p->items.at[i].monomial];
    product.len = 0;
    vec_push(&product, term_num(ts, &p->items.at[i].coefficient, SORT_REAL));
    for (size_t k = 0; k < x->count; k++)
      vec_push(&product, term_pow(ts, x->factors[k].generator, x->factors[k].exponent));
    vec_push(&sum, term_product(ts, product.at, product.len));
  }
  term_id t = term_sum(ts, sum.at, sum.len);
  vec_clear(&sum);
  vec_clear(&product);
  return t;
}

uint32_t poly_content(struct monomials *m, const struct poly *p) {
  struct monomial first = m->list.at[p->items.at[0].monomial];
  VEC(struct factor) common = {0};
  for (size_t k = 0; k < first.count; k++) {
    struct factor f = first.factors[k];
    for (size_t i = 1; i < p->items.len; i++) {
      unsigned e = monomial_exponent(m, p->items.at[i].monomial, f.generator);
      if (e < f.exponent) f.exponent = e;
    }
    if (f.exponent) vec_push(&common, f);
  }
  uint32_t result = monomial_of(m, common.at, common.len);
  vec_clear(&common);
  return result;
}

void poly_primitive(struct monomials *m, const struct poly *p, uint32_t monomial, struct poly *out,
                    fmpq *lead) {
  struct monomial known = m->list.at[monomial];
  fmpq_set(lead, &vec_last(&p->items).coefficient);
  fmpq_t scale;
  fmpq_init(scale);
  fmpq_inv(scale, lead);
  for (size_t i = 0; i < p->items.len; i++) {
    struct monomial x = m->list.at[p->items.at[i].monomial];
    VEC(struct factor) rest = {0};
    for (size_t k = 0; k < x.count; k++) {
      struct factor f = x.factors[k];
      for (size_t j = 0; j < known.count; j++)
        if (known.factors[j].generator == f.generator) f.exponent -= known.factors[j].exponent;
      if (f.exponent) vec_push(&rest, f);
    }
    struct poly item = {0};
    poly_set_monomial(&item, monomial_of(m, rest.at, rest.len), &p->items.at[i].coefficient);
    poly_add(out, scale, &item);
    poly_clear(&item);
    vec_clear(&rest);
  }
  fmpq_clear(scale);
}
