#include "automaton_gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- generation ---------------------------------------------------------------------------------
 */

struct gen {
  struct automaton *a;
  struct rng *rng;
  const struct gen_options *o;
  uint32_t first, count; /* the random states */
};

static bool percent(struct gen *g, unsigned p) {
  return rng_below(g->rng, 100) < p;
}

static uint32_t pick_d(struct gen *g) {
  return automaton_ratio(g->a, 1 + (slong)rng_below(g->rng, g->o->max_d), 1);
}

static uint32_t pick_target(struct gen *g, uint32_t from) {
  uint32_t all = g->count + 1; /* the last one is final */
  if (percent(g, g->o->back_percent) || from < g->first)
    return g->first + (uint32_t)rng_below(g->rng, all);
  uint32_t ahead = g->first + all - from - 1;
  return from + 1 + (ahead ? (uint32_t)rng_below(g->rng, ahead) : 0);
}

static uint32_t pick_assign(struct gen *g) {
  uint32_t vars[3];
  size_t n = 0;
  for (uint32_t x = 0; x < g->o->vars; x++)
    if (percent(g, g->o->assign_percent)) vars[n++] = x;
  return automaton_set(g->a, vars, n);
}

static uint32_t symbol(struct gen *g, unsigned i) {
  char name[16];
  int n = snprintf(name, sizeof name, "s%u", i);
  return automaton_symbol(g->a, name, (size_t)n);
}

/* Guards that exclude each other: one variable splits; each side may split once more. */
struct leaves {
  literal cube[4][2];
  size_t size[4], count;
};

static void leaf(struct leaves *l, literal a, literal b, size_t size) {
  l->cube[l->count][0] = a;
  l->cube[l->count][1] = b;
  l->size[l->count++] = size;
}

static void make_leaves(struct gen *g, struct leaves *l) {
  uint32_t x = (uint32_t)rng_below(g->rng, g->o->vars);
  for (int side = 0; side < 2; side++) {
    literal first = side ? literal_greater(x) : literal_less(x);
    if (percent(g, 20)) continue;
    uint32_t y = (uint32_t)rng_below(g->rng, g->o->vars);
    if (y == x || percent(g, 40)) {
      leaf(l, first, 0, 1);
      continue;
    }
    for (int other = 0; other < 2; other++)
      if (!percent(g, 25)) leaf(l, first, other ? literal_greater(y) : literal_less(y), 2);
  }
}

/* Independent noise outputs insample only where it is clear which one. */
static bool clear_sample(const struct automaton *a, uint32_t guard, uint32_t assign) {
  struct automaton_range g = a->guards.at[guard];
  unsigned mentioned = 0;
  for (uint32_t c = g.begin; c < g.end; c++)
    for (uint32_t i = a->cubes.at[c].begin; i < a->cubes.at[c].end; i++)
      mentioned |= 1u << literal_var(a->literals.at[i]);
  for (uint32_t x = 0; x < a->vars.len; x++)
    if (automaton_assigns(a, assign, x)) mentioned |= 1u << x;
  return !a->independent || __builtin_popcount(mentioned) <= 1;
}

/* `index`: the edge's place at its state. In class at most one edge of a state has a real output.
 */
static void add_edge(struct gen *g, uint32_t from, uint32_t guard, unsigned index, bool *real) {
  uint32_t emit = symbol(g, index), assign = pick_assign(g);
  if (!g->o->in_class && percent(g, 10)) emit = symbol(g, 0);
  if (percent(g, g->o->output_percent) && !(g->o->in_class && *real)) {
    emit = percent(g, 50) && clear_sample(g->a, guard, assign) ? EMIT_INSAMPLE : EMIT_PRIME;
    *real = true;
  }
  automaton_edge(g->a, (struct automaton_edge){from, pick_target(g, from), guard, assign, emit},
                 span_none());
}

