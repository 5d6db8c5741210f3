#include "automata/cost/online.h"

#include <string.h>

#include "base/intern.h"

/* ---- shifts that can survive ---------------------------------------------------------------- */

/* domain[at[n] + i]: shifts of the i-th live variable of node n that no cycle ahead forbids. */
struct domains {
  size_t *at;
  unsigned char *domain;
};

static bool narrow_node(const struct product *p, struct domains *d, uint32_t n) {
  const struct automaton *a = p->a;
  struct members live = product_live(p, n);
  bool changed = false;
  for (uint32_t e = p->first.at[n]; e < p->first.at[n + 1]; e++) {
    const struct automaton_edge *edge = &a->edges.at[p->edges.at[e].edge];
    uint32_t to = p->edges.at[e].to;
    struct members after = product_live(p, to);
    for (size_t i = 0, j = 0; i < live.count && j < after.count; i++) {
      while (j < after.count && after.at[j] < live.at[i])
        j++;
      if (j == after.count || after.at[j] != live.at[i]) continue;
      if (automaton_assigns(a, edge->assign, live.at[i])) continue;
      unsigned char *mine = &d->domain[d->at[n] + i], other = d->domain[d->at[to] + j];
      if (*mine & ~other) changed = true;
      *mine &= other;
    }
  }
  return changed;
}

static void apply_pumps(const struct product *p, const struct pumps *pumps, struct domains *d,
                        uint32_t n) {
  struct members live = product_live(p, n);
  for (uint32_t i = pumps->first.at[n]; i < pumps->first.at[n + 1]; i++) {
    const struct pump *q = &pumps->list.at[pumps->of_node.at[i]];
    size_t at = 0;
    for (uint32_t f = 0; f < q->force_count; f++) {
      const struct pump_force *force = &pumps->forces.at[q->first_force + f];
      if (at >= live.count || live.at[at] > force->var) at = 0;
      while (at < live.count && live.at[at] < force->var)
        at++;
      if (at < live.count && live.at[at] == force->var)
        d->domain[d->at[n] + at] &= (unsigned char)force->mask;
    }
  }
}

static void domains_build(struct domains *d, const struct product *p, const struct pumps *pumps) {
  size_t n = p->nodes.len, total = 0;
  d->at = xmalloc((n + 1) * sizeof *d->at);
  for (uint32_t i = 0; i < n; i++) {
    d->at[i] = total;
    total += product_live(p, i).count;
  }
  d->at[n] = total;
  d->domain = xmalloc(total + 1);
  memset(d->domain, SHIFT_ANY, total + 1);
  for (uint32_t i = 0; i < n; i++)
    apply_pumps(p, pumps, d, i);
  for (uint32_t c = 0; c < p->scc_count; c++) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (uint32_t i = p->scc_first.at[c + 1]; i-- > p->scc_first.at[c];)
        changed |= narrow_node(p, d, p->scc_member.at[i]);
      if (p->scc_first.at[c + 1] - p->scc_first.at[c] == 1) changed = false;
    }
  }
}

/* ---- points --------------------------------------------------------------------------------- */

/* Points in order of discovery; sorted by node afterwards. */
struct explorer {
  const struct product *p;
  const struct weights *w;
  struct domains domains;
  VEC(uint32_t) node;
  VEC(size_t) shifts_at;
  VEC(int8_t) shifts;
  uint32_t *slots; /* point + 1 */
  size_t capacity;
  int8_t *scratch;
};

static uint64_t hash_point(uint32_t node, const int8_t *g, size_t live) {
  uint64_t h = (node + UINT64_C(1)) * UINT64_C(0x9E3779B97F4A7C15);
  for (size_t i = 0; i < live; i++)
    h = (h ^ (uint64_t)(g[i] + 2)) * UINT64_C(0xBF58476D1CE4E5B9);
  return h ^ (h >> 31);
}

static void grow_slots(struct explorer *x) {
  free(x->slots);
  x->capacity = x->capacity ? x->capacity * 2 : 1024;
  x->slots = xcalloc(x->capacity, sizeof *x->slots);
  for (uint32_t i = 0; i < x->node.len; i++) {
    size_t live = product_live(x->p, x->node.at[i]).count;
    size_t at = hash_point(x->node.at[i], x->shifts.at + x->shifts_at.at[i], live);
    while (x->slots[at & (x->capacity - 1)])
      at++;
    x->slots[at & (x->capacity - 1)] = i + 1;
  }
}

