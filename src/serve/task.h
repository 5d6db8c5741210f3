/* The work of one request, in a process of its own.
 *
 * The server itself reads nothing but the heads of requests: the body is parsed, and everything
 * else done, in a child that is forked for the request, leads a process group with what it starts,
 * has limits of time and memory, and writes its answer to a pipe. Whatever happens there, the
 * server only sees bytes and an exit status. */
#ifndef COUPLET_SERVE_TASK_H
#define COUPLET_SERVE_TASK_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "base/child.h"

enum { TASK_BACKLOG = 1 << 20 }; /* bytes that may wait for a slow reader */

struct task {
  struct child child;
  double deadline; /* monotonic seconds */
  bool timed_out;
  bool is_reaped;
  int status;        /* of waitpid, when it has ended */
  struct buffer out; /* what has arrived */
};

/* False: no process could be started. */
bool task_start(struct task *task, child_body *body, void *context, double seconds, long memory_mb);
/* Reads once; true at the end of the output: the task is over and has its status. */
bool task_receive(struct task *task);
/* Past its deadline it is killed; the end of its output follows. */
void task_enforce_deadline(struct task *task);
/* Asks it to report what it has and end. */
void task_interrupt(struct task *task);
/* Ends it and all it started. */
void task_clear(struct task *task);
/* A process of this number has ended: is it the task's? */
bool task_take_status(struct task *task, pid_t pid, int status);

double task_now(void);

#endif
