#include "search/align/measure.h"

#include "search/align/place.h"
#include "search/base/lists.h"
#include "term/build.h"
#include "term/subst.h"

/* ---- counters -------------------------------------------------------------------------------- */

term_id align_as_guard(struct align *s, const struct align_decision *d) {
  struct terms *ts = s->ts;
  enum term_kind kind = term_kind(ts, d->atom);
  if (kind != TERM_LE && kind != TERM_LT) return TERM_NONE;
  term_id a = term_arg(ts, d->atom, 0), b = term_arg(ts, d->atom, 1);
  if (term_sort(ts, a) != SORT_INT || term_sort(ts, b) != SORT_INT) return TERM_NONE;
  bool strict = (kind == TERM_LT) == d->taken;
  term_id e = d->taken ? term_sub(ts, b, a) : term_sub(ts, a, b);
  return strict ? term_sub(ts, e, term_int(ts, 1)) : e;
}

/* By how much the step decreases the term; not a number if that is not fixed. */
static struct ratio decrease(struct align *s, const struct edge *edge, term_id e) {
  term_id after = align_state_value(s, edge->state, e);
  term_id by = after == TERM_NONE ? TERM_NONE : term_sub(s->ts, e, after);
  if (by == TERM_NONE || !term_is_num(s->ts, by)) return (struct ratio){0, 0};
  return ratio_from_fmpq(term_num_value(s->ts, by));
}

/* e >= b for a number b >= 0? */
static bool is_above(struct align *s, term_id e, term_id b) {
  term_id gap = term_sub(s->ts, e, b);
  return gap != TERM_NONE && term_is_num(s->ts, gap) && fmpq_sgn(term_num_value(s->ts, gap)) >= 0;
}

/* e >= 0, by this decision? */
static bool guards(struct align *s, const struct align_decision *d, term_id e) {
  term_id guard = align_as_guard(s, d);
  return guard != TERM_NONE && is_above(s, e, guard);
}

/* e is not 0, by this decision? */
static bool tells_from_zero(struct align *s, const struct align_decision *d, term_id e) {
  if (d->taken || term_kind(s->ts, d->atom) != TERM_EQ) return false;
  term_id a = term_arg(s->ts, d->atom, 0), b = term_arg(s->ts, d->atom, 1);
  return term_sort(s->ts, a) == SORT_INT &&
         (term_sub(s->ts, a, b) == e || term_sub(s->ts, b, a) == e);
}

typedef bool decision_test(struct align *s, const struct align_decision *d, term_id e);

/* Does a decision on the edge pass the test, or what the state before it knows? */
static bool is_known_on(struct align *s, const struct graph *g, const struct edge *edge, term_id e,
                        decision_test *test) {
  for (const struct align_decision *d = edge->path->decisions; d; d = d->previous)
    if (test(s, d, e)) return true;
  const struct node *from = &g->nodes.at[edge->from];
  for (size_t i = 0; i < from->plan->atoms.len; i++) {
    struct align_decision known = {.atom = from->plan->atoms.at[i],
                                   .taken = from->head->truths[i] == 1};
    if (from->head->truths[i] >= 0 && test(s, &known, e)) return true;
  }
  return false;
}

/* Is e at least 0 after the step, if it is (`before`) at least 0 before it? */
static bool keeps(struct align *s, const struct graph *g, const struct edge *edge, term_id e,
                  bool before) {
  struct ratio by = decrease(s, edge, e);
  before = before || is_known_on(s, g, edge, e, guards);
  if (by.num == 0 && before) return true;
  if (ratio_eq(by, ratio_int(1)) && before && is_known_on(s, g, edge, e, tells_from_zero))
    return true;
  return is_known_on(s, g, edge, align_state_value(s, edge->state, e), guards);
}

struct finder {
  struct align *s;
  const struct graph *g;
  const struct align_end *entries;
  counter_list *out;
};

static bool starts_above(const struct finder *f, size_t node, term_id e) {
  struct align *s = f->s;
  for (size_t i = 0; i < f->g->plan->entries.len; i++) {
    if (graph_entry(f->g, i) != node) continue;
    term_id first = align_state_value(s, &f->entries[i].state, e);
    for (size_t point = 0; point < s->points.count; point++)
      if (points_value(&s->points, point, first) < 0) return false;
  }
  return true;
}

/* The states in which e is at least 0: the largest set that the edges keep. */
static bool *find_states(const struct finder *f, term_id e) {
  bool *holds = arena_alloc(f->s->arena, f->g->nodes.len + 1);
  for (size_t i = 0; i < f->g->nodes.len; i++)
    holds[i] = starts_above(f, i, e);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < f->g->edges.len; i++) {
      const struct edge *edge = &f->g->edges.at[i];
      if (!holds[edge->to] || keeps(f->s, f->g, edge, e, holds[edge->from])) continue;
      holds[edge->to] = false;
      changed = true;
    }
  }
  return holds;
}

