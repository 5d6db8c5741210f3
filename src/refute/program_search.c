/* The search for counterexamples to claims about programs: untrusted, see program_refute.h. */
#include <math.h>
#include <stdlib.h>

#include "base/intern.h"
#include "exact/exact.h"
#include "lang/number.h"
#include "lang/random.h"
#include "num/ball.h"
#include "refute/candidates.h"

enum {
  SEARCH_PRECISION = 128,
  SAMPLES_PER_RUN = 2, /* outputs tried per input pair when they cannot be listed */
  CLIMB_STARTS = 4,    /* of them, those from which a better one is looked for, per setting */
  CLIMB_ROUNDS = 3
};

void program_result_init(struct program_result *r) {
  *r = (struct program_result){.status = PROGRAM_NOT_FOUND};
  program_counterexample_init(&r->best);
}

void program_result_clear(struct program_result *r) {
  free(r->why);
  program_counterexample_clear(&r->best);
}

/* What worked for a smaller setting: the shape of the inputs, by its position among the candidates,
 * and the event. */
struct hint {
  size_t index;
  double loss;
  struct pattern event;
};
enum { MOST_HINTS = 6 };

struct search {
  const struct program_claim *claim;
  const struct budget *budget;
  struct program_result *result;
  bool must_sample; /* outputs cannot be listed */
  char *obstacle;   /* first reason why the engine gave up, or NULL */
  bool evaluated;   /* at least one pair could be evaluated */
  VEC(struct hint) hints;
};

/* How bad an event is: loss in units of the claim, and whether it breaks the claim. */
struct score {
  double loss;
  bool violates;
};

static double lower_double(const arb_t x) {
  arf_t bound;
  arf_init(bound);
  arb_get_lbound_arf(bound, x, 53);
  double d = arf_get_d(bound, ARF_RND_DOWN);
  arf_clear(bound);
  return d;
}

/* ln((p1 - delta) / p2) / epsilon, and the test of the claim itself. */
static struct score score_of(const arb_t p1, const arb_t p2, const arb_t epsilon,
                             const arb_t delta) {
  struct score s = {-INFINITY, false};
  arb_t t;
  arb_init(t);
  arb_exp(t, epsilon, SEARCH_PRECISION);
  arb_mul(t, t, p2, SEARCH_PRECISION);
  arb_add(t, t, delta, SEARCH_PRECISION);
  s.violates = ball_is_less(t, p1);
  arb_sub(t, p1, delta, SEARCH_PRECISION);
  if (arb_is_positive(t)) {
    if (arb_is_positive(p2)) {
      arb_div(t, t, p2, SEARCH_PRECISION);
      arb_log(t, t, SEARCH_PRECISION);
      arb_div(t, t, epsilon, SEARCH_PRECISION);
      s.loss = arb_is_finite(t) ? lower_double(t) : -INFINITY;
    } else if (arb_is_zero(p2)) {
      s.loss = INFINITY;
    }
  }
  arb_clear(t);
  return s;
}

static bool better(struct score a, struct score b) {
  if (a.violates != b.violates) return a.violates;
  return a.loss > b.loss + 1e-9;
}

static void note_obstacle(struct search *s, enum exact_status status, const char *why) {
  if (status != EXACT_TIMEOUT && why && !s->obstacle) s->obstacle = xstrdup(why);
}

/* ---- outputs that can be listed ------------------------------------------------------------- */

static void probability_in(arb_t out, const struct exact_distribution *d,
                           const struct rvalue *output) {
  arb_zero(out);
  for (size_t i = 0; i < d->outcomes.len; i++) {
    int order;
    if (rvalue_compare(&order, &d->outcomes.at[i].output, output) && order == 0) {
      arb_set(out, d->outcomes.at[i].probability);
      break;
    }
  }
  /* what was cut from infinite tables might belong here */
  arb_t most;
  arb_init(most);
  arb_add(most, out, d->lost, SEARCH_PRECISION);
  arb_union(out, out, most, SEARCH_PRECISION);
  arb_clear(most);
}

