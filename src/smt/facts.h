/* Facts about lists: ground instances, for the list terms that occur, of
 *   length(l) >= 0                    length(l) = 0 <-> l = nil
 *   l <> nil -> length(l) = 1 + length(tail l)
 *   nil ++ m = m                      l ++ nil = l
 *   l <> nil -> l ++ m = head l :: (tail l ++ m)
 *   length(l ++ m) = length(l) + length(m)
 * Each holds in the standard model of finite lists, so adding them changes no truth. */
#ifndef COUPLET_SMT_FACTS_H
#define COUPLET_SMT_FACTS_H

#include "term/term.h"

/* Appends the facts for the list terms in the formulas. */
void facts_lists(struct terms *ts, const term_id *formulas, size_t count, term_list *out);

/* Appends facts about signs, for the quotients and the products of two factors that occur:
 *   0 < a, 0 < b -> 0 < a/b        0 <= a, 0 <= b -> 0 <= a*b        0 <= a, 1 <= b -> a <= a*b
 * With them most questions about budgets are linear. */
void facts_signs(struct terms *ts, const term_id *formulas, size_t count, term_list *out);

/* Appends, for every closed differing(a, b) that occurs,
 *   a = b or a[differing(a, b)] <> b[differing(a, b)]
 * which is what the function is chosen for (see term.h). */
void facts_differing(struct terms *ts, const term_id *formulas, size_t count, term_list *out);

#endif
