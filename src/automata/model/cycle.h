/* Short cycles of an automaton, for the searches. */
#ifndef COUPLET_AUTOMATA_MODEL_CYCLE_H
#define COUPLET_AUTOMATA_MODEL_CYCLE_H

#include "check/counterexample/probability.h"

/* The shortest way from the end of `edge` back to its beginning, with the edge itself in front, into
 * *cycle (which is empty). False: there is none of at most `longest` edges. Breadth first: linear in
 * the automaton. */
bool cycle_shortest(const struct automaton *a, uint32_t edge, size_t longest, edge_path *cycle);

#endif
