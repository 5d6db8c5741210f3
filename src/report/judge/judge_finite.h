/* Finite claims (`at`): every pair of inputs is computed. */
#ifndef COUPLET_REPORT_JUDGE_JUDGE_FINITE_H
#define COUPLET_REPORT_JUDGE_JUDGE_FINITE_H

#include "check/counterexample/program_certify.h"
#include "report/record/record.h"

/* Sets verdict, reason, certificate, counterexample; `detail.finite` says what was computed. */
void judge_finite(struct claim_record *c, const struct program_claim *claim,
                  const struct budget *budget);

#endif