static void add_output(struct program_counterexample *ce, const struct rvalue *output) {
  struct pattern p;
  pattern_of(&p, output);
  vec_push(&ce->outputs, p);
}

static void clear_outputs(struct program_counterexample *ce) {
  for (size_t i = 0; i < ce->outputs.len; i++)
    pattern_clear(&ce->outputs.at[i]);
  vec_clear(&ce->outputs);
}

/* With delta the best event is every output that is more than e^epsilon likelier; without, the
 * single worst output does. */
static struct score best_listed(struct program_counterexample *ce,
                                const struct exact_distribution *d1,
                                const struct exact_distribution *d2, const arb_t epsilon,
                                const arb_t delta) {
  struct score best = {-INFINITY, false};
  const struct rvalue *worst = NULL;
  arb_t p2, sum1, sum2, zero;
  arb_init(p2);
  arb_init(sum1);
  arb_init(sum2);
  arb_init(zero);
  clear_outputs(ce);
  for (size_t i = 0; i < d1->outcomes.len; i++) {
    const struct exact_outcome *o = &d1->outcomes.at[i];
    probability_in(p2, d2, &o->output);
    struct score s = score_of(o->probability, p2, epsilon, zero);
    if (!worst || better(s, best)) {
      worst = &o->output;
      best = s;
    }
    if (s.violates && !arb_is_zero(delta)) {
      add_output(ce, &o->output);
      arb_add(sum1, sum1, o->probability, SEARCH_PRECISION);
      arb_add(sum2, sum2, p2, SEARCH_PRECISION);
    }
  }
  if (!arb_is_zero(delta)) best = score_of(sum1, sum2, epsilon, delta);
  if (arb_is_zero(delta) && worst) add_output(ce, worst);
  arb_clear(p2);
  arb_clear(sum1);
  arb_clear(sum2);
  arb_clear(zero);
  return best;
}

static bool try_listing(struct search *s, struct program_counterexample *ce,
                        struct program_pair *pair, const arb_t epsilon, const arb_t delta,
                        struct score *score) {
  const struct exact_options options = {SEARCH_PRECISION, s->budget};
  struct exact_distribution d1, d2;
  exact_distribution_init(&d1);
  exact_distribution_init(&d2);
  exact_distribution(&pair->runs[0], &options, &d1);
  if (d1.status == EXACT_OK) exact_distribution(&pair->runs[1], &options, &d2);
  bool ok = d1.status == EXACT_OK && d2.status == EXACT_OK;
  if (ok)
    *score = best_listed(ce, &d1, &d2, epsilon, delta);
  else if (d1.status == EXACT_UNSUPPORTED || d2.status == EXACT_UNSUPPORTED)
    s->must_sample = true;
  exact_distribution_clear(&d1);
  exact_distribution_clear(&d2);
  return ok;
}

/* ---- outputs that cannot -------------------------------------------------------------------- */

/* Doubles in a sampled output become multiples of 1/2: nice points of the density. */
static void round_output(struct rvalue *v) {
  if (rvalue_is_seq(v)) {
    rvalue_own(v);
    for (size_t i = 0; i < v->as.seq->len; i++)
      round_output(&v->as.seq->at[i]);
  } else if (v->kind == RVALUE_FLOAT) {
    fmpq_t q;
    fmpq_init(q);
    fmpq_set_si(q, (slong)floor(v->as.number * 2 + 0.5), 2);
    fmpq_canonicalise(q);
    *v = rvalue_fmpq(q);
    fmpq_clear(q);
  }
}

