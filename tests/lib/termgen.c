#include "termgen.h"

#include <flint/fmpz_vec.h>
#include <stdio.h>

void termgen_init(struct termgen *g, struct terms *ts, uint64_t seed) {
  *g = (struct termgen){.ts = ts, .rng = rng_seeded(seed)};
  static const char *const names[TERMGEN_VARS] = {"x", "y", "z", "w"};
  for (unsigned i = 0; i < TERMGEN_VARS; i++) {
    char name[16];
    g->reals[i] = term_var(ts, names[i], SORT_REAL, i % 3, 0);
    snprintf(name, sizeof name, "n%u", i);
    g->ints[i] = term_var(ts, name, SORT_INT, (i + 1) % 3, 0);
    snprintf(name, sizeof name, "b%u", i);
    g->bools[i] = term_var(ts, name, SORT_BOOL, 0, 0);
    fmpq_init(&g->int_values[i]);
    fmpq_init(&g->real_values[i]);
  }
  sort_id list = sort_list(ts, SORT_INT);
  g->lists[0] = term_var(ts, "l", list, 1, 0);
  g->lists[1] = term_var(ts, "l", list, 2, 0);
  g->array = term_var(ts, "a", sort_array(ts, SORT_INT), 1, 0);
  termgen_assign(g);
}

void termgen_clear(struct termgen *g) {
  for (int i = 0; i < TERMGEN_VARS; i++) {
    fmpq_clear(&g->int_values[i]);
    fmpq_clear(&g->real_values[i]);
  }
}

void termgen_assign(struct termgen *g) {
  for (int i = 0; i < TERMGEN_VARS; i++) {
    fmpq_set_si(&g->int_values[i], rng_range(&g->rng, -4, 4), 1);
    fmpq_set_si(&g->real_values[i], rng_range(&g->rng, -6, 6),
                (unsigned long)rng_range(&g->rng, 1, 3));
    g->bool_values[i] = rng_chance(&g->rng, 1, 2);
  }
  for (int i = 0; i < 2; i++) {
    g->list_lengths[i] = rng_below(&g->rng, TERMGEN_LIST + 1);
    for (int k = 0; k < TERMGEN_LIST; k++)
      g->list_values[i][k] = rng_range(&g->rng, 0, 1);
  }
  for (int i = 0; i < 8; i++)
    g->array_values[i] = rng_range(&g->rng, -2, 2);
}

void termgen_bind(struct termgen *g, struct evaluator *ev) {
  for (int i = 0; i < TERMGEN_VARS; i++) {
    eval_assign(ev, g->ints[i], tvalue_exact(ev, &g->int_values[i]));
    eval_assign(ev, g->reals[i], tvalue_exact(ev, &g->real_values[i]));
    eval_assign(ev, g->bools[i], tvalue_bool(ev, g->bool_values[i]));
  }
  for (int i = 0; i < 2; i++) {
    const struct tvalue *items[TERMGEN_LIST];
    for (int k = 0; k < TERMGEN_LIST; k++)
      items[k] = tvalue_int(ev, g->list_values[i][k]);
    eval_assign(ev, g->lists[i], tvalue_items(ev, items, g->list_lengths[i]));
  }
  const struct tvalue *entries[8];
  fmpz *keys = _fmpz_vec_init(8);
  for (int i = 0; i < 8; i++) {
    fmpz_set_si(&keys[i], i);
    entries[i] = tvalue_int(ev, g->array_values[i]);
  }
  eval_assign(ev, g->array, tvalue_array(ev, keys, entries, 8, tvalue_int(ev, 0)));
  _fmpz_vec_clear(keys, 8);
}

void sample_init(struct sample *s) {
  *s = (struct sample){0};
  fmpq_init(&s->number);
}

void sample_clear(struct sample *s) {
  fmpq_clear(&s->number);
}

/* ---- lists ---------------------------------------------------------------------------------- */

