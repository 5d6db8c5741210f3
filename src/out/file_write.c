#include "out/file_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
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

/* Gives the temporary file the owner and permissions of the old one. Only root may change the
 * owner; the permissions are set afterwards, for chown clears some bits. */
static bool take_rights(int fd, const struct stat *old) {
  if (fchown(fd, old->st_uid, old->st_gid) != 0 && geteuid() == 0) return false;
  return fchmod(fd, old->st_mode & 07777) == 0;
}

/* A new file beside `path`; its name goes to *name. The umask decides about its permissions. */
static int open_beside(const char *path, bool is_private, char **name) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *name = xasprintf("%s.%ld.%ld%09ld", path, (long)getpid(), (long)now.tv_sec, now.tv_nsec);
  return open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, is_private ? 0600 : 0666);
}

/* The text to a temporary file beside `path`, which then takes its place. `old`: the file that is
 * replaced, NULL for a new one. On failure nothing is left behind and errno says why. */
static bool put(const char *path, const struct stat *old, const char *text, size_t length) {
  char *temporary;
  int fd = open_beside(path, old != NULL, &temporary), error = 0;
  bool done =
      fd >= 0 && (!old || take_rights(fd, old)) && write_all(fd, text, length) && fsync(fd) == 0;
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

static bool replace(const char *path, const char *text, size_t length) {
  struct stat old;
  if (stat(path, &old) != 0) return false;
  if (!S_ISREG(old.st_mode)) {
    errno = EINVAL;
    return false;
  }
  if (access(path, W_OK) != 0) return false; /* a read-only file means it */
  return put(path, &old, text, length);
}

bool file_replace(const char *path, const char *text, size_t length, char **why) {
  char *real = realpath(path, NULL);
  bool done = real && replace(real, text, length);
  if (!done) *why = xasprintf("cannot write: %s", strerror(errno));
  if (done) sync_directory(real);
  free(real);
  return done;
}

bool file_write(const char *path, const char *text, size_t length, char **why) {
  struct stat old;
  bool exists = lstat(path, &old) == 0, done = false;
  if (exists && S_ISLNK(old.st_mode)) {
    *why = xstrdup("cannot write: it is a symbolic link, and results are written to files "
                   "themselves; name the file");
    return false;
  }
  if (exists)
    done = replace(path, text, length);
  else if (errno == ENOENT)
    done = put(path, NULL, text, length);
  if (!done)
    *why = xasprintf("cannot write: %s%s", strerror(errno),
                     errno == ENOENT ? "; make its folder first" : "");
  if (done) sync_directory(path);
  return done;
}

/* ---- identity ------------------------------------------------------------------------------- */

static bool make_one(const char *path) {
  struct stat at;
  return mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &at) == 0 && S_ISDIR(at.st_mode));
}

/* The folders above that are missing, from the top. */
static void make_parents(const char *path) {
  char *part = xstrdup(path);
  for (char *c = part + 1; *part && *c; c++) {
    if (*c != '/') continue;
    *c = 0;
    bool made = make_one(part);
    *c = '/';
    if (!made) break;
  }
  free(part);
}

bool file_make_folder(const char *path, char **why) {
  if (make_one(path)) return true;
  if (errno == ENOENT) make_parents(path);
  if (make_one(path)) return true;
  *why = xasprintf("cannot make the folder '%s': %s", path, strerror(errno));
  return false;
}
