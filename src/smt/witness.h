/* Search for a counterexample by evaluation at points: the ends of the hypotheses' bounds, points
 * near them, and pseudo-random points between (always the same ones). Found points are certain:
 * every hypothesis evaluates to true and the goal to false, in exact or ball arithmetic. */
#ifndef COUPLET_SMT_WITNESS_H
#define COUPLET_SMT_WITNESS_H

#include "smt/model.h"

enum { WITNESS_POINTS = 400 };

/* True: `model` is a counterexample. Looks only at variables that are numbers or truth values. */
bool witness_find(struct terms *ts, const term_id *hypotheses, size_t count, term_id goal,
                  struct model *model);

#endif
