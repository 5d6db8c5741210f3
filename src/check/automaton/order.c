#include "check/automaton/order.h"

#include <string.h>

/* ---- live variables ------------------------------------------------------------------------- */

/* Backwards from every comparison, one variable at a time over a worklist; linear in
 * states + edges per variable that is compared. */
struct liveness {
  const struct automaton *a;
  uint32_t *pred_first, *pred_edge; /* edges by target */
  uint64_t *bits;                   /* states x words */
  size_t words;
};

static void liveness_predecessors(struct liveness *l) {
  const struct automaton *a = l->a;
  l->pred_first = xcalloc(a->states.len + 2, sizeof *l->pred_first);
  l->pred_edge = xmalloc((a->edges.len + 1) * sizeof *l->pred_edge);
  for (size_t e = 0; e < a->edges.len; e++)
    l->pred_first[a->edges.at[e].to + 2]++;
  for (size_t s = 0; s < a->states.len; s++)
    l->pred_first[s + 2] += l->pred_first[s + 1];
  for (size_t e = 0; e < a->edges.len; e++)
    l->pred_edge[l->pred_first[a->edges.at[e].to + 1]++] = (uint32_t)e;
}

static bool mark_live(struct liveness *l, uint32_t state, uint32_t var) {
  uint64_t *word = &l->bits[state * l->words + var / 64], bit = UINT64_C(1) << (var % 64);
  if (*word & bit) return false;
  *word |= bit;
  return true;
}

struct live_item {
  uint32_t state, var;
};

static void liveness_run(struct liveness *l) {
  const struct automaton *a = l->a;
  VEC(struct live_item) work = {0};
  for (size_t e = 0; e < a->edges.len; e++) {
    struct automaton_range g = a->guards.at[a->edges.at[e].guard];
    for (uint32_t c = g.begin; c < g.end; c++)
      for (uint32_t i = a->cubes.at[c].begin; i < a->cubes.at[c].end; i++) {
        uint32_t var = literal_var(a->literals.at[i]);
        if (mark_live(l, a->edges.at[e].from, var))
          vec_push(&work, (struct live_item){a->edges.at[e].from, var});
      }
  }
  while (work.len > 0) {
    struct live_item item = vec_pop(&work);
    for (uint32_t i = l->pred_first[item.state]; i < l->pred_first[item.state + 1]; i++) {
      const struct automaton_edge *e = &a->edges.at[l->pred_edge[i]];
      if (automaton_assigns(a, e->assign, item.var)) continue;
      if (mark_live(l, e->from, item.var)) vec_push(&work, (struct live_item){e->from, item.var});
    }
  }
  vec_clear(&work);
}

static void find_live(struct product *p) {
  const struct automaton *a = p->a;
  struct liveness l = {.a = a, .words = a->vars.len / 64 + 1};
  l.bits = xcalloc((a->states.len + 1) * l.words, sizeof *l.bits);
  liveness_predecessors(&l);
  liveness_run(&l);
  for (uint32_t s = 0; s < a->states.len; s++) {
    vec_push(&p->live_first, (uint32_t)p->live.len);
    for (uint32_t x = 0; x < a->vars.len; x++)
      if (l.bits[s * l.words + x / 64] >> (x % 64) & 1) vec_push(&p->live, x);
  }
  vec_push(&p->live_first, (uint32_t)p->live.len);
  free(l.bits);
  free(l.pred_first);
  free(l.pred_edge);
}

static bool is_live(const struct product *p, uint32_t state, uint32_t var) {
  for (uint32_t i = p->live_first.at[state]; i < p->live_first.at[state + 1]; i++)
    if (p->live.at[i] == var) return true;
  return false;
}

struct members product_live(const struct product *p, uint32_t node) {
  uint32_t s = p->nodes.at[node].state, begin = p->live_first.at[s];
  return (struct members){p->live.at + begin, p->live_first.at[s + 1] - begin};
}

/* ---- which facts to track ------------------------------------------------------------------- */

