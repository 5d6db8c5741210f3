/* Terms for explanations: as out/print.h, but fresh logical variables without their number where
 * the name alone says which one is meant. */
#ifndef COUPLET_PROOF_PLAIN_H
#define COUPLET_PROOF_PLAIN_H

#include "base/buffer.h"
#include "term/term.h"

void plain_print(struct buffer *out, struct terms *ts, term_id t);
/* A fresh string that the caller frees. */
char *plain_text(struct terms *ts, term_id t);

#endif
