#include "report/judge/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "num/arb_compat.h"
#include "out/file_write.h"
#include "report/record/record_json.h"
#include "smt/z3_lazy.h"

/* When a folder has more entries than MAX, the oldest are removed until KEEP are left. */
enum { CACHE_MAX = 4096, CACHE_KEEP = 3072 };
#define CACHE_SUFFIX ".json"

/* ---- names ---------------------------------------------------------------------------------- */

char *cache_folder(void) {
  const char *own = getenv("COUPLET_CACHE"), *xdg = getenv("XDG_CACHE_HOME");
  const char *home = getenv("HOME");
  if (own && *own) return strcmp(own, "off") == 0 ? NULL : xstrdup(own);
  if (xdg && *xdg == '/') return xasprintf("%s/couplet", xdg);
  return home && *home == '/' ? xasprintf("%s/.cache/couplet", home) : NULL;
}

struct build {
  uintptr_t address; /* of some function of ours */
  struct sha256 *hash;
  bool found;
};

/* The linker names every build by a hash of its content; adds that of the object we are in. */
static int add_build(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  struct build *b = context;
  bool is_ours = false;
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + h->p_vaddr;
    is_ours |= h->p_type == PT_LOAD && b->address >= begin && b->address < begin + h->p_memsz;
  }
  for (size_t i = 0; is_ours && i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    if (h->p_type != PT_NOTE) continue;
    const char *at = (const char *)(info->dlpi_addr + h->p_vaddr), *end = at + h->p_memsz;
    while (end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
      const ElfW(Nhdr) *note = (const void *)at;
      const char *name = at + sizeof *note;
      const char *content = name + ((note->n_namesz + 3u) & ~3u);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
        sha256_add(b->hash, content, note->n_descsz);
        b->found = true;
      }
      at = content + ((note->n_descsz + 3u) & ~3u);
    }
  }
  return is_ours;
}

static bool keeps(const struct verify_options *o) {
  return !o->dump_smt && !o->emit_proof && !o->cross_check && !o->certificates && !o->no_search &&
         !o->only && !o->overlay && !o->basis;
}

static bool is_dipa(const char *path) {
  size_t length = strlen(path);
  return length >= 5 && strcmp(path + length - 5, ".dipa") == 0;
}

bool cache_key(const char *path, const char *source_digest, const struct verify_options *options,
               char key[SHA256_HEX + 1]) {
  if (!keeps(options)) return false;
  struct sha256 h;
  sha256_init(&h);
  struct build build = {(uintptr_t)&cache_key, &h, false};
  dl_iterate_phdr(add_build, &build);
  if (!build.found) return false;
  sha256_add_text(&h, COUPLET_VERSION);
  const char *unavailable = NULL; /* verdicts on .dipa files do not depend on the solver */
  if (!is_dipa(path))
    sha256_add_text(&h, z3_is_available(&unavailable) ? Z3_get_full_version() : "no solver");
  sha256_add_text(&h, ARB_RUNNING_VERSION);
  sha256_add_text(&h, path);
  sha256_add_text(&h, source_digest);
  char text[128];
  snprintf(text, sizeof text,
           "search %.17g explain %d pictures %d digest %d sources %d both %d trust %d",
           options->search, options->explain, options->pictures, options->digest, options->sources,
           options->distributions, options->trust_solver);
  sha256_add_text(&h, text);
  sha256_hex(&h, key);
  return true;
}

/* ---- whose folder --------------------------------------------------------------------------- */

