/* Are parameters and inputs such as the claim speaks of? By the evaluator, for search and
 * certificate; and, for the latter, by the meaning of the formulas as terms as well. */
#include <stdlib.h>

#include "check/counterexample/accuracy.h"
#include "check/counterexample/domain.h"
#include "check/counterexample/ground.h"
#include "check/counterexample/law.h"
#include "check/counterexample/program_certify.h"
#include "run/eval/ieee.h"

static const struct ast_decl *mechanism_of(const struct program_claim *claim) {
  return claim->claim->as.claim.target;
}

const struct ast_expr *program_adjacency(const struct program_claim *claim) {
  const struct ast_expr *under = claim->claim->as.claim.under;
  return under || claim->claim->as.claim.formula ? under
                                                 : mechanism_of(claim)->as.mechanism.adjacent;
}

static bool refuse(char **why, const char *reason) {
  if (why && !*why) *why = xstrdup(reason);
  return false;
}

/* The last diagnostic is the reason; it is taken back. */
static bool refuse_by_diag(const struct program_claim *claim, struct diag_mark mark, char **why,
                           const char *otherwise) {
  struct diags *diags = &claim->lang->diags;
  const struct diag *d = diags->list.len > mark.kept ? &diags->list.at[mark.kept] : NULL;
  unsigned line = d && d->span.file
                      ? sources_place(&claim->lang->sources, d->span.file, d->span.begin).line
                      : 0;
  char *reason =
      line ? xasprintf("line %u: %s", line, d->message) : xstrdup(d ? d->message : otherwise);
  refuse(why, reason);
  free(reason);
  diags_rollback(diags, mark);
  return false;
}

/* What axioms and assumptions mention must have a meaning, too. */
static void needs_premises(struct interp *in, const struct ast_module *module) {
  for (size_t i = 0; i < module->decl_count; i++) {
    const struct ast_decl *d = module->decls[i];
    if (d->kind == DECL_AXIOM) interp_also_needs(in, d->as.formula);
    for (size_t j = 0; d->kind == DECL_PARAM && j < d->as.param.count; j++)
      interp_also_needs(in, d->as.param.assumptions[j]);
  }
}

bool program_run_init(struct interp *in, const struct program_claim *claim,
                      const struct program_counterexample *ce, int run, char **why) {
  const struct ast_decl *decl = claim->claim, *mechanism = mechanism_of(claim);
  struct diag_mark mark = diags_mark(&claim->lang->diags);
  if (decl->as.claim.law)
    mechanism = run == 0 ? mechanism : law_mechanism(claim->lang, decl);
  else if (decl->as.claim.formula)
    mechanism = accuracy_mechanism(claim->lang, decl);
  if (!mechanism) return refuse(why, "the formula of the claim cannot be computed");
  interp_init(in, claim->lang, claim->module, mechanism);
  in->instance = ce->instance;
  interp_also_needs(in, decl->as.claim.epsilon);
  for (size_t i = 0; decl->as.claim.law && i < decl->as.claim.law->count; i++)
    interp_also_needs(in, decl->as.claim.law->args[i]);
  if (decl->as.claim.delta) interp_also_needs(in, decl->as.claim.delta);
  if (program_adjacency(claim)) interp_also_needs(in, program_adjacency(claim));
  needs_premises(in, claim->module);
  for (size_t i = 0; i < ce->params.len; i++)
    interp_set_param(in, ce->params.at[i].decl, rvalue_copy(&ce->params.at[i].value), span_none());
  for (size_t i = 0; i < ce->input_count; i++)
    interp_set_input(in, i, rvalue_copy(&ce->inputs[run][i]), span_none());
  if (interp_prepare(in)) return true;
  interp_clear(in);
  return refuse_by_diag(claim, mark, why, "the run cannot be prepared");
}

/* It cannot be said whether a premise holds. */
static bool leave_open(struct program_pair *pair, char **why, const char *reason) {
  pair->is_open = true;
  return refuse(why, reason);
}

