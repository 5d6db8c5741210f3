/* The order product: the automaton multiplied by what is known of the order of its variables.
 *
 * A node is a state together with facts `x < y`, `x = y` about the stored values. An edge whose
 * guard contradicts the facts of a node has probability 0 there and is left out; traversing
 * `insample >= y and insample < x` teaches y < x; an assignment forgets the old value of its
 * variables and relates the new one to what insample was compared with. Under independent noise
 * nothing is known, and the product is the automaton itself.
 *
 * Facts matter only where they can contradict a guard. Let K be the graph with an edge u -> v for
 * every fact u < v that some edge of the automaton could teach directly (both ways for variables
 * assigned together). A guard that needs y < x is an edge of K, and facts that contradict it are a
 * path from x to y, so only facts inside one strongly connected component of K are tracked: an
 * m-Range with its 2m thresholds needs none. Facts about variables that are dead (overwritten
 * before they are compared again) are forgotten too.
 *
 * The nodes reachable from the start are numbered from 0 (the start); edges are in CSR form; the
 * SCCs are numbered so that every edge goes to the same or a smaller number. */
#ifndef COUPLET_CHECK_AUTOMATON_ORDER_H
#define COUPLET_CHECK_AUTOMATON_ORDER_H

#include "check/automaton/graph.h"
#include "check/automaton/model.h"

enum { PRODUCT_NODE_SLACK = 200000 }; /* nodes allowed beyond four per state */

enum relation { RELATION_UNKNOWN, RELATION_LESS, RELATION_EQUAL, RELATION_GREATER };

struct product_node {
  uint32_t state;
  uint32_t facts; /* number of a matrix of relations */
  uint32_t scc;
};

struct product_edge {
  uint32_t edge; /* of the automaton */
  uint32_t to;   /* node */
};

struct product {
  const struct automaton *a;
  /* True: facts were left out because there were too many nodes. The product then has paths that
   * cannot happen: upper bounds stay sound, lower bounds and "not private" do not. */
  bool coarse;
  VEC(struct product_node) nodes;
  VEC(uint32_t) first; /* nodes.len + 1 entries into edges */
  VEC(struct product_edge) edges;
  uint32_t scc_count;
  VEC(uint32_t) scc_first, scc_member; /* nodes by component */

  VEC(uint32_t) tracked;       /* variables about which facts are kept */
  VEC(uint32_t) tracked_slot;  /* per variable: index in tracked, or AUTOMATON_NONE */
  VEC(uint32_t) tracked_group; /* per tracked variable: its component of K */
  VEC(unsigned char) facts;    /* matrices, tracked.len^2 bytes each; number 0: nothing is known */

  /* live variables per state: those compared on some way before they are assigned again */
  VEC(uint32_t) live_first; /* states.len + 1 entries into live */
  VEC(uint32_t) live;       /* increasing */
};

void product_build(struct product *p, const struct automaton *a);
/* The same with more facts: `wanted` lists pairs (y, x) such that y < x may be asked about. */
void product_build_for(struct product *p, const struct automaton *a, const struct graph_arc *wanted,
                       size_t count);
void product_clear(struct product *p);

struct members product_live(const struct product *p, uint32_t node);
enum relation product_relation(const struct product *p, uint32_t node, uint32_t x, uint32_t y);
/* Is the edge inside its SCC (so that it can be taken again and again)? */
static inline bool product_is_cyclic(const struct product *p, uint32_t from, uint32_t to) {
  return p->nodes.at[from].scc == p->nodes.at[to].scc;
}

#endif
