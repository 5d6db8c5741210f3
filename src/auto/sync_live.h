/* Which variables are needed: liveness, backwards through code. */
#ifndef COUPLET_AUTO_SYNC_LIVE_H
#define COUPLET_AUTO_SYNC_LIVE_H

#include "auto/sync_path.h"

/* Variables needed before `c` if `live` are needed after it; in place. */
void sync_live_before(struct sync *s, const struct core *c, bool *live);
/* The same for what is still to be executed. */
void sync_live_before_rest(struct sync *s, const struct todo *rest, bool *live);

#endif
