/* Paths and input differences that are expensive for every shift coupling: where counterexamples
 * are looked for. Nothing here is trusted; refutations are certified elsewhere.
 *
 * The shift cost of a path under input differences Delta is the minimum over shifts g of
 *   sum d |Delta_i - g_i| + d' |Delta_i| [insample' is output]
 * with g_i <= g_x for `insample < x`, g_i >= g_x for `insample >= x`, g_i = 0 where insample is
 * output, all in {-1,0,1}. It bounds the loss of the path from above, and as eps grows the loss of
 * suitable inputs tends to it (docs/automata.md). A search node is a prefix of a path with its
 * Deltas and the vector V of least costs per current shift of the variables; the adversary extends
 * it by an edge and a Delta. Layer by layer a beam of nodes is kept; a node whose vector is nowhere
 * above that of a shorter one at the same state is dropped. Costs are integers: multiples of
 * 1/scale. Deterministic. */
#ifndef COUPLET_SEARCH_REFUTE_SHIFT_SEARCH_H
#define COUPLET_SEARCH_REFUTE_SHIFT_SEARCH_H

#include "base/budget.h"
#include "check/automaton/model.h"

enum {
  SHIFT_VARS_MAX = 8,   /* 3^8 shifts */
  SHIFT_BEAM = 96,      /* nodes kept per layer */
  SHIFT_DEPTH_MAX = 600 /* steps */
};

/* A path with input differences in {-1, 0, 1} and its shift cost. */
struct shift_path {
  VEC(uint32_t) edges;
  VEC(signed char) deltas;
  fmpq_t cost;
};
typedef VEC(struct shift_path) shift_paths;
void shift_path_init(struct shift_path *path);
void shift_path_clear(struct shift_path *path);
void shift_paths_clear(shift_paths *paths);

/* Expensive paths from the start, by increasing length and strictly increasing cost: whenever a
 * layer beats all shorter ones, its best node is reported. Stops at `depth` steps, when nothing can
 * get more expensive, or `extra` reports after the cost exceeds `target` (NULL: never). False if
 * the automaton is beyond the limits, with *why set to a literal; a spent budget only ends the
 * search early. */
bool shift_search(shift_paths *found, const struct automaton *a, size_t depth, const fmpq_t target,
                  size_t extra, const struct budget *budget, const char **why);

/* The worst Deltas (as far as the beam sees) for a given path. */
bool shift_search_deltas(struct shift_path *out, const struct automaton *a, const uint32_t *edges,
                         size_t length, const struct budget *budget, const char **why);

#endif
