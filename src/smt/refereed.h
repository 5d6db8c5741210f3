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
  bool
      evidence; /* the dossier is to be one for a certificate: with the calls of the derivation, and
                    refutations for their replay. It stays empty if the replay fails */
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
/* The lemma is false at this point (lines as from believe_lemma, which the dossier takes over): the
 * dossier is the evidence. False: there is none. */
bool refereed_false_lemma(struct lang *lang, const struct ast_module *module,
                          const struct ast_decl *lemma, call_list *point,
                          const struct refereed_options *options, struct dossier *dossier);

#endif
