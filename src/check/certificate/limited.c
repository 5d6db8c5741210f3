#include "check/certificate/limited.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/memory.h"
#include "check/certificate/check.h"

/* How long the child may overstay its own deadline before it is killed. */
static const double GRACE_SECONDS = 0.5;

/* What the child sends before the two texts. */
struct header {
  int status;
  size_t out, err;
};

/* ---- child ---------------------------------------------------------------------------------- */

static bool send_all(int pipe, const void *data, size_t length) {
  const char *at = data;
  while (length) {
    ssize_t n = write(pipe, at, length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    length -= (size_t)n;
  }
  return true;
}

static _Noreturn void child_main(const char *certificate, const char *source,
                                 struct cert_limits limits, int pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  memory_limit(limits.memory_mb);
  struct budget budget = budget_of_seconds(limits.timeout);
  struct buffer out, err;
  buffer_init(&out);
  buffer_init(&err);
  enum couplet_exit status = cert_check(certificate, source, &budget, &out, &err);
  struct header header = {(int)status, out.len, err.len};
  bool sent = send_all(pipe, &header, sizeof header) && send_all(pipe, out.text, out.len) &&
              send_all(pipe, err.text, err.len);
  _exit(sent ? COUPLET_EXIT_PROVED : COUPLET_EXIT_INTERNAL);
}

/* ---- parent --------------------------------------------------------------------------------- */

/* All that the child sends; false: it is past the deadline (0: none). */
static bool receive(int pipe, int64_t deadline, struct buffer *all) {
  for (char chunk[65536];;) {
    int64_t left = deadline ? deadline - budget_now_ns() : 0;
    if (deadline && left <= 0) return false;
    struct pollfd polled = {.fd = pipe, .events = POLLIN};
    int wait = deadline ? (int)(left / 1000000 < 60000 ? left / 1000000 + 1 : 60000) : -1;
    int ready = poll(&polled, 1, wait);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    ssize_t n = read(pipe, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    buffer_add(all, chunk, (size_t)n);
  }
}

/* The answer, if the child sent a whole one and ended well. */
static bool take_answer(const struct buffer *all, int ended, enum couplet_exit *status,
                        struct buffer *out, struct buffer *err) {
  struct header header;
  if (!WIFEXITED(ended) || WEXITSTATUS(ended) != COUPLET_EXIT_PROVED || all->len < sizeof header)
    return false;
  memcpy(&header, all->text, sizeof header);
  size_t rest = all->len - sizeof header;
  if (header.out > rest || header.err != rest - header.out) return false;
  buffer_add(out, all->text + sizeof header, header.out);
  buffer_add(err, all->text + sizeof header + header.out, header.err);
  *status = (enum couplet_exit)header.status;
  return true;
}

/* No answer: why not. */
static enum couplet_exit explain(bool in_time, int ended, struct cert_limits limits,
                                 const char *certificate, struct buffer *err) {
  buffer_printf(err, "%s: ", certificate);
  if (!in_time) {
    buffer_printf(err, "error[certificate-limit]: not judged within %g s (--timeout)\n",
                  limits.timeout);
    return COUPLET_EXIT_UNKNOWN;
  }
  if (limits.memory_mb > 0 && memory_was_exhausted(ended)) {
    buffer_printf(err, "error[certificate-limit]: not judged with %ld MB of memory (--memory)\n",
                  limits.memory_mb);
    return COUPLET_EXIT_UNKNOWN;
  }
  if (WIFSIGNALED(ended))
    buffer_printf(err, "internal error: the checker died of signal %d (%s)\n", WTERMSIG(ended),
                  strsignal(WTERMSIG(ended)));
  else
    buffer_printf(err, "internal error: the checker ended with status %d\n", WEXITSTATUS(ended));
  return COUPLET_EXIT_INTERNAL;
}

enum couplet_exit cert_check_limited(const char *certificate, const char *source,
                                     struct cert_limits limits, struct buffer *out,
                                     struct buffer *err) {
  int ends[2], ended = 0;
  fflush(NULL);
  pid_t pid = pipe(ends) == 0 ? fork() : -1;
  if (pid == 0) {
    close(ends[0]);
    child_main(certificate, source, limits, ends[1]);
  }
  if (pid < 0) {
    buffer_printf(err, "%s: internal error: no process for the check\n", certificate);
    return COUPLET_EXIT_INTERNAL;
  }
  close(ends[1]);
  struct buffer all;
  buffer_init(&all);
  int64_t deadline =
      limits.timeout > 0 ? budget_of_seconds(limits.timeout + GRACE_SECONDS).deadline_ns : 0;
  bool in_time = receive(ends[0], deadline, &all);
  if (!in_time) kill(pid, SIGKILL);
  close(ends[0]);
  while (waitpid(pid, &ended, 0) < 0 && errno == EINTR)
    ;
  enum couplet_exit status = COUPLET_EXIT_INTERNAL;
  if (!in_time || !take_answer(&all, ended, &status, out, err))
    status = explain(in_time, ended, limits, certificate, err);
  buffer_clear(&all);
  return status;
}
