#include "check/exact/exact.h"

#include <stdlib.h>

#include "check/exact/engine.h"
#include "check/exact/float_count.h"
#include "check/exact/float_list.h"
#include "check/exact/liveness.h"
#include "check/exact/outcomes.h"

static void engine_init(struct engine *e, struct interp *in, const struct pattern *event,
                        const struct exact_options *options) {
  *e = (struct engine){.in = in,
                       .event = event,
                       .precision = options->precision ? options->precision : EXACT_PRECISION,
                       .budget = options->budget,
                       .next = 1};
  e->sampler = options->sampler ? options->sampler : &e->own_sampler;
  arb_init(e->lost);
  ptrmap_init(&e->liveness);
}

static void engine_clear(struct engine *e) {
  for (size_t i = 0; i < e->liveness.capacity; i++)
    if (e->liveness.slots[i].value) {
      liveness_clear(e->liveness.slots[i].value);
      free(e->liveness.slots[i].value);
    }
  ptrmap_clear(&e->liveness);
  sampler_unref(e->own_sampler);
  arb_clear(e->lost);
  question_clear(&e->context.question);
}

static struct path *first_path(struct engine *e) {
  const struct ast_routine *routine = e->in->mechanism->as.mechanism.routine;
  struct path *p = path_new();
  struct rframe f;
  rframe_init(&f, routine->slot_count);
  for (size_t i = 0; i < routine->arg_count; i++)
    f.at[i] = rvalue_copy(&e->in->frame.at[i]);
  vec_push(&p->frames, f);
  for (size_t i = 0; i < e->in->adversaries.len; i++) {
    struct path_adversary a = {0};
    rframe_init(&a.frame, e->in->adversaries.at[i]->frame.count);
    a.use_count = e->in->adversaries.at[i]->decl->as.adversary.use_count;
    a.left = xcalloc(a.use_count + 1, sizeof *a.left);
    vec_push(&p->adversaries, a);
  }
  if (!e->event) p->emitted = rvalue_seq(RVALUE_LIST, 0);
  return p;
}

/* All paths to the end; what they returned is in p->result. */
static bool run_mechanism(struct engine *e, path_set *paths) {
  vec_push(paths, first_path(e));
  return engine_run_body(e, e->in->mechanism->as.mechanism.routine, paths);
}

/* Does the finished path match the rest of the event? */
static bool match_end(struct engine *e, struct path *p, bool *keep) {
  const struct ast_routine *routine = e->in->mechanism->as.mechanism.routine;
  *keep = true;
  if (routine->emits) {
    const struct pattern *stream = engine_stream_pattern(e);
    if (stream->kind == PATTERN_LIST) *keep = p->emit_count == stream->count;
  }
  if (*keep && routine->returns)
    return engine_match(e, p, &p->result, engine_result_pattern(e), routine->span, keep);
  return true;
}

void exact_result_init(struct exact_result *r) {
  *r = (struct exact_result){.status = EXACT_UNSUPPORTED};
  arb_init(r->probability);
}

void exact_result_clear(struct exact_result *r) {
  free(r->why);
  free(r->counted);
  arb_clear(r->probability);
}

/* Adds up the finished paths. Those with fewer points outweigh the others: a density is nothing
 * against a probability. */
static void add_up(struct engine *e, path_set *paths, struct exact_result *r) {
  arb_t mass;
  arb_init(mass);
  r->points = UINT_MAX;
  bool ok = true;
  for (size_t i = 0; ok && i < paths->len; i++) {
    struct path *p = paths->at[i];
    bool keep;
    ok = match_end(e, p, &keep);
    if (!ok || !keep || measure_is_zero(&p->measure) || p->points > r->points) continue;
    const char *why = measure_total(mass, &p->measure, e->precision, e->budget);
    if (why) ok = engine_fail(e, EXACT_UNSUPPORTED, e->in->mechanism->span, why);
    if (p->points < r->points) arb_zero(r->probability);
    r->points = p->points;
    arb_add(r->probability, r->probability, mass, e->precision);
  }
  if (r->points == UINT_MAX) r->points = 0;
  if (ok && !arb_is_zero(e->lost)) {
    if (r->points)
      engine_fail(e, EXACT_UNSUPPORTED, e->in->mechanism->span,
                  "real outputs beside integer noise of infinite range");
    arb_t most;
    arb_init(most);
    arb_add(most, r->probability, e->lost, e->precision);
    arb_union(r->probability, r->probability, most, e->precision);
    arb_clear(most);
  }
  arb_clear(mass);
}