static bool event_score(struct search *s, struct program_pair *pair, const struct pattern *event,
                        const arb_t epsilon, const arb_t delta, struct score *score) {
  const struct exact_options options = {SEARCH_PRECISION, s->budget};
  struct exact_result r1, r2;
  exact_result_init(&r1);
  exact_result_init(&r2);
  exact_probability(&pair->runs[0], event, &options, &r1);
  if (r1.status == EXACT_OK)
    exact_probability(&pair->runs[1], event, &options, &r2);
  else
    r2.status = r1.status;
  bool ok = r1.status == EXACT_OK && r2.status == EXACT_OK;
  if (!ok) note_obstacle(s, r1.status ? r1.status : r2.status, r1.why ? r1.why : r2.why);
  if (ok) {
    *score = (struct score){-INFINITY, false};
    if (r1.points == r2.points && !(r1.points && !arb_is_zero(delta)))
      *score = score_of(r1.probability, r2.probability, epsilon, delta);
  }
  exact_result_clear(&r1);
  exact_result_clear(&r2);
  return ok;
}

/* The numbers of a pattern, in order; NULL when there are fewer. */
static struct rvalue *number_in(struct pattern *p, size_t *index) {
  if (p->kind == PATTERN_VALUE && rvalue_is_number(&p->value)) {
    if (*index == 0) return &p->value;
    --*index;
    return NULL;
  }
  for (size_t i = 0; i < p->count; i++) {
    struct rvalue *found = number_in(&p->items[i], index);
    if (found) return found;
  }
  return NULL;
}

static void move_number(struct rvalue *v, slong halves) {
  fmpq_t q, step;
  fmpq_init(q);
  fmpq_init(step);
  number_get_fmpq(q, v);
  fmpq_set_si(step, halves, 2);
  fmpq_canonicalise(step);
  fmpq_add(q, q, step);
  rvalue_clear(v);
  *v = rvalue_fmpq(q);
  fmpq_clear(q);
  fmpq_clear(step);
}

/* Moves one number at a time as long as that makes the event worse for privacy. */
static void climb(struct search *s, struct program_pair *pair, struct pattern *event,
                  const arb_t epsilon, const arb_t delta, struct score *best) {
  static const slong steps[] = {2, -2, 6, -6, 1, -1};
  for (int round = 0; round < CLIMB_ROUNDS; round++) {
    bool improved = false;
    for (size_t k = 0; k < 16 && !budget_is_spent(s->budget); k++) {
      size_t index = k;
      struct rvalue *number = number_in(event, &index);
      if (!number) break;
      for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct score score;
        move_number(number, steps[i]);
        if (event_score(s, pair, event, epsilon, delta, &score) && better(score, *best)) {
          *best = score;
          improved = true;
        } else {
          move_number(number, -steps[i]);
        }
      }
    }
    if (!improved) return;
  }
}

static bool try_sampling(struct search *s, struct program_counterexample *ce,
                         struct program_pair *pair, const arb_t epsilon, const arb_t delta,
                         struct score *best) {
  bool any = false;
  struct random random;
  random_init_seeded(&random, 1);
  for (int i = 0; i < 2 * SAMPLES_PER_RUN && !budget_is_spent(s->budget); i++) {
    struct diag_mark mark = diags_mark(&s->claim->lang->diags);
    struct rvalue output;
    bool ran = interp_run(&pair->runs[i % 2], &random, &output);
    diags_rollback(&s->claim->lang->diags, mark);
    if (!ran) break;
    round_output(&output);
    struct pattern event;
    pattern_of(&event, &output);
    rvalue_clear(&output);
    struct score score;
    if (event_score(s, pair, &event, epsilon, delta, &score)) {
      if (!any || better(score, *best)) {
        clear_outputs(ce);
        vec_push(&ce->outputs, event);
        event = (struct pattern){0};
        *best = score;
      }
      any = true;
    }
    pattern_clear(&event);
    if (!any) break; /* the engine cannot do this mechanism */
  }
  return any;
}

/* ---- one pair, one setting ------------------------------------------------------------------ */

