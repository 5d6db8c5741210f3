/* Random mechanisms with integer outputs, and all outcomes of those with finite noise. */
#ifndef COUPLET_TESTS_RANDOM_PROGRAM_H
#define COUPLET_TESTS_RANDOM_PROGRAM_H

#include <flint/fmpq.h>

#include "run/sample/interp.h"

/* The text of a mechanism `m` of one integer `x`, with an instance. Its outputs are integers and a
 * truth value, so that they can be listed. Finite noise, unless `real_noise`. With an epsilon, x is
 * private, the adjacency is within(x, 1), and the privacy is claimed. */
char *random_program(uint64_t seed, bool real_noise, const char *epsilon);

struct outcome {
  struct rvalue output;
  fmpq probability;
  size_t hits; /* for whoever samples */
};
typedef VEC(struct outcome) outcome_list;

/* The entry for the output (taken over); a new one if there is none. */
struct outcome *outcome_of(outcome_list *list, struct rvalue *output);
void outcomes_clear(outcome_list *list);
/* Runs a prepared mechanism with finite noise on every outcome of every sample: exact
 * probabilities. False: too many paths for a test. */
bool enumerate_outcomes(struct interp *in, outcome_list *list);

#endif