static void fact_graph(const struct automaton *a, struct graph *k) {
  graph_init(k, (uint32_t)a->vars.len);
  for (size_t e = 0; e < a->edges.len; e++) {
    if (!automaton_is_conjunction(a, a->edges.at[e].guard)) continue;
    struct literals g = automaton_conjunction(a, a->edges.at[e].guard);
    struct members w = automaton_members(a, a->edges.at[e].assign);
    for (size_t i = 0; i < g.count; i++) {
      uint32_t x = literal_var(g.at[i]);
      bool less = literal_is_less(g.at[i]);
      for (size_t j = 0; less && j < g.count; j++)
        if (!literal_is_less(g.at[j])) graph_add(k, literal_var(g.at[j]), x);
      for (size_t j = 0; j < w.count; j++)
        graph_add(k, less ? w.at[j] : x, less ? x : w.at[j]);
    }
    for (size_t i = 0; i + 1 < w.count; i++) {
      graph_add(k, w.at[i], w.at[i + 1]);
      graph_add(k, w.at[i + 1], w.at[i]);
    }
  }
}

/* A variable is tracked if it shares its component of K with another one. */
static void choose_tracked(struct product *p, const struct graph_arc *wanted, size_t wanted_count) {
  const struct automaton *a = p->a;
  for (uint32_t x = 0; x < a->vars.len; x++)
    vec_push(&p->tracked_slot, AUTOMATON_NONE);
  if (a->vars.len < 2 || a->independent || p->coarse) return;
  struct graph k;
  fact_graph(a, &k);
  for (size_t i = 0; i < wanted_count; i++)
    graph_add(&k, wanted[i].from, wanted[i].to);
  uint32_t *scc = xmalloc(a->vars.len * sizeof *scc), count = graph_scc(&k, scc);
  uint32_t *size = xcalloc(count + 1, sizeof *size);
  for (uint32_t x = 0; x < a->vars.len; x++)
    size[scc[x]]++;
  for (uint32_t x = 0; x < a->vars.len; x++)
    if (size[scc[x]] > 1) {
      p->tracked_slot.at[x] = (uint32_t)p->tracked.len;
      vec_push(&p->tracked, x);
      vec_push(&p->tracked_group, scc[x]);
    }
  free(size);
  free(scc);
  graph_clear(&k);
}

/* ---- facts ---------------------------------------------------------------------------------- */

enum { SAMPLE_BELOW = 1, SAMPLE_ABOVE = 2 }; /* insample < x, insample > x */

/* What the guard and the facts say about insample; false: they contradict each other. */
static bool place_sample(const struct product *p, const unsigned char *facts, struct literals g,
                         unsigned char *sample) {
  size_t n = p->tracked.len;
  memset(sample, 0, n + 1);
  for (size_t i = 0; i + 1 < g.count; i++) /* sorted: x's L stands before its G */
    if (literal_var(g.at[i]) == literal_var(g.at[i + 1])) return false;
  for (size_t i = 0; i < g.count; i++) {
    uint32_t x = p->tracked_slot.at[literal_var(g.at[i])];
    if (x == AUTOMATON_NONE) continue;
    bool less = literal_is_less(g.at[i]);
    for (size_t y = 0; y < n; y++) {
      unsigned char r = facts[x * n + y];
      if (y == x || r == RELATION_EQUAL || r == (less ? RELATION_LESS : RELATION_GREATER))
        sample[y] |= less ? SAMPLE_BELOW : SAMPLE_ABOVE;
    }
  }
  for (size_t y = 0; y < n; y++)
    if (sample[y] == (SAMPLE_BELOW | SAMPLE_ABOVE)) return false;
  return true;
}

static void relate(const struct product *p, unsigned char *facts, size_t x, size_t y,
                   enum relation r) {
  static const enum relation inverse[] = {RELATION_UNKNOWN, RELATION_GREATER, RELATION_EQUAL,
                                          RELATION_LESS};
  size_t n = p->tracked.len;
  if (p->tracked_group.at[x] != p->tracked_group.at[y]) return;
  facts[x * n + y] = (unsigned char)r;
  facts[y * n + x] = (unsigned char)inverse[r];
}

/* The facts after the edge, from those before it and the place of insample. The relation stays
 * transitively closed: `sample` is closed under the facts, and forgetting keeps closure. */
static void learn(const struct product *p, unsigned char *facts, const unsigned char *sample,
                  const struct automaton_edge *e) {
  size_t n = p->tracked.len;
  for (size_t x = 0; x < n; x++)
    for (size_t y = 0; y < n; y++)
      if (sample[x] == SAMPLE_ABOVE && sample[y] == SAMPLE_BELOW)
        relate(p, facts, x, y, RELATION_LESS);
  struct members w = automaton_members(p->a, e->assign);
  for (size_t i = 0; i < w.count; i++) {
    uint32_t x = p->tracked_slot.at[w.at[i]];
    if (x == AUTOMATON_NONE) continue;
    for (size_t y = 0; y < n; y++) {
      if (y == x) continue;
      bool together = automaton_assigns(p->a, e->assign, p->tracked.at[y]);
      relate(p, facts, x, y,
             together                    ? RELATION_EQUAL
             : sample[y] == SAMPLE_BELOW ? RELATION_LESS
             : sample[y] == SAMPLE_ABOVE ? RELATION_GREATER
                                         : RELATION_UNKNOWN);
    }
  }
  for (size_t x = 0; x < n; x++)
    if (!is_live(p, e->to, p->tracked.at[x]))
      for (size_t y = 0; y < n; y++)
        relate(p, facts, x, y, RELATION_UNKNOWN);
}

