/* Counterexamples in the report: the facts beside both output distributions, the worst one found,
 * and suspects that could not be certified. */
#ifndef COUPLET_REPORT_RENDER_HTML_COUNTEREXAMPLE_H
#define COUPLET_REPORT_RENDER_HTML_COUNTEREXAMPLE_H

#include "base/buffer.h"
#include "report/record/record.h"

/* Nothing when the claim has none. */
void html_counterexample(struct buffer *out, const struct claim_record *c,
                         const struct file_record *file);

#endif
