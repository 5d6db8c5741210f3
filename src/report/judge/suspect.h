/* Where to look first when no engine can name an obstacle: the first statement of a mechanism that
 * makes a proof hard. A guess for people, by following private data through the text; nothing rests
 * on it. */
#ifndef COUPLET_REPORT_JUDGE_SUSPECT_H
#define COUPLET_REPORT_JUDGE_SUSPECT_H

#include "lang/syntax/lang.h"

struct suspect {
  struct span span;
  const char *what, *advice; /* literals; what NULL: nothing is suspicious */
  bool needs_block;          /* the advice is a proof block */
};

struct suspect suspect_of(const struct ast_routine *mechanism);

/* The first quotient by a parameter that the assumptions allow to be 0: the parameter, or NULL. */
const struct ast_decl *suspect_divisor(const struct ast_module *module,
                                       const struct ast_routine *mechanism, struct span *where);

#endif
