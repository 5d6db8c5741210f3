/* When privacy in one notion implies privacy in another: the theorems at the end of a proof.
 * docs/notions.md has their proofs. */
#ifndef COUPLET_CLAIM_CONVERT_H
#define COUPLET_CLAIM_CONVERT_H

#include "kernel/notion.h"

/* Privacy at a cost, in both directions. */
struct privacy {
  struct notion_of notion;
  term_id cost;  /* epsilon, rho or mu, as claimed; >= 0 */
  term_id delta; /* pure notion only; TERM_NONE: 0 */
};

/* A condition under which `from`, without a delta, implies `to`; TERM_NONE: no theorem says so. */
term_id convert_condition(struct terms *ts, const struct privacy *from, const struct privacy *to);
/* Does it hold for the numbers in them, by certified computation? To epsilon and delta only: from
 * gaussian, where the condition has no term, and from renyi and zcdp, where it is evaluated. */
bool convert_holds(struct terms *ts, const struct privacy *from, const struct privacy *to);

#endif
