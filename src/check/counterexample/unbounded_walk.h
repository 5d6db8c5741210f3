/* A walk as the analysis of unbounded.h sees it: its steps with their cases, and what is done with
 * them: a step once, or a cycle again and again. Internal to unbounded.c. */
#ifndef COUPLET_CHECK_COUNTEREXAMPLE_UNBOUNDED_WALK_H
#define COUPLET_CHECK_COUNTEREXAMPLE_UNBOUNDED_WALK_H

#include "check/counterexample/unbounded.h"

/* A position is 0..4: the levels -1, 0, 1 (even) and the gaps between them (odd). */
enum { POSITIONS = 5, HOME = 2, SHIFTS = 3 };
static inline bool is_level(int position) {
  return position % 2 == 0;
}

typedef long long cost_value; /* in halves of T / scale */
#define COST_INFINITE ((cost_value)1 << 60)

/* A step of the walk with what is needed of its edge. */
struct walk_step_info {
  uint32_t cycle;
  bool is_input, emits, emits_prime;
  cost_value d;
  size_t compared_count, assigned_count;
  int compared[UNBOUNDED_VARS]; /* local variables */
  int assigned[UNBOUNDED_VARS];
  bool is_assigned[UNBOUNDED_VARS];
  unsigned patterns[1 << UNBOUNDED_VARS]; /* bit i: sample >= compared[i] */
  size_t pattern_count;
  unsigned keep_below, keep_above; /* comparisons that a shift coupling has to keep */
};

/* What is done: a step once, or a whole cycle very often. */
struct operation {
  size_t begin, end; /* steps */
  bool is_cycle;
};

struct unbounded_problem {
  const struct automaton *a;
  struct walk_step_info steps[UNBOUNDED_STEPS];
  size_t step_count;
  struct operation operations[3 * UNBOUNDED_STEPS];
  size_t operation_count;
  size_t vars, coarse_states, fine_states; /* 5^vars, 3^vars */
  uint32_t var_of[UNBOUNDED_VARS];
  int at[UNBOUNDED_STEPS];    /* position of the input */
  int delta[UNBOUNDED_STEPS]; /* its difference */
  int lean[UNBOUNDED_STEPS];  /* see lean_pattern */
  bool strict;                /* cycles are entered as they are left */
  bool by_shifts;             /* run 2 has to keep the essential comparisons */
  cost_value *before, *after; /* cheapest way to (operation, positions), and from there on */
  bool *reached;              /* (operation, positions, shifts) */
  bool is_known;              /* coarse has been called for `at`: */
  bool is_exact;
  cost_value best;
};

struct positions {
  int of[UNBOUNDED_VARS];
};

/* False: beyond the limits, no walk of the automaton, or non-input states with different means. The
 * arrays are not made. */
bool unbounded_read(struct unbounded_problem *p, const struct automaton *a, const struct walk *w);

#endif
