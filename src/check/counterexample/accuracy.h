/* Claims of accuracy as events: the mechanism that says whether the formula holds of its outputs.
 *
 * It is the mechanism of the claim, with every `return e` (and its end) replaced by code that returns
 * true if the formula holds of the inputs and the outputs, and false if it does not; what is emitted
 * is put at the end of a list if the formula speaks of it. So the probability of failure is that of
 * the output false, which the exact engine computes. */
#ifndef COUPLET_CHECK_COUNTEREXAMPLE_ACCURACY_H
#define COUPLET_CHECK_COUNTEREXAMPLE_ACCURACY_H

#include "lang/syntax/lang.h"

/* In the arena of lang. NULL: the formula has a quantifier that no loop can stand for; what is left
 * are conjunctions, implications and `forall i in a..b`. */
const struct ast_decl *accuracy_mechanism(struct lang *lang, const struct ast_decl *claim);

#endif
