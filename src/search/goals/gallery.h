/* Contests among values that an earlier loop has drawn (contest.h). */
#ifndef COUPLET_SEARCH_GOALS_GALLERY_H
#define COUPLET_SEARCH_GOALS_GALLERY_H

#include "search/goals/contest.h"

/* The loop fills an array with noisy values, and the iterations of the contest each read one of
 * them: puts the value in place of the element, and the sampling into the paths that read it. False
 * if the loop does something else. The counter of the contest and its result must be known. */
bool gallery_find(struct contest *c, const struct core *loop);
/* Is t, over the variables before the contest, an element of the gallery? */
bool gallery_has(const struct contest *c, term_id t);

#endif
