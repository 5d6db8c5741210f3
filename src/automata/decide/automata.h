/* Threshold automata as a whole: the verdict, the cost, and the evidence for both.
 *
 *   struct automaton_result r;
 *   automaton_analyse(&r, &a);
 *   ... r.verdict, r.upper, r.walk, r.strategy ...
 *   automaton_result_clear(&r);
 *
 * PRIVATE: there is a strategy, and the checker has accepted it: the automaton is
 * (upper * eps)-private for every eps > 0. `lower` is the exact cost of a path, so that no shift
 * strategy is better than it; exact = they are equal. In class (see classify.h) the shift cost is
 * the true least D.
 * NOT_PRIVATE: the walk shows that no shift strategy has a finite cost. In class that means: not
 * D*eps-private for any D. Outside of it because of disjunctions: if is_unbounded, and the outputs
 * tell the path, it means that, too (unbounded.h); if is_absorbing, it is private nevertheless, for
 * some D (absorb.h). A front end says "refuted" only with a certified
 * counterexample made from the walk (src/refute), otherwise "unknown" with the reason.
 * UNKNOWN: a limit was hit, or something was found that has no proof; `reason` says what. */
#ifndef COUPLET_AUTOMATA_DECIDE_AUTOMATA_H
#define COUPLET_AUTOMATA_DECIDE_AUTOMATA_H

#include "automata/cost/cost.h"
#include "automata/decide/lassos.h"
#include "check/automaton/model.h"
#include "check/automaton/strategy.h"
#include "check/automaton/walk.h"

enum automaton_verdict { AUTOMATON_PRIVATE, AUTOMATON_NOT_PRIVATE, AUTOMATON_UNKNOWN };

struct automaton_result {
  enum automaton_verdict verdict;
  char *reason; /* one sentence, for UNKNOWN; else NULL */
  bool exact;   /* PRIVATE: lower = upper */
  fmpq_t lower, upper;
  VEC(struct cost_step) worst; /* PRIVATE: a path and input differences that cost `lower` */
  struct walk walk;            /* NOT_PRIVATE */
  bool is_unbounded;           /* NOT_PRIVATE, with disjunctive guards: losses are unbounded ... */
  struct walk far_walk;        /* ... along this walk ... */
  struct unbounded far;        /* ... at these inputs */
  bool is_absorbing;           /* NOT_PRIVATE by shifts, but private all the same (absorb.h) */
  struct strategy strategy;    /* PRIVATE: accepted by strategy_check */
};

/* How long to look for the exact cost where the quick bounds do not meet; the verdict does not
 * depend on it. Ordinary: with one variable seconds; with several some milliseconds, and for larger
 * automata as much as a search takes whose profiles are as many as states (k-Min-Max with odd k),
 * a second at most. Then the bracket stands. */
enum {
  EFFORT_ONE_VARIABLE = 20000000,
  EFFORT_SEVERAL = 50000,
  EFFORT_STATES = 40, /* times the square of the number of states ... */
  EFFORT_MOST = 8000000,
  EFFORT_EXACT = 50000000
};

/* The automaton must be meaningful: classify.h reported no error. */
void automaton_analyse(struct automaton_result *r, const struct automaton *a);
/* The same with a limit of one's own, e.g. EFFORT_EXACT. */
void automaton_analyse_with(struct automaton_result *r, const struct automaton *a, size_t effort);
void automaton_result_clear(struct automaton_result *r);

#endif
