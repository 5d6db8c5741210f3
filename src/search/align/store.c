#include "search/align/measure.h"

#include "search/base/bounds.h"
#include "search/base/lists.h"
#include "search/base/sums.h"
#include "term/build.h"
#include "term/subst.h"
#include <string.h>

enum { MOST_PASSED = 4 }; /* indices in an iteration */

static term_id zero(struct align *s) {
  return term_rat(s->ts, 0, 1);
}

static bool is_zero(struct align *s, term_id t) {
  return term_is_num(s->ts, t) && fmpq_is_zero(term_num_value(s->ts, t));
}

/* 0 < t, or 0 <= t. */
static term_id above(struct align *s, term_id t, bool strictly) {
  return strictly ? term_lt(s->ts, zero(s), t) : term_le(s->ts, zero(s), t);
}

/* What is decided on the path. */
static term_id decided(struct align *s, const struct align_path *p) {
  term_id all = term_bool(s->ts, true);
  for (const struct align_decision *d = p->decisions; d; d = d->previous)
    all = term_and(s->ts, all, d->taken ? d->atom : term_not(s->ts, d->atom));
  return all;
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* A real comparison that was decided, as e >= 0 or e > 0; TERM_NONE: it is none. */
static term_id as_limit(struct align *s, const struct align_decision *d) {
  enum term_kind kind = term_kind(s->ts, d->atom);
  if (d->relation != REL_NONE || (kind != TERM_LE && kind != TERM_LT)) return TERM_NONE;
  term_id a = term_arg(s->ts, d->atom, 0), b = term_arg(s->ts, d->atom, 1);
  if (term_sort(s->ts, a) != SORT_REAL || term_sort(s->ts, b) != SORT_REAL) return TERM_NONE;
  return d->taken ? term_sub(s->ts, b, a) : term_sub(s->ts, a, b);
}

/* What the edge takes from a sum over what is still to come: what it adds at the indices passed. */
static term_id taken_from_sum(struct align *s, const struct edge *e, const struct sum_term *sum) {
  struct terms *ts = s->ts;
  term_id low = align_state_value(s, e->state, sum->low), all = zero(s);
  term_id by = low == TERM_NONE ? TERM_NONE : term_sub(ts, low, sum->low);
  if (by == TERM_NONE || !term_is_num(ts, by)) return TERM_NONE;
  struct ratio passed = ratio_from_fmpq(term_num_value(ts, by));
  if (passed.den != 1 || passed.num < 0 || passed.num > MOST_PASSED) return TERM_NONE;
  for (long i = 0; i < passed.num; i++)
    all = term_add(ts, all, sum_at(s->problem, sum, term_add(ts, sum->low, term_int(ts, i))));
  return all;
}

/* What the edge takes from it; TERM_NONE: that cannot be said. */
static term_id taken(struct align *s, const struct edge *e, term_id t) {
  struct sum_term sum;
  if (sum_read(s->problem, t, &sum)) return taken_from_sum(s, e, &sum);
  term_id after = align_state_value(s, e->state, t);
  return after == TERM_NONE ? TERM_NONE : term_sub(s->ts, t, after);
}

/* Does it change in the loop, and is it the same in both runs? */
static bool is_shared(struct align *s, const struct graph *g, term_id t) {
  bool changes = false;
  for (size_t v = 0; v < s->vars.len; v++) {
    if (!term_mentions(s->ts, t, &s->vars.at[v], 1)) continue;
    changes |= g->plan->written[v];
    if (!g->plan->live[v]) return false;
    for (size_t i = 0; i < g->nodes.len; i++)
      if (!form_is_zero(g->nodes.at[i].head->state.diff[v])) return false;
  }
  return changes;
}

bool align_looks_up(struct align *s, term_id t) {
  term_list parts = {0};
  bool found = false;
  term_subterms(s->ts, t, &parts);
  for (size_t i = 0; i < parts.len && !found; i++)
    found = term_kind(s->ts, parts.at[i]) == TERM_SELECT;
  vec_clear(&parts);
  return found;
}

/* Without what an iteration looks up (a price of its own): eps - spent of eps - spent - price[i]. */
static term_id without_reads(struct align *s, term_id limit) {
  if (term_kind(s->ts, limit) != TERM_ADD) return limit;
  term_id rest = limit;
  for (size_t i = 0; i < term_arg_count(s->ts, limit); i++) {
    term_id part = term_arg(s->ts, limit, i);
    if (align_looks_up(s, part)) rest = term_sub(s->ts, rest, part);
  }
  return rest;
}

/* What is left of the sums that the claim speaks of: from an integer that counts on. */
static void suggest_sums(struct align *s, const struct graph *g, term_list *out) {
  term_list sums = {0};
  sums_assumed(s->problem, &sums);
  for (size_t i = 0; i < sums.len; i++)
    for (size_t v = 0; v < s->vars.len; v++) {
      struct sum_term sum;
      if (term_sort(s->ts, s->vars.at[v]) == SORT_INT && is_shared(s, g, s->vars.at[v]) &&
          sum_read(s->problem, sums.at[i], &sum))
        terms_add(out, sum_over(s->problem, &sum, s->vars.at[v], sum.high));
    }
  vec_clear(&sums);
}

void stores_suggest(struct align *s, const struct graph *g, term_list *out) {
  suggest_sums(s, g, out);
  for (size_t v = 0; v < s->vars.len; v++)
    if (term_sort(s->ts, s->vars.at[v]) == SORT_REAL && is_shared(s, g, s->vars.at[v]))
      terms_add(out, s->vars.at[v]);
  for (size_t i = 0; i < g->edges.len; i++) {
    const struct edge *e = &g->edges.at[i];
    for (const struct align_decision *d = e->path->decisions; d; d = d->previous) {
      term_id limit = as_limit(s, d);
      if (limit == TERM_NONE || !is_shared(s, g, limit) ||
          term_mentions(s->ts, limit, e->path->unknowns.at, e->path->unknowns.len))
        continue;
      terms_add(out, limit); /* compared before, or after it changes */
      term_id kept = without_reads(s, limit), by = taken(s, e, limit);
      if (kept != limit && is_shared(s, g, kept)) terms_add(out, kept);
      if (by != TERM_NONE && !is_zero(s, by)) terms_add(out, term_add(s->ts, limit, by));
    }
  }
}

/* ---- where something is left ----------------------------------------------------------------- */

/* What holds on the edge if `given` holds before it: also that what it takes is read where it is. */
static term_id along(struct align *s, const struct edge *e, term_id given, term_id by) {
  given = term_and(s->ts, given, decided(s, e->path));
  return term_and(s->ts, given, align_in_range(s, by));
}

/* Is the term above 0 after the edge, if what is given holds before it? */
static bool stays_above(struct align *s, const struct edge *e, term_id given, term_id t,
                        bool strictly) {
  term_id after = align_state_value(s, e->state, t);
  return after != TERM_NONE &&
         align_follows(s, along(s, e, given, after), above(s, after, strictly));
}

static bool starts_above(struct align *s, const struct graph *g, const struct align_end *entries,
                         size_t node, term_id t, bool strictly) {
  for (size_t e = 0; e < g->plan->entries.len; e++) {
    if (graph_entry(g, e) != node) continue;
    term_id first = align_state_value(s, &entries[e].state, t);
    if (first == TERM_NONE || !align_follows(s, term_bool(s->ts, true), above(s, first, strictly)))
      return false;
  }
  return true;
}

/* The states in which the guard is above 0: the largest set that the edges keep. */
static size_t find_states(struct align *s, const struct graph *g, const struct align_end *entries,
                          term_id guard, bool strictly, bool *holds) {
  term_id here = above(s, guard, strictly);
  size_t count = 0;
  for (size_t i = 0; i < g->nodes.len; i++)
    holds[i] = starts_above(s, g, entries, i, guard, strictly);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < g->edges.len; i++) {
      const struct edge *e = &g->edges.at[i];
      term_id given = holds[e->from] ? here : term_bool(s->ts, true);
      if (!holds[e->to] || stays_above(s, e, given, guard, strictly)) continue;
      holds[e->to] = false;
      changed = true;
    }
  }
  for (size_t i = 0; i < g->nodes.len; i++)
    count += holds[i];
  return count;
}

