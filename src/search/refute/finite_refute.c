#include "search/refute/finite_refute.h"

#include <stdlib.h>

#include "check/counterexample/domain.h"
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
static bool try_output(struct attempt *a, const struct pattern *output) {
  struct pattern event = pattern_copy(output);
  char *why = NULL;
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

/* The pair is in ce. */
static bool try_pair(struct attempt *a) {
  float_output_list outputs = {0};
  list_outputs(a, &outputs);
  for (size_t k = 0; !a->found && k < outputs.len && k < MOST_TRIES; k++)
    a->found = !budget_is_spent(a->budget) && try_output(a, &outputs.at[k]);
  float_outputs_clear(&outputs);
  return a->found;
}

static void start_again(struct program_counterexample *ce) {
  program_counterexample_clear(ce);
  program_counterexample_init(ce);
}

static bool try_order(struct attempt *a, size_t i, size_t j) {
  start_again(a->ce);
  finite_pair(a->inputs, i, j, a->ce);
  return try_pair(a);
}

static bool visit(size_t i, size_t j, void *context) {
  struct attempt *a = context;
  return !try_order(a, i, j) && !try_order(a, j, i) && ++a->pairs < MOST_PAIRS;
}

/* A single float without a list: the claim is about all of them, and these are as good as any. */
static void try_some_floats(struct attempt *a) {
  static const slong tried[][2] = {{0, 1}, {1, 0}, {-1, 0}, {7, 8}, {-8, -7}};
  const struct ast_decl *claim = a->claim->claim;
  const struct ast_routine *r = claim->as.claim.target->as.mechanism.routine;
  if (r->arg_count != 1 || domain_of_input(claim, r->args[0])) return;
  for (size_t i = 0; !a->found && i < sizeof tried / sizeof *tried; i++) {
    start_again(a->ce);
    finite_params(claim, a->ce);
    a->ce->input_count = 1;
    for (int run = 0; run < 2; run++) {
      a->ce->inputs[run] = xcalloc(1, sizeof(struct rvalue));
      a->ce->inputs[run][0] = rvalue_int(tried[i][run]);
    }
    try_pair(a);
  }
}

bool finite_refute(struct program_counterexample *ce, const struct program_claim *claim,
                   const struct budget *budget) {
  struct finite_inputs inputs;
  struct attempt a = {.inputs = &inputs, .claim = claim, .budget = budget, .ce = ce};
  const char *why = NULL;
  if (finite_inputs_init(&inputs, claim, &why))
    finite_pairs(&inputs, budget, visit, &a, &why);
  else
    try_some_floats(&a);
  finite_inputs_clear(&inputs);
  return a.found;
}