static void list_sample(struct termgen *g, struct sample *out, int depth) {
  struct terms *ts = g->ts;
  struct sample a, b;
  sample_init(&a);
  sample_init(&b);
  switch (depth <= 0 ? rng_below(&g->rng, 2) : rng_below(&g->rng, 5)) {
  case 0: {
    int i = (int)rng_below(&g->rng, 2);
    out->term = g->lists[i];
    out->count = g->list_lengths[i];
    for (size_t k = 0; k < out->count; k++)
      out->items[k] = g->list_values[i][k];
    break;
  }
  case 1: out->term = term_nil(ts, sort_list(ts, SORT_INT)); break;
  case 2: {
    int v = rng_range(&g->rng, 0, 1);
    list_sample(g, &a, depth - 1);
    out->term = term_cons(ts, term_int(ts, v), a.term);
    out->poison = a.poison || a.count > 30;
    out->items[0] = v;
    out->count = out->poison ? 0 : a.count + 1;
    for (size_t k = 1; k < out->count; k++)
      out->items[k] = a.items[k - 1];
    break;
  }
  case 3:
    list_sample(g, &a, depth - 1);
    list_sample(g, &b, depth - 1);
    out->term = term_append(ts, a.term, b.term);
    out->poison = a.poison || b.poison || a.count + b.count > 30;
    out->count = out->poison ? 0 : a.count + b.count;
    for (size_t k = 0; k < out->count; k++)
      out->items[k] = k < a.count ? a.items[k] : b.items[k - a.count];
    break;
  default:
    list_sample(g, &a, depth - 1);
    out->term = term_tail(ts, a.term);
    out->poison = a.poison || !a.count;
    out->count = out->poison ? 0 : a.count - 1;
    for (size_t k = 0; k < out->count; k++)
      out->items[k] = a.items[k + 1];
    break;
  }
  sample_clear(&a);
  sample_clear(&b);
}

/* ---- numbers -------------------------------------------------------------------------------- */

static void leaf(struct termgen *g, struct sample *out, sort_id sort) {
  size_t i = rng_below(&g->rng, TERMGEN_VARS);
  if (rng_chance(&g->rng, 1, 3)) {
    long den = sort == SORT_REAL ? rng_range(&g->rng, 1, 4) : 1;
    fmpq_set_si(&out->number, rng_range(&g->rng, -4, 4), (unsigned long)den);
    out->term = term_num(g->ts, &out->number, sort);
  } else if (sort == SORT_INT) {
    out->term = g->ints[i];
    fmpq_set(&out->number, &g->int_values[i]);
  } else {
    out->term = g->reals[i];
    fmpq_set(&out->number, &g->real_values[i]);
  }
}

static void floor_to(fmpq *r, const fmpq *a, bool up) {
  fmpz_t z;
  fmpz_init(z);
  (up ? fmpz_cdiv_q : fmpz_fdiv_q)(z, fmpq_numref(a), fmpq_denref(a));
  fmpq_set_fmpz(r, z);
  fmpz_clear(z);
}

static void select_sample(struct termgen *g, struct sample *out, struct sample *i,
                          struct sample *v) {
  struct terms *ts = g->ts;
  long k = fmpz_get_si(fmpq_numref(&i->number));
  long shift = rng_range(&g->rng, -1, 1);
  term_id stored = term_store(ts, g->array, i->term, v->term);
  out->term = term_select(ts, stored, term_add(ts, i->term, term_int(ts, shift)));
  k += shift;
  if (shift == 0)
    fmpq_set(&out->number, &v->number);
  else
    fmpq_set_si(&out->number, k >= 0 && k < 8 ? g->array_values[k] : 0, 1);
}

