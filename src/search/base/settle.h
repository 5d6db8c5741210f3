/* Paths tidied up with what is known: variables replaced, choices in values decided, paths that
 * cannot be taken removed. */
#ifndef COUPLET_SEARCH_BASE_SETTLE_H
#define COUPLET_SEARCH_BASE_SETTLE_H

#include "search/base/bounds.h"
#include "search/base/paths.h"

/* Puts a term in place of a variable of the state before, everywhere. */
void paths_replace(struct kernel *k, struct paths *paths, term_id var, term_id by);
/* max, min and if-then-else at the top of a value become one of the values they choose from where
 * the condition of the path decides. */
void paths_settle(const struct known *known, struct paths *paths);
/* What is still open then becomes a branch: a path per choice, as far as PATHS_LIMIT allows. */
void paths_split(const struct known *known, struct paths *paths);
/* Removes paths whose condition is impossible. */
void paths_prune(const struct known *known, struct paths *paths);

#endif
