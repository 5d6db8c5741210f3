/* `while` loops as loops with an index: a view for the search for proofs of accuracy.
 *
 * `while i < n { ..; i := i + 1; }` is entered with i = l and goes through l, .., n - 1: the loop of
 * the view has the index and the range of `for i in l..n`. Flags in the
 * guard may end it early, and the way that does so need not go on to the next i. */
#ifndef COUPLET_SEARCH_GOALS_ACCURACY_INDEX_H
#define COUPLET_SEARCH_GOALS_ACCURACY_INDEX_H

#include "search/base/auto.h"

auto_viewer index_view;

/* The flags that end the loop, as what holds once they have: f if `not f` is part of its guard, and
 * `not f` if f is. Appended. */
void index_stops(struct terms *ts, const struct core *loop, term_list *out);
/* How often the loop can still run, over the memory at its head: an integer that falls in every
 * iteration. TERM_NONE: the loop has no index. */
term_id index_left(struct terms *ts, const struct core *loop);

#endif
