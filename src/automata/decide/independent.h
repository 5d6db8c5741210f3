/* Independent noise (003, section 8): every variable has samples of its own.
 *
 * Parallel couplings: each sample is shifted by itself, so a path costs the sum over the variables,
 * with one common Delta per step. Of a guard only the essential literals have to be preserved
 * (essential.h), so that cases which together do not depend on a variable make no demand on it.
 *
 * The searches work on a copy in which every guard is the conjunction of its essential literals;
 * states, edges, variables keep their numbers. The strategy that comes out is checked against the
 * original. */
#ifndef COUPLET_AUTOMATA_DECIDE_INDEPENDENT_H
#define COUPLET_AUTOMATA_DECIDE_INDEPENDENT_H

#include "check/automaton/model.h"

/* Fills `out` (not initialised; cleared by the caller). False: an edge has too many samples. */
bool automaton_conjunctive_copy(struct automaton *out, const struct automaton *a);

#endif
