/* Verification of many files in child processes.
 *
 * A child per file (worker.h), at most `jobs` at a time. So limits hold even if a solver ignores
 * its own, and one bad file does not stop the others. */
#ifndef COUPLET_REPORT_JUDGE_WORKERS_H
#define COUPLET_REPORT_JUDGE_WORKERS_H

#include "report/judge/verify.h"
#include "report/record/record.h"

/* How far it is. */
struct workers_status {
  const char *path; /* of the first file that is not done */
  size_t files, files_done;
  size_t claims, claims_decided; /* of that file, as far as known */
  double seconds;                /* since the start */
};
/* Called about four times a second. */
typedef void workers_tick(void *context, const struct workers_status *status);

struct workers_options {
  struct verify_options verify;
  long jobs;          /* at least 1 */
  long memory_mb;     /* address space of a child; 0: no limit */
  workers_tick *tick; /* or NULL */
};

/* Called in command-line order as soon as a file and all before it are done. */
typedef void workers_done(void *context, const struct file_record *file);

/* When options->verify.interrupted is raised, running workers are asked to report what they have
 * and no others are started; when it is raised again, they are killed. `done` is still called for
 * every file. */
void workers_run(const char *const *paths, size_t count, const struct workers_options *options,
                 struct run_record *run, workers_done *done, void *context);

#endif