static void add_edges(struct gen *g, uint32_t from, bool guarded) {
  bool real = false;
  if (!guarded || percent(g, 15)) {
    add_edge(g, from, 0, 0, &real);
    return;
  }
  struct leaves l = {0};
  make_leaves(g, &l);
  unsigned index = 0;
  for (size_t i = 0; i < l.count;) {
    literal all[8];
    size_t sizes[4], cubes = 0, used = 0;
    do { /* independent noise: several leaves may be one edge */
      for (size_t k = 0; k < l.size[i]; k++)
        all[used++] = l.cube[i][k];
      sizes[cubes++] = l.size[i++];
    } while (i < l.count && g->o->independent && percent(g, 35));
    add_edge(g, from, automaton_guard_dnf(g->a, all, sizes, cubes), index++, &real);
  }
}

void gen_automaton(struct automaton *a, struct rng *rng, const struct gen_options *o) {
  static const char *names[] = {"x", "y", "z"};
  struct gen g = {.a = a, .rng = rng, .o = o};
  automaton_init(a);
  a->independent = o->independent;
  for (unsigned x = 0; x < o->vars; x++)
    automaton_var(a, names[x], 1);
  bool together = o->vars > 1 && rng_chance(rng, 1, 3);
  g.first = together ? 1 : o->vars;
  g.count = 1 + (uint32_t)rng_below(rng, o->max_states);
  for (uint32_t s = 0; s < g.first + g.count + 1; s++) {
    automaton_state(a, NULL, 0, span_none());
    bool input = !percent(&g, s < g.first ? 50 : o->noninput_percent);
    if (s < g.first + g.count) automaton_noise(a, s, input, pick_d(&g), 0, pick_d(&g), 0);
  }
  a->start = 0;
  for (uint32_t s = 0; s < g.first; s++) {
    uint32_t vars[3] = {s, 1, 2};
    if (together) vars[0] = 0;
    uint32_t set = automaton_set(a, vars, together ? o->vars : 1);
    uint32_t to = s + 1 < g.first ? s + 1 : g.first + (uint32_t)rng_below(rng, g.count);
    uint32_t emit = percent(&g, 15) && clear_sample(a, 0, set) ? EMIT_INSAMPLE : symbol(&g, 0);
    automaton_edge(a, (struct automaton_edge){s, to, 0, set, emit}, span_none());
  }
  for (uint32_t s = g.first; s < g.first + g.count; s++)
    add_edges(&g, s, a->states.at[s].is_input || !o->in_class);
  automaton_finish(a);
}

/* ---- reference ----------------------------------------------------------------------------------
 */

enum { INF = 1 << 20, MAX_VARS = 3, CELLS = 27 };

/* rank[x]: place of x's value among the stored ones, from 0; equal values share a place. */
struct ref_node {
  uint32_t state;
  signed char rank[MAX_VARS];
};

struct ref_label {
  struct ref_node node;
  int v[CELLS];
  size_t next; /* label of the same node + 1, or 0 */
};

struct ref {
  const struct automaton *a;
  unsigned vars, cells;
  int cap;
  struct ref_label *labels;
  size_t count, capacity;
  size_t *newest; /* per node code: newest label + 1 */
};

static size_t node_code(const struct ref_node *n) {
  return ((size_t)n->state << 6) | (size_t)(n->rank[0] | n->rank[1] << 2 | n->rank[2] << 4);
}

static int weight(const struct automaton *a, uint32_t rational) {
  return (int)fmpz_get_si(fmpq_numref(automaton_value(a, rational)));
}

static int shift_in(unsigned cell, unsigned x) {
  for (; x > 0; x--)
    cell /= 3;
  return (int)(cell % 3) - 1;
}

static unsigned set_shift(unsigned cell, unsigned x, int s) {
  unsigned power = 1;
  for (unsigned i = 0; i < x; i++)
    power *= 3;
  return cell + (unsigned)(s - shift_in(cell, x)) * power;
}

static bool fits_shift(const struct automaton *a, const struct automaton_edge *e, unsigned cell,
                       int s) {
  struct literals g = automaton_conjunction(a, e->guard);
  for (size_t i = 0; i < g.count; i++) {
    int x = shift_in(cell, literal_var(g.at[i]));
    if (literal_is_less(g.at[i]) ? s > x : s < x) return false;
  }
  return e->emit != EMIT_INSAMPLE || s == 0;
}

