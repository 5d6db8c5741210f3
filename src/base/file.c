#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

static bool write_all(int fd, const char *text, size_t length) {
  while (length > 0) {
    ssize_t n = write(fd, text, length);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text += n;
    length -= (size_t)n;
  }
  return true;
}

/* So that the rename itself survives a crash; not every file system can, so failure is ignored. */
static void sync_directory(const char *path) {
  char *slash = strrchr(path, '/');
  char *directory = slash ? xasprintf("%.*s", (int)(slash - path) + 1, path) : xstrdup(".");
  int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    (void)fsync(fd);
    close(fd);
  }
  free(directory);
}

/* Fills the open temporary file and gives it the owner and permissions of the old one. Only root
 * may change the owner; then the permissions are set afterwards, for chown clears some bits. */
static bool fill(int fd, const struct stat *old, const char *text, size_t length) {
  if (fchown(fd, old->st_uid, old->st_gid) != 0 && geteuid() == 0) return false;
  return fchmod(fd, old->st_mode & 07777) == 0 && write_all(fd, text, length) && fsync(fd) == 0;
}

static bool replace(const char *path, const char *text, size_t length) {
  struct stat old;
  if (stat(path, &old) != 0) return false;
  if (!S_ISREG(old.st_mode)) {
    errno = EINVAL;
    return false;
  }
  if (access(path, W_OK) != 0) return false; /* a read-only file means it */
  char *temporary = xasprintf("%s.XXXXXX", path);
  int fd = mkostemp(temporary, O_CLOEXEC), error = 0;
  bool done = fd >= 0 && fill(fd, &old, text, length);
  if (!done) error = errno;
  if (fd >= 0 && close(fd) != 0 && done) {
    error = errno;
    done = false;
  }
  if (done && rename(temporary, path) != 0) {
    error = errno;
    done = false;
  }
  if (!done && fd >= 0) unlink(temporary);
  free(temporary);
  errno = error;
  return done;
}

bool file_replace(const char *path, const char *text, size_t length, char **why) {
  char *real = realpath(path, NULL);
  bool done = real && replace(real, text, length);
  if (!done) *why = xasprintf("cannot write: %s", strerror(errno));
  if (done) sync_directory(real);
  free(real);
  return done;
}
