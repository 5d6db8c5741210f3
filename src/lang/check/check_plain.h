/* Making the plain body of a routine (check_plain.c): what its parts share. */
#ifndef COUPLET_LANG_CHECK_CHECK_PLAIN_H
#define COUPLET_LANG_CHECK_CHECK_PLAIN_H

#include "lang/check/check_internal.h"

typedef VEC(struct ast_stmt *) stmt_vec;

struct plain {
  struct checker *c;
  struct routine *r;
  unsigned made;  /* variables */
  unsigned depth; /* of branches that what follows a jump was moved into */
  bool too_deep;
};

/* ---- new nodes (check_plain.c); they have the place of what they stand for -------------------- */

/* A variable of its own: `word` with a number. */
struct ast_var *plain_var(struct plain *p, const char *word, const struct type *type,
                          struct span span);
struct ast_expr *plain_expr(struct plain *p, enum expr_kind kind, const struct type *type,
                            struct span span);
struct ast_expr *plain_name(struct plain *p, struct ast_var *var, struct span span);
struct ast_expr *plain_binary(struct plain *p, enum binary_op op, const struct type *type,
                              struct ast_expr *a, struct ast_expr *b);
/* Below 2^62: it has no limbs to free. */
struct ast_expr *plain_number(struct plain *p, ulong value, struct span span);
struct ast_block as_block(struct plain *p, stmt_vec *stmts, struct span span);
struct ast_stmt *plain_stmt(struct plain *p, enum stmt_kind kind, struct span span);
struct ast_stmt *plain_assign(struct plain *p, struct ast_var *var, struct ast_expr *value,
                              struct span span);

/* ---- functions of arrays (check_arrays.c) ----------------------------------------------------- */

/* Is there a call of one in the expressions of the statement, blocks inside it aside? */
bool stmt_reduces(const struct ast_stmt *s);
/* The statement with variables in their place; what computes these goes to `out`. */
struct ast_stmt *stmt_without_arrays(struct plain *p, struct ast_stmt *s, stmt_vec *out);

#endif
