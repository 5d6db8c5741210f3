/* Differences that add up to what the adjacency bounds as a sum.
 *
 * `s := s + x[i]` for all i, where `sum i in 0..n. abs(x<1>[i] - x<2>[i]) <= m`, or where at most k
 * entries differ, `(sum i in 0..n. (if x<1>[i] = x<2>[i] then 0 else 1)) <= k`, each by so much at
 * most: what the iterations add differs by a multiple of what they take from the sum. So the
 * difference of s and what is left of the sum are bounded together, and s differs by no more than
 * the whole. */
#ifndef COUPLET_SEARCH_ALIGN_TOTAL_H
#define COUPLET_SEARCH_ALIGN_TOTAL_H

#include "search/align/loop.h"

/* Notes what an iteration from `before` adds to the variable. */
void total_note(struct align *s, struct align_plan *plan, size_t v, const struct align_head *before,
                const struct align_state *after);
/* Variables without bounds have one of this kind; true: the states may be found again with them. */
bool total_found(struct align *s, struct align_plan *plan, const struct align_end *entries,
                 size_t count);
/* What is kept of the difference at the head; NULL: it is not of this kind. */
const struct form *total_keep(struct align *s, const struct align_plan *plan, size_t v,
                              const struct align_head *before, const struct align_state *from);
/* The invariant; TERM_NONE: it is not of this kind. */
term_id total_invariant(struct align *s, const struct align_plan *plan, size_t v);

#endif
