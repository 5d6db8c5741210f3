/* Code in which comparisons of samples are decided, by what is assumed of the samples (struct
 * view_event). */
#ifndef COUPLET_SEARCH_BASE_DECIDED_H
#define COUPLET_SEARCH_BASE_DECIDED_H

#include "search/base/view.h"

struct decided {
  struct terms *ts;
  struct arena *arena;
  const struct view_event *const *events; /* in force */
  size_t count;
  struct view *view; /* its data are constants, and its loops are kept; NULL: no data, and there are
                        no loops */
};

/* A comparison, a minimum or a maximum. */
bool decided_compares(enum term_kind kind);
/* left - right = k (y - bound) with a number k other than 0, of which *sign is the sign. */
bool decided_bound(struct terms *ts, term_id left, term_id right, term_id y, term_id *bound,
                   int *sign);
const struct core *decided_code(const struct decided *d, const struct core *c);

#endif
