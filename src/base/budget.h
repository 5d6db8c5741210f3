/* How long a computation may go on.
 *
 * The limit of a whole task is wall-clock time: that is what somebody waits for. Parts of it are
 * measured by the clock of the thread's work (base/work.h), so that what a search finds does not
 * depend on the machine; a limit on computing time, far beyond, is there for safety. A budget is passed down and polled at points where stopping is cheap;
 * NULL means no limit. Who finds it spent returns "unknown" (or the best certified result so far),
 * never a guess. */
#ifndef COUPLET_BASE_BUDGET_H
#define COUPLET_BASE_BUDGET_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct budget {
  int64_t deadline_ns;                         /* on the monotonic clock; 0: none */
  int64_t work;                                /* on the clock of the thread's work; 0: none */
  int64_t computing_ns;                        /* on the thread's processor clock; 0: none */
  const volatile sig_atomic_t *is_interrupted; /* set by a signal handler; NULL: never */
};

/* The clock that deadlines refer to. */
int64_t budget_now_ns(void);
/* From now on for `seconds` (not positive: no deadline). */
struct budget budget_of_seconds(double seconds);
/* The part of `outer` (may be NULL) that ends after `seconds` of work by this thread, or with
 * `outer` if that is sooner. */
struct budget budget_slice(const struct budget *outer, double seconds);
/* The given share of what is left; all of it where there is no limit. */
struct budget budget_part(const struct budget *outer, double share);
bool budget_is_spent(const struct budget *budget);
bool budget_is_interrupted(const struct budget *budget);

#endif
