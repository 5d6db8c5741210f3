#include "automata/model/cycle.h"

#include "base/alloc.h"

/* by[state]: the edge by which the state was first reached from the end of `edge`. */
static uint32_t *reach(const struct automaton *a, uint32_t edge) {
  uint32_t home = a->edges.at[edge].from, *by = xmalloc(a->states.len * sizeof *by);
  VEC(uint32_t) queue = {0};
  for (size_t i = 0; i < a->states.len; i++)
    by[i] = AUTOMATON_NONE;
  by[a->edges.at[edge].to] = edge;
  vec_push(&queue, a->edges.at[edge].to);
  for (size_t head = 0; head < queue.len && by[home] == AUTOMATON_NONE; head++) {
    uint32_t state = queue.at[head];
    for (uint32_t e = a->first_edge.at[state]; e < a->first_edge.at[state + 1]; e++)
      if (by[a->edges.at[e].to] == AUTOMATON_NONE) {
        by[a->edges.at[e].to] = e;
        vec_push(&queue, a->edges.at[e].to);
      }
  }
  vec_clear(&queue);
  return by;
}

bool cycle_shortest(const struct automaton *a, uint32_t edge, size_t longest, edge_path *cycle) {
  uint32_t *by = reach(a, edge), state = a->edges.at[edge].from;
  bool found = by[state] != AUTOMATON_NONE;
  while (found && (cycle->len == 0 || cycle->at[cycle->len - 1] != edge)) {
    found = cycle->len < longest;
    vec_push(cycle, by[state]);
    state = a->edges.at[by[state]].from;
  }
  for (size_t i = 0; i < cycle->len / 2; i++) { /* it was collected backwards */
    uint32_t swap = cycle->at[i];
    cycle->at[i] = cycle->at[cycle->len - 1 - i];
    cycle->at[cycle->len - 1 - i] = swap;
  }
  free(by);
  return found;
}
