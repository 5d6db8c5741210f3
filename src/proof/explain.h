/* A derivation as a tree of text: rule, place, budget before and after, in plain words. */
#ifndef COUPLET_PROOF_EXPLAIN_H
#define COUPLET_PROOF_EXPLAIN_H

#include "base/buffer.h"
#include "base/ptrmap.h"
#include "kernel/judgement.h"

/* `notes` maps judgements to words about them. */
void explain_derivation(struct buffer *out, struct sources *sources, struct terms *terms,
                        const struct ptrmap *notes, const struct judgement *j);

#endif
