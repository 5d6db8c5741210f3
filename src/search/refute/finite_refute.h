/* Finite claims about floating-point programs with more outputs than can be listed: a few pairs of
 * the inputs of the claim, with outputs at which such programs go wrong (float_outputs.h), until the
 * certifier accepts one. */
#ifndef COUPLET_SEARCH_REFUTE_FINITE_REFUTE_H
#define COUPLET_SEARCH_REFUTE_FINITE_REFUTE_H

#include "check/counterexample/program_certify.h"

/* `claim` has `at`. True: ce, which must be fresh, is a certified counterexample. */
bool finite_refute(struct program_counterexample *ce, const struct program_claim *claim,
                   const struct budget *budget);

#endif
