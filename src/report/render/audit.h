/* What the verdicts of a run rest on, for a reader who wants to know whom to trust: per claim what
 * checked it, its obligations with their time and who confirmed them, its adjacency; per file
 * parameters, axioms, abstract things, admits; for all of it the programs it was computed with.
 *
 * Made from the record alone (verify_options: explain and basis; run_record.tools), so that
 * `couplet audit --json` and the text say the same. */
#ifndef COUPLET_REPORT_RENDER_AUDIT_H
#define COUPLET_REPORT_RENDER_AUDIT_H

#include "base/buffer.h"
#include "report/record/record.h"
#include "report/render/record_text.h"

void file_record_audit(struct buffer *out, const struct file_record *file, struct text_style style);
/* The programs and libraries, and what is trusted without a check. */
void run_record_audit(struct buffer *out, const struct run_record *run, struct text_style style);

#endif
