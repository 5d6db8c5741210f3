/* Amounts as a person would write them: one quotient for each product, common factors cancelled, so
 * that eps*N/(2*N) is shown as eps/2. For display only: where a cancelled factor is 0 the two
 * differ. */
#ifndef COUPLET_PROOF_CANCEL_H
#define COUPLET_PROOF_CANCEL_H

#include "term/term.h"

term_id factors_cancelled(struct terms *ts, term_id t);
/* The same for the term as a product of quotients, whose factors stay as they are. */
term_id factors_cancelled_outside(struct terms *ts, term_id t);

#endif
