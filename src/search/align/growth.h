/* Differences that grow: a sum over values each of which may differ.
 *
 * Iteration by iteration the difference of such a variable gets larger, by so much at most. In a
 * loop that counts an index from one number on, up to another one, it is at most so many times
 * index - first at the head, (end - first - 1) times that in an iteration, and (end - first) times
 * that behind the loop. */
#ifndef COUPLET_SEARCH_ALIGN_GROWTH_H
#define COUPLET_SEARCH_ALIGN_GROWTH_H

#include "search/align/loop.h"

/* Finds what the loop counts by steps of 1 between two numbers or parameters. */
bool growth_count(struct align *s, struct align_plan *plan, const struct align_end *entries,
                  size_t count);
/* Notes by how much an iteration from `before` changes the difference. */
void growth_note(struct align *s, struct align_plan *plan, size_t v,
                 const struct align_head *before, const struct align_state *after);
/* Bounds of a variable were given up because they grew; true: the states may be found again with
 * bounds that grow. */
bool growth_found(struct align *s, struct align_plan *plan, const struct align_end *entries,
                  size_t count);
/* What is kept of the difference at the head: NULL: it does not grow, or not like this. */
const struct form *growth_keep(struct align *s, const struct align_plan *plan, size_t v,
                               const struct align_head *before, const struct align_state *from);
/* The state of a head as an iteration begins, or as the loop is left. */
struct align_state growth_inside(struct align *s, const struct align_plan *plan,
                                 const struct align_state *head);
struct align_state growth_behind(struct align *s, const struct align_plan *plan,
                                 const struct align_state *head);
/* The index does not pass the end: an invariant; TERM_NONE: nothing grows. */
term_id growth_range(struct align *s, const struct align_plan *plan);

#endif
