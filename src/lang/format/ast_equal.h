/* Are two syntax trees the same program? Spans, doc comments and what the checker filled in are
 * ignored; names compare by spelling, so the trees may come from different struct langs. `fmt`
 * uses it to make sure that it changed nothing but the layout. */
#ifndef COUPLET_LANG_FORMAT_AST_EQUAL_H
#define COUPLET_LANG_FORMAT_AST_EQUAL_H

#include "lang/syntax/ast.h"

bool ast_equal_expr(const struct ast_expr *a, const struct ast_expr *b);
bool ast_equal_type(const struct ast_type *a, const struct ast_type *b);
bool ast_equal_stmt(const struct ast_stmt *a, const struct ast_stmt *b);
bool ast_equal_decl(const struct ast_decl *a, const struct ast_decl *b);
bool ast_equal_unit(const struct ast_unit *a, const struct ast_unit *b);

#endif
