/* Differences of inputs that make a walk lose without bound: the search side of walk_check.h. */
#ifndef COUPLET_AUTOMATA_DECIDE_WALK_DELTAS_H
#define COUPLET_AUTOMATA_DECIDE_WALK_DELTAS_H

#include "check/automaton/walk.h"

typedef VEC(int8_t) delta_vec;

/* From a walk of decide.h: the same walk with each cycle written twice, and a difference for each
 * of its steps. `out` and `delta` are new; walk_check judges them. */
void walk_deltas(const struct automaton *a, const struct walk *w, struct walk *out,
                 delta_vec *delta);

#endif
