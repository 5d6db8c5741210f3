/* Rewrites quotients in what the user wrote into the form in which the sampling rules state costs:
 * a*x/(c*y) becomes (a/c)*(x/y) for a real parameter x. Solvers then see the same quotient on both
 * sides. Only for invariants and budgets, where any formula will do: where y may be 0 the two forms
 * differ. */
#ifndef COUPLET_PROOF_QUOTIENT_H
#define COUPLET_PROOF_QUOTIENT_H

#include "term/term.h"

term_id quotients_aligned(struct terms *ts, term_id t);

#endif
