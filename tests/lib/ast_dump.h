/* The AST as s-expressions, for tests: shows structure, not spans.
 *
 *   (+ 1 (* 2 x))   (chain a <= b < c)   (tag 1 x)   (. t 1)   ([] a i)
 *   (mechanism m (args (private q (array real n))) ... (block (<$ t (Lap T (/ 2 eps))) ...)) */
#ifndef COUPLET_TEST_AST_DUMP_H
#define COUPLET_TEST_AST_DUMP_H

#include "base/buffer.h"
#include "lang/syntax/ast.h"

void dump_expr(struct buffer *out, const struct ast_expr *e);
void dump_type(struct buffer *out, const struct ast_type *t);
void dump_stmt(struct buffer *out, const struct ast_stmt *s);
void dump_block(struct buffer *out, const struct ast_block *b);
void dump_decl(struct buffer *out, const struct ast_decl *d);
/* One declaration per line. */
void dump_unit(struct buffer *out, const struct ast_unit *u);

#endif
