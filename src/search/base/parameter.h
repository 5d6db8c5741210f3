/* Parameters of a module, by name and in terms. */
#ifndef COUPLET_SEARCH_BASE_PARAMETER_H
#define COUPLET_SEARCH_BASE_PARAMETER_H

#include "lang/syntax/ast.h"
#include "term/term.h"

/* NULL: no parameter has that name. */
const struct ast_decl *parameter_named(const struct ast_module *module, const char *name);
/* The last parameter that a term mentions, if it mentions nothing else: what is said of it could be
 * assumed. NULL: it speaks of values of the program, or of nothing. */
const struct ast_decl *parameter_of(struct terms *ts, const struct ast_module *module, term_id t);
/* Does it mention parameters only? */
bool is_over_parameters(struct terms *ts, const struct ast_module *module, term_id t);

#endif
