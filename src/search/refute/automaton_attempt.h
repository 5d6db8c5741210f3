/* One attempt at a counterexample: a path with input differences, and the free choices that turn it
 * into two input sequences and an event. In run 1 every sample that an input can move is centred on
 * one point, the tie, where all comparisons are open; run 2 differs by the given differences. As
 * eps grows the loss of such a pair tends to the shift cost of the path (docs/automata.md),
 * provided that all samples could be tied; where fixed means prevent that, moving run 1 away from
 * the tie, in the direction of run 2, regains it. */
#ifndef COUPLET_SEARCH_REFUTE_AUTOMATON_ATTEMPT_H
#define COUPLET_SEARCH_REFUTE_AUTOMATON_ATTEMPT_H

#include "search/refute/automaton_refute.h"
#include "search/refute/shift_search.h"

/* How the windows of emitted samples are laid. The tie is where all samples meet in run 1. */
enum window_style {
  WINDOW_HALF_LINE, /* from the tie away from where run 2 moves: easy to read */
  WINDOW_NARROW,    /* the tie, within width on either side */
  WINDOW_STYLES
};

/* Free choices of an attempt at a path with given differences. */
struct attempt {
  const struct shift_path *path;
  fmpq_t eps;
  fmpq_t away;  /* run 1 starts at tie + away * Delta, run 2 at tie + (away + 1) * Delta */
  fmpq_t width; /* of narrow windows, to each side */
  enum window_style style;
  /* heuristics, not evidence: */
  double best_loss; /* seen with any of these choices at this eps */
  double slack;     /* what distance from the tie may add to the loss */
};

void attempt_init(struct attempt *t, const struct shift_path *path);
void attempt_clear(struct attempt *t);
/* Sets eps, and the usual width of windows for it. */
void attempt_set_eps(struct attempt *t, slong eps);

/* ln(p1/p2)/eps along the path alone, to a few digits; not finite if it cannot be had. */
void attempt_loss(arb_t out, const struct automaton *a, struct attempt *t,
                  const struct budget *budget);
/* Certifies the attempt as a counterexample to `claimed`; fills `out` if it is one. */
bool attempt_certify(struct automaton_counterexample *out, const struct automaton *a,
                     const struct attempt *t, const fmpq_t claimed, const struct budget *budget);
/* Both: a look at the loss, and if that is above the claim, the certificate. */
bool attempt_try(struct automaton_counterexample *out, const struct automaton *a, struct attempt *t,
                 const fmpq_t claimed, const struct budget *budget);

/* The same for two path queries that differ in their inputs. */
void query_loss(arb_t out, const struct automaton_query *first,
                const struct automaton_query *second, const struct budget *budget);
bool query_certify(struct automaton_counterexample *out, const struct automaton_query *first,
                   const struct automaton_query *second, const fmpq_t claimed,
                   const struct budget *budget);

/* Window styles that make a difference on the path: 1, or WINDOW_STYLES if it emits insample. */
int path_styles(const struct automaton *a, const struct shift_path *path);
/* How far the means of the non-input states on the path lie apart; 0: everything can be tied. */
void path_spread(fmpq_t out, const struct automaton *a, const struct shift_path *path);

#endif
