/* Where to look for counterexamples in an automaton: candidate paths of increasing cost.
 *
 * They come from a search through the whole automaton (shift_search.h), or from a guide: a path
 * with marked cycles, repeated more and more often. The guide is the walk of the decision, or the
 * most expensive path of the cost search; the latter leaves out the cycles that force its shifts,
 * so at every state that it passes the shortest cycles through that state are put in. */
#ifndef COUPLET_SEARCH_REFUTE_AUTOMATON_GUIDE_H
#define COUPLET_SEARCH_REFUTE_AUTOMATON_GUIDE_H

#include "automata/decide/automata.h"
#include "check/counterexample/probability.h"
#include "search/refute/shift_search.h"

enum {
  GUIDE_STEPS_MAX = 400, /* of a guide, each cycle once */
  SEARCH_DEPTH = 80,     /* steps of a path found by search */
  CANDIDATES_MAX = 64
};

struct guide_step {
  uint32_t edge, cycle; /* cycle 0: once; equal numbers: repeated together */
  int delta;
};
typedef VEC(struct guide_step) guide;

enum guide_kind {
  GUIDE_PLAIN,  /* the walk or path as it is */
  GUIDE_CYCLES, /* a path with cycles put in */
  GUIDE_KINDS
};
/* Fills the (empty) guide; false if the analysis has nothing of that kind. */
bool guide_from(guide *g, const struct automaton *a, const struct automaton_result *analysis,
                enum guide_kind kind);

struct candidates {
  const struct automaton *a;
  const guide *guide; /* NULL: all candidates are there */
  const fmpq *upper;  /* not NULL: the guide knows its differences, and this bounds its cost */
  shift_paths paths;
  VEC(size_t) rounds; /* of each path; 0 without a guide */
  size_t next_round;
  const struct budget *budget;
};

void candidates_init_guided(struct candidates *c, const struct automaton *a, const guide *g,
                            const struct automaton_result *analysis, const struct budget *budget);
/* False if the automaton is beyond the limits of the search; *why says which. */
bool candidates_init_free(struct candidates *c, const struct automaton *a, const fmpq_t target,
                          const struct budget *budget, const char **why);
void candidates_clear(struct candidates *c);
/* Candidate number i, or NULL; made on demand. */
const struct shift_path *candidate(struct candidates *c, size_t i);

#endif
