/* Finite claims (`at`): every pair of inputs is computed. */
#ifndef COUPLET_REPORT_JUDGE_JUDGE_FINITE_H
#define COUPLET_REPORT_JUDGE_JUDGE_FINITE_H

#include "check/counterexample/program_certify.h"
#include "report/record/record.h"

/* Sets verdict, reason, certificate, counterexample; `detail.finite` says what was computed. True:
 * all but a comparison of numbers that may be equal was done, and nothing else need be said. */
bool judge_finite(struct claim_record *c, const struct program_claim *claim,
                  const struct budget *budget);

#endif
