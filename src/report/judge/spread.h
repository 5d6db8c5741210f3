/* Noise whose spread the assumptions do not make positive: such a mechanism is not defined for all
 * values of its parameters, and no claim about it can be proved. For advice; nothing rests on it. */
#ifndef COUPLET_REPORT_JUDGE_SPREAD_H
#define COUPLET_REPORT_JUDGE_SPREAD_H

#include "base/buffer.h"
#include "lang/syntax/lang.h"

struct spread {
  const struct ast_decl *param; /* the last parameter of the condition; NULL: it has none */
  bool needs_input;             /* the condition is about an input, so it belongs to `requires` */
  bool is_never;     /* no allowed values make it positive: `out` gets the spread itself */
  struct span where; /* the spread */
};

/* The first spread, over parameters and public inputs alone, that is not positive for some values
 * that satisfy the assumptions. True: there is one, and `out` gets what to assume, `b > 1` for
 * ln(b). What the solver cannot decide is passed over. */
bool spread_missing(struct buffer *out, struct spread *found, struct lang *lang,
                    const struct ast_module *module, const struct ast_decl *mechanism);

#endif
