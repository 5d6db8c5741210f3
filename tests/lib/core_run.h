/* Core programs without adversaries, executed: a second interpreter, for what claim/lower.c makes
 * of a mechanism. Samples come without noise: the location, or the first of what may come out.
 *
 * A variable of the program stands for a new logical variable after each assignment, whose value
 * the evaluator of terms holds. */
#ifndef COUPLET_TESTS_CORE_RUN_H
#define COUPLET_TESTS_CORE_RUN_H

#include "check/counterexample/ground.h"
#include "claim/lower.h"

struct core_run {
  struct ground *g;
  const struct ast_routine *routine;
  struct lowered program;
  term_list vars, now; /* program variables, and what stands for each of them */
  size_t steps;
};

/* The mechanism with the inputs in the frame. False: it cannot be executed. Clear in any case. */
bool core_run_init(struct core_run *r, struct ground *g, const struct ast_routine *routine,
                   const struct rframe *inputs);
void core_run_clear(struct core_run *r);
/* False: a guard has no value, or it takes too long. */
bool core_run(struct core_run *r);
/* Is that the output of the mechanism? 1 yes, 0 no, -1 not known. */
int core_run_gives(struct core_run *r, const struct rvalue *output);

#endif
