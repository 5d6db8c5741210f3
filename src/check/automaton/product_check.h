/* The facts of an order product, checked: what strategies and determinism rest on. order.c finds
 * products; whatever it (or a certificate) says, it counts only if it passes here.
 *
 * A fact is `x < y`, `x = y` or `x > y` about the values stored at a node. At the start there is
 * none. After an edge a fact holds if it did before and the edge assigns neither of the two, or if
 * the guard puts insample on the right sides of what is stored, by the facts before it. An edge may
 * be left out at a node if its guard needs insample < x and insample >= y although x <= y. */
#ifndef COUPLET_CHECK_AUTOMATON_PRODUCT_CHECK_H
#define COUPLET_CHECK_AUTOMATON_PRODUCT_CHECK_H

#include "check/automaton/order.h"

/* What the product claims about two variables. Its arrays must have the right lengths. */
enum relation product_claimed(const struct product *p, uint32_t node, uint32_t x, uint32_t y);
/* Can the literals not hold at once, by the facts of the node? */
bool product_excludes(const struct product *p, uint32_t node, struct literals g);
/* Do all facts of node `to` hold after the edge, whose guard has the literals g, at `node`? */
bool product_teaches(const struct automaton *a, const struct product *p, uint32_t node,
                     const struct automaton_edge *e, struct literals g, uint32_t to);
/* Is anything claimed at the start? */
bool product_starts_empty(const struct product *p);

/* A whole product of an automaton with shared noise: every path of positive probability is in it,
 * and its facts are true. */
bool product_check(const struct automaton *a, const struct product *p);

#endif
