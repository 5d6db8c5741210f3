#include "search/goals/accuracy_stated.h"

#include <math.h>

#include "kernel/dist.h"
#include "search/base/points.h"
#include "term/build.h"

enum { MOST_SITES = 4, MOST_WAYS = 8, MOST_STEPS = 100000 };

/* How far a sample may be, and how much of what the claim allows that costs at each point. */
struct option {
  term_id distance; /* TERM_NONE: anywhere */
  enum tail tail;
  double part[POINTS_LIMIT];
};

/* One option for each site, by number; `total` is the least part of the allowance that is used. */
struct way {
  size_t chosen[MOST_SITES];
  double total;
};

struct chooser {
  struct accuracy *a;
  struct points points;
  VEC(struct option) options[MOST_SITES];
  size_t count; /* of sites */
  struct way ways[MOST_WAYS];
  size_t found, steps;
};

/* ---- distances -------------------------------------------------------------------------------- */

static void add_once(term_list *out, term_id t) {
  for (size_t i = 0; i < out->len; i++)
    if (out->at[i] == t) return;
  vec_push(out, t);
}

/* The summands of factor * t, a quotient's as quotients. */
static void add_summands(struct terms *ts, term_id t, term_id factor, term_list *out) {
  enum term_kind kind = term_kind(ts, t);
  if (kind == TERM_ADD) {
    for (size_t i = 0; i < term_arg_count(ts, t); i++)
      add_summands(ts, term_arg(ts, t, i), factor, out);
  } else if (kind == TERM_DIV && term_kind(ts, term_arg(ts, t, 0)) == TERM_ADD) {
    add_summands(ts, term_arg(ts, t, 0), term_div(ts, factor, term_arg(ts, t, 1)), out);
  } else {
    add_once(out, term_mul(ts, factor, term_to_real(ts, t)));
  }
}

/* What the claim compares with: all of it, its summands, and half of each: noise may count on both
 * sides of a comparison. */
static void find_distances(struct accuracy *a, term_list *out) {
  struct terms *ts = a->ts;
  term_list wholes = {0};
  keep_distances(a->p, &wholes);
  keep_given_distances(a->p, &wholes);
  for (size_t i = 0; i < wholes.len; i++) {
    add_once(out, term_to_real(ts, wholes.at[i]));
    add_summands(ts, wholes.at[i], term_rat(ts, 1, 1), out);
  }
  for (size_t i = 0, n = out->len; i < n; i++)
    add_once(out, term_mul(ts, term_rat(ts, 1, 2), out->at[i]));
  vec_clear(&wholes);
}

/* ---- options ---------------------------------------------------------------------------------- */

/* False: it fails with more than the claim allows, or costs nothing that can be computed. */
static bool price(struct chooser *c, const struct noise_site *site, struct option *o) {
  struct terms *ts = c->a->ts;
  term_id tail = dist_tail(ts, site->c->dist, site->c->args, o->tail, o->distance);
  if (tail == TERM_NONE) return false;
  term_id all = term_mul(ts, site->times, tail), allowed = claim_epsilon(c->a->p->goal);
  for (size_t i = 0; i < c->points.count; i++) {
    double distance = points_value(&c->points, i, o->distance);
    o->part[i] = points_value(&c->points, i, all) / points_value(&c->points, i, allowed);
    if (!(distance > 0) || !(o->part[i] > 1e-9) || o->part[i] > 1 + 1e-9) return false;
  }
  return true;
}

static void add_options(struct chooser *c, size_t site, const term_list *distances) {
  const struct noise_site *s = &c->a->sites.at[site];
  bool is_integer = dist_is_integer(s->c->dist);
  bool has_sides = s->c->dist != DIST_EXPONENTIAL && s->c->dist != DIST_GEOMETRIC;
  vec_push(&c->options[site], ((struct option){.distance = TERM_NONE, .tail = TAIL_BOTH}));
  for (size_t i = 0; i < distances->len; i++)
    for (int tail = has_sides ? TAIL_ABOVE : TAIL_BOTH; tail <= TAIL_BOTH; tail++) {
      term_id t = distances->at[i];
      struct option o = {.distance = is_integer ? term_floor(c->a->ts, t) : t,
                         .tail = (enum tail)tail};
      if (price(c, s, &o)) vec_push(&c->options[site], o);
    }
}

