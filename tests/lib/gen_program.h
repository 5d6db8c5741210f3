/* Random syntax trees, reproducible from a seed.
 *
 * gen_expr and gen_unit make trees of every node kind with no regard to types: all of them are
 * syntactically valid, i.e. the formatted text parses to an equal tree. Nodes live in the arena of
 * `lang`; spans are empty. For programs that also type-check and run see gen_typed.h. */
#ifndef COUPLET_GEN_PROGRAM_H
#define COUPLET_GEN_PROGRAM_H

#include "lang/syntax/lang.h"
#include "testlib.h"

struct ast_expr *gen_expr(struct lang *lang, struct rng *rng, unsigned depth);
struct ast_type *gen_type(struct lang *lang, struct rng *rng, unsigned depth);
struct ast_stmt *gen_stmt(struct lang *lang, struct rng *rng, unsigned depth);
struct ast_unit *gen_unit(struct lang *lang, struct rng *rng, size_t decls);

/* Building blocks, for tests that make their own trees. */
struct ast_expr *gen_number(struct lang *lang, const char *text);
struct ast_expr *gen_name(struct lang *lang, const char *text);
struct ast_expr *gen_unary(struct lang *lang, enum unary_op op, struct ast_expr *operand);
struct ast_expr *gen_binary(struct lang *lang, enum binary_op op, struct ast_expr *left,
                            struct ast_expr *right);
struct ast_expr *gen_call(struct lang *lang, const char *callee, size_t count, ...);

#endif
