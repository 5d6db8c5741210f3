#include "automata/convert/refine.h"

#include <string.h>

struct refiner {
  const struct automaton *a;
  struct refined *out;
  bool *orders;     /* orders[x * vars + y]: it matters whether y < x */
  uint32_t *stored; /* per state: variables that have a value there on every way, as bits */
};

void refined_clear(struct refined *r) {
  automaton_clear(&r->a);
  vec_clear(&r->origin);
  vec_clear(&r->is_covered);
}

/* ---- what no guard allows -------------------------------------------------------------------- */

/* The variables that the state's guards mention. */
struct mentioned {
  uint32_t var[REFINE_STATE_VARS];
  size_t count;
};

static bool mention(struct mentioned *m, uint32_t var) {
  for (size_t i = 0; i < m->count; i++)
    if (m->var[i] == var) return true;
  if (m->count == REFINE_STATE_VARS) return false;
  m->var[m->count++] = var;
  return true;
}

static bool mentioned_by(const struct automaton *a, uint32_t state, struct mentioned *m) {
  m->count = 0;
  for (uint32_t e = a->first_edge.at[state]; e < a->first_edge.at[state + 1]; e++) {
    struct literals g = automaton_conjunction(a, a->edges.at[e].guard);
    for (size_t i = 0; i < g.count; i++)
      if (!mention(m, literal_var(g.at[i]))) return false;
  }
  return true;
}

/* Bit i of `above`: insample >= m->var[i]. */
static bool is_allowed(const struct automaton *a, uint32_t state, const struct mentioned *m,
                       unsigned above) {
  for (uint32_t e = a->first_edge.at[state]; e < a->first_edge.at[state + 1]; e++) {
    struct literals g = automaton_conjunction(a, a->edges.at[e].guard);
    bool holds = true;
    for (size_t i = 0; i < g.count && holds; i++)
      for (size_t v = 0; v < m->count; v++)
        if (m->var[v] == literal_var(g.at[i]))
          holds = holds && literal_is_less(g.at[i]) == !(above >> v & 1);
    if (holds) return true;
  }
  return false;
}

static bool has_edges(const struct automaton *a, uint32_t state) {
  return a->first_edge.at[state] < a->first_edge.at[state + 1];
}

/* Which orders decide whether the run ends in silence? */
static void find_orders(struct refiner *r, uint32_t state, const struct mentioned *m) {
  size_t vars = r->a->vars.len;
  for (unsigned above = 0; above < 1u << m->count; above++) {
    if (is_allowed(r->a, state, m, above)) continue;
    for (size_t x = 0; x < m->count; x++)
      for (size_t y = 0; y < m->count; y++)
        if (!(above >> x & 1) && (above >> y & 1)) r->orders[m->var[x] * vars + m->var[y]] = true;
  }
}

static void add_end_edges(struct refiner *r, uint32_t state, const struct mentioned *m,
                          uint32_t symbol) {
  struct automaton *out = &r->out->a;
  vec_push(&r->out->is_covered, true);
  if (!has_edges(r->a, state)) return;
  for (unsigned above = 0; above < 1u << m->count; above++) {
    if (is_allowed(r->a, state, m, above)) continue;
    literal cube[REFINE_STATE_VARS];
    for (size_t v = 0; v < m->count; v++)
      cube[v] = above >> v & 1 ? literal_greater(m->var[v]) : literal_less(m->var[v]);
    uint32_t guard = automaton_guard(out, cube, m->count);
    uint32_t end = (uint32_t)out->states.len - 1;
    automaton_edge(out, (struct automaton_edge){state, end, guard, 0, symbol}, span_none());
    vec_push(&r->out->origin, AUTOMATON_NONE);
    vec_last(&r->out->is_covered) = false;
  }
}

/* ---- edges that assign ----------------------------------------------------------------------- */

static void find_stored(struct refiner *r) {
  const struct automaton *a = r->a;
  for (size_t s = 0; s < a->states.len; s++)
    r->stored[s] = s == a->start ? 0 : UINT32_MAX;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t e = 0; e < a->edges.len; e++) {
      const struct automaton_edge *edge = &a->edges.at[e];
      uint32_t known = r->stored[edge->from];
      struct members w = automaton_members(a, edge->assign);
      for (size_t i = 0; i < w.count; i++)
        known |= UINT32_C(1) << w.at[i];
      if (!(r->stored[edge->to] & ~known)) continue;
      r->stored[edge->to] &= known;
      changed = true;
    }
  }
}

