/* All inputs of a finite claim.
 *
 * An input of the mechanism is a tuple or an array of numbers or truth values, or one of these; each
 * such part is a coordinate with finitely many values: those of `at`, or those that stand for all
 * (steps.h). An input is a choice for every
 * coordinate: a number in mixed radix. */
#ifndef COUPLET_CHECK_FINITE_INPUTS_H
#define COUPLET_CHECK_FINITE_INPUTS_H

#include "check/counterexample/program_certify.h"

enum {
  LIMIT_FINITE_COORDINATES = 64,
  LIMIT_FINITE_VALUES = 128,   /* of a coordinate */
  LIMIT_FINITE_INPUTS = 200000 /* to all mechanisms: each is run */
};

struct coordinate {
  size_t argument; /* of the mechanism */
  bool is_private;
  const struct rvalue *values;
  size_t count;
  size_t weight; /* of its choice in the number of the input */
};

struct finite_inputs {
  const struct program_claim *claim;
  const struct ast_routine *routine;
  struct rvalue **values; /* per argument, owned */
  size_t *counts;
  struct coordinate coordinates[LIMIT_FINITE_COORDINATES];
  size_t coordinate_count;
  size_t count;    /* inputs */
  struct reval ev; /* with the parameters */
};

/* False: *why says what is in the way (a literal). Must be cleared in any case. */
bool finite_inputs_init(struct finite_inputs *f, const struct program_claim *claim,
                        const char **why);
void finite_inputs_clear(struct finite_inputs *f);
/* The values of the arguments; `out` has room for them all. */
void finite_input(const struct finite_inputs *f, size_t number, struct rvalue *out);
/* The parameters of the claim. */
void finite_params(const struct ast_decl *claim, struct program_counterexample *ce);
/* These, and an input for each run. */
void finite_pair(const struct finite_inputs *f, size_t first, size_t second,
                 struct program_counterexample *ce);

#endif
