/* The record as text for a terminal or a log. */
#ifndef COUPLET_REPORT_RENDER_RECORD_TEXT_H
#define COUPLET_REPORT_RENDER_RECORD_TEXT_H

#include "base/buffer.h"
#include "report/record/record.h"

struct text_style {
  bool color;
};

/* One file: a line per claim, and below it why. */
void file_record_to_text(struct buffer *out, const struct file_record *file,
                         struct text_style style);
/* What is claimed, in words: "(5/4*eps)-private", "private at some multiple of eps", "lemma". */
void claim_record_what(struct buffer *out, const struct claim_record *claim);
/* Why it has its verdict: the reason, the counterexample; what stands below its line. */
void claim_record_grounds(struct buffer *out, const struct claim_record *claim);
/* Lines of at most 96 columns, each behind `indent` spaces. */
void text_put_wrapped(struct buffer *out, const char *text, unsigned indent);
/* Its diagnostics, as a compiler prints them. */
void file_record_diags_to_text(struct buffer *out, const struct file_record *file,
                               struct text_style style);
/* The closing line: how many claims were proved, refuted, unknown. */
void run_record_summary(struct buffer *out, const struct run_record *run, struct text_style style);

#endif
