#include "base/fatal.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/exit_codes.h"

static _Thread_local struct fatal_guard *innermost; /* the only state that is not passed around */

void fatal_set_(struct fatal_guard *guard) {
  guard->outer = innermost;
  innermost = guard;
}

void fatal_release(struct fatal_guard *guard) {
  innermost = guard->outer;
}

static void say(const char *text) {
  ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
  (void)ignored;
}

_Noreturn void fatal_error(const char *what) {
  struct fatal_guard *guard = innermost;
  if (guard) {
    innermost = guard->outer;
    longjmp(guard->jump, 1);
  }
  say("couplet: ");
  say(what);
  say("\n");
  _exit(COUPLET_EXIT_INTERNAL);
}
