/* Values at run time.
 *
 * Numbers come in five representations; which one a value has never changes what it means:
 *   INT         unbounded integer;
 *   RATIONAL    exact fraction, canonical, not an integer (those are INT, also in type real);
 *   IRRATIONAL  exact, given by an expression (creal.h): exp, ln, sqrt of exact numbers;
 *   FLOAT       a finite double: a sample of a continuous distribution, or computed from one;
 *   SYMBOLIC    stands for many numbers at once; its owner (exact/) says what arithmetic and
 *               comparisons mean through a table of functions. Runs never meet one.
 * An operation on exact numbers is exact; one with a FLOAT in it is a rounded double operation.
 *
 * Sequences (list, array, tuple) are shared, counted and immutable while shared: rvalue_own makes a
 * private copy before a write, so assignment copies, as the language says.
 *
 * A struct rvalue is plain memory owned by its holder: rvalue_copy makes a second one, rvalue_clear
 * releases one, a C assignment moves it. All zero bytes are RVALUE_UNSET. */
#ifndef COUPLET_RUN_EVAL_RVALUE_H
#define COUPLET_RUN_EVAL_RVALUE_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "run/eval/creal.h"

enum rvalue_kind {
  RVALUE_UNSET,  /* a variable before its first assignment */
  RVALUE_UNIT,   /* what a procedure without a result returns */
  RVALUE_SYMBOL, /* output symbol of an automaton */
  RVALUE_BOOL,
  RVALUE_INT,
  RVALUE_FLOAT,
  RVALUE_RATIONAL,
  RVALUE_IRRATIONAL,
  RVALUE_SYMBOLIC,
  RVALUE_LIST,
  RVALUE_ARRAY,
  RVALUE_TUPLE
};

struct rvalue {
  enum rvalue_kind kind;
  union {
    bool boolean;
    const char *symbol; /* not owned */
    fmpz integer;
    double number;
    fmpq rational;
    struct creal *irrational;
    struct symbolic *symbolic;
    struct rvalue_seq *seq;
  } as;
};

/* First member of an owner's object. */
struct symbolic {
  size_t refs;
  const struct symbolic_ops *ops;
};

struct rvalue_seq {
  size_t refs, len, cap;
  struct rvalue at[];
};

static inline struct rvalue rvalue_unit(void) {
  return (struct rvalue){.kind = RVALUE_UNIT};
}
static inline struct rvalue rvalue_bool(bool b) {
  return (struct rvalue){.kind = RVALUE_BOOL, .as.boolean = b};
}
static inline struct rvalue rvalue_symbol(const char *name) {
  return (struct rvalue){.kind = RVALUE_SYMBOL, .as.symbol = name};
}
static inline struct rvalue rvalue_float(double x) {
  return (struct rvalue){.kind = RVALUE_FLOAT, .as.number = x};
}
static inline struct rvalue rvalue_int(slong small) {
  struct rvalue v = {.kind = RVALUE_INT};
  fmpz_init_set_si(&v.as.integer, small);
  return v;
}
/* INT if the denominator is 1. */
struct rvalue rvalue_fmpz(const fmpz_t z);
struct rvalue rvalue_fmpq(const fmpq_t q);
/* Takes over the reference; becomes RATIONAL or INT if it is one. */
struct rvalue rvalue_creal(struct creal *c);
/* A sequence of `len` unset items. */
struct rvalue rvalue_seq(enum rvalue_kind kind, size_t len);

void rvalue_release_(struct rvalue *v);
static inline bool rvalue_is_plain_(const struct rvalue *v) {
  return v->kind <= RVALUE_BOOL || v->kind == RVALUE_FLOAT ||
         (v->kind == RVALUE_INT && !COEFF_IS_MPZ(v->as.integer));
}
static inline void rvalue_clear(struct rvalue *v) {
  if (!rvalue_is_plain_(v)) rvalue_release_(v);
  v->kind = RVALUE_UNSET;
}
struct rvalue rvalue_copy_(const struct rvalue *v);
static inline struct rvalue rvalue_copy(const struct rvalue *v) {
  return rvalue_is_plain_(v) ? *v : rvalue_copy_(v);
}

static inline bool rvalue_is_seq(const struct rvalue *v) {
  return v->kind >= RVALUE_LIST;
}
static inline bool rvalue_is_number(const struct rvalue *v) {
  return v->kind >= RVALUE_INT && v->kind <= RVALUE_SYMBOLIC;
}
/* An integer as a number of times: 0 if it is negative, UINT64_MAX if it is larger. */
uint64_t rvalue_count(const struct rvalue *v);
static inline bool rvalue_is_items(const struct rvalue *v) {
  return v->kind == RVALUE_LIST || v->kind == RVALUE_ARRAY;
}
/* Values of one type, as far as their kinds tell. */
bool rvalue_comparable(const struct rvalue *a, const struct rvalue *b);
/* Makes v the only owner of its sequence, so that its items may be written. */
void rvalue_own(struct rvalue *v);
/* Appends (moves) an item to a sequence that v owns alone or shares; amortised O(1) if alone. */
void rvalue_push(struct rvalue *v, struct rvalue item);

/* -1, 0, 1 for numbers; for other things of one type 0 means equal and anything else different.
 * false: undecided (irrational numbers that may be equal). Unset items are never equal. */
bool rvalue_compare(int *order, const struct rvalue *a, const struct rvalue *b);

/* As in the source: true, 3, 1/3, [1, 2], (1, true). Doubles with as many digits as are needed to
 * read the same double back; irrationals with 17. */
void rvalue_print(struct buffer *out, const struct rvalue *v);

#endif
