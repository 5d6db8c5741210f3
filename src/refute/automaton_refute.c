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
  double best_loss; /* seen with any of these choices at this eps; a heuristic, not evidence */
};

static void attempt_init(struct attempt *t, const struct shift_path *path) {
  t->path = path;
  t->style = WINDOW_HALF_LINE;
  t->best_loss = 0;
  fmpq_init(t->eps);
  fmpq_init(t->away);
  fmpq_init(t->width);
  fmpq_one(t->eps);
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
  struct ball_goal goal = {.digits = 8, .max = 16384, .budget = budget};
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

/* All styles of windows and distances from the tie, at one eps. Stops at the first success, or
 * goes on with what it certified as the claim to beat (`is_climbing`); the attempt is left with the
 * choices of the last success. */
static bool try_eps(struct automaton_counterexample *out, const struct automaton *a,
                    struct attempt *t, fmpq_t claimed, bool is_climbing,
                    const struct budget *budget) {
  bool tied = is_tied(a, t->path), emits = emits_insample(a, t->path), ok = false;
  int away = 0, style = 0;
  t->best_loss = 0;
  fmpq_inv(t->width, t->eps);
  fmpq_div_fmpz(t->width, t->width, (fmpz[]){10});
  for (int k = 0; k < (tied ? 1 : AWAY_COUNT) && (is_climbing || !ok); k++)
    for (int m = 0; m < (emits ? WINDOW_STYLES : 1) && (is_climbing || !ok); m++) {
      fmpq_set_si(t->away, away_steps[k], 1);
      t->style = (enum window_style)m;
      if (budget_is_spent(budget) || !try_attempt(out, a, t, claimed, budget)) continue;
      ok = true;
      away = k;
      style = m;
      if (is_climbing) certified_loss(claimed, out);
    }
  fmpq_set_si(t->away, away_steps[away], 1);
  t->style = (enum window_style)style;
  return ok;
}

/* ---- candidates ------------------------------------------------------------------------------ */

static const size_t round_ladder[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};
enum {
  ROUND_COUNT = sizeof round_ladder / sizeof *round_ladder,
  PATH_DEPTH = 80,
  CANDIDATES_MAX = 64
};

/* Candidate paths of increasing cost; those of a walk are made on demand. */
struct candidates {
  const struct automaton *a;
  const struct refute_walk *walk;
  shift_paths paths;
  VEC(size_t) rounds; /* of each path; 0 without a walk */
  size_t next_round;
  const struct budget *budget;
};

static size_t cycle_end(const struct refute_walk *walk, size_t begin) {
  size_t end = begin + 1;
  while (end < walk->count && walk->steps[end].cycle == walk->steps[begin].cycle)
    end++;
  return end;
}

static void unroll(const struct refute_walk *walk, size_t rounds, edge_path *path) {
  for (size_t i = 0; i < walk->count;) {
    size_t end = walk->steps[i].cycle ? cycle_end(walk, i) : i + 1;
    for (size_t n = 0; n < (walk->steps[i].cycle ? rounds : 1); n++)
      for (size_t k = i; k < end; k++)
        vec_push(path, walk->steps[k].edge);
    i = end;
  }
}

/* The next path of the walk with more rounds; false when there is none. */
static bool more_rounds(struct candidates *c) {
  const char *why;
  if (!c->walk || c->next_round == ROUND_COUNT || budget_is_spent(c->budget)) return false;
  edge_path edges = {0};
  struct shift_path path;
  shift_path_init(&path);
  size_t rounds = round_ladder[c->next_round++];
  unroll(c->walk, rounds, &edges);
  bool ok = edges.len <= SHIFT_DEPTH_MAX &&
            shift_search_deltas(&path, c->a, edges.at, edges.len, c->budget, &why);
  vec_clear(&edges);
  if (!ok) {
    shift_path_clear(&path);
    c->next_round = ROUND_COUNT;
    return false;
  }
  vec_push(&c->paths, path);
  vec_push(&c->rounds, rounds);
  return true;
}

/* Candidate number i, or NULL. */
static const struct shift_path *candidate(struct candidates *c, size_t i) {
  while (i >= c->paths.len)
    if (!more_rounds(c)) return NULL;
  return &c->paths.at[i];
}

static bool candidates_init(struct candidates *c, const struct automaton *a,
                            const struct refute_walk *walk, const fmpq_t target,
                            const struct budget *budget, const char **why) {
  *c = (struct candidates){.a = a, .walk = walk, .budget = budget};
  if (walk) return true;
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
    fmpq_set_si(t->eps, middle, 1);
    if (try_eps(out, a, t, claimed, false, budget))
      high = middle;
    else
      low = middle;
  }
  fmpq_set_si(t->eps, high, 1);
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

/* What the search has learnt: loss = cost - overhead/eps, where the overhead (in nats) changes
 * slowly with eps and grows with the length of the path. */
struct overheads {
  VEC(double) of; /* by candidate; negative: not tried yet */
  double per_step;
  bool is_tried[CANDIDATES_MAX][EPS_COUNT];
};

static bool is_promising(const struct overheads *o, size_t i, const struct shift_path *path,
                         double eps, const fmpq_t d) {
  double overhead = i < o->of.len && o->of.at[i] >= 0 ? 0.9 * o->of.at[i]
                                                      : 0.7 * o->per_step * (double)path->edges.len;
  return rational_double(path->cost) - overhead / eps > rational_double(d);
}

static void learn(struct overheads *o, size_t i, const struct shift_path *path, double eps,
                  double loss) {
  while (o->of.len <= i)
    vec_push(&o->of, -1.0);
  double overhead = (rational_double(path->cost) - loss) * eps;
  o->of.at[i] = overhead > 0 ? overhead : 0;
  o->per_step = o->of.at[i] / (double)path->edges.len;
}

/* One candidate at one eps; a hit is made smaller. */
static bool search_at(struct automaton_counterexample *out, struct candidates *c, size_t i,
                      size_t j, struct overheads *o, fmpq_t d) {
  struct attempt t;
  attempt_init(&t, &c->paths.at[i]);
  fmpq_set_si(t.eps, eps_ladder[j], 1);
  out->iterations = c->rounds.at[i];
  bool ok = try_eps(out, c->a, &t, d, false, c->budget);
  learn(o, i, t.path, eps_ladder[j], t.best_loss);
  if (ok) shrink(out, c->a, &t, d, c->budget);
  attempt_clear(&t);
  return ok;
}

/* Short paths with small eps first: candidate i at eps number j, by increasing i + j. What does not
 * look promising is left for a second pass. */
static bool search(struct automaton_counterexample *out, struct candidates *c, fmpq_t d) {
  struct overheads o = {.per_step = 0};
  bool ok = false;
  for (int pass = 0; pass < 2 && !ok; pass++)
    for (size_t level = 0; level < EPS_COUNT + CANDIDATES_MAX && !ok; level++)
      for (size_t i = 0; i <= level && !ok; i++) {
        size_t j = level - i;
        if (j >= EPS_COUNT || i >= CANDIDATES_MAX || o.is_tried[i][j]) continue;
        const struct shift_path *path = candidate(c, i);
        if (!path || budget_is_spent(c->budget)) break;
        if (fmpq_cmp(path->cost, d) <= 0) continue; /* its loss is below its cost */
        if (pass == 0 && !is_promising(&o, i, path, eps_ladder[j], d)) continue;
        o.is_tried[i][j] = true;
        ok = search_at(out, c, i, j, &o, d);
      }
  vec_clear(&o.of);
  return ok;
}

static enum refute_status outcome(bool found, const struct budget *budget) {
  if (found) return REFUTE_FOUND;
  return budget_is_spent(budget) ? REFUTE_TIMEOUT : REFUTE_NONE;
}

enum refute_status automaton_refute(struct automaton_counterexample *out, const struct automaton *a,
                                    const struct refute_walk *walk, const fmpq_t d,
                                    const struct budget *budget, const char **why) {
  struct candidates c;
  *why = NULL;
  bool ok = candidates_init(&c, a, walk, d, budget, why);
  fmpq_t claimed;
  fmpq_init(claimed);
  fmpq_set(claimed, d);
  bool found = ok && search(out, &c, claimed);
  fmpq_clear(claimed);
  candidates_clear(&c);
  return ok ? outcome(found, budget) : REFUTE_LIMIT;
}

enum refute_status automaton_lower_bound(struct automaton_counterexample *out,
                                         const struct automaton *a, const struct refute_walk *walk,
                                         const fmpq_t upper, const struct budget *budget,
                                         const char **why) {
  struct candidates c;
  fmpq_t best, enough;
  *why = NULL;
  bool ok = candidates_init(&c, a, walk, NULL, budget, why);
  fmpq_init(best);
  fmpq_init(enough);
  fmpq_set_si(enough, 99, 100);
  if (upper) fmpq_mul(enough, enough, upper);
  certified_loss(best, out);
  while (ok && walk && c.paths.len < 8 && more_rounds(&c))
    ;
  /* the most expensive path first; shorter ones only matter when it is too slow */
  for (size_t i = c.paths.len; ok && i-- > 0 && !budget_is_spent(budget);) {
    struct attempt t;
    attempt_init(&t, &c.paths.at[i]);
    for (size_t j = 0; j < EPS_COUNT && !budget_is_spent(budget); j++) {
      if (fmpq_cmp(c.paths.at[i].cost, best) <= 0 || (upper && fmpq_cmp(best, enough) >= 0)) break;
      fmpq_set_si(t.eps, eps_ladder[j], 1);
      out->iterations = c.rounds.at[i];
      try_eps(out, a, &t, best, true, budget);
    }
    attempt_clear(&t);
  }
  bool found = ok && out->is_certified;
  candidates_clear(&c);
  fmpq_clear(best);
  fmpq_clear(enough);
  return ok ? outcome(found, budget) : REFUTE_LIMIT;
}
