#include "num/guard.h"

#include <flint/flint.h>
#include <gmp.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/fatal.h"

FLINT_NORETURN static void give_up(void) {
  fatal_error("the arithmetic library gave up: a number is too large, or there is no memory");
}

/* As GMP's own, so that blocks made before or by others can be released by either. */
static void *take(size_t size) {
  void *p = malloc(size ? size : 1);
  if (!p) give_up();
  return p;
}

static void *resize(void *old, size_t before, size_t size) {
  (void)before;
  void *p = realloc(old, size ? size : 1);
  if (!p) give_up();
  return p;
}

static void release(void *p, size_t size) {
  (void)size;
  free(p);
}

static void install(void) {
  flint_set_abort(give_up);
  mp_set_memory_functions(take, resize, release);
}

void numbers_guard(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
}
