/* Products of hypotheses: from p >= 0 and q >= 0 follows p q >= 0, a linear fact about monomials.
 * Those are added that the present values violate. */
#ifndef COUPLET_ADVOCATE_PRODUCTS_H
#define COUPLET_ADVOCATE_PRODUCTS_H

#include "advocate/search.h"

/* effort 0: only monomials that occur; 1: new ones of degree 2; 2: of higher degree.
 * THEORY_CONFLICT: contradiction found; THEORY_FINE: nothing helps. */
enum theory_answer products_refute(struct search *s, int effort);

#endif
