/* exp, ln and sqrt in a normal form: their arguments reduced by the rules, exponentials of
 * logarithms and logarithms of products taken apart, as far as signs are known at level 0. */
#ifndef COUPLET_ADVOCATE_FUNCTIONS_H
#define COUPLET_ADVOCATE_FUNCTIONS_H

#include "advocate/search.h"

/* At level 0. True: something was added. */
bool functions_normalise(struct search *s);
/* Relates the exponentials that are left to the logarithms that are. At level 0. */
void functions_compare(struct search *s);

#endif
