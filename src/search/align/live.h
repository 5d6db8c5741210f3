/* Which variables are needed: liveness, backwards through code. */
#ifndef COUPLET_SEARCH_ALIGN_LIVE_H
#define COUPLET_SEARCH_ALIGN_LIVE_H

#include "search/align/path.h"

/* Variables needed before `c` if `live` are needed after it; in place. */
void align_live_before(struct align *s, const struct core *c, bool *live);
/* The same for what is still to be executed. */
void align_live_before_rest(struct align *s, const struct todo *rest, bool *live);

#endif