/* The operations on two numbers of one sort. */
static void binary(struct termgen *g, struct sample *out, sort_id sort, struct sample *a,
                   struct sample *b) {
  struct terms *ts = g->ts;
  const fmpq *x = &a->number, *y = &b->number;
  switch (rng_below(&g->rng, sort == SORT_INT ? 10 : 8)) {
  case 0:
    out->term = term_add(ts, a->term, b->term);
    fmpq_add(&out->number, x, y);
    break;
  case 1:
    out->term = term_sub(ts, a->term, b->term);
    fmpq_sub(&out->number, x, y);
    break;
  case 2:
    if (g->linear && !term_is_num(ts, a->term)) {
      out->term = term_neg(ts, a->term);
      fmpq_neg(&out->number, x);
      break;
    }
    out->term = term_mul(ts, a->term, b->term);
    fmpq_mul(&out->number, x, y);
    break;
  case 3:
    out->term = term_min(ts, a->term, b->term);
    fmpq_set(&out->number, fmpq_cmp(x, y) <= 0 ? x : y);
    break;
  case 4:
    out->term = term_max(ts, a->term, b->term);
    fmpq_set(&out->number, fmpq_cmp(x, y) >= 0 ? x : y);
    break;
  case 5:
    out->term = term_abs(ts, a->term);
    fmpq_abs(&out->number, x);
    break;
  case 6:
    if (g->linear) {
      out->term = term_add(ts, a->term, a->term);
      fmpq_add(&out->number, x, x);
      break;
    }
    out->term = term_pow(ts, a->term, 2);
    fmpq_mul(&out->number, x, x);
    break;
  case 7:
    if (sort == SORT_INT) {
      select_sample(g, out, a, b);
      break;
    }
    if (g->linear && !term_is_num(ts, b->term)) {
      out->term = a->term;
      fmpq_set(&out->number, x);
      break;
    }
    out->term = term_div(ts, a->term, b->term);
    if (fmpq_is_zero(y))
      out->poison = true;
    else
      fmpq_div(&out->number, x, y);
    break;
  default: {
    bool quotient = rng_chance(&g->rng, 1, 2);
    struct sample *d = b;
    struct sample constant;
    sample_init(&constant);
    if (g->linear) {
      fmpq_set_si(&constant.number, rng_chance(&g->rng, 1, 2) ? 3 : -2, 1);
      constant.term = term_num(ts, &constant.number, SORT_INT);
      d = &constant;
    }
    out->term = (quotient ? term_idiv : term_mod)(ts, a->term, d->term);
    if (fmpq_is_zero(&d->number)) {
      out->poison = true;
    } else {
      fmpq q;
      fmpq_init(&q);
      fmpq_div(&q, x, &d->number);
      floor_to(&q, &q, false);
      if (!quotient) {
        fmpq_mul(&q, &q, &d->number);
        fmpq_sub(&q, x, &q);
      }
      fmpq_set(&out->number, &q);
      fmpq_clear(&q);
    }
    sample_clear(&constant);
  }
  }
}

static void number_sample(struct termgen *g, struct sample *out, sort_id sort, int depth) {
  struct terms *ts = g->ts;
  struct sample a, b, c;
  sample_init(&a);
  sample_init(&b);
  sample_init(&c);
  switch (depth <= 0 ? 0 : rng_below(&g->rng, 7)) {
  case 0: leaf(g, out, sort); break;
  case 1: /* change of sort */
    termgen_sample(g, &a, sort == SORT_INT ? SORT_REAL : SORT_INT, depth - 1);
    out->poison = a.poison;
    if (sort == SORT_REAL) {
      out->term = term_to_real(ts, a.term);
      fmpq_set(&out->number, &a.number);
    } else {
      bool up = rng_chance(&g->rng, 1, 2);
      out->term = (up ? term_ceil : term_floor)(ts, a.term);
      floor_to(&out->number, &a.number, up);
    }
    break;
  case 2:
    termgen_sample(g, &a, SORT_BOOL, depth - 1);
    termgen_sample(g, &b, sort, depth - 1);
    termgen_sample(g, &c, sort, depth - 1);
    out->poison = a.poison || b.poison || c.poison;
    out->term = term_ite(ts, a.term, b.term, c.term);
    fmpq_set(&out->number, a.truth ? &b.number : &c.number);
    break;
  case 3:
    if (sort == SORT_INT) {
      list_sample(g, &a, depth - 1);
      bool head = rng_chance(&g->rng, 1, 2);
      out->term = (head ? term_head : term_length)(ts, a.term);
      out->poison = a.poison || (head && !a.count);
      if (!out->poison) fmpq_set_si(&out->number, head ? a.items[0] : (long)a.count, 1);
      break;
    } /* fall through */
  default:
    termgen_sample(g, &a, sort, depth - 1);
    termgen_sample(g, &b, sort, depth - 1);
    out->poison = a.poison || b.poison;
    binary(g, out, sort, &a, &b);
    break;
  }
  sample_clear(&a);
  sample_clear(&b);
  sample_clear(&c);
}

