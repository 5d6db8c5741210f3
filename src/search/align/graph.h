/* The states of a loop as a graph: how iterations lead from one to another, and what they cost.
 *
 * Either the states of the loop alone, an iteration being one edge whatever it passes through; or
 * those of all loops in it as well, an edge being a way without loops. */
#ifndef COUPLET_SEARCH_ALIGN_GRAPH_H
#define COUPLET_SEARCH_ALIGN_GRAPH_H

#include "search/align/loop.h"

enum { GRAPH_NODES = 200 };

struct node {
  struct align_plan *plan;
  struct align_head *head;
};

struct edge {
  size_t from, to;
  term_id cost; /* over the variables of `from` */
  const struct align_state *state;
  const struct align_path *path;
};

struct graph {
  struct align_plan *plan;
  VEC(struct node) nodes; /* those of the plan come first if it is the loop alone */
  VEC(struct edge) edges;
};

/* Both in the arena of the search. */
struct graph *graph_of_loop(struct align *s, struct align_plan *plan);
/* NULL: it is too large. */
struct graph *graph_of_nest(struct align *s, struct align_plan *plan);

size_t graph_node(const struct graph *g, const struct align_head *head);
/* The node of a way into the loop. */
size_t graph_entry(const struct graph *g, size_t entry);

#endif
