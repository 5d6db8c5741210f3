/* Adjacency shorthands on values: within, all_within, one_differs, ... (docs/language.md). */
#ifndef COUPLET_RUN_EVAL_ADJACENCY_H
#define COUPLET_RUN_EVAL_ADJACENCY_H

#include "lang/syntax/builtin.h"
#include "run/eval/rvalue.h"

/* Are x in run 1 and y in run 2 so related? `s` is the distance, a number, where there is one.
 * False: undecided, or values of a wrong kind. */
bool adjacency_holds(enum builtin id, const struct rvalue *x, const struct rvalue *y,
                     const struct rvalue *s, bool *truth);

#endif
