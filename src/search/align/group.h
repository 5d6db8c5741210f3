/* Variables whose differences are bounded together: where one record counts in one of several
 * tallies, at most two of these change, whichever they are. */
#ifndef COUPLET_SEARCH_ALIGN_GROUP_H
#define COUPLET_SEARCH_ALIGN_GROUP_H

#include "search/align/loop.h"

/* The differences that the loop writes, as the path leaves them, made into a group of the new state
 * `h`. `before`: the state the path began in. */
void align_group_new(struct align *s, const struct align_plan *plan, struct align_head *h,
                     const struct align_head *before, const struct align_state *from);
/* The state `into` has to cover `h`. True: its group has changed. */
bool align_group_widen(struct align *s, const struct align_plan *plan, struct align_head *into,
                       const struct align_head *h);
/* The group of the differences in this state; NULL: there is none. */
const struct form_group *align_group_of(struct align *s, const struct align_plan *plan,
                                        const struct align_head *h, term_list *vars);
/* Do the private values differ by so much at most, altogether? */
bool align_sum_within(struct align *s, const term_id *values, size_t count, term_id most);

#endif
