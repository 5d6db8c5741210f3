/* An automaton made ready to be a program: its end is visible, and orders are decided early.
 *
 * The end. An automaton whose guards do not cover everything may end in silence, which the output
 * of a program shows: it is shorter. For every combination of comparisons that no guard of a state
 * allows there is a new edge to a new state, the end.
 *
 * Orders. `y <= insample < x` is possible only if y < x, and which shifts are good often depends on
 * that. A program knows the order of two stored values as soon as the second one is drawn, so an
 * edge that assigns one of them is split by the comparison of insample with the other.
 *
 * Both only add to what is told apart: a strategy for the result is one for the automaton, and no
 * cheaper than the best one. Shared noise only. */
#ifndef COUPLET_AUTOMATA_CONVERT_REFINE_H
#define COUPLET_AUTOMATA_CONVERT_REFINE_H

#include "check/automaton/model.h"

enum { REFINE_VARS = 12, REFINE_SPLITS = 4, REFINE_STATE_VARS = 8 };

struct refined {
  struct automaton a;   /* states and variables keep their numbers; the end is the last state */
  VEC(uint32_t) origin; /* per edge: that of the original, or AUTOMATON_NONE: to the end */
  VEC(bool) is_covered; /* per state of the original: its guards allow everything */
};

/* Fills `out` (not initialised; clear it in any case). False: beyond the limits, *why says which.
 */
bool automaton_refine(struct refined *out, const struct automaton *a, const char **why);
void refined_clear(struct refined *r);

#endif
