#include "search/align/measure.h"
#include "search/base/bounds.h"
#include "term/build.h"
#include "term/subst.h"

static bool is_zero(struct align *s, term_id t) {
  return term_is_num(s->ts, t) && fmpq_is_zero(term_num_value(s->ts, t));
}

/* 0 < t, or 0 <= t. */
static term_id above(struct align *s, term_id t, bool strictly) {
  term_id zero = term_coerce(s->ts, term_int(s->ts, 0), term_sort(s->ts, t));
  return strictly ? term_lt(s->ts, zero, t) : term_le(s->ts, zero, t);
}

/* What is decided on the path. */
static term_id decided(struct align *s, const struct align_path *p) {
  term_id all = term_bool(s->ts, true);
  for (const struct align_decision *d = p->decisions; d; d = d->previous)
    all = term_and(s->ts, all, d->taken ? d->atom : term_not(s->ts, d->atom));
  return all;
}

/* Is it above 0 at the entries, and after every edge if before it? */
static bool stays_above(struct align *s, const struct graph *g, const struct align_end *entries,
                        size_t v, bool strictly) {
  bool stays = true;
  for (size_t e = 0; e < g->plan->entries.len && stays; e++)
    stays = align_follows(s, term_bool(s->ts, true), above(s, entries[e].state.value[v], strictly));
  for (size_t i = 0; i < g->edges.len && stays; i++) {
    term_id given =
        term_and(s->ts, above(s, s->vars.at[v], strictly), decided(s, g->edges.at[i].path));
    stays = align_follows(s, given, above(s, g->edges.at[i].state->value[v], strictly));
  }
  return stays;
}

/* How often what the edge takes has to be paid to cover its cost; TERM_NONE: that is not fixed. */
static term_id rate_of(struct align *s, const struct edge *e, size_t v) {
  term_id taken = term_sub(s->ts, s->vars.at[v], e->state->value[v]);
  if (is_zero(s, e->cost)) return term_rat(s->ts, 0, 1);
  if (taken == TERM_NONE || is_zero(s, taken)) return TERM_NONE;
  term_id rate = term_div(s->ts, e->cost, taken);
  rate = rate == TERM_NONE ? TERM_NONE : cost_simplified(s->ts, rate);
  return rate != TERM_NONE && align_is_fixed(s, rate) ? rate : TERM_NONE;
}

bool store_find(struct align *s, const struct graph *g, const struct align_end *entries, size_t v,
                struct store *out) {
  term_id var = s->vars.at[v];
  if (!g->plan->live[v] || !g->plan->written[v] || term_sort(s->ts, var) != SORT_REAL) return false;
  *out = (struct store){.var = var, .rate = term_rat(s->ts, 0, 1)};
  for (size_t i = 0; i < g->nodes.len; i++)
    if (!form_is_zero(g->nodes.at[i].head->state.diff[v])) return false;
  for (size_t i = 0; i < g->edges.len; i++) {
    term_id rate = rate_of(s, &g->edges.at[i], v);
    if (rate == TERM_NONE) return false;
    out->rate = align_max(s, out->rate, rate);
  }
  if (is_zero(s, out->rate)) return false;
  for (size_t i = 0; i < g->edges.len; i++) { /* nothing is put back */
    const struct edge *e = &g->edges.at[i];
    term_id given = term_and(s->ts, above(s, var, false), decided(s, e->path));
    if (!align_follows(s, given, term_le(s->ts, e->state->value[v], var))) return false;
  }
  out->positive = stays_above(s, g, entries, v, true);
  return out->positive || stays_above(s, g, entries, v, false);
}
