/* Runs a threshold automaton on given inputs (the semantics are in model.h).
 *
 * A run ends in a final state, where no guard holds, or at an input state when the inputs are used
 * up. What the model leaves to the classes of automata is an error here, with the place of the
 * edge: two guards that hold at once, a variable that is compared before it was assigned, several
 * variables on an edge that outputs insample under independent noise. */
#ifndef COUPLET_AUTOMATA_MODEL_SIMULATE_H
#define COUPLET_AUTOMATA_MODEL_SIMULATE_H

#include "base/diag.h"
#include "check/automaton/model.h"
#include "run/eval/rvalue.h"
#include "run/sample/random.h"

struct simulation {
  const struct automaton *automaton;
  const struct rvalue *eps;    /* positive */
  const struct rvalue *inputs; /* list of numbers, one per visit of an input state */
  uint64_t max_steps;
};

/* One run; *out is the list of outputs: symbols and numbers. False: an error was reported. */
bool simulate(const struct simulation *s, struct random *r, struct diags *diags,
              struct rvalue *out);

#endif
