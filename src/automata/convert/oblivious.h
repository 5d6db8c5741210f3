/* Strategies that do not look at the inputs: every shift is fixed by the point one is at and the
 * edge that is taken, or, where any shift will do, it is the difference of the inputs itself.
 *
 * That is what a proof of a program can say about its samplings (docs/proofs.md): `shift k within
 * 1 + |k|`, or `null`. Deltas are real numbers between -1 and 1 here, not only the ends. A strategy
 * of this kind costs at least as much as the best one; for sparse vectors and ranges the same.
 *
 * Points are nodes of the order product with the shifts of their live variables; the value of a
 * point bounds what is paid from there on: value >= cost of a move + value of where it leads. */
#ifndef COUPLET_AUTOMATA_CONVERT_OBLIVIOUS_H
#define COUPLET_AUTOMATA_CONVERT_OBLIVIOUS_H

#include "automata/model/step.h"
#include "check/automaton/order.h"

enum { OBLIVIOUS_VARS = 6, OBLIVIOUS_POINTS = 200000, OBLIVIOUS_SWEEPS = 100000 };

/* What is done when an edge is taken at a point. */
struct oblivious_move {
  uint32_t edge;  /* of the automaton */
  bool is_null;   /* the shift is the difference of the inputs: free */
  int shift;      /* else */
  uint32_t point; /* where it leads */
};

struct oblivious_point {
  uint32_t node;
  int8_t shift[OBLIVIOUS_VARS]; /* of the live variables */
  fmpq value;
  uint32_t first, count; /* moves, in the order of the edges */
};

struct oblivious {
  struct product product;
  VEC(struct oblivious_point) points; /* reachable ones; 0 is the start */
  VEC(struct oblivious_move) moves;
};

/* Fills `out` (not initialised; clear it in any case). False: there is no such strategy, or a limit
 * was hit; *why says which. Shared noise only. */
bool oblivious_build(struct oblivious *out, const struct automaton *a, const char **why);
void oblivious_clear(struct oblivious *o);

#endif
