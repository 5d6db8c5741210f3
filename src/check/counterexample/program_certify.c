#include <stdlib.h>

#include "check/counterexample/program_certify.h"
#include "check/exact/exact.h"
#include "num/real/ball.h"
#include "run/eval/number.h"

enum { CERTIFY_PRECISION = 256 };

void program_counterexample_init(struct program_counterexample *ce) {
  *ce = (struct program_counterexample){0};
  arb_init(ce->p1);
  arb_init(ce->p2);
  arb_init(ce->epsilon);
  arb_init(ce->delta);
  arb_init(ce->loss);
  arb_init(ce->order);
  arb_init(ce->reached);
  arb_init(ce->allowed);
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
  arb_clear(ce->order);
  arb_clear(ce->reached);
  arb_clear(ce->allowed);
}

void program_counterexample_copy(struct program_counterexample *to,
                                 const struct program_counterexample *from) {
  program_counterexample_clear(to);
  program_counterexample_init(to);
  to->instance = from->instance;
  to->interpretation = from->interpretation;
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
  to->is_contradictory = from->is_contradictory;
  to->is_endless = from->is_endless;
  to->is_accuracy = from->is_accuracy;
  to->is_law = from->is_law;
  to->p1_is_bound = from->p1_is_bound;
  to->has_loss = from->has_loss;
  to->loss_is_open = from->loss_is_open;
  arb_set(to->p1, from->p1);
  arb_set(to->p2, from->p2);
  arb_set(to->epsilon, from->epsilon);
  arb_set(to->delta, from->delta);
  arb_set(to->loss, from->loss);
  to->notion = from->notion;
  arb_set(to->order, from->order);
  arb_set(to->reached, from->reached);
  arb_set(to->allowed, from->allowed);
}

