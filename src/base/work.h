/* The clock of a thread's work: it counts what is done instead of reading the time, so that a
 * limit on it is reached at the same point in every run, whatever else the machine is doing.
 *
 * Every allocation counts, since hardly any work goes on without; loops that do much between two
 * allocations add what they did, and so does the solver. The unit is about a nanosecond on a
 * machine of the year 2020, so that limits can be given in seconds. */
#ifndef COUPLET_BASE_WORK_H
#define COUPLET_BASE_WORK_H

#include <stdint.h>

int64_t work_now(void);
void work_add(int64_t units);

#endif
