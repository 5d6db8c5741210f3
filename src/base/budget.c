#include "base/budget.h"

#include <stddef.h>
#include <time.h>

int64_t budget_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

struct budget budget_of_seconds(double seconds) {
  struct budget budget = {0, NULL};
  if (seconds > 0 && seconds < 1e9) budget.deadline_ns = budget_now_ns() + (int64_t)(seconds * 1e9);
  return budget;
}

struct budget budget_slice(const struct budget *outer, double seconds) {
  struct budget slice = budget_of_seconds(seconds);
  if (!outer) return slice;
  slice.is_interrupted = outer->is_interrupted;
  if (outer->deadline_ns && (!slice.deadline_ns || outer->deadline_ns < slice.deadline_ns))
    slice.deadline_ns = outer->deadline_ns;
  return slice;
}

struct budget budget_part(const struct budget *outer, double share) {
  struct budget part = {0, NULL};
  if (!outer) return part;
  part = *outer;
  int64_t now = budget_now_ns();
  if (part.deadline_ns > now)
    part.deadline_ns = now + (int64_t)((double)(part.deadline_ns - now) * share);
  return part;
}

bool budget_is_interrupted(const struct budget *budget) {
  return budget && budget->is_interrupted && *budget->is_interrupted;
}

bool budget_is_spent(const struct budget *budget) {
  if (!budget) return false;
  if (budget_is_interrupted(budget)) return true;
  return budget->deadline_ns && budget_now_ns() >= budget->deadline_ns;
}
