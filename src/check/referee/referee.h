/* The referee: accepts a sequent if a refutation shows it, and contains no search and no solver.
 *
 * This is what every `proved` rests on besides the rules of the kernel. Checking is linear in the
 * size of the refutation (polynomial identities aside). docs/referee.md has the proofs. */
#ifndef COUPLET_CHECK_REFEREE_REFEREE_H
#define COUPLET_CHECK_REFEREE_REFEREE_H

#include "check/referee/refutation.h"

/* Does the refutation show that the hypotheses entail the goal? If not, *why (may be NULL) is a
 * literal that says what is wrong, *where (may be NULL) the step. */
bool referee_accepts(struct terms *ts, const struct sequent *sequent, const struct refutation *r,
                     const char **why, size_t *where);

#endif
