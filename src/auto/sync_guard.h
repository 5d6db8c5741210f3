/* Conditions whose truth the states of a loop know: those of its guard that decide how it goes on,
 * and those that are known from outside. */
#ifndef COUPLET_AUTO_SYNC_GUARD_H
#define COUPLET_AUTO_SYNC_GUARD_H

#include "auto/sync_loop.h"

/* Conditions about variables that the loop sets, and where counters begin. */
void sync_find_conditions(struct sync *s, struct sync_plan *plan, const struct sync_state *entry);
/* What is known where the loop is entered: decisions on the way, and what the piece began with. */
void sync_inherit(struct sync *s, struct sync_plan *plan, const struct sync_start *start,
                  const struct sync_end *entry);
/* Does the condition hold in this state? 1, 0, or -1: open. `p`: the path that leads there from
 * `before`; NULL: from outside of the loop. */
int sync_truth_of(struct sync *s, const struct sync_plan *plan, const struct sync_head *before,
                  const struct sync_path *p, const struct sync_state *state, term_id atom);

#endif
