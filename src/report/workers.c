#include "report/workers.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "report/record_json.h"

/* How long a child may overstay its own deadline before it is killed. */
static const double GRACE_SECONDS = 0.5;

struct worker {
  size_t index; /* of the file */
  pid_t pid;    /* 0: slot is free */
  int pipe;
  double deadline; /* monotonic seconds; 0: none */
  bool timed_out;
  struct buffer pending; /* bytes of an unfinished line */
};

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

static int child_main(const char *path, const struct workers_options *options, int descriptor) {
  if (options->memory_mb) {
    rlim_t bytes = (rlim_t)options->memory_mb * 1024 * 1024;
    setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
  }
  struct file_record *file = verify_file(path, &options->verify, send_record, &descriptor);
  send_record(&descriptor, file);
  file_record_free(file);
  return COUPLET_EXIT_PROVED;
}

/* ---- parent --------------------------------------------------------------------------------- */

static bool start(struct worker *w, size_t index, const char *path,
                  const struct workers_options *options) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    int status = child_main(path, options, ends[1]);
    close(ends[1]);
    exit(status);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return false;
  }
  double timeout = options->verify.timeout;
  *w = (struct worker){.index = index,
                       .pid = pid,
                       .pipe = ends[0],
                       .deadline = timeout > 0 ? now() + timeout + GRACE_SECONDS : 0};
  return true;
}

/* Complete lines replace the file's record; the rest waits for more. */
static void take_lines(struct worker *w, struct run_record *run) {
  char *line = w->pending.text, *end;
  while (line && (end = memchr(line, '\n', w->pending.len - (size_t)(line - w->pending.text)))) {
    json_t *json = json_loadb(line, (size_t)(end - line), 0, NULL);
    struct file_record *file = json ? file_record_from_json(json) : NULL;
    json_decref(json);
    if (file) {
      file_record_free(run->files.at[w->index]);
      run->files.at[w->index] = file;
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
static void conclude(struct worker *w, int status, struct run_record *run,
                     const struct workers_options *options) {
  struct file_record *file = run->files.at[w->index];
  char *reason = NULL;
  if (w->timed_out) {
    reason = xasprintf("the time limit of %g s was reached", options->verify.timeout);
    give_reason(file, reason);
    if (!file->claims.len) record_set(&file->stopped, reason);
  } else if (WIFSIGNALED(status) || WEXITSTATUS(status) != COUPLET_EXIT_PROVED) {
    if (options->memory_mb)
      reason = xasprintf("stopped at the memory limit of %ld MB", options->memory_mb);
    else if (WIFSIGNALED(status))
      reason = xasprintf("the worker process died of signal %d (%s)", WTERMSIG(status),
                         strsignal(WTERMSIG(status)));
    else
      reason = xasprintf("the worker process failed with status %d", WEXITSTATUS(status));
    give_reason(file, reason);
    if (!options->memory_mb)
      record_set(&file->internal_error, reason);
    else if (!file->claims.len)
      record_set(&file->stopped, reason);
  }
  free(reason);
}

static void finish(struct worker *w, struct run_record *run,
                   const struct workers_options *options) {
  int status = 0;
  close(w->pipe);
  while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
    ;
  conclude(w, status, run, options);
  buffer_clear(&w->pending);
  w->pid = 0;
}

/* Reads what the worker wrote; true at the end of its output. */
static bool receive(struct worker *w, struct run_record *run) {
  char chunk[65536];
  ssize_t n = read(w->pipe, chunk, sizeof chunk);
  if (n < 0) return errno != EINTR;
  if (n == 0) return true;
  buffer_add(&w->pending, chunk, (size_t)n);
  if (memchr(chunk, '\n', (size_t)n)) take_lines(w, run); /* a line may be long: scan it once */
  return false;
}

/* Milliseconds until the next deadline; -1: none. Kills the workers that are past theirs. */
static int enforce_deadlines(struct worker *workers, size_t count) {
  double t = now(), next = -1;
  for (size_t i = 0; i < count; i++) {
    struct worker *w = &workers[i];
    if (!w->pid || !w->deadline || w->timed_out) continue;
    if (w->deadline <= t) {
      w->timed_out = true;
      kill(w->pid, SIGKILL);
    } else if (next < 0 || w->deadline - t < next) {
      next = w->deadline - t;
    }
  }
  return next < 0 ? -1 : (int)(next * 1000) + 1;
}

static void wait_for_news(struct worker *workers, size_t count, struct run_record *run,
                          const struct workers_options *options) {
  VEC(struct pollfd) polled = {0};
  VEC(struct worker *) owner = {0};
  int timeout = enforce_deadlines(workers, count);
  for (size_t i = 0; i < count; i++)
    if (workers[i].pid) {
      vec_push(&polled, (struct pollfd){.fd = workers[i].pipe, .events = POLLIN});
      vec_push(&owner, &workers[i]);
    }
  if (poll(polled.at, polled.len, timeout) > 0)
    for (size_t i = 0; i < polled.len; i++)
      if (polled.at[i].revents && receive(owner.at[i], run)) finish(owner.at[i], run, options);
  vec_clear(&polled);
  vec_clear(&owner);
}

static struct worker *free_slot(struct worker *workers, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!workers[i].pid) return &workers[i];
  return NULL;
}

static bool running(const struct worker *workers, size_t count, size_t index) {
  for (size_t i = 0; i < count; i++)
    if (workers[i].pid && workers[i].index == index) return true;
  return false;
}

void workers_run(const char *const *paths, size_t count, const struct workers_options *options,
                 struct run_record *run, workers_done *done, void *context) {
  size_t slots = options->jobs > 0 ? (size_t)options->jobs : 1, next = 0, reported = 0;
  if (slots > count && count) slots = count;
  struct worker *workers = xcalloc(slots, sizeof *workers);
  for (size_t i = 0; i < count; i++)
    vec_push(&run->files, file_record_new(paths[i]));
  while (reported < count) {
    struct worker *w;
    while (next < count && (w = free_slot(workers, slots))) {
      if (!start(w, next, paths[next], options))
        record_set(&run->files.at[next]->internal_error, "cannot start a worker process");
      next++;
    }
    while (reported < next && !running(workers, slots, reported)) {
      if (done) done(context, run->files.at[reported]);
      reported++;
    }
    if (reported < next) wait_for_news(workers, slots, run, options);
  }
  free(workers);
}
