/* How a loop comes to the indices that differ (struct align_track).
 *
 * The indices that one iteration reads are a window: a fixed number of neighbours, or what a loop
 * inside runs through. If it moves on by more than its width, an element is read in one iteration
 * only; if by less, in a fixed number of them. */
#ifndef COUPLET_SEARCH_ALIGN_TRACK_H
#define COUPLET_SEARCH_ALIGN_TRACK_H

#include "search/align/loop.h"

/* Sets the tracks of the plan. `start`: an iteration. */
void align_find_tracks(struct align *s, struct align_plan *plan, const struct align_start *start,
                       const struct align_goal *goal);
/* The phases in which the loop is entered. */
void align_enter_tracks(struct align *s, struct align_plan *plan, struct align_head *h,
                        const struct align_state *entry);
/* The phase after an iteration. */
unsigned align_next_phase(struct align *s, const struct align_plan *plan, size_t witness,
                          unsigned phase, const struct align_path *path);
/* Behind a loop that is left in this state: what it has passed is below its end. */
const struct align_track *align_tracks_behind(struct align *s, const struct align_plan *plan,
                                              const struct align_head *h);

#endif