/* The condition is evaluated here and is true; nothing is taken on trust because it cannot be. */
static bool condition_holds(struct program_pair *pair, struct interp *in,
                            const struct ast_expr *condition, char **why) {
  struct diag_mark mark = diags_mark(&in->lang->diags);
  bool truth = false;
  in->ev.steps = 0;
  bool known = reval_is_executable(condition) && reval_bool(&in->ev, &in->frame, condition, &truth);
  diags_rollback(&in->lang->diags, mark);
  if (!known) return leave_open(pair, why, "an assumption or precondition cannot be evaluated");
  return truth || refuse(why, "an assumption or precondition does not hold");
}

/* What the instance represents values of an abstract type by; other types stand for themselves. */
static const struct ast_type *reveal(const struct interp *in, const struct ast_type *t) {
  if (t->kind != TYPE_ABSTRACT) return t;
  for (size_t i = 0; in->instance && i < in->instance->as.instance.count; i++) {
    const struct ast_binding *b = &in->instance->as.instance.bindings[i];
    if (b->kind == BINDING_TYPE && b->name.text == t->name.text) return b->type;
  }
  return t;
}

/* Is this a value of the type? (Lengths of arrays were checked by interp_prepare.) */
static bool has_type(const struct interp *in, const struct rvalue *v, const struct ast_type *t) {
  t = reveal(in, t);
  size_t count = rvalue_is_seq(v) ? v->as.seq->len : 0;
  binary64 bits;
  switch (t->kind) {
  case TYPE_BOOL: return v->kind == RVALUE_BOOL;
  case TYPE_INT: return v->kind == RVALUE_INT;
  case TYPE_FLOAT:
  case TYPE_FLOAT32: return ieee_bits(&bits, ieee_format(t->kind), v);
  case TYPE_REAL:
    return v->kind == RVALUE_INT || v->kind == RVALUE_RATIONAL || v->kind == RVALUE_IRRATIONAL;
  case TYPE_ARRAY:
  case TYPE_LIST:
    if (!rvalue_is_seq(v) || v->kind == RVALUE_TUPLE) return false;
    for (size_t i = 0; i < count; i++)
      if (!has_type(in, &v->as.seq->at[i], t->items[0])) return false;
    return true;
  case TYPE_TUPLE:
    if (v->kind != RVALUE_TUPLE || count != t->count) return false;
    for (size_t i = 0; i < count; i++)
      if (!has_type(in, &v->as.seq->at[i], t->items[i])) return false;
    return true;
  default: return false;
  }
}

