/* The checker of program-proof certificates: the kernel, driven by the text of the proof. */
#ifndef COUPLET_CERT_CHECK_PROOF_H
#define COUPLET_CERT_CHECK_PROOF_H

#include "base/budget.h"
#include "cert/source.h"

/* Does the kernel accept `proof` for the claim? `epsilon` is what it shows, as source text: that of
 * the claim, unless this one asks for the least. False: *why says what is missing (xmalloc'd). */
bool cert_check_proof(struct cert_source *source, const struct cert_statement *s,
                      const char *epsilon, const char *proof, const struct budget *budget,
                      char **why);

#endif
