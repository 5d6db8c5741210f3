#include "base/memory.h"

#include <flint/flint.h>
#include <gmp.h>
#include <jansson.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"

/* ---- fatal signals -------------------------------------------------------------------------- */

static const int fatal_signals[] = {SIGABRT, SIGSEGV, SIGBUS};
enum { PROBE_BYTES = 1 << 20, STACK_BYTES = 1 << 16 };

static bool can_have(size_t bytes) {
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return false;
  munmap(p, bytes);
  return true;
}

/* Who gives up by SIGABRT may have asked for much at once: a vector that doubles its size. */
static void on_fatal(int number) {
  struct rlimit limit;
  size_t wanted = PROBE_BYTES;
  if (number == SIGABRT && getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    wanted = (size_t)limit.rlim_cur / 4;
  if (!can_have(wanted)) _exit(MEMORY_STATUS);
  signal(number, SIG_DFL);
  raise(number);
}

static void catch_fatal(void) {
  static char memory[STACK_BYTES]; /* the handler needs it to the end */
  stack_t stack = {.ss_sp = memory, .ss_size = STACK_BYTES};
  struct sigaction action = {.sa_handler = on_fatal, .sa_flags = SA_ONSTACK | SA_NODEFER};
  if (sigaltstack(&stack, NULL) != 0) return;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
    sigaction(fatal_signals[i], &action, NULL);
}

/* ---- allocations ---------------------------------------------------------------------------- */

static void *gmp_realloc(void *old, size_t old_size, size_t size) {
  (void)old_size;
  return xrealloc(old, size);
}

static void gmp_free(void *p, size_t size) {
  (void)size;
  free(p);
}

void memory_limit(long mb) {
  mp_set_memory_functions(xmalloc, gmp_realloc, gmp_free);
  __flint_set_memory_functions(xmalloc, xcalloc, xrealloc, free);
  json_set_alloc_funcs(xmalloc, free);
  if (mb <= 0) return;
  rlim_t bytes = (rlim_t)mb * 1024 * 1024;
  alloc_set_status(MEMORY_STATUS);
  catch_fatal();
#ifdef __SANITIZE_ADDRESS__
  (void)bytes; /* the sanitizer reserves more address space than any limit */
#else
  setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
#endif
}

bool memory_was_exhausted(int status) {
  return WIFEXITED(status) &&
         (WEXITSTATUS(status) == MEMORY_STATUS || WEXITSTATUS(status) == MEMORY_STATUS_SOLVER);
}