static void consider(const struct finder *f, term_id e) {
  struct align *s = f->s;
  struct ratio most = ratio_int(0);
  if (f->out->len == MAX_COUNTERS) return;
  for (size_t i = 0; i < f->out->len; i++)
    if (f->out->at[i].guard == e) return;
  struct ratio *by = arena_alloc(s->arena, (f->g->edges.len + 1) * sizeof *by);
  for (size_t i = 0; i < f->g->edges.len; i++) {
    by[i] = decrease(s, &f->g->edges.at[i], e);
    if (!ratio_le(ratio_int(0), by[i])) return;
    most = ratio_max(most, by[i]);
  }
  if (most.num == 0 || most.den != 1) return;
  const bool *holds = find_states(f, e);
  for (size_t i = 0; i < f->g->edges.len; i++)
    if (by[i].num > 0 && !holds[f->g->edges.at[i].from] &&
        !is_known_on(s, f->g, &f->g->edges.at[i], e, guards))
      return;
  term_id *left = arena_alloc(s->arena, (f->g->nodes.len + 1) * sizeof *left);
  for (size_t i = 0; i < f->g->nodes.len; i++)
    left[i] = term_add(s->ts, e, term_int(s->ts, most.num));
  vec_push(f->out, (struct counter){e, holds, left, by});
}

/* A quantity compared before or after it changes. */
static void consider_both(const struct finder *f, const struct edge *edge, term_id e) {
  struct align *s = f->s;
  if (e == TERM_NONE || term_mentions(s->ts, e, edge->path->unknowns.at, edge->path->unknowns.len))
    return;
  consider(f, e);
  struct ratio by = decrease(s, edge, e);
  if (by.den == 1 && by.num > 0) consider(f, term_add(s->ts, e, term_int(s->ts, by.num)));
}

void counters_find(struct align *s, const struct graph *g, const struct align_end *entries,
                   counter_list *out) {
  struct finder f = {s, g, entries, out};
  for (size_t i = 0; i < g->edges.len; i++) {
    const struct edge *edge = &g->edges.at[i];
    for (const struct align_decision *d = edge->path->decisions; d; d = d->previous) {
      if (d->relation != REL_NONE) continue;
      consider_both(&f, edge, align_as_guard(s, d));
      if (term_kind(s->ts, d->atom) != TERM_EQ) continue;
      term_id a = term_arg(s->ts, d->atom, 0), b = term_arg(s->ts, d->atom, 1);
      if (term_sort(s->ts, a) != SORT_INT) continue;
      consider_both(&f, edge, term_sub(s->ts, a, b));
      consider_both(&f, edge, term_sub(s->ts, b, a));
    }
  }
}

/* ---- places ---------------------------------------------------------------------------------- */

enum { MAX_TRIES = 4000 };

/* Of one node. */
struct measure {
  const term_id *choices;
  size_t choice_count; /* 0: it needs none */
  term_id term;        /* the chosen one, over the variables of the state */
  bool costs;          /* something after it does */
};

struct places {
  const struct graph *g;
  struct measure *measures; /* per node */
  long *gains;              /* per edge */
  size_t tries;
};

/* Marks what can be reached from a node, which is so itself only if there is a way back. */
static void reach(const struct graph *g, size_t from, bool *reached) {
  for (size_t i = 0; i < g->edges.len; i++) {
    const struct edge *e = &g->edges.at[i];
    if (e->from != from || reached[e->to]) continue;
    reached[e->to] = true;
    reach(g, e->to, reached);
  }
}

/* Where something can still cost. */
static void find_costs(struct align *s, struct places *t) {
  const struct graph *g = t->g;
  bool *reached = arena_alloc(s->arena, g->nodes.len + 1);
  for (size_t n = 0; n < g->nodes.len; n++) {
    for (size_t i = 0; i < g->nodes.len; i++)
      reached[i] = i == n;
    reach(g, n, reached);
    t->measures[n] = (struct measure){.costs = false};
    for (size_t i = 0; i < g->edges.len; i++)
      if (g->edges.at[i].cost != term_rat(s->ts, 0, 1) && reached[g->edges.at[i].from])
        t->measures[n].costs = true;
  }
}

/* The arrays of which a node knows that they differ in one place. */
static bool differs_in_place(struct align *s, const struct node *n, size_t v) {
  const struct form *f = n->head->state.diff[v];
  return s->place.at[v] != SIZE_MAX && n->plan->live[v] && f->known && !form_is_zero(f);
}

/* Counted from the other end of the array, if `mirrored`. */
static term_id measured(struct align *s, term_id var, term_id length, bool mirrored) {
  if (!mirrored) return var;
  return term_sub(s->ts, term_sub(s->ts, length, term_int(s->ts, 1)), var);
}

