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
 * Sequences (list, array, tuple) are shared, counted and immutable while shared: value_own makes a
 * private copy before a write, so assignment copies, as the language says.
 *
 * A struct value is plain memory owned by its holder: value_copy makes a second one, value_clear
 * releases one, a C assignment moves it. All zero bytes are VALUE_UNSET. */
#ifndef COUPLET_LANG_VALUE_H
#define COUPLET_LANG_VALUE_H

#include <flint/fmpq.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "lang/creal.h"

enum value_kind {
  VALUE_UNSET, /* a variable before its first assignment */
  VALUE_UNIT,  /* what a procedure without a result returns */
  VALUE_BOOL,
  VALUE_INT,
  VALUE_FLOAT,
  VALUE_RATIONAL,
  VALUE_IRRATIONAL,
  VALUE_SYMBOLIC,
  VALUE_LIST,
  VALUE_ARRAY,
  VALUE_TUPLE
};

struct value {
  enum value_kind kind;
  union {
    bool boolean;
    fmpz integer;
    double number;
    fmpq rational;
    struct creal *irrational;
    struct symbolic *symbolic;
    struct value_seq *seq;
  } as;
};

/* First member of an owner's object. */
struct symbolic {
  size_t refs;
  const struct symbolic_ops *ops;
};

struct value_seq {
  size_t refs, len, cap;
  struct value at[];
};

static inline struct value value_unit(void) {
  return (struct value){.kind = VALUE_UNIT};
}
static inline struct value value_bool(bool b) {
  return (struct value){.kind = VALUE_BOOL, .as.boolean = b};
}
static inline struct value value_float(double x) {
  return (struct value){.kind = VALUE_FLOAT, .as.number = x};
}
static inline struct value value_int(slong small) {
  struct value v = {.kind = VALUE_INT};
  fmpz_init_set_si(&v.as.integer, small);
  return v;
}
/* INT if the denominator is 1. */
struct value value_fmpz(const fmpz_t z);
struct value value_fmpq(const fmpq_t q);
/* Takes over the reference; becomes RATIONAL or INT if it is one. */
struct value value_creal(struct creal *c);
/* A sequence of `len` unset items. */
struct value value_seq(enum value_kind kind, size_t len);

void value_release_(struct value *v);
static inline bool value_is_plain_(const struct value *v) {
  return v->kind <= VALUE_BOOL || v->kind == VALUE_FLOAT ||
         (v->kind == VALUE_INT && !COEFF_IS_MPZ(v->as.integer));
}
static inline void value_clear(struct value *v) {
  if (!value_is_plain_(v)) value_release_(v);
  v->kind = VALUE_UNSET;
}
struct value value_copy_(const struct value *v);
static inline struct value value_copy(const struct value *v) {
  return value_is_plain_(v) ? *v : value_copy_(v);
}

static inline bool value_is_seq(const struct value *v) {
  return v->kind >= VALUE_LIST;
}
static inline bool value_is_number(const struct value *v) {
  return v->kind >= VALUE_INT && v->kind <= VALUE_SYMBOLIC;
}
/* Makes v the only owner of its sequence, so that its items may be written. */
void value_own(struct value *v);
/* Appends (moves) an item to a sequence that v owns alone or shares; amortised O(1) if alone. */
void value_push(struct value *v, struct value item);

/* -1, 0, 1 for numbers; for other things of one type 0 means equal and anything else different.
 * false: undecided (irrational numbers that may be equal). Unset items are never equal. */
bool value_compare(int *order, const struct value *a, const struct value *b);

/* As in the source: true, 3, 1/3, [1, 2], (1, true). Doubles with as many digits as are needed to
 * read the same double back; irrationals with 17. */
void value_print(struct buffer *out, const struct value *v);
/* Integers that a double holds exactly, and doubles, become JSON numbers; other integers and
 * fractions strings ("1/3"); sequences arrays; unit null. */
json_t *value_json(const struct value *v);

#endif
