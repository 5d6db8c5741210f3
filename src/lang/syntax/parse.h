/* Parser: source file -> ast_unit. Recursive descent with recovery at statement and declaration
 * boundaries; linear in the size of the file; depth bounded by LIMIT_NESTING. */
#ifndef COUPLET_LANG_SYNTAX_PARSE_H
#define COUPLET_LANG_SYNTAX_PARSE_H

#include "lang/syntax/lang.h"

/* Never NULL. Errors are in lang->diags. Includes are not followed. */
struct ast_unit *parse_unit(struct lang *lang, uint32_t file);
/* A single expression that must fill the whole file (values given on the command line). */
struct ast_expr *parse_expression(struct lang *lang, uint32_t file);

#endif