/* ---- formulas ------------------------------------------------------------------------------- */

static void comparison(struct termgen *g, struct sample *out, int depth) {
  struct terms *ts = g->ts;
  struct sample a, b;
  sample_init(&a);
  sample_init(&b);
  if (rng_chance(&g->rng, 1, 6)) {
    list_sample(g, &a, depth - 1);
    list_sample(g, &b, depth - 1);
    out->term = term_eq(ts, a.term, b.term);
    out->truth = a.count == b.count;
    for (size_t i = 0; out->truth && i < a.count; i++)
      out->truth = a.items[i] == b.items[i];
  } else {
    sort_id sort = rng_chance(&g->rng, 1, 2) ? SORT_INT : SORT_REAL;
    termgen_sample(g, &a, sort, depth - 1);
    termgen_sample(g, &b, rng_chance(&g->rng, 1, 4) ? SORT_INT : sort, depth - 1);
    int order = fmpq_cmp(&a.number, &b.number);
    switch (rng_below(&g->rng, 3)) {
    case 0:
      out->term = term_le(ts, a.term, b.term);
      out->truth = order <= 0;
      break;
    case 1:
      out->term = term_gt(ts, a.term, b.term);
      out->truth = order > 0;
      break;
    default:
      out->term = term_eq(ts, a.term, b.term);
      out->truth = order == 0;
      break;
    }
  }
  out->poison = a.poison || b.poison;
  sample_clear(&a);
  sample_clear(&b);
}

static void formula_sample(struct termgen *g, struct sample *out, int depth) {
  struct terms *ts = g->ts;
  struct sample a, b;
  sample_init(&a);
  sample_init(&b);
  size_t choice = depth <= 0 ? 0 : rng_below(&g->rng, 9);
  if (choice == 0) {
    size_t i = rng_below(&g->rng, TERMGEN_VARS);
    out->term = g->bools[i];
    out->truth = g->bool_values[i];
  } else if (choice <= 3) {
    comparison(g, out, depth);
  } else {
    formula_sample(g, &a, depth - 1);
    formula_sample(g, &b, depth - 1);
    out->poison = a.poison || b.poison;
    switch (choice) {
    case 4:
      out->term = term_and(ts, a.term, b.term);
      out->truth = a.truth && b.truth;
      break;
    case 5:
      out->term = term_or(ts, a.term, b.term);
      out->truth = a.truth || b.truth;
      break;
    case 6:
      out->term = term_implies(ts, a.term, b.term);
      out->truth = !a.truth || b.truth;
      break;
    case 7:
      out->term = term_iff(ts, a.term, b.term);
      out->truth = a.truth == b.truth;
      break;
    default:
      out->term = term_not(ts, a.term);
      out->poison = a.poison;
      out->truth = !a.truth;
      break;
    }
  }
  sample_clear(&a);
  sample_clear(&b);
}

void termgen_sample(struct termgen *g, struct sample *out, sort_id sort, int depth) {
  if (sort == SORT_BOOL)
    formula_sample(g, out, depth);
  else
    number_sample(g, out, sort, depth);
}

term_id termgen_term(struct termgen *g, sort_id sort, int depth) {
  struct sample s;
  sample_init(&s);
  termgen_sample(g, &s, sort, depth);
  term_id t = s.term;
  sample_clear(&s);
  return t;
}
