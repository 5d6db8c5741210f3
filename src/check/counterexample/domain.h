/* The parameters and inputs that a finite claim (`at`) is about. */
#ifndef COUPLET_CHECK_COUNTEREXAMPLE_DOMAIN_H
#define COUPLET_CHECK_COUNTEREXAMPLE_DOMAIN_H

#include "run/eval/interp_setup.h"

/* A constant behind `at`: a truth value or a number. */
struct rvalue domain_value(const struct ast_expr *constant);
/* What `at` says about the input, or NULL. */
const struct ast_domain *domain_of_input(const struct ast_decl *claim, const struct ast_var *input);

/* Are parameters and inputs of the prepared run among those that the claim is about? Without `at`
 * all of them are. */
bool domain_admits(const struct interp *in, const struct ast_decl *claim);

#endif
