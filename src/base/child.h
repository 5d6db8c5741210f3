/* A child process that runs a function and sends bytes to its parent through a pipe.
 *
 * All processes of Couplet are started here. A child dies with its parent, and ends without the
 * parent's exit handlers: their buffers were flushed before the fork, and the leak sanitizer, which
 * is one of them, cannot look at a process beside the timer threads of Z3. */
#ifndef COUPLET_BASE_CHILD_H
#define COUPLET_BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buffer.h"

struct child {
  pid_t pid; /* 0: not running */
  int pipe;  /* to read from while it runs */
};

/* In the child: writes to `out`; the result is its exit status. */
typedef int child_body(void *context, int out);

/* False: no process could be started; errno says why. */
bool child_start(struct child *child, child_body *body, void *context);
/* In the child: all of it, or false (nobody reads any more). */
bool child_send(int out, const void *data, size_t length);

enum child_news { CHILD_NOTHING, CHILD_DATA, CHILD_END };
/* One read, of what there is; where the pipe is empty it waits. */
enum child_news child_read(const struct child *child, struct buffer *into);
/* Reads to the end. False: not within the time (budget_now_ns, 0: no limit) or more than `most`
 * bytes. */
bool child_read_all(const struct child *child, int64_t deadline_ns, size_t most,
                    struct buffer *into);

/* Waits for its end; the status is that of waitpid. It may have been killed before. */
int child_reap(struct child *child);
void child_kill(struct child *child);

#endif
