/* The search for counterexamples to claims about programs: untrusted, see program_refute.h.
 *
 * Settings of the parameters from small to large; for each all pairs of inputs, in both orders, and
 * from the best of them a climb to a worse event. The first violation ends that. It is then made
 * simpler for the reader; a local search from it finds how bad things are (result->worst). Without
 * a violation the local search starts from the best candidate, and what it finds is a lower bound
 * for the cost. */
#include <math.h>
#include <stdlib.h>

#include "base/intern.h"
#include "lang/check/check.h"
#include "num/real/ball.h"
#include "search/refute/accuracy_refute.h"
#include "search/refute/interpret.h"
#include "search/refute/program_search.h"

#include "check/exact/sampler.h"

enum {
  CLIMB_STARTS = 4, /* candidates per setting from which a better event is looked for */
  MOST_HINTS = 6,
  MOST_STARTS = 8,
  START_LENGTH = 3,     /* longest inputs of a start */
  OVERTIME_SECONDS = 4, /* to certify a counterexample when the time is over */
  LONGEST = 50,         /* inputs, in the search for lower bounds */
  FIRST_SETTINGS = 12,  /* of which the plain pairs come first */
  FIRST_SCALARS = 1,    /* the same where no parameter is a length */
  NEXT_SETTINGS = 6,    /* of which all pairs come before those of the others */
  STAGE_OFFSET = 1 << 20,
  MOST_REFUSALS = 60, /* pairs of which the premises cannot be checked, likewise */
  MOST_FAILURES = 60  /* pairs that the engine cannot do, before it is given up */
};
static const double TIGHT = 0.999; /* of the claim: a lower bound has nothing to gain */

void program_result_init(struct program_result *r) {
  *r = (struct program_result){.status = PROGRAM_NOT_FOUND};
  program_counterexample_init(&r->best);
  program_counterexample_init(&r->worst);
}

void program_result_clear(struct program_result *r) {
  free(r->why);
  program_counterexample_clear(&r->best);
  program_counterexample_clear(&r->worst);
  vec_clear(&r->trend);
}

/* ---- one pair, one setting ------------------------------------------------------------------ */

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
  for (; at > 0 && score_better(list->at[at].score, list->at[at - 1].score); at--) {
    struct scored swap = list->at[at];
    list->at[at] = list->at[at - 1];
    list->at[at - 1] = swap;
  }
  if (list->len > most) program_counterexample_clear(&vec_pop(list).ce);
}

static void sort_starts(struct search *s) {
  for (size_t i = 1; i < s->starts.len; i++)
    for (size_t k = i; k > 0 && score_better(s->starts.at[k].score, s->starts.at[k - 1].score);
         k--) {
      struct start swap = s->starts.at[k];
      s->starts.at[k] = s->starts.at[k - 1];
      s->starts.at[k - 1] = swap;
    }
}

/* Remembers the candidate if it is among the best shapes. */
static void note_start(struct search *s, struct scored *c) {
  if (!(c->score.loss > 0) || edit_length(&c->ce, s->length) > START_LENGTH) return;
  size_t at = 0;
  while (at < s->starts.len && s->starts.at[at].index != c->index)
    at++;
  if (at == s->starts.len) {
    struct start fresh = {.index = c->index, .score = NO_SCORE};
    program_counterexample_init(&fresh.ce);
    vec_push(&s->starts, fresh);
  }
  if (score_better(c->score, s->starts.at[at].score)) {
    s->starts.at[at].score = c->score;
    program_counterexample_copy(&s->starts.at[at].ce, &c->ce);
  }
  sort_starts(s);
  if (s->starts.len > MOST_STARTS) program_counterexample_clear(&vec_pop(&s->starts).ce);
}

static void starts_clear(struct search *s) {
  for (size_t i = 0; i < s->starts.len; i++)
    program_counterexample_clear(&s->starts.at[i].ce);
  vec_clear(&s->starts);
}

/* What is tried at a time. */
struct trial {
  const struct ast_decl *instance;
  const struct setting *setting;
  enum candidate_stage stage;
  size_t count; /* arguments of the mechanism */
};

