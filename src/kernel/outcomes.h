/* The distribution of the values of some variables after a piece of code, as exact terms.
 *
 * The code is executed on a memory of one run that is left symbolic. A sample with finitely many
 * values (Bernoulli, UniformInt of a width that is a number, Uniform{..}) is followed for each of
 * them; any other sample is a symbol, about which the code may only ask whether it is above or
 * below a value that does not depend on samples, and which then counts with the probability of the
 * interval where it lies. Branches on the memory become conditions in the probabilities. A loop is
 * followed as long as its guard is known to be true or false. In a loop that reads nothing of what
 * an earlier iteration wrote all iterations are alike: its outcomes are those of the one that ends
 * it.
 *
 * Symbols for integers may be part of the values in the end (outcome_point.h).
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

/* A sample that is not followed value by value. */
struct outcome_sample {
  term_id name; /* a fresh logical variable */
  enum dist_kind dist;
  const term_id *args;
  size_t arg_count;
  /* The code came here because above < name <= upto and name /= except; TERM_NONE: without end. */
  term_id above, upto, except;
  term_id low, high; /* the distribution function at the ends */
};
/* Could the sample be this point? The probability that it is as the code found it. */
term_id outcome_sample_inside(struct terms *ts, const struct outcome_sample *y, term_id point);
term_id outcome_sample_mass(struct terms *ts, const struct outcome_sample *y);

/* One combination of values, as terms over the memory before. Two outcomes can have equal values
 * in some memories; their probabilities add up then. */
struct outcome {
  const term_id *values;                /* of the keys, in their order */
  term_id probability;                  /* without that of the samples */
  const struct outcome_sample *samples; /* integers that the values mention */
  size_t sample_count;
};

struct outcomes {
  VEC(struct outcome) list; /* no two with the same terms as values, if these mention no samples */
  term_list valid;          /* the parameters of every distribution that is reached make sense */
};

/* Fills in `out`; the caller clears it in any case. False after a failure, which is noted for the
 * rule. `keys` are program variables. */
bool outcomes_of(struct kernel *k, const char *rule, const struct core *c, unsigned run,
                 const term_id *keys, size_t count, struct outcomes *out);
void outcomes_free(struct outcomes *o);

#endif
