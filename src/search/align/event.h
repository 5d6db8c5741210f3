/* What is assumed of a sample, as proof text: ` upto (y < h - m) delta b above t`. The margin m is
 * what run 2 may be closer to the bound than run 1. */
#ifndef COUPLET_SEARCH_ALIGN_EVENT_H
#define COUPLET_SEARCH_ALIGN_EVENT_H

#include "base/buffer.h"
#include "search/align/rows.h"

/* The groups are the cases of the sampling, none if it is drawn equal. False: nothing is known of
 * the margin. */
bool align_event(struct align *s, const struct view_event *event, const struct align_group *groups,
                 size_t count, struct buffer *out);

#endif