static void add_point(struct explorer *x, uint32_t node, const int8_t *g) {
  size_t live = product_live(x->p, node).count;
  const unsigned char *domain = x->domains.domain + x->domains.at[node];
  for (size_t i = 0; i < live; i++)
    if (!(domain[i] >> (g[i] + 1) & 1)) return;
  if ((x->node.len + 1) * 2 > x->capacity) grow_slots(x);
  for (size_t at = hash_point(node, g, live);; at++) {
    uint32_t *slot = &x->slots[at & (x->capacity - 1)];
    if (*slot == 0) {
      *slot = (uint32_t)x->node.len + 1;
      break;
    }
    uint32_t other = *slot - 1;
    if (x->node.at[other] == node &&
        (live == 0 || memcmp(x->shifts.at + x->shifts_at.at[other], g, live) == 0))
      return;
  }
  vec_push(&x->node, node);
  vec_push(&x->shifts_at, x->shifts.len);
  vec_reserve(&x->shifts, x->shifts.len + live);
  if (live > 0) memcpy(x->shifts.at + x->shifts.len, g, live);
  x->shifts.len += live;
}

static void explore_point(struct explorer *x, uint32_t point, struct step_scratch *scratch) {
  const struct product *p = x->p;
  uint32_t n = x->node.at[point];
  size_t vars = p->a->vars.len;
  int8_t *g = x->scratch, *after = x->scratch + vars;
  size_t count = product_live(p, n).count;
  if (count > 0) memcpy(g, x->shifts.at + x->shifts_at.at[point], count);
  for (uint32_t e = p->first.at[n]; e < p->first.at[n + 1]; e++) {
    struct step step = step_make(p, x->w, n, e, scratch);
    struct step_choice c;
    for (bool more = step_start(&step, g, 0, &c); more; more = step_next(&step, &c)) {
      step_after(&step, g, &c, after);
      add_point(x, step.to, after);
    }
  }
}

/* All points of a node that has none yet: where looking ahead stops being necessary, a strategy
 * without it takes over. */
static void seed_node(struct explorer *x, uint32_t node) {
  struct members live = product_live(x->p, node);
  const unsigned char *domain = x->domains.domain + x->domains.at[node];
  size_t count = 1;
  for (size_t i = 0; i < live.count && count <= ONLINE_SEEDS; i++)
    count *= (size_t)__builtin_popcount(domain[i]);
  if (count > ONLINE_SEEDS) return;
  int8_t *g = x->scratch;
  for (size_t c = 0; c < count; c++) {
    size_t rest = c;
    for (size_t i = 0; i < live.count; i++) {
      size_t size = (size_t)__builtin_popcount(domain[i]), pick = rest % size;
      rest /= size;
      int shift = -1;
      while (!(domain[i] >> (shift + 1) & 1) || pick-- > 0)
        shift++;
      g[i] = (int8_t)shift;
    }
    add_point(x, node, g);
  }
}

static bool explore(struct explorer *x) {
  struct step_scratch scratch = {0};
  const struct product *p = x->p;
  x->scratch = xcalloc(2 * p->a->vars.len + 2, 1);
  bool *reached = xcalloc(p->nodes.len + 1, sizeof *reached), fits = true;
  uint32_t next = 0;
  add_point(x, 0, x->scratch);                        /* no variable is live at the start */
  for (size_t i = p->nodes.len; i > 0 && fits; i--) { /* topological order */
    for (; next < x->node.len && fits; next++) {
      reached[x->node.at[next]] = true;
      explore_point(x, next, &scratch);
      fits = x->node.len <= ONLINE_POINT_LIMIT;
    }
    if (!reached[p->scc_member.at[i - 1]]) seed_node(x, p->scc_member.at[i - 1]);
  }
  for (; next < x->node.len && fits; next++) {
    explore_point(x, next, &scratch);
    fits = x->node.len <= ONLINE_POINT_LIMIT;
  }
  free(reached);
  step_scratch_clear(&scratch);
  return fits;
}

