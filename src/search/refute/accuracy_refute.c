#include "search/refute/accuracy_refute.h"

#include <stdlib.h>

#include "search/refute/candidates.h"

enum { MOST_SETTINGS_TRIED = 60, MOST_INPUTS = 24 }; /* of one setting */
enum { LAW_SETTINGS = 12, LAW_INPUTS = 2 };          /* the same where many outputs are tried */

struct attack {
  struct program_result *result;
  const struct program_claim *claim;
  const struct ast_decl *instance;
  const struct budget *budget;
  const struct ast_routine *routine;
};

/* One run, twice, and the event: the output false of accuracy.h, or one of law.h. */
static void counterexample_of(struct program_counterexample *ce, const struct attack *a,
                              const struct setting *setting, const struct rvalue *inputs,
                              struct rvalue output) {
  ce->instance = a->instance;
  for (size_t i = 0; i < setting->params.len; i++)
    vec_push(&ce->params, (struct program_param){setting->params.at[i].decl,
                                                 rvalue_copy(&setting->params.at[i].value)});
  ce->input_count = a->routine->arg_count;
  for (int run = 0; run < 2; run++) {
    ce->inputs[run] = xcalloc(ce->input_count + 1, sizeof(struct rvalue));
    for (size_t i = 0; i < ce->input_count; i++)
      ce->inputs[run][i] = rvalue_copy(&inputs[i]);
  }
  struct pattern event;
  pattern_of(&event, &output);
  vec_push(&ce->outputs, event);
}

/* False: the search is over. */
static bool try_output(struct attack *a, const struct setting *setting, const struct rvalue *inputs,
                       struct rvalue output) {
  struct program_result *r = a->result;
  struct program_counterexample ce;
  char *why = NULL;
  if (budget_is_spent(a->budget)) {
    r->status = PROGRAM_TIMEOUT;
    return false;
  }
  program_counterexample_init(&ce);
  counterexample_of(&ce, a, setting, inputs, output);
  bool found = program_certify(&ce, a->claim, a->budget, &why);
  r->tried++;
  if (found || ce.is_contradictory) {
    program_counterexample_copy(&r->best, &ce);
    r->status = found ? PROGRAM_REFUTED : PROGRAM_CANNOT;
  }
  if (!found && !r->why && why) r->why = xstrdup(why);
  free(why);
  bool goes_on = !found && !ce.is_contradictory;
  program_counterexample_clear(&ce);
  return goes_on;
}

/* Outputs of a sampler near 0, where most of its mass is. */
static bool try_law(struct attack *a, const struct setting *setting, const struct rvalue *inputs) {
  static const long values[] = {0, 1, -1, 2, 3};
  if (a->claim->claim->as.claim.law->kind == DIST_BERNOULLI)
    return try_output(a, setting, inputs, rvalue_bool(true));
  bool goes_on = true;
  for (size_t i = 0; goes_on && i < sizeof values / sizeof *values; i++) {
    struct rvalue output = rvalue_int(values[i]);
    goes_on = try_output(a, setting, inputs, output);
    rvalue_clear(&output);
  }
  return goes_on;
}

static bool try_inputs(struct attack *a, const struct setting *setting,
                       const struct rvalue *inputs) {
  if (a->claim->claim->as.claim.law) return try_law(a, setting, inputs);
  return try_output(a, setting, inputs, rvalue_bool(false));
}

static bool try_setting(struct attack *a, const struct setting *setting,
                        enum candidate_stage stage) {
  input_pair_list pairs = {0};
  char *why = NULL;
  bool goes_on = true;
  size_t most = a->claim->claim->as.claim.law ? LAW_INPUTS : MOST_INPUTS;
  if (candidate_inputs(&pairs, a->claim, a->instance, setting, stage, &why))
    for (size_t i = 0; goes_on && i < pairs.len && i < most; i++)
      for (int run = 0; goes_on && run < 2; run++)
        goes_on = try_inputs(a, setting, pairs.at[i].runs[run]);
  if (!a->result->why && why) a->result->why = xstrdup(why);
  free(why);
  input_pair_list_clear(&pairs, a->routine->arg_count);
  return goes_on;
}

void accuracy_refute(struct program_result *result, const struct program_claim *claim,
                     const struct ast_decl *instance, const struct budget *budget) {
  struct attack a = {result, claim, instance, budget,
                     claim->claim->as.claim.target->as.mechanism.routine};
  setting_list settings = {0};
  candidate_settings(&settings, claim, instance, &result->why);
  bool goes_on = settings.len > 0;
  size_t most = claim->claim->as.claim.law ? LAW_SETTINGS : MOST_SETTINGS_TRIED;
  result->status = goes_on ? PROGRAM_NOT_FOUND : PROGRAM_CANNOT;
  for (int stage = CANDIDATES_PLAIN; goes_on && stage <= CANDIDATES_NEAR; stage++)
    for (size_t i = 0; goes_on && i < settings.len && i < most; i++)
      goes_on = try_setting(&a, &settings.at[i], (enum candidate_stage)stage);
  setting_list_clear(&settings);
}
