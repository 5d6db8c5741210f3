#include "serve/task.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

double task_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The child keeps the standard descriptors and its end of the pipe: a copy of a connection would
 * hold it open for as long as the child lives. */
static _Noreturn void child_main(task_body *body, void *context, int out, long memory_mb) {
  enum { PIPE = 3 };
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (out != PIPE && dup2(out, PIPE) < 0) _exit(127);
  close_range(PIPE + 1, ~0u, 0);
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  memory_limit(memory_mb);
  int status = body(context, PIPE);
  fflush(NULL);
  _exit(status);
}

bool task_start(struct task *t, task_body *body, void *context, double seconds, long memory_mb) {
  *t = (struct task){.pipe = -1};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  if (ends[0] >= FD_SETSIZE) { /* the server could not wait for it */
    close(ends[0]);
    close(ends[1]);
    return false;
  }
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) child_main(body, context, ends[1], memory_mb);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return false;
  }
  setpgid(pid, pid); /* whoever comes first */
  t->pid = pid;
  t->pipe = ends[0];
  t->deadline = task_now() + seconds;
  return true;
}

/* Nothing of it is left afterwards. */
static void end(struct task *t) {
  if (!t->pid) return;
  kill(-t->pid, SIGKILL);
  close(t->pipe);
  t->pipe = -1;
  while (!t->is_reaped && waitpid(t->pid, &t->status, 0) < 0 && errno == EINTR) {
  }
  t->pid = 0;
}

bool task_receive(struct task *t) {
  char chunk[65536];
  ssize_t n = read(t->pipe, chunk, sizeof chunk);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return false;
  if (n > 0) {
    buffer_add(&t->out, chunk, (size_t)n);
    return false;
  }
  end(t);
  return true;
}

void task_enforce_deadline(struct task *t) {
  if (!t->pid || t->timed_out || task_now() < t->deadline) return;
  t->timed_out = true;
  kill(-t->pid, SIGKILL);
}

void task_interrupt(struct task *t) {
  if (t->pid && !t->is_reaped) kill(t->pid, SIGINT);
}

void task_clear(struct task *t) {
  end(t);
  buffer_clear(&t->out);
}

bool task_take_status(struct task *t, pid_t pid, int status) {
  if (!t->pid || t->pid != pid) return false;
  t->status = status;
  t->is_reaped = true;
  return true;
}