/* Where a difference is: at the place of an array, or where an integer will put it. */
static void find_choices(struct align *s, const struct node *n, term_id length, bool mirrored,
                         struct measure *out) {
  term_list choices = {0};
  bool differs = false;
  for (size_t v = 0; v < s->vars.len; v++) {
    if (align_is_private(s, s->vars.at[v]) || !n->plan->live[v]) continue;
    differs |= !form_is_zero(n->head->state.diff[v]);
    if (differs_in_place(s, n, v))
      vec_push(&choices, measured(s, s->vars.at[s->place.at[v]], length, mirrored));
  }
  bool fixed = choices.len > 0;
  for (size_t v = 0; v < s->vars.len && differs && !fixed; v++)
    if (n->plan->live[v] && term_sort(s->ts, s->vars.at[v]) == SORT_INT &&
        form_is_zero(n->head->state.diff[v]) && n->head->state.value[v] == s->vars.at[v])
      vec_push(&choices, measured(s, s->vars.at[v], length, mirrored));
  if (!fixed) vec_push(&choices, term_int(s->ts, 0));
  out->choice_count = out->costs ? choices.len : 0;
  out->choices = arena_take_vec(s->arena, &choices);
}

/* The term with what was decided to be equal put for each other, until it is a number. */
static bool as_number(struct align *s, term_id t, const struct align_path *p, long *out) {
  const struct align_decision *d = p->decisions;
  for (; t != TERM_NONE && !term_is_num(s->ts, t) && d; d = d->previous) {
    if (!d->taken || term_kind(s->ts, d->atom) != TERM_EQ) continue;
    for (int side = 0; side < 2; side++) {
      term_id var = term_arg(s->ts, d->atom, side), other = term_arg(s->ts, d->atom, !side);
      if (term_kind(s->ts, var) != TERM_VAR || term_sort(s->ts, var) != SORT_INT) continue;
      term_id u = term_subst(s->ts, t, &var, &other, 1);
      if (u == TERM_NONE || !term_is_num(s->ts, u)) continue;
      t = u;
      break;
    }
  }
  if (t == TERM_NONE || !term_is_num(s->ts, t)) return false;
  struct ratio r = ratio_from_fmpq(term_num_value(s->ts, t));
  *out = r.num;
  return r.den == 1;
}

/* By how much the measure grows along the edge, at least, if a number says so. */
static bool find_gain(struct align *s, struct places *t, size_t i) {
  const struct edge *e = &t->g->edges.at[i];
  const struct measure *from = &t->measures[e->from], *to = &t->measures[e->to];
  const struct align_plan *plan = t->g->nodes.at[e->from].plan;
  t->gains[i] = 0;
  if (!to->choice_count) return true;
  term_id after = align_state_value(s, e->state, to->term);
  term_id gain = after == TERM_NONE ? TERM_NONE : term_sub(s->ts, after, from->term);
  if (gain == TERM_NONE || as_number(s, gain, e->path, &t->gains[i])) return gain != TERM_NONE;
  for (size_t f = 0; f < plan->floors.len; f++) {
    term_id floor = plan->floors.at[f];
    term_id slack = term_sub(s->ts, term_arg(s->ts, floor, 1), term_arg(s->ts, floor, 0));
    if (as_number(s, term_sub(s->ts, gain, slack), e->path, &t->gains[i])) return true;
  }
  for (const struct align_decision *d = e->path->decisions; d; d = d->previous) {
    term_id slack = align_as_guard(s, d);
    if (slack != TERM_NONE && as_number(s, term_sub(s->ts, gain, slack), e->path, &t->gains[i]))
      return true;
  }
  return false;
}

/* Picks measures for the nodes from `n` on such that all edges between have a gain. */
static bool choose_measures(struct align *s, struct places *t, size_t n) {
  if (n == t->g->nodes.len) return true;
  struct measure *node = &t->measures[n];
  if (!node->choice_count) return choose_measures(s, t, n + 1);
  for (size_t c = 0; c < node->choice_count && t->tries < MAX_TRIES; c++) {
    node->term = node->choices[c];
    t->tries++;
    bool fits = true;
    for (size_t i = 0; i < t->g->edges.len && fits; i++) {
      const struct edge *e = &t->g->edges.at[i];
      if ((e->from == n && e->to <= n) || (e->to == n && e->from < n)) fits = find_gain(s, t, i);
    }
    if (fits && choose_measures(s, t, n + 1)) return true;
  }
  return false;
}

