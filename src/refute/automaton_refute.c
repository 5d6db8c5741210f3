#include "refute/automaton_refute.h"

#include <string.h>

#include "base/alloc.h"
#include "num/rational.h"
#include "refute/shift_search.h"

/* ---- one attempt ---------------------------------------------------------------------------- */

/* How the windows of emitted samples are laid. The tie is where all samples meet in run 1. */
enum window_style {
  WINDOW_HALF_LINE, /* from the tie away from where run 2 moves: easy to read */
  WINDOW_NARROW,    /* the tie, within width on either side */
  WINDOW_STYLES
};

/* Free choices of an attempt at a path with given differences. */
struct attempt {
  const struct shift_path *path;
  fmpq_t eps;
  fmpq_t away;  /* run 1 starts at tie + away * Delta, run 2 at tie + (away + 1) * Delta */
  fmpq_t width; /* of narrow windows, to each side */
  enum window_style style;
  /* heuristics, not evidence: */
  double best_loss; /* seen with any of these choices at this eps */
  double slack;     /* what distance from the tie may add to the loss */
};

static void attempt_init(struct attempt *t, const struct shift_path *path) {
  t->path = path;
  t->style = WINDOW_HALF_LINE;
  t->best_loss = 0;
  t->slack = 1e9;
  fmpq_init(t->eps);
  fmpq_init(t->away);
  fmpq_init(t->width);
  fmpq_one(t->eps);
}

static void attempt_set_eps(struct attempt *t, slong eps) {
  fmpq_set_si(t->eps, eps, 1);
  fmpq_set_si(t->width, 1, 10 * (ulong)eps);
}

static void attempt_clear(struct attempt *t) {
  fmpq_clear(t->eps);
  fmpq_clear(t->away);
  fmpq_clear(t->width);
}

/* Where the samples meet: non-input states cannot be moved, so the first of them decides. */
static void tie_of(fmpq_t tie, const struct automaton *a, const struct shift_path *path) {
  fmpq_zero(tie);
  for (size_t i = 0; i < path->edges.len; i++) {
    const struct automaton_state *state = &a->states.at[a->edges.at[path->edges.at[i]].from];
    if (state->is_input) continue;
    fmpq_set(tie, automaton_value(a, state->mean));
    return;
  }
}

static void set_window(struct automaton_event *event, const fmpq_t middle, int delta,
                       const struct attempt *t) {
  if (t->style == WINDOW_HALF_LINE && delta == 0) return; /* any value */
  event->kind = EVENT_WINDOW;
  event->low.side = t->style == WINDOW_HALF_LINE && delta > 0 ? -1 : 0;
  event->high.side = t->style == WINDOW_HALF_LINE && delta < 0 ? 1 : 0;
  fmpq_set(event->low.at, middle);
  fmpq_set(event->high.at, middle);
  if (t->style == WINDOW_NARROW) {
    fmpq_sub(event->low.at, event->low.at, t->width);
    fmpq_add(event->high.at, event->high.at, t->width);
  }
}

/* The queries of an attempt, as a path; the outputs are derived from it when it is certified. */
static void build_queries(const struct automaton *a, const struct attempt *t,
                          struct automaton_query *first, struct automaton_query *second) {
  fmpq_t tie, offset, one_sided;
  fmpq_init(tie);
  fmpq_init(offset);
  fmpq_init(one_sided);
  tie_of(tie, a, t->path);
  automaton_query_init(first, a, true);
  fmpq_set(first->eps, t->eps);
  for (size_t i = 0; i < t->path->edges.len; i++) {
    const struct automaton_edge *edge = &a->edges.at[t->path->edges.at[i]];
    const struct automaton_state *state = &a->states.at[edge->from];
    int delta = t->path->deltas.at[i];
    struct automaton_step *step = automaton_query_push(first, t->path->edges.at[i]);
    if (state->is_input) {
      fmpq_set(step->input, t->away);
      if (delta < 0) fmpq_neg(step->input, step->input);
      if (delta == 0) fmpq_zero(step->input);
      fmpq_add(step->input, step->input, tie);
      fmpq_sub(step->input, step->input, automaton_value(a, state->mean));
    }
    if (edge->emit == EMIT_INSAMPLE) set_window(&step->event, tie, delta, t);
    if (edge->emit == EMIT_PRIME) { /* on its own: a half-line loses nothing */
      struct attempt half = *t;
      half.style = WINDOW_HALF_LINE;
      fmpq_add(one_sided, step->input, automaton_value(a, state->mean2));
      set_window(&step->event, one_sided, delta, &half);
    }
  }
  automaton_query_copy(second, first);
  for (size_t i = 0; i < second->steps.len; i++) {
    fmpq_set_si(offset, t->path->deltas.at[i], 1);
    fmpq_add(second->steps.at[i].input, second->steps.at[i].input, offset);
  }
  fmpq_clear(tie);
  fmpq_clear(offset);
  fmpq_clear(one_sided);
}