enum relation product_relation(const struct product *p, uint32_t node, uint32_t x, uint32_t y) {
  uint32_t i = p->tracked_slot.at[x], j = p->tracked_slot.at[y];
  if (x == y) return RELATION_EQUAL;
  if (i == AUTOMATON_NONE || j == AUTOMATON_NONE) return RELATION_UNKNOWN;
  size_t n = p->tracked.len;
  return p->facts.at[p->nodes.at[node].facts * n * n + i * n + j];
}

/* ---- nodes ---------------------------------------------------------------------------------- */

struct explorer {
  struct product *p;
  uint32_t *fact_slots, *node_slots; /* number + 1; 0: free */
  size_t fact_capacity, node_capacity, fact_count;
  unsigned char *scratch, *sample;
  size_t limit;
};

static uint64_t hash_pair(uint32_t a, uint32_t b) {
  uint64_t h = ((uint64_t)a << 32 | b) * UINT64_C(0x9E3779B97F4A7C15);
  return h ^ (h >> 31);
}

static uint32_t intern_facts(struct explorer *x, const unsigned char *facts) {
  size_t size = x->p->tracked.len * x->p->tracked.len;
  if (size == 0) return 0;
  if ((x->fact_count + 1) * 2 > x->fact_capacity) {
    size_t old = x->fact_capacity;
    uint32_t *slots = x->fact_slots;
    x->fact_capacity = old ? old * 2 : 64;
    x->fact_slots = xcalloc(x->fact_capacity, sizeof *x->fact_slots);
    for (size_t i = 0; i < old; i++) {
      if (!slots[i]) continue;
      size_t at = hash_bytes(x->p->facts.at + (slots[i] - 1) * size, size);
      while (x->fact_slots[at & (x->fact_capacity - 1)])
        at++;
      x->fact_slots[at & (x->fact_capacity - 1)] = slots[i];
    }
    free(slots);
  }
  size_t at = hash_bytes(facts, size);
  for (;; at++) {
    uint32_t *slot = &x->fact_slots[at & (x->fact_capacity - 1)];
    if (*slot && memcmp(x->p->facts.at + (*slot - 1) * size, facts, size) == 0) return *slot - 1;
    if (*slot) continue;
    *slot = (uint32_t)++x->fact_count;
    vec_reserve(&x->p->facts, x->fact_count * size);
    memcpy(x->p->facts.at + (x->fact_count - 1) * size, facts, size);
    x->p->facts.len = x->fact_count * size;
    return *slot - 1;
  }
}

static uint32_t node_at(struct explorer *x, uint32_t state, uint32_t facts) {
  struct product *p = x->p;
  if ((p->nodes.len + 1) * 2 > x->node_capacity) {
    free(x->node_slots);
    x->node_capacity = x->node_capacity ? x->node_capacity * 2 : 1024;
    x->node_slots = xcalloc(x->node_capacity, sizeof *x->node_slots);
    for (uint32_t n = 0; n < p->nodes.len; n++) {
      size_t at = hash_pair(p->nodes.at[n].state, p->nodes.at[n].facts);
      while (x->node_slots[at & (x->node_capacity - 1)])
        at++;
      x->node_slots[at & (x->node_capacity - 1)] = n + 1;
    }
  }
  for (size_t at = hash_pair(state, facts);; at++) {
    uint32_t *slot = &x->node_slots[at & (x->node_capacity - 1)];
    if (!*slot) {
      vec_push(&p->nodes, (struct product_node){state, facts, 0});
      *slot = (uint32_t)p->nodes.len;
      return *slot - 1;
    }
    const struct product_node *n = &p->nodes.at[*slot - 1];
    if (n->state == state && n->facts == facts) return *slot - 1;
  }
}

/* What is known at a node; NULL where no variable is tracked. */
static const unsigned char *facts_at(const struct product *p, uint32_t node) {
  size_t size = p->tracked.len * p->tracked.len;
  return size ? p->facts.at + p->nodes.at[node].facts * size : NULL;
}

