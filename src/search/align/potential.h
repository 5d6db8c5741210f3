/* The potential of a loop: which counters pay for its iterations and those of loops in it, and
 * what each state needs besides. See loop.h. */
#ifndef COUPLET_SEARCH_ALIGN_POTENTIAL_H
#define COUPLET_SEARCH_ALIGN_POTENTIAL_H

#include "search/align/loop.h"

/* Fills in the counters and bases of an explored loop, cheapest at the entries. False: some
 * iteration costs, and nothing bounds how often. */
bool align_find_potential(struct align *s, struct align_plan *plan,
                          const struct align_end *entries);
/* The bases again, after `later` has been set behind the loop. */
void align_settle_potential(struct align *s, struct align_plan *plan);

/* What the iterations cost from an entry to a state in which the loop is left, over the variables
 * of the entry. */
term_id align_travel_to(struct align *s, const struct align_plan *plan, size_t entry, size_t head);

#endif
