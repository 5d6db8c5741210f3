/* Names of files. */
#ifndef COUPLET_BASE_FILE_H
#define COUPLET_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* One name for one file: its real path, or for a path that does not exist the path without "", "."
 * and "x/..". xmalloc'd. */
char *file_identity(const char *path);

#endif
