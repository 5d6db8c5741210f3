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
  to->is_certified = from->is_certified;
  to->has_loss = from->has_loss;
  to->loss_is_open = from->loss_is_open;
  arb_set(to->p1, from->p1);
  arb_set(to->p2, from->p2);
  arb_set(to->epsilon, from->epsilon);
  arb_set(to->delta, from->delta);
  arb_set(to->loss, from->loss);
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

/* What axioms and assumptions mention must have a meaning, too. */
static void needs_premises(struct interp *in, const struct ast_module *module) {
  for (size_t i = 0; i < module->decl_count; i++) {
    const struct ast_decl *d = module->decls[i];
    if (d->kind == DECL_AXIOM) interp_also_needs(in, d->as.formula);
    for (size_t j = 0; d->kind == DECL_PARAM && j < d->as.param.count; j++)
      interp_also_needs(in, d->as.param.assumptions[j]);
  }
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
  needs_premises(in, claim->module);
  for (size_t i = 0; i < ce->params.len; i++)
    interp_set_param(in, ce->params.at[i].decl, rvalue_copy(&ce->params.at[i].value), span_none());
  for (size_t i = 0; i < ce->input_count; i++)
    interp_set_input(in, i, rvalue_copy(&ce->inputs[run][i]), span_none());
  if (interp_prepare(in)) return true;
  interp_clear(in);
  return refuse_by_diag(claim, mark, why, "the run cannot be prepared");
}

