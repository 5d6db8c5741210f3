#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/budget.h"

bool child_start(struct child *child, child_body *body, void *context) {
  *child = (struct child){.pipe = -1};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ends[0]);
    int status = body(context, ends[1]);
    fflush(NULL);
    _exit(status);
  }
  int why = errno;
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    errno = why;
    return false;
  }
  *child = (struct child){pid, ends[0]};
  return true;
}

bool child_send(int out, const void *data, size_t length) {
  const char *at = data;
  while (length) {
    ssize_t n = write(out, at, length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    length -= (size_t)n;
  }
  return true;
}

enum child_news child_read(const struct child *child, struct buffer *into) {
  char chunk[65536];
  ssize_t n = read(child->pipe, chunk, sizeof chunk);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return CHILD_NOTHING;
  if (n <= 0) return CHILD_END;
  buffer_add(into, chunk, (size_t)n);
  return CHILD_DATA;
}

/* Milliseconds to wait for input at most; 0: it is too late. */
static int patience(int64_t deadline_ns) {
  enum { LONGEST_MS = 60000 };
  int64_t left = deadline_ns ? deadline_ns - budget_now_ns() : INT64_MAX;
  if (left <= 0) return 0;
  return left / 1000000 < LONGEST_MS ? (int)(left / 1000000) + 1 : LONGEST_MS;
}

bool child_read_all(const struct child *child, int64_t deadline_ns, size_t most,
                    struct buffer *into) {
  for (enum child_news news = CHILD_NOTHING; news != CHILD_END;) {
    int wait = patience(deadline_ns);
    if (wait == 0 || into->len > most) return false;
    struct pollfd polled = {.fd = child->pipe, .events = POLLIN};
    if (poll(&polled, 1, wait) > 0) news = child_read(child, into);
  }
  return into->len <= most;
}

int child_reap(struct child *child) {
  int status = 0;
  close(child->pipe);
  while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR) {
  }
  *child = (struct child){.pipe = -1};
  return status;
}

void child_kill(struct child *child) {
  if (child->pid) kill(child->pid, SIGKILL);
}
