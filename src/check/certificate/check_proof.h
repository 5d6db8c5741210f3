/* The checker of program-proof and lemma-proof certificates: the kernel, driven by the text of the proof, and the
 * referee. */
#ifndef COUPLET_CHECK_CERTIFICATE_CHECK_PROOF_H
#define COUPLET_CHECK_CERTIFICATE_CHECK_PROOF_H

#include "base/budget.h"
#include "check/certificate/source.h"
#include "check/proof/dossier.h"

struct cert_proof {
  const char *epsilon; /* what it shows, as source text: that of the claim, unless it asks for the
                          least */
  const char *proof;   /* the text */
  struct dossier *dossier; /* refutations of the obligations */
};

/* Does the kernel accept the proof for the claim, and the referee every refutation? Nothing is
 * searched for. False: *why says what is missing (xmalloc'd). */
bool cert_check_proof(struct cert_source *source, const struct cert_statement *s,
                      const struct cert_proof *p, const struct budget *budget, char **why);

/* The same for a lemma and the steps of its proof, which are in the source. */
bool cert_check_lemma(struct cert_source *source, const struct cert_statement *s,
                      struct dossier *dossier, const struct budget *budget, char **why);

#endif
