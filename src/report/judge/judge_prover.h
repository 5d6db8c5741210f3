/* What the kernel says about a claim, in the record: to the proof in the source, or to one that the
 * search (src/auto) has found; and if there is none, what stood in the way. Proofs are first
 * checked on the word of the solver; one that is believed goes to judge_referee.h. */
#ifndef COUPLET_REPORT_JUDGE_JUDGE_PROVER_H
#define COUPLET_REPORT_JUDGE_JUDGE_PROVER_H

#include "base/budget.h"
#include "report/judge/verify.h"
#include "search/refute/program_refute.h"

/* The claim's own proof: sets the verdict to proved or admitted, or leaves the reason. Mistakes in
 * the proof text are reported in lang->diags as well. True if it is not accepted, but could become
 * a proof by additions. */
bool judge_by_proof(struct claim_record *c, const struct program_claim *claim,
                    const struct verify_options *options, const struct budget *budget);
/* A proof that has to be found: sets the verdict to proved, or leaves the reason. `budget` is that
 * of the search, `whole` that of the claim. */
void judge_by_search(struct claim_record *c, const struct program_claim *claim,
                     const struct verify_options *options, const struct budget *budget,
                     const struct budget *whole);
/* A proof that is to be completed (search/complete/complete.h); `failure` says what judge_by_proof
 * found wrong with it. The given steps stay as they are. */
void judge_by_completion(struct claim_record *c, const struct program_claim *claim,
                         const struct verify_options *options, const struct budget *budget,
                         const struct budget *whole, const char *failure);
/* A lemma: proved, refuted by values, admitted, or unknown with the reason. */
void judge_lemma(struct claim_record *c, struct lang *lang, const struct ast_module *module,
                 const struct ast_decl *decl, const struct verify_options *options,
                 const struct budget *budget);

#endif
