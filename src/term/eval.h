/* Evaluation of terms under an assignment: exact rationals where possible, balls (Arb) otherwise,
 * and "unknown" where neither decides. Used by tests, to confirm models, and by the interval
 * search. Inclusion property: if every given value contains the true one, so does the result; a
 * truth value is given only if it holds for all values contained in the inputs. */
#ifndef COUPLET_TERM_EVAL_H
#define COUPLET_TERM_EVAL_H

#include <flint/fmpq.h>

#include "base/buffer.h"
#include "num/arb_compat.h"
#include "term/memo.h"
#include "term/term.h"

enum tvalue_kind {
  TVALUE_UNKNOWN,
  TVALUE_BOOL,
  TVALUE_EXACT,   /* rational, exact */
  TVALUE_BALL,    /* real enclosed in a ball */
  TVALUE_ELEMENT, /* of an abstract sort: elements are numbered */
  TVALUE_ITEMS,   /* list or tuple */
  TVALUE_ARRAY    /* total map from int: finitely many entries and a fallback */
};

struct tvalue {
  enum tvalue_kind kind;
  bool truth;
  long element;
  fmpq exact;
  arb_t ball;
  const struct tvalue **items; /* items of a list or tuple; values of an array's entries */
  size_t count;
  fmpz *keys;                    /* array: keys[i] maps to items[i]; later entries win */
  const struct tvalue *fallback; /* array: everywhere else; NULL: unknown */
};

enum {
  EVAL_MAX_RANGE = 100 * 1000, /* integers that a bounded quantifier looks at */
  EVAL_MAX_BITS = 1 << 20,     /* of an exact number; a longer one is unknown */
  EVAL_MAX_PERIOD = 1000,      /* of what a formula says of an integer */
  EVAL_MAX_VALUES = 1 << 20    /* made so far: quantifiers go no further */
};

/* All elements of an abstract sort. */
struct eval_carrier {
  sort_id sort;
  const struct tvalue *const *values; /* owned by who has set it */
  size_t count;
};

struct evaluator {
  struct terms *ts;
  slong precision; /* of balls, in bits */
  long low, high;  /* where quantifiers without bounds look for (counter)examples */
  VEC(struct eval_carrier) carriers;
  VEC(struct tvalue *) all; /* everything made here */
  VEC(const struct tvalue *) bound;
  struct memo memo; /* closed term -> 1 + index into results */
  VEC(const struct tvalue *) results;
  /* Meaning of uninterpreted operators; NULL: unknown. */
  const struct tvalue *(*apply)(struct evaluator *ev, void *context, symbol_id symbol,
                                const struct tvalue *const *args, size_t count);
  /* The meaning is the same for i and i + period in place of this integer argument; 0, or no
   * function: not known. */
  unsigned (*period)(void *context, symbol_id symbol, size_t arg);
  void *context;
};

void eval_init(struct evaluator *ev, struct terms *ts);
void eval_clear(struct evaluator *ev);
/* Forgets assignments and values: ready for another point. */
void eval_reset(struct evaluator *ev);

/* Sets the value of a variable (or of any closed term, which then is not looked into). */
void eval_assign(struct evaluator *ev, term_id var, const struct tvalue *value);

const struct tvalue *tvalue_unknown(struct evaluator *ev);
const struct tvalue *tvalue_bool(struct evaluator *ev, bool truth);
const struct tvalue *tvalue_exact(struct evaluator *ev, const fmpq *q);
const struct tvalue *tvalue_int(struct evaluator *ev, long z);
const struct tvalue *tvalue_ball(struct evaluator *ev, const arb_t ball);
const struct tvalue *tvalue_element(struct evaluator *ev, long element);
const struct tvalue *tvalue_items(struct evaluator *ev, const struct tvalue *const *items,
                                  size_t count);
const struct tvalue *tvalue_array(struct evaluator *ev, const fmpz *keys,
                                  const struct tvalue *const *items, size_t count,
                                  const struct tvalue *fallback);

/* Never NULL. */
const struct tvalue *eval_term(struct evaluator *ev, term_id t);
/* 1 true, 0 false, -1 unknown. */
int eval_truth(struct evaluator *ev, term_id t);
/* A number as a ball; false if unknown. */
bool tvalue_get_ball(const struct tvalue *v, arb_t ball, slong precision);
/* 1 equal, 0 different, -1 unknown. */
int tvalue_equal(struct evaluator *ev, const struct tvalue *a, const struct tvalue *b);

#endif
