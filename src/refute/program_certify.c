#include <stdlib.h>

#include "exact/exact.h"
#include "lang/number.h"
#include "num/ball.h"
#include "refute/program_refute.h"

enum { CERTIFY_PRECISION = 256 };

void program_counterexample_init(struct program_counterexample *ce) {
  *ce = (struct program_counterexample){0};
  arb_init(ce->p1);
  arb_init(ce->p2);
  arb_init(ce->epsilon);
  arb_init(ce->delta);
  arb_init(ce->loss);
}

void program_counterexample_clear(struct program_counterexample *ce) {
  for (size_t i = 0; i < ce->params.len; i++)
    rvalue_clear(&ce->params.at[i].value);
  vec_clear(&ce->params);
  for (int run = 0; run < 2; run++) {
    for (size_t i = 0; ce->inputs[run] && i < ce->input_count; i++)
      rvalue_clear(&ce->inputs[run][i]);
    free(ce->inputs[run]);
  }
  for (size_t i = 0; i < ce->outputs.len; i++)
    pattern_clear(&ce->outputs.at[i]);
  vec_clear(&ce->outputs);
  arb_clear(ce->p1);
  arb_clear(ce->p2);
  arb_clear(ce->epsilon);
  arb_clear(ce->delta);
  arb_clear(ce->loss);
}

void program_counterexample_copy(struct program_counterexample *to,
                                 const struct program_counterexample *from) {
  program_counterexample_clear(to);
  program_counterexample_init(to);
  to->instance = from->instance;
  for (size_t i = 0; i < from->params.len; i++)
    vec_push(&to->params, (struct program_param){from->params.at[i].decl,
                                                 rvalue_copy(&from->params.at[i].value)});
  to->input_count = from->input_count;
  for (int run = 0; run < 2; run++) {
    to->inputs[run] = xcalloc(from->input_count + 1, sizeof(struct rvalue));
    for (size_t i = 0; i < from->input_count; i++)
      to->inputs[run][i] = rvalue_copy(&from->inputs[run][i]);
  }
  for (size_t i = 0; i < from->outputs.len; i++)
    vec_push(&to->outputs, pattern_copy(&from->outputs.at[i]));
}

/* ---- premises ------------------------------------------------------------------------------- */

static const struct ast_decl *mechanism_of(const struct program_claim *claim) {
  return claim->claim->as.claim.target;
}

static const struct ast_expr *adjacency_of(const struct program_claim *claim) {
  const struct ast_expr *under = claim->claim->as.claim.under;
  return under ? under : mechanism_of(claim)->as.mechanism.adjacent;
}

static bool refuse(char **why, const char *reason) {
  if (why && !*why) *why = xstrdup(reason);
  return false;
}

/* The last diagnostic is the reason; it is taken back. */
static bool refuse_by_diag(const struct program_claim *claim, struct diag_mark mark, char **why,
                           const char *otherwise) {
  struct diags *diags = &claim->lang->diags;
  const char *reason = diags->list.len > mark.kept ? diags->list.at[mark.kept].message : otherwise;
  refuse(why, reason);
  diags_rollback(diags, mark);
  return false;
}

static void needs_axioms(struct interp *in, const struct ast_module *module) {
  for (size_t i = 0; i < module->decl_count; i++)
    if (module->decls[i]->kind == DECL_AXIOM) interp_also_needs(in, module->decls[i]->as.formula);
}

static bool prepare_run(struct interp *in, const struct program_claim *claim,
                        const struct program_counterexample *ce, int run, char **why) {
  const struct ast_decl *decl = claim->claim;
  struct diag_mark mark = diags_mark(&claim->lang->diags);
  interp_init(in, claim->lang, claim->module, mechanism_of(claim));
  in->instance = ce->instance;
  interp_also_needs(in, decl->as.claim.epsilon);
  if (decl->as.claim.delta) interp_also_needs(in, decl->as.claim.delta);
  if (adjacency_of(claim)) interp_also_needs(in, adjacency_of(claim));
  needs_axioms(in, claim->module);
  for (size_t i = 0; i < ce->params.len; i++)
    interp_set_param(in, ce->params.at[i].decl, rvalue_copy(&ce->params.at[i].value), span_none());
  for (size_t i = 0; i < ce->input_count; i++)
    interp_set_input(in, i, rvalue_copy(&ce->inputs[run][i]), span_none());
  if (interp_prepare(in)) return true;
  interp_clear(in);
  return refuse_by_diag(claim, mark, why, "the run cannot be prepared");
}

/* Every parameter has a value (so that every assumption was checked), and every precondition can
 * be evaluated (so that it was). */
