/* Cuts: simple facts that products of many hypotheses would show, made one step at a time and
 * before the search, since it would not find its way to them.
 *
 * - Bounds of inverses: what is at least c > 0 has an inverse of at most 1/c.
 * - Common factors whose sign is known are cancelled: x y < x z and 0 < x give y < z.
 * - Bounds of products of factors that have a sign and a bound; of those with square roots through
 *   their squares.
 * All at level 0. */
#ifndef COUPLET_ADVOCATE_BOUNDS_H
#define COUPLET_ADVOCATE_BOUNDS_H

#include "advocate/search.h"

void bounds_add(struct search *s);

/* Adds coefficient (NULL: 1) * what the literals say. */
void cut_part(struct search *s, part_list *parts, const fmpq *coefficient, const int *lits,
              size_t count);
/* Does the clause that the parts give make the literal true? The parts are used up. */
bool cut_shows(struct search *s, part_list *parts, int lit);

#endif
