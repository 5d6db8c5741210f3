/* Is there a D at all? The walk of traversals and pumps (THEORY 6).
 *
 * A label is a node of the order product with the zone of shifts that are feasible after some walk
 * to it. Labels are extended by every edge (some shift of insample must fit the guard, 0 if it is
 * output) and by every pump of their node. The automaton is not private iff a component is
 * disclosing or leaking, or some walk empties the zone. Smaller zones are worse, so a label is
 * dropped when its node has a label whose zone is inside its own. */
#ifndef COUPLET_AUTOMATA_DECIDE_DECIDE_H
#define COUPLET_AUTOMATA_DECIDE_DECIDE_H

#include "automata/model/pump.h"

enum { DECIDE_LABEL_LIMIT = 4000000 };

enum decision { DECISION_PRIVATE, DECISION_NOT_PRIVATE, DECISION_UNKNOWN };

/* NOT_PRIVATE fills *walk (initialised by the caller). UNKNOWN: the limit was hit. */
enum decision decide(const struct product *p, const struct pumps *pumps, struct walk *walk);

#endif