static void ref_step(const struct ref *r, const struct automaton_edge *e, int delta, const int *v,
                     int *out) {
  const struct automaton_state *state = &r->a->states.at[e->from];
  for (unsigned c = 0; c < r->cells; c++)
    out[c] = INF;
  for (unsigned c = 0; c < r->cells; c++) {
    if (v[c] >= INF) continue;
    for (int s = -1; s <= 1; s++) {
      if (!fits_shift(r->a, e, c, s)) continue;
      int cost = v[c] + abs(delta - s) * weight(r->a, state->d);
      if (e->emit == EMIT_PRIME) cost += abs(delta) * weight(r->a, state->d2);
      if (cost > r->cap) continue;
      unsigned to = c;
      for (unsigned x = 0; x < r->vars; x++)
        if (automaton_assigns(r->a, e->assign, x)) to = set_shift(to, x, s);
      if (cost < out[to]) out[to] = cost;
    }
  }
}

/* ---- independent noise --------------------------------------------------------------------------
 */

static bool guard_holds(const struct automaton *a, uint32_t guard, unsigned above) {
  struct automaton_range g = a->guards.at[guard];
  for (uint32_t c = g.begin; c < g.end; c++) {
    bool all = true;
    for (uint32_t i = a->cubes.at[c].begin; i < a->cubes.at[c].end; i++)
      all &= literal_is_less(a->literals.at[i]) != (above >> literal_var(a->literals.at[i]) & 1);
    if (all) return true;
  }
  return false;
}

/* Bit 0: x must stay below if it is; bit 1: above. */
static unsigned dependence(const struct ref *r, uint32_t guard, unsigned x) {
  unsigned result = 0;
  for (unsigned sides = 0; sides < 1u << r->vars; sides++) {
    bool low = guard_holds(r->a, guard, sides & ~(1u << x));
    bool high = guard_holds(r->a, guard, sides | 1u << x);
    if (low && !high) result |= 1;
    if (high && !low) result |= 2;
  }
  return result;
}

/* All samples at once: digit x of `choice` is the shift of x's sample. */
static void ref_step_independent(const struct ref *r, const struct automaton_edge *e, int delta,
                                 const int *v, int *out) {
  const struct automaton_state *state = &r->a->states.at[e->from];
  unsigned needs[MAX_VARS];
  int d = weight(r->a, state->d), d2 = weight(r->a, state->d2);
  bool assigns[MAX_VARS];
  for (unsigned x = 0; x < r->vars; x++) {
    needs[x] = dependence(r, e->guard, x);
    assigns[x] = automaton_assigns(r->a, e->assign, x);
  }
  for (unsigned c = 0; c < r->cells; c++)
    out[c] = INF;
  for (unsigned c = 0; c < r->cells; c++)
    for (unsigned choice = 0; choice < r->cells && v[c] < INF; choice++) {
      int cost = v[c], samples = 0;
      unsigned to = c;
      bool fits = true;
      for (unsigned x = 0; x < r->vars; x++) {
        unsigned need = needs[x];
        bool assigned = assigns[x];
        int s = shift_in(choice, x), old = shift_in(c, x);
        if (need == 0 && !assigned) continue;
        samples++;
        fits &= !((need & 1) && s > old) && !((need & 2) && s < old);
        fits &= e->emit != EMIT_INSAMPLE || s == 0;
        cost += abs(delta - s) * d;
        if (assigned) to = set_shift(to, x, s);
      }
      if (samples == 0 && e->emit == EMIT_INSAMPLE) cost += abs(delta) * d;
      if (e->emit == EMIT_PRIME) cost += abs(delta) * d2;
      if (fits && cost <= r->cap && cost < out[to]) out[to] = cost;
    }
}

