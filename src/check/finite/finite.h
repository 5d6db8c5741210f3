/* Finite claims, decided by computation.
 *
 * A claim with `at` is about one value of every parameter and finitely many inputs. The exact engine
 * (check/exact) computes the distribution of the outputs for each input, and
 *   sum over outputs o of max(0, P1(o) - e^epsilon P2(o)) <= delta
 * is checked for every pair of adjacent inputs, in both orders: that is the claim, because the
 * outputs with a positive term are the worst event. Without delta every term must be at most 0.
 *
 * Soundness. Probabilities are balls. For most pairs it is enough to compare integers: upper bounds of
 * P1 and lower bounds of e^epsilon P2 in units of 2^-60, rounded outwards; other pairs are compared
 * in balls, of more and more precision. What cannot be decided, and whatever the engine cannot do,
 * makes the answer "unknown". Mass that the engine could not attribute to outputs counts as if it
 * were on outputs of the first run and on none of the second. Runs must end: the engine says
 * whether it has followed all of them. */
#ifndef COUPLET_CHECK_FINITE_FINITE_H
#define COUPLET_CHECK_FINITE_FINITE_H

#include "check/counterexample/program_certify.h"

enum finite_status {
  FINITE_PROVED,
  FINITE_VIOLATED, /* by the pair and the outputs in `ce`, which nobody has certified yet */
  FINITE_UNKNOWN
};

struct finite_result {
  enum finite_status status;
  size_t inputs; /* that the claim is about */
  size_t pairs;  /* that were compared, each in both orders */
  bool is_close; /* unknown: both sides of the claim may be equal */
  char *why;     /* unknown: the reason; xmalloc'd */
  struct program_counterexample ce;
};

void finite_result_init(struct finite_result *r);
void finite_result_clear(struct finite_result *r);

/* `claim` has `at` and an epsilon that is not `?`. */
void finite_decide(struct finite_result *r, const struct program_claim *claim,
                   const struct budget *budget);

#endif
