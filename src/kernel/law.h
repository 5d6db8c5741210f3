/* The law of a program's result: rule SAMPLES (docs/samplers.md).
 *
 * Expectations are computed backwards as terms: that of G after x := e is G[x := e], after a sampling
 * the average of G over the samples, after a conditional that of the branch. After a loop it is what
 * the proof says, a mix of values of G, for which the rule demands that it is G where the loop has
 * ended, that an iteration does not change it, and that it is bounded. The loop ends with
 * probability 1; so the mix is the expectation, by optional stopping. */
#ifndef COUPLET_KERNEL_LAW_H
#define COUPLET_KERNEL_LAW_H

#include "kernel/dist.h"
#include "kernel/kernel.h"

enum {
  LAW_QUESTIONS = 64,
  LAW_VALUES = 64
}; /* limits: expectations after loops; of one sampling */

/* One part of a mix: weight * G with these variables set to these values. All are run-less terms. */
struct law_way {
  term_id weight;
  const term_id *vars, *values;
  size_t count;
};

/* What is said of a loop, at its head. */
struct loop_law {
  const struct core *loop;
  term_id invariant; /* a formula, or TERM_NONE */
  /* At least the number of iterations to be expected, and at most `most`, a constant; TERM_NONE:
   * rule LOSSLESS finds out that the loop ends. */
  term_id rank, most;
  const struct law_way *ways;
  size_t way_count;
};

struct laws {
  const struct loop_law *loops;
  size_t loop_count;
};

/* Ends c with probability 1 from every memory of run 1 that satisfies the facts, and has then
 * `result` the value `outcome` with the probability that it has in this distribution? `outcome` is a
 * logical variable: what is proved holds for all of its values that satisfy the facts. */
bool law_check(struct kernel *k, struct span span, const struct core *c, term_id result,
               const struct distribution *law, term_id outcome, const struct laws *laws);

#endif