static bool is_ours_alone(const struct stat *s) {
  return s->st_uid == geteuid() && (s->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Can somebody else put another folder in the place of one that is in this? */
static bool is_safe_parent(const struct stat *s) {
  bool others_write = (s->st_mode & (S_IWGRP | S_IWOTH)) != 0;
  return (s->st_uid == geteuid() || s->st_uid == 0) && (!others_write || (s->st_mode & S_ISVTX));
}

/* Nobody but us (and root) can write entries into the folder. */
static bool is_trusted(const char *folder) {
  struct stat s;
  char *real = realpath(folder, NULL);
  bool trusted = real && stat(real, &s) == 0 && S_ISDIR(s.st_mode) && is_ours_alone(&s);
  for (char *slash; trusted && (slash = strrchr(real, '/'));) {
    bool is_root = slash == real;
    slash[is_root] = '\0';
    trusted = stat(real, &s) == 0 && is_safe_parent(&s);
    if (is_root) break;
  }
  free(real);
  return trusted;
}

/* The text of an entry that nobody else wrote; NULL: there is none. */
static json_t *read_entry(const char *path) {
  struct stat s;
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return NULL;
  bool fine = fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && is_ours_alone(&s);
  json_t *json = fine ? json_loadfd(fd, JSON_REJECT_DUPLICATES, NULL) : NULL;
  close(fd);
  return json;
}

/* ---- entries -------------------------------------------------------------------------------- */

static char *entry_path(const char *folder, const char *key) {
  return xasprintf("%s/%s" CACHE_SUFFIX, folder, key);
}

static void seal_of(const char *key, const char *record, const char *evidence,
                    char seal[SHA256_HEX + 1]) {
  struct sha256 h;
  sha256_init(&h);
  sha256_add_text(&h, key);
  sha256_add_text(&h, record);
  sha256_add_text(&h, evidence);
  sha256_hex(&h, seal);
}

struct file_record *cache_find(const char *folder, const char *key, json_t **evidence) {
  char *path = entry_path(folder, key), seal[SHA256_HEX + 1];
  json_t *json = is_trusted(folder) ? read_entry(path) : NULL;
  const char *record = json_string_value(json_object_get(json, "record"));
  const char *sealed = json_string_value(json_object_get(json, "seal"));
  const char *certificates = json_string_value(json_object_get(json, "certificates"));
  struct file_record *file = NULL;
  if (record && certificates && sealed) {
    seal_of(key, record, certificates, seal);
    json_t *inner = strcmp(seal, sealed) == 0 ? json_loads(record, 0, NULL) : NULL;
    if (inner) file = file_record_from_json(inner);
    if (file) *evidence = json_loads(certificates, 0, NULL);
    json_decref(inner);
  }
  if (file) file->cached = true;
  json_decref(json);
  free(path);
  return file;
}

static bool is_decided(const struct file_record *file, const json_t *evidence) {
  if (file->bad_input || file->stopped || file->internal_error || !file->claims.len) return false;
  for (size_t i = 0; i < file->claims.len; i++)
    if (file->claims.at[i].verdict == VERDICT_UNKNOWN) return false;
  return json_array_size(evidence) == file->claims.len;
}

struct entry {
  char *path;
  struct timespec time;
};

static int older_first(const void *a, const void *b) {
  const struct timespec *s = &((const struct entry *)a)->time,
                        *t = &((const struct entry *)b)->time;
  if (s->tv_sec != t->tv_sec) return s->tv_sec < t->tv_sec ? -1 : 1;
  return s->tv_nsec < t->tv_nsec ? -1 : s->tv_nsec > t->tv_nsec;
}

/* Entries of other programs or builds are nothing to us: what is old goes. */
static void prune(const char *folder) {
  DIR *dir = opendir(folder);
  VEC(struct entry) entries = {0};
  for (struct dirent *d; dir && (d = readdir(dir));) {
    size_t length = strlen(d->d_name);
    if (length != SHA256_HEX + strlen(CACHE_SUFFIX) ||
        strcmp(d->d_name + SHA256_HEX, CACHE_SUFFIX) != 0)
      continue;
    vec_push(&entries, (struct entry){.path = xasprintf("%s/%s", folder, d->d_name)});
  }
  if (dir) closedir(dir);
  if (entries.len > CACHE_MAX) {
    struct stat s;
    for (size_t i = 0; i < entries.len; i++)
      if (stat(entries.at[i].path, &s) == 0) entries.at[i].time = s.st_mtim;
    qsort(entries.at, entries.len, sizeof *entries.at, older_first);
    for (size_t i = 0; i + CACHE_KEEP < entries.len; i++)
      unlink(entries.at[i].path);
  }
  for (size_t i = 0; i < entries.len; i++)
    free(entries.at[i].path);
  vec_clear(&entries);
}

/* The folder and those above it, as far as they are missing. */
static bool make_folder(const char *folder) {
  char *path = xstrdup(folder);
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path, 0700);
    *slash = '/';
  }
  bool ok = mkdir(path, 0700) == 0 || errno == EEXIST;
  free(path);
  return ok;
}

void cache_store(const char *folder, const char *key, const struct file_record *file,
                 const json_t *evidence) {
  if (!is_decided(file, evidence) || !make_folder(folder) || !is_trusted(folder)) return;
  char seal[SHA256_HEX + 1], *why = NULL, *path = entry_path(folder, key);
  json_t *json = file_record_to_json(file);
  char *record = json_dumps(json, JSON_COMPACT), *certificates = json_dumps(evidence, JSON_COMPACT);
  if (record && certificates) {
    seal_of(key, record, certificates, seal);
    json_t *entry =
        json_pack("{s:s, s:s, s:s}", "record", record, "certificates", certificates, "seal", seal);
    char *text = entry ? json_dumps(entry, JSON_COMPACT) : NULL;
    if (text && file_write(path, text, strlen(text), &why)) chmod(path, 0600);
    free(text);
    json_decref(entry);
  }
  free(record);
  free(certificates);
  json_decref(json);
  free(why);
  free(path);
  prune(folder);
}
