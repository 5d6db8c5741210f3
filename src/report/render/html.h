/* The record as one HTML page that needs nothing else: no network, styles, script and pictures
 * inside. A content security policy names the script by its hash, so that no text of a source could
 * ever run. docs/report.md describes the page. */
#ifndef COUPLET_REPORT_RENDER_HTML_H
#define COUPLET_REPORT_RENDER_HTML_H

#include "base/buffer.h"
#include "report/record/record.h"

/* Bytes of cards; beyond that they are packed and closed. */
enum { HTML_PLAIN_LIMIT = 600000 };

void run_record_to_html(struct buffer *out, const struct run_record *run, size_t plain_limit);
/* The cards alone, as a page without a script: for a frame in somebody else's page. */
void run_record_to_cards(struct buffer *out, const struct run_record *run);
/* The part of the page that is about one file: what is wrong with it and a card per claim. */
void file_record_to_html(struct buffer *out, const struct file_record *file);

#endif
