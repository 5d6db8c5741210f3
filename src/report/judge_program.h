/* Verdicts on claims about programs: proof given, proof searched for, counterexample.
 *
 * A claim becomes proved (or admitted) only by a check of the kernel, refuted only by a certified
 * counterexample. A given proof is checked first; without one the claim goes to src/auto. What
 * stays open goes to the refuter. */
#ifndef COUPLET_REPORT_JUDGE_PROGRAM_H
#define COUPLET_REPORT_JUDGE_PROGRAM_H

#include "base/budget.h"
#include "refute/program_refute.h"
#include "report/verify.h"

void judge_program(struct claim_record *c, const struct program_claim *claim,
                   const struct verify_options *options, const struct budget *budget);

#endif