static void put_inputs_key(struct buffer *key, const struct input_pair *p, size_t count,
                           bool swapped) {
  for (int run = 0; run < 2; run++)
    for (size_t i = 0; i < count; i++) {
      rvalue_print(key, &p->runs[swapped ? 1 - run : run][i]);
      buffer_putc(key, '|');
    }
}

/* One pair of inputs, in one order: rated, and kept if it is among the best. */
static void try_pair(struct search *s, const struct trial *t, const struct input_pair *inputs,
                     size_t index, scored_list *best) {
  struct scored c = {.score = {-INFINITY, false}, .index = index};
  program_counterexample_init(&c.ce);
  c.ce.instance = t->instance;
  c.ce.interpretation = s->interpretation;
  set_params(&c.ce, t->setting);
  set_inputs(&c.ce, inputs, t->count, index % 2);
  if (!rate_pair(s, &c.ce, &c.score)) {
    program_counterexample_clear(&c.ce);
    return;
  }
  for (size_t h = 0; h < s->hints.len; h++)
    if (s->hints.at[h].index == index) {
      rate_hints(s, &c.ce, &c.score);
      break;
    }
  search_note_length(s, &c.ce, c.score);
  note_start(s, &c);
  keep_best(best, c, CLIMB_STARTS);
}

static bool is_new(struct intern *seen, const struct input_pair *p, size_t count, bool swapped) {
  struct buffer key;
  buffer_init(&key);
  put_inputs_key(&key, p, count, swapped);
  size_t before = seen->count;
  intern_str(seen, buffer_text(&key));
  buffer_clear(&key);
  return seen->count > before;
}

/* Has the same thing been in the way of many pairs, and of none not? */
static bool is_hopeless(const struct search *s) {
  return !s->evaluated && (s->failures >= MOST_FAILURES || s->refusals >= MOST_REFUSALS);
}

/* Is there nothing more to gain from the pairs of this stage? Plain ones are few: there the worst
 * is looked for. */
static bool is_enough(const struct search *s, const struct trial *t, const scored_list *best) {
  if (budget_is_spent(s->budget) || is_hopeless(s)) return true;
  return t->stage != CANDIDATES_PLAIN && best->len && best->at[0].score.violates;
}

