/* Mechanisms as core programs. Trusted: the claim is about what this makes of the source.
 *
 * - private inputs are frozen program variables, public inputs are logical variables
 * - `emit e` puts e in front of the list `output`; in claims about one run, it is item
 *   `emissions` of the array `emitted` instead, and that number grows by 1
 * - `return e` sets `result`. Where a return can be followed by more code, a flag `returned` is set
 *   as well, and that code is guarded by it
 * - `for i in a..b` is i := a; while i < b { body; i := i + 1 }, b evaluated once
 * - `a[i] <$ D` samples into a variable `a'new` first; a tuple is taken apart through `'tuple`
 * - a local array without initial value starts with the same unknown content in both runs; in
 *   claims about one run it is known that its items are 0 or false
 * - procedures and oracles are inlined, their variables renamed
 * - adversaries: see core.h. The state `A'state` starts with the same value in both runs. A call of
 *   one that uses oracles becomes a loop: the adversary moves, naming an oracle (or none) and its
 *   arguments; the oracle answers; at most the declared number of times per oracle. This is what an
 *   adversary that calls oracles does, cut off after the declared number of calls. */
#ifndef COUPLET_CLAIM_LOWER_H
#define COUPLET_CLAIM_LOWER_H

#include "claim/translate.h"

struct lowered {
  const struct core *program;
  term_id output, result; /* program variables; TERM_NONE if there is no such output */
  term_id returned;       /* the flag, or TERM_NONE */
  term_id emissions;      /* if the output is an array: its length; else TERM_NONE */
};

/* Declares the variables of the mechanism in env->k and lowers its body; `one_run`: the output is an
 * array. False after a failure, which is in env->error. */
bool lower_mechanism(struct translate_env *env, const struct ast_routine *mechanism, bool one_run,
                     struct lowered *out);

#endif