/* What is done with a pair once it is ready: look for an event, or make the one in ce worse. */
typedef bool pair_task(struct search *s, struct program_counterexample *ce,
                       struct program_pair *pair, const arb_t epsilon, const arb_t delta,
                       struct score *score);

static bool find_event(struct search *s, struct program_counterexample *ce,
                       struct program_pair *pair, const arb_t epsilon, const arb_t delta,
                       struct score *score) {
  s->result->tried++;
  bool done = !s->must_sample && try_listing(s, ce, pair, epsilon, delta, score);
  if (!done && s->must_sample) done = try_sampling(s, ce, pair, epsilon, delta, score);
  s->evaluated |= done;
  return done;
}

/* The list of outputs in an event: itself, or the stream of a mechanism that also returns. */
static struct pattern *stream_of(struct pattern *event) {
  if (event->kind == PATTERN_TUPLE && event->count) event = &event->items[0];
  return event->kind == PATTERN_LIST ? event : NULL;
}

/* The event with item k of its stream said twice. */
static void repeat_item(struct pattern *event, size_t k) {
  struct pattern *list = stream_of(event);
  list->items = xrealloc(list->items, (list->count + 1) * sizeof *list->items);
  for (size_t i = list->count; i > k; i--)
    list->items[i] = list->items[i - 1];
  list->items[k] = pattern_copy(&list->items[k + 1 <= list->count ? k + 1 : k]);
  list->count++;
}

/* Takes over the event; keeps it if it is worse than what ce has. */
static void offer(struct search *s, struct program_counterexample *ce, struct program_pair *pair,
                  const arb_t epsilon, const arb_t delta, struct pattern event,
                  struct score *best) {
  struct score score;
  if (event_score(s, pair, &event, epsilon, delta, &score) && better(score, *best)) {
    clear_outputs(ce);
    vec_push(&ce->outputs, event);
    *best = score;
  } else {
    pattern_clear(&event);
  }
}

/* Longer versions of what worked on fewer queries. */
static bool try_hints(struct search *s, struct program_counterexample *ce,
                      struct program_pair *pair, const arb_t epsilon, const arb_t delta,
                      struct score *score) {
  for (size_t h = 0; h < s->hints.len && !budget_is_spent(s->budget); h++) {
    struct pattern *event = &s->hints.at[h].event, *list = stream_of(event);
    for (size_t k = 0; list && k < list->count; k++) {
      struct pattern longer = pattern_copy(event);
      repeat_item(&longer, k);
      offer(s, ce, pair, epsilon, delta, longer, score);
    }
  }
  return true;
}

static bool improve_event(struct search *s, struct program_counterexample *ce,
                          struct program_pair *pair, const arb_t epsilon, const arb_t delta,
                          struct score *score) {
  if (ce->outputs.len == 1) climb(s, pair, &ce->outputs.at[0], epsilon, delta, score);
  return true;
}

static bool with_pair(struct search *s, struct program_counterexample *ce, pair_task *task,
                      struct score *score) {
  struct program_pair pair;
  if (!program_pair_init(&pair, s->claim, ce, NULL)) return false;
  arb_t epsilon, delta;
  arb_init(epsilon);
  arb_init(delta);
  const struct ast_decl *decl = s->claim->claim;
  bool ok = program_claim_value(epsilon, &pair, decl->as.claim.epsilon, SEARCH_PRECISION);
  if (ok && decl->as.claim.delta)
    ok = program_claim_value(delta, &pair, decl->as.claim.delta, SEARCH_PRECISION);
  ok = ok && task(s, ce, &pair, epsilon, delta, score);
  arb_clear(epsilon);
  arb_clear(delta);
  program_pair_clear(&pair);
  return ok;
}

static void set_params(struct program_counterexample *ce, const struct setting *setting) {
  for (size_t i = 0; i < setting->params.len; i++)
    vec_push(&ce->params, (struct program_param){setting->params.at[i].decl,
                                                 rvalue_copy(&setting->params.at[i].value)});
}

