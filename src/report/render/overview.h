/* What a run comes to: the counts that every summary shows, and the exit status. */
#ifndef COUPLET_REPORT_RENDER_OVERVIEW_H
#define COUPLET_REPORT_RENDER_OVERVIEW_H

#include "report/record/record.h"

struct overview {
  size_t claims, verdicts[4];    /* all, and by enum verdict */
  size_t trusting;               /* of the admitted ones: those that rest on the solver's word */
  size_t bad, stopped, internal; /* files with errors, ended by a limit, ended by our fault */
  size_t empty;                  /* warnings that a claim says nothing; 0 unless `strict` */
  double seconds;                /* spent on all claims */
  enum couplet_exit status;
};

/* `strict`: claims that say nothing are bad input (report/judge/lint.h). */
struct overview run_overview(const struct run_record *run, bool strict);
/* Is the diagnostic one of those that `strict` counts? */
bool diag_is_empty_claim(const struct record_diag *diag);

/* "3 proved, 1 refuted, 0 unknown; 1 file with errors" */
void overview_put(struct buffer *out, const struct overview *o);

#endif
