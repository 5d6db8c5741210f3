/* Source text in the report: coloured by the lexer of the language, with the coupling below each
 * line that samples and the budget where it changes. */
#ifndef COUPLET_REPORT_RENDER_HTML_SOURCE_H
#define COUPLET_REPORT_RENDER_HTML_SOURCE_H

#include "base/buffer.h"
#include "report/record/record.h"

/* The lines of a claim: mechanism (or automaton) and claim, or the whole file when it is short and
 * says nothing else. `id` makes anchors unique. Nothing without sources in the record. */
void html_source(struct buffer *out, const struct file_record *file, const struct claim_record *c,
                 size_t id);
/* Text that is not from a file, all of it: a proof that was found. */
void html_proof_text(struct buffer *out, const char *text);

#endif
