/* The potential of a loop: which counters pay for its iterations, and what each state needs
 * besides. See sync_loop.h. */
#ifndef COUPLET_AUTO_SYNC_POTENTIAL_H
#define COUPLET_AUTO_SYNC_POTENTIAL_H

#include "auto/sync_loop.h"

/* Fills in the counters and bases of an explored loop, cheapest at the entries. False: some
 * iteration costs, and nothing bounds how often. */
bool sync_find_potential(struct sync *s, struct sync_plan *plan, const struct sync_end *entries);
/* The bases again, after `later` has been set behind the loop. */
void sync_settle_potential(struct sync *s, struct sync_plan *plan);

/* What the iterations cost from an entry to a state in which the loop is left, over the variables
 * of the entry. */
term_id sync_travel_to(struct sync *s, const struct sync_plan *plan, size_t entry, size_t head);
/* An integer comparison that was decided, as e >= 0; TERM_NONE: it is none. */
term_id sync_as_guard(struct sync *s, const struct sync_decision *d);

#endif
