#include "base/budget.h"

#include <stddef.h>
#include <time.h>

#include "base/work.h"

enum { POLL_WORK = 100, LOOK_WORK = 20000 };

static int64_t read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t budget_now_ns(void) {
  return read_clock(CLOCK_MONOTONIC);
}

/* Work that is not counted must not go on for ever. */
static const int64_t SAFETY = 15;

static int64_t computing_now_ns(void) {
  return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

static bool is_limit(double seconds) {
  return seconds > 0 && seconds < 1e9;
}

struct budget budget_of_seconds(double seconds) {
  struct budget budget = {0};
  if (is_limit(seconds)) budget.deadline_ns = budget_now_ns() + (int64_t)(seconds * 1e9);
  return budget;
}

struct budget budget_slice(const struct budget *outer, double seconds) {
  struct budget slice = {0};
  if (outer) slice = *outer;
  if (!is_limit(seconds)) return slice;
  int64_t work = work_now() + (int64_t)(seconds * 1e9);
  if (slice.work && slice.work <= work) return slice;
  slice.work = work;
  slice.computing_ns = computing_now_ns() + SAFETY * (int64_t)(seconds * 1e9);
  return slice;
}

static int64_t part_of(int64_t limit, int64_t now, double share) {
  return limit > now ? now + (int64_t)((double)(limit - now) * share) : limit;
}

struct budget budget_part(const struct budget *outer, double share) {
  struct budget part = {0};
  if (!outer) return part;
  part = *outer;
  if (part.deadline_ns) part.deadline_ns = part_of(part.deadline_ns, budget_now_ns(), share);
  if (part.work) part.work = part_of(part.work, work_now(), share);
  return part;
}

bool budget_is_interrupted(const struct budget *budget) {
  return budget && budget->is_interrupted && *budget->is_interrupted;
}

/* That clock takes a call of the system: longer than some of what is done between two polls. */
static bool has_computed_enough(const struct budget *budget) {
  static _Thread_local int64_t looked; /* when there was time left */
  if (!budget->computing_ns || work_now() - looked < LOOK_WORK) return false;
  if (computing_now_ns() >= budget->computing_ns) return true;
  looked = work_now();
  return false;
}

bool budget_is_spent(const struct budget *budget) {
  if (!budget) return false;
  if (budget_is_interrupted(budget)) return true;
  if (budget->work && work_now() >= budget->work) return true;
  work_add(POLL_WORK);
  return (budget->deadline_ns && budget_now_ns() >= budget->deadline_ns) ||
         has_computed_enough(budget);
}