static void group_points(struct online *o, const struct explorer *x) {
  size_t n = o->p->nodes.len, count = x->node.len;
  uint32_t *first = xcalloc(n + 2, sizeof *first);
  for (size_t i = 0; i < count; i++)
    first[x->node.at[i] + 2]++;
  for (size_t i = 0; i < n; i++)
    first[i + 2] += first[i + 1];
  vec_reserve(&o->shifts_at, n + 1);
  vec_reserve(&o->shifts, x->shifts.len + 1);
  size_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    vec_push(&o->shifts_at, at);
    at += (first[i + 2] - first[i + 1]) * product_live(o->p, i).count;
  }
  uint32_t *start = xmalloc((n + 1) * sizeof *start);
  memcpy(start, first + 1, n * sizeof *start);
  for (size_t i = 0; i < count; i++) {
    uint32_t node = x->node.at[i], slot = first[node + 1]++;
    size_t live = product_live(o->p, node).count;
    if (live > 0)
      memcpy(o->shifts.at + o->shifts_at.at[node] + (slot - start[node]) * live,
             x->shifts.at + x->shifts_at.at[i], live);
  }
  free(start);
  o->shifts.len = at;
  o->first.at = first;
  o->first.len = o->first.cap = n + 1;
  vec_reserve(&o->value, count + 1);
  memset(o->value.at, 0, (count + 1) * sizeof *o->value.at);
  o->value.len = count;
}

const int8_t *online_shifts(const struct online *o, uint32_t node, uint32_t point) {
  size_t live = product_live(o->p, node).count;
  return o->shifts.at + o->shifts_at.at[node] + (point - o->first.at[node]) * live;
}

uint32_t online_find(const struct online *o, uint32_t node, const int8_t *g) {
  if (!o->complete) return AUTOMATON_NONE;
  size_t live = product_live(o->p, node).count;
  for (uint32_t i = o->first.at[node]; i < o->first.at[node + 1]; i++)
    if (live == 0 || memcmp(online_shifts(o, node, i), g, live) == 0) return i;
  return AUTOMATON_NONE;
}

/* ---- values --------------------------------------------------------------------------------- */

bool online_respond(const struct online *o, const struct step *step, const int8_t *g, int delta,
                    fmpz_t best, uint32_t *to) {
  int8_t small[16], *after = step->after.count <= 16 ? small : xmalloc(step->after.count);
  struct step_choice c;
  fmpz_t cost;
  fmpz_init(cost);
  bool found = false;
  for (bool more = step_start(step, g, delta, &c); more; more = step_next(step, &c)) {
    step_after(step, g, &c, after);
    uint32_t point = online_find(o, step->to, after);
    if (!online_is_finite(o, point)) continue;
    step_cost(cost, step, delta, &c);
    fmpz_add(cost, cost, &o->value.at[point]);
    if (!found || fmpz_cmp(cost, best) < 0) {
      fmpz_set(best, cost);
      if (to) *to = point;
    }
    found = true;
  }
  fmpz_clear(cost);
  if (after != small) free(after);
  return found;
}

struct solver {
  struct online *o;
  struct step_scratch scratch;
  bool to_infinity; /* what still changes becomes infinite */
};

/* H at one node from H of its successors; true if a point changed. */
static bool solve_node(struct solver *s, uint32_t n, bool inside_only, bool outside_only) {
  struct online *o = s->o;
  const struct product *p = o->p;
  bool changed = false;
  fmpz_t best, answer;
  fmpz_init(best);
  fmpz_init(answer);
  for (uint32_t e = p->first.at[n]; e < p->first.at[n + 1]; e++) {
    bool inside = product_is_cyclic(p, n, p->edges.at[e].to);
    if ((inside_only && !inside) || (outside_only && inside)) continue;
    struct step step = step_make(p, o->w, n, e, &s->scratch);
    for (uint32_t i = o->first.at[n]; i < o->first.at[n + 1]; i++) {
      if (!online_is_finite(o, i)) continue;
      const int8_t *g = online_shifts(o, n, i);
      for (int delta = step_first_delta(&step); delta <= 1; delta += 2) {
        bool finite = online_respond(o, &step, g, delta, answer, NULL);
        if (finite && fmpz_cmp(answer, &o->value.at[i]) <= 0) continue;
        changed = true;
        if (finite && !s->to_infinity)
          fmpz_set(&o->value.at[i], answer);
        else
          fmpz_set_si(&o->value.at[i], -1);
        if (!online_is_finite(o, i)) break;
      }
    }
  }
  fmpz_clear(best);
  fmpz_clear(answer);
  return changed;
}

/* A component that assigns nothing: its nodes have the same live variables, and H(., g) is the
 * same at all of them: the most that leaving costs. False: an internal traversal costs something
 * (its demand was not known to the domains). */
