/* Static checks: names, types, definite assignment, integer/real discipline, array bounds where
 * decidable, privacy of loop bounds and scales, well-formed claims, instances and automata syntax.
 * Fills in the "checker:" fields of the AST. Reports as many independent errors as it can. */
#ifndef COUPLET_LANG_CHECK_CHECK_H
#define COUPLET_LANG_CHECK_CHECK_H

#include "lang/syntax/lang.h"

/* True if nothing in the module is wrong. */
bool check_module(struct lang *lang, struct ast_module *module);
/* Checks a closed constant expression against a type (values given on the command line). */
bool check_constant(struct lang *lang, const struct ast_module *module, struct ast_expr *expr,
                    const struct type *expected);

/* An instance that is not in the source, as text: one declaration, checked as if it stood behind the
 * module, which does not change. NULL: it has errors, or is something else. */
const struct ast_decl *check_interpretation(struct lang *lang, const struct ast_module *module,
                                            const char *text);

#endif
