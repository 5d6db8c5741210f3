#include "num/real/order_poly.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void order_poly_init(struct order_poly *f) {
  *f = (struct order_poly){NULL, 0, 0};
}

void order_poly_clear(struct order_poly *f) {
  for (size_t i = 0; i < f->capacity; i++)
    arb_clear(f->terms[i].coefficient);
  free(f->terms);
  order_poly_init(f);
}

void order_poly_swap(struct order_poly *a, struct order_poly *b) {
  struct order_poly c = *a;
  *a = *b;
  *b = c;
}

struct order_term *order_poly_push(struct order_poly *f, const int64_t key[ORDER_WIDTH]) {
  if (f->count == f->capacity) {
    size_t capacity = f->capacity ? f->capacity * 2 : 2;
    f->terms = xrealloc(f->terms, capacity * sizeof *f->terms);
    for (size_t i = f->capacity; i < capacity; i++)
      arb_init(f->terms[i].coefficient);
    f->capacity = capacity;
  }
  struct order_term *term = &f->terms[f->count++];
  memcpy(term->key, key, sizeof term->key);
  arb_zero(term->coefficient);
  return term;
}

static int key_cmp(const int64_t *a, const int64_t *b) {
  for (size_t i = 0; i < ORDER_WIDTH; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

static int term_cmp(const void *a, const void *b) {
  return key_cmp(((const struct order_term *)a)->key, ((const struct order_term *)b)->key);
}

void order_poly_normalize(struct order_poly *f, slong precision) {
  if (f->count == 0) return;
  /* arb_t may be moved in memory; equal keys merge, so their order does not matter for soundness,
   * and glibc's qsort is a stable merge sort, so it does not matter for determinism either */
  qsort(f->terms, f->count, sizeof *f->terms, term_cmp);
  size_t kept = 0;
  for (size_t i = 1; i < f->count; i++) {
    struct order_term *last = &f->terms[kept], *next = &f->terms[i];
    if (key_cmp(last->key, next->key) == 0) {
      arb_add(last->coefficient, last->coefficient, next->coefficient, precision);
      continue;
    }
    if (!arb_is_zero(last->coefficient)) last = &f->terms[++kept];
    if (last != next) {
      memcpy(last->key, next->key, sizeof last->key);
      arb_swap(last->coefficient, next->coefficient);
    }
  }
  f->count = kept + !arb_is_zero(f->terms[kept].coefficient);
}

static void mul_term(struct order_poly *out, const struct order_poly *f, const struct order_term *t,
                     slong precision) {
  out->count = 0;
  for (size_t i = 0; i < f->count; i++) {
    int64_t key[ORDER_WIDTH];
    for (size_t v = 0; v < ORDER_WIDTH; v++)
      key[v] = f->terms[i].key[v] + t->key[v];
    struct order_term *product = order_poly_push(out, key);
    arb_mul(product->coefficient, f->terms[i].coefficient, t->coefficient, precision);
    if (arb_is_zero(product->coefficient)) out->count--;
  }
}

static void merge(struct order_poly *out, const struct order_poly *f, const struct order_poly *g,
                  slong precision) {
  size_t i = 0, j = 0;
  out->count = 0;
  while (i < f->count || j < g->count) {
    int order = i == f->count ? 1 : j == g->count ? -1 : key_cmp(f->terms[i].key, g->terms[j].key);
    const struct order_term *first = order <= 0 ? &f->terms[i] : &g->terms[j];
    struct order_term *sum = order_poly_push(out, first->key);
    if (order == 0)
      arb_add(sum->coefficient, f->terms[i].coefficient, g->terms[j].coefficient, precision);
    else
      arb_set(sum->coefficient, first->coefficient);
    if (arb_is_zero(sum->coefficient)) out->count--;
    i += order <= 0;
    j += order >= 0;
  }
}

/* out = f * (terms of g in [from, to)) */
static void mul_range(struct order_poly *out, const struct order_poly *f,
                      const struct order_poly *g, size_t from, size_t to, slong precision) {
  if (to - from == 1) {
    mul_term(out, f, &g->terms[from], precision);
    return;
  }
  struct order_poly low, high;
  order_poly_init(&low);
  order_poly_init(&high);
  size_t middle = from + (to - from) / 2;
  mul_range(&low, f, g, from, middle, precision);
  mul_range(&high, f, g, middle, to, precision);
  merge(out, &low, &high, precision);
  order_poly_clear(&low);
  order_poly_clear(&high);
}

void order_poly_mul(struct order_poly *out, const struct order_poly *f, const struct order_poly *g,
                    slong precision) {
  struct order_poly product;
  order_poly_init(&product);
  const struct order_poly *longer = f->count >= g->count ? f : g;
  const struct order_poly *shorter = f->count >= g->count ? g : f;
  if (shorter->count) mul_range(&product, longer, shorter, 0, shorter->count, precision);
  order_poly_swap(out, &product);
  order_poly_clear(&product);
}

void order_poly_rename(struct order_poly *out, const struct order_poly *f, const uint8_t *map,
                       size_t arity) {
  struct order_poly renamed;
  order_poly_init(&renamed);
  for (size_t i = 0; i < f->count; i++) {
    int64_t key[ORDER_WIDTH] = {0};
    for (size_t v = 0; v < arity; v++)
      key[map[v]] = f->terms[i].key[v];
    arb_set(order_poly_push(&renamed, key)->coefficient, f->terms[i].coefficient);
  }
  /* a renaming is a bijection on exponents: nothing merges, only the order may change */
  order_poly_normalize(&renamed, ARF_PREC_EXACT);
  order_poly_swap(out, &renamed);
  order_poly_clear(&renamed);
}