/* Every pair of the setting and stage once, in both orders; the best few are kept. */
static void try_pairs(struct search *s, const struct trial *t, scored_list *best) {
  input_pair_list inputs = {0};
  struct intern seen;
  char *why = NULL;
  intern_init(&seen);
  if (!candidate_inputs(&inputs, s->claim, t->instance, t->setting, t->stage, &why) &&
      !s->no_inputs)
    s->no_inputs = why;
  else
    free(why);
  size_t offset = t->stage * STAGE_OFFSET;
  for (size_t i = 0; i < 2 * inputs.len && !is_enough(s, t, best); i++)
    if (is_new(&seen, &inputs.at[i / 2], t->count, i % 2))
      try_pair(s, t, &inputs.at[i / 2], offset + i, best);
  intern_clear(&seen);
  input_pair_list_clear(&inputs, t->count);
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

/* The worst event of one setting and stage; the best of all is kept in result->best. */
static struct score search_setting(struct search *s, const struct trial *t, struct score best) {
  scored_list list = {0};
  try_pairs(s, t, &list);
  for (size_t i = 0; i < list.len; i++) {
    struct scored *c = &list.at[i];
    if (s->must_sample && !budget_is_spent(s->budget)) {
      size_t ratings = SIZE_MAX;
      rate_climb(s, &c->ce, &c->score, &ratings);
      if (!c->score.violates) rate_cells(s, &c->ce, &c->score);
      search_note_length(s, &c->ce, c->score);
    }
    if (score_better(c->score, best)) {
      best = c->score;
      program_counterexample_copy(&s->result->best, &c->ce);
    }
  }
  give_hints(s, &list);
  scored_clear(&list);
  return best;
}

/* ---- lengths --------------------------------------------------------------------------------- */

/* Has every parameter but integers the value of the first setting? */
static bool is_first_setting(struct search *s, struct program_counterexample *ce) {
  for (size_t i = 0; i < s->first->params.len; i++) {
    const struct program_param *p = &s->first->params.at[i];
    const struct rvalue *value = edit_param(ce, p->decl);
    int order;
    if (p->decl->as.param.type->kind != TYPE_REAL) continue;
    if (!value || !rvalue_compare(&order, value, &p->value) || order) return false;
  }
  return true;
}

void search_note_length(struct search *s, struct program_counterexample *ce, struct score score) {
  slong length = edit_length(ce, s->length);
  if (length < 0 || !(score.loss > 0) || !is_first_setting(s, ce)) return;
  size_t at = 0;
  while (at < s->lengths.len && s->lengths.at[at].length < length)
    at++;
  if (at == s->lengths.len || s->lengths.at[at].length != length) {
    struct by_length fresh = {.length = length, .score = NO_SCORE};
    program_counterexample_init(&fresh.ce);
    vec_push(&s->lengths, fresh);
    for (size_t i = s->lengths.len - 1; i > at; i--)
      s->lengths.at[i] = s->lengths.at[i - 1];
    s->lengths.at[at] = fresh;
  }
  if (!score_better(score, s->lengths.at[at].score)) return;
  s->lengths.at[at].score = score;
  program_counterexample_copy(&s->lengths.at[at].ce, ce);
}

static void lengths_clear(struct search *s) {
  for (size_t i = 0; i < s->lengths.len; i++)
    program_counterexample_clear(&s->lengths.at[i].ce);
  vec_clear(&s->lengths);
}

/* What is certified for each length. A length can do what a smaller one can as long as entries may
 * be added that change nothing; that is not known here, so every length stands for itself. */
static void certify_trend(struct search *s, const struct budget *budget) {
  enum { MOST_POINTS = 16 };
  size_t step = s->lengths.len / MOST_POINTS + 1;
  s->result->trend.len = 0;
  for (size_t i = 0; i < s->lengths.len && !budget_is_spent(budget); i++) {
    struct by_length *l = &s->lengths.at[i];
    if (i % step && i + 1 < s->lengths.len) continue;
    if (!program_certify_loss(&l->ce, s->claim, budget) || !arb_is_positive(l->ce.loss)) continue;
    vec_push(&s->result->trend,
             (struct program_trend_point){l->length, ball_lower_double(l->ce.loss)});
  }
}

/* ---- the whole search ------------------------------------------------------------------------ */

static const struct ast_decl *instance_for(const struct program_claim *claim) {
  struct interp in;
  interp_init(&in, claim->lang, claim->module, claim->claim->as.claim.target);
  const struct ast_decl *instance = interp_choose_instance(&in);
  interp_clear(&in);
  return instance;
}

/* Time to finish with what is there: certification goes on after an interruption, but not for long.
 */
static struct budget last_moments(const struct budget *outer) {
  static const double USUALLY = 8, INTERRUPTED = 2, OVERTIME = 0.5;
  struct budget last = budget_slice(outer, budget_is_interrupted(outer) ? INTERRUPTED : USUALLY);
  last.is_interrupted = NULL;
  struct budget overtime = budget_slice(NULL, OVERTIME);
  /* a moment before the end is no better than the end */
  return budget_is_spent(&last) || (last.work && last.work < overtime.work) ? overtime : last;
}

/* How bad is it? From the counterexample a local search goes on; what it finds is certified on its
 * own. */
static void find_worst(struct search *s, struct score score, const struct budget *outer) {
  struct program_result *r = s->result;
  struct budget last = last_moments(outer);
  program_counterexample_copy(&r->worst, &r->best);
  search_improve(s, &r->worst, &score,
                 (struct effort){.ratings = 120, .length = 8, .budget = outer});
  r->has_worst = program_certify(&r->worst, s->claim, &last, NULL) && r->worst.has_loss &&
                 r->best.has_loss &&
                 ball_lower_double(r->worst.loss) > ball_lower_double(r->best.loss) * 1.01;
}

static void conclude_refuted(struct search *s, struct score score, const struct budget *outer) {
  static const double NICER = 1.5; /* seconds for what only makes the answer better; mostly less */
  struct program_result *r = s->result;
  r->status = PROGRAM_REFUTED;
  r->trend.len = 0;
  struct budget worse = budget_slice(outer, NICER);
  find_worst(s, score, &worse);
  struct budget shorter = budget_slice(outer, NICER);
  search_shrink(s, &r->best, &shorter);
  const struct program_counterexample *strongest = r->has_worst ? &r->worst : &r->best;
  r->has_lower = strongest->has_loss;
  r->lower = r->has_lower ? ball_lower_double(strongest->loss) : 0;
}

/* The certified bounds as they stand: of the best candidate, and of the best of each length. */
static void note_lower(struct search *s, struct score best, const struct budget *budget) {
  struct program_result *r = s->result;
  struct program_counterexample ce;
  struct budget half = budget_part(budget, 0.5); /* the best may have many queries */
  program_counterexample_init(&ce);
  program_counterexample_copy(&ce, &r->best);
  if (best.loss > 0 && program_certify_loss(&ce, s->claim, &half)) {
    if (ball_lower_double(ce.loss) < TIGHT) search_widen(s, &ce, &half);
    r->has_lower = arb_is_positive(ce.loss);
    r->lower = ball_lower_double(ce.loss);
  }
  program_counterexample_clear(&ce);
  certify_trend(s, budget);
  for (size_t i = 0; i < r->trend.len; i++)
    if (!r->has_lower || r->trend.at[i].loss > r->lower) {
      r->has_lower = true;
      r->lower = r->trend.at[i].loss;
    }
}

/* Why no pair of inputs could be evaluated; xmalloc'd. */
static char *reason_for_nothing(const struct search *s) {
  if (s->obstacle)
    return xasprintf("%s (docs/refutation.md says what it can do instead)", s->obstacle);
  if (s->no_inputs) return xstrdup(s->no_inputs);
  return xstrdup(
      "on none of the pairs of adjacent inputs that were tried can the mechanism run; an "
      "instance with inputs shows where to look");
}

/* Nothing refutes the claim: what is the most that it loses? */
static void conclude_open(struct search *s, struct score best, const struct budget *outer) {
  struct program_result *r = s->result;
  struct budget last = last_moments(outer);
  if (!s->evaluated) {
    bool is_over = budget_is_spent(outer) || budget_is_spent(s->budget);
    r->status = is_over ? PROGRAM_TIMEOUT : PROGRAM_CANNOT;
    if (!r->why) r->where = s->obstacle ? s->obstacle_span : span_none();
    if (!r->why) r->why = reason_for_nothing(s);
    return;
  }
  if (budget_is_spent(s->budget)) r->status = PROGRAM_TIMEOUT;
  r->is_suspicious = best.violates;
  note_lower(s, best, &last);
}

/* A certified loss above the claim refutes it: that is worth some seconds more. */
static void refute_late(struct search *s, struct score best, const struct budget *outer) {
  struct program_result *r = s->result;
  struct budget overtime = budget_slice(NULL, OVERTIME_SECONDS);
  if (!r->is_suspicious || !r->has_lower || r->lower <= 1) return;
  free(r->why);
  r->why = NULL;
  if (!program_certify(&r->best, s->claim, &overtime, &r->why)) return;
  r->is_suspicious = false;
  conclude_refuted(s, best, outer);
}

/* Local search from the best candidate and from other shapes: what is best on few queries need not
 * be what grows. A little from each, then to the end from the best. */
static void improve_from_starts(struct search *s, struct score *best, size_t most,
                                struct effort effort) {
  struct program_counterexample *kept = &s->result->best;
  for (size_t i = 0; i < s->starts.len && i < most && !best->violates; i++) {
    if (score_is_enough(*best, effort.enough)) break;
    struct start *start = &s->starts.at[i];
    search_improve(s, &start->ce, &start->score, effort);
    if (!score_better(start->score, *best)) continue;
    *best = start->score;
    program_counterexample_copy(kept, &start->ce);
  }
}

/* Only a certified counterexample refutes; a failed attempt leaves the claim undecided. */
static bool try_to_refute(struct search *s, struct score best, const struct budget *outer) {
  struct budget last = last_moments(outer);
  if (!best.violates || !program_certify(&s->result->best, s->claim, &last, &s->result->why))
    return false;
  conclude_refuted(s, best, outer);
  return true;
}

/* Shows the state to the watch when it is due, after a local search of fixed effort; false: it has
 * seen enough. */
static bool show(struct search *s, struct score *best, const struct program_watch **watch) {
  if (!*watch || s->result->tried < (*watch)->pairs || best->violates || budget_is_spent(s->budget))
    return true;
  if (s->evaluated && best->loss < TIGHT) { /* a proof may be waiting for this: little effort */
    search_improve(s, &s->result->best, best, (struct effort){50, 10, s->budget, TIGHT});
    improve_from_starts(s, best, 3, (struct effort){15, 6, s->budget, TIGHT});
  }
  if (best->violates || budget_is_spent(s->budget))
    return true; /* what is left goes on from here */
  struct budget last = last_moments(s->budget);
  note_lower(s, *best, &last);
  bool go_on = (*watch)->call((*watch)->context, s->result);
  *watch = NULL;
  return go_on;
}

/* The settings from..to-1 in one stage. False: the watch has seen enough. */
static bool search_stage(struct search *s, const setting_list *settings, size_t from, size_t to,
                         enum candidate_stage stage, struct score *best,
                         const struct program_watch **watch) {
  const struct ast_routine *routine = s->claim->claim->as.claim.target->as.mechanism.routine;
  struct trial t = {s->instance, NULL, stage, routine->arg_count};
  for (size_t i = from; i < to && i < settings->len; i++) {
    if (best->violates || budget_is_spent(s->budget)) break;
    if (is_hopeless(s)) break;
    t.setting = &settings->at[i];
    *best = search_setting(s, &t, *best);
    if (!show(s, best, watch)) return false;
  }
  return true;
}

struct step {
  size_t from, to; /* settings */
  enum candidate_stage stage;
  bool use_constants;
  double share;   /* of the time that is left */
  double improve; /* then a local search, for that share of the time */
};

/* Small changes to what was found so far often get there sooner than further candidates. */
static void improve_for(struct search *s, struct score *best, double share) {
  if (share <= 0 || !s->evaluated || best->violates) return;
  struct budget part = budget_part(s->budget, share);
  improve_from_starts(s, best, MOST_STARTS, (struct effort){100, LONGEST, &part, 0});
  search_improve(s, &s->result->best, best, (struct effort){400, LONGEST, &part, 0});
}

/* Small settings first, and for the smallest everything before the plain pairs of large ones; these
 * before everything for the next ones. */
static bool search_all(struct search *s, const setting_list *settings, struct score *best,
                       const struct program_watch *watch) {
  size_t first = s->length ? FIRST_SETTINGS : FIRST_SCALARS;
  const struct step plan[] = {
      {0, first, CANDIDATES_PLAIN, false, 1, 0},
      {0, 1, CANDIDATES_NEAR, false, 0.2, 0},
      {0, 1, CANDIDATES_WIDE, false, 0.2, 0},
      {0, 2, CANDIDATES_PLAIN, true, 0.2, 0},
      {0, 1, CANDIDATES_MIXED, false, 0.2, 0},
      {first, FIRST_SETTINGS, CANDIDATES_PLAIN, false, 1, 0},
      {FIRST_SETTINGS, SIZE_MAX, CANDIDATES_PLAIN, false, 0.5, 0.25},
      {1, NEXT_SETTINGS, CANDIDATES_NEAR, false, 0.4, 0},
      {1, NEXT_SETTINGS, CANDIDATES_WIDE, false, 0.4, 0},
      {1, NEXT_SETTINGS, CANDIDATES_MIXED, false, 0.4, 0},
      {2, NEXT_SETTINGS, CANDIDATES_PLAIN, true, 0.4, 0},
      {0, 1, CANDIDATES_NEAR, true, 0.5, 0},
      {NEXT_SETTINGS, SIZE_MAX, CANDIDATES_NEAR, false, 0.5, 0},
      {NEXT_SETTINGS, SIZE_MAX, CANDIDATES_WIDE, false, 0.5, 0},
      {NEXT_SETTINGS, SIZE_MAX, CANDIDATES_MIXED, false, 1, 0},
  };
  const struct budget *whole = s->budget;
  bool go_on = true;
  for (size_t i = 0; go_on && i < sizeof plan / sizeof *plan && !best->violates; i++) {
    if (plan[i].use_constants && !s->must_sample) continue;
    struct budget part = budget_part(whole, plan[i].share);
    s->budget = plan[i].share < 1 ? &part : whole;
    s->use_constants = plan[i].use_constants;
    go_on = search_stage(s, settings, plan[i].from, plan[i].to, plan[i].stage, best, &watch);
    s->budget = whole;
    if (go_on) improve_for(s, best, plan[i].improve);
  }
  return go_on;
}

/* The meanings that are made up here, one after the other; the first with a violation stays. */
static bool search_interpretations(struct search *s, const setting_list *settings,
                                   struct score *best, const struct program_watch *watch) {
  struct lang *lang = s->claim->lang;
  const struct budget *whole = s->budget;
  bool go_on = true;
  for (size_t k = 0; go_on && k < INTERPRETATIONS && !best->violates; k++) {
    struct diag_mark mark = diags_mark(&lang->diags);
    char *text = interpret_text(s->claim, k);
    const struct ast_decl *instance =
        text ? check_interpretation(lang, s->claim->module, text) : NULL;
    diags_rollback(&lang->diags, mark);
    if (instance) {
      struct budget part = budget_part(whole, 1.0 / (double)(INTERPRETATIONS - k));
      s->instance = instance;
      s->interpretation = arena_printf(&lang->arena, "%s", text);
      s->budget = &part;
      go_on = search_all(s, settings, best, watch);
      s->budget = whole;
    }
    free(text);
  }
  return go_on;
}

static void look_for_while(const struct ast_block *block, bool *found) {
  for (size_t i = 0; i < block->count; i++) {
    const struct ast_stmt *s = block->stmts[i];
    if (s->kind == STMT_WHILE) *found = true;
    if (s->kind == STMT_IF) look_for_while(&s->as.branch.then, found);
    if (s->kind == STMT_IF) look_for_while(&s->as.branch.otherwise, found);
    if (s->kind == STMT_FOR) look_for_while(&s->as.range.body, found);
  }
}

void program_refute_watched(struct program_result *result, const struct program_claim *claim,
                            const struct budget *budget, const struct program_watch *watch) {
  if (claim->claim->as.claim.formula) {
    accuracy_refute(result, claim, instance_for(claim), budget);
    return;
  }
  struct budget first = budget_part(budget, 0.6);
  struct search s = {.claim = claim,
                     .budget = &first,
                     .result = result,
                     .instance = instance_for(claim),
                     .length = candidate_length(claim)};
  struct score best = NO_SCORE;
  setting_list settings = {0};
  bool interprets = !s.instance && interpret_is_needed(claim);
  candidate_settings(&settings, claim, s.instance, &s.no_inputs);
  look_for_while(&claim->claim->as.claim.target->as.mechanism.routine->body, &s.has_while);
  result->length = s.length;
  s.first = settings.len ? &settings.at[0] : NULL;
  bool go_on = interprets ? search_interpretations(&s, &settings, &best, watch)
                          : search_all(&s, &settings, &best, watch);
  if (go_on && !try_to_refute(&s, best, budget)) {
    struct budget second = budget_part(budget, 0.6);
    if (s.evaluated && !best.violates) {
      double enough = watch ? TIGHT : 0;
      improve_from_starts(&s, &best, MOST_STARTS, (struct effort){100, LONGEST, &second, enough});
      search_improve(&s, &result->best, &best, (struct effort){SIZE_MAX, LONGEST, &second, enough});
    }
    if (!try_to_refute(&s, best, budget)) {
      conclude_open(&s, best, budget);
      refute_late(&s, best, budget);
    }
  }
  setting_list_clear(&settings);
  lengths_clear(&s);
  starts_clear(&s);
  hints_clear(&s);
  forget_laws(&s);
  sampler_unref(s.sampler);
  free(s.obstacle);
  free(s.no_inputs);
}

void program_refute(struct program_result *result, const struct program_claim *claim,
                    const struct budget *budget) {
  program_refute_watched(result, claim, budget, NULL);
}
