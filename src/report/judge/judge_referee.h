/* The last word on a proof that is believed: its text is checked again with evidence for every
 * obligation (smt/refereed.h), in a table of terms that no search has touched. Only this sets
 * VERDICT_PROVED for programs and lemmas.
 *
 * What has no evidence is unknown, and says `rests on the solver alone`. With --trust-solver the
 * solver is believed there: the verdict is then `admitted`, says so, and `rests_on_solver` in the
 * detail counts the obligations. */
#ifndef COUPLET_REPORT_JUDGE_JUDGE_REFEREE_H
#define COUPLET_REPORT_JUDGE_JUDGE_REFEREE_H

#include "base/budget.h"
#include "proof/proof.h"
#include "report/judge/verify.h"
#include "search/refute/program_refute.h"

/* Sets verdict, reason, detail and, if they are wanted, the evidence for a certificate; not the
 * cost. `text`: what is believed. `believed`: the check that believes it. */
void judge_by_referee(struct claim_record *c, const struct program_claim *claim,
                      const struct proof_text *text, const struct proof_result *believed,
                      const struct verify_options *options, const struct budget *budget);
void judge_lemma_by_referee(struct claim_record *c, struct lang *lang,
                            const struct ast_module *module, const struct ast_decl *lemma,
                            const struct proof_result *believed,
                            const struct verify_options *options, const struct budget *budget);
/* A lemma that seems false at a point (smt/believe.h), which is taken over. False: there is no
 * evidence. */
bool judge_false_lemma(struct claim_record *c, struct lang *lang, const struct ast_module *module,
                       const struct ast_decl *lemma, call_list *point,
                       const struct verify_options *options, const struct budget *budget);

#endif
