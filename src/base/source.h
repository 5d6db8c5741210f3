/* Source files and places in them.
 *
 * A place is a span: file number and half-open byte range. Line and column are computed on demand
 * from an index of the lines (base/lines.h), so that spans stay 12 bytes. Columns count Unicode
 * code points from 1; a tab is one column. File 0 is "no place": spans of things the user did not
 * write. A UTF-8 byte order mark is skipped. */
#ifndef COUPLET_BASE_SOURCE_H
#define COUPLET_BASE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lines.h"

struct span {
  uint32_t file;       /* index in struct sources; 0: none */
  uint32_t begin, end; /* byte offsets, begin <= end */
};

/* A piece of a translated text, and what it stands for in the text that was translated. */
struct source_piece {
  uint32_t begin, end, origin_begin, origin_end;
};

struct source {
  char *path;              /* as the user named it */
  char *text;              /* NUL-terminated; may contain NUL bytes before text[length] */
  uint32_t length;         /* in bytes */
  uint32_t start;          /* 3 after a byte order mark, else 0 */
  struct line_index lines; /* made by the first look-up */
  struct source *origin;   /* what the text was translated from, or NULL */
  VEC(struct source_piece) pieces;
};

/* Text that stands for the content of a file, as an editor has it before it is saved. NULL: there
 * is none, read the file. The text is copied. */
typedef const char *source_overlay(void *context, const char *path, size_t *length);

struct sources {
  VEC(struct source *) files; /* files.at[0] is NULL */
  source_overlay *overlay;    /* asked before every file is read; or NULL */
  void *overlay_context;
};

struct place {
  const char *path;
  unsigned line, column; /* from 1 */
};

void sources_init(struct sources *sources);
void sources_clear(struct sources *sources);

/* Reads a file ("-" is standard input), or takes what the overlay has for it. Returns its number,
 * or 0 with *why set (xmalloc'd). */
uint32_t sources_read(struct sources *sources, const char *path, char **why);
/* Registers text that is already in memory (copied). */
uint32_t sources_add(struct sources *sources, const char *path, const char *text, size_t length);

/* The text of the file is a translation: places in it are shown as places in `origin` (copied).
 * Pieces that are not in the texts are left out. */
void sources_set_origin(struct sources *sources, uint32_t file, const char *origin, size_t length,
                        const struct source_piece *pieces, size_t count);

const struct source *sources_get(const struct sources *sources, uint32_t file);

/* What the user wrote the file in: advice about it uses these words. */
enum source_language { SOURCE_COUPLET, SOURCE_PYTHON, SOURCE_C };
enum source_language sources_language(const struct sources *sources, uint32_t file);

/* What the user is shown for a span: itself, or what the smallest piece around it stands for. */
struct shown_span {
  struct source *source; /* NULL: there is no place */
  uint32_t begin, end;
};
struct shown_span sources_shown(const struct sources *sources, struct span span);
/* Where an offset of a shown text is. */
struct place source_place(struct source *source, uint32_t offset);
/* Where a byte offset is. Linear once per file, then O(log lines). */
struct place sources_place(struct sources *sources, uint32_t file, uint32_t offset);
/* The line that holds the offset of a shown text, without its line end. */
void source_line(struct source *source, uint32_t offset, const char **text, size_t *length);

struct span span_join(struct span a, struct span b);
static inline struct span span_none(void) {
  return (struct span){0, 0, 0};
}

#endif
