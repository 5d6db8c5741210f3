#include "base/budget.h"

#include <stddef.h>
#include <time.h>

static int64_t read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t budget_now_ns(void) {
  return read_clock(CLOCK_MONOTONIC);
}

static int64_t work_now_ns(void) {
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
  int64_t work = is_limit(seconds) ? work_now_ns() + (int64_t)(seconds * 1e9) : 0;
  if (work && (!slice.work_ns || work < slice.work_ns)) slice.work_ns = work;
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
  if (part.work_ns) part.work_ns = part_of(part.work_ns, work_now_ns(), share);
  return part;
}

bool budget_is_interrupted(const struct budget *budget) {
  return budget && budget->is_interrupted && *budget->is_interrupted;
}

bool budget_is_spent(const struct budget *budget) {
  if (!budget) return false;
  if (budget_is_interrupted(budget)) return true;
  return (budget->deadline_ns && budget_now_ns() >= budget->deadline_ns) ||
         (budget->work_ns && work_now_ns() >= budget->work_ns);
}
