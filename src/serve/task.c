#include "serve/task.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

double task_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct order {
  child_body *body;
  void *context;
  long memory_mb;
};

/* The child keeps the standard descriptors and its end of the pipe: a copy of a connection would
 * hold it open for as long as the child lives. */
static int run_task(void *context, int out) {
  enum { PIPE = 3 };
  const struct order *order = context;
  setpgid(0, 0);
  if (out != PIPE && dup2(out, PIPE) < 0) return 127;
  close_range(PIPE + 1, ~0u, 0);
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  memory_limit(order->memory_mb);
  return order->body(order->context, PIPE);
}

/* Nothing of it is left afterwards. */
static void end(struct task *t) {
  if (!t->child.pid) return;
  kill(-t->child.pid, SIGKILL);
  if (!t->is_reaped) {
    t->status = child_reap(&t->child);
    return;
  }
  close(t->child.pipe); /* the number of the process may be another's by now */
  t->child = (struct child){.pipe = -1};
}

bool task_start(struct task *t, child_body *body, void *context, double seconds, long memory_mb) {
  *t = (struct task){.deadline = task_now() + seconds};
  struct order order = {body, context, memory_mb};
  if (!child_start(&t->child, run_task, &order)) return false;
  setpgid(t->child.pid, t->child.pid); /* whoever comes first */
  if (t->child.pipe < FD_SETSIZE) return true;
  end(t); /* the server could not wait for it */
  return false;
}

bool task_receive(struct task *t) {
  if (child_read(&t->child, &t->out) != CHILD_END) return false;
  end(t);
  return true;
}

void task_enforce_deadline(struct task *t) {
  if (!t->child.pid || t->timed_out || task_now() < t->deadline) return;
  t->timed_out = true;
  kill(-t->child.pid, SIGKILL);
}

void task_interrupt(struct task *t) {
  if (t->child.pid && !t->is_reaped) kill(t->child.pid, SIGINT);
}

void task_clear(struct task *t) {
  end(t);
  buffer_clear(&t->out);
}

bool task_take_status(struct task *t, pid_t pid, int status) {
  if (!t->child.pid || t->child.pid != pid) return false;
  t->status = status;
  t->is_reaped = true;
  return true;
}
