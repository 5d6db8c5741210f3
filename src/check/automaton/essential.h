/* Which literals a guard really depends on.
 *
 * A guard is a Boolean function of the sides its variables' samples fall on. `insample < x` is
 * essential if the guard can become false when x's sample moves from below to above and nothing
 * else changes; `insample >= x` the other way round. If every essential literal that holds in run 1
 * holds in run 2, then so does the guard: change the sides that differ one by one.
 * A conjunction depends on its literals; `(a and b) or (a and not b)` only on a: what one case
 * demands of b, the other cancels. */
#ifndef COUPLET_CHECK_AUTOMATON_ESSENTIAL_H
#define COUPLET_CHECK_AUTOMATON_ESSENTIAL_H

#include "check/automaton/model.h"

enum { ESSENTIAL_VARS = 14 }; /* guards with more variables: every literal that occurs counts */

typedef VEC(literal) literal_vec;

/* Appends the essential literals, in increasing order. */
void automaton_essential(const struct automaton *a, uint32_t guard, literal_vec *out);
/* Does the guard say just that its essential literals hold? Then it is a conjunction, however it is
 * written. (False also for disjunctions of more than ESSENTIAL_VARS variables.) */
bool automaton_guard_is_conjunctive(const struct automaton *a, uint32_t guard);

#endif
