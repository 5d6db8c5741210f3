/* The cost: the supremum, over paths and input differences, of the least cost of the shifts.
 *
 * Upper bound: the strategy that does not look ahead (online.h). Lower bound: the exact cost of a
 * path, taken as the most expensive one under that strategy. Where they meet, that is the answer.
 * Otherwise a branch and bound over profiles: a label is a node and the profile of a path to it;
 * it is dropped when another label of the node is at least as bad, or when the points of the node
 * show that it cannot become worse than the best path known. A pump that assigns nothing can only
 * help the adversary, so it is applied at once; the others make further labels. A short dive along
 * the best bounds looks for a path that meets the upper bound; then the components are swept in
 * topological order. The first sweeps join the labels of a node (entry by entry the larger cost)
 * when there are more than a few: what that gives is a strategy, too, and often as good as the
 * path known (k-Min-Max for any k). When nothing is left, the best path is the answer, and the
 * labels with the points are the strategy.
 *
 * The problem contains PARTITION (a chain of states with an L edge and a G edge each), so that the
 * search has a budget; when it is exhausted the answer is the bracket [lower, upper]. */
#ifndef COUPLET_AUTOMATA_COST_COST_H
#define COUPLET_AUTOMATA_COST_COST_H

#include "automata/cost/online.h"
#include "automata/cost/profile.h"
#include "check/automaton/strategy.h"

enum {
  COST_LABEL_BUDGET = 1000000,
  COST_JOINED = 16 /* labels per node of the last joined sweep */
};

/* One step of the most expensive path found. */
struct cost_step {
  uint32_t edge; /* of the automaton */
  int delta;     /* input of run 2 minus input of run 1 */
};

struct cost {
  bool has_upper;             /* false: no strategy was found within the limits */
  fmpz_t lower, upper;        /* in units of 1/scale; exact iff equal */
  VEC(struct cost_step) path; /* costs `lower`; cycles on it may have to be repeated */
};

void cost_init(struct cost *c);
void cost_clear(struct cost *c);

/* The automaton must be private (decide.h). Fills the points and labels of *strategy, its scale
 * and its cost (= upper); its product is left alone. `work`: entries of profiles that may be made
 * and compared. */
void cost_search(struct cost *c, const struct product *p, const struct pumps *pumps,
                 const struct weights *w, const struct online *o, size_t work,
                 struct strategy *strategy);

#endif