/* Is so much left in every state? */
static bool is_left(struct align *s, const struct graph *g, const struct align_end *entries,
                    const struct store *store) {
  bool holds = true;
  for (size_t i = 0; i < g->nodes.len && holds; i++)
    holds = starts_above(s, g, entries, i, store->left, false);
  for (size_t i = 0; i < g->edges.len && holds; i++) {
    const struct edge *e = &g->edges.at[i];
    term_id given = above(s, store->holds[e->from] ? store->guard : store->left, false);
    holds = stays_above(s, e, given, store->left, false);
  }
  return holds;
}

/* The states in which the guard holds, and what is left in the others: what an iteration that
 * began with the guard may have taken too much. */
static bool find_left(struct align *s, const struct graph *g, const struct align_end *entries,
                      struct store *store) {
  bool *holds = arena_alloc(s->arena, g->nodes.len + 1);
  struct sum_term sum;
  store->holds = holds;
  store->left = store->guard;
  if (sum_read(s->problem, store->guard, &sum)) { /* as long as nothing is put back */
    memset(holds, 0, g->nodes.len);
    return true;
  }
  store->positive = find_states(s, g, entries, store->guard, true, holds) == g->nodes.len;
  if (store->positive) return true;
  size_t count = find_states(s, g, entries, store->guard, false, holds);
  if (count == g->nodes.len) return true;
  term_id most = zero(s);
  for (size_t i = 0; i < g->edges.len; i++) {
    term_id by = taken(s, &g->edges.at[i], store->guard);
    if (!align_is_fixed(s, by)) return false;
    most = align_max(s, most, by);
  }
  store->left = term_add(s->ts, store->guard, most);
  return is_left(s, g, entries, store);
}

