#include "automata/decide/approx.h"

#include <string.h>

#include "automata/model/pump.h"
#include "check/automaton/graph.h"

/* Which edges assign, what may follow what, and the shifts each assignment may have. */
struct system {
  const struct automaton *a;
  VEC(uint32_t) assigning;
  uint32_t *index;            /* edge: its place in `assigning` */
  VEC(struct graph_arc) next; /* places: the second assignment comes after the first one */
  unsigned *domain;
  uint32_t *scc;
};

static bool guard_side(const struct automaton *a, const struct automaton_edge *e, bool less) {
  struct literals g = automaton_conjunction(a, e->guard);
  return g.count > 0 && literal_is_less(g.at[0]) == less;
}

/* Constraints 2 and (d) of the construction, for a non-assigning edge met in the segment. */
static unsigned edge_mask(const struct system *s, const struct automaton_edge *e) {
  unsigned mask = SHIFT_ANY;
  bool input = s->a->states.at[e->from].is_input, cyclic = s->scc[e->from] == s->scc[e->to];
  for (int side = 0; side < 2; side++) {
    bool less = side == 0;
    if (!guard_side(s->a, e, less)) continue;
    unsigned free_side = SHIFT_ZERO | (less ? SHIFT_PLUS : SHIFT_MINUS);
    if (cyclic) mask &= literal_demand(less ? 0 : 1, input);
    if (e->emit == EMIT_INSAMPLE) mask &= free_side;
  }
  return mask;
}

/* The segment that begins with assignment i: its own demands, and the assignments that end it. */
static void scan_segment(struct system *s, uint32_t i) {
  const struct automaton *a = s->a;
  bool *seen = xcalloc(a->states.len + 1, sizeof *seen);
  VEC(uint32_t) work = {0};
  const struct automaton_edge *first = &a->edges.at[s->assigning.at[i]];
  if (first->emit == EMIT_INSAMPLE) s->domain[i] &= SHIFT_ZERO;
  seen[first->to] = true;
  vec_push(&work, first->to);
  while (work.len > 0) {
    uint32_t q = vec_pop(&work);
    for (uint32_t e = a->first_edge.at[q]; e < a->first_edge.at[q + 1]; e++) {
      if (a->edges.at[e].assign != 0) {
        vec_push(&s->next, (struct graph_arc){i, s->index[e]});
        continue;
      }
      s->domain[i] &= edge_mask(s, &a->edges.at[e]);
      if (seen[a->edges.at[e].to]) continue;
      seen[a->edges.at[e].to] = true;
      vec_push(&work, a->edges.at[e].to);
    }
  }
  vec_clear(&work);
  free(seen);
}

static int lowest(unsigned mask) {
  return mask & SHIFT_MINUS ? -1 : mask & SHIFT_ZERO ? 0 : 1;
}
static int highest(unsigned mask) {
  return mask & SHIFT_PLUS ? 1 : mask & SHIFT_ZERO ? 0 : -1;
}
/* Bits of the shifts from low to high. */
static unsigned interval(int low, int high) {
  unsigned mask = 0;
  for (int g = low; g <= high; g++)
    mask |= 1u << (g + 1);
  return mask;
}

/* Constraint 1(b): behind an L guard the shift must not rise, behind a G guard it must not fall.
 * Arc consistency; the least, the greatest and the middle choice are then solutions. */
static bool propagate(struct system *s) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t i = 0; i < s->next.len; i++) {
      unsigned *before = &s->domain[s->next.at[i].from], *after = &s->domain[s->next.at[i].to];
      if (*before == 0 || *after == 0) return false;
      unsigned b = *before, f = *after;
      const struct automaton_edge *e = &s->a->edges.at[s->assigning.at[s->next.at[i].to]];
      if (guard_side(s->a, e, true)) {
        f &= interval(-1, highest(b));
        b &= f ? interval(lowest(f), 1) : 0;
      } else if (guard_side(s->a, e, false)) {
        f &= interval(lowest(b), 1);
        b &= f ? interval(-1, highest(f)) : 0;
      }
      if (b == *before && f == *after) continue;
      changed = true;
      *before = b;
      *after = f;
    }
  }
  for (size_t i = 0; i < s->assigning.len; i++)
    if (s->domain[i] == 0) return false;
  return true;
}

/* What the edge costs under shift g of the variable (before it) or of the sample (if it assigns).
 */
static void edge_cost(fmpq_t out, const struct system *s, const struct automaton_edge *e, int g) {
  const struct automaton_state *q = &s->a->states.at[e->from];
  ulong times = 0;
  if (e->assign != 0)
    times = (q->is_input ? 1u : 0u) + (g != 0 ? 1u : 0u);
  else if (e->emit == EMIT_INSAMPLE || g == 0)
    times = q->is_input;
  else if (guard_side(s->a, e, g < 0)) /* the side that the shift does not favour */
    times = q->is_input ? 2 : 1;
  fmpq_mul_ui(out, automaton_value(s->a, q->d), times);
  if (e->emit == EMIT_PRIME && q->is_input) fmpq_add(out, out, automaton_value(s->a, q->d2));
}

