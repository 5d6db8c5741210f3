/* A proof next to the source: the lines of the mechanism, and below each what the proof does there
 * - the coupling of a sampling in words with its price, the invariant of a loop and the budget it
 * keeps - and at the end where the budget goes. As data for the record (detail.listing):
 *
 *   {lines: [{line, text, notes: [string..]}], payments: [string..], total}                     */
#ifndef COUPLET_REPORT_RECORD_LISTING_H
#define COUPLET_REPORT_RECORD_LISTING_H

#include <jansson.h>

#include "base/buffer.h"
#include "lang/syntax/lang.h"
#include "proof/proof.h"

/* NULL if the proof was not explained (proof_options.explain). */
json_t *listing_json(struct lang *lang, const struct ast_decl *mechanism,
                     const struct proof_result *r);
void listing_text(struct buffer *out, const json_t *listing);
/* The same for an automaton: its edges, and below each how its samples are coupled (detail.moves). */
void strategy_text(struct buffer *out, const json_t *moves);

/* Text that stands in no file: a proof that was tried or found. Its lines mean nothing to people. */
bool listing_is_virtual(struct lang *lang, uint32_t file);

#endif
