#include "term/linear.h"

#include <stdlib.h>

void linear_init(struct linear *l) {
  *l = (struct linear){0};
  fmpq_init(&l->constant);
}

void linear_clear(struct linear *l) {
  for (size_t i = 0; i < l->items.len; i++)
    fmpq_clear(&l->items.at[i].coefficient);
  vec_clear(&l->items);
  fmpq_clear(&l->constant);
}

bool term_split_coefficient(struct terms *ts, term_id t, fmpq *coefficient, term_id *atom) {
  *atom = t;
  if (term_kind(ts, t) == TERM_NUM) {
    fmpq_set(coefficient, term_num_value(ts, t));
    *atom = TERM_NONE;
    return true;
  }
  fmpq_one(coefficient);
  if (term_kind(ts, t) != TERM_MUL || !term_is_num(ts, term_arg(ts, t, 0))) return true;
  fmpq_set(coefficient, term_num_value(ts, term_arg(ts, t, 0)));
  size_t rest = term_arg_count(ts, t) - 1;
  if (rest == 1) {
    *atom = term_arg(ts, t, 1);
    return true;
  }
  term_list factors = {0};
  for (size_t i = 1; i <= rest; i++)
    vec_push(&factors, term_arg(ts, t, i));
  /* The tail of a normal product is a normal product. */
  *atom = term_make_(ts, (struct term_node){.kind = TERM_MUL, .sort = term_sort(ts, t)}, factors.at,
                     rest);
  vec_clear(&factors);
  return *atom != TERM_NONE;
}

void linear_add(struct linear *l, struct terms *ts, const fmpq *scale, term_id t) {
  if (term_kind(ts, t) == TERM_ADD) {
    for (size_t i = 0; i < term_arg_count(ts, t); i++)
      linear_add(l, ts, scale, term_arg(ts, t, i));
    return;
  }
  struct linear_item item;
  fmpq_init(&item.coefficient);
  l->failed = !term_split_coefficient(ts, t, &item.coefficient, &item.atom) || l->failed;
  if (item.atom == TERM_NONE) {
    fmpq_addmul(&l->constant, scale, &item.coefficient);
    fmpq_clear(&item.coefficient);
    return;
  }
  fmpq_mul(&item.coefficient, &item.coefficient, scale);
  vec_push(&l->items, item);
}

void linear_read(struct linear *l, struct terms *ts, term_id t) {
  fmpq one;
  fmpq_init(&one);
  fmpq_one(&one);
  linear_init(l);
  linear_add(l, ts, &one, t);
  fmpq_clear(&one);
}

static int by_atom(const void *a, const void *b) {
  term_id x = ((const struct linear_item *)a)->atom, y = ((const struct linear_item *)b)->atom;
  return (x > y) - (x < y);
}

void linear_normalise(struct linear *l) {
  if (l->items.len > 1) qsort(l->items.at, l->items.len, sizeof *l->items.at, by_atom);
  size_t kept = 0;
  for (size_t i = 0; i < l->items.len;) {
    struct linear_item item = l->items.at[i++];
    while (i < l->items.len && l->items.at[i].atom == item.atom) {
      fmpq_add(&item.coefficient, &item.coefficient, &l->items.at[i].coefficient);
      fmpq_clear(&l->items.at[i++].coefficient);
    }
    if (fmpq_is_zero(&item.coefficient))
      fmpq_clear(&item.coefficient);
    else
      l->items.at[kept++] = item;
  }
  l->items.len = kept;
}

/* coefficient * atom, where the atom is in normal form and neither a number nor a sum. */
static term_id scaled(struct terms *ts, const fmpq *coefficient, term_id atom, sort_id sort) {
  if (fmpq_is_one(coefficient)) return atom;
  term_list factors = {0};
  vec_push(&factors, term_num(ts, coefficient, sort));
  if (term_kind(ts, atom) == TERM_MUL) {
    for (size_t i = 0; i < term_arg_count(ts, atom); i++)
      vec_push(&factors, term_arg(ts, atom, i));
  } else {
    vec_push(&factors, atom);
  }
  term_id t =
      term_make_(ts, (struct term_node){.kind = TERM_MUL, .sort = sort}, factors.at, factors.len);
  vec_clear(&factors);
  return t;
}

term_id linear_term(struct linear *l, struct terms *ts, sort_id sort) {
  if (l->failed) return TERM_NONE;
  linear_normalise(l);
  term_list addends = {0};
  for (size_t i = 0; i < l->items.len; i++)
    vec_push(&addends, scaled(ts, &l->items.at[i].coefficient, l->items.at[i].atom, sort));
  if (!addends.len || !fmpq_is_zero(&l->constant))
    vec_push(&addends, term_num(ts, &l->constant, sort));
  term_id t = addends.len == 1 ? addends.at[0]
                               : term_make_(ts, (struct term_node){.kind = TERM_ADD, .sort = sort},
                                            addends.at, addends.len);
  vec_clear(&addends);
  return t;
}