/* ---- ways ------------------------------------------------------------------------------------- */

static void note_way(struct chooser *c, const struct way *w) {
  size_t at = c->found < MOST_WAYS ? c->found++ : MOST_WAYS - 1;
  if (at == MOST_WAYS - 1 && c->ways[at].total >= w->total) return;
  for (; at > 0 && c->ways[at - 1].total < w->total; at--)
    c->ways[at] = c->ways[at - 1];
  c->ways[at] = *w;
}

static void choose(struct chooser *c, struct way *w, size_t site, const double *used) {
  if (c->steps++ > MOST_STEPS) return;
  if (site == c->count) {
    w->total = used[0];
    for (size_t i = 1; i < c->points.count; i++)
      w->total = fmin(w->total, used[i]);
    if (w->total > 0) note_way(c, w);
    return;
  }
  for (size_t k = 0; k < c->options[site].len; k++) {
    double sum[POINTS_LIMIT], most = 0;
    for (size_t i = 0; i < c->points.count; i++) {
      sum[i] = used[i] + c->options[site].at[k].part[i];
      most = fmax(most, sum[i]);
    }
    w->chosen[site] = k;
    if (most <= 1 + 1e-9) choose(c, w, site + 1, sum);
  }
}

/* ---- attempts --------------------------------------------------------------------------------- */

/* The part of the allowance that each draw gets, if it is a simple fraction for all of them. */
static term_id share_of(struct chooser *c, const struct noise_site *site, const struct option *o) {
  enum { LARGEST = 24 };
  struct terms *ts = c->a->ts;
  for (long q = 1; q <= LARGEST; q++) {
    double p = round(o->part[0] * (double)q);
    bool fits = p >= 1;
    for (size_t i = 0; i < c->points.count; i++)
      fits = fits && fabs(o->part[i] * (double)q - p) < 1e-6;
    if (!fits) continue;
    term_id all =
        term_mul(ts, term_rat(ts, (long)p, (unsigned long)q), claim_epsilon(c->a->p->goal));
    return term_div(ts, all, site->times);
  }
  return TERM_NONE;
}

static void attempt(struct chooser *c, const struct way *w) {
  struct accuracy *a = c->a;
  term_list distances = {0}, shares = {0};
  VEC(enum tail) tails = {0};
  for (size_t i = 0; i < c->count; i++) {
    const struct option *o = &c->options[i].at[w->chosen[i]];
    if (o->distance == TERM_NONE) {
      a->without |= 1u << i;
      continue;
    }
    vec_push(&distances, o->distance);
    vec_push(&shares, share_of(c, &a->sites.at[i], o));
    vec_push(&tails, o->tail);
  }
  accuracy_look_at(a, a->p);
  a->distances.len = a->shares.len = a->keep.tails.len = 0;
  for (size_t i = 0; i < distances.len; i++) {
    vec_push(&a->distances, distances.at[i]);
    vec_push(&a->shares, shares.at[i]);
    vec_push(&a->keep.tails, tails.at[i]);
  }
  accuracy_attempt(a, NULL);
  a->without = 0;
  a->keep.tails.len = 0;
  accuracy_look_at(a, a->p);
  vec_clear(&distances);
  vec_clear(&shares);
  vec_clear(&tails);
}

void accuracy_try_stated(struct accuracy *a, bool uses_all) {
  struct chooser c = {.a = a, .count = a->sites.len};
  double none[POINTS_LIMIT] = {0};
  struct way way = {{0}, 0};
  term_list distances = {0};
  if (!c.count || c.count > MOST_SITES || a->p->wants_least) return;
  points_init(&c.points, a->p);
  find_distances(a, &distances);
  for (size_t i = 0; i < c.count; i++)
    add_options(&c, i, &distances);
  choose(&c, &way, 0, none);
  for (size_t i = 0; i < c.found && !auto_done(a->s) && !auto_is_late(a->s); i++)
    if ((c.ways[i].total > 1 - 1e-6) == uses_all) attempt(&c, &c.ways[i]);
  for (size_t i = 0; i < c.count; i++)
    vec_clear(&c.options[i]);
  vec_clear(&distances);
  points_clear(&c.points);
}
