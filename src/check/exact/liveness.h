/* Which variables of a routine are still needed after each of its statements.
 *
 * The engine forgets all others: a sample that no live variable mentions is integrated out, and
 * paths that differ only in dead variables are merged. */
#ifndef COUPLET_CHECK_EXACT_LIVENESS_H
#define COUPLET_CHECK_EXACT_LIVENESS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/ptrmap.h"
#include "lang/syntax/ast.h"

struct liveness {
  struct arena arena;
  struct ptrmap after; /* const struct ast_stmt -> const uint64_t[words] */
  size_t words;
};

void liveness_init(struct liveness *l, const struct ast_routine *routine);
void liveness_clear(struct liveness *l);
/* Is the variable in that slot needed after the statement? */
bool liveness_after(const struct liveness *l, const struct ast_stmt *stmt, size_t slot);

#endif
