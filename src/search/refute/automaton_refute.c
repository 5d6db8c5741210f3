#include "search/refute/automaton_refute.h"

#include <string.h>

#include "base/alloc.h"
#include "num/rational.h"
#include "search/refute/automaton_attempt.h"
#include "search/refute/automaton_far.h"
#include "search/refute/automaton_guide.h"

/* The certified loss as an exact number below it, or a negative one. */
static void certified_loss(fmpq_t out, const struct automaton_counterexample *ce) {
  fmpq_set_si(out, -1, 1);
  if (ce->is_certified && !ball_lower(out, ce->loss)) fmpq_set_si(out, -1, 1);
}

/* ---- search over the free choices ------------------------------------------------------------ */

static const int away_steps[] = {0, 1, 2, 5, 10};
static const int eps_ladder[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
enum {
  AWAY_COUNT = sizeof away_steps / sizeof *away_steps,
  EPS_COUNT = sizeof eps_ladder / sizeof *eps_ladder
};

/* All styles of windows at one distance from the tie. */
static bool try_styles(struct automaton_counterexample *out, const struct automaton *a,
                       struct attempt *t, const fmpq_t claimed, const struct budget *budget) {
  int styles = path_styles(a, t->path);
  for (int m = 0; m < styles && !budget_is_spent(budget); m++) {
    t->style = (enum window_style)m;
    if (attempt_try(out, a, t, claimed, budget)) return true;
  }
  return false;
}

/* All distances from the tie and styles of windows, at one eps; stops at the first success, with
 * its choices left in the attempt. The loss grows with the distance, less and less: when it would
 * have to grow much faster than it does, the rest is not tried. */
static bool try_eps(struct automaton_counterexample *out, const struct automaton *a,
                    struct attempt *t, const fmpq_t claimed, const struct budget *budget) {
  fmpq_t spread;
  fmpq_init(spread);
  path_spread(spread, a, t->path);
  int count = fmpq_is_zero(spread) ? 1 : AWAY_COUNT;
  double before = 0;
  t->best_loss = 0;
  fmpq_clear(spread);
  for (int k = 0; k < count; k++) {
    fmpq_set_si(t->away, away_steps[k], 1);
    if (try_styles(out, a, t, claimed, budget)) return true;
    double hope = k > 0 ? 4 * (t->best_loss - before) : 1.2 * t->slack;
    if (t->best_loss + hope < rational_double(claimed)) return false;
    before = t->best_loss;
  }
  return false;
}

/* ---- making it smaller ------------------------------------------------------------------------
 */

enum { SHRINK_STEPS = 32 };

/* Replaces the attempt's eps by a smaller whole number while it still works; `low` did not, or is
 * 0. */
static void shrink_eps(struct automaton_counterexample *out, const struct automaton *a,
                       struct attempt *t, slong low, const fmpq_t claimed,
                       const struct budget *budget) {
  slong high = fmpz_get_si(fmpq_numref(t->eps));
  if (!fmpz_is_one(fmpq_denref(t->eps))) return;
  while (high - low > 1 && !budget_is_spent(budget)) {
    slong middle = low + (high - low) / 2;
    attempt_set_eps(t, middle);
    if (try_eps(out, a, t, claimed, budget))
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
      if (!attempt_try(out, a, t, claimed, budget)) memcpy(path->deltas.at, saved, length);
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
    if (attempt_try(out, a, t, claimed, budget)) {
      fmpq_set(found, t->width);
      break;
    }
  }
  fmpq_set(t->width, found);
  fmpq_clear(found);
}

/* Long ones are left as they are: a single look takes seconds. */
static void shrink(struct automaton_counterexample *out, const struct automaton *a,
                   struct attempt *t, slong low, const fmpq_t claimed,
                   const struct budget *budget) {
  if (t->path->edges.len > SHRINK_STEPS) return;
  struct budget slice = budget_slice(budget, 1);
  struct shift_path copy;
  shrink_eps(out, a, t, low, claimed, &slice);
  /* try_eps may have left other choices behind: restore those of the hit */
  if (!try_eps(out, a, t, claimed, &slice)) return;
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
  bool ok = try_eps(out, c->a, &t, d, c->budget);
  learn(o, i, t.path, eps_ladder[j], t.best_loss);
  if (ok) shrink(out, c->a, &t, eps_ladder[j] / 2, d, c->budget);
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
    try_styles(&unused, c->a, &t, claimed, c->budget);
    loss[k] = t.best_loss;
  }
  double slack = rational_double(path->cost) - (16 * loss[1] - loss[0]) / 15;
  o->slack = slack > 0.01 ? slack : 0;
  learn(o, (i - 1) / 2, path, 1, loss[0]);
  fmpq_clear(claimed);
  attempt_clear(&t);
  automaton_counterexample_clear(&unused);
}

