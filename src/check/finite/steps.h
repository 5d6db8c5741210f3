/* A float that is an input and has no list of values in `at`: the claim is about all of them.
 *
 * The mechanism must use it in one place only, `c := E`, where E is a number that never falls, or
 * never rises, with the input x; and E must have few values, as grid*floor(clamp(x)/grid) has.
 * There are finitely many floats, so bisection finds the steps of E: intervals of floats on which E
 * is constant. Within a step all inputs have one distribution of outputs.
 *
 * The first and the last float of every step stand for all floats. Let the adjacency say nothing of
 * x, or within(x, D), or same(x), and let x and y be adjacent. If they are in one step, so is its
 * first float, which is adjacent to itself. If x is in a step below that of y, the last float of
 * the one and the first of the other lie between them, so their distance is at most that of x and
 * y, and they are adjacent too. (Other inputs stay as they are.)
 *
 * E is monotone because rounding is, and because of how it is written: sums, products and quotients
 * with constants, floor, ceil, round, min, max, conversions, and lets of these. */
#ifndef COUPLET_CHECK_FINITE_STEPS_H
#define COUPLET_CHECK_FINITE_STEPS_H

#include "check/counterexample/program_certify.h"

/* Fills `values`, which has room for `limit` of them. False: *why (a literal). */
bool finite_steps(const struct program_claim *claim, struct reval *ev, size_t argument,
                  struct rvalue *values, size_t limit, size_t *count, const char **why);

#endif
