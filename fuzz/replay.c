/* replay FILE_OR_FOLDER...: feeds every file (not in subfolders) to the target, without libFuzzer.
 * So the corpus, and with it every input that ever broke a target, is part of the test suite. */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/source.h"
#include "fuzz.h"

static size_t replay_file(const char *path) {
  struct sources sources;
  char *why = NULL;
  sources_init(&sources);
  uint32_t file = sources_read(&sources, path, &why);
  if (!file) {
    fprintf(stderr, "replay: %s: %s\n", path, why);
    exit(1);
  }
  const struct source *s = sources_get(&sources, file);
  LLVMFuzzerTestOneInput((const uint8_t *)s->text, s->length);
  sources_clear(&sources);
  return 1;
}

static size_t replay(const char *path) {
  struct stat st;
  if (stat(path, &st) != 0) return 0; /* a target need not have a folder of its own */
  if (!S_ISDIR(st.st_mode)) return replay_file(path);
  DIR *dir = opendir(path);
  size_t count = 0;
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    char *inner = xasprintf("%s/%s", path, entry->d_name);
    if (stat(inner, &st) == 0 && S_ISREG(st.st_mode)) count += replay_file(inner);
    free(inner);
  }
  if (dir) closedir(dir);
  return count;
}

int main(int argc, char **argv) {
  size_t count = 0;
  for (int i = 1; i < argc; i++)
    count += replay(argv[i]);
  printf("replay: %zu inputs\n", count);
  return count > 0 ? 0 : 1;
}
