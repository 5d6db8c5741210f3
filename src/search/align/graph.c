#include "search/align/graph.h"

size_t graph_node(const struct graph *g, const struct align_head *head) {
  for (size_t i = 0; i < g->nodes.len; i++)
    if (g->nodes.at[i].head == head) return i;
  return SIZE_MAX;
}

size_t graph_entry(const struct graph *g, size_t entry) {
  return graph_node(g, g->plan->heads.at[g->plan->entries.at[entry]]);
}

struct graph *graph_of_loop(struct align *s, struct align_plan *plan) {
  struct graph *g = arena_new(s->arena, struct graph);
  *g = (struct graph){.plan = plan};
  for (size_t i = 0; i < plan->heads.len; i++) {
    struct align_head *h = plan->heads.at[i];
    vec_push(&g->nodes, (struct node){plan, h});
    for (size_t j = 0; j < h->steps.len; j++) {
      const struct align_step *step = &h->steps.at[j];
      vec_push(&g->edges,
               (struct edge){i, step->to, step->cost, &step->end->state, step->end->path});
    }
  }
  ALIGN_KEEP(s, &g->nodes);
  ALIGN_KEEP(s, &g->edges);
  return g;
}

/* ---- with the loops inside ------------------------------------------------------------------- */

static void add_nodes(struct graph *g, struct align_plan *plan) {
  for (size_t h = 0; h < plan->heads.len; h++) {
    struct align_head *head = plan->heads.at[h];
    vec_push(&g->nodes, (struct node){plan, head});
    const struct align_piece *pieces[] = {head->body, plan == g->plan ? NULL : head->after};
    for (size_t p = 0; p < 2; p++)
      for (size_t i = 0; pieces[p] && i < pieces[p]->plans.len; i++)
        add_nodes(g, pieces[p]->plans.at[i]);
  }
}

/* The state that an iteration from `around` leads to if it ends so. */
static size_t target(const struct graph *g, const struct node *around,
                     const struct align_end *end) {
  for (size_t i = 0; i < around->head->steps.len; i++) {
    const struct align_end *e = around->head->steps.at[i].end;
    while (e->inner)
      e = e->inner;
    if (e == end) return graph_node(g, around->plan->heads.at[around->head->steps.at[i].to]);
  }
  return SIZE_MAX;
}

static void add_edge(struct graph *g, size_t from, size_t to, const struct align_end *e) {
  if (to != SIZE_MAX) vec_push(&g->edges, (struct edge){from, to, e->cost, &e->state, e->path});
}

/* The ways from a node through one piece. `around`: the state in whose iteration the piece is. */
static void add_edges(struct graph *g, size_t from, size_t around,
                      const struct align_piece *piece) {
  for (size_t i = 0; i < piece->ends.len; i++) {
    const struct align_end *e = &piece->ends.at[i];
    if (e->kind == PATH_END && !e->inner) add_edge(g, from, target(g, &g->nodes.at[around], e), e);
  }
  for (size_t i = 0; i < piece->plans.len; i++) {
    const struct align_plan *plan = piece->plans.at[i];
    for (size_t w = 0; w < plan->entries.len; w++)
      add_edge(g, from, graph_node(g, plan->heads.at[plan->entries.at[w]]), &plan->entered[w]);
    for (size_t h = 0; h < plan->heads.len; h++) {
      size_t inner = graph_node(g, plan->heads.at[h]);
      add_edges(g, inner, inner, plan->heads.at[h]->body);
      if (plan->heads.at[h]->after) add_edges(g, inner, around, plan->heads.at[h]->after);
    }
  }
}

struct graph *graph_of_nest(struct align *s, struct align_plan *plan) {
  struct graph *g = arena_new(s->arena, struct graph);
  *g = (struct graph){.plan = plan};
  add_nodes(g, plan);
  bool fits = g->nodes.len <= GRAPH_NODES;
  for (size_t h = 0; h < plan->heads.len && fits; h++) {
    size_t n = graph_node(g, plan->heads.at[h]);
    add_edges(g, n, n, plan->heads.at[h]->body);
  }
  ALIGN_KEEP(s, &g->nodes);
  ALIGN_KEEP(s, &g->edges);
  return fits ? g : NULL;
}
