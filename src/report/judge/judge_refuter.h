/* What the refuter (src/refute) finds about a claim, in the record: a certified counterexample, a
 * certified lower bound on the loss, or why there is neither. */
#ifndef COUPLET_REPORT_JUDGE_JUDGE_REFUTER_H
#define COUPLET_REPORT_JUDGE_JUDGE_REFUTER_H

#include "base/budget.h"
#include "report/record/record.h"
#include "search/refute/program_refute.h"

/* Searches for `seconds` (within the budget). Sets the verdict only to refuted; else the reason,
 * which begins with `proof_failure` (may be NULL): why nothing was proved. */
void judge_by_refuter(struct claim_record *c, const struct program_claim *claim, double seconds,
                      const struct budget *budget, const char *proof_failure);
/* Puts the result of a search into the record. Of a claim that is proved already, only the lower
 * bound. */
void record_refuter_result(struct claim_record *c, const struct program_claim *claim,
                           const struct program_result *result, const char *proof_failure);

#endif
