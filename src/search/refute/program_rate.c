/* Scores of candidates: program_search.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/exact/exact.h"
#include "check/exact/pipeline.h"
#include "num/real/ball.h"
#include "run/eval/number.h"
#include "run/sample/interp.h"
#include "run/sample/random.h"
#include "search/refute/event_grid.h"
#include "search/refute/float_outputs.h"
#include "search/refute/outputs.h"
#include "search/refute/program_search.h"

enum {
  SAMPLES_PER_RUN = 3, /* outputs tried per input pair when they cannot be listed */
  CLIMB_ROUNDS = 3,
  MOST_CONSTANT_LEAVES = 3 /* numbers of an output that are compared with constants */
};

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
    if (!arb_is_zero(p2)) {
      arb_t most; /* what cannot be told from 0 counts as its upper end */
      arf_t end;
      arb_init(most);
      arf_init(end);
      arb_set(most, p2);
      arb_get_ubound_arf(end, p2, SEARCH_PRECISION);
      if (!arb_is_positive(p2)) arb_set_arf(most, end);
      arb_div(t, t, most, SEARCH_PRECISION);
      arb_clear(most);
      arf_clear(end);
      arb_log(t, t, SEARCH_PRECISION);
      arb_div(t, t, epsilon, SEARCH_PRECISION);
      s.loss = arb_is_finite(t) ? ball_lower_double(t) : -INFINITY;
    } else {
      s.loss = INFINITY;
    }
  }
  arb_clear(t);
  return s;
}

/* The same for other notions: what disjoint events reach, in units of what is allowed there. Among
 * events that break the claim those that are neither rare nor almost certain are easier to
 * believe. */
static struct score notion_score(struct notion_test *t, arb_srcptr p1, arb_srcptr p2,
                                 size_t count) {
  struct score s = {-INFINITY, notion_test_breaks(t, p1, p2, count, SEARCH_PRECISION)};
  arb_t ratio;
  arb_init(ratio);
  arb_div(ratio, t->reached, t->allowed, SEARCH_PRECISION);
  double p = ball_lower_double(p1);
  if (s.violates)
    s.loss = 1 + fmin(p, 1 - p);
  else if (arb_is_finite(ratio))
    s.loss = ball_lower_double(ratio);
  arb_clear(ratio);
  return s;
}

bool score_better(struct score a, struct score b) {
  if (a.violates != b.violates) return a.violates;
  return a.loss > b.loss + 1e-9;
}

static void note_obstacle(struct search *s, enum exact_status status, const char *why,
                          struct span where) {
  if (status == EXACT_TIMEOUT || status == EXACT_OK) return;
  if (s->obstacle || !why) return;
  s->obstacle = xstrdup(why);
  s->obstacle_span = where;
}

/* A pair of runs whose premises hold, with the claim's numbers. */
struct rating {
  struct search *s;
  struct program_pair pair;
  arb_t epsilon, delta;
  struct notion_test test; /* of claims in other notions */
};

static bool is_pure(const struct rating *r) {
  return r->test.notion == NOTION_PURE;
}

/* Renyi and zCDP: what tells the runs apart is spread over all outputs. */
static bool is_divergence(const struct rating *r) {
  return r->test.notion == NOTION_RENYI || r->test.notion == NOTION_ZCDP;
}

static struct score rated(struct rating *r, const arb_t p1, const arb_t p2, const arb_t delta) {
  return is_pure(r) ? score_of(p1, p2, r->epsilon, delta) : notion_score(&r->test, p1, p2, 1);
}

/* Why a pair proves nothing, if that will be so for most others. */
static void note_refusal(struct search *s, char *why) {
  s->refusals++;
  if (why && !s->no_inputs)
    s->no_inputs = xasprintf("a premise (an axiom, the adjacency or an assumption) cannot be "
                             "checked on values: %s",
                             why);
}

static void rating_close(struct rating *r) {
  program_pair_clear(&r->pair);
  arb_clear(r->epsilon);
  arb_clear(r->delta);
  notion_test_clear(&r->test);
}

