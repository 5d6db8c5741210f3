#include "base/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/visible.h"

void sources_init(struct sources *sources) {
  *sources = (struct sources){0};
  vec_push(&sources->files, NULL);
}

static void source_free(struct source *s) {
  free(s->path);
  free(s->text);
  line_index_clear(&s->lines);
  vec_clear(&s->pieces);
  free(s);
}

void sources_clear(struct sources *sources) {
  for (size_t i = 1; i < sources->files.len; i++) {
    if (sources->files.at[i]->origin) source_free(sources->files.at[i]->origin);
    source_free(sources->files.at[i]);
  }
  vec_clear(&sources->files);
}

static struct source *source_new(const char *path, char *text, size_t length) {
  struct source *s = xcalloc(1, sizeof *s);
  s->path = xstrdup(path);
  s->text = text;
  s->length = (uint32_t)length;
  s->start = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  return s;
}

static uint32_t adopt(struct sources *sources, const char *path, char *text, size_t length) {
  vec_push(&sources->files, source_new(path, text, length));
  return (uint32_t)(sources->files.len - 1);
}

static char *copy_text(const char *text, size_t length) {
  char *copy = xmalloc(length + 1);
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

uint32_t sources_add(struct sources *sources, const char *path, const char *text, size_t length) {
  return adopt(sources, path, copy_text(text, length), length);
}

void sources_set_origin(struct sources *sources, uint32_t file, const char *origin, size_t length,
                        const struct source_piece *pieces, size_t count) {
  struct source *s = sources->files.at[file];
  s->origin = source_new(s->path, copy_text(origin, length), length);
  for (size_t i = 0; i < count; i++) {
    struct source_piece p = pieces[i];
    bool fits = p.begin <= p.end && p.end <= s->length && p.origin_begin <= p.origin_end &&
                p.origin_end <= length;
    if (fits) vec_push(&s->pieces, p);
  }
}

/* Reads to the end of the stream; NULL with *why when it fails or is too large. */
static char *read_all(FILE *in, size_t *length, char **why) {
  size_t cap = 1 << 16, len = 0;
  char *text = xmalloc(cap + 1);
  for (;;) {
    size_t n = fread(text + len, 1, cap - len, in);
    len += n;
    if (len > LIMIT_SOURCE_BYTES) {
      *why = xasprintf("the file is larger than the limit of %d MB",
                       LIMIT_SOURCE_BYTES / (1024 * 1024));
      break;
    }
    if (n == 0) {
      if (ferror(in)) {
        *why = xasprintf("cannot read: %s", strerror(errno));
        break;
      }
      text[len] = '\0';
      *length = len;
      return text;
    }
    if (len == cap) text = xrealloc(text, (cap *= 2) + 1);
  }
  free(text);
  return NULL;
}

uint32_t sources_read(struct sources *sources, const char *path, char **why) {
  bool standard_input = strcmp(path, "-") == 0;
  if (sources->overlay && !standard_input) {
    size_t held;
    const char *unsaved = sources->overlay(sources->overlay_context, path, &held);
    if (unsaved && held <= LIMIT_SOURCE_BYTES) return sources_add(sources, path, unsaved, held);
  }
  if (!visible_is_plain(path)) {
    *why = xstrdup("the name has control characters, or is not UTF-8; rename the file");
    return 0;
  }
  FILE *in = standard_input ? stdin : fopen(path, "rb");
  if (!in) {
    *why = xasprintf("cannot open: %s", strerror(errno));
    return 0;
  }
  struct stat st;
  char *text = NULL;
  size_t length = 0;
  if (fstat(fileno(in), &st) == 0 && S_ISDIR(st.st_mode))
    *why = xstrdup("cannot read: it is a directory; name the files in it");
  else
    text = read_all(in, &length, why);
  if (!standard_input) fclose(in);
  return text ? adopt(sources, standard_input ? "<stdin>" : path, text, length) : 0;
}

const struct source *sources_get(const struct sources *sources, uint32_t file) {
  return file < sources->files.len ? sources->files.at[file] : NULL;
}

static bool ends_in(const char *path, const char *ending) {
  size_t length = strlen(path), tail = strlen(ending);
  return length > tail && strcmp(path + length - tail, ending) == 0;
}

enum source_language sources_language(const struct sources *sources, uint32_t file) {
  const struct source *s = sources_get(sources, file);
  if (!s) return SOURCE_COUPLET;
  return ends_in(s->path, ".py")  ? SOURCE_PYTHON
         : ends_in(s->path, ".c") ? SOURCE_C
                                  : SOURCE_COUPLET;
}

/* Where the line that holds the offset begins, behind a byte order mark; its number, from 0. */
static size_t find_line(struct source *s, uint32_t offset, size_t *number) {
  if (!s->lines.starts.len) line_index_init(&s->lines, s->text, s->length);
  *number = line_of_offset(&s->lines, offset);
  return *number ? s->lines.starts.at[*number] : s->start;
}

struct shown_span sources_shown(const struct sources *sources, struct span span) {
  if (span.file == 0 || span.file >= sources->files.len) return (struct shown_span){0};
  struct source *s = sources->files.at[span.file];
  if (!s->origin) return (struct shown_span){s, span.begin, span.end};
  struct shown_span found = {s->origin, 0, 0};
  uint32_t least = UINT32_MAX;
  for (size_t i = 0; i < s->pieces.len; i++) {
    const struct source_piece *p = &s->pieces.at[i];
    if (p->begin > span.begin || p->end < span.end || p->end - p->begin >= least) continue;
    least = p->end - p->begin;
    found = (struct shown_span){s->origin, p->origin_begin, p->origin_end};
  }
  return found;
}

struct place source_place(struct source *s, uint32_t offset) {
  size_t line;
  unsigned column = 1;
  for (size_t i = find_line(s, offset, &line); i < offset && i < s->length; i++)
    column += ((unsigned char)s->text[i] & 0xC0) != 0x80;
  return (struct place){s->path, (unsigned)line + 1, column};
}

struct place sources_place(struct sources *sources, uint32_t file, uint32_t offset) {
  struct shown_span shown = sources_shown(sources, (struct span){file, offset, offset});
  return shown.source ? source_place(shown.source, shown.begin) : (struct place){"<builtin>", 1, 1};
}

void source_line(struct source *s, uint32_t offset, const char **text, size_t *length) {
  size_t line, begin = find_line(s, offset, &line);
  *text = s->text + begin;
  *length = offset_of_line_end(&s->lines, begin) - begin;
}

struct span span_join(struct span a, struct span b) {
  if (!a.file) return b;
  if (!b.file || a.file != b.file) return a;
  return (struct span){a.file, a.begin < b.begin ? a.begin : b.begin,
                       a.end > b.end ? a.end : b.end};
}
