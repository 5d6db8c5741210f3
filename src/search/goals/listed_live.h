/* Which variables are needed: for the strategy of listed outcomes. */
#ifndef COUPLET_SEARCH_GOALS_LISTED_LIVE_H
#define COUPLET_SEARCH_GOALS_LISTED_LIVE_H

#include "kernel/core.h"

void kill_var(term_list *live, term_id var);
/* What is needed before c if `live` is needed after it; in place. */
void listed_live_before(struct terms *ts, const struct core *c, term_list *live);

#endif