/* Parameters and inputs of one run are what their declarations say. */
static bool run_is_valid(struct program_pair *pair, struct interp *in, char **why) {
  for (size_t i = 0; i < in->module->decl_count; i++) {
    const struct ast_decl *d = in->module->decls[i];
    if (d->kind != DECL_PARAM) continue;
    const struct rvalue *value = reval_get_param(&in->ev, d);
    if (!value) return refuse(why, "a parameter has no value");
    if (!has_type(in, value, d->as.param.type))
      return refuse(why, "a parameter has a value of another type");
    for (size_t j = 0; j < d->as.param.count; j++)
      if (!condition_holds(pair, in, d->as.param.assumptions[j], why)) return false;
  }
  const struct ast_routine *routine = in->mechanism->as.mechanism.routine;
  for (size_t i = 0; i < routine->arg_count; i++)
    if (!has_type(in, &in->frame.at[routine->args[i]->slot], routine->args[i]->declared))
      return refuse(why, "an input has a value of another type");
  for (size_t i = 0; i < in->mechanism->as.mechanism.require_count; i++)
    if (!condition_holds(pair, in, in->mechanism->as.mechanism.requires[i], why)) return false;
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

/* The values of abstract types among parameters and inputs: the structure in which the axioms must
 * hold. */
struct carriers {
  VEC(struct reval_carrier) list;
};

static void collect(struct carriers *c, const struct type *type, const struct rvalue *v) {
  if (type->kind == TYPE_ABSTRACT) {
    size_t i = 0;
    while (i < c->list.len && c->list.at[i].type != type)
      i++;
    if (i == c->list.len)
      vec_push(&c->list, (struct reval_carrier){type, rvalue_seq(RVALUE_LIST, 0)});
    rvalue_push(&c->list.at[i].values, rvalue_copy(v));
  } else if (rvalue_is_seq(v)) {
    for (size_t i = 0; i < v->as.seq->len; i++) {
      const struct type *item = type->kind == TYPE_TUPLE ? type->items[i] : type->elem;
      if (item) collect(c, item, &v->as.seq->at[i]);
    }
  }
}

static void collect_carriers(struct carriers *c, const struct program_pair *pair) {
  const struct interp *in = &pair->runs[0];
  const struct ast_routine *routine = in->mechanism->as.mechanism.routine;
  for (size_t i = 0; i < in->module->decl_count; i++)
    if (in->module->decls[i]->kind == DECL_PARAM)
      collect(c, in->module->decls[i]->as.param.type->type,
              reval_get_param(&in->ev, in->module->decls[i]));
  for (int run = 0; run < 2; run++)
    for (size_t i = 0; i < routine->arg_count; i++)
      collect(c, routine->args[i]->type, &pair->runs[run].frame.at[routine->args[i]->slot]);
}

static bool formula_holds(struct program_pair *pair, const struct program_claim *claim,
                          const struct ast_expr *formula, char **why, const char *otherwise) {
  struct diag_mark mark = diags_mark(&claim->lang->diags);
  struct interp *in = &pair->runs[0];
  bool truth = false;
  in->ev.steps = 0;
  in->ev.lacks_index = false;
  if (!reval_bool(&in->ev, NULL, formula, &truth)) {
    pair->is_open |= !in->ev.lacks_index;
    return refuse_by_diag(claim, mark, why, "a premise cannot be evaluated");
  }
  return truth || refuse(why, otherwise);
}

static bool has_part(const struct type *t, const struct type *part) {
  if (t == part || (t->elem && has_part(t->elem, part))) return true;
  for (size_t i = 0; i < t->count; i++)
    if (has_part(t->items[i], part)) return true;
  return false;
}

/* The inputs are a structure of their own only if no operator leads out of them. (A quantifier over
 * a type of which there are no inputs cannot be evaluated at all.) */
static bool structure_is_closed(const struct ast_module *module, const struct reval_pair *both) {
  for (size_t i = 0; i < module->decl_count; i++)
    for (size_t c = 0; module->decls[i]->kind == DECL_OP && c < both->carrier_count; c++)
      if (has_part(module->decls[i]->as.op.result->type, both->carriers[c].type)) return false;
  return true;
}

/* A claim speaks about both directions, so the inputs may be adjacent in either order. */
static bool inputs_are_adjacent(struct program_pair *pair, struct reval_pair *both,
                                const struct program_claim *claim, char **why) {
  const struct ast_expr *adjacency = program_adjacency(claim);
  const char *reason = claim->claim->as.claim.formula
                           ? "these are not inputs that the claim speaks of"
                           : "the inputs are not adjacent";
  pair->is_adjacent[0] = !adjacency || formula_holds(pair, claim, adjacency, NULL, reason);
  pair->is_adjacent[1] = false;
  if (pair->is_adjacent[0]) return true;
  pair->is_open = false;
  both->runs[0] = &pair->runs[1].frame;
  both->runs[1] = &pair->runs[0].frame;
  pair->is_adjacent[1] = formula_holds(pair, claim, adjacency, why, reason);
  both->runs[0] = &pair->runs[0].frame;
  both->runs[1] = &pair->runs[1].frame;
  return pair->is_adjacent[1];
}

/* Adversaries and oracles may bring values of abstract types that no input shows: then axioms
 * about those types cannot be checked here. */
static bool axioms_hold(struct program_pair *pair, const struct program_claim *claim, char **why) {
  bool any = false;
  for (size_t i = 0; i < claim->module->decl_count; i++) {
    const struct ast_decl *d = claim->module->decls[i];
    if (d->kind != DECL_AXIOM) continue;
    any = true;
    if (!formula_holds(pair, claim, d->as.formula, why, "an axiom does not hold for these inputs"))
      return false;
  }
  if (any && pair->runs[0].adversaries.len)
    return leave_open(pair, why, "axioms cannot be checked for what an adversary chooses");
  if (any && !structure_is_closed(claim->module, pair->runs[0].ev.pair))
    return leave_open(pair, why, "an operator makes values that the axioms were not checked for");
  return true;
}

static bool premises_hold(struct program_pair *pair, const struct program_claim *claim,
                          char **why) {
  struct carriers carriers = {0};
  collect_carriers(&carriers, pair);
  struct reval_pair both = {
      {&pair->runs[0].frame, &pair->runs[1].frame}, carriers.list.at, carriers.list.len};
  pair->runs[0].ev.pair = &both;
  bool ok = inputs_are_adjacent(pair, &both, claim, why) && axioms_hold(pair, claim, why);
  pair->runs[0].ev.pair = NULL;
  for (size_t i = 0; i < carriers.list.len; i++)
    rvalue_clear(&carriers.list.at[i].values);
  vec_clear(&carriers.list);
  return ok;
}

/* A finite claim is about these parameters and inputs only. */
static bool domains_hold(const struct program_pair *pair, const struct program_claim *claim,
                         char **why) {
  return (domain_admits(&pair->runs[0], claim->claim) &&
          domain_admits(&pair->runs[1], claim->claim)) ||
         refuse(why, "the claim is about other parameters or inputs: `at` does not have these");
}

bool program_pair_init(struct program_pair *pair, const struct program_claim *claim,
                       const struct program_counterexample *ce, char **why) {
  pair->is_open = true;
  if (!program_run_init(&pair->runs[0], claim, ce, 0, why)) return false;
  if (!program_run_init(&pair->runs[1], claim, ce, 1, why)) {
    interp_clear(&pair->runs[0]);
    return false;
  }
  pair->is_open = false;
  if (run_is_valid(pair, &pair->runs[0], why) && run_is_valid(pair, &pair->runs[1], why) &&
      domains_hold(pair, claim, why) && public_inputs_agree(pair, why) &&
      premises_hold(pair, claim, why))
    return true;
  program_pair_clear(pair);
  return false;
}

void program_pair_clear(struct program_pair *pair) {
  interp_clear(&pair->runs[0]);
  interp_clear(&pair->runs[1]);
}

/* ---- by the translation --------------------------------------------------------------------- */

#define DISAGREEMENT                                                                               \
  "the evaluator and the translation disagree about a premise: an internal error, please report "  \
  "it"

struct confirmation {
  struct ground ground;
  bool *is_contradictory;
  char **why;
};

/* The evaluator says that the formula is true. */
static bool confirm(struct confirmation *c, const struct ast_expr *formula, bool swapped) {
  int truth = ground_truth(&c->ground, formula, swapped);
  if (truth == 0) *c->is_contradictory = true;
  if (truth == 0) return refuse(c->why, DISAGREEMENT);
  if (truth > 0) return true;
  const char *problem = c->ground.problem;
  char *reason =
      xasprintf("a premise holds, but its translation into the logic of proofs cannot be "
                "decided%s%s",
                problem ? ": " : "", problem ? problem : "");
  refuse(c->why, reason);
  free(reason);
  return false;
}

static bool confirm_module(struct confirmation *c, const struct ast_module *module) {
  for (size_t i = 0; i < module->decl_count; i++) {
    const struct ast_decl *d = module->decls[i];
    if (d->kind == DECL_AXIOM && !confirm(c, d->as.formula, false)) return false;
    for (size_t j = 0; d->kind == DECL_PARAM && j < d->as.param.count; j++)
      if (!confirm(c, d->as.param.assumptions[j], false)) return false;
  }
  return true;
}

bool program_pair_confirm(struct program_pair *pair, const struct program_claim *claim,
                          bool *is_contradictory, char **why) {
  const struct ast_decl *m = mechanism_of(claim);
  const struct rframe *inputs[] = {&pair->runs[0].frame, &pair->runs[1].frame};
  char *reason = NULL;
  struct confirmation c = {.is_contradictory = is_contradictory, .why = &reason};
  *is_contradictory = false;
  ground_init(&c.ground, claim->lang, claim->module, m->as.mechanism.routine, &pair->runs[0].ev,
              inputs);
  bool ok = confirm_module(&c, claim->module);
  for (size_t i = 0; ok && i < m->as.mechanism.require_count; i++)
    ok = confirm(&c, m->as.mechanism.requires[i], false);
  if (program_adjacency(claim))
    ok = ok && confirm(&c, program_adjacency(claim), !pair->is_adjacent[0]);
  ground_clear(&c.ground);
  if (!ok) refuse(why, reason ? reason : "the premises could not be confirmed");
  free(reason);
  return ok;
}
