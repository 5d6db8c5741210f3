/* Proofs in the report: where the budget goes, the derivation as a tree, the obligations. */
#ifndef COUPLET_REPORT_RENDER_HTML_PROOF_H
#define COUPLET_REPORT_RENDER_HTML_PROOF_H

#include "base/buffer.h"
#include "report/record/record.h"

/* Each puts nothing when the claim's detail has no such data. `id` as in html_source. */
void html_budget(struct buffer *out, const struct claim_record *c, size_t id);
/* The proof that was found, or what the search for one ran into. */
void html_search(struct buffer *out, const struct claim_record *c);
void html_derivation(struct buffer *out, const struct claim_record *c);
void html_obligations(struct buffer *out, const struct claim_record *c);

#endif
