/* Quotients as products with inverses: a/b = a * (1/x) * (1/y) for b = x*y, once x and y are known
 * not to be 0 at level 0. Each becomes a rule (arith.h), so that equal quotients look equal. */
#ifndef COUPLET_ADVOCATE_DIVIDE_H
#define COUPLET_ADVOCATE_DIVIDE_H

#include "advocate/search.h"

/* At level 0. True: there are new rules. */
bool divide_all(struct search *s);
/* Inverses of what rules have defined since, and of roots. At level 0. */
bool divide_again(struct search *s);
/* The equation, which holds at level 0, is linear in a generator with a factor that has an inverse:
 * makes the rule that defines the generator. */
bool divide_solve(struct search *s, int equation, term_id generator);
/* The inverse of a polynomial, as a polynomial in inverses; false: it may be 0. */
bool divide_invert(struct search *s, const struct poly *p, struct poly *out);
/* Is it a root whose square is replaced by a rule? */
bool divide_has_square_rule(struct search *s, term_id root);

#endif
