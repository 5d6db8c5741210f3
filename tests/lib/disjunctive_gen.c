#include "disjunctive_gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- generation ---------------------------------------------------------------------------------
 */

struct gen {
  struct automaton *a;
  struct rng *rng;
  const struct disjunctive_options *o;
  uint32_t first, last; /* the random states; `last` is final */
};

static bool percent(struct gen *g, unsigned p) {
  return rng_below(g->rng, 100) < p;
}

static uint32_t pick_target(struct gen *g, uint32_t from) {
  if (percent(g, g->o->back_percent))
    return g->first + (uint32_t)rng_below(g->rng, from - g->first + 1);
  return from + 1 + (uint32_t)rng_below(g->rng, g->last - from);
}

/* The guard that holds for the outcomes in `set`, a bit for each of LL, GL, LG, GG (x first). */
static uint32_t guard_of(struct automaton *a, unsigned set) {
  literal all[8];
  size_t sizes[4], cubes = 0;
  if (set == 15) return 0;
  for (uint32_t v = 0; v < 2; v++) /* one variable decides? */
    for (unsigned side = 0; side < 2; side++) {
      unsigned half = v == 0 ? (side ? 10 : 5) : (side ? 12 : 3);
      if (set != half) continue;
      literal l = side ? literal_greater(v) : literal_less(v);
      return automaton_guard(a, &l, 1);
    }
  for (unsigned o = 0; o < 4; o++)
    if (set >> o & 1) {
      all[2 * cubes] = o & 1 ? literal_greater(0) : literal_less(0);
      all[2 * cubes + 1] = o & 2 ? literal_greater(1) : literal_less(1);
      sizes[cubes++] = 2;
    }
  return automaton_guard_dnf(a, all, sizes, cubes);
}

static void add_edge(struct gen *g, uint32_t from, unsigned set, unsigned index) {
  char name[16];
  int length = snprintf(name, sizeof name, "s%u", index);
  uint32_t emit = automaton_symbol(g->a, name, (size_t)length), vars[2];
  size_t assigned = 0;
  if (set == 0) return;
  for (uint32_t v = 0; v < 2; v++)
    if (percent(g, g->o->assign_percent)) vars[assigned++] = v;
  bool one = set == 5 || set == 10 || set == 3 || set == 12;
  uint32_t only = set == 5 || set == 10 ? 0 : 1;
  bool clear =
      set == 15 ? assigned <= 1 : one && (assigned == 0 || (assigned == 1 && vars[0] == only));
  if (index == 0 && clear && percent(g, g->o->output_percent)) emit = EMIT_INSAMPLE;
  automaton_edge(g->a,
                 (struct automaton_edge){from, pick_target(g, from), guard_of(g->a, set),
                                         automaton_set(g->a, vars, assigned), emit},
                 span_none());
}

static void add_edges(struct gen *g, uint32_t from) {
  unsigned part[3] = {0, 0, 0}, kind = (unsigned)rng_below(g->rng, 100);
  if (!g->a->states.at[from].is_input || kind < 10) {
    part[0] = 15;
  } else if (kind < 60) { /* a disjunction and its complement */
    part[1] = 1u << rng_below(g->rng, 4);
    part[0] = 15 & ~part[1];
    if (percent(g, 25)) part[1] = 0;
  } else if (kind < 80) { /* one variable */
    part[0] = rng_chance(g->rng, 1, 2) ? 5 : 3;
    part[1] = 15 & ~part[0];
    if (percent(g, 50)) part[rng_below(g->rng, 2)] = 0;
  } else {
    for (unsigned o = 0; o < 4; o++) {
      unsigned where = (unsigned)rng_below(g->rng, 4);
      if (where < 3) part[where] |= 1u << o;
    }
  }
  for (unsigned i = 0; i < 3; i++)
    add_edge(g, from, part[i], i);
}

