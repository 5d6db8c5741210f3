/* Random threshold automata, and a reference for their cost that shares nothing with src/. */
#ifndef COUPLET_TEST_AUTOMATON_GEN_H
#define COUPLET_TEST_AUTOMATON_GEN_H

#include "check/automaton/model.h"
#include "testlib.h"

struct gen_options {
  unsigned vars;       /* 1..3 */
  unsigned max_states; /* besides those that assign the variables first */
  bool in_class;       /* guards only at input states, outputs told apart, one start edge */
  unsigned max_d;      /* d and d' are integers 1..max_d */
  unsigned assign_percent, output_percent, noninput_percent, back_percent;
  bool independent; /* noise; guards may then be disjunctions */
};

/* Deterministic, initialised. */
void gen_automaton(struct automaton *a, struct rng *rng, const struct gen_options *options);

/* The exact capped search of THEORY 6, by brute force: nodes are states with a complete order of
 * the stored values, vectors are dense over {-1,0,1}^vars, every traversal is taken one by one and
 * entries above the cap become infinite. Returns the cost, -1 if it exceeds the cap (on a small
 * automaton and a large cap: not private), -2 if the search was too large. */
int reference_cost(const struct automaton *a, int cap, size_t limit);

#endif
