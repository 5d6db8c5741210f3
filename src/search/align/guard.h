/* Conditions whose truth the states of a loop know: those of its guard that decide how it goes on,
 * and those that are known from outside. */
#ifndef COUPLET_SEARCH_ALIGN_GUARD_H
#define COUPLET_SEARCH_ALIGN_GUARD_H

#include "search/align/loop.h"

/* Conditions about variables that the loop sets, and where counters begin. */
void align_find_conditions(struct align *s, struct align_plan *plan,
                           const struct align_state *entry);
/* What is known where the loop is entered: decisions on the way, and what the piece began with. */
void align_inherit(struct align *s, struct align_plan *plan, const struct align_start *start,
                   const struct align_end *entry);
/* Does the condition hold in this state? 1, 0, or -1: open. `p`: the path that leads there from
 * `before`; NULL: from outside of the loop. */
int align_truth_of(struct align *s, const struct align_plan *plan, const struct align_head *before,
                   const struct align_path *p, const struct align_state *state, term_id atom);

#endif