/* False: the pair proves nothing (not adjacent, ...); nothing to close. */
static bool rating_open(struct rating *r, struct search *s,
                        const struct program_counterexample *ce) {
  const struct ast_decl *decl = s->claim->claim;
  r->s = s;
  char *why = NULL;
  if (!program_pair_init(&r->pair, s->claim, ce, &why)) {
    if (r->pair.is_open) note_refusal(s, why);
    free(why);
    return false;
  }
  arb_init(r->epsilon);
  arb_init(r->delta);
  notion_test_init(&r->test, decl->as.claim.notion);
  bool ok = program_claim_value(r->epsilon, &r->pair, decl->as.claim.epsilon, SEARCH_PRECISION);
  if (ok && decl->as.claim.delta)
    ok = program_claim_value(r->delta, &r->pair, decl->as.claim.delta, SEARCH_PRECISION);
  if (ok && !is_pure(r)) ok = program_claim_test(&r->test, &r->pair, decl, SEARCH_PRECISION);
  if (!ok) rating_close(r);
  return ok;
}

/* ---- outputs that can be listed ------------------------------------------------------------- */

/* Both runs list their outputs in much the same order: *at is where the last one was found. */
static void probability_in(arb_t out, const struct exact_distribution *d,
                           const struct rvalue *output, size_t *at) {
  arb_zero(out);
  for (size_t k = 0; k < d->outcomes.len; k++) {
    size_t i = (*at + k) % d->outcomes.len;
    int order;
    if (rvalue_compare(&order, &d->outcomes.at[i].output, output) && order == 0) {
      arb_set(out, d->outcomes.at[i].probability);
      *at = i + 1;
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

/* With delta the best event is every output that is more than e^epsilon likelier; without, the
 * single worst output does. */
static struct score best_listed(struct rating *r, struct program_counterexample *ce,
                                const struct exact_distribution *d1,
                                const struct exact_distribution *d2) {
  struct score best = {-INFINITY, false};
  const struct rvalue *worst = NULL;
  arb_t p2, sum1, sum2, zero;
  arb_init(p2);
  arb_init(sum1);
  arb_init(sum2);
  arb_init(zero);
  clear_outputs(ce);
  size_t at = 0;
  for (size_t i = 0; i < d1->outcomes.len; i++) {
    const struct exact_outcome *o = &d1->outcomes.at[i];
    probability_in(p2, d2, &o->output, &at);
    struct score s = rated(r, o->probability, p2, zero);
    if (!worst || score_better(s, best)) {
      worst = &o->output;
      best = s;
    }
    if (s.violates && !arb_is_zero(r->delta)) {
      add_output(ce, &o->output);
      arb_add(sum1, sum1, o->probability, SEARCH_PRECISION);
      arb_add(sum2, sum2, p2, SEARCH_PRECISION);
    }
  }
  if (!arb_is_zero(r->delta)) best = score_of(sum1, sum2, r->epsilon, r->delta);
  if (arb_is_zero(r->delta) && worst) add_output(ce, worst);
  arb_clear(p2);
  arb_clear(sum1);
  arb_clear(sum2);
  arb_clear(zero);
  return best;
}

/* The outputs that are likeliest in the first run, apart. */
static struct score listed_apart(struct rating *r, struct program_counterexample *ce,
                                 const struct exact_distribution *d1,
                                 const struct exact_distribution *d2) {
  enum { MOST = 100 };
  slong count = d1->outcomes.len < MOST ? (slong)d1->outcomes.len : MOST;
  arb_ptr p1 = _arb_vec_init(count), p2 = _arb_vec_init(count);
  size_t at = 0;
  clear_outputs(ce);
  for (slong i = 0; i < count; i++) {
    const struct exact_outcome *o = &d1->outcomes.at[i];
    arb_set(&p1[i], o->probability);
    probability_in(&p2[i], d2, &o->output, &at);
    add_output(ce, &o->output);
  }
  struct score score = notion_score(&r->test, p1, p2, (size_t)count);
  _arb_vec_clear(p1, count);
  _arb_vec_clear(p2, count);
  return score;
}

/* Parameters and inputs of a run. */
static char *run_key(const struct program_counterexample *ce, int run) {
  struct buffer key;
  buffer_init(&key);
  buffer_printf(&key, "%p %s|", (const void *)ce->instance,
                ce->interpretation ? ce->interpretation : "");
  for (size_t i = 0; i < ce->params.len; i++) {
    buffer_printf(&key, "%p ", (const void *)ce->params.at[i].decl);
    rvalue_print(&key, &ce->params.at[i].value);
    buffer_putc(&key, '|');
  }
  for (size_t i = 0; i < ce->input_count; i++) {
    rvalue_print(&key, &ce->inputs[run][i]);
    buffer_putc(&key, '|');
  }
  return buffer_take(&key);
}

static void law_clear(struct known_law *k) {
  if (!k->key) return;
  exact_distribution_clear(&k->law);
  free(k->key);
  k->key = NULL;
}

void forget_laws(struct search *s) {
  for (size_t i = 0; i < KNOWN_LAWS; i++)
    law_clear(&s->laws[i]);
}

/* The distribution of a run; it is kept, since the next pair is often this one in the other order.
 * Valid until KNOWN_LAWS others are asked for. */
static const struct exact_distribution *law_of(struct rating *r,
                                               const struct program_counterexample *ce, int run) {
  struct search *s = r->s;
  char *key = run_key(ce, run);
  for (size_t i = 0; i < KNOWN_LAWS; i++)
    if (s->laws[i].key && strcmp(s->laws[i].key, key) == 0 &&
        s->laws[i].law.status != EXACT_TIMEOUT) {
      free(key);
      return &s->laws[i].law;
    }
  struct known_law *k = &s->laws[s->next_law++ % KNOWN_LAWS];
  const struct exact_options options = {
      .precision = SEARCH_PRECISION, .budget = s->budget, .sampler = &s->sampler};
  law_clear(k);
  k->key = key;
  exact_distribution_init(&k->law);
  exact_distribution(&r->pair.runs[run], &options, &k->law);
  return &k->law;
}

static bool try_listing(struct rating *r, struct program_counterexample *ce, struct score *score) {
  const struct exact_distribution *first = law_of(r, ce, 0);
  if (first->status != EXACT_OK) return false;
  const struct exact_distribution *second = law_of(r, ce, 1);
  if (second->status != EXACT_OK) return false;
  *score = best_listed(r, ce, first, second);
  if (is_divergence(r) && !score->violates) *score = listed_apart(r, ce, first, second);
  r->s->can_list = true;
  return true;
}

/* ---- outputs that cannot -------------------------------------------------------------------- */

/* The probabilities of the event, a list of disjoint ones, in both runs, those of each of them (may be
 * NULL), and how many of its numbers are points of a density there. False: not known. */
static bool weigh_event(struct rating *r, const struct pattern *events, size_t count, arb_t sums[2],
                        arb_ptr each[2], unsigned points[2]) {
  struct exact_options options = {
      .precision = SEARCH_PRECISION, .budget = r->s->budget, .sampler = &r->s->sampler};
  bool ok = true;
  for (int run = 1; run >= 0; run--) { /* what cannot be done fails there sooner */
    arb_zero(sums[run]);
    points[run] = 0;
    options.bound_will_do = run == 0; /* as for the certifier */
    for (size_t i = 0; ok && i < count; i++) {
      struct exact_result one;
      exact_result_init(&one);
      exact_probability(&r->pair.runs[run], &events[i], &options, &one);
      ok = one.status == EXACT_OK;
      if (!ok) note_obstacle(r->s, one.status, one.why, one.where);
      if (one.points > points[run]) points[run] = one.points;
      arb_add(sums[run], sums[run], one.probability, SEARCH_PRECISION);
      if (each) arb_set(&each[run][i], one.probability);
      exact_result_clear(&one);
    }
  }
  return ok;
}

static bool event_score(struct rating *r, const struct pattern *events, size_t count,
                        struct score *score) {
  arb_t sums[2];
  arb_ptr each[2] = {_arb_vec_init((slong)count), _arb_vec_init((slong)count)};
  unsigned points[2];
  arb_init(sums[0]);
  arb_init(sums[1]);
  bool ok = weigh_event(r, events, count, sums, each, points);
  *score = NO_SCORE;
  /* a density is nothing beside a probability */
  if (points[0] < points[1]) arb_zero(sums[1]);
  bool comparable = points[0] <= points[1] || arb_is_zero(sums[1]);
  if (ok && comparable && !(points[0] && (!arb_is_zero(r->delta) || !is_pure(r))))
    *score = is_pure(r) ? score_of(sums[0], sums[1], r->epsilon, r->delta)
                        : notion_score(&r->test, each[0], each[1], count);
  arb_clear(sums[0]);
  arb_clear(sums[1]);
  _arb_vec_clear(each[0], (slong)count);
  _arb_vec_clear(each[1], (slong)count);
  return ok;
}

/* Takes over the event; keeps it if it is worse than what ce has. True if it could be rated. */
static bool offer(struct rating *r, struct program_counterexample *ce, struct pattern event,
                  struct score *best) {
  struct score score;
  bool known = event_score(r, &event, 1, &score);
  if (known && (!ce->outputs.len || score_better(score, *best))) {
    clear_outputs(ce);
    vec_push(&ce->outputs, event);
    *best = score;
  } else {
    pattern_clear(&event);
  }
  return known;
}

/* The ways to make an event of a sampled output. With delta a single point is nothing; where points
 * cannot be weighed (one sample in two outputs) boxes can. */
static bool offer_all(struct rating *r, struct program_counterexample *ce,
                      const struct rvalue *output, struct score *best) {
  bool any = false, half_lines = !arb_is_zero(r->delta) || !is_pure(r);
  if (half_lines) {
    any |= offer(r, ce, event_of(output, REAL_ABOVE), best);
    any |= offer(r, ce, event_of(output, REAL_BELOW), best);
  } else if (!r->s->no_points) {
    any = offer(r, ce, event_of(output, REAL_POINT), best);
  }
  if (half_lines || !any) {
    bool boxed = offer(r, ce, event_of(output, REAL_BOX), best);
    if (!half_lines && boxed) r->s->no_points = true;
    any |= boxed;
  }
  return any;
}

/* The k-th number of the output replaced by everything above, below or at each number that stands
 * in the program: what is rare is not sampled, but it begins where the program says so. */
static void offer_constants(struct rating *r, struct program_counterexample *ce,
                            const struct rvalue *output, size_t k, struct score *best) {
  number_list constants = {0};
  candidate_constants(&constants, r->s->claim, ce);
  for (size_t i = 0; i < constants.len; i++)
    for (int side = -1; side <= 1; side++) {
      if (budget_is_spent(r->s->budget) || isinf(best->loss)) break;
      size_t index = k;
      struct pattern event = event_of(output, REAL_POINT);
      struct pattern *leaf = event_leaf(&event, &index);
      if (!leaf) {
        pattern_clear(&event);
        break;
      }
      struct rvalue number = rvalue_fmpq(&constants.at[i]);
      rvalue_clear(&leaf->value);
      *leaf = (struct pattern){.kind = side ? PATTERN_RANGE : PATTERN_VALUE};
      *(side < 0 ? &leaf->high : side > 0 ? &leaf->low : &leaf->value) = number;
      offer(r, ce, event, best);
    }
  numbers_clear(&constants);
}

static bool try_sampling(struct rating *r, struct program_counterexample *ce, struct score *best) {
  bool any = false;
  struct diags *diags = &r->s->claim->lang->diags;
  struct random random;
  random_init_seeded(&random, 1);
  for (int i = 0; i < 2 * SAMPLES_PER_RUN && !budget_is_spent(r->s->budget); i++) {
    struct diag_mark mark = diags_mark(diags);
    struct rvalue output;
    bool ran = interp_run(&r->pair.runs[i % 2], &random, &output);
    diags_rollback(diags, mark);
    if (!ran) break;
    any |= offer_all(r, ce, &output, best);
    for (size_t k = 0; any && i < 2 && r->s->use_constants && k < MOST_CONSTANT_LEAVES; k++)
      offer_constants(r, ce, &output, k, best);
    rvalue_clear(&output);
    if (!any) break; /* the engine cannot do this mechanism */
    if (best->violates && isinf(best->loss)) break;
  }
  return any;
}

/* ---- events of many cells -------------------------------------------------------------------- */

/* The shapes of a few outputs, each once. */
static void sample_shapes(struct rating *r, pattern_list *shapes) {
  struct diags *diags = &r->s->claim->lang->diags;
  struct random random;
  random_init_seeded(&random, 1);
  for (int i = 0; i < 2 * SAMPLES_PER_RUN; i++) {
    struct diag_mark mark = diags_mark(diags);
    struct rvalue output;
    bool ran = interp_run(&r->pair.runs[i % 2], &random, &output), is_new = ran;
    diags_rollback(diags, mark);
    if (!ran) continue;
    struct pattern shape = event_of(&output, REAL_POINT);
    for (size_t k = 0; k < shapes->len; k++)
      is_new = is_new && !same_shape(&shape, &shapes->at[k]);
    if (is_new)
      vec_push(shapes, shape);
    else
      pattern_clear(&shape);
    rvalue_clear(&output);
  }
}

/* The numbers of an output. */
static void add_numbers(struct spread *spread, const struct rvalue *v) {
  for (size_t i = 0; rvalue_is_seq(v) && i < v->as.seq->len; i++)
    add_numbers(spread, &v->as.seq->at[i]);
  if (rvalue_is_number(v)) spread_add(spread, number_to_double(v));
}

/* Cuts where numbers in outputs of the first run lie, and around these. */
static void sample_cuts(struct rating *r, number_list *cuts) {
  enum { RUNS = 40 };
  struct spread spread = {0};
  struct diags *diags = &r->s->claim->lang->diags;
  struct random random;
  random_init_seeded(&random, 1);
  for (int i = 0; i < RUNS; i++) {
    struct diag_mark mark = diags_mark(diags);
    struct rvalue output;
    bool ran = interp_run(&r->pair.runs[0], &random, &output);
    diags_rollback(diags, mark);
    if (!ran) continue;
    add_numbers(&spread, &output);
    rvalue_clear(&output);
  }
  spread_cuts(cuts, &spread);
}

/* Moves the cells that are more than e^epsilon times likelier in the first run to `event`. */
static void pick_cells(struct rating *r, pattern_list *cells, pattern_list *event) {
  arb_t sums[2], zero;
  unsigned points[2];
  arb_init(sums[0]);
  arb_init(sums[1]);
  arb_init(zero);
  for (size_t i = 0; i < cells->len && !budget_is_spent(r->s->budget); i++) {
    if (!weigh_event(r, &cells->at[i], 1, sums, NULL, points)) continue;
    if (!score_of(sums[0], sums[1], r->epsilon, zero).violates) continue;
    vec_push(event, cells->at[i]);
    cells->at[i] = (struct pattern){0};
  }
  arb_clear(sums[0]);
  arb_clear(sums[1]);
  arb_clear(zero);
}

/* The cells of one shape that are worth it. */
static void cells_of_shape(struct rating *r, const struct pattern *shape, const number_list *cuts,
                           pattern_list *event) {
  pattern_list cells = {0};
  event_cells(&cells, shape, cuts, !is_divergence(r));
  if (is_divergence(r)) {
    for (size_t i = 0; i < cells.len; i++)
      vec_push(event, cells.at[i]);
    cells.len = 0;
  } else {
    pick_cells(r, &cells, event);
  }
  pattern_list_clear(&cells);
}

void rate_cells(struct search *s, struct program_counterexample *ce, struct score *score) {
  struct rating r;
  pattern_list shapes = {0}, event = {0};
  number_list cuts = {0};
  if (!rating_open(&r, s, ce)) return;
  if (!arb_is_zero(r.delta) || is_divergence(&r)) sample_shapes(&r, &shapes);
  if (is_divergence(&r))
    sample_cuts(&r, &cuts);
  else
    input_numbers(&cuts, ce);
  for (size_t i = 0; i < shapes.len; i++)
    cells_of_shape(&r, &shapes.at[i], &cuts, &event);
  struct score all = NO_SCORE;
  if (event.len && event_score(&r, event.at, event.len, &all) && score_better(all, *score)) {
    clear_outputs(ce);
    for (size_t i = 0; i < event.len; i++)
      vec_push(&ce->outputs, event.at[i]);
    event.len = 0;
    *score = all;
  }
  pattern_list_clear(&event);
  pattern_list_clear(&shapes);
  numbers_clear(&cuts);
  rating_close(&r);
}

/* ---- runs that do not end -------------------------------------------------------------------- */

/* Does a run have no output at all with positive probability? Then the event is any output. */
static bool try_endless(struct rating *r, struct program_counterexample *ce, struct score *score) {
  const struct exact_options options = {
      .precision = SEARCH_PRECISION, .budget = r->s->budget, .sampler = &r->s->sampler};
  bool endless = false;
  struct pattern any = {.kind = PATTERN_ANY};
  arb_t one;
  arb_init(one);
  arb_one(one);
  for (int run = 0; !endless && run < 2; run++) {
    struct exact_result whole;
    exact_result_init(&whole);
    exact_probability(&r->pair.runs[run], &any, &options, &whole);
    endless = whole.status == EXACT_OK && ball_is_less(whole.probability, one);
    note_obstacle(r->s, whole.status, whole.why, whole.where);
    exact_result_clear(&whole);
  }
  arb_clear(one);
  if (!endless) return false;
  clear_outputs(ce);
  vec_push(&ce->outputs, any);
  *score = (struct score){INFINITY, true};
  return true;
}

/* ---- better events -------------------------------------------------------------------------- */

/* The numbers of a pattern, in order; NULL when there are fewer. */
static struct rvalue *number_in(struct pattern *p, size_t *index) {
  struct rvalue *number = NULL;
  if (p->kind == PATTERN_VALUE && rvalue_is_number(&p->value)) number = &p->value;
  if (p->kind == PATTERN_RANGE) number = p->low.kind ? &p->low : &p->high;
  if (number) {
    if (*index == 0) return number;
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
  fmpq_t half;
  fmpq_init(half);
  fmpq_set_si(half, 1, 2);
  edit_add(v, halves, half);
  fmpq_clear(half);
}

static void climb(struct rating *r, struct pattern *event, struct score *best, size_t *ratings) {
  static const slong steps[] = {2, -2, 6, -6, 1, -1};
  for (int round = 0; round < CLIMB_ROUNDS; round++) {
    bool improved = false;
    for (size_t k = 0; k < 16; k++) {
      size_t index = k;
      struct rvalue *number = number_in(event, &index);
      if (!number) break;
      for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct score score;
        if (!*ratings || budget_is_spent(r->s->budget)) return;
        --*ratings;
        move_number(number, steps[i]);
        if (event_score(r, event, 1, &score) && score_better(score, *best)) {
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

struct pattern *event_stream(struct pattern *event) {
  if (event->kind == PATTERN_TUPLE && event->count) event = &event->items[0];
  return event->kind == PATTERN_LIST ? event : NULL;
}

void event_repeat(struct pattern *event, size_t k) {
  struct pattern *list = event_stream(event);
  if (!list || k >= list->count) return;
  list->items = xrealloc(list->items, (list->count + 1) * sizeof *list->items);
  for (size_t i = list->count; i > k; i--)
    list->items[i] = list->items[i - 1];
  list->items[k] = pattern_copy(&list->items[k + 1]);
  list->count++;
}

void event_drop(struct pattern *event, size_t k) {
  struct pattern *list = event_stream(event);
  if (!list || k >= list->count) return;
  pattern_clear(&list->items[k]);
  list->count--;
  for (size_t i = k; i < list->count; i++)
    list->items[i] = list->items[i + 1];
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* Single outputs of a floating-point program. */
static bool try_counting(struct rating *r, struct program_counterexample *ce, struct score *score) {
  float_output_list outputs = {0};
  bool any = false;
  float_outputs(&outputs, &r->pair.runs[0]);
  for (size_t i = 0; i < outputs.len && !budget_is_spent(r->s->budget); i++) {
    any |= offer(r, ce, pattern_copy(&outputs.at[i]), score);
    if (score->violates && score->loss == INFINITY) break;
  }
  float_outputs_clear(&outputs);
  return any;
}

bool rate_pair(struct search *s, struct program_counterexample *ce, struct score *score) {
  struct rating r;
  if (!rating_open(&r, s, ce)) return false;
  s->result->tried++;
  *score = NO_SCORE;
  bool floats = pipeline_is_wanted(&r.pair.runs[0]);
  bool done = floats && try_counting(&r, ce, score);
  if (!done) done = (!s->must_sample || s->can_list) && try_listing(&r, ce, score);
  if (!score->violates && s->has_while) done |= try_endless(&r, ce, score);
  if (!done) {
    done = try_sampling(&r, ce, score);
    s->must_sample |= done;
  }
  /* More time might do. Counting words is quick, and often all but one kind of pair is in its way. */
  if (!done && !budget_is_spent(s->budget)) s->failures += floats ? 1 : 5;
  s->evaluated |= done;
  rating_close(&r);
  return done;
}

bool rate_event(struct search *s, struct program_counterexample *ce, struct score *score) {
  struct rating r;
  if (!rating_open(&r, s, ce)) return false;
  s->result->tried++;
  bool done = event_score(&r, ce->outputs.at, ce->outputs.len, score);
  rating_close(&r);
  return done;
}

void rate_hints(struct search *s, struct program_counterexample *ce, struct score *score) {
  struct rating r;
  if (!rating_open(&r, s, ce)) return;
  for (size_t h = 0; h < s->hints.len; h++) {
    struct pattern *event = &s->hints.at[h].event, *list = event_stream(event);
    for (size_t k = 0; list && k < list->count && !budget_is_spent(s->budget); k++) {
      struct pattern longer = pattern_copy(event);
      event_repeat(&longer, k);
      offer(&r, ce, longer, score);
    }
  }
  rating_close(&r);
}

void rate_climb(struct search *s, struct program_counterexample *ce, struct score *score,
                size_t *ratings) {
  struct rating r;
  if (ce->outputs.len != 1 || !rating_open(&r, s, ce)) return;
  climb(&r, &ce->outputs.at[0], score, ratings);
  rating_close(&r);
}
