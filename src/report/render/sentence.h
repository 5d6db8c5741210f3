/* A verdict in a sentence or two of plain words, for people who do not know the field's shorthand.
 * Says nothing that is not in the record. */
#ifndef COUPLET_REPORT_RENDER_SENTENCE_H
#define COUPLET_REPORT_RENDER_SENTENCE_H

#include "base/buffer.h"
#include "report/record/record.h"

void verdict_sentence(struct buffer *out, const struct claim_record *claim);

#endif
