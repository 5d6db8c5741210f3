#include "run/eval/rvalue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "run/eval/number.h"

/* ---- making and releasing ------------------------------------------------------------------- */

struct rvalue rvalue_fmpz(const fmpz_t z) {
  struct rvalue v = {.kind = RVALUE_INT};
  fmpz_init_set(&v.as.integer, z);
  return v;
}

struct rvalue rvalue_fmpq(const fmpq_t q) {
  if (fmpz_is_one(fmpq_denref(q))) return rvalue_fmpz(fmpq_numref(q));
  struct rvalue v = {.kind = RVALUE_RATIONAL};
  fmpq_init(&v.as.rational);
  fmpq_set(&v.as.rational, q);
  return v;
}

struct rvalue rvalue_creal(struct creal *c) {
  if (c->op != CREAL_RATIONAL)
    return (struct rvalue){.kind = RVALUE_IRRATIONAL, .as.irrational = c};
  struct rvalue v = rvalue_fmpq(&c->rational);
  creal_unref(c);
  return v;
}

static struct rvalue_seq *new_seq(size_t len, size_t cap) {
  struct rvalue_seq *seq = xcalloc(1, sizeof *seq + cap * sizeof *seq->at);
  seq->refs = 1;
  seq->len = len;
  seq->cap = cap;
  return seq;
}

struct rvalue rvalue_seq(enum rvalue_kind kind, size_t len) {
  return (struct rvalue){.kind = kind, .as.seq = new_seq(len, len)};
}

static void unref_seq(struct rvalue_seq *seq) {
  if (--seq->refs) return;
  for (size_t i = 0; i < seq->len; i++)
    rvalue_clear(&seq->at[i]);
  free(seq);
}

void rvalue_release_(struct rvalue *v) {
  switch (v->kind) {
  case RVALUE_INT: fmpz_clear(&v->as.integer); break;
  case RVALUE_RATIONAL: fmpq_clear(&v->as.rational); break;
  case RVALUE_IRRATIONAL: creal_unref(v->as.irrational); break;
  case RVALUE_SYMBOLIC:
    if (!--v->as.symbolic->refs) v->as.symbolic->ops->free(v->as.symbolic);
    break;
  case RVALUE_LIST:
  case RVALUE_ARRAY:
  case RVALUE_TUPLE: unref_seq(v->as.seq); break;
  case RVALUE_UNSET:
  case RVALUE_UNIT:
  case RVALUE_SYMBOL:
  case RVALUE_BOOL:
  case RVALUE_FLOAT: break;
  }
}

struct rvalue rvalue_copy_(const struct rvalue *v) {
  struct rvalue copy = *v;
  switch (v->kind) {
  case RVALUE_INT: fmpz_init_set(&copy.as.integer, &v->as.integer); break;
  case RVALUE_RATIONAL:
    fmpq_init(&copy.as.rational);
    fmpq_set(&copy.as.rational, &v->as.rational);
    break;
  case RVALUE_IRRATIONAL: creal_ref(v->as.irrational); break;
  case RVALUE_SYMBOLIC: v->as.symbolic->refs++; break;
  case RVALUE_LIST:
  case RVALUE_ARRAY:
  case RVALUE_TUPLE: v->as.seq->refs++; break;
  case RVALUE_UNSET:
  case RVALUE_UNIT:
  case RVALUE_SYMBOL:
  case RVALUE_BOOL:
  case RVALUE_FLOAT: break;
  }
  return copy;
}

uint64_t rvalue_count(const struct rvalue *v) {
  if (v->kind != RVALUE_INT || fmpz_sgn(&v->as.integer) < 0) return 0;
  return fmpz_abs_fits_ui(&v->as.integer) ? fmpz_get_ui(&v->as.integer) : UINT64_MAX;
}

void rvalue_own(struct rvalue *v) {
  struct rvalue_seq *old = v->as.seq;
  if (old->refs == 1) return;
  struct rvalue_seq *seq = new_seq(old->len, old->len);
  for (size_t i = 0; i < old->len; i++)
    seq->at[i] = rvalue_copy(&old->at[i]);
  unref_seq(old);
  v->as.seq = seq;
}