static void explore_edge(struct explorer *x, uint32_t node, uint32_t edge) {
  struct product *p = x->p;
  const struct automaton_edge *e = &p->a->edges.at[edge];
  size_t size = p->tracked.len * p->tracked.len;
  uint32_t facts = 0;
  if (p->a->guards.at[e->guard].begin == p->a->guards.at[e->guard].end) return; /* false */
  if (!p->a->independent) {
    const unsigned char *before = facts_at(p, node);
    struct literals g = automaton_conjunction(p->a, e->guard);
    if (!place_sample(p, before, g, x->sample)) return;
    if (size > 0) {
      memcpy(x->scratch, before, size);
      learn(p, x->scratch, x->sample, e);
      facts = intern_facts(x, x->scratch);
    }
  }
  uint32_t to = node_at(x, e->to, facts);
  vec_push(&p->edges, (struct product_edge){edge, to});
}

/* False: too many nodes. */
static bool explore(struct product *p) {
  const struct automaton *a = p->a;
  size_t size = p->tracked.len * p->tracked.len;
  struct explorer x = {.p = p, .limit = 4 * a->states.len + PRODUCT_NODE_SLACK};
  x.scratch = xcalloc(size + 1, 1);
  x.sample = xcalloc(p->tracked.len + 1, 1);
  intern_facts(&x, x.scratch);
  node_at(&x, a->start, 0);
  bool fits = true;
  for (uint32_t n = 0; n < p->nodes.len && fits; n++) {
    vec_push(&p->first, (uint32_t)p->edges.len);
    uint32_t s = p->nodes.at[n].state;
    for (uint32_t e = a->first_edge.at[s]; e < a->first_edge.at[s + 1]; e++)
      explore_edge(&x, n, e);
    fits = p->nodes.len <= x.limit;
  }
  vec_push(&p->first, (uint32_t)p->edges.len);
  free(x.scratch);
  free(x.sample);
  free(x.fact_slots);
  free(x.node_slots);
  return fits;
}

static void number_components(struct product *p) {
  vec_reserve(&p->edges, 1); /* so that the address below exists */
  uint32_t n = (uint32_t)p->nodes.len, *scc = xmalloc((n + 1) * sizeof *scc);
  struct graph g = {.node_count = n, .first = p->first.at, .borrowed = true};
  g.target = &p->edges.at[0].to;
  g.stride = sizeof *p->edges.at / sizeof(uint32_t);
  p->scc_count = graph_scc(&g, scc);
  for (uint32_t i = 0; i < n; i++)
    p->nodes.at[i].scc = scc[i];
  free(scc);
  uint32_t *first = xcalloc((size_t)p->scc_count + 2, sizeof *first);
  for (uint32_t i = 0; i < n; i++)
    first[p->nodes.at[i].scc + 2]++;
  for (uint32_t c = 0; c < p->scc_count; c++)
    first[c + 2] += first[c + 1];
  vec_reserve(&p->scc_member, n);
  p->scc_member.len = n;
  for (uint32_t i = 0; i < n; i++)
    p->scc_member.at[first[p->nodes.at[i].scc + 1]++] = i;
  p->scc_first.at = first;
  p->scc_first.len = p->scc_first.cap = (size_t)p->scc_count + 2;
}

void product_build(struct product *p, const struct automaton *a) {
  product_build_for(p, a, NULL, 0);
}

void product_build_for(struct product *p, const struct automaton *a, const struct graph_arc *wanted,
                       size_t count) {
  *p = (struct product){.a = a};
  find_live(p);
  choose_tracked(p, wanted, count);
  if (!explore(p)) {
    p->coarse = true;
    p->nodes.len = p->first.len = p->edges.len = p->facts.len = 0;
    p->tracked.len = p->tracked_slot.len = p->tracked_group.len = 0;
    choose_tracked(p, wanted, count);
    explore(p); /* no facts: at most one node per state */
  }
  number_components(p);
}

void product_clear(struct product *p) {
  vec_clear(&p->nodes);
  vec_clear(&p->first);
  vec_clear(&p->edges);
  vec_clear(&p->scc_first);
  vec_clear(&p->scc_member);
  vec_clear(&p->tracked);
  vec_clear(&p->tracked_slot);
  vec_clear(&p->tracked_group);
  vec_clear(&p->facts);
  vec_clear(&p->live_first);
  vec_clear(&p->live);
}