/* The end of all measures: places are below the length of their array. */
static term_id find_end(struct align *s, const struct places *t) {
  term_id end = TERM_NONE;
  for (size_t i = 0; i < t->g->nodes.len; i++) {
    const struct measure *n = &t->measures[i];
    for (size_t v = 0; v < s->vars.len && n->choice_count; v++) {
      if (!differs_in_place(s, &t->g->nodes.at[i], v)) continue;
      if (!term_mentions(s->ts, n->term, &s->vars.at[s->place.at[v]], 1)) continue;
      term_id length = align_length_of(s, s->vars.at[v]);
      if (length == TERM_NONE) return TERM_NONE;
      end = end == TERM_NONE ? length : align_max(s, end, length);
    }
  }
  return end == TERM_NONE ? end : term_sub(s->ts, end, term_int(s->ts, 1));
}

/* The lengths of arrays that differ in one place somewhere. */
static void find_lengths(struct align *s, const struct graph *g, term_list *out) {
  for (size_t i = 0; i < g->nodes.len; i++)
    for (size_t v = 0; v < s->vars.len; v++) {
      term_id length =
          differs_in_place(s, &g->nodes.at[i], v) ? align_length_of(s, s->vars.at[v]) : TERM_NONE;
      if (length != TERM_NONE) terms_add(out, length);
    }
}

static bool find_measures(struct align *s, struct places *t, term_id length, bool mirrored,
                          struct counter *out) {
  size_t n = t->g->nodes.len, m = t->g->edges.len;
  t->tries = 0;
  for (size_t i = 0; i < n; i++)
    find_choices(s, &t->g->nodes.at[i], length, mirrored, &t->measures[i]);
  term_id end = choose_measures(s, t, 0) ? find_end(s, t) : TERM_NONE;
  if (end == TERM_NONE) return false;
  term_id *left = arena_alloc(s->arena, (n + 1) * sizeof *left);
  struct ratio *by = arena_alloc(s->arena, (m + 1) * sizeof *by);
  for (size_t i = 0; i < n; i++)
    left[i] = t->measures[i].choice_count ? term_sub(s->ts, end, t->measures[i].term) : TERM_NONE;
  for (size_t i = 0; i < m; i++)
    by[i] = ratio_int(t->gains[i]);
  *out = (struct counter){TERM_NONE, NULL, left, by};
  return true;
}

bool counter_of_places(struct align *s, const struct graph *g, size_t variant, struct counter *out,
                       bool *more) {
  struct places t = {.g = g,
                     .measures = arena_alloc(s->arena, (g->nodes.len + 1) * sizeof *t.measures),
                     .gains = arena_alloc(s->arena, (g->edges.len + 1) * sizeof *t.gains)};
  term_list lengths = {0};
  find_lengths(s, g, &lengths);
  *more = variant / 2 < lengths.len;
  bool found = false;
  if (*more) {
    find_costs(s, &t);
    found = find_measures(s, &t, lengths.at[variant / 2], variant % 2, out);
  }
  vec_clear(&lengths);
  return found;
}

/* ---- windows --------------------------------------------------------------------------------- */

static term_id window_left(struct align *s, const struct align_track *track, term_id witness) {
  term_id end = term_add(s->ts, track->first, track->width);
  term_id last = term_add(s->ts, term_sub(s->ts, witness, track->first), term_int(s->ts, 1));
  return term_ite(s->ts, term_le(s->ts, end, witness), track->width, last);
}

bool counter_of_window(struct align *s, const struct graph *g, size_t witness,
                       struct counter *out) {
  const struct align_track *track = &g->plan->tracks[witness];
  if (track->width == TERM_NONE) return false;
  term_id some = window_left(s, track, s->witnesses.at[witness].shown);
  term_id *left = arena_alloc(s->arena, (g->nodes.len + 1) * sizeof *left);
  struct ratio *by = arena_alloc(s->arena, (g->edges.len + 1) * sizeof *by);
  for (size_t i = 0; i < g->nodes.len; i++)
    left[i] = g->nodes.at[i].head->phase[witness] ? some : term_int(s->ts, 0);
  for (size_t i = 0; i < g->edges.len; i++) {
    const struct edge *e = &g->edges.at[i];
    bool inside = g->nodes.at[e->from].head->phase[witness] > 0;
    by[i] = ratio_int(inside && e->cost != term_rat(s->ts, 0, 1));
  }
  *out = (struct counter){TERM_NONE, NULL, left, by};
  return true;
}

term_id align_at_most(struct align *s, const struct align_plan *plan, term_id potential) {
  for (size_t w = 0; w < s->witnesses.len; w++) {
    const struct align_track *track = &plan->tracks[w];
    if (track->width == TERM_NONE) continue;
    term_id left = term_to_real(s->ts, window_left(s, track, s->witnesses.at[w].shown));
    term_id most = term_to_real(s->ts, track->width);
    potential = term_replace(s->ts, potential, &left, &most, 1);
  }
  return potential;
}