/* Of a floating-point program, what counting said before is to the point. */
static void take_reason(const struct engine *e, bool floats, char **why, struct span *where) {
  if (floats && e->status != EXACT_OK) {
    free(e->why);
    return;
  }
  free(*why);
  *why = e->why;
  *where = e->where;
}

void exact_probability(struct interp *in, const struct pattern *event,
                       const struct exact_options *options, struct exact_result *result) {
  struct engine e;
  path_set paths = {0};
  bool floats = pipeline_is_wanted(in);
  if (floats && float_probability(in, event, options, result)) return;
  result->is_bound = false;
  engine_init(&e, in, event, options);
  if (engine_event_has_shape(&e) && run_mechanism(&e, &paths)) add_up(&e, &paths, result);
  path_set_clear(&paths);
  result->status = e.status;
  take_reason(&e, floats, &result->why, &result->where);
  engine_clear(&e);
}

void exact_distribution_init(struct exact_distribution *d) {
  *d = (struct exact_distribution){.status = EXACT_UNSUPPORTED};
  arb_init(d->lost);
}

void exact_distribution_clear(struct exact_distribution *d) {
  for (size_t i = 0; i < d->outcomes.len; i++) {
    rvalue_clear(&d->outcomes.at[i].output);
    arb_clear(d->outcomes.at[i].probability);
  }
  vec_clear(&d->outcomes);
  arb_clear(d->lost);
  free(d->why);
}

/* Output of a finished path, as the sampler shows it. Takes the values. */
static struct rvalue output_of(const struct ast_routine *routine, struct path *p) {
  struct rvalue emitted = p->emitted, returned = p->result;
  p->emitted = p->result = (struct rvalue){0};
  if (!routine->emits) {
    rvalue_clear(&emitted);
    return returned;
  }
  if (!routine->returns) {
    rvalue_clear(&returned);
    return emitted;
  }
  struct rvalue both = rvalue_seq(RVALUE_TUPLE, 2);
  both.as.seq->at[0] = emitted;
  both.as.seq->at[1] = returned;
  return both;
}

/* A guard against mistakes of the engine: where every run ends, the probabilities and what was lost
 * make 1. */
static bool adds_up(const struct exact_distribution *d, const struct engine *e) {
  arb_t sum;
  arb_init(sum);
  for (size_t i = 0; i < d->outcomes.len; i++)
    arb_add(sum, sum, d->outcomes.at[i].probability, e->precision);
  arb_sub_ui(sum, sum, 1, e->precision);
  bool ok = !arb_is_positive(sum);
  arb_add(sum, sum, e->lost, e->precision);
  ok = ok && (e->may_not_end || !arb_is_negative(sum));
  arb_clear(sum);
  return ok;
}

void exact_distribution(struct interp *in, const struct exact_options *options,
                        struct exact_distribution *result) {
  const bool floats = pipeline_is_wanted(in);
  struct engine e;
  path_set paths = {0}, fixed = {0};
  struct outcome_index index;
  arb_t mass;
  if (floats && float_distribution(in, options, result)) return;
  arb_init(mass);
  outcome_index_init(&index);
  engine_init(&e, in, NULL, options);
  bool ok = run_mechanism(&e, &paths);
  for (size_t i = 0; i < paths.len; i++) {
    if (ok)
      ok = engine_enumerate(&e, paths.at[i], in->mechanism->span, &fixed);
    else
      path_free(paths.at[i]);
  }
  vec_clear(&paths);
  for (size_t i = 0; ok && i < fixed.len; i++) {
    struct rvalue output = output_of(in->mechanism->as.mechanism.routine, fixed.at[i]);
    const char *why = measure_total(mass, &fixed.at[i]->measure, e.precision, e.budget);
    if (why) ok = engine_fail(&e, EXACT_UNSUPPORTED, in->mechanism->span, why);
    struct exact_outcome *outcome = outcome_for(result, &index, &output);
    if (outcome)
      arb_add(outcome->probability, outcome->probability, mass, e.precision);
    else
      ok = engine_fail(&e, EXACT_UNSUPPORTED, in->mechanism->span, "there are too many outputs");
    if (engine_out_of_time(&e, in->mechanism->span)) ok = false;
  }
  path_set_clear(&fixed);
  if (ok && !adds_up(result, &e))
    engine_fail(&e, EXACT_UNSUPPORTED, in->mechanism->span,
                "the computed probabilities do not add up to 1: please report this program");
  arb_set(result->lost, e.lost);
  result->may_not_end = e.may_not_end;
  result->status = e.status;
  take_reason(&e, floats, &result->why, &result->where);
  outcome_index_clear(&index);
  arb_clear(mass);
  engine_clear(&e);
}
