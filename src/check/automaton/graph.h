/* Directed graphs in CSR form, and Tarjan's strongly connected components without recursion. */
#ifndef COUPLET_CHECK_AUTOMATON_GRAPH_H
#define COUPLET_CHECK_AUTOMATON_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct graph_arc {
  uint32_t from, to;
};

struct graph {
  uint32_t node_count;
  const uint32_t *first;  /* node_count + 1 entries; the arcs of n are first[n]..first[n+1]-1 */
  const uint32_t *target; /* of arc i: target[i * stride] */
  size_t stride;
  bool borrowed;                 /* first and target belong to somebody else */
  VEC(struct graph_arc) pending; /* arcs added one by one, until graph_scc sorts them */
};

void graph_init(struct graph *g, uint32_t nodes);
void graph_add(struct graph *g, uint32_t from, uint32_t to);
void graph_clear(struct graph *g);
/* Fills scc[node]; every arc leads to the same or a smaller number. Returns how many there are. */
uint32_t graph_scc(struct graph *g, uint32_t *scc);

#endif
