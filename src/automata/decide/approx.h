/* The three strategies of construction 6.4 in Coupling strategies (docs/bibliography.md): every
 * assignment gets one of S^L (shift 1), S^G (shift -1), S^N (shift 0), the same on all paths, and a path pays
 *   assignment: 2d under S^L and S^G, d under S^N (d and 0 at non-input states);
 *   S^L: 0 for L, 2d for G;  S^G: the other way round;  S^N: d for every transition;
 *   an output insample makes it d, an output insample' costs d' more.
 * One variable only. The cost is an upper bound of the exact one; it is infinite where branches
 * need different shifts. */
#ifndef COUPLET_AUTOMATA_DECIDE_APPROX_H
#define COUPLET_AUTOMATA_DECIDE_APPROX_H

#include "check/automaton/model.h"

enum { APPROX_EDGE_LIMIT = 4000 }; /* larger automata are not worth a table of strategies */

struct approx_choice {
  uint32_t edge; /* that assigns */
  int shift;
};

struct approx {
  bool applies;  /* one variable, shared noise, not too large */
  bool feasible; /* an assignment that satisfies the constraints and has finite cost exists */
  fmpq_t cost;
  VEC(struct approx_choice) choices;
};

void automaton_approx(struct approx *out, const struct automaton *a);
void approx_clear(struct approx *out);

#endif
