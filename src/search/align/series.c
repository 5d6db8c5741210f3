#include "search/align/series.h"

#include <math.h>

#include "term/build.h"
#include "term/subst.h"

enum { FIRST_STEPS = 24, MOST_TIMES = 8, MOST_OFFSET = 4 };
static const long FAR_STEPS[] = {100, 1000, 10000};

/* An integer that every iteration counts up by 1, from a number or parameter. */
struct index {
  term_id var, first;
};

static bool counts_up(struct align *s, const struct graph *g, size_t v) {
  term_id next = term_add(s->ts, s->vars.at[v], term_int(s->ts, 1));
  for (size_t i = 0; i < g->edges.len; i++)
    if (g->edges.at[i].state->value[v] != next) return false;
  for (size_t i = 0; i < g->nodes.len; i++)
    if (!form_is_zero(g->nodes.at[i].head->state.diff[v])) return false;
  return true;
}

static bool find_index(struct align *s, const struct graph *g, const struct align_end *entries,
                       struct index *out) {
  for (size_t v = 0; v < s->vars.len; v++) {
    if (term_sort(s->ts, s->vars.at[v]) != SORT_INT || !g->plan->written[v]) continue;
    if (!g->plan->live[v] || !counts_up(s, g, v)) continue;
    *out = (struct index){s->vars.at[v], entries[0].state.value[v]};
    bool same = align_is_fixed(s, out->first);
    for (size_t e = 1; e < g->plan->entries.len; e++)
      same &= entries[e].state.value[v] == out->first;
    if (same) return true;
  }
  return false;
}

/* Is the cost about nothing that changes but the index? */
static bool is_about(struct align *s, const struct graph *g, term_id cost, term_id index) {
  for (size_t v = 0; v < s->vars.len; v++)
    if (s->vars.at[v] != index && g->plan->written[v] &&
        term_mentions(s->ts, cost, &s->vars.at[v], 1))
      return false;
  return true;
}

/* At so many iterations after the first one. */
static double value_at(struct align *s, const struct index *x, size_t point, term_id t,
                       long steps) {
  term_id at = term_add(s->ts, x->first, term_int(s->ts, steps));
  t = term_subst(s->ts, t, &x->var, &at, 1);
  return t == TERM_NONE ? INFINITY : points_value(&s->points, point, t);
}

/* Does this iteration leave enough of `rest` for the others? */
static bool pays(struct align *s, const struct index *x, size_t point, term_id rest, term_id cost,
                 long steps) {
  double before = value_at(s, x, point, rest, steps),
         after = value_at(s, x, point, rest, steps + 1);
  double price = value_at(s, x, point, cost, steps);
  return isfinite(before) && after >= 0 && after + price <= before * (1 + 1e-9);
}

static bool is_enough(struct align *s, const struct graph *g, const struct index *x, term_id rest) {
  for (size_t e = 0; e < g->edges.len; e++)
    for (size_t point = 0; point < s->points.count; point++) {
      term_id cost = g->edges.at[e].cost;
      for (long steps = 0; steps < FIRST_STEPS; steps++)
        if (!pays(s, x, point, rest, cost, steps)) return false;
      for (size_t i = 0; i < sizeof FAR_STEPS / sizeof *FAR_STEPS; i++)
        if (!pays(s, x, point, rest, cost, FAR_STEPS[i])) return false;
    }
  return true;
}

/* So many times the cost, or the index and so much more times the cost. */
static term_id candidate(struct align *s, const struct index *x, term_id cost, size_t i) {
  if (i < 3) { /* the rest of a series that falls by 2/3, 1/2, 1/3 */
    static const long by[][2] = {{3, 2}, {2, 1}, {3, 1}};
    return term_mul(s->ts, term_rat(s->ts, by[i][0], (unsigned long)by[i][1]), cost);
  }
  if (i < MOST_TIMES) return term_mul(s->ts, term_int(s->ts, (long)i + 1), cost);
  if (i > MOST_TIMES + MOST_OFFSET) return TERM_NONE;
  term_id times = term_add(s->ts, x->var, term_int(s->ts, (long)(i - MOST_TIMES)));
  return term_mul(s->ts, term_to_real(s->ts, times), cost);
}

term_id series_rest(struct align *s, const struct graph *g, const struct align_end *entries) {
  struct index x;
  if (!find_index(s, g, entries, &x)) return TERM_NONE;
  for (size_t e = 0; e < g->edges.len; e++) {
    term_id cost = g->edges.at[e].cost, rest;
    if (!is_about(s, g, cost, x.var) || !term_mentions(s->ts, cost, &x.var, 1)) continue;
    for (size_t i = 0; (rest = candidate(s, &x, cost, i)) != TERM_NONE; i++)
      if (is_enough(s, g, &x, rest)) return cost_simplified(s->ts, rest);
  }
  return TERM_NONE;
}
