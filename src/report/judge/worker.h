/* One child process that verifies one file.
 *
 * The child sends its record after every claim; worker_receive keeps the latest. When the child
 * dies or overstays its time, what it had decided stands and the rest is unknown with the reason.
 * Nothing here waits for news: whoever owns the worker polls its descriptor (workers.h does that
 * for many files, the editor between messages). */
#ifndef COUPLET_REPORT_JUDGE_WORKER_H
#define COUPLET_REPORT_JUDGE_WORKER_H

#include "base/buffer.h"
#include "base/child.h"
#include "report/judge/verify.h"
#include "report/record/record.h"

struct worker_options {
  struct verify_options verify;
  long memory_mb; /* address space of the child; 0: no limit */
};

struct worker {
  struct file_record *file; /* as reported last; the owner may take it when the worker is done */
  struct child child;       /* whose pipe is to be polled for input while it runs */
  double deadline;          /* monotonic seconds; 0: none */
  bool timed_out;
  bool interrupted;      /* it was asked to come to an end */
  struct buffer arrived; /* bytes of an unfinished line */
};

/* False if no process could be started; the record says so. `options` is read in the child. */
bool worker_start(struct worker *worker, const char *path, const struct worker_options *options);
/* Reads what has arrived; true at the end of the child's output: call worker_finish. */
bool worker_receive(struct worker *worker);
/* Seconds until the deadline, negative if there is none; past it the child is killed. */
double worker_enforce_deadline(struct worker *worker);
/* Reaps the child and says what its end means for claims it did not decide. */
void worker_finish(struct worker *worker, const struct worker_options *options);
/* Asks the child to report what it has and end; it gets a few seconds for that. Once more: at once.
 */
void worker_interrupt(struct worker *worker);
/* Ends the child at once, whatever it does, and drops its record. */
void worker_kill(struct worker *worker);

#endif
