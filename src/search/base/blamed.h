/* Which invariant of an attempt a failure is about.
 *
 * Invariants are counted in the order of the text, those of all scopes: layout does not change their
 * number, and whoever puts a text together knows it. */
#ifndef COUPLET_SEARCH_BASE_BLAMED_H
#define COUPLET_SEARCH_BASE_BLAMED_H

#include "proof/script.h"
#include "search/base/auto.h"

/* How many invariants of the block begin before this place of its text? */
size_t blamed_before(const struct script_scope *scope, uint32_t place);
/* The number, from 0, of the invariant at which the attempt failed; -1: at none. */
long blamed_invariant(struct auto_problem *p, const struct proof_result *failure);

#endif
