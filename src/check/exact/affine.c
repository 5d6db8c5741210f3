#include "check/exact/affine.h"

#include <stdlib.h>

#include "base/alloc.h"

static struct affine *make(size_t capacity) {
  struct affine *a = xcalloc(1, sizeof *a + capacity * sizeof *a->terms);
  a->refs = 1;
  fmpq_init(a->constant);
  return a;
}

struct affine *affine_constant(const fmpq_t value) {
  struct affine *a = make(0);
  fmpq_set(a->constant, value);
  return a;
}

static void append(struct affine *a, symbol s, const fmpq_t coefficient) {
  if (fmpq_is_zero(coefficient)) return;
  struct affine_term *t = &a->terms[a->count++];
  t->symbol = s;
  fmpq_init(t->coefficient);
  fmpq_set(t->coefficient, coefficient);
}

struct affine *affine_symbol(symbol s) {
  struct affine *a = make(1);
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  append(a, s, one);
  fmpq_clear(one);
  return a;
}

struct affine *affine_ref(const struct affine *a) {
  struct affine *shared = (struct affine *)a; /* the count is not part of the value */
  shared->refs++;
  return shared;
}

void affine_unref(struct affine *a) {
  if (!a || --a->refs) return;
  fmpq_clear(a->constant);
  for (size_t i = 0; i < a->count; i++)
    fmpq_clear(a->terms[i].coefficient);
  free(a);
}

struct affine *affine_combine(const struct affine *a, const fmpq_t factor, const struct affine *b) {
  struct affine *sum = make(a->count + b->count);
  fmpq_t c;
  fmpq_init(c);
  fmpq_mul(c, factor, b->constant);
  fmpq_add(sum->constant, a->constant, c);
  for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
    bool left = j == b->count || (i < a->count && a->terms[i].symbol <= b->terms[j].symbol);
    bool right = i == a->count || (j < b->count && b->terms[j].symbol <= a->terms[i].symbol);
    symbol s = left ? a->terms[i].symbol : b->terms[j].symbol;
    fmpq_zero(c);
    if (right) fmpq_mul(c, factor, b->terms[j++].coefficient);
    if (left) fmpq_add(c, c, a->terms[i++].coefficient);
    append(sum, s, c);
  }
  fmpq_clear(c);
  return sum;
}

struct affine *affine_scale(const struct affine *a, const fmpq_t factor) {
  struct affine *scaled = make(a->count);
  fmpq_t c;
  fmpq_init(c);
  fmpq_mul(scaled->constant, a->constant, factor);
  for (size_t i = 0; i < a->count; i++) {
    fmpq_mul(c, a->terms[i].coefficient, factor);
    append(scaled, a->terms[i].symbol, c);
  }
  fmpq_clear(c);
  return scaled;
}

const fmpq *affine_coefficient(const struct affine *a, symbol s) {
  for (size_t i = 0; i < a->count; i++)
    if (a->terms[i].symbol == s) return a->terms[i].coefficient;
  return NULL;
}

bool affine_mentions(const struct affine *a, symbol s) {
  return affine_coefficient(a, s) != NULL;
}

struct affine *affine_substitute(const struct affine *a, symbol s, const struct affine *by) {
  const fmpq *c = affine_coefficient(a, s);
  if (!c) return affine_ref(a);
  struct affine *rest = make(a->count);
  fmpq_set(rest->constant, a->constant);
  for (size_t i = 0; i < a->count; i++)
    if (a->terms[i].symbol != s) append(rest, a->terms[i].symbol, a->terms[i].coefficient);
  struct affine *sum = affine_combine(rest, c, by);
  affine_unref(rest);
  return sum;
}

struct affine *affine_normalise(const struct affine *a) {
  fmpq_t factor;
  fmpq_init(factor);
  fmpq_one(factor);
  const fmpq *lead = a->count ? a->terms[0].coefficient : a->constant;
  if (!fmpq_is_zero(lead)) {
    fmpq_abs(factor, lead);
    fmpq_inv(factor, factor);
  }
  struct affine *n = affine_scale(a, factor);
  fmpq_clear(factor);
  return n;
}

bool affine_equal(const struct affine *a, const struct affine *b) {
  if (a == b) return true;
  if (a->count != b->count || !fmpq_equal(a->constant, b->constant)) return false;
  for (size_t i = 0; i < a->count; i++)
    if (a->terms[i].symbol != b->terms[i].symbol ||
        !fmpq_equal(a->terms[i].coefficient, b->terms[i].coefficient))
      return false;
  return true;
}