/* Adds a label unless its node has one that is at least as bad. False: all infinite. */
static bool ref_add(struct ref *r, const struct ref_node *node, const int *v) {
  bool finite = false;
  for (unsigned c = 0; c < r->cells; c++)
    finite |= v[c] < INF;
  if (!finite) return false;
  size_t *newest = &r->newest[node_code(node)];
  for (size_t i = *newest; i; i = r->labels[i - 1].next) {
    bool below = true;
    for (unsigned c = 0; c < r->cells && below; c++)
      below = v[c] <= r->labels[i - 1].v[c];
    if (below) return true;
  }
  if (r->count == r->capacity) {
    r->capacity = r->capacity ? 2 * r->capacity : 64;
    r->labels = realloc(r->labels, r->capacity * sizeof *r->labels);
  }
  r->labels[r->count].node = *node;
  r->labels[r->count].next = *newest;
  *newest = r->count + 1;
  memcpy(r->labels[r->count++].v, v, sizeof(int) * CELLS);
  return true;
}

/* The order after insample fell between places: `place` counts half steps, so that 2p+1 is place p
 * and even numbers are gaps. Ties have probability 0: only gaps. */
static void insert_rank(struct ref_node *n, unsigned vars, int gap, const struct automaton *a,
                        uint32_t assign) {
  int doubled[MAX_VARS];
  for (unsigned x = 0; x < vars; x++)
    doubled[x] = automaton_assigns(a, assign, x) ? gap : 2 * n->rank[x] + 1;
  for (unsigned x = 0; x < vars; x++) {
    int smaller = 0;
    for (int p = -1; p < 2 * MAX_VARS + 2; p++) {
      bool used = false;
      for (unsigned y = 0; y < vars; y++)
        used |= doubled[y] == p;
      smaller += used && p < doubled[x];
    }
    n->rank[x] = (signed char)smaller;
  }
}

static bool fits_order(const struct automaton *a, const struct automaton_edge *e,
                       const struct ref_node *n, int gap) {
  struct literals g = automaton_conjunction(a, e->guard);
  for (size_t i = 0; i < g.count; i++) {
    int x = 2 * n->rank[literal_var(g.at[i])] + 1;
    if (literal_is_less(g.at[i]) ? gap > x : gap < x) return false;
  }
  return true;
}

static bool ref_expand(struct ref *r, size_t at) {
  const struct automaton *a = r->a;
  struct ref_label l = r->labels[at];
  uint32_t s = l.node.state;
  for (uint32_t i = a->first_edge.at[s]; i < a->first_edge.at[s + 1]; i++) {
    const struct automaton_edge *e = &a->edges.at[i];
    bool input = a->states.at[s].is_input;
    for (int gap = 0; gap <= (a->independent ? 0 : 2 * (int)r->vars); gap += 2) {
      if (!a->independent && !fits_order(a, e, &l.node, gap)) continue;
      struct ref_node next = l.node;
      next.state = e->to;
      if (!a->independent) insert_rank(&next, r->vars, gap, a, e->assign);
      for (int delta = input ? -1 : 0; delta <= 1; delta += 2) {
        int v[CELLS] = {0};
        (a->independent ? ref_step_independent : ref_step)(r, e, delta, l.v, v);
        if (!ref_add(r, &next, v)) return false;
      }
    }
  }
  return true;
}

int reference_cost(const struct automaton *a, int cap, size_t limit) {
  struct ref r = {.a = a, .vars = (unsigned)a->vars.len, .cells = 1, .cap = cap};
  for (unsigned x = 0; x < r.vars; x++)
    r.cells *= 3;
  r.newest = calloc(a->states.len << 6, sizeof *r.newest);
  struct ref_node start;
  memset(&start, 0, sizeof start); /* before they are assigned, values do not matter */
  start.state = a->start;
  for (unsigned x = 0; x < r.vars; x++)
    start.rank[x] = (signed char)x;
  int zero[CELLS] = {0}, result = 0;
  ref_add(&r, &start, zero);
  for (size_t i = 0; i < r.count && result >= 0; i++) {
    int least = INF;
    for (unsigned c = 0; c < r.cells; c++)
      least = r.labels[i].v[c] < least ? r.labels[i].v[c] : least;
    if (least > result) result = least;
    if (!ref_expand(&r, i)) result = -1;
    if (r.count > limit) result = -2;
  }
  free(r.labels);
  free(r.newest);
  return result;
}
