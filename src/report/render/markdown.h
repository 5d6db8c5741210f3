/* The record as Markdown for the summary of a CI job: a table of the claims with verdict, cost and
 * place, and below it what refutes or hinders those that were not proved. */
#ifndef COUPLET_REPORT_RENDER_MARKDOWN_H
#define COUPLET_REPORT_RENDER_MARKDOWN_H

#include "report/record/record.h"

/* Services cut summaries off at a megabyte: with more claims than this the proved ones are only
 * counted, and of the others no more than this are listed. */
enum { MARKDOWN_ROWS = 500 };

void run_record_to_markdown(struct buffer *out, const struct run_record *run, bool strict);

#endif