static bool nothing_unchecked(const struct interp *in, char **why) {
  for (size_t i = 0; i < in->module->decl_count; i++)
    if (in->module->decls[i]->kind == DECL_PARAM && !reval_get_param(&in->ev, in->module->decls[i]))
      return refuse(why, "a parameter has no value");
  for (size_t i = 0; i < in->mechanism->as.mechanism.require_count; i++)
    if (!reval_is_executable(in->mechanism->as.mechanism.requires[i]))
      return refuse(why, "a precondition cannot be evaluated");
  return true;
}

/* Public inputs are the same in both runs. */
static bool public_inputs_agree(const struct program_pair *pair, char **why) {
  const struct ast_routine *routine = pair->runs[0].mechanism->as.mechanism.routine;
  for (size_t i = 0; i < routine->arg_count; i++) {
    int order;
    if (routine->args[i]->is_private) continue;
    if (!rvalue_compare(&order, &pair->runs[0].frame.at[i], &pair->runs[1].frame.at[i]) || order)
      return refuse(why, "a public input differs between the runs");
  }
  return true;
}

/* The values of abstract type among the inputs: the structure in which the axioms must hold. */
static void collect_carriers(const struct program_pair *pair, struct reval_carrier *carriers,
                             size_t *count) {
  const struct ast_routine *routine = pair->runs[0].mechanism->as.mechanism.routine;
  *count = 0;
  for (size_t i = 0; i < routine->arg_count; i++) {
    const struct type *type = routine->args[i]->type;
    if (type->kind != TYPE_ABSTRACT) continue;
    size_t c = 0;
    while (c < *count && carriers[c].type != type)
      c++;
    if (c == *count)
      carriers[(*count)++] = (struct reval_carrier){type, rvalue_seq(RVALUE_LIST, 0)};
    for (int run = 0; run < 2; run++)
      rvalue_push(&carriers[c].values, rvalue_copy(&pair->runs[run].frame.at[i]));
  }
}

static bool formula_holds(struct program_pair *pair, const struct program_claim *claim,
                          const struct ast_expr *formula, char **why, const char *otherwise) {
  struct diag_mark mark = diags_mark(&claim->lang->diags);
  struct interp *in = &pair->runs[0];
  bool truth = false;
  in->ev.steps = 0;
  if (!reval_bool(&in->ev, &in->frame, formula, &truth))
    return refuse_by_diag(claim, mark, why, "a premise cannot be evaluated");
  return truth || refuse(why, otherwise);
}

/* The inputs are a structure of their own only if no operator leads out of them. */
static bool carriers_are_closed(const struct ast_module *module,
                                const struct reval_carrier *carriers, size_t count) {
  for (size_t i = 0; i < module->decl_count; i++) {
    if (module->decls[i]->kind != DECL_OP) continue;
    for (size_t c = 0; c < count; c++)
      if (module->decls[i]->as.op.result->type == carriers[c].type) return false;
  }
  return true;
}

/* Adversaries and oracles may bring values of abstract types that no input shows: then axioms
 * about those types cannot be checked here. */
static bool premises_hold(struct program_pair *pair, const struct program_claim *claim,
                          char **why) {
  const struct ast_routine *routine = mechanism_of(claim)->as.mechanism.routine;
  struct reval_carrier *carriers = xcalloc(routine->arg_count + 1, sizeof *carriers);
  struct reval_pair both = {{&pair->runs[0].frame, &pair->runs[1].frame}, carriers, 0};
  collect_carriers(pair, carriers, &both.carrier_count);
  pair->runs[0].ev.pair = &both;
  bool ok = true, has_axioms = false;
  if (adjacency_of(claim))
    ok = formula_holds(pair, claim, adjacency_of(claim), why, "the inputs are not adjacent");
  for (size_t i = 0; ok && i < claim->module->decl_count; i++)
    if (claim->module->decls[i]->kind == DECL_AXIOM) {
      has_axioms = true;
      ok = formula_holds(pair, claim, claim->module->decls[i]->as.formula, why,
                         "an axiom does not hold for these inputs");
    }
  if (ok && has_axioms && pair->runs[0].adversaries.len)
    ok = refuse(why, "axioms cannot be checked for what an adversary chooses");
  if (ok && has_axioms && !carriers_are_closed(claim->module, carriers, both.carrier_count))
    ok = refuse(why, "an operator makes values that the axioms were not checked for");
  pair->runs[0].ev.pair = NULL;
  for (size_t i = 0; i < both.carrier_count; i++)
    rvalue_clear(&carriers[i].values);
  free(carriers);
  return ok;
}

