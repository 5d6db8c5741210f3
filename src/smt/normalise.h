/* Normal forms of real terms under hypotheses: field arithmetic and the laws of exp and ln.
 *
 * Each rewriting holds at every point where the hypotheses hold:
 *   p/q arithmetic                     where the oracle proves every divisor <> 0
 *   exp(a + k*ln(u)) = u^k * exp(a)    k an integer, where the oracle proves u > 0
 *   ln(u * exp(a)^k) = ln(u) + k*a     where the oracle proves the argument > 0
 * Arguments of other functions are normalised where they stand. What the oracle cannot prove is
 * left alone. So if the normalised hypotheses entail the normalised goal, the original ones do. */
#ifndef COUPLET_SMT_NORMALISE_H
#define COUPLET_SMT_NORMALISE_H

#include "smt/ratfun.h"
#include "term/memo.h"

struct normaliser {
  struct terms *ts;
  struct ratfun_ring ring;
  /* Do the hypotheses entail the formula? */
  bool (*prove)(void *context, term_id formula);
  void *context;
  struct memo proved; /* formula -> 0 or 1: questions asked so far */
  struct memo memo;   /* term -> normal form */
};

void normaliser_init(struct normaliser *n, struct terms *ts, bool (*prove)(void *, term_id),
                     void *context);
void normaliser_clear(struct normaliser *n);

/* The normal form of a term or formula (itself where nothing can be done); TERM_NONE on limits. */
term_id normalise(struct normaliser *n, term_id t);
/* A real term as a rational function in n->ring. False: limits. */
bool normalise_ratfun(struct normaliser *n, term_id t, struct ratfun *out);
/* The oracle, with its answers remembered. */
bool normaliser_proves(struct normaliser *n, term_id formula);

#endif
