/* Inputs as vectors of numbers: the leaves of arrays, lists and tuples in order.
 *
 * Candidates are made of plain vectors, so that a table, a list of records and two numbers are
 * moved in the same ways as an array. A boolean is 0 or 1. */
#ifndef COUPLET_REFUTE_LAYOUT_H
#define COUPLET_REFUTE_LAYOUT_H

#include "run/sample/interp.h"

enum { LAYOUT_MOST_LEAVES = 64, LAYOUT_LIST_LENGTH = 3 };

struct layout_leaf {
  enum type_kind kind; /* bool, int, real */
  size_t arg;          /* of the mechanism */
  size_t item;         /* which item of the argument it belongs to: a row of a table */
};

struct layout {
  struct interp *in;    /* lengths are evaluated here */
  struct rframe *frame; /* with the public inputs */
  size_t list_length;   /* of lists and of arrays without a length */
  VEC(struct layout_leaf) leaves;
};

/* Appends the leaves of an argument. False: *why says what is in the way (xmalloc'd). */
bool layout_add(struct layout *l, const struct ast_routine *routine, size_t arg, char **why);
/* The value of the argument, from its leaves on; *numbers moves behind them. */
struct rvalue layout_value(const struct layout *l, const struct ast_type *t, const fmpq **numbers);
/* The numbers of a value of the argument's type; false: it has another shape. `at` gets as many as
 * there are leaves. */
bool layout_read(const struct rvalue *v, fmpq *at, size_t count);

#endif