static void set_inputs(struct program_counterexample *ce, const struct input_pair *inputs,
                       size_t count, bool swapped) {
  ce->input_count = count;
  for (int run = 0; run < 2; run++) {
    ce->inputs[run] = xcalloc(count + 1, sizeof(struct rvalue));
    for (size_t i = 0; i < count; i++)
      ce->inputs[run][i] = rvalue_copy(&inputs->runs[swapped ? 1 - run : run][i]);
  }
}

/* A candidate with its score; the lists are short. */
struct scored {
  struct program_counterexample ce;
  struct score score;
  size_t index; /* of its inputs among the candidates */
};
typedef VEC(struct scored) scored_list;

static void scored_clear(scored_list *list) {
  for (size_t i = 0; i < list->len; i++)
    program_counterexample_clear(&list->at[i].ce);
  vec_clear(list);
}

/* Keeps the best few, best first. Takes over the candidate. */
static void keep_best(scored_list *list, struct scored candidate, size_t most) {
  size_t at = list->len;
  vec_push(list, candidate);
  for (; at > 0 && better(list->at[at].score, list->at[at - 1].score); at--) {
    struct scored swap = list->at[at];
    list->at[at] = list->at[at - 1];
    list->at[at - 1] = swap;
  }
  if (list->len > most) program_counterexample_clear(&vec_pop(list).ce);
}

static void put_inputs_key(struct buffer *key, const struct input_pair *p, size_t count,
                           bool swapped) {
  for (int run = 0; run < 2; run++)
    for (size_t i = 0; i < count; i++) {
      rvalue_print(key, &p->runs[swapped ? 1 - run : run][i]);
      buffer_putc(key, '|');
    }
}

/* Every pair of the setting once, in both orders; the best few are kept. */
static void try_pairs(struct search *s, const struct ast_decl *instance,
                      const struct setting *setting, scored_list *best) {
  size_t count = s->claim->claim->as.claim.target->as.mechanism.routine->arg_count;
  input_pair_list inputs = {0};
  struct intern seen;
  intern_init(&seen);
  bool supported = candidate_inputs(&inputs, s->claim, instance, setting);
  for (size_t i = 0; supported && i < 2 * inputs.len && !budget_is_spent(s->budget); i++) {
    if (s->obstacle && !s->evaluated) break;
    struct buffer key;
    buffer_init(&key);
    put_inputs_key(&key, &inputs.at[i / 2], count, i % 2);
    size_t before = seen.count;
    intern_str(&seen, buffer_text(&key));
    buffer_clear(&key);
    if (seen.count == before) continue;
    struct scored c = {.score = {-INFINITY, false}, .index = i};
    program_counterexample_init(&c.ce);
    c.ce.instance = instance;
    set_params(&c.ce, setting);
    set_inputs(&c.ce, &inputs.at[i / 2], count, i % 2);
    if (with_pair(s, &c.ce, find_event, &c.score)) {
      for (size_t h = 0; h < s->hints.len; h++)
        if (s->hints.at[h].index == i) {
          with_pair(s, &c.ce, try_hints, &c.score);
          break;
        }
      keep_best(best, c, CLIMB_STARTS);
    } else
      program_counterexample_clear(&c.ce);
  }
  intern_clear(&seen);
  input_pair_list_clear(&inputs, count);
}

static void hints_clear(struct search *s) {
  for (size_t i = 0; i < s->hints.len; i++)
    pattern_clear(&s->hints.at[i].event);
  vec_clear(&s->hints);
}

/* The most promising events so far, of all settings. */
static void give_hints(struct search *s, const scored_list *list) {
  for (size_t i = 0; s->must_sample && i < list->len; i++) {
    const struct scored *c = &list->at[i];
    if (c->ce.outputs.len != 1) continue;
    struct hint h = {c->index, c->score.loss, pattern_copy(&c->ce.outputs.at[0])};
    size_t at = s->hints.len;
    vec_push(&s->hints, h);
    for (; at > 0 && s->hints.at[at - 1].loss < h.loss; at--)
      s->hints.at[at] = s->hints.at[at - 1];
    s->hints.at[at] = h;
    if (s->hints.len > MOST_HINTS) pattern_clear(&vec_pop(&s->hints).event);
  }
}

