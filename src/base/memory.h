/* A limit on the memory of a process, and how it says that the limit was reached.
 *
 * Only what is short of memory ends with MEMORY_STATUS: our own allocations and those of GMP, FLINT
 * and jansson are asked for it; after a fatal signal of other code (C++ gives up by SIGABRT, a
 * stack that cannot grow is SIGSEGV) it is tried out whether memory can be had. Everything else
 * that kills the process is a bug, and must not look like a limit. */
#ifndef COUPLET_BASE_MEMORY_H
#define COUPLET_BASE_MEMORY_H

#include <stdbool.h>

enum {
  MEMORY_STATUS = 40,        /* exit status between our processes; no command ends with it */
  MEMORY_STATUS_SOLVER = 101 /* Z3 */
};

/* Limits the address space of this process and its children to `mb`; not positive: no limit. Either
 * way the libraries' allocations are ours from now on: checked, and counted as work. */
void memory_limit(long mb);
/* Did a child with such a limit end because of it? `status` is that of waitpid. */
bool memory_was_exhausted(int status);

#endif
