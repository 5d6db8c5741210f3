/* Walks through an automaton: the evidence for "not private", and the paths that show a cost. */
#ifndef COUPLET_CHECK_AUTOMATON_WALK_H
#define COUPLET_CHECK_AUTOMATON_WALK_H

#include "check/automaton/model.h"

/* The structures of Coupling strategies (docs/bibliography.md), section 6.3. */
enum violation {
  VIOLATION_NONE,
  VIOLATION_LEAKING_CYCLE,    /* a variable is assigned and compared in one cycle */
  VIOLATION_LEAKING_PAIR,     /* two cycles want the same variable shifted apart */
  VIOLATION_DISCLOSING_CYCLE, /* insample or insample' of an input is output in a cycle */
  VIOLATION_PATH_A,           /* insample is stored and output, then a cycle wants it shifted */
  VIOLATION_PATH_B,           /* insample is compared and output, then a cycle wants a shift */
  VIOLATION_PATH_C            /* a cycle shifts a variable, then insample is compared and output */
};

/* One edge. cycle = 0: taken once. cycle = c > 0: part of the c-th cycle of the walk; its edges are
 * consecutive, lead from a state back to it, and are to be repeated together. */
struct walk_step {
  uint32_t edge;
  uint32_t cycle;
};

/* What a cycle demands: the shift of `var` (stored value of run 2 minus run 1) lies in
 * [low, high]; anything else costs something at every round. */
struct walk_force {
  uint32_t cycle, var;
  int low, high;
};

struct walk {
  enum violation kind;
  uint32_t var; /* at issue; AUTOMATON_NONE for disclosing cycles */
  VEC(struct walk_step) steps;
  VEC(struct walk_force) forces;
  uint32_t cycle_count;
};

void walk_init(struct walk *w);
void walk_clear(struct walk *w);
/* Do the steps lead from the start along the edges, each cycle back to where it began, with edges
 * that are together and a number of its own, larger than those before? */
bool walk_is_in(const struct automaton *a, const struct walk *w);

#endif
