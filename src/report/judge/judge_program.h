/* Verdicts on claims about programs: proof given, proof searched for, counterexample.
 *
 * A claim becomes proved (or admitted) only by a check of the kernel, refuted only by a certified
 * counterexample. A given proof is checked first. Without one the search for a proof and that for a
 * counterexample go side by side, and the first certain answer ends both; since a claim cannot be
 * proved and refuted, the verdict does not depend on who is faster, and neither do cost and reason.
 * The lower bound beside a proof comes from a fixed amount of work, if that was done in time. */
#ifndef COUPLET_REPORT_JUDGE_JUDGE_PROGRAM_H
#define COUPLET_REPORT_JUDGE_JUDGE_PROGRAM_H

#include "base/budget.h"
#include "report/judge/verify.h"
#include "search/refute/program_refute.h"

/* NULL, or what must not happen: a lane died, or the claim was proved and refuted (xmalloc'd); the
 * claim is unknown then. */
char *judge_program(struct claim_record *c, const struct program_claim *claim,
                    const struct verify_options *options, const struct budget *budget);

/* The verdict from two answers; what they contain is moved into c. `lower` is the bound to report
 * when the claim is proved (may be NULL). The result is that of judge_program. */
char *judge_combine(struct claim_record *c, struct claim_record *prover,
                    struct claim_record *refuter, const char *lower);

#endif
