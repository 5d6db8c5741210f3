/* Facts about powers b^t with a constant base b >= 2: ground instances, for the closed powers p(t)
 * that occur, of
 *   0 <= t -> t + 1 <= p(t)                 t = 0 -> p(t) = 1
 *   0 <= t -> p(t + c) = b^c p(t)           for a constant c > 0
 *   0 <= t < u -> b p(t) <= p(u)            t = u -> p(t) = p(u)
 *   0 <= t, 0 <= u -> p(t + u) = p(t) p(u)  where all three occur
 * and, since the solver is weak on products, for the products that have such a factor:
 *   0 <= t -> r p(t + c) = b^c r p(t)
 *   x mod c = 0 -> c r (x div c) = r x      for a number c <> 0
 * Nothing is said for t < 0, where b^t has no value. Each fact is true of the integers, so adding
 * them changes no truth; powers below a quantifier that depend on its variable get none. */
#ifndef COUPLET_SMT_POWERS_H
#define COUPLET_SMT_POWERS_H

#include "term/term.h"

enum {
  POWERS_TERMS = 12,   /* powers that are compared with one another */
  POWERS_PRODUCTS = 24 /* products looked at, including those the facts bring in */
};

void powers_facts(struct terms *ts, const term_id *formulas, size_t count, term_list *out);

#endif