void rvalue_push(struct rvalue *v, struct rvalue item) {
  rvalue_own(v);
  struct rvalue_seq *seq = v->as.seq;
  if (seq->len == seq->cap) {
    seq->cap = seq->cap ? 2 * seq->cap : 4;
    seq = v->as.seq = xrealloc(seq, sizeof *seq + seq->cap * sizeof *seq->at);
  }
  seq->at[seq->len++] = item;
}

/* ---- comparing ------------------------------------------------------------------------------ */

bool rvalue_comparable(const struct rvalue *a, const struct rvalue *b) {
  if (rvalue_is_number(a) || rvalue_is_number(b)) return rvalue_is_number(a) && rvalue_is_number(b);
  if (rvalue_is_items(a)) return rvalue_is_items(b);
  if (a->kind != b->kind || a->kind == RVALUE_UNSET) return false;
  return a->kind != RVALUE_TUPLE || a->as.seq->len == b->as.seq->len;
}

static bool compare_seqs(int *order, const struct rvalue_seq *a, const struct rvalue_seq *b) {
  *order = a->len != b->len;
  for (size_t i = 0; i < a->len && *order == 0; i++)
    if (!rvalue_compare(order, &a->at[i], &b->at[i])) return false;
  return true;
}

bool rvalue_compare(int *order, const struct rvalue *a, const struct rvalue *b) {
  if (rvalue_is_number(a) && rvalue_is_number(b)) return number_compare(order, a, b);
  *order = 1;
  if (rvalue_is_seq(a) && rvalue_is_seq(b)) return compare_seqs(order, a->as.seq, b->as.seq);
  if (a->kind != b->kind) return true;
  if (a->kind == RVALUE_BOOL) *order = a->as.boolean != b->as.boolean;
  if (a->kind == RVALUE_SYMBOL) *order = strcmp(a->as.symbol, b->as.symbol) != 0;
  if (a->kind == RVALUE_UNIT) *order = 0;
  return true;
}

/* ---- printing ------------------------------------------------------------------------------- */

static void print_double(struct buffer *out, double x) {
  char text[32];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, x);
    if (strtod(text, NULL) == x) break;
  }
  buffer_puts(out, x == 0 ? "0" : text);
}

static void print_flint(struct buffer *out, char *text) {
  buffer_puts(out, text);
  flint_free(text);
}

static void print_irrational(struct buffer *out, struct creal *c) {
  char *text = arb_get_str(creal_ball(c, 256), 17, ARB_STR_NO_RADIUS);
  print_flint(out, text);
}

static void print_items(struct buffer *out, const struct rvalue *v, char open, char close) {
  buffer_putc(out, open);
  for (size_t i = 0; i < v->as.seq->len; i++) {
    if (i) buffer_puts(out, ", ");
    rvalue_print(out, &v->as.seq->at[i]);
  }
  buffer_putc(out, close);
}

void rvalue_print(struct buffer *out, const struct rvalue *v) {
  switch (v->kind) {
  case RVALUE_UNSET: buffer_puts(out, "unset"); break;
  case RVALUE_UNIT: buffer_puts(out, "()"); break;
  case RVALUE_SYMBOL: buffer_puts(out, v->as.symbol); break;
  case RVALUE_BOOL: buffer_puts(out, v->as.boolean ? "true" : "false"); break;
  case RVALUE_INT:
    if (COEFF_IS_MPZ(v->as.integer))
      print_flint(out, fmpz_get_str(NULL, 10, &v->as.integer));
    else
      buffer_printf(out, "%ld", v->as.integer);
    break;
  case RVALUE_FLOAT: print_double(out, v->as.number); break;
  case RVALUE_RATIONAL: print_flint(out, fmpq_get_str(NULL, 10, &v->as.rational)); break;
  case RVALUE_IRRATIONAL: print_irrational(out, v->as.irrational); break;
  case RVALUE_SYMBOLIC: buffer_puts(out, "<sample>"); break;
  case RVALUE_LIST:
  case RVALUE_ARRAY: print_items(out, v, '[', ']'); break;
  case RVALUE_TUPLE: print_items(out, v, '(', ')'); break;
  }
}
