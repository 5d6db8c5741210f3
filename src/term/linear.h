/* Linear view of arithmetic terms: constant + sum of coefficient * atom, atoms distinct.
 * An atom is any term that is not a number, a sum, or a coefficient times something. */
#ifndef COUPLET_TERM_LINEAR_H
#define COUPLET_TERM_LINEAR_H

#include "term/term.h"

struct linear_item {
  term_id atom;
  fmpq coefficient;
};

struct linear {
  fmpq constant;
  VEC(struct linear_item) items; /* after linear_normalise: increasing atoms, no 0 */
  bool failed;                   /* a limit was hit: the sum is not to be used */
};

void linear_init(struct linear *l);
void linear_clear(struct linear *l);
/* Makes it the sum t, of any numeric sort; atoms in the order of t. */
void linear_read(struct linear *l, struct terms *ts, term_id t);
/* Adds scale * t, of any numeric sort. */
void linear_add(struct linear *l, struct terms *ts, const fmpq *scale, term_id t);
void linear_normalise(struct linear *l);
/* The normalised sum as a term of the given sort; its atoms must have that sort. */
term_id linear_term(struct linear *l, struct terms *ts, sort_id sort);

/* Splits coefficient * atom; atom is TERM_NONE for a number. False: a limit was hit. */
bool term_split_coefficient(struct terms *ts, term_id t, fmpq *coefficient, term_id *atom);

#endif
