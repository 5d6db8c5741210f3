/* Running a mechanism that interp_prepare (run/eval/interp_setup.h) has made ready:
 *
 *   struct rvalue output;
 *   if (interp_run(&in, &random, &output)) ... rvalue_clear(&output);      as often as you like
 *
 * Meaning of the statements, where the grammar leaves it open: arguments of calls and
 * distributions are evaluated from left to right; in (x, a[i]) := e the index is evaluated before
 * anything is assigned; an array without an initial value is filled with zeros (false, []). The
 * state of an adversary is set up at its first call in a run and lives until the run ends; each of
 * its calls may query an oracle at most as often as declared. */
#ifndef COUPLET_RUN_SAMPLE_INTERP_H
#define COUPLET_RUN_SAMPLE_INTERP_H

#include "run/eval/interp_setup.h"
#include "run/sample/random.h"

/* One run; `random` may be NULL if in->sample is set. *out is the list of emitted values if the
 * mechanism emits, what it returns if it returns, the pair (emitted, returned) if both, and unit if
 * neither. */
bool interp_run(struct interp *in, struct random *random, struct rvalue *out);

/* A closed expression, after check_constant: a value given on the command line. */
bool interp_constant(struct lang *lang, const struct ast_expr *e, struct rvalue *out);

#endif