/* ---- forecasts --------------------------------------------------------------------------------
 */

/* The share of its cost that a path loses, at given eps and distance from the tie, hardly depends
 * on how often its cycles are repeated. So a short path tells which choices will do on a long one,
 * where a single look may take seconds. */
struct forecast {
  size_t sample;                       /* the candidate that is measured */
  double share[EPS_COUNT][AWAY_COUNT]; /* negative: not measured */
  enum window_style style[EPS_COUNT][AWAY_COUNT];
};
enum {
  FORECAST_STEPS = 16,
  FORECAST_EPS = 9,
  FORECAST_AWAY = 3,
  FORECAST_TRIES = 3,
  FORECAST_LONG = 40 /* steps */
};
#define FORECAST_SAFETY 0.93 /* longer paths lose a little less */
/* Of the cost. More rounds are cheaper than a larger share on short paths only: the time grows with
 * the cube of the length. */
#define FORECAST_WANTED 0.8
#define FORECAST_WANTED_LONG 0.9

static double forecast_share(struct forecast *f, struct candidates *c, size_t j, size_t k) {
  if (f->share[j][k] >= 0) return f->share[j][k];
  struct attempt t;
  arb_t loss;
  arb_init(loss);
  attempt_init(&t, &c->paths.at[f->sample]);
  attempt_set_eps(&t, eps_ladder[j]);
  fmpq_set_si(t.away, away_steps[k], 1);
  f->share[j][k] = 0;
  for (int m = 0; m < path_styles(c->a, t.path) && !budget_is_spent(c->budget); m++) {
    t.style = (enum window_style)m;
    t.best_loss = 0;
    attempt_loss(loss, c->a, &t, c->budget);
    double share = t.best_loss / rational_double(t.path->cost);
    if (share <= f->share[j][k]) continue;
    f->share[j][k] = share;
    f->style[j][k] = t.style;
  }
  attempt_clear(&t);
  arb_clear(loss);
  return f->share[j][k];
}

/* Sets the attempt to the smallest eps that should be enough; false: none is. */
static bool forecast_choose(struct forecast *f, struct candidates *c, struct attempt *t,
                            double wanted) {
  fmpq_t spread;
  fmpq_init(spread);
  path_spread(spread, c->a, t->path);
  size_t distances = fmpq_is_zero(spread) ? 1 : FORECAST_AWAY;
  fmpq_clear(spread);
  for (size_t j = 0; j < FORECAST_EPS; j++)
    for (size_t k = 0; k < distances; k++) {
      if (budget_is_spent(c->budget)) return false;
      if (FORECAST_SAFETY * forecast_share(f, c, j, k) < wanted) continue;
      attempt_set_eps(t, eps_ladder[j]);
      fmpq_set_si(t->away, away_steps[k], 1);
      t->style = f->style[j][k];
      return true;
    }
  return false;
}

/* The last candidate before number `end` that is short; `end` if there is none. */
static size_t short_candidate(const struct candidates *c, size_t end) {
  for (size_t i = end; i-- > 0;)
    if (c->paths.at[i].edges.len <= FORECAST_STEPS && fmpq_sgn(c->paths.at[i].cost) > 0) return i;
  return end;
}

static bool is_expensive(const struct shift_path *path, const fmpq_t d) {
  double share = path->edges.len > FORECAST_LONG ? FORECAST_WANTED_LONG : FORECAST_WANTED;
  return share * rational_double(path->cost) >= rational_double(d);
}