/* Variables to compare insample with before it is stored by the edge. */
static size_t splits_of(const struct refiner *r, const struct automaton_edge *e, uint32_t *vars) {
  const struct automaton *a = r->a;
  struct literals g = automaton_conjunction(a, e->guard);
  struct members w = automaton_members(a, e->assign);
  size_t count = 0;
  for (uint32_t x = 0; x < a->vars.len && count < REFINE_SPLITS; x++) {
    bool matters = false, known = !(r->stored[e->from] >> x & 1);
    for (size_t i = 0; i < w.count; i++) {
      matters |= r->orders[w.at[i] * a->vars.len + x] || r->orders[x * a->vars.len + w.at[i]];
      known |= w.at[i] == x;
    }
    for (size_t i = 0; i < g.count; i++)
      known |= literal_var(g.at[i]) == x;
    if (matters && !known) vars[count++] = x;
  }
  return count;
}

static void add_split_edges(struct refiner *r, uint32_t number) {
  const struct automaton *a = r->a;
  struct automaton *out = &r->out->a;
  struct automaton_edge edge = a->edges.at[number];
  struct literals g = automaton_conjunction(a, edge.guard);
  struct members w = automaton_members(a, edge.assign);
  uint32_t split[REFINE_SPLITS], assigned[REFINE_VARS];
  size_t count = splits_of(r, &edge, split);
  if (w.count > 0) memcpy(assigned, w.at, w.count * sizeof *assigned);
  edge.assign = automaton_set(out, assigned, w.count);
  for (unsigned above = 0; above < 1u << count; above++) {
    literal cube[2 * REFINE_VARS + REFINE_SPLITS];
    size_t n = 0;
    for (size_t i = 0; i < g.count; i++)
      cube[n++] = g.at[i];
    for (size_t i = 0; i < count; i++)
      cube[n++] = above >> i & 1 ? literal_greater(split[i]) : literal_less(split[i]);
    edge.guard = automaton_guard(out, cube, n);
    automaton_edge(out, edge, span_none());
    vec_push(&r->out->origin, number);
  }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static const char *limit_of(const struct automaton *a) {
  if (a->independent) return "programs are made of automata with shared noise";
  if (a->vars.len > REFINE_VARS) return "there are too many variables";
  for (uint32_t g = 0; g < a->guards.len; g++)
    if (!automaton_is_conjunction(a, g)) return "a guard is not a conjunction";
  struct mentioned m;
  for (uint32_t s = 0; s < a->states.len; s++)
    if (!mentioned_by(a, s, &m)) return "a state compares with too many variables";
  return NULL;
}

bool automaton_refine(struct refined *out, const struct automaton *a, const char **why) {
  *out = (struct refined){0};
  automaton_init(&out->a);
  *why = limit_of(a);
  if (*why) return false;
  struct refiner r = {.a = a, .out = out};
  struct mentioned m;
  r.orders = xcalloc(a->vars.len * a->vars.len + 1, sizeof *r.orders);
  r.stored = xmalloc((a->states.len + 1) * sizeof *r.stored);
  find_stored(&r);
  for (uint32_t s = 0; s < a->states.len; s++)
    if (mentioned_by(a, s, &m) && has_edges(a, s)) find_orders(&r, s, &m);
  automaton_copy_states(&out->a, a);
  automaton_state(&out->a, NULL, 0, span_none());         /* the end */
  uint32_t symbol = automaton_symbol(&out->a, "'end", 4); /* no name has this form */
  for (uint32_t s = 0; s < a->states.len; s++) {
    for (uint32_t e = a->first_edge.at[s]; e < a->first_edge.at[s + 1]; e++)
      add_split_edges(&r, e);
    mentioned_by(a, s, &m);
    add_end_edges(&r, s, &m, symbol);
  }
  automaton_finish(&out->a); /* edges were added by state: their numbers stay */
  free(r.orders);
  free(r.stored);
  return true;
}
