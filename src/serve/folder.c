#include "serve/folder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/vec.h"

enum { MOST_DEPTH = 3, ABOUT_BYTES = 4096, ABOUT_LENGTH = 160 };

/* ---- names ----------------------------------------------------------------------------------- */

static bool ends_in(const char *name, const char *ending) {
  size_t length = strlen(name), n = strlen(ending);
  return length > n && strcmp(name + length - n, ending) == 0;
}

static bool has_known_ending(const char *name) {
  return ends_in(name, ".dp") || ends_in(name, ".dipa") || ends_in(name, ".py") ||
         ends_in(name, ".c");
}

static bool is_part(const char *part, size_t length) {
  if (!length || part[0] == '.' || part[0] == '-') return false;
  for (size_t i = 0; i < length; i++)
    if (!isalnum((unsigned char)part[i]) && !strchr("_-. +", part[i])) return false;
  return true;
}

bool folder_is_name(const char *name) {
  if (strlen(name) > FOLDER_NAME || !has_known_ending(name)) return false;
  for (;;) {
    size_t length = strcspn(name, "/");
    if (!is_part(name, length)) return false;
    if (!name[length]) return true;
    name += length + 1;
  }
}

/* ---- files ----------------------------------------------------------------------------------- */

static int open_folder(const char *folder) {
  return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* The folder that holds the last part of the name; *last is that part. Closes `at`. */
static int open_place(int at, const char *name, const char **last) {
  for (const char *slash; at >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
    char *part = xasprintf("%.*s", (int)(slash - name), name);
    int next = openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    free(part);
    close(at);
    at = next;
  }
  *last = name;
  return at;
}

static bool read_at(int place, const char *name, struct buffer *out, size_t most, bool whole) {
  int file = openat(place, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat st;
  bool ok = file >= 0 && fstat(file, &st) == 0 && S_ISREG(st.st_mode) &&
            (!whole || (size_t)st.st_size <= most);
  char chunk[4096];
  while (ok && out->len < most) {
    size_t wanted = most - out->len < sizeof chunk ? most - out->len : sizeof chunk;
    ssize_t n = read(file, chunk, wanted);
    if (n < 0 && errno == EINTR) continue;
    ok = n >= 0;
    if (n <= 0) break;
    buffer_add(out, chunk, (size_t)n);
  }
  if (file >= 0) close(file);
  return ok;
}

bool folder_read(const char *folder, const char *name, struct buffer *out) {
  const char *last;
  int place = folder_is_name(name) ? open_place(open_folder(folder), name, &last) : -1;
  if (place < 0) return false;
  bool ok = read_at(place, last, out, FOLDER_BYTES, true);
  close(place);
  return ok;
}

bool folder_has_place(const char *folder, const char *name) {
  const char *last;
  int place = folder_is_name(name) ? open_place(open_folder(folder), name, &last) : -1;
  if (place < 0) return false;
  struct stat st; /* a link there would be read instead of the text */
  bool ok = fstatat(place, last, &st, AT_SYMLINK_NOFOLLOW) != 0 || S_ISREG(st.st_mode);
  close(place);
  return ok;
}

/* ---- the list -------------------------------------------------------------------------------- */

/* The line without the marks of a comment; NULL: it is none. */
static const char *comment_of(const char *line) {
  static const char *const marks[] = {"///", "//", "/*", "\"\"\"", "#", " *"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    size_t n = strlen(marks[i]);
    if (strncmp(line, marks[i], n) == 0) return line + n + strspn(line + n, " *!");
  }
  return NULL;
}

/* The first sentence of a comment, line by line. */
struct sentence {
  struct buffer text;
  bool ended;
};

static void add_words(struct sentence *s, const char *words) {
  if (s->ended) return;
  if (s->text.len) buffer_putc(&s->text, ' ');
  const char *stop = strstr(words, ". ");
  size_t length = stop ? (size_t)(stop - words) : strlen(words);
  buffer_add(&s->text, words, length);
  s->ended = stop || s->text.len > ABOUT_LENGTH || (length && words[length - 1] == '.');
}

static bool begins_subject(const char *line) {
  return strncmp(line, "mechanism ", 10) == 0 || strncmp(line, "automaton ", 10) == 0;
}

/* Takes the comment that ends before `line` if it is about the subject of the file, or the first.
 * True: there is none better. */
static bool take_sentence(struct sentence *now, const char *line, struct buffer *best) {
  bool is_subject = begins_subject(line);
  if (now->text.len && (is_subject || !best->len)) {
    best->len = 0;
    buffer_puts(best, buffer_text(&now->text));
  }
  bool found = is_subject && now->text.len;
  now->text.len = 0;
  now->ended = false;
  return found;
}

/* The first sentence about the first mechanism or automaton, or else of the first comment. */
static json_t *about(int place, const char *name) {
  struct buffer text, best;
  struct sentence now = {0};
  buffer_init(&text);
  buffer_init(&best);
  buffer_init(&now.text);
  bool found = false;
  if (read_at(place, name, &text, ABOUT_BYTES, false) && text.len)
    for (char *rest = text.text, *line; !found && (line = strsep(&rest, "\n"));) {
      const char *words = comment_of(line);
      if (words)
        add_words(&now, words);
      else
        found = take_sentence(&now, line, &best);
    }
  if (!found) take_sentence(&now, "", &best);
  while (best.len && strchr(" .\"\r", best.text[best.len - 1]))
    best.text[--best.len] = '\0';
  json_t *json = json_string(buffer_text(&best));
  buffer_clear(&text);
  buffer_clear(&best);
  buffer_clear(&now.text);
  return json ? json : json_string("");
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_place(json_t *out, int place, const char *prefix, int depth) {
  VEC(char *) names = {0};
  int copy = dup(place);
  DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;
  for (const struct dirent *entry; dir && names.len < 10 * FOLDER_FILES && (entry = readdir(dir));)
    if (is_part(entry->d_name, strlen(entry->d_name))) vec_push(&names, xstrdup(entry->d_name));
  if (dir) closedir(dir);
  if (names.len) qsort(names.at, names.len, sizeof *names.at, by_name);
  for (size_t i = 0; i < names.len; i++) {
    struct stat st;
    char *name = xasprintf("%s%s", prefix, names.at[i]);
    bool known = fstatat(place, names.at[i], &st, AT_SYMLINK_NOFOLLOW) == 0;
    if (known && S_ISDIR(st.st_mode) && depth < MOST_DEPTH) {
      int below = openat(place, names.at[i], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      char *longer = xasprintf("%s/", name);
      if (below >= 0) list_place(out, below, longer, depth + 1);
      if (below >= 0) close(below);
      free(longer);
    } else if (known && S_ISREG(st.st_mode) && folder_is_name(name) && !ends_in(name, ".c") &&
               json_array_size(out) < FOLDER_FILES) {
      json_array_append_new(
          out, json_pack("{s:s, s:o}", "name", name, "about", about(place, names.at[i])));
    }
    free(name);
    free(names.at[i]);
  }
  vec_clear(&names);
}

json_t *folder_list(const char *folder) {
  json_t *out = json_array();
  int place = open_folder(folder);
  if (place >= 0) list_place(out, place, "", 1);
  if (place >= 0) close(place);
  return out;
}