static bool refuse(char **why, const char *reason) {
  if (why && !*why) *why = xstrdup(reason);
  return false;
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

bool program_claim_test(struct notion_test *t, struct program_pair *pair,
                        const struct ast_decl *claim, slong precision) {
  if (claim->as.claim.all_order) return false; /* the cost speaks of the order */
  if (!program_claim_value(t->cost, pair, claim->as.claim.epsilon, precision)) return false;
  if (!claim->as.claim.order) return true;
  arb_t one;
  arb_init(one);
  arb_one(one);
  bool ok = program_claim_value(t->order, pair, claim->as.claim.order, precision) &&
            ball_is_less(one, t->order);
  arb_clear(one);
  return ok;
}

/* ---- probabilities -------------------------------------------------------------------------- */

/* Are the outputs certainly disjoint? Discrete values that differ are. */
static bool outputs_disjoint(const struct program_counterexample *ce) {
  for (size_t i = 0; i < ce->outputs.len; i++)
    for (size_t j = i + 1; j < ce->outputs.len; j++)
      if (!pattern_disjoint(&ce->outputs.at[i], &ce->outputs.at[j])) return false;
  return true;
}

/* Probability of the event in one run, and of each output of it (may be NULL); *points: dimension of
 * the density, if it is one. Where a lower bound will do (not NULL) *is_bound says whether it is only
 * that. */
static bool event_probability(arb_t out, arb_ptr each, unsigned *points, bool *is_bound,
                              struct interp *in, const struct program_counterexample *ce,
                              const struct budget *budget, char **why) {
  struct sampler *sampler = NULL;
  const struct exact_options options = {.precision = CERTIFY_PRECISION,
                                        .budget = budget,
                                        .sampler = &sampler,
                                        .bound_will_do = is_bound != NULL};
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
    if (is_bound && r.is_bound) *is_bound = true;
    if (each) arb_set(&each[i], r.probability);
    arb_add(out, out, r.probability, CERTIFY_PRECISION);
    exact_result_clear(&r);
  }
  sampler_unref(sampler);
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

/* A private mechanism ends with probability 1 on both inputs: the event of any output at all. */
static bool may_not_end(const struct program_counterexample *ce) {
  if (ce->outputs.len != 1 || ce->outputs.at[0].kind != PATTERN_ANY) return false;
  arb_t one;
  arb_init(one);
  arb_one(one);
  bool stays = ball_is_less(ce->p1, one) || ball_is_less(ce->p2, one);
  arb_clear(one);
  return stays;
}

/* The claim is in another notion: do the probabilities of the outputs break it? */
static bool breaks_notion(struct program_counterexample *ce, struct program_pair *pair,
                          const struct ast_decl *claim, arb_srcptr each[2]) {
  struct notion_test t;
  notion_test_init(&t, ce->notion);
  bool broken = program_claim_test(&t, pair, claim, CERTIFY_PRECISION) &&
                notion_test_breaks(&t, each[0], each[1], ce->outputs.len, CERTIFY_PRECISION);
  arb_set(ce->order, t.order);
  arb_set(ce->reached, t.reached);
  arb_set(ce->allowed, t.allowed);
  notion_test_clear(&t);
  return broken;
}

/* Both probabilities of the event as it stands, and what follows. False: not known. *points counts
 * the numbers that stand for points of densities; with any, nothing is certified. */
static bool weigh_outputs(struct program_counterexample *ce, struct program_pair *pair,
                          const struct ast_decl *claim, const struct budget *budget,
                          arb_ptr each[2], unsigned *points, char **why) {
  unsigned points1 = 0, points2 = 0;
  bool is_bound = false;
  ce->is_certified = ce->has_loss = false;
  if (!event_probability(ce->p1, each[0], &points1, &is_bound, &pair->runs[0], ce, budget, why) ||
      !event_probability(ce->p2, each[1], &points2, NULL, &pair->runs[1], ce, budget, why))
    return false;
  ce->p1_is_bound = is_bound;
  /* beside a second one that is 0, a greater first probability only breaks more */
  if (is_bound && !arb_is_zero(ce->p2))
    return refuse(why, "only a lower bound of the first probability is known");
  *points = points1 > points2 ? points1 : points2;
  arb_t bound;
  arb_init(bound);
  arb_exp(bound, ce->epsilon, CERTIFY_PRECISION);
  arb_mul(bound, bound, ce->p2, CERTIFY_PRECISION);
  arb_add(bound, bound, ce->delta, CERTIFY_PRECISION);
  ce->is_endless = *points == 0 && may_not_end(ce);
  bool broken =
      ce->notion == NOTION_PURE
          ? ball_is_less(bound, ce->p1)
          : *points == 0 && breaks_notion(ce, pair, claim, (arb_srcptr[]){each[0], each[1]});
  ce->is_certified = *points == 0 && (ce->is_endless || broken);
  ce->has_loss = ce->notion == NOTION_PURE && find_loss(ce) && *points == 0 && !ce->is_endless;
  if (points1 < points2) arb_pos_inf(ce->loss); /* a density is nothing against a probability */
  arb_clear(bound);
  return true;
}

static bool weigh(struct program_counterexample *ce, struct program_pair *pair,
                  const struct ast_decl *claim, const struct budget *budget, unsigned *points,
                  char **why) {
  slong count = (slong)ce->outputs.len;
  arb_ptr each[2] = {_arb_vec_init(count), _arb_vec_init(count)};
  bool known = weigh_outputs(ce, pair, claim, budget, each, points, why);
  _arb_vec_clear(each[0], count);
  _arb_vec_clear(each[1], count);
  return known;
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
                        const struct ast_decl *claim, const struct budget *budget, char **why) {
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
    bool known = weigh(ce, pair, claim, budget, &points, why);
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
  return weigh(ce, pair, claim, budget, &points, why);
}

/* ---- accuracy --------------------------------------------------------------------------------- */

/* The premises were checked of either run: they are the same one. */
static bool inputs_are_equal(const struct program_counterexample *ce) {
  for (size_t i = 0; i < ce->input_count; i++) {
    int order;
    if (!rvalue_compare(&order, &ce->inputs[0][i], &ce->inputs[1][i]) || order) return false;
  }
  return true;
}

static bool event_is_failure(const struct program_counterexample *ce) {
  const struct pattern *p = ce->outputs.len == 1 ? &ce->outputs.at[0] : NULL;
  return p && p->kind == PATTERN_VALUE && p->value.kind == RVALUE_BOOL && !p->value.as.boolean;
}

static void fails_too_often(struct program_counterexample *ce, struct program_pair *pair,
                            const struct ast_decl *claim, const struct budget *budget, char **why) {
  unsigned points = 0;
  if (!inputs_are_equal(ce) || !event_is_failure(ce)) {
    refuse(why, "a claim of accuracy is broken by one run and the output false");
    return;
  }
  bool ok = program_claim_value(ce->epsilon, pair, claim->as.claim.epsilon, CERTIFY_PRECISION) &&
            event_probability(ce->p1, NULL, &points, NULL, &pair->runs[0], ce, budget, why);
  arb_set(ce->p2, ce->p1);
  arb_zero(ce->delta);
  ce->is_certified = ok && points == 0 && ball_is_less(ce->epsilon, ce->p1);
  if (!ce->is_certified) refuse(why, "the claim holds for these inputs");
}

/* An output that the mechanism has with another probability than the distribution of the claim. */
static void has_other_law(struct program_counterexample *ce, struct program_pair *pair,
                          const struct budget *budget, char **why) {
  unsigned points = 0, points_of_law = 0;
  if (!inputs_are_equal(ce) || ce->outputs.len != 1) {
    refuse(why, "a claim with `samples` is broken by one run and one output");
    return;
  }
  bool ok = event_probability(ce->p1, NULL, &points, NULL, &pair->runs[0], ce, budget, why) &&
            event_probability(ce->p2, NULL, &points_of_law, NULL, &pair->runs[1], ce, budget, why);
  arb_zero(ce->epsilon);
  arb_zero(ce->delta);
  ce->is_certified = ok && points == 0 && points_of_law == 0 &&
                     (ball_is_less(ce->p1, ce->p2) || ball_is_less(ce->p2, ce->p1));
  if (!ce->is_certified) refuse(why, "no output is known to have another probability");
}

/* Checks the premises, then computes both probabilities and the loss. */
static void evaluate(struct program_counterexample *ce, const struct program_claim *claim,
                     const struct budget *budget, char **why) {
  struct program_pair pair;
  ce->is_certified = ce->has_loss = ce->is_contradictory = ce->is_endless = false;
  if (!program_pair_init(&pair, claim, ce, why)) return;
  if (!program_pair_confirm(&pair, claim, &ce->is_contradictory, why)) {
    program_pair_clear(&pair);
    return;
  }
  const struct ast_decl *decl = claim->claim;
  ce->notion = decl->as.claim.notion;
  ce->is_law = decl->as.claim.law != NULL;
  ce->is_accuracy = decl->as.claim.formula != NULL && !ce->is_law;
  if (ce->is_law) {
    has_other_law(ce, &pair, budget, why);
    program_pair_clear(&pair);
    return;
  }
  if (ce->is_accuracy) {
    fails_too_often(ce, &pair, decl, budget, why);
    program_pair_clear(&pair);
    return;
  }
  if (decl->as.claim.all_order) {
    refuse(why, "a counterexample is against one order; the claim is about all of them");
    program_pair_clear(&pair);
    return;
  }
  unsigned points = 0;
  bool ok = ce->outputs.len > 0 && outputs_disjoint(ce);
  if (!ok) refuse(why, "the outputs of the event overlap, or there are none");
  ok = ok && program_claim_value(ce->epsilon, &pair, decl->as.claim.epsilon, CERTIFY_PRECISION);
  arb_zero(ce->delta);
  if (ok && decl->as.claim.delta)
    ok = program_claim_value(ce->delta, &pair, decl->as.claim.delta, CERTIFY_PRECISION);
  ok = ok && weigh(ce, &pair, decl, budget, &points, why);
  if (ok && points) ok = certify_box(ce, &pair, decl, budget, why);
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
