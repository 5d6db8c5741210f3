/* The checker of program-proof, lemma-proof and lemma-counterexample certificates: the kernel, which replays a derivation
 * call by call, and the referee. */
#ifndef COUPLET_CHECK_CERTIFICATE_CHECK_PROOF_H
#define COUPLET_CHECK_CERTIFICATE_CHECK_PROOF_H

#include "base/budget.h"
#include "check/certificate/source.h"
#include "check/proof/dossier.h"

/* Does the kernel accept the derivation of the dossier for the claim, and the referee every
 * refutation? `epsilon` is what it shows, as source text: that of the claim, unless it asks for the
 * least. Nothing is searched for. False: *why says what is missing (xmalloc'd). */
bool cert_check_proof(struct cert_source *source, const struct cert_statement *s,
                      const char *epsilon, struct dossier *dossier, const struct budget *budget,
                      char **why);

/* The same for a lemma, or for its being false. */
bool cert_check_lemma(struct cert_source *source, const struct cert_statement *s, bool is_false,
                      struct dossier *dossier, const struct budget *budget, char **why);

#endif