/* ln(p1/p2)/eps along the path alone, to a few digits; not finite if it cannot be had. */
static void path_loss(arb_t out, const struct automaton_query *first,
                      const struct automaton_query *second, const struct budget *budget) {
  struct probability p1, p2;
  /* starting high saves attempts: below 400 bits the time hardly depends on the precision */
  struct ball_goal goal = {.digits = 8, .start = 256, .max = 16384, .budget = budget};
  probability_init(&p1);
  probability_init(&p2);
  automaton_probability(&p1, first, goal);
  if (p1.status == PROBABILITY_OK && ball_is_positive(p1.value))
    automaton_probability(&p2, second, goal);
  arb_div(out, p1.value, p2.value, 128);
  arb_log(out, out, 128);
  arb_mul_fmpz(out, out, fmpq_denref(first->eps), 128);
  arb_div_fmpz(out, out, fmpq_numref(first->eps), 128);
  probability_clear(&p1);
  probability_clear(&p2);
}

/* Does the ball certainly lie above the number? */
static bool is_above(const arb_t ball, const fmpq_t number) {
  arb_t bound;
  arb_init(bound);
  arb_set_fmpq(bound, number, 256);
  bool above = arb_is_finite(ball) && ball_is_less(bound, ball);
  arb_clear(bound);
  return above;
}

/* Certifies the pair of path queries as a counterexample to `claimed`; fills `out` if it is one. */
static bool certify_into(struct automaton_counterexample *out, const struct automaton_query *first,
                         const struct automaton_query *second, const fmpq_t claimed,
                         const struct budget *budget) {
  struct automaton_counterexample ce;
  automaton_counterexample_init(&ce, first->automaton);
  automaton_query_clear(&ce.first);
  automaton_query_clear(&ce.second);
  automaton_query_output_of(&ce.first, first);
  automaton_query_output_of(&ce.second, second);
  fmpq_set(ce.eps, first->eps);
  fmpq_set(ce.claimed, claimed);
  for (size_t i = 0; i < first->steps.len; i++)
    vec_push(&ce.path, first->steps.at[i].what);
  ce.iterations = out->iterations;
  bool ok = automaton_certify(&ce, budget, NULL);
  if (ok) {
    struct automaton_counterexample old = *out;
    *out = ce;
    ce = old;
  }
  automaton_counterexample_clear(&ce);
  return ok;
}

/* The certified loss as an exact number below it, or a negative one. */
static void certified_loss(fmpq_t out, const struct automaton_counterexample *ce) {
  fmpq_set_si(out, -1, 1);
  if (ce->is_certified && arb_is_finite(ce->loss)) ball_lower(out, ce->loss);
}

/* ---- search over the free choices ------------------------------------------------------------ */

/* Tries one attempt against the claim; a hit is certified into `out`. */
static bool try_attempt(struct automaton_counterexample *out, const struct automaton *a,
                        struct attempt *t, const fmpq_t claimed, const struct budget *budget) {
  struct automaton_query first, second;
  arb_t loss;
  arb_init(loss);
  build_queries(a, t, &first, &second);
  path_loss(loss, &first, &second, budget);
  double middle = arf_get_d(arb_midref(loss), ARF_RND_NEAR);
  if (arb_is_finite(loss) && middle > t->best_loss) t->best_loss = middle;
  bool ok = is_above(loss, claimed) && certify_into(out, &first, &second, claimed, budget);
  arb_clear(loss);
  automaton_query_clear(&first);
  automaton_query_clear(&second);
  return ok;
}

