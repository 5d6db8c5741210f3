/* Checked allocation: these never return NULL. Running out of memory is not a user error that a
 * caller can repair, so it is a fatal_error (base/fatal.h). */
#ifndef COUPLET_BASE_ALLOC_H
#define COUPLET_BASE_ALLOC_H

#include <stddef.h>

void *xmalloc(size_t size) __attribute__((returns_nonnull));
void *xcalloc(size_t count, size_t size) __attribute__((returns_nonnull));
void *xrealloc(void *old, size_t size) __attribute__((returns_nonnull));
/* The exit status of a process that runs out of memory, and that it says nothing then. */
void alloc_set_status(int status);
char *xstrdup(const char *text) __attribute__((returns_nonnull));
/* printf into a fresh string that the caller frees. */
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
