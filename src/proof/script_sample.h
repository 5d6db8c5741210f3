/* How a proof couples a sampling: the step `sample x: ...;`. */
#ifndef COUPLET_PROOF_SCRIPT_SAMPLE_H
#define COUPLET_PROOF_SCRIPT_SAMPLE_H

#include "lang/syntax/parse_internal.h"
#include "proof/script.h"

/* Parses the step, from its first word to its semicolon. */
struct script_sample script_parse_sample(struct parser *p);

#endif
