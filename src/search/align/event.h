/* What is assumed of a sample, as proof text: ` upto (y < h - m) delta b above t`. The margin m is
 * what run 2 may be closer to the bound than run 1. */
#ifndef COUPLET_SEARCH_ALIGN_EVENT_H
#define COUPLET_SEARCH_ALIGN_EVENT_H

#include "search/align/differ.h"
#include "search/align/rows.h"
#include "search/base/text.h"

/* Is something assumed of the sample, by the iteration that this is? 1, 0, or -1: open; then the atom
 * decides. */
int align_event_known(const struct align_where *at, const struct view_event *event);
term_id align_event_atom(const struct align_where *at, const struct view_event *event);
/* With one more event, if it is not assumed throughout. */
const struct align_assumed *align_assume(struct align *s, const struct align_assumed *before,
                                         const struct view_event *event);
/* The command with what is assumed decided. */
const struct core *align_decided(struct align *s, const struct align_assumed *assumed,
                                 const struct core *c);

/* The groups are the cases of the sampling, none if it is drawn equal. False: nothing is known of
 * the margin. */
bool align_event(struct align *s, const struct view_event *event, const struct align_group *groups,
                 size_t count, struct text *out);

/* `deltas k total ...;` for the loop, if there are events in it. */
void align_event_deltas(struct align *s, const struct core *loop, struct text *out);

#endif
