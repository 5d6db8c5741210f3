/* Visiting the expressions of an AST: each visitor gets one expression and decides itself whether
 * to go on into its parts. */
#ifndef COUPLET_LANG_SYNTAX_WALK_H
#define COUPLET_LANG_SYNTAX_WALK_H

#include "lang/syntax/ast.h"

typedef void expr_visitor(const struct ast_expr *e, void *context);

/* The direct parts of an expression: operands, arguments, items, bounds of binders, body. In order
 * of evaluation. */
void walk_parts(const struct ast_expr *e, expr_visitor *visit, void *context);
/* The lengths in a type as written. */
void walk_type(const struct ast_type *type, expr_visitor *visit, void *context);
/* Every outermost expression in the statements of a block, nested blocks included. */
void walk_block(const struct ast_block *block, expr_visitor *visit, void *context);

#endif
