/* Computations side by side, each in a child process.
 *
 * A lane sends JSON values; the owner sees each of them in the order of arrival and may stop all
 * lanes at any time. A lane that is stopped, killed or dies leaves what it has sent. Lanes share
 * the memory limit of this process, if it has one, in equal parts. */
#ifndef COUPLET_REPORT_JUDGE_RACE_H
#define COUPLET_REPORT_JUDGE_RACE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/budget.h"

enum { HEAD_START_MS = 400 };

/* In the child: sends values with json_line_send. */
typedef void race_task(void *context, int out);

struct race_lane {
  race_task *run;
  void *context;
  /* set when it has ended: */
  bool ended;
  bool failed;    /* no process, or it died by itself */
  bool exhausted; /* it ended at the memory limit */
  int signal;     /* it died of, or 0 */
  bool timed_out; /* it was past the deadline */
};

/* True: that is enough, stop all. `value` is NULL when the lane has ended. */
typedef bool race_news(void *context, size_t lane, const json_t *value);

/* Runs the lanes until `news` says so or all have ended; at the end of the budget (may be NULL)
 * they are killed; `news` may change its deadline. When it is interrupted, the lanes get SIGINT and
 * a few seconds to report. Where there is only one processor the first lane has it for
 * HEAD_START_MS before the others begin, or until it ends. */
void race_run(struct race_lane *lanes, size_t count, const struct budget *budget, race_news *news,
              void *context);

#endif
