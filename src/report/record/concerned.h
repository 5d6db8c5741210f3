/* The parameters that a claim is about: those that its mechanism, its adjacency, its cost, or an
 * assumption on one of these mentions. A file may declare more of them, for other mechanisms. */
#ifndef COUPLET_REPORT_RECORD_CONCERNED_H
#define COUPLET_REPORT_RECORD_CONCERNED_H

#include "base/vec.h"
#include "lang/syntax/ast.h"

typedef VEC(const struct ast_decl *) decl_list;

/* In the order in which they are met. */
void concerned_params(decl_list *out, const struct ast_module *module,
                      const struct ast_decl *claim);
bool decls_have(const decl_list *list, const struct ast_decl *decl);

#endif
