/* FLINT and GMP end the process when they run out of memory or are asked for the impossible. After
 * numbers_guard such an end is a fatal_error (base/fatal.h). To be called by whoever owns a process
 * or is entered from one; as often as one likes, from any thread. */
#ifndef COUPLET_NUM_GUARD_H
#define COUPLET_NUM_GUARD_H

void numbers_guard(void);

#endif
