/* How a proof couples the two runs at a sampling, read from the record. */
#ifndef COUPLET_LSP_COUPLINGS_H
#define COUPLET_LSP_COUPLINGS_H

#include "base/buffer.h"
#include "report/record/record.h"

/* In words; nothing if the claim was not explained or its proof does not sample there. The place
 * is that of the statement, as in the record. */
void coupling_words(struct buffer *out, const struct claim_record *claim, unsigned line,
                    unsigned column);

#endif
