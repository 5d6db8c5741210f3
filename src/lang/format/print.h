/* Pieces of a program as text, in the concrete syntax of docs/language.md with as few parentheses
 * as the grammar allows: parse(print(e)) is e again. Used by every message, by explanations and by
 * the formatter.
 *
 * print_* write one line, however long. pretty_* feed the same tokens with the places where a line
 * may be broken to lang/format/pretty.h. Nothing here needs the checker to have run, nor source text:
 * numbers print as written, or as exact fractions when nobody wrote them. */
#ifndef COUPLET_LANG_FORMAT_PRINT_H
#define COUPLET_LANG_FORMAT_PRINT_H

#include "base/buffer.h"
#include "lang/format/pretty.h"
#include "lang/syntax/ast.h"

void print_expr(struct buffer *out, const struct ast_expr *expr);
void print_type(struct buffer *out, const struct ast_type *type);
void print_dist(struct buffer *out, const struct ast_dist *dist);
void print_target(struct buffer *out, const struct ast_target *target);
/* A simple statement with its semicolon; of a compound one the header, its body as `{ ... }`. */
void print_stmt(struct buffer *out, const struct ast_stmt *stmt);
/* `mechanism m(private q : real[n]) returns int`, `param eps : real`: what a reader calls the
 * signature; of claims, axioms and lemmas the name. */
void print_signature(struct buffer *out, const struct ast_decl *decl);
/* `private q, r : real[n], T : real`, without the parentheses around it. */
void print_args(struct buffer *out, struct ast_var *const *args, size_t count);

void pretty_expr(struct pretty *p, const struct ast_expr *expr);
void pretty_type(struct pretty *p, const struct ast_type *type);
void pretty_dist(struct pretty *p, const struct ast_dist *dist);
/* Compound statements: the header up to the opening brace, without it. */
void pretty_stmt(struct pretty *p, const struct ast_stmt *stmt);
void pretty_args(struct pretty *p, struct ast_var *const *args, size_t count);
/* `name(args) emits T returns T`, or `: T` for the result of a procedure or an oracle. */
void pretty_routine(struct pretty *p, const struct ast_routine *routine, bool is_mechanism);

#endif
