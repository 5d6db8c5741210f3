#include "report/judge/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "report/record/record_json.h"

/* How long a child may overstay its own deadline before it is killed. */
static const double GRACE_SECONDS = 0.5;
/* How long it may take to report when it is interrupted: more than a race takes for that (race.c).
 */
static const double LAST_SECONDS = 4;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- child ---------------------------------------------------------------------------------- */

static void write_all(int descriptor, const char *text, size_t length) {
  while (length) {
    ssize_t n = write(descriptor, text, length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(COUPLET_EXIT_INTERNAL); /* the parent is gone */
    text += n;
    length -= (size_t)n;
  }
}

static void send_record(void *context, const struct file_record *file) {
  json_t *json = file_record_to_json(file);
  char *text = json_dumps(json, JSON_COMPACT);
  json_decref(json);
  if (!text) _exit(COUPLET_EXIT_INTERNAL);
  write_all(*(int *)context, text, strlen(text));
  write_all(*(int *)context, "\n", 1);
  free(text);
}

static int child_main(const char *path, const struct worker_options *options, int descriptor) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody would read the result */
  memory_limit(options->memory_mb);
  struct verify_options verify = options->verify;
  verify.side_by_side = true;
  struct file_record *file = verify_file(path, &verify, send_record, &descriptor);
  send_record(&descriptor, file);
  file_record_free(file);
  return COUPLET_EXIT_PROVED;
}

/* ---- parent --------------------------------------------------------------------------------- */

bool worker_start(struct worker *w, const char *path, const struct worker_options *options) {
  *w = (struct worker){.file = file_record_new(path)};
  int ends[2];
  pid_t pid = -1;
  if (pipe(ends) == 0) {
    fflush(NULL);
    pid = fork();
    if (pid == 0) {
      close(ends[0]);
      int status = child_main(path, options, ends[1]);
      close(ends[1]);
      /* Not exit(): the handlers at exit are the parent's, and the leak sanitizer, which is one of
         them, stops beside the timer threads of Z3. */
      _exit(status);
    }
    close(ends[1]);
    if (pid < 0) close(ends[0]);
  }
  if (pid < 0) {
    record_set(&w->file->internal_error, "cannot start a worker process");
    return false;
  }
  double timeout = options->verify.timeout;
  w->pid = pid;
  w->pipe = ends[0];
  w->deadline = timeout > 0 ? now() + timeout + GRACE_SECONDS : 0;
  return true;
}

/* Complete lines replace the record; the rest waits for more. */
static void take_lines(struct worker *w) {
  char *line = w->pending.text, *end;
  while (line && (end = memchr(line, '\n', w->pending.len - (size_t)(line - w->pending.text)))) {
    json_t *json = json_loadb(line, (size_t)(end - line), 0, NULL);
    struct file_record *file = json ? file_record_from_json(json) : NULL;
    json_decref(json);
    if (file) {
      file_record_free(w->file);
      w->file = file;
    }
    line = end + 1;
  }
  if (!line) return;
  size_t rest = w->pending.len - (size_t)(line - w->pending.text);
  memmove(w->pending.text, line, rest);
  w->pending.len = rest;
}

static void give_reason(struct file_record *file, const char *reason) {
  for (size_t i = 0; i < file->claims.len; i++)
    if (file->claims.at[i].verdict == VERDICT_UNKNOWN)
      record_set(&file->claims.at[i].reason, reason);
}

/* The child has ended: says what that means for claims it did not decide. */
static void conclude(struct worker *w, int status, const struct worker_options *options) {
  struct file_record *file = w->file;
  char *reason = NULL;
  if (w->interrupted && (w->timed_out || WIFSIGNALED(status))) {
    give_reason(file, "interrupted");
    if (!file->claims.len) record_set(&file->stopped, "interrupted");
  } else if (w->timed_out) {
    reason = xasprintf("the time limit of %g s was reached\ntry: --timeout with more seconds, or "
                       "one claim per file",
                       options->verify.timeout);
    give_reason(file, reason);
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
  int status = 0;
  close(w->pipe);
  while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
    ;
  buffer_clear(&w->pending);
  w->pid = 0;
  return status;
}

void worker_finish(struct worker *w, const struct worker_options *options) {
  conclude(w, reap(w), options);
}

void worker_interrupt(struct worker *w) {
  if (!w->pid) return;
  double end = w->interrupted ? now() : now() + LAST_SECONDS;
  kill(w->pid, w->interrupted ? SIGKILL : SIGINT);
  if (!w->deadline || end < w->deadline) w->deadline = end;
  w->interrupted = true;
}

void worker_kill(struct worker *w) {
  if (w->pid) {
    kill(w->pid, SIGKILL);
    reap(w);
  }
  file_record_free(w->file);
  w->file = NULL;
}

bool worker_receive(struct worker *w) {
  char chunk[65536];
  ssize_t n = read(w->pipe, chunk, sizeof chunk);
  if (n < 0) return errno != EINTR;
  if (n == 0) return true;
  buffer_add(&w->pending, chunk, (size_t)n);
  if (memchr(chunk, '\n', (size_t)n)) take_lines(w); /* a line may be long: scan it once */
  return false;
}

double worker_enforce_deadline(struct worker *w) {
  if (!w->pid || !w->deadline || w->timed_out) return -1;
  double left = w->deadline - now();
  if (left > 0) return left;
  w->timed_out = true;
  kill(w->pid, SIGKILL);
  return -1;
}
