/* Automata with two variables that are private although they have no shift coupling: couplings that
 * depend on which of the two values is larger (docs/disjunctions.md, "Absorption").
 *
 * x and y are drawn first, once; then only comparisons. A round of a cycle with guard phi(x, y; a)
 * has a rate r = |d ln phi / d a|. If a move of the plane, one for x <= y and one for x > y, makes
 * every phi larger by a factor 1 + c r, at bounded cost in the densities and in the steps that are
 * taken once, then the derivative of Pr along any change of the inputs is at most a constant times
 * Pr, whatever the number of rounds. The move for x <= y is x down, y up (or the names exchanged);
 * for x > y it is the mirror image if all guards of cycles are symmetric, or an exchange of x and y
 * with the same move if they have the same law and no step that is taken once minds.
 *
 * A criterion on guards and laws: no search, nothing else is trusted. It gives no useful bound on
 * the cost. */
#ifndef COUPLET_AUTOMATA_DECIDE_ABSORB_H
#define COUPLET_AUTOMATA_DECIDE_ABSORB_H

#include "check/automaton/model.h"

enum { ABSORB_STATES = 5000 };

/* True: there is a D such that the automaton is D*eps-private for every eps > 0. */
bool automaton_is_absorbing(const struct automaton *a);

#endif
