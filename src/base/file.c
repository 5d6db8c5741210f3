#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/vec.h"

/* Removes "", "." and "x/.." by text alone; for paths that do not exist. */
static void normalise(struct buffer *out, const char *path) {
  VEC(const char *) parts = {0};
  VEC(size_t) lengths = {0};
  bool absolute = path[0] == '/';
  while (*path) {
    size_t n = strcspn(path, "/");
    bool up = n == 2 && memcmp(path, "..", 2) == 0;
    bool can_drop =
        parts.len > 0 && !(vec_last(&lengths) == 2 && !memcmp(vec_last(&parts), "..", 2));
    if (up && can_drop) {
      parts.len--;
      lengths.len--;
    } else if (n > 0 && !(n == 1 && path[0] == '.')) {
      vec_push(&parts, path);
      vec_push(&lengths, n);
    }
    path += n + (path[n] == '/');
  }
  for (size_t i = 0; i < parts.len; i++) {
    if (i > 0 || absolute) buffer_putc(out, '/');
    buffer_add(out, parts.at[i], lengths.at[i]);
  }
  vec_clear(&parts);
  vec_clear(&lengths);
}

char *file_identity(const char *path) {
  char *real = realpath(path, NULL);
  if (real) return real;
  struct buffer b;
  buffer_init(&b);
  normalise(&b, path);
  return b.len ? buffer_take(&b) : xstrdup("");
}