/* ---- what it pays ---------------------------------------------------------------------------- */

/* How often what the edge takes has to be paid to cover its cost; TERM_NONE: that is not fixed. */
static term_id rate_of(struct align *s, const struct edge *e, term_id by) {
  if (is_zero(s, e->cost)) return zero(s);
  term_id rate = term_div(s->ts, e->cost, by);
  rate = rate == TERM_NONE ? TERM_NONE : cost_simplified(s->ts, rate);
  return rate != TERM_NONE && align_is_fixed(s, rate) ? rate : TERM_NONE;
}

/* Iterations that take nothing are not paid for. */
static bool find_rate(struct align *s, const struct graph *g, struct store *store) {
  bool *pays = arena_alloc(s->arena, g->edges.len + 1);
  store->pays = pays;
  store->rate = zero(s);
  for (size_t i = 0; i < g->edges.len; i++) {
    term_id by = taken(s, &g->edges.at[i], store->guard);
    if (by == TERM_NONE) return false;
    pays[i] = !is_zero(s, by);
    term_id rate = pays[i] ? rate_of(s, &g->edges.at[i], by) : zero(s);
    if (rate == TERM_NONE) return false;
    store->rate = align_max(s, store->rate, rate);
  }
  return !is_zero(s, store->rate);
}

/* Is nothing put back? */
static bool only_falls(struct align *s, const struct graph *g, const struct store *store) {
  for (size_t i = 0; i < g->edges.len; i++) {
    const struct edge *e = &g->edges.at[i];
    if (!store->pays[i]) continue;
    term_id by = taken(s, e, store->guard);
    term_id given = along(s, e, above(s, store->left, false), by);
    if (!align_follows(s, given, above(s, by, false))) return false;
  }
  return true;
}

bool store_find(struct align *s, const struct graph *g, const struct align_end *entries,
                term_id guard, struct store *out) {
  *out = (struct store){.guard = guard};
  return find_rate(s, g, out) && find_left(s, g, entries, out) && only_falls(s, g, out);
}