/* The condition is evaluated here and is true; nothing is taken on trust because it cannot be. */
static bool condition_holds(struct interp *in, const struct ast_expr *condition, char **why) {
  struct diag_mark mark = diags_mark(&in->lang->diags);
  bool truth = false;
  in->ev.steps = 0;
  bool known = reval_is_executable(condition) && reval_bool(&in->ev, &in->frame, condition, &truth);
  diags_rollback(&in->lang->diags, mark);
  if (!known) return refuse(why, "an assumption or precondition cannot be evaluated");
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
  switch (t->kind) {
  case TYPE_BOOL: return v->kind == RVALUE_BOOL;
  case TYPE_INT: return v->kind == RVALUE_INT;
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
static bool run_is_valid(struct interp *in, char **why) {
  for (size_t i = 0; i < in->module->decl_count; i++) {
    const struct ast_decl *d = in->module->decls[i];
    if (d->kind != DECL_PARAM) continue;
    const struct rvalue *value = reval_get_param(&in->ev, d);
    if (!value) return refuse(why, "a parameter has no value");
    if (!has_type(in, value, d->as.param.type))
      return refuse(why, "a parameter has a value of another type");
    for (size_t j = 0; j < d->as.param.count; j++)
      if (!condition_holds(in, d->as.param.assumptions[j], why)) return false;
  }
  const struct ast_routine *routine = in->mechanism->as.mechanism.routine;
  for (size_t i = 0; i < routine->arg_count; i++)
    if (!has_type(in, &in->frame.at[routine->args[i]->slot], routine->args[i]->declared))
      return refuse(why, "an input has a value of another type");
  for (size_t i = 0; i < in->mechanism->as.mechanism.require_count; i++)
    if (!condition_holds(in, in->mechanism->as.mechanism.requires[i], why)) return false;
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
  if (!reval_bool(&in->ev, &in->frame, formula, &truth))
    return refuse_by_diag(claim, mark, why, "a premise cannot be evaluated");
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
  const struct ast_expr *adjacency = adjacency_of(claim);
  const char *reason = "the inputs are not adjacent";
  if (!adjacency || formula_holds(pair, claim, adjacency, NULL, reason)) return true;
  both->runs[0] = &pair->runs[1].frame;
  both->runs[1] = &pair->runs[0].frame;
  bool ok = formula_holds(pair, claim, adjacency, why, reason);
  both->runs[0] = &pair->runs[0].frame;
  both->runs[1] = &pair->runs[1].frame;
  return ok;
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
    return refuse(why, "axioms cannot be checked for what an adversary chooses");
  if (any && !structure_is_closed(claim->module, pair->runs[0].ev.pair))
    return refuse(why, "an operator makes values that the axioms were not checked for");
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

bool program_pair_init(struct program_pair *pair, const struct program_claim *claim,
                       const struct program_counterexample *ce, char **why) {
  if (!prepare_run(&pair->runs[0], claim, ce, 0, why)) return false;
  if (!prepare_run(&pair->runs[1], claim, ce, 1, why)) {
    interp_clear(&pair->runs[0]);
    return false;
  }
  if (run_is_valid(&pair->runs[0], why) && run_is_valid(&pair->runs[1], why) &&
      public_inputs_agree(pair, why) && premises_hold(pair, claim, why))
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

/* Probability of the event in one run; *points: dimension of the density, if it is one. */
static bool event_probability(arb_t out, unsigned *points, struct interp *in,
                              const struct program_counterexample *ce, const struct budget *budget,
                              char **why) {
  const struct exact_options options = {CERTIFY_PRECISION, budget};
  bool ok = true;
  arb_zero(out);
  *points = 0;
  for (size_t i = 0; ok && i < ce->outputs.len; i++) {
    struct exact_result r;
    exact_result_init(&r);
    exact_probability(in, &ce->outputs.at[i], &options, &r);
    ok = r.status == EXACT_OK && arb_is_finite(r.probability);
    if (!ok) refuse(why, r.why ? r.why : "the probability cannot be computed");
    if (r.points > *points) *points = r.points;
    arb_add(out, out, r.probability, CERTIFY_PRECISION);
    exact_result_clear(&r);
  }
  return ok;
}

/* ln((p1 - delta)/p2) / epsilon from the balls. Where p2 cannot be told from 0 only a lower bound
 * is known, and `loss` is that number. False: nothing is known. */
static bool find_loss(struct program_counterexample *ce) {
  arb_t gain, most;
  arf_t end;
  arb_init(gain);
  arb_init(most);
  arf_init(end);
  arb_sub(gain, ce->p1, ce->delta, CERTIFY_PRECISION);
  bool known = arb_is_positive(gain) && arb_is_positive(ce->epsilon);
  ce->loss_is_open = false;
  if (known && arb_is_zero(ce->p2)) {
    arb_pos_inf(ce->loss);
  } else if (known) {
    arb_set(most, ce->p2);
    if (!arb_is_positive(ce->p2)) { /* the upper end is positive: p2 holds a probability */
      ce->loss_is_open = true;
      arb_get_ubound_arf(end, ce->p2, CERTIFY_PRECISION);
      arb_set_arf(most, end);
    }
    arb_div(gain, gain, most, CERTIFY_PRECISION);
    arb_log(gain, gain, CERTIFY_PRECISION);
    arb_div(ce->loss, gain, ce->epsilon, CERTIFY_PRECISION);
    known = arb_is_finite(ce->loss);
    if (ce->loss_is_open) {
      arb_get_lbound_arf(end, ce->loss, CERTIFY_PRECISION);
      arb_set_arf(ce->loss, end);
    }
  }
  if (!known) arb_indeterminate(ce->loss);
  arb_clear(gain);
  arb_clear(most);
  arf_clear(end);
  return known;
}

/* Both probabilities of the event as it stands, and what follows. False: not known. *points counts
 * the numbers that stand for points of densities; with any, nothing is certified. */
static bool weigh(struct program_counterexample *ce, struct program_pair *pair,
                  const struct budget *budget, unsigned *points, char **why) {
  unsigned points1 = 0, points2 = 0;
  ce->is_certified = ce->has_loss = false;
  if (!event_probability(ce->p1, &points1, &pair->runs[0], ce, budget, why) ||
      !event_probability(ce->p2, &points2, &pair->runs[1], ce, budget, why))
    return false;
  *points = points1 > points2 ? points1 : points2;
  arb_t bound;
  arb_init(bound);
  arb_exp(bound, ce->epsilon, CERTIFY_PRECISION);
  arb_mul(bound, bound, ce->p2, CERTIFY_PRECISION);
  arb_add(bound, bound, ce->delta, CERTIFY_PRECISION);
  ce->is_certified = *points == 0 && ball_is_less(bound, ce->p1);
  ce->has_loss = find_loss(ce) && *points == 0;
  if (points1 < points2) arb_pos_inf(ce->loss); /* a density is nothing against a probability */
  arb_clear(bound);
  return true;
}

/* ---- boxes around real outputs -------------------------------------------------------------- */

/* The interval of width 2^(1-k) around a number. */
static struct pattern interval_around(const struct rvalue *v, ulong k) {
  struct pattern p = {.kind = PATTERN_RANGE};
  fmpq_t centre, radius, end;
  fmpq_init(centre);
  fmpq_init(radius);
  fmpq_init(end);
  number_get_fmpq(centre, v);
  fmpq_one(radius);
  fmpq_div_2exp(radius, radius, k);
  fmpq_sub(end, centre, radius);
  p.low = rvalue_fmpq(end);
  fmpq_add(end, centre, radius);
  p.high = rvalue_fmpq(end);
  fmpq_clear(centre);
  fmpq_clear(radius);
  fmpq_clear(end);
  return p;
}

/* The event with its real numbers widened to intervals. */
static struct pattern box_around(const struct pattern *p, const struct ast_type *t, ulong k) {
  if (p->kind == PATTERN_VALUE && t->kind == TYPE_REAL &&
      (p->value.kind == RVALUE_INT || p->value.kind == RVALUE_RATIONAL))
    return interval_around(&p->value, k);
  struct pattern box = pattern_copy(p);
  for (size_t i = 0; i < box.count; i++) {
    const struct ast_type *item = p->kind != PATTERN_TUPLE ? (t->count ? t->items[0] : NULL)
                                  : i < t->count           ? t->items[i]
                                                           : NULL;
    if (!item) continue;
    pattern_clear(&box.items[i]);
    box.items[i] = box_around(&p->items[i], item, k);
  }
  return box;
}

/* The same for the output of a mechanism: a stream, a result, or both. */
static struct pattern output_box(const struct pattern *p, const struct ast_routine *routine,
                                 ulong k) {
  struct ast_type *stream_item = routine->emits;
  struct ast_type stream = {.kind = TYPE_LIST, .items = &stream_item, .count = 1};
  if (!routine->emits) return box_around(p, routine->returns, k);
  if (!routine->returns) return box_around(p, &stream, k);
  struct ast_type *parts[] = {&stream, routine->returns};
  struct ast_type both = {.kind = TYPE_TUPLE, .items = parts, .count = 2};
  return box_around(p, &both, k);
}

/* Is the loss of `a` certainly at least `factor` times what the ball says? */
static bool loses_as_much(const arb_t loss, const arb_t other, double factor) {
  arf_t low, high;
  arf_init(low);
  arf_init(high);
  arb_get_lbound_arf(low, loss, CERTIFY_PRECISION);
  arb_get_lbound_arf(high, other, CERTIFY_PRECISION);
  arb_t scaled;
  arb_init(scaled);
  arb_set_d(scaled, factor);
  arb_mul_arf(scaled, scaled, high, CERTIFY_PRECISION);
  bool answer = arf_cmp(low, arb_midref(scaled)) >= 0;
  arf_clear(low);
  arf_clear(high);
  arb_clear(scaled);
  return answer;
}

/* Real outputs are observed at points of their densities, which prove nothing by themselves; a box
 * is an event like any other. Takes the widest box whose loss comes close to that of the densities,
 * else the one that loses most; false: no box has a certified loss. */
static bool certify_box(struct program_counterexample *ce, struct program_pair *pair,
                        const struct budget *budget, char **why) {
  static const ulong widths[] = {1, 2, 4, 7, 10, 14, 20};
  const struct ast_routine *routine = pair->runs[0].mechanism->as.mechanism.routine;
  if (ce->outputs.len != 1) return refuse(why, "a union of points has no box");
  struct pattern point = ce->outputs.at[0], best = {0};
  arb_t density_loss, best_loss;
  arb_init(density_loss);
  arb_init(best_loss);
  arb_set(density_loss, ce->loss);
  bool found = false, close = false;
  unsigned points;
  for (size_t i = 0; !close && i < sizeof widths / sizeof *widths; i++) {
    ce->outputs.at[0] = output_box(&point, routine, widths[i]);
    bool known = weigh(ce, pair, budget, &points, why);
    bool improves = known && ce->has_loss && (!found || loses_as_much(ce->loss, best_loss, 1));
    if (improves) {
      close = loses_as_much(ce->loss, density_loss, 0.98);
      pattern_clear(&best);
      best = ce->outputs.at[0];
      arb_set(best_loss, ce->loss);
      found = true;
    } else {
      pattern_clear(&ce->outputs.at[0]);
    }
    if (!known) break;
  }
  ce->outputs.at[0] = found ? best : point;
  if (found) pattern_clear(&point);
  arb_clear(density_loss);
  arb_clear(best_loss);
  if (!found) return refuse(why, "no small box around this output has a certified loss");
  return weigh(ce, pair, budget, &points, why);
}

/* Checks the premises, then computes both probabilities and the loss. */
static void evaluate(struct program_counterexample *ce, const struct program_claim *claim,
                     const struct budget *budget, char **why) {
  struct program_pair pair;
  ce->is_certified = ce->has_loss = false;
  if (!program_pair_init(&pair, claim, ce, why)) return;
  const struct ast_decl *decl = claim->claim;
  unsigned points = 0;
  bool ok = ce->outputs.len > 0 && outputs_disjoint(ce);
  if (!ok) refuse(why, "the outputs of the event overlap, or there are none");
  ok = ok && program_claim_value(ce->epsilon, &pair, decl->as.claim.epsilon, CERTIFY_PRECISION);
  arb_zero(ce->delta);
  if (ok && decl->as.claim.delta)
    ok = program_claim_value(ce->delta, &pair, decl->as.claim.delta, CERTIFY_PRECISION);
  ok = ok && weigh(ce, &pair, budget, &points, why);
  if (ok && points) ok = certify_box(ce, &pair, budget, why);
  program_pair_clear(&pair);
  if (ok && !ce->is_certified) refuse(why, "the claim holds for these inputs and outputs");
}

bool program_certify(struct program_counterexample *ce, const struct program_claim *claim,
                     const struct budget *budget, char **why) {
  char *unused = NULL;
  evaluate(ce, claim, budget, why ? why : &unused);
  free(unused);
  return ce->is_certified;
}

bool program_certify_loss(struct program_counterexample *ce, const struct program_claim *claim,
                          const struct budget *budget) {
  char *unused = NULL;
  evaluate(ce, claim, budget, &unused);
  free(unused);
  return ce->has_loss;
}

void program_print_loss(struct buffer *out, const struct program_counterexample *ce) {
  if (!ce->has_loss) {
    buffer_puts(out, "not a multiple of the claimed epsilon");
  } else if (arb_is_finite(ce->loss)) {
    buffer_puts(out, "at least ");
    ball_print_lower(out, ce->loss, 4);
    buffer_puts(out, " times the claimed epsilon");
  } else {
    buffer_puts(out, "unbounded: the second run cannot do this");
  }
}
