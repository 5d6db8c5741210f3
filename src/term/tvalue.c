/* Values of the evaluator. */
#include <flint/fmpz_vec.h>
#include <stdlib.h>

#include "term/eval.h"

static struct tvalue *make(struct evaluator *ev, enum tvalue_kind kind) {
  struct tvalue *v = xcalloc(1, sizeof *v);
  v->kind = kind;
  fmpq_init(&v->exact);
  arb_init(v->ball);
  vec_push(&ev->all, v);
  return v;
}

static void destroy(struct tvalue *v) {
  fmpq_clear(&v->exact);
  arb_clear(v->ball);
  if (v->keys) _fmpz_vec_clear(v->keys, (slong)v->count);
  free(v->items);
  free(v);
}

void eval_init(struct evaluator *ev, struct terms *ts) {
  *ev = (struct evaluator){.ts = ts, .precision = 128, .low = -3, .high = 8};
  memo_init(&ev->memo);
}

void eval_reset(struct evaluator *ev) {
  for (size_t i = 0; i < ev->all.len; i++)
    destroy(ev->all.at[i]);
  ev->all.len = ev->bound.len = ev->results.len = ev->carriers.len = 0;
  memo_clear(&ev->memo);
}

void eval_clear(struct evaluator *ev) {
  eval_reset(ev);
  vec_clear(&ev->all);
  vec_clear(&ev->bound);
  vec_clear(&ev->carriers);
  vec_clear(&ev->results);
}

void eval_assign(struct evaluator *ev, term_id var, const struct tvalue *value) {
  vec_push(&ev->results, value);
  memo_put(&ev->memo, var, (uint32_t)ev->results.len);
}

const struct tvalue *tvalue_unknown(struct evaluator *ev) {
  return make(ev, TVALUE_UNKNOWN);
}

const struct tvalue *tvalue_bool(struct evaluator *ev, bool truth) {
  struct tvalue *v = make(ev, TVALUE_BOOL);
  v->truth = truth;
  return v;
}

const struct tvalue *tvalue_exact(struct evaluator *ev, const fmpq *q) {
  if (fmpz_bits(fmpq_numref(q)) + fmpz_bits(fmpq_denref(q)) > EVAL_MAX_BITS)
    return tvalue_unknown(ev);
  struct tvalue *v = make(ev, TVALUE_EXACT);
  fmpq_set(&v->exact, q);
  return v;
}

const struct tvalue *tvalue_int(struct evaluator *ev, long z) {
  struct tvalue *v = make(ev, TVALUE_EXACT);
  fmpq_set_si(&v->exact, z, 1);
  return v;
}

const struct tvalue *tvalue_ball(struct evaluator *ev, const arb_t ball) {
  if (!arb_is_finite(ball)) return tvalue_unknown(ev);
  struct tvalue *v = make(ev, TVALUE_BALL);
  arb_set(v->ball, ball);
  return v;
}

const struct tvalue *tvalue_element(struct evaluator *ev, long element) {
  struct tvalue *v = make(ev, TVALUE_ELEMENT);
  v->element = element;
  return v;
}

static void set_items(struct tvalue *v, const struct tvalue *const *items, size_t count) {
  v->count = count;
  v->items = xcalloc(count ? count : 1, sizeof *v->items);
  for (size_t i = 0; i < count; i++)
    v->items[i] = items[i];
}

const struct tvalue *tvalue_items(struct evaluator *ev, const struct tvalue *const *items,
                                  size_t count) {
  struct tvalue *v = make(ev, TVALUE_ITEMS);
  set_items(v, items, count);
  return v;
}

const struct tvalue *tvalue_array(struct evaluator *ev, const fmpz *keys,
                                  const struct tvalue *const *items, size_t count,
                                  const struct tvalue *fallback) {
  struct tvalue *v = make(ev, TVALUE_ARRAY);
  set_items(v, items, count);
  v->keys = count ? _fmpz_vec_init((slong)count) : NULL;
  if (count) _fmpz_vec_set(v->keys, keys, (slong)count);
  v->fallback = fallback;
  return v;
}

bool tvalue_get_ball(const struct tvalue *v, arb_t ball, slong precision) {
  if (v->kind == TVALUE_EXACT)
    arb_set_fmpq(ball, &v->exact, precision);
  else if (v->kind == TVALUE_BALL)
    arb_set(ball, v->ball);
  else
    return false;
  return true;
}

static int equal_numbers(struct evaluator *ev, const struct tvalue *a, const struct tvalue *b) {
  if (a->kind == TVALUE_EXACT && b->kind == TVALUE_EXACT) return fmpq_equal(&a->exact, &b->exact);
  arb_t x, y;
  arb_init(x);
  arb_init(y);
  int result = -1;
  if (tvalue_get_ball(a, x, ev->precision) && tvalue_get_ball(b, y, ev->precision) &&
      !arb_overlaps(x, y))
    result = 0;
  arb_clear(x);
  arb_clear(y);
  return result;
}

/* Arrays are maps on all integers: equal if written the same way, different if some listed key
 * separates them; the fallbacks differ somewhere because only finitely many keys are listed. */
static int equal_arrays(struct evaluator *ev, const struct tvalue *a, const struct tvalue *b) {
  if (a == b) return 1;
  int result = a->fallback && b->fallback ? tvalue_equal(ev, a->fallback, b->fallback) : -1;
  if (result == 0) return 0;
  for (int side = 0; side < 2; side++) {
    const struct tvalue *x = side ? b : a, *y = side ? a : b;
    for (size_t i = 0; i < x->count; i++) {
      const struct tvalue *vx = x->fallback, *vy = y->fallback;
      for (size_t j = 0; j < x->count; j++)
        if (fmpz_equal(&x->keys[j], &x->keys[i])) vx = x->items[j];
      for (size_t j = 0; j < y->count; j++)
        if (fmpz_equal(&y->keys[j], &x->keys[i])) vy = y->items[j];
      int e = vx && vy ? tvalue_equal(ev, vx, vy) : -1;
      if (e == 0) return 0;
      if (e < 0) result = -1;
    }
  }
  return result;
}

int tvalue_equal(struct evaluator *ev, const struct tvalue *a, const struct tvalue *b) {
  bool a_number = a->kind == TVALUE_EXACT || a->kind == TVALUE_BALL;
  bool b_number = b->kind == TVALUE_EXACT || b->kind == TVALUE_BALL;
  if (a_number && b_number) return equal_numbers(ev, a, b);
  if (a->kind != b->kind) return -1;
  switch (a->kind) {
  case TVALUE_BOOL: return a->truth == b->truth;
  case TVALUE_ELEMENT: return a->element == b->element;
  case TVALUE_ARRAY: return equal_arrays(ev, a, b);
  case TVALUE_ITEMS: {
    if (a->count != b->count) return 0;
    int result = 1;
    for (size_t i = 0; i < a->count; i++) {
      int e = tvalue_equal(ev, a->items[i], b->items[i]);
      if (e == 0) return 0;
      if (e < 0) result = -1;
    }
    return result;
  }
  default: return -1;
  }
}
