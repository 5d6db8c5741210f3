#include "search/refute/finite_refute.h"

#include <stdlib.h>

#include "check/exact/pipeline.h"
#include "check/finite/pairs.h"
#include "search/refute/float_outputs.h"

enum { MOST_PAIRS = 8, MOST_TRIES = 24 };

struct attempt {
  const struct finite_inputs *inputs;
  const struct program_claim *claim;
  const struct budget *budget;
  struct program_counterexample *ce;
  size_t pairs;
  bool found;
};

/* Does the output break the claim for the pair in ce? */
static bool try_output(struct attempt *a, const struct rvalue *output) {
  struct pattern event;
  char *why = NULL;
  pattern_of(&event, output);
  vec_push(&a->ce->outputs, event);
  bool ok = program_certify(a->ce, a->claim, a->budget, &why);
  free(why);
  if (ok) return true;
  pattern_clear(&event);
  a->ce->outputs.len = 0;
  return false;
}

/* Outputs of the first run; none if it is no floating-point program. */
static void list_outputs(struct attempt *a, float_output_list *outputs) {
  struct interp in;
  char *why = NULL;
  if (program_run_init(&in, a->claim, a->ce, 0, &why)) {
    if (pipeline_is_wanted(&in)) float_outputs(outputs, &in);
    interp_clear(&in);
  }
  free(why);
}

static bool try_order(struct attempt *a, size_t i, size_t j) {
  float_output_list outputs = {0};
  program_counterexample_clear(a->ce);
  program_counterexample_init(a->ce);
  finite_pair(a->inputs, i, j, a->ce);
  list_outputs(a, &outputs);
  for (size_t k = 0; !a->found && k < outputs.len && k < MOST_TRIES; k++)
    a->found = !budget_is_spent(a->budget) && try_output(a, &outputs.at[k]);
  float_outputs_clear(&outputs);
  return a->found;
}

static bool visit(size_t i, size_t j, void *context) {
  struct attempt *a = context;
  return !try_order(a, i, j) && !try_order(a, j, i) && ++a->pairs < MOST_PAIRS;
}

bool finite_refute(struct program_counterexample *ce, const struct program_claim *claim,
                   const struct budget *budget) {
  struct finite_inputs inputs;
  struct attempt a = {.inputs = &inputs, .claim = claim, .budget = budget, .ce = ce};
  const char *why = NULL;
  if (finite_inputs_init(&inputs, claim, &why)) finite_pairs(&inputs, budget, visit, &a, &why);
  finite_inputs_clear(&inputs);
  return a.found;
}
