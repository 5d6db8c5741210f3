/* What a reader sees first: how many of each verdict, one row per claim, and the contents at the
 * side. The script sorts, searches and filters them; without it they are all there. */
#ifndef COUPLET_REPORT_RENDER_HTML_OVERVIEW_H
#define COUPLET_REPORT_RENDER_HTML_OVERVIEW_H

#include "base/buffer.h"
#include "report/record/record.h"

/* "error", "stopped" or "internal error" for a file that gave no verdicts; NULL for the others. */
const char *html_file_trouble(const struct file_record *file);

void html_tools(struct buffer *out, const struct run_record *run);
void html_verdicts(struct buffer *out, const struct run_record *run);
void html_contents(struct buffer *out, const struct run_record *run);

#endif