/* The worst event of one setting; the best of all settings is kept in result->best. */
static struct score search_setting(struct search *s, const struct ast_decl *instance,
                                   const struct setting *setting, struct score best) {
  scored_list list = {0};
  try_pairs(s, instance, setting, &list);
  for (size_t i = 0; i < list.len; i++) {
    struct scored *c = &list.at[i];
    if (s->must_sample && !budget_is_spent(s->budget))
      with_pair(s, &c->ce, improve_event, &c->score);
    if (better(c->score, best)) {
      best = c->score;
      program_counterexample_copy(&s->result->best, &c->ce);
    }
  }
  give_hints(s, &list);
  scored_clear(&list);
  return best;
}

static const struct ast_decl *instance_for(const struct program_claim *claim) {
  struct interp in;
  interp_init(&in, claim->lang, claim->module, claim->claim->as.claim.target);
  const struct ast_decl *instance = interp_choose_instance(&in);
  interp_clear(&in);
  return instance;
}

/* Listed outputs have probabilities; a density at a point is a hint, not a bound. */
static void note_lower(struct search *s, double loss) {
  struct program_result *r = s->result;
  if (!s->evaluated || loss <= 0) return;
  r->has_lower = r->status == PROGRAM_REFUTED || !s->must_sample;
  r->has_estimate = !r->has_lower;
  r->lower = loss;
}

/* Only a certified counterexample refutes; a failed attempt leaves the claim undecided. */
static void conclude(struct search *s, struct score best) {
  struct program_result *r = s->result;
  if (best.violates && program_certify(&r->best, s->claim, NULL, &r->why)) {
    r->status = PROGRAM_REFUTED;
  } else if (budget_is_spent(s->budget)) {
    r->status = PROGRAM_TIMEOUT;
  } else if (!s->evaluated) {
    r->status = PROGRAM_CANNOT;
    if (!r->why && s->obstacle) r->why = xstrdup(s->obstacle);
  }
  r->is_suspicious = best.violates && r->status != PROGRAM_REFUTED;
  if (r->status == PROGRAM_REFUTED && arb_is_finite(r->best.loss))
    best.loss = lower_double(r->best.loss);
  note_lower(s, best.loss);
}

/* Shows the state to the watch when it is due; false: it has seen enough. */
static bool show(struct search *s, struct score best, const struct program_watch **watch) {
  if (!*watch || s->result->tried < (*watch)->pairs || budget_is_spent(s->budget)) return true;
  note_lower(s, best.loss);
  bool go_on = (*watch)->call((*watch)->context, s->result);
  *watch = NULL;
  return go_on;
}

void program_refute_watched(struct program_result *result, const struct program_claim *claim,
                            const struct budget *budget, const struct program_watch *watch) {
  struct search s = {.claim = claim, .budget = budget, .result = result};
  struct score best = {-INFINITY, false};
  const struct ast_decl *instance = instance_for(claim);
  setting_list settings = {0};
  candidate_settings(&settings, claim, instance);
  for (size_t i = 0; i < settings.len && !best.violates && !budget_is_spent(budget); i++) {
    if (s.obstacle && !s.evaluated) break;
    best = search_setting(&s, instance, &settings.at[i], best);
    if (!best.violates && !show(&s, best, &watch)) break;
  }
  conclude(&s, best);
  setting_list_clear(&settings);
  hints_clear(&s);
  free(s.obstacle);
}

void program_refute(struct program_result *result, const struct program_claim *claim,
                    const struct budget *budget) {
  program_refute_watched(result, claim, budget, NULL);
}
