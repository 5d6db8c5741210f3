/* Making a pipeline: what expressions and randomness (pipeline.c) and statements (pipeline_run.c)
 * share. Functions that give NO_NODE or false have said why. */
#ifndef COUPLET_CHECK_EXACT_PIPELINE_INTERNAL_H
#define COUPLET_CHECK_EXACT_PIPELINE_INTERNAL_H

#include "check/exact/pipeline.h"

#define NO_NODE SIZE_MAX

/* The variables at one point of a path: values in the frame, or nodes if they vary. */
struct scope {
  struct rframe frame;
  size_t *nodes;
  size_t next_word; /* words before it are taken on this path */
  size_t emitted[LIMIT_PIPELINE_OUTPUTS], emit_count;
};

struct builder {
  struct interp *in;
  struct pipeline *p;
  struct scope scope;
  size_t steps;
  char *why;
  struct span where;
};

void scope_init(struct scope *s, size_t count);
void scope_clear(struct scope *s);
struct scope scope_copy(const struct scope *s);
/* The variable becomes a node, or (NO_NODE) the value, which is moved. */
bool scope_set(struct scope *s, const struct ast_var *var, size_t node, struct rvalue value);

/* NO_NODE; the first reason counts. */
size_t pipeline_refuse(struct builder *b, struct span where, const char *why);
size_t pipeline_node(struct builder *b, struct node n, struct span where);
bool pipeline_wide(wide *out, const fmpz_t z);

/* Does it depend on a word, or on a function that is not exact? If not, it can be computed. */
bool pipeline_varies(const struct builder *b, const struct ast_expr *e);
bool pipeline_compute(struct builder *b, const struct ast_expr *e, struct rvalue *out);
size_t pipeline_build(struct builder *b, const struct ast_expr *e);
size_t pipeline_select(struct builder *b, size_t condition, size_t yes, size_t no,
                       struct span where);
size_t pipeline_draw(struct builder *b, const struct ast_dist *d);

#endif
