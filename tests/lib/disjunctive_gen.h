/* Random automata with two variables, independent noise and disjunctive guards, otherwise in class;
 * and the cost of their shift couplings by brute force, which shares nothing with src/. */
#ifndef COUPLET_TEST_DISJUNCTIVE_GEN_H
#define COUPLET_TEST_DISJUNCTIVE_GEN_H

#include "check/automaton/model.h"
#include "testlib.h"

struct disjunctive_options {
  unsigned max_states; /* besides those that assign the variables first */
  unsigned max_d;      /* d is an integer 1..max_d */
  unsigned assign_percent, output_percent, back_percent;
};

void disjunctive_gen(struct automaton *a, struct rng *rng, const struct disjunctive_options *o);

/* The least D over all couplings that shift every sample by a constant per path: all shifts of all
 * samples in {-1, 0, 1}; that run 2 takes the edge when run 1 does is checked by trying values of
 * the samples on both sides of their variables, near and far. -1: above the cap (small automata,
 * large caps: none is finite); -2: too large. */
int disjunctive_shift_cost(const struct automaton *a, int cap, size_t limit);

#endif
