/* Pumps: what repeating a cycle for ever demands of the shifts.
 *
 * Let C be a strongly connected part of the product, W the variables assigned in C. In the long run
 * all but boundedly many traversals inside C must cost nothing, that is: have shift = Delta, for
 * every choice of Delta. So
 *   - C must not output insample or insample' at an input state          (disclosing cycle);
 *   - C must not compare with a variable that it keeps assigning         (leaking cycle);
 *   - an L edge of C on another variable x forces g_x = 1 (g_x >= 0 at a non-input state), a G edge
 *     g_x = -1 (g_x <= 0);
 *   - nothing is known afterwards about the shifts of W.
 * The comparison of a leaking cycle must cost something. At an input state it always does. At a
 * non-input state it does only if a value that was assigned at an input state of C reaches it
 * inside C: with Delta = 0 on both sides the shift 0 is free. What such a comparison demands is
 * that the variable is on the free side of 0, if the cycle keeps its shift for ever or hands it on
 * (`insample < x assign x`: the shifts fall from round to round, so that the first must not be
 * negative, nor the last positive). Demands concern the shifts before the pump, except that last
 * one.
 *
 * A node has one pump for each set of variables that its cycles may assign: a small cycle through
 * the node keeps what a larger one forgets. Pumps that demand nothing are left out. */
#ifndef COUPLET_AUTOMATA_MODEL_PUMP_H
#define COUPLET_AUTOMATA_MODEL_PUMP_H

#include "check/automaton/order.h"
#include "check/automaton/walk.h"
#include "check/automaton/zone.h"

enum { PUMP_SUBSET_VARS = 6 }; /* up to so many assigned variables, all subsets are tried */

struct pump_force {
  uint32_t var;
  unsigned mask;
  uint32_t edge; /* product edge that forces it */
};

struct pump {
  uint32_t first_force, force_count; /* into forces */
  uint32_t first_assigned, assigned_count;
  uint32_t last_var; /* variable whose shift is bounded after the pump, too, or AUTOMATON_NONE */
  unsigned last_mask;
};

struct pumps {
  const struct product *p;
  VEC(struct pump) list;
  VEC(struct pump_force) forces;
  VEC(uint32_t) assigned;
  VEC(uint32_t) first; /* nodes.len + 1 entries into of_node */
  VEC(uint32_t) of_node;
  enum violation violation;   /* of the first bad component met, or VIOLATION_NONE */
  uint32_t bad_edge, bad_var; /* product edge that discloses or compares */
  uint32_t bad_assign;        /* leaking: product edge that assigns */
};

/* The demand of one literal at an input / non-input state. */
unsigned literal_demand(literal l, bool is_input);

/* Stops at the first violation; `list` is then incomplete. */
void pumps_build(struct pumps *pumps, const struct product *p);
void pumps_clear(struct pumps *pumps);
/* The source node of a product edge. */
uint32_t product_edge_from(const struct product *p, uint32_t edge);

#endif
