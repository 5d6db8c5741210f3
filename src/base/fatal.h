/* What cannot be repaired where it happens: no memory, or an arithmetic library that gives up.
 *
 * A program ends: one line on stderr, COUPLET_EXIT_INTERNAL. A library must not end its caller's
 * process: its entry points set a guard, to which fatal_error returns instead.
 *
 *   struct fatal_guard guard;
 *   if (fatal_caught(&guard)) return an internal error;    what was being made is lost
 *   ...
 *   fatal_release(&guard);
 *
 * Guards belong to a thread and nest. */
#ifndef COUPLET_BASE_FATAL_H
#define COUPLET_BASE_FATAL_H

#include <setjmp.h>

struct fatal_guard {
  jmp_buf jump;
  struct fatal_guard *outer;
};

_Noreturn void fatal_error(const char *what);

void fatal_set_(struct fatal_guard *guard);
void fatal_release(struct fatal_guard *guard);
/* 0 at first; 1 after a fatal error, when the guard is released already. */
#define fatal_caught(guard) (fatal_set_(guard), setjmp((guard)->jump))

#endif
