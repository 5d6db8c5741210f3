#include "lang/translate/beside.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

char *beside_program(const char *const *folders, size_t count, const char *below) {
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) return NULL;
  self[length] = '\0';
  char *slash = strrchr(self, '/');
  if (slash) *slash = '\0';
  for (size_t i = 0; i < count; i++) {
    char *path = xasprintf("%s/%s%s", self, folders[i], below);
    if (access(path, R_OK) == 0) return path;
    free(path);
  }
  return NULL;
}
