/* A coupling strategy: the proof that an automaton is D*eps-private.
 *
 * The two runs read inputs that differ by Delta, and run 2 is coupled to run 1 by shifting every
 * sample: insample<2> = insample<1> + g, at a cost of |Delta - g| d. The coupling is for one path,
 * so that g may depend on everything about it. A stored variable keeps the shift it was assigned
 * with. The strategy bounds the cost of the best shifts on every path, from below upwards:
 *
 *   - nodes and edges: the order product. Its facts are claims, to be checked.
 *   - points: H(n, g), at node n with the live variables shifted by g: whatever edge is taken and
 *     whatever Delta is, there is a shift for this sample so that the cost of the step and H of
 *     the point it leads to are together at most H(n, g). Such a table is a strategy that never
 *     looks ahead. Points that are not listed have no bound.
 *   - labels: vectors V over the shifts at a node; V(g) bounds the least cost of a path so far
 *     that ends with shifts g (not listed: no bound). A traversal of a labelled node leads to a
 *     vector that is, entry by entry, at most some label of the next node, or it is finished by
 *     the points: min over g of V(g) + H(n, g) <= cost. A label's own minimum is at most the cost.
 *     Labels carry the strategies that need to know the path: branches that want different shifts.
 *
 * All costs are integers, in units of 1/scale. The digest is a hash of the contents: it finds
 * alterations that would still be a proof. */
#ifndef COUPLET_CHECK_AUTOMATON_STRATEGY_H
#define COUPLET_CHECK_AUTOMATON_STRATEGY_H

#include <flint/fmpz.h>

#include "check/automaton/order.h"

struct strategy_label {
  uint32_t node;
  uint32_t first, count; /* entries */
};

struct strategy {
  struct product product; /* owned */
  fmpz_t scale, cost;
  /* Points of node n: point_first[n] .. point_first[n+1]-1. The shifts of point i are the bytes
   * point_shifts[point_at[n] + (i - point_first[n]) * live] with live = live variables of n. */
  VEC(uint32_t) point_first;
  VEC(size_t) point_at;
  VEC(int8_t) point_shifts;
  VEC(fmpz) point_value;
  /* Labels in order of their nodes; entry i of a label has `live` bytes at entry_at + i * live. */
  VEC(struct strategy_label) labels;
  VEC(uint32_t) label_first; /* nodes + 1 */
  VEC(size_t) label_at;      /* per label: where the shifts of its first entry are */
  VEC(int8_t) entry_shifts;
  VEC(fmpz) entry_value;
  uint64_t digest;
};

void strategy_init(struct strategy *s);
void strategy_clear(struct strategy *s);
/* cost / scale */
void strategy_cost(fmpq_t out, const struct strategy *s);
uint64_t strategy_digest(const struct strategy *s);
const int8_t *strategy_point_shifts(const struct strategy *s, uint32_t node, uint32_t point);
const int8_t *strategy_entry_shifts(const struct strategy *s, uint32_t label, uint32_t entry);
size_t strategy_bytes(const struct strategy *s);

#endif
