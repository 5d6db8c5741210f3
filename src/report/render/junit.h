/* The record as JUnit XML, which test reporters of CI systems read: a suite per file, a case per
 * claim. A claim that is not proved is a failure of the type of its verdict; what kept a file from
 * being judged is an error. */
#ifndef COUPLET_REPORT_RENDER_JUNIT_H
#define COUPLET_REPORT_RENDER_JUNIT_H

#include "report/record/record.h"

/* `strict`: warnings that a claim says nothing are errors. */
void run_record_to_junit(struct buffer *out, const struct run_record *run, bool strict);

#endif
