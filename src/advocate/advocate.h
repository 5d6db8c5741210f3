/* Finds refutations (check/referee/refutation.h). Untrusted: what it finds, the referee checks. */
#ifndef COUPLET_ADVOCATE_ADVOCATE_H
#define COUPLET_ADVOCATE_ADVOCATE_H

#include "check/referee/refutation.h"

/* Looks for a refutation of the sequent for at most `seconds`. The terms of `out` (initialised,
 * empty) belong to `ts`; while searching, nothing is added to `ts`. False: none was found. */
bool advocate_refute(struct terms *ts, const struct sequent *sequent, double seconds,
                     struct refutation *out);

/* The same in two parts, to ask in between whether the second is worth its time: what takes less
 * than half a second, and the rest. */
bool advocate_glance(struct terms *ts, const struct sequent *sequent, struct refutation *out);
bool advocate_insist(struct terms *ts, const struct sequent *sequent, double seconds,
                     struct refutation *out);

#endif
