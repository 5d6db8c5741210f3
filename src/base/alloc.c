#include "base/alloc.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "base/fatal.h"
#include "base/work.h"

enum { ALLOCATION_WORK = 200 }; /* with what is done on it */

/* Set once, by a process that was given a limit (memory.h). */
static int status_without_memory = COUPLET_EXIT_INTERNAL;

void alloc_set_status(int status) {
  status_without_memory = status;
}

static _Noreturn void out_of_memory(void) {
  if (status_without_memory != COUPLET_EXIT_INTERNAL)
    _exit(status_without_memory); /* who set the limit says so */
  fatal_error("out of memory");
}

void *xmalloc(size_t size) {
  work_add(ALLOCATION_WORK);
  void *p = malloc(size ? size : 1);
  if (!p) out_of_memory();
  return p;
}

void *xcalloc(size_t count, size_t size) {
  work_add(ALLOCATION_WORK);
  void *p = calloc(count ? count : 1, size ? size : 1);
  if (!p) out_of_memory();
  return p;
}

void *xrealloc(void *old, size_t size) {
  work_add(ALLOCATION_WORK);
  void *p = realloc(old, size ? size : 1);
  if (!p) out_of_memory();
  return p;
}

char *xstrdup(const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(xmalloc(size), text, size);
}

char *xasprintf(const char *format, ...) {
  va_list args;
  char *text = NULL;
  va_start(args, format);
  int n = vasprintf(&text, format, args);
  va_end(args);
  if (n < 0) out_of_memory();
  return text;
}
