/* Evaluation of terms under an assignment: exact rationals where possible, balls (Arb) otherwise,
 * and "unknown" where neither decides. Used by tests, to confirm models, and by the interval
 * search. Inclusion property: if every given value contains the true one, so does the result; a
 * truth value is given only if it holds for all values contained in the inputs. */
#ifndef COUPLET_TERM_EVAL_H
#define COUPLET_TERM_EVAL_H

#include <flint/fmpq.h>
/* after flint */
#include <arb.h>

#include "base/buffer.h"
#include "term/memo.h"
#include "term/term.h"

enum value_kind {
  VALUE_UNKNOWN,
  VALUE_BOOL,
  VALUE_EXACT,   /* rational, exact */
  VALUE_BALL,    /* real enclosed in a ball */
  VALUE_ELEMENT, /* of an abstract sort: elements are numbered */
  VALUE_ITEMS,   /* list or tuple */
  VALUE_ARRAY    /* total map from int: finitely many entries and a fallback */
};

struct value {
  enum value_kind kind;
  bool truth;
  long element;
  fmpq exact;
  arb_t ball;
  const struct value **items; /* items of a list or tuple; values of an array's entries */
  size_t count;
  fmpz *keys;                   /* array: keys[i] maps to items[i]; later entries win */
  const struct value *fallback; /* array: everywhere else; NULL: unknown */
};

struct evaluator {
  struct terms *ts;
  slong precision;         /* of balls, in bits */
  long low, high;          /* range in which quantifiers over int look for (counter)examples */
  VEC(struct value *) all; /* everything made here */
  VEC(const struct value *) bound;
  struct memo memo; /* closed term -> 1 + index into results */
  VEC(const struct value *) results;
  /* Meaning of uninterpreted operators; NULL: unknown. */
  const struct value *(*apply)(struct evaluator *ev, void *context, symbol_id symbol,
                               const struct value *const *args, size_t count);
  void *context;
};

void eval_init(struct evaluator *ev, struct terms *ts);
void eval_clear(struct evaluator *ev);
/* Forgets assignments and values: ready for another point. */
void eval_reset(struct evaluator *ev);

/* Sets the value of a variable (or of any closed term, which then is not looked into). */
void eval_assign(struct evaluator *ev, term_id var, const struct value *value);

const struct value *value_unknown(struct evaluator *ev);
const struct value *value_bool(struct evaluator *ev, bool truth);
const struct value *value_exact(struct evaluator *ev, const fmpq *q);
const struct value *value_int(struct evaluator *ev, long z);
const struct value *value_ball(struct evaluator *ev, const arb_t ball);
const struct value *value_element(struct evaluator *ev, long element);
const struct value *value_items(struct evaluator *ev, const struct value *const *items,
                                size_t count);
const struct value *value_array(struct evaluator *ev, const fmpz *keys,
                                const struct value *const *items, size_t count,
                                const struct value *fallback);

/* Never NULL. */
const struct value *eval_term(struct evaluator *ev, term_id t);
/* 1 true, 0 false, -1 unknown. */
int eval_truth(struct evaluator *ev, term_id t);
/* A number as a ball; false if unknown. */
bool value_get_ball(const struct value *v, arb_t ball, slong precision);
/* 1 equal, 0 different, -1 unknown. */
int value_equal(struct evaluator *ev, const struct value *a, const struct value *b);
void value_print(struct buffer *out, const struct value *v);

#endif
