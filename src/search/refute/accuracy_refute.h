/* The search for inputs on which a mechanism is less accurate than claimed. Not trusted:
 * program_certify alone decides. */
#ifndef COUPLET_SEARCH_REFUTE_ACCURACY_REFUTE_H
#define COUPLET_SEARCH_REFUTE_ACCURACY_REFUTE_H

#include "search/refute/program_refute.h"

/* Settings of the parameters, the simplest first, each with the inputs of candidates.h. */
void accuracy_refute(struct program_result *result, const struct program_claim *claim,
                     const struct ast_decl *instance, const struct budget *budget);

#endif
