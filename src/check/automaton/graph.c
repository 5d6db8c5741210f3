#include "check/automaton/graph.h"

#include "base/alloc.h"

void graph_init(struct graph *g, uint32_t nodes) {
  *g = (struct graph){.node_count = nodes, .stride = 1};
}

void graph_add(struct graph *g, uint32_t from, uint32_t to) {
  vec_push(&g->pending, (struct graph_arc){from, to});
}

void graph_clear(struct graph *g) {
  vec_clear(&g->pending);
  if (!g->borrowed) {
    free((void *)g->first);
    free((void *)g->target);
  }
  *g = (struct graph){0};
}

/* Counting sort of the pending arcs by source. */
static void build(struct graph *g) {
  uint32_t n = g->node_count;
  uint32_t *first = xcalloc((size_t)n + 2, sizeof *first);
  uint32_t *target = xmalloc((g->pending.len + 1) * sizeof *target);
  for (size_t i = 0; i < g->pending.len; i++)
    first[g->pending.at[i].from + 2]++;
  for (uint32_t i = 0; i < n; i++)
    first[i + 2] += first[i + 1];
  for (size_t i = 0; i < g->pending.len; i++)
    target[first[g->pending.at[i].from + 1]++] = g->pending.at[i].to;
  g->first = first;
  g->target = target;
}

/* Tarjan. low[n] is 0 for an unvisited node; a node whose component is complete gets low = max. */
struct tarjan {
  const struct graph *g;
  uint32_t *scc, *low, *cursor;
  VEC(uint32_t) path, open;
  uint32_t clock, count;
};

static void enter(struct tarjan *t, uint32_t node) {
  t->low[node] = ++t->clock;
  t->cursor[node] = t->g->first[node];
  vec_push(&t->path, node);
  vec_push(&t->open, node);
}

static void visit(struct tarjan *t, uint32_t root) {
  enter(t, root);
  uint32_t *entered = t->scc; /* until its component is known: when the node was entered */
  entered[root] = t->clock;
  while (t->path.len > 0) {
    uint32_t node = vec_last(&t->path);
    if (t->cursor[node] < t->g->first[node + 1]) {
      uint32_t next = t->g->target[t->cursor[node]++ * t->g->stride];
      if (t->low[next] == 0) {
        enter(t, next);
        entered[next] = t->clock;
      } else if (t->low[next] < t->low[node]) {
        t->low[node] = t->low[next];
      }
      continue;
    }
    t->path.len--;
    uint32_t low = t->low[node];
    if (low == entered[node]) {
      uint32_t member;
      do {
        member = vec_pop(&t->open);
        t->low[member] = UINT32_MAX;
        t->scc[member] = t->count;
      } while (member != node);
      t->count++;
    } else if (t->path.len > 0 && low < t->low[vec_last(&t->path)]) {
      t->low[vec_last(&t->path)] = low;
    }
  }
}

uint32_t graph_scc(struct graph *g, uint32_t *scc) {
  if (!g->first) build(g);
  struct tarjan t = {.g = g, .scc = scc};
  t.low = xcalloc((size_t)g->node_count + 1, sizeof *t.low);
  t.cursor = xmalloc(((size_t)g->node_count + 1) * sizeof *t.cursor);
  for (uint32_t n = 0; n < g->node_count; n++)
    if (t.low[n] == 0) visit(&t, n);
  free(t.low);
  free(t.cursor);
  vec_clear(&t.path);
  vec_clear(&t.open);
  return t.count;
}