static bool solve_uniform(struct solver *s, uint32_t c) {
  struct online *o = s->o;
  const struct product *p = o->p;
  uint32_t begin = p->scc_first.at[c], end = p->scc_first.at[c + 1], head = p->scc_member.at[begin];
  for (uint32_t i = begin; i < end; i++) {
    uint32_t n = p->scc_member.at[i];
    if (o->first.at[n + 1] - o->first.at[n] != o->first.at[head + 1] - o->first.at[head])
      return false;
    solve_node(s, n, false, true);
  }
  for (uint32_t i = o->first.at[head]; i < o->first.at[head + 1]; i++) {
    const int8_t *g = online_shifts(o, head, i);
    fmpz_t most;
    fmpz_init(most);
    bool finite = true;
    for (int round = 0; round < 2; round++)
      for (uint32_t j = begin; j < end; j++) {
        uint32_t point = online_find(o, p->scc_member.at[j], g);
        if (point == AUTOMATON_NONE) {
          fmpz_clear(most);
          return false;
        }
        if (round == 0) {
          finite = finite && online_is_finite(o, point);
          if (fmpz_cmp(&o->value.at[point], most) > 0) fmpz_set(most, &o->value.at[point]);
        } else if (finite) {
          fmpz_set(&o->value.at[point], most);
        } else {
          fmpz_set_si(&o->value.at[point], -1);
        }
      }
    fmpz_clear(most);
  }
  return true;
}

static bool component_assigns(const struct product *p, uint32_t c) {
  for (uint32_t i = p->scc_first.at[c]; i < p->scc_first.at[c + 1]; i++) {
    uint32_t n = p->scc_member.at[i];
    for (uint32_t e = p->first.at[n]; e < p->first.at[n + 1]; e++)
      if (product_is_cyclic(p, n, p->edges.at[e].to) &&
          p->a->edges.at[p->edges.at[e].edge].assign != 0)
        return true;
  }
  return false;
}

static bool component_is_cyclic(const struct product *p, uint32_t c) {
  if (p->scc_first.at[c + 1] - p->scc_first.at[c] > 1) return true;
  uint32_t n = p->scc_member.at[p->scc_first.at[c]];
  for (uint32_t e = p->first.at[n]; e < p->first.at[n + 1]; e++)
    if (p->edges.at[e].to == n) return true;
  return false;
}

static void solve_component(struct solver *s, uint32_t c) {
  const struct product *p = s->o->p;
  uint32_t begin = p->scc_first.at[c], end = p->scc_first.at[c + 1];
  if (!component_is_cyclic(p, c)) {
    solve_node(s, p->scc_member.at[begin], false, false);
    return;
  }
  if (!component_assigns(p, c)) solve_uniform(s, c);
  s->to_infinity = false;
  bool changed = true;
  for (size_t sweep = 0; changed; sweep++) {
    s->to_infinity = sweep >= ONLINE_SWEEPS;
    changed = false;
    for (uint32_t i = end; i-- > begin;)
      changed |= solve_node(s, p->scc_member.at[i], false, false);
  }
  s->to_infinity = false;
}

void online_build(struct online *o, const struct product *p, const struct pumps *pumps,
                  const struct weights *w) {
  *o = (struct online){.p = p, .w = w};
  struct explorer x = {.p = p, .w = w};
  domains_build(&x.domains, p, pumps);
  o->complete = product_live(p, 0).count == 0 && explore(&x);
  if (o->complete) group_points(o, &x);
  free(x.domains.at);
  free(x.domains.domain);
  free(x.slots);
  free(x.scratch);
  vec_clear(&x.node);
  vec_clear(&x.shifts_at);
  vec_clear(&x.shifts);
  if (!o->complete) return;
  struct solver s = {.o = o};
  for (uint32_t c = 0; c < p->scc_count; c++)
    solve_component(&s, c);
  step_scratch_clear(&s.scratch);
}

void online_clear(struct online *o) {
  for (size_t i = 0; i < o->value.len; i++)
    fmpz_clear(&o->value.at[i]);
  vec_clear(&o->first);
  vec_clear(&o->shifts_at);
  vec_clear(&o->shifts);
  vec_clear(&o->value);
}

const fmpz *online_bound(const struct online *o) {
  if (!o->complete || o->first.at[1] == 0 || !online_is_finite(o, 0)) return NULL;
  return &o->value.at[0];
}
