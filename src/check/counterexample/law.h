/* Claims with `samples` as two programs: the mechanism, and one that draws its result from the
 * distribution of the claim. An output that they have with different probabilities refutes it. */
#ifndef COUPLET_CHECK_COUNTEREXAMPLE_LAW_H
#define COUPLET_CHECK_COUNTEREXAMPLE_LAW_H

#include "lang/syntax/lang.h"

/* The second one, with the inputs of the first; NULL if it cannot be made. It lives in the arena. */
const struct ast_decl *law_mechanism(struct lang *lang, const struct ast_decl *claim);

#endif