static bool emits_insample(const struct automaton *a, const struct shift_path *path) {
  for (size_t i = 0; i < path->edges.len; i++)
    if (a->edges.at[path->edges.at[i]].emit == EMIT_INSAMPLE) return true;
  return false;
}

/* Can inputs move every sample of the path to one point? */
static bool is_tied(const struct automaton *a, const struct shift_path *path) {
  fmpq_t tie;
  bool tied = true;
  fmpq_init(tie);
  tie_of(tie, a, path);
  for (size_t i = 0; i < path->edges.len && tied; i++) {
    const struct automaton_state *state = &a->states.at[a->edges.at[path->edges.at[i]].from];
    tied = state->is_input || fmpq_equal(automaton_value(a, state->mean), tie);
  }
  fmpq_clear(tie);
  return tied;
}

static const int away_steps[] = {0, 1, 2, 5, 10};
static const int eps_ladder[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
enum {
  AWAY_COUNT = sizeof away_steps / sizeof *away_steps,
  EPS_COUNT = sizeof eps_ladder / sizeof *eps_ladder
};

/* All styles of windows at one distance from the tie. */
static bool try_styles(struct automaton_counterexample *out, const struct automaton *a,
                       struct attempt *t, fmpq_t claimed, bool is_climbing,
                       const struct budget *budget) {
  int styles = emits_insample(a, t->path) ? WINDOW_STYLES : 1, hit = -1;
  for (int m = 0; m < styles && (is_climbing || hit < 0); m++) {
    t->style = (enum window_style)m;
    if (budget_is_spent(budget) || !try_attempt(out, a, t, claimed, budget)) continue;
    hit = m;
    if (is_climbing) certified_loss(claimed, out);
  }
  t->style = (enum window_style)(hit < 0 ? 0 : hit);
  return hit >= 0;
}

/* All distances from the tie and styles of windows, at one eps. Stops at the first success, or goes
 * on with what it certified as the claim to beat (`is_climbing`); the attempt is left with the
 * choices of the last success. The loss grows with the distance, less and less: when it would have
 * to grow much faster than it does, the rest is not tried. */
static bool try_eps(struct automaton_counterexample *out, const struct automaton *a,
                    struct attempt *t, fmpq_t claimed, bool is_climbing,
                    const struct budget *budget) {
  int count = is_tied(a, t->path) ? 1 : AWAY_COUNT, hit = 0;
  enum window_style style = WINDOW_HALF_LINE;
  bool ok = false;
  double before = 0;
  t->best_loss = 0;
  for (int k = 0; k < count && (is_climbing || !ok); k++) {
    fmpq_set_si(t->away, away_steps[k], 1);
    if (try_styles(out, a, t, claimed, is_climbing, budget)) {
      ok = true;
      hit = k;
      style = t->style;
    }
    double hope = k > 0 ? 4 * (t->best_loss - before) : 1.2 * t->slack;
    if (t->best_loss + hope < rational_double(claimed)) break;
    before = t->best_loss;
  }
  fmpq_set_si(t->away, away_steps[hit], 1);
  t->style = style;
  return ok;
}

/* ---- candidates ------------------------------------------------------------------------------ */

static const size_t round_ladder[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};
enum {
  ROUND_COUNT = sizeof round_ladder / sizeof *round_ladder,
  PATH_DEPTH = 80,
  CANDIDATES_MAX = 64
};

/* A path to follow, with marked cycles: the walk of the decision, or the most expensive path of the
 * cost search, whose differences are known. */
struct guide_step {
  uint32_t edge, cycle; /* cycle 0: once; equal numbers: repeated together */
  int delta;
};
typedef VEC(struct guide_step) guide;

/* The cycles of a path: where a state comes back. The shortest ones, from the left. */
static void mark_cycles(guide *g, const struct automaton *a) {
  uint32_t cycle = 0;
  for (size_t end = 0, free_from = 0; end < g->len; end++) {
    uint32_t state = a->edges.at[g->at[end].edge].to;
    for (size_t begin = end + 1; begin-- > free_from;) {
      if (a->edges.at[g->at[begin].edge].from != state) continue;
      cycle++;
      for (size_t k = begin; k <= end; k++)
        g->at[k].cycle = cycle;
      free_from = end + 1;
      break;
    }
  }
}

static void guide_from(guide *g, const struct automaton *a,
                       const struct automaton_result *analysis) {
  if (!analysis) return;
  if (analysis->verdict == AUTOMATON_NOT_PRIVATE) {
    for (size_t i = 0; i < analysis->walk.steps.len; i++) {
      const struct walk_step *step = &analysis->walk.steps.at[i];
      vec_push(g, (struct guide_step){step->edge, step->cycle, 0});
    }
  } else if (analysis->verdict == AUTOMATON_PRIVATE) {
    for (size_t i = 0; i < analysis->worst.len; i++)
      vec_push(g, (struct guide_step){analysis->worst.at[i].edge, 0, analysis->worst.at[i].delta});
    mark_cycles(g, a);
  }
}

/* Candidate paths of increasing cost; those of a guide are made on demand. */
struct candidates {
  const struct automaton *a;
  const guide *guide; /* NULL: all candidates are there */
  bool has_deltas;    /* the guide knows its differences */
  shift_paths paths;
  VEC(size_t) rounds; /* of each path; 0 without a guide */
  size_t next_round;
  const struct budget *budget;
};

static size_t cycle_end(const guide *g, size_t begin) {
  size_t end = begin + 1;
  while (end < g->len && g->at[end].cycle == g->at[begin].cycle)
    end++;
  return end;
}

static void unroll(const guide *g, size_t rounds, struct shift_path *path) {
  for (size_t i = 0; i < g->len;) {
    size_t end = g->at[i].cycle ? cycle_end(g, i) : i + 1;
    for (size_t n = 0; n < (g->at[i].cycle ? rounds : 1); n++)
      for (size_t k = i; k < end; k++) {
        vec_push(&path->edges, g->at[k].edge);
        vec_push(&path->deltas, (signed char)g->at[k].delta);
      }
    i = end;
  }
}

/* The next path of the guide with more rounds; false when there is none. The differences are the
 * worst ones, or, with too many variables for that, those of the guide (whose cost is then taken to
 * be without bound: it only serves to prune). */
static bool more_rounds(struct candidates *c) {
  const char *why;
  if (!c->guide || c->next_round == ROUND_COUNT || budget_is_spent(c->budget)) return false;
  struct shift_path path, priced;
  size_t rounds = round_ladder[c->next_round++];
  shift_path_init(&path);
  shift_path_init(&priced);
  unroll(c->guide, rounds, &path);
  bool ok = path.edges.len <= SHIFT_DEPTH_MAX;
  if (ok && shift_search_deltas(&priced, c->a, path.edges.at, path.edges.len, c->budget, &why)) {
    struct shift_path swap = path;
    path = priced;
    priced = swap;
  } else if (c->has_deltas) {
    fmpq_set_si(path.cost, 1000000, 1);
  } else {
    ok = false;
  }
  if (ok) {
    vec_push(&c->paths, path);
    vec_push(&c->rounds, rounds);
  } else {
    shift_path_clear(&path);
    c->next_round = ROUND_COUNT;
  }
  shift_path_clear(&priced);
  return ok;
}

/* Candidate number i, or NULL. */
static const struct shift_path *candidate(struct candidates *c, size_t i) {
  while (i >= c->paths.len)
    if (!more_rounds(c)) return NULL;
  return &c->paths.at[i];
}

static void candidates_init_guided(struct candidates *c, const struct automaton *a, const guide *g,
                                   const struct automaton_result *analysis,
                                   const struct budget *budget) {
  *c = (struct candidates){.a = a, .guide = g, .budget = budget};
  c->has_deltas = analysis->verdict == AUTOMATON_PRIVATE;
}

static bool candidates_init_free(struct candidates *c, const struct automaton *a,
                                 const fmpq_t target, const struct budget *budget,
                                 const char **why) {
  *c = (struct candidates){.a = a, .budget = budget};
  if (!shift_search(&c->paths, a, PATH_DEPTH, target, 12, budget, why)) return false;
  for (size_t i = 0; i < c->paths.len; i++)
    vec_push(&c->rounds, 0);
  return true;
}

static void candidates_clear(struct candidates *c) {
  shift_paths_clear(&c->paths);
  vec_clear(&c->rounds);
}

/* ---- making it smaller ------------------------------------------------------------------------
 */

/* Replaces the attempt's eps by a smaller whole number or 1/2, ... while it still works. */
static void shrink_eps(struct automaton_counterexample *out, const struct automaton *a,
                       struct attempt *t, fmpq_t claimed, const struct budget *budget) {
  slong high = fmpz_get_si(fmpq_numref(t->eps)), low = high / 2; /* low failed, or is 0 */
  if (!fmpz_is_one(fmpq_denref(t->eps))) return;
  while (high - low > 1 && !budget_is_spent(budget)) {
    slong middle = low + (high - low) / 2;
    attempt_set_eps(t, middle);
    if (try_eps(out, a, t, claimed, false, budget))
      high = middle;
    else
      low = middle;
  }
  attempt_set_eps(t, high);
}

/* Fewer differing inputs read better: undo the differences of whole groups of steps (same edge and
 * same Delta), then of single steps when there are few. */
static void shrink_deltas(struct automaton_counterexample *out, const struct automaton *a,
                          struct attempt *t, struct shift_path *path, const fmpq_t claimed,
                          const struct budget *budget) {
  size_t length = path->edges.len;
  signed char *saved = xmalloc(length + 1);
  bool single = length <= 24;
  for (int pass = 0; pass < 1 + single; pass++)
    for (size_t i = 0; i < length && !budget_is_spent(budget); i++) {
      if (path->deltas.at[i] == 0) continue;
      memcpy(saved, path->deltas.at, length);
      uint32_t edge = path->edges.at[i];
      signed char delta = path->deltas.at[i];
      for (size_t k = i; k < length; k++)
        if (k == i || (pass == 0 && path->edges.at[k] == edge && path->deltas.at[k] == delta))
          path->deltas.at[k] = 0;
      if (!try_attempt(out, a, t, claimed, budget)) memcpy(path->deltas.at, saved, length);
    }
  free(saved);
}

/* The widest window of a round size. */
static void shrink_window(struct automaton_counterexample *out, const struct automaton *a,
                          struct attempt *t, const fmpq_t claimed, const struct budget *budget) {
  static const ulong parts[] = {1, 2, 4, 5, 10, 20, 50, 100, 200, 500, 1000};
  if (t->style != WINDOW_NARROW) return;
  fmpq_t found;
  fmpq_init(found);
  fmpq_set(found, t->width);
  for (size_t i = 0; i < sizeof parts / sizeof *parts && !budget_is_spent(budget); i++) {
    fmpq_set_si(t->width, 1, parts[i]);
    if (fmpq_cmp(t->width, found) < 0) break;
    if (try_attempt(out, a, t, claimed, budget)) {
      fmpq_set(found, t->width);
      break;
    }
  }
  fmpq_set(t->width, found);
  fmpq_clear(found);
}

static void shrink(struct automaton_counterexample *out, const struct automaton *a,
                   struct attempt *t, fmpq_t claimed, const struct budget *budget) {
  struct budget slice = budget_slice(budget, 1);
  struct shift_path copy;
  shrink_eps(out, a, t, claimed, &slice);
  /* try_eps may have left other choices behind: restore those of the hit */
  if (!try_eps(out, a, t, claimed, false, &slice)) return;
  shift_path_init(&copy);
  for (size_t i = 0; i < t->path->edges.len; i++) {
    vec_push(&copy.edges, t->path->edges.at[i]);
    vec_push(&copy.deltas, t->path->deltas.at[i]);
  }
  t->path = &copy;
  shrink_deltas(out, a, t, &copy, claimed, &slice);
  shrink_window(out, a, t, claimed, &slice);
  shift_path_clear(&copy);
}

/* ---- the two searches ------------------------------------------------------------------------ */

/* What the search has learnt: loss = cost - slack - overhead/eps. The overhead (in nats) grows with
 * the length of the path; the slack is lost where samples cannot be tied, and regained by moving
 * away from the tie. */
struct overheads {
  double of[CANDIDATES_MAX]; /* by candidate; negative: not tried yet */
  double per_step;
  double slack; /* negative: not known */
  bool is_tried[CANDIDATES_MAX][EPS_COUNT];
};

/* Would the claim fall, if the overhead were `factor` times what is expected? Factors below 1 also
 * hope for the slack. */
static bool is_promising(const struct overheads *o, size_t i, const struct shift_path *path,
                         double eps, const fmpq_t d, double factor) {
  double overhead = o->of[i] >= 0 ? o->of[i] : o->per_step * (double)path->edges.len;
  double cost = rational_double(path->cost) - (factor > 1 && o->slack > 0 ? o->slack : 0);
  return cost - factor * overhead / eps > rational_double(d);
}

static void learn(struct overheads *o, size_t i, const struct shift_path *path, double eps,
                  double loss) {
  double cost = rational_double(path->cost) - (o->slack > 0 ? o->slack : 0);
  double overhead = (cost - loss) * eps;
  o->of[i] = overhead > 0 ? overhead : 0;
  o->per_step = o->of[i] / (double)path->edges.len;
}

/* One candidate at one eps; a hit is made smaller. */
static bool search_at(struct automaton_counterexample *out, struct candidates *c, size_t i,
                      size_t j, struct overheads *o, fmpq_t d) {
  struct attempt t;
  attempt_init(&t, &c->paths.at[i]);
  if (o->slack >= 0) t.slack = o->slack;
  attempt_set_eps(&t, eps_ladder[j]);
  out->iterations = c->rounds.at[i];
  o->is_tried[i][j] = true;
  bool ok = try_eps(out, c->a, &t, d, false, c->budget);
  learn(o, i, t.path, eps_ladder[j], t.best_loss);
  if (ok) shrink(out, c->a, &t, d, c->budget);
  attempt_clear(&t);
  return ok;
}

/* Paths that are too cheap to refute the claim are short: two looks at one tell the overhead. */
static void learn_from_cheap(struct candidates *c, struct overheads *o, const fmpq_t d) {
  const struct shift_path *path = NULL;
  size_t i = 0;
  while (i < CANDIDATES_MAX && candidate(c, i) && fmpq_cmp(candidate(c, i)->cost, d) <= 0)
    i++;
  if (i == 0) return;
  path = candidate(c, (i - 1) / 2);
  struct automaton_counterexample unused;
  struct attempt t;
  double loss[2];
  fmpq_t claimed;
  fmpq_init(claimed);
  fmpq_set(claimed, d);
  automaton_counterexample_init(&unused, c->a);
  attempt_init(&t, path);
  for (int k = 0; k < 2; k++) {
    attempt_set_eps(&t, k ? 16 : 1);
    t.best_loss = 0;
    try_styles(&unused, c->a, &t, claimed, false, c->budget);
    loss[k] = t.best_loss;
  }
  double slack = rational_double(path->cost) - (16 * loss[1] - loss[0]) / 15;
  o->slack = slack > 0.01 ? slack : 0;
  learn(o, (i - 1) / 2, path, 1, loss[0]);
  fmpq_clear(claimed);
  attempt_clear(&t);
  automaton_counterexample_clear(&unused);
}

/* Short paths with small eps first: candidate i at eps number j, by increasing i + j; first only
 * what should succeed, in the end everything. */
static bool search(struct automaton_counterexample *out, struct candidates *c, fmpq_t d) {
  static const double factors[] = {1.15, 0.8, 0};
  struct overheads o = {.slack = -1};
  bool ok = false;
  for (size_t i = 0; i < CANDIDATES_MAX; i++)
    o.of[i] = -1;
  learn_from_cheap(c, &o, d);
  for (int pass = 0; pass < 3 && !ok; pass++) {
    if (factors[pass] == 0 && o.slack >= 0) { /* forget the guesses, start again */
      o.slack = -1;
      memset(o.is_tried, 0, sizeof o.is_tried);
    }
    for (size_t level = 0; level < EPS_COUNT + CANDIDATES_MAX && !ok; level++)
      for (size_t i = 0; i <= level && i < CANDIDATES_MAX && !ok; i++) {
        size_t j = level - i;
        if (j >= EPS_COUNT || o.is_tried[i][j]) continue;
        const struct shift_path *path = candidate(c, i);
        if (!path || budget_is_spent(c->budget)) break;
        if (fmpq_cmp(path->cost, d) <= 0) continue; /* its loss is below its cost */
        if (is_promising(&o, i, path, eps_ladder[j], d, factors[pass]))
          ok = search_at(out, c, i, j, &o, d);
      }
  }
  return ok;
}

static enum refute_status outcome(bool found, const char *why, const struct budget *budget) {
  if (found) return REFUTE_FOUND;
  if (budget_is_spent(budget)) return REFUTE_TIMEOUT;
  return why ? REFUTE_LIMIT : REFUTE_NONE;
}

enum refute_status automaton_refute(struct automaton_counterexample *out, const struct automaton *a,
                                    const struct automaton_result *analysis, const fmpq_t d,
                                    const struct budget *budget, const char **why) {
  struct candidates c;
  guide g = {0};
  fmpq_t claimed;
  bool found = false;
  *why = NULL;
  fmpq_init(claimed);
  fmpq_set(claimed, d);
  guide_from(&g, a, analysis);
  if (g.len) {
    struct budget slice = budget_part(budget, 0.6);
    candidates_init_guided(&c, a, &g, analysis, &slice);
    found = search(out, &c, claimed);
    candidates_clear(&c);
  }
  if (!found) {
    found = candidates_init_free(&c, a, d, budget, why) && search(out, &c, claimed);
    candidates_clear(&c);
  }
  vec_clear(&g);
  fmpq_clear(claimed);
  return outcome(found, *why, budget);
}

/* The most expensive path first; shorter ones only matter when it is too slow. */
static void climb(struct automaton_counterexample *out, struct candidates *c, fmpq_t best,
                  const fmpq_t enough) {
  for (size_t i = c->paths.len; i-- > 0;) {
    struct attempt t;
    attempt_init(&t, &c->paths.at[i]);
    for (size_t j = 0; j < EPS_COUNT && !budget_is_spent(c->budget); j++) {
      if (fmpq_cmp(c->paths.at[i].cost, best) <= 0) break;
      if (fmpq_sgn(enough) > 0 && fmpq_cmp(best, enough) >= 0) break;
      attempt_set_eps(&t, eps_ladder[j]);
      out->iterations = c->rounds.at[i];
      try_eps(out, c->a, &t, best, true, c->budget);
    }
    attempt_clear(&t);
  }
}

enum refute_status automaton_lower_bound(struct automaton_counterexample *out,
                                         const struct automaton *a,
                                         const struct automaton_result *analysis,
                                         const struct budget *budget, const char **why) {
  struct candidates c;
  guide g = {0};
  fmpq_t best, enough;
  *why = NULL;
  fmpq_init(best);
  fmpq_init(enough);
  if (analysis && analysis->verdict == AUTOMATON_PRIVATE) {
    fmpq_set_si(enough, 99, 100);
    fmpq_mul(enough, enough, analysis->upper);
  }
  certified_loss(best, out);
  guide_from(&g, a, analysis);
  if (g.len) {
    struct budget slice = budget_part(budget, 0.6);
    candidates_init_guided(&c, a, &g, analysis, &slice);
    while (c.paths.len < 4 && more_rounds(&c))
      ;
    climb(out, &c, best, enough);
    candidates_clear(&c);
  }
  if (fmpq_sgn(enough) <= 0 || fmpq_cmp(best, enough) < 0) {
    if (candidates_init_free(&c, a, NULL, budget, why)) climb(out, &c, best, enough);
    candidates_clear(&c);
  }
  vec_clear(&g);
  fmpq_clear(best);
  fmpq_clear(enough);
  return outcome(out->is_certified, *why, budget);
}
