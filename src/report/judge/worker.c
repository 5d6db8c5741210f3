#include "report/judge/worker.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/memory.h"
#include "report/judge/json_lines.h"
#include "report/record/record_json.h"

/* How long a child may overstay its own deadline before it is killed. */
static const double GRACE_SECONDS = 0.5;
/* How long it may take to report when it is interrupted: more than a race takes for that (race.c).
 */
static const double LAST_SECONDS = 4;

static const char LATE_ADVICE[] = "\ntry: --timeout with more seconds, or one claim per file";
static const char TOO_LATE_ADVICE[] =
    ": the claims before this one have used it\ntry: --timeout with more seconds, or this claim in "
    "a file of its own";

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- child ---------------------------------------------------------------------------------- */

struct assignment {
  const char *path;
  const struct worker_options *options;
};

static void send_record(void *context, const struct file_record *file) {
  json_line_send(*(int *)context, file_record_to_json(file));
}

static int run_worker(void *context, int out) {
  const struct assignment *given = context;
  memory_limit(given->options->memory_mb);
  struct verify_options verify = given->options->verify;
  verify.side_by_side = true;
  struct file_record *file = verify_file(given->path, &verify, send_record, &out);
  send_record(&out, file);
  file_record_free(file);
  return COUPLET_EXIT_PROVED;
}

/* ---- parent --------------------------------------------------------------------------------- */

bool worker_start(struct worker *w, const char *path, const struct worker_options *options) {
  *w = (struct worker){.file = file_record_new(path)};
  struct assignment given = {path, options};
  if (!child_start(&w->child, run_worker, &given)) {
    record_set(&w->file->internal_error, "cannot start a worker process");
    return false;
  }
  double timeout = options->verify.timeout;
  w->deadline = timeout > 0 ? now() + timeout + GRACE_SECONDS : 0;
  return true;
}

/* The latest record replaces the one before. */
static bool take_record(void *context, const json_t *value) {
  struct worker *w = context;
  struct file_record *file = file_record_from_json(value);
  if (file) {
    file_record_free(w->file);
    w->file = file;
  }
  return false;
}

static void give_reason(struct file_record *file, const char *reason) {
  for (size_t i = 0; i < file->claims.len; i++)
    if (file->claims.at[i].verdict == VERDICT_UNKNOWN)
      record_set(&file->claims.at[i].reason, reason);
}

/* The time of the file is over: the first claim without an answer had what was left of it, those
 * behind it had none. */
static void give_late(struct file_record *file, double seconds) {
  bool is_first = true;
  for (size_t i = 0; i < file->claims.len; i++) {
    struct claim_record *c = &file->claims.at[i];
    if (!claim_record_is_undecided(c)) continue;
    char *reason = xasprintf("the time limit of %g s was reached%s", seconds,
                             is_first ? LATE_ADVICE : TOO_LATE_ADVICE);
    record_set(&c->reason, reason);
    free(reason);
    is_first = false;
  }
}

/* The child has ended: says what that means for claims it did not decide. */
static void conclude(struct worker *w, int status, const struct worker_options *options) {
  struct file_record *file = w->file;
  char *reason = NULL;
  if (w->interrupted && (w->timed_out || WIFSIGNALED(status))) {
    give_reason(file, "interrupted");
    if (!file->claims.len) record_set(&file->stopped, "interrupted");
  } else if (w->timed_out) {
    give_late(file, options->verify.timeout);
    reason =
        xasprintf("the time limit of %g s was reached%s", options->verify.timeout, LATE_ADVICE);
    if (!file->claims.len) record_set(&file->stopped, reason);
  } else if (options->memory_mb && memory_was_exhausted(status)) {
    reason = xasprintf("stopped at the memory limit of %ld MB", options->memory_mb);
    give_reason(file, reason);
    if (!file->claims.len) record_set(&file->stopped, reason);
  } else if (WIFSIGNALED(status) || WEXITSTATUS(status) != COUPLET_EXIT_PROVED) {
    if (WIFSIGNALED(status))
      reason = xasprintf("the worker process died of signal %d (%s)", WTERMSIG(status),
                         strsignal(WTERMSIG(status)));
    else
      reason = xasprintf("the worker process failed with status %d", WEXITSTATUS(status));
    give_reason(file, reason);
    record_set(&file->internal_error, reason);
  }
  free(reason);
}

static int reap(struct worker *w) {
  buffer_clear(&w->arrived);
  return child_reap(&w->child);
}

void worker_finish(struct worker *w, const struct worker_options *options) {
  conclude(w, reap(w), options);
}

void worker_interrupt(struct worker *w) {
  if (!w->child.pid) return;
  double end = w->interrupted ? now() : now() + LAST_SECONDS;
  kill(w->child.pid, w->interrupted ? SIGKILL : SIGINT);
  if (!w->deadline || end < w->deadline) w->deadline = end;
  w->interrupted = true;
}

void worker_kill(struct worker *w) {
  if (w->child.pid) {
    child_kill(&w->child);
    reap(w);
  }
  file_record_free(w->file);
  w->file = NULL;
}

bool worker_receive(struct worker *w) {
  size_t before = w->arrived.len;
  enum child_news news = child_read(&w->child, &w->arrived);
  if (news == CHILD_DATA) json_lines_take(&w->arrived, before, take_record, w);
  return news == CHILD_END;
}

double worker_enforce_deadline(struct worker *w) {
  if (!w->child.pid || !w->deadline || w->timed_out) return -1;
  double left = w->deadline - now();
  if (left > 0) return left;
  w->timed_out = true;
  child_kill(&w->child);
  return -1;
}