/* Candidates that are expensive enough, at the choices that are forecast to succeed. */
static bool search_by_forecast(struct automaton_counterexample *out, struct candidates *c,
                               fmpq_t d) {
  struct forecast f;
  bool ok = false;
  size_t first = 0;
  while (first < CANDIDATES_MAX && candidate(c, first) && !is_expensive(candidate(c, first), d))
    first++;
  if (first == CANDIDATES_MAX || !candidate(c, first)) return false;
  f.sample = short_candidate(c, first + 1);
  if (f.sample == first + 1) return false;
  for (size_t j = 0; j < EPS_COUNT; j++)
    for (size_t k = 0; k < AWAY_COUNT; k++)
      f.share[j][k] = -1;
  for (size_t i = first; i < first + FORECAST_TRIES && i < CANDIDATES_MAX && !ok; i++) {
    const struct shift_path *path = candidate(c, i);
    if (!path || budget_is_spent(c->budget)) break;
    struct attempt t;
    attempt_init(&t, path);
    out->iterations = c->rounds.at[i];
    ok = forecast_choose(&f, c, &t, rational_double(d) / rational_double(path->cost)) &&
         attempt_certify(out, c->a, &t, d, c->budget);
    if (ok) shrink(out, c->a, &t, 0, d, c->budget);
    attempt_clear(&t);
  }
  return ok;
}

/* Short paths with small eps first: candidate i at eps number j, by increasing i + j; first only
 * what should succeed, in the end everything. */
