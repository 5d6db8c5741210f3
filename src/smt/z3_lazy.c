#define Z3_LAZY_ITSELF
#include "smt/z3_lazy.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>

/* Process-wide, as the loaded library is: written once, before anything is read. */
static once_flag once = ONCE_FLAG_INIT;
static struct z3_lazy functions;
static char failure[256];

static void look_up(void *library, const char *name, void *field) {
  void *function = library ? dlsym(library, name) : NULL;
  if (!function && !*failure)
    snprintf(failure, sizeof failure, "the solver cannot be used: %s", dlerror());
  memcpy(field, &function, sizeof function); /* C has no conversion from data to functions */
}

static void load(void) {
  void *library = dlopen(COUPLET_Z3_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) snprintf(failure, sizeof failure, "the solver cannot be used: %s", dlerror());
#define LOOK_UP(name) look_up(library, #name, &functions.name##_);
  Z3_LAZY_FUNCTIONS(LOOK_UP)
}

bool z3_is_available(const char **why) {
  call_once(&once, load);
  *why = *failure ? failure : NULL;
  return !*failure;
}

const struct z3_lazy *z3_lazy(void) {
  call_once(&once, load);
  return &functions;
}