bool program_pair_init(struct program_pair *pair, const struct program_claim *claim,
                       const struct program_counterexample *ce, char **why) {
  if (!prepare_run(&pair->runs[0], claim, ce, 0, why)) return false;
  if (!prepare_run(&pair->runs[1], claim, ce, 1, why)) {
    interp_clear(&pair->runs[0]);
    return false;
  }
  if (nothing_unchecked(&pair->runs[0], why) && public_inputs_agree(pair, why) &&
      premises_hold(pair, claim, why))
    return true;
  program_pair_clear(pair);
  return false;
}

void program_pair_clear(struct program_pair *pair) {
  interp_clear(&pair->runs[0]);
  interp_clear(&pair->runs[1]);
}

bool program_claim_value(arb_t out, struct program_pair *pair, const struct ast_expr *e,
                         slong precision) {
  struct rvalue value;
  struct diag_mark mark = diags_mark(&pair->runs[0].lang->diags);
  if (!reval_take(&pair->runs[0].ev, NULL, e, &value)) {
    diags_rollback(&pair->runs[0].lang->diags, mark);
    return false;
  }
  struct creal *c = number_to_creal(&value);
  arb_set(out, creal_ball(c, precision));
  creal_unref(c);
  rvalue_clear(&value);
  return arb_is_finite(out);
}

/* ---- probabilities -------------------------------------------------------------------------- */

/* Are the outputs certainly disjoint? Discrete values that differ are. */
static bool outputs_disjoint(const struct program_counterexample *ce) {
  for (size_t i = 0; i < ce->outputs.len; i++)
    for (size_t j = i + 1; j < ce->outputs.len; j++)
      if (!pattern_disjoint(&ce->outputs.at[i], &ce->outputs.at[j])) return false;
  return true;
}

/* Probability of the event in one run; *points: dimension of the density. */
static bool event_probability(arb_t out, unsigned *points, struct interp *in,
                              const struct program_counterexample *ce, const struct budget *budget,
                              char **why) {
  const struct exact_options options = {CERTIFY_PRECISION, budget};
  bool ok = true;
  arb_zero(out);
  for (size_t i = 0; ok && i < ce->outputs.len; i++) {
    struct exact_result r;
    exact_result_init(&r);
    exact_probability(in, &ce->outputs.at[i], &options, &r);
    ok = r.status == EXACT_OK && arb_is_finite(r.probability);
    if (!ok) refuse(why, r.why ? r.why : "the probability cannot be computed");
    *points = r.points;
    arb_add(out, out, r.probability, CERTIFY_PRECISION);
    exact_result_clear(&r);
  }
  return ok;
}

bool program_certify(struct program_counterexample *ce, const struct program_claim *claim,
                     const struct budget *budget, char **why) {
  char *unused = NULL;
  if (!why) why = &unused;
  ce->is_certified = false;
  struct program_pair pair;
  if (!program_pair_init(&pair, claim, ce, why)) {
    free(unused);
    return false;
  }
  const struct ast_decl *decl = claim->claim;
  unsigned points1 = 0, points2 = 0;
  bool ok = ce->outputs.len > 0 && outputs_disjoint(ce);
  if (!ok) refuse(why, "the outputs of the event overlap, or there are none");
  ok = ok && program_claim_value(ce->epsilon, &pair, decl->as.claim.epsilon, CERTIFY_PRECISION);
  arb_zero(ce->delta);
  if (ok && decl->as.claim.delta)
    ok = program_claim_value(ce->delta, &pair, decl->as.claim.delta, CERTIFY_PRECISION);
  ok = ok && event_probability(ce->p1, &points1, &pair.runs[0], ce, budget, why) &&
       event_probability(ce->p2, &points2, &pair.runs[1], ce, budget, why);
  program_pair_clear(&pair);
  ce->is_density = points1 > 0;
  if (ok && points1 != points2) ok = refuse(why, "the runs reach the outputs in different ways");
  if (ok && ce->is_density && (!arb_is_zero(ce->delta) || ce->outputs.len > 1))
    ok = refuse(why, "a density at a point says nothing about delta");
  if (ok) {
    arb_t bound;
    arb_init(bound);
    arb_exp(bound, ce->epsilon, CERTIFY_PRECISION);
    arb_mul(bound, bound, ce->p2, CERTIFY_PRECISION);
    arb_add(bound, bound, ce->delta, CERTIFY_PRECISION);
    ce->is_certified = ball_is_less(bound, ce->p1);
    arb_sub(bound, ce->p1, ce->delta, CERTIFY_PRECISION);
    arb_div(bound, bound, ce->p2, CERTIFY_PRECISION);
    arb_log(bound, bound, CERTIFY_PRECISION);
    arb_div(ce->loss, bound, ce->epsilon, CERTIFY_PRECISION);
    arb_clear(bound);
    if (!ce->is_certified) refuse(why, "the claim holds for these inputs and outputs");
  }
  free(unused);
  return ce->is_certified;
}