static bool search(struct automaton_counterexample *out, struct candidates *c, fmpq_t d) {
  static const double factors[] = {1.15, 0.8, 0};
  struct overheads o = {.slack = -1};
  bool ok = search_by_forecast(out, c, d);
  for (size_t i = 0; i < CANDIDATES_MAX; i++)
    o.of[i] = -1;
  if (!ok) learn_from_cheap(c, &o, d);
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

/* Guides first, with most of the time; then the whole automaton. */
enum refute_status automaton_refute(struct automaton_counterexample *out, const struct automaton *a,
                                    const struct automaton_result *analysis, const fmpq_t d,
                                    const struct budget *budget, const char **why) {
  struct candidates c;
  fmpq_t claimed;
  bool found = false;
  *why = NULL;
  fmpq_init(claimed);
  fmpq_set(claimed, d);
  if (analysis && analysis->is_unbounded) {
    struct budget slice = budget_part(budget, 0.7);
    found = far_refute(out, a, &analysis->far_walk, &analysis->far, d, &slice);
  }
  for (int kind = 0; kind < GUIDE_KINDS && !found; kind++) {
    guide g = {0};
    if (guide_from(&g, a, analysis, (enum guide_kind)kind)) {
      struct budget slice = budget_part(budget, kind == GUIDE_PLAIN ? 0.6 : 0.5);
      candidates_init_guided(&c, a, &g, analysis, &slice);
      found = search(out, &c, claimed);
      candidates_clear(&c);
    }
    vec_clear(&g);
  }
  if (!found) {
    found = candidates_init_free(&c, a, d, budget, why) && search(out, &c, claimed);
    candidates_clear(&c);
  }
  fmpq_clear(claimed);
  return outcome(found, *why, budget);
}

/* ---- lower bounds ---------------------------------------------------------------------------- */

enum {
  CLIMB_EPS_START = 64,
  CLIMB_EPS_MAX = 65536,
  CLIMB_STEPS = 4,
  CLIMB_ROUNDS = 3,
  CLIMB_CANDIDATES = 8,
  CLIMB_SHORT = 40 /* steps */
};

/* Certifies the attempt as it stands, without a look at it first. Returns its loss if that beats
 * the bound so far, which it then is; else 0. */
static double certify_at(struct automaton_counterexample *out, const struct automaton *a,
                         struct attempt *t, fmpq_t best, const struct budget *budget) {
  if (budget_is_spent(budget) || !attempt_certify(out, a, t, best, budget)) return 0;
  certified_loss(best, out);
  return arf_get_d(arb_midref(out->loss), ARF_RND_NEAR);
}

/* The distances and windows worth trying at the attempt's eps: far from the tie, where all fixed
 * means are behind, and if that is not good enough, at it. What beats the bound so far is certified
 * and becomes the bound. Returns the best loss seen. */
static double climb_at(struct automaton_counterexample *out, const struct automaton *a,
                       struct attempt *t, fmpq_t best, double enough, const struct budget *budget) {
  fmpq_t spread;
  arb_t loss;
  double seen = 0;
  fmpq_init(spread);
  arb_init(loss);
  path_spread(spread, a, t->path);
  int distances = fmpq_is_zero(spread) ? 1 : 2;
  for (int k = 0; k < distances; k++)
    for (int m = 0; m < path_styles(a, t->path) && !budget_is_spent(budget); m++) {
      if (seen > 0 && seen >= enough) break;
      fmpq_set(t->away, spread);
      if (k > 0) fmpq_zero(t->away);
      t->style = (enum window_style)m;
      if (k == 0 && m == 0) {
        seen = certify_at(out, a, t, best, budget);
        if (seen > 0) continue;
      }
      t->best_loss = 0;
      attempt_loss(loss, a, t, budget);
      if (t->best_loss <= seen) continue;
      seen = t->best_loss;
      if (seen > rational_double(best)) certify_at(out, a, t, best, budget);
    }
  fmpq_clear(spread);
  arb_clear(loss);
  return seen;
}

/* From a look at one eps follows which one should do: loss = cost - overhead/eps. */
static void climb_path(struct automaton_counterexample *out, struct candidates *c, size_t i,
                       fmpq_t best, const fmpq_t enough) {
  struct attempt t;
  double cost = rational_double(c->paths.at[i].cost), eps = CLIMB_EPS_START, before = 0;
  if (fmpq_sgn(enough) > 0) cost = rational_double(enough) / 0.99;
  attempt_init(&t, &c->paths.at[i]);
  out->iterations = c->rounds.at[i];
  for (int step = 0; step < CLIMB_STEPS && eps <= CLIMB_EPS_MAX; step++) {
    if (budget_is_spent(c->budget) || (fmpq_sgn(enough) > 0 && fmpq_cmp(best, enough) >= 0)) break;
    attempt_set_eps(&t, (slong)eps);
    double loss = climb_at(out, c->a, &t, best, rational_double(enough), c->budget);
    if (loss <= 1.0001 * before) break; /* more eps does not help */
    double wanted = (cost - loss) * eps / (0.006 * cost);
    before = loss;
    eps *= 4;
    while (eps < wanted && eps < CLIMB_EPS_MAX)
      eps *= 2;
  }
  attempt_clear(&t);
}

/* The most expensive path first; the others only if they might still improve the bound. */
static void climb(struct automaton_counterexample *out, struct candidates *c, fmpq_t best,
                  const fmpq_t enough) {
  size_t tried = 0;
  for (size_t i = c->paths.len; i-- > 0 && tried < CLIMB_ROUNDS; tried++)
    if (fmpq_cmp(c->paths.at[i].cost, best) > 0) climb_path(out, c, i, best, enough);
}

/* Repeats the cycles of the guide until its path costs as much as couplings do. */
static void more_rounds_until(struct candidates *c, const fmpq_t cost) {
  const struct shift_path *path = candidate(c, 0);
  size_t i = 1;
  if (path && path->edges.len < CLIMB_SHORT) path = candidate(c, i++); /* cheap: be generous */
  for (; i < CLIMB_CANDIDATES && path && fmpq_cmp(path->cost, cost) < 0; i++)
    path = candidate(c, i);
}

enum refute_status automaton_lower_bound(struct automaton_counterexample *out,
                                         const struct automaton *a,
                                         const struct automaton_result *analysis,
                                         const struct budget *budget, const char **why) {
  struct candidates c;
  fmpq_t best, enough;
  *why = NULL;
  fmpq_init(best);
  fmpq_init(enough);
  if (analysis && analysis->verdict == AUTOMATON_PRIVATE) {
    fmpq_set_si(enough, analysis->worst.len < CLIMB_SHORT ? 99 : 98, 100);
    fmpq_mul(enough, enough, analysis->upper);
  }
  certified_loss(best, out);
  for (int kind = GUIDE_KINDS; kind-- > 0;) {
    guide g = {0};
    bool is_done = fmpq_sgn(enough) > 0 && fmpq_cmp(best, enough) >= 0;
    if (!is_done && guide_from(&g, a, analysis, (enum guide_kind)kind)) {
      struct budget slice = budget_part(budget, 0.7);
      candidates_init_guided(&c, a, &g, analysis, &slice);
      more_rounds_until(&c, analysis->lower);
      climb(out, &c, best, enough);
      candidates_clear(&c);
    }
    vec_clear(&g);
  }
  if (fmpq_sgn(enough) <= 0 || fmpq_cmp(best, enough) < 0) {
    if (candidates_init_free(&c, a, NULL, budget, why)) climb(out, &c, best, enough);
    candidates_clear(&c);
  }
  fmpq_clear(best);
  fmpq_clear(enough);
  return outcome(out->is_certified, *why, budget);
}
