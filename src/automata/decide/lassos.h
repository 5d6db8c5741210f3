/* A search for walks that lose without bound (unbounded.h): paths that pass no state twice, with up
 * to LASSO_CYCLES short cycles put in. The decision's own walk is not enough: it stops at the first
 * obstacle to shifts, and that need not be one to privacy. For small automata. */
#ifndef COUPLET_AUTOMATA_DECIDE_LASSOS_H
#define COUPLET_AUTOMATA_DECIDE_LASSOS_H

#include "check/counterexample/unbounded.h"

enum {
  LASSO_CYCLES = 2,
  LASSO_PATH = 10,       /* steps outside of cycles */
  LASSO_CYCLE_STEPS = 4, /* of one cycle */
  LASSO_PER_STATE = 8,   /* cycles through one state */
  LASSO_STATES = 2000,   /* of the automaton */
  LASSO_LEVELS = 1200,   /* choices of levels for one walk */
  LASSO_DELTAS = 16,     /* choices of differences for one walk */
  LASSO_WALKS = 4000,    /* looked at */
  LASSO_OPEN = 60        /* of them without a shift coupling */
};

struct lasso_search {
  size_t looked_at, open; /* how far it went */
};

/* True: *walk (initialised) and *inputs show it. */
bool automaton_is_unbounded(struct walk *walk, struct unbounded *inputs,
                            struct lasso_search *search, const struct automaton *a);

#endif