/* Longest path over (state, shift of the variable); false: infinite. */
static bool longest(fmpq_t out, const struct system *s, const int *choice) {
  const struct automaton *a = s->a;
  uint32_t n = (uint32_t)a->states.len * 3;
  struct graph g;
  graph_init(&g, n);
  for (uint32_t e = 0; e < a->edges.len; e++)
    for (uint32_t x = 0; x < 3; x++) {
      uint32_t to = a->edges.at[e].assign ? (uint32_t)(choice[s->index[e]] + 1) : x;
      graph_add(&g, a->edges.at[e].from * 3 + x, a->edges.at[e].to * 3 + to);
    }
  uint32_t *scc = xmalloc((n + 1) * sizeof *scc), *order = xmalloc((n + 1) * sizeof *order);
  uint32_t count = graph_scc(&g, scc), *first = xcalloc((size_t)count + 2, sizeof *first);
  for (uint32_t v = 0; v < n; v++)
    first[scc[v] + 2]++;
  for (uint32_t c = 0; c < count; c++)
    first[c + 2] += first[c + 1];
  for (uint32_t v = 0; v < n; v++)
    order[first[scc[v] + 1]++] = v;
  fmpq *value = xcalloc(count + 1, sizeof *value); /* per component */
  for (uint32_t c = 0; c < count; c++)
    fmpq_init(&value[c]);
  bool *reached = xcalloc(count + 1, sizeof *reached), finite = true;
  reached[scc[a->start * 3 + 1]] = true;
  fmpq_t cost;
  fmpq_init(cost);
  for (uint32_t c = count; c-- > 0 && finite;) /* sources first */
    for (uint32_t i = first[c]; i < first[c + 1] && finite && reached[c]; i++) {
      uint32_t q = order[i] / 3;
      if (fmpq_cmp(&value[c], out) > 0) fmpq_set(out, &value[c]);
      for (uint32_t e = a->first_edge.at[q]; e < a->first_edge.at[q + 1] && finite; e++) {
        const struct automaton_edge *edge = &a->edges.at[e];
        int x = (int)(order[i] % 3) - 1, after = edge->assign ? choice[s->index[e]] : x;
        uint32_t to = scc[edge->to * 3 + (uint32_t)(after + 1)];
        edge_cost(cost, s, edge, after);
        if (to == c && !fmpq_is_zero(cost)) finite = false;
        fmpq_add(cost, cost, &value[c]);
        if (!reached[to] || fmpq_cmp(cost, &value[to]) > 0) fmpq_set(&value[to], cost);
        reached[to] = true;
      }
    }
  for (uint32_t c = 0; c < count; c++)
    fmpq_clear(&value[c]);
  fmpq_clear(cost);
  free(value);
  free(reached);
  free(first);
  free(order);
  free(scc);
  graph_clear(&g);
  return finite;
}

static void try_choice(struct approx *out, const struct system *s, int which) {
  int *choice = xmalloc((s->assigning.len + 1) * sizeof *choice);
  for (size_t i = 0; i < s->assigning.len; i++) {
    int low = lowest(s->domain[i]), high = highest(s->domain[i]);
    choice[i] = which < 0 ? low : which > 0 ? high : low > 0 ? low : high < 0 ? high : 0;
  }
  fmpq_t cost;
  fmpq_init(cost);
  if (longest(cost, s, choice) && (!out->feasible || fmpq_cmp(cost, out->cost) < 0)) {
    out->feasible = true;
    fmpq_set(out->cost, cost);
    out->choices.len = 0;
    for (size_t i = 0; i < s->assigning.len; i++)
      vec_push(&out->choices, (struct approx_choice){s->assigning.at[i], choice[i]});
  }
  fmpq_clear(cost);
  free(choice);
}

void automaton_approx(struct approx *out, const struct automaton *a) {
  *out = (struct approx){0};
  fmpq_init(out->cost);
  out->applies = a->vars.len == 1 && !a->independent && a->edges.len <= APPROX_EDGE_LIMIT;
  if (!out->applies) return;
  struct system s = {.a = a};
  s.index = xcalloc(a->edges.len + 1, sizeof *s.index);
  for (uint32_t e = 0; e < a->edges.len; e++)
    if (a->edges.at[e].assign != 0) {
      s.index[e] = (uint32_t)s.assigning.len;
      vec_push(&s.assigning, e);
    }
  s.domain = xmalloc((s.assigning.len + 1) * sizeof *s.domain);
  s.scc = xmalloc((a->states.len + 1) * sizeof *s.scc);
  struct graph g;
  graph_init(&g, (uint32_t)a->states.len);
  for (size_t e = 0; e < a->edges.len; e++)
    graph_add(&g, a->edges.at[e].from, a->edges.at[e].to);
  graph_scc(&g, s.scc);
  graph_clear(&g);
  for (uint32_t i = 0; i < s.assigning.len; i++)
    s.domain[i] = SHIFT_ANY;
  for (uint32_t i = 0; i < s.assigning.len; i++)
    scan_segment(&s, i);
  if (propagate(&s))
    for (int which = -1; which <= 1; which++)
      try_choice(out, &s, which);
  free(s.index);
  free(s.domain);
  free(s.scc);
  vec_clear(&s.assigning);
  vec_clear(&s.next);
}

void approx_clear(struct approx *out) {
  fmpq_clear(out->cost);
  vec_clear(&out->choices);
}
