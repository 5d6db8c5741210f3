/* Potentials that depend on where a difference is.
 *
 * A difference may wander through the elements of arrays and through variables, and cost something
 * on its way only when it moves on: in the binary-tree counter an item is in one partial sum of
 * each size. No counter of the loop says how often that happens, but its place does.
 *
 * The states of a loop and of all loops in it are the nodes of one graph, the ways between them its
 * edges. Each node gets a level: a multiple of an integer variable (the place of an array that
 * differs, or a variable that says where it will be put) plus a number. No edge lowers the level,
 * and one that costs raises it. Places have an upper end, the length of the array; so the potential
 * of a node is the rate times what is left up to there. */
#ifndef COUPLET_SEARCH_ALIGN_TRAVEL_H
#define COUPLET_SEARCH_ALIGN_TRAVEL_H

#include "search/align/loop.h"

struct align_travel;

/* Such a potential, or NULL. The plan is explored; it is not changed. */
struct align_travel *align_travel_find(struct align *s, struct align_plan *plan);
/* What the loop costs from an entry, over the state at that entry. */
term_id align_travel_cost(struct align *s, struct align_travel *t, size_t entry);
/* Makes it the potential of the loop and of those in it, with what is needed after the loop. */
void align_travel_use(struct align *s, struct align_travel *t);

#endif