void disjunctive_gen(struct automaton *a, struct rng *rng, const struct disjunctive_options *o) {
  struct gen g = {.a = a, .rng = rng, .o = o};
  automaton_init(a);
  a->independent = true;
  automaton_var(a, "x", 1);
  automaton_var(a, "y", 1);
  bool together = rng_chance(rng, 1, 3);
  g.first = together ? 1 : 2;
  g.last = g.first + 1 + (uint32_t)rng_below(rng, o->max_states);
  for (uint32_t s = 0; s <= g.last; s++) {
    automaton_state(a, NULL, 0, span_none());
    if (s == g.last) continue;
    uint32_t d = automaton_ratio(a, 1 + (slong)rng_below(rng, o->max_d), 1);
    automaton_noise(a, s, !percent(&g, s < g.first ? 50 : 10), d, 0, d, 0);
  }
  a->start = 0;
  for (uint32_t s = 0; s < g.first; s++) {
    uint32_t vars[2] = {together ? 0 : s, 1};
    automaton_edge(a,
                   (struct automaton_edge){s, s + 1, 0, automaton_set(a, vars, together ? 2 : 1),
                                           automaton_symbol(a, "s0", 2)},
                   span_none());
  }
  for (uint32_t s = g.first; s < g.last; s++)
    add_edges(&g, s);
  automaton_finish(a);
}

/* ---- brute force --------------------------------------------------------------------------------
 */

enum { INF = 1 << 20, CELLS = 9 };

struct label {
  uint32_t state;
  bool done;    /* expanded */
  int v[CELLS]; /* least cost per (shift of x, shift of y) */
};

struct brute {
  const struct automaton *a;
  int cap;
  bool *kept; /* per guard: 25 answers of is_kept */
  struct label *labels;
  size_t count, capacity;
};

/* Values of insample - variable that are tried; shifts differ by at most 2. */
static const double NEAR_AND_FAR[] = {-9, -1.5, -0.5, 0.5, 1.5, 9};

static bool cube_holds(const struct automaton *a, uint32_t cube, const double *offset) {
  for (uint32_t i = a->cubes.at[cube].begin; i < a->cubes.at[cube].end; i++) {
    literal l = a->literals.at[i];
    if (literal_is_less(l) != (offset[literal_var(l)] < 0)) return false;
  }
  return true;
}

static bool guard_holds(const struct automaton *a, uint32_t guard, const double *offset) {
  for (uint32_t c = a->guards.at[guard].begin; c < a->guards.at[guard].end; c++)
    if (cube_holds(a, c, offset)) return true;
  return false;
}

/* Does run 2 take the edge whenever run 1 does, if it is ahead of its variables by `ahead` more? */
static bool is_kept(const struct automaton *a, uint32_t guard, const int *ahead) {
  for (size_t i = 0; i < 6; i++)
    for (size_t j = 0; j < 6; j++) {
      double one[2] = {NEAR_AND_FAR[i], NEAR_AND_FAR[j]};
      double two[2] = {one[0] + ahead[0], one[1] + ahead[1]};
      if (guard_holds(a, guard, one) && !guard_holds(a, guard, two)) return false;
    }
  return true;
}

static bool mentions(const struct automaton *a, const struct automaton_edge *e, uint32_t var) {
  struct automaton_range g = a->guards.at[e->guard];
  bool found = automaton_assigns(a, e->assign, var);
  for (uint32_t c = g.begin; c < g.end; c++)
    for (uint32_t i = a->cubes.at[c].begin; i < a->cubes.at[c].end; i++)
      found |= literal_var(a->literals.at[i]) == var;
  return found;
}

