/* The distribution of the values of some variables after a piece of code, as exact terms.
 *
 * The code is executed on a memory of one run that is left symbolic. A sample with finitely many
 * values (Bernoulli, UniformInt of a width that is a number, Uniform{..}) is followed for each of
 * them; any other sample is a symbol, about which the code may only ask whether it is above or
 * below a value that does not depend on samples, and which then counts with the probability of the
 * interval where it lies. Branches on the memory become conditions in the probabilities. A loop is
 * followed as long as its guard is known to be true or false.
 *
 * States that agree in all that is read later are merged. Everything fails closed: code of another
 * kind, and more states than the limit, give no result. */
#ifndef COUPLET_KERNEL_OUTCOMES_H
#define COUPLET_KERNEL_OUTCOMES_H

#include "base/vec.h"
#include "kernel/kernel.h"

enum {
  OUTCOMES_STATES = 4096,    /* that are alive at one time */
  OUTCOMES_STEPS = 200000,   /* statements executed */
  OUTCOMES_ITERATIONS = 512, /* of one loop */
  OUTCOMES_DEPTH = 1000,     /* nesting, and statements in a row */
  OUTCOMES_PAIRS = 1 << 20   /* of outcomes of the two runs that are compared */
};

/* One combination of values, as terms over the memory before. Two outcomes can have equal values
 * in some memories; their probabilities add up then. */
struct outcome {
  const term_id *values; /* of the keys, in their order */
  term_id probability;
};

struct outcomes {
  VEC(struct outcome) list; /* no two with the same terms as values */
  term_list valid;          /* the parameters of every distribution that is reached make sense */
};

/* Fills in `out`; the caller clears it in any case. False after a failure, which is noted for the
 * rule. `keys` are program variables. */
bool outcomes_of(struct kernel *k, const char *rule, const struct core *c, unsigned run,
                 const term_id *keys, size_t count, struct outcomes *out);
void outcomes_free(struct outcomes *o);

#endif
