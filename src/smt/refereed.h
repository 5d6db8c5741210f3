/* Proofs checked with evidence: what a verdict rests on.
 *
 * The text of a proof is checked from nothing in a table of terms of its own; the advocate looks
 * for a refutation of every obligation, writes it into the dossier, and takes back what terms it
 * made. The kernel sees only what is read from the dossier, as it does when a certificate is
 * checked: so what is accepted here is accepted there. */
#ifndef COUPLET_SMT_REFEREED_H
#define COUPLET_SMT_REFEREED_H

#include "base/budget.h"
#include "check/proof/dossier.h"
#include "proof/proof.h"

struct refereed_options {
  const struct budget *budget; /* of the whole; NULL: no limit */
  bool trust_solver; /* believe the solver where there is no refutation: the result is then
                        PROOF_BELIEVED at best */
  bool explain;
  /* Looks for refutations, as advocate_refute (advocate/advocate.h) does; NULL: that one. */
  bool (*advocate)(struct terms *ts, const struct sequent *sequent, double seconds,
                   struct refutation *out);
};

/* `text` as for proof_session_check. `out->solver_seconds` is the time in the advocate. The dossier
 * is initialised and empty. */
void refereed_claim(struct lang *lang, const struct ast_module *module,
                    const struct ast_decl *claim, const struct proof_text *text,
                    const struct refereed_options *options, struct dossier *dossier,
                    struct proof_result *out);
void refereed_lemma(struct lang *lang, const struct ast_module *module,
                    const struct ast_decl *lemma, const struct refereed_options *options,
                    struct dossier *dossier, struct proof_result *out);

#endif