static void brute_step(const struct brute *b, const struct automaton_edge *e, int delta,
                       const int *v, int *out) {
  const struct automaton *a = b->a;
  int d = (int)fmpz_get_si(fmpq_numref(automaton_value(a, a->states.at[e->from].d)));
  bool sampled[2] = {mentions(a, e, 0), mentions(a, e, 1)};
  for (int c = 0; c < CELLS; c++)
    out[c] = INF;
  for (int c = 0; c < CELLS * CELLS; c++) {
    int g[2] = {c % 3 - 1, c / 3 % 3 - 1}, s[2] = {c / 9 % 3 - 1, c / 27 - 1};
    int ahead[2], after[2], cost = v[c % CELLS];
    bool fits = cost < INF;
    for (uint32_t x = 0; x < 2; x++) {
      ahead[x] = s[x] - g[x];
      after[x] = automaton_assigns(a, e->assign, x) ? s[x] : g[x];
      if (!sampled[x]) continue;
      cost += abs(delta - s[x]) * d;
      fits &= e->emit != EMIT_INSAMPLE || s[x] == 0;
    }
    if (e->emit == EMIT_INSAMPLE && !sampled[0] && !sampled[1]) cost += abs(delta) * d;
    if (!fits || cost > b->cap) continue;
    int *to = &out[after[0] + 1 + 3 * (after[1] + 1)];
    if (cost < *to && b->kept[e->guard * 25 + (uint32_t)(ahead[0] + 2 + 5 * (ahead[1] + 2))])
      *to = cost;
  }
}

static bool is_at_most(const int *v, const int *w) {
  for (int c = 0; c < CELLS; c++)
    if (v[c] > w[c]) return false;
  return true;
}

/* False: everything is infinite. */
static bool brute_add(struct brute *b, uint32_t state, const int *v) {
  bool finite = false;
  for (int c = 0; c < CELLS; c++)
    finite |= v[c] < INF;
  if (!finite) return false;
  for (size_t i = 0; i < b->count; i++)
    if (b->labels[i].state == state && is_at_most(v, b->labels[i].v)) return true;
  size_t kept = 0;
  for (size_t i = 0; i < b->count; i++)
    if (b->labels[i].state != state || !is_at_most(b->labels[i].v, v))
      b->labels[kept++] = b->labels[i];
  b->count = kept;
  if (b->count == b->capacity) {
    b->capacity = b->capacity ? 2 * b->capacity : 64;
    b->labels = realloc(b->labels, b->capacity * sizeof *b->labels);
  }
  b->labels[b->count].state = state;
  b->labels[b->count].done = false;
  memcpy(b->labels[b->count++].v, v, sizeof b->labels->v);
  return true;
}

static int least_of(const int *v) {
  int least = INF;
  for (int c = 0; c < CELLS; c++)
    least = v[c] < least ? v[c] : least;
  return least;
}

static bool brute_expand(struct brute *b, struct label l) {
  const struct automaton *a = b->a;
  for (uint32_t e = a->first_edge.at[l.state]; e < a->first_edge.at[l.state + 1]; e++)
    for (int delta = a->states.at[l.state].is_input ? -1 : 0; delta <= 1; delta += 2) {
      int v[CELLS];
      brute_step(b, &a->edges.at[e], delta, l.v, v);
      if (!brute_add(b, a->edges.at[e].to, v)) return false;
    }
  return true;
}

int disjunctive_shift_cost(const struct automaton *a, int cap, size_t limit) {
  struct brute b = {.a = a, .cap = cap};
  int zero[CELLS] = {0}, result = 0;
  b.kept = malloc(a->guards.len * 25 * sizeof *b.kept);
  for (uint32_t g = 0; g < a->guards.len; g++)
    for (int k = 0; k < 25; k++)
      b.kept[g * 25 + (uint32_t)k] = is_kept(a, g, (int[2]){k % 5 - 2, k / 5 - 2});
  brute_add(&b, a->start, zero);
  for (size_t steps = 0; result >= 0; steps++) {
    size_t i = b.count; /* the newest first: costs that grow without bound show soon */
    while (i > 0 && b.labels[i - 1].done)
      i--;
    if (i == 0) break;
    struct label l = b.labels[i - 1];
    b.labels[i - 1].done = true;
    if (least_of(l.v) > result) result = least_of(l.v);
    if (!brute_expand(&b, l)) result = -1;
    if (steps > limit && result >= 0) result = -2;
  }
  free(b.kept);
  free(b.labels);
  return result;
}
