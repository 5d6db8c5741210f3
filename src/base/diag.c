#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/visible.h"

void diags_init(struct diags *diags) {
  *diags = (struct diags){0};
  arena_init(&diags->arena);
}

void diags_clear(struct diags *diags) {
  for (size_t i = 0; i < diags->list.len; i++)
    vec_clear(&diags->list.at[i].notes);
  vec_clear(&diags->list);
  arena_clear(&diags->arena);
}

/* Messages quote words of the source and names of files: what cannot be seen is not passed on. */
static const char *format_in(struct arena *arena, const char *format, va_list args) {
  struct buffer b, shown;
  buffer_init(&b);
  buffer_init(&shown);
  buffer_vprintf(&b, format, args);
  visible_put(&shown, buffer_text(&b), b.len);
  const char *text = arena_strndup(arena, buffer_text(&shown), shown.len);
  buffer_clear(&b);
  buffer_clear(&shown);
  return text;
}

static void report(struct diags *diags, enum severity severity, struct span span, const char *code,
                   const char *format, va_list args) {
  size_t *count = severity == SEVERITY_ERROR ? &diags->errors : &diags->warnings;
  if (++*count > LIMIT_ERRORS) return;
  vec_push(&diags->list, (struct diag){.severity = severity,
                                       .code = code,
                                       .span = span,
                                       .message = format_in(&diags->arena, format, args)});
}

/* The diagnostic that a hint or note belongs to; NULL when it was dropped for being too many. */
static struct diag *last(struct diags *diags) {
  bool dropped = diags->errors > LIMIT_ERRORS || diags->warnings > LIMIT_ERRORS;
  return diags->list.len && !dropped ? &vec_last(&diags->list) : NULL;
}

void diag_error(struct diags *diags, struct span span, const char *code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  report(diags, SEVERITY_ERROR, span, code, format, args);
  va_end(args);
}

void diag_warning(struct diags *diags, struct span span, const char *code, const char *format,
                  ...) {
  va_list args;
  va_start(args, format);
  report(diags, SEVERITY_WARNING, span, code, format, args);
  va_end(args);
}

void diag_hint(struct diags *diags, const char *format, ...) {
  struct diag *d = last(diags);
  if (!d) return;
  va_list args;
  va_start(args, format);
  d->hint = format_in(&diags->arena, format, args);
  va_end(args);
}

void diag_note(struct diags *diags, struct span span, const char *format, ...) {
  struct diag *d = last(diags);
  if (!d) return;
  va_list args;
  va_start(args, format);
  vec_push(&d->notes, (struct diag_note){span, format_in(&diags->arena, format, args)});
  va_end(args);
}

struct diag_mark diags_mark(const struct diags *diags) {
  return (struct diag_mark){diags->list.len, diags->errors, diags->warnings};
}

void diags_rollback(struct diags *diags, struct diag_mark mark) {
  while (diags->list.len > mark.kept) {
    vec_clear(&vec_last(&diags->list).notes);
    diags->list.len--;
  }
  diags->errors = mark.errors;
  diags->warnings = mark.warnings;
}

static int by_place(const void *a, const void *b) {
  const struct diag *x = a, *y = b;
  if (x->span.file != y->span.file) return x->span.file < y->span.file ? -1 : 1;
  if (x->span.begin != y->span.begin) return x->span.begin < y->span.begin ? -1 : 1;
  return 0;
}

void diags_sort(struct diags *diags) {
  /* Insertion sort: stable, and the list is at most 2 * LIMIT_ERRORS long. */
  for (size_t i = 1; i < diags->list.len; i++) {
    struct diag moving = diags->list.at[i];
    size_t j = i;
    for (; j > 0 && by_place(&diags->list.at[j - 1], &moving) > 0; j--)
      diags->list.at[j] = diags->list.at[j - 1];
    diags->list.at[j] = moving;
  }
}

const char *severity_name(enum severity severity) {
  switch (severity) {
  case SEVERITY_ERROR: return "error";
  case SEVERITY_WARNING: return "warning";
  case SEVERITY_NOTE: return "note";
  }
  return "error";
}

static const char *paint(struct diag_style style, const char *escape) {
  return style.color ? escape : "";
}

static const char *severity_color(enum severity severity) {
  switch (severity) {
  case SEVERITY_ERROR: return "\033[1;31m";
  case SEVERITY_WARNING: return "\033[1;35m";
  case SEVERITY_NOTE: return "\033[1;36m";
  }
  return "";
}

/* Longer lines are shown as a window around the place. */
enum { SHOWN_BYTES = 160, SHOWN_BEFORE = 60 };

static size_t back_to_boundary(const char *text, size_t at) {
  while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80)
    at--;
  return at;
}

/* The source line and a caret line under it: ^ at the start, ~ over the rest of the range. */
static void render_excerpt(struct buffer *out, struct sources *sources, struct span span,
                           struct diag_style style, enum severity severity) {
  const char *line;
  size_t length;
  const struct shown_span shown = sources_shown(sources, span);
  if (!shown.source) return;
  source_line(shown.source, shown.begin, &line, &length);
  const char *text = shown.source->text;
  size_t at = (size_t)(text + shown.begin - line), end = (size_t)(text + shown.end - line);
  if (at > length) at = length;
  if (end > length) end = length;
  size_t from = 0, to = length;
  if (length > SHOWN_BYTES) {
    from = at > SHOWN_BEFORE ? back_to_boundary(line, at - SHOWN_BEFORE) : 0;
    to = from + SHOWN_BYTES < length ? back_to_boundary(line, from + SHOWN_BYTES) : length;
    if (end > to) end = to;
  }
  buffer_puts(out, from ? "  ..." : "  ");
  visible_put(out, line + from, to - from);
  buffer_puts(out, to < length ? "...\n  " : "\n  ");
  if (from) buffer_puts(out, "   ");
  for (size_t i = from; i < at; i++)
    if (((unsigned char)line[i] & 0xC0) != 0x80) buffer_putc(out, line[i] == '\t' ? '\t' : ' ');
  buffer_puts(out, paint(style, severity_color(severity)));
  buffer_putc(out, '^');
  for (size_t i = at + 1; i < end; i++)
    if (((unsigned char)line[i] & 0xC0) != 0x80) buffer_putc(out, '~');
  buffer_printf(out, "%s\n", paint(style, "\033[0m"));
}

static void render_head(struct buffer *out, struct sources *sources, struct span span,
                        enum severity severity, const char *code, const char *message,
                        struct diag_style style) {
  if (span.file) {
    const struct shown_span shown = sources_shown(sources, span);
    struct place p = shown.source ? source_place(shown.source, shown.begin)
                                  : sources_place(sources, span.file, span.begin);
    buffer_printf(out, "%s%s:%u:%u:%s ", paint(style, "\033[1m"), p.path, p.line, p.column,
                  paint(style, "\033[0m"));
  }
  buffer_printf(out, "%s%s", paint(style, severity_color(severity)), severity_name(severity));
  if (code) buffer_printf(out, "[%s]", code);
  buffer_printf(out, "%s: %s\n", paint(style, "\033[0m"), message);
}

void diag_render(struct buffer *out, struct sources *sources, const struct diag *d,
                 struct diag_style style) {
  render_head(out, sources, d->span, d->severity, d->code, d->message, style);
  render_excerpt(out, sources, d->span, style, d->severity);
  if (d->hint)
    buffer_printf(out, "  %shint:%s %s\n", paint(style, "\033[1;32m"), paint(style, "\033[0m"),
                  d->hint);
  for (size_t i = 0; i < d->notes.len; i++) {
    render_head(out, sources, d->notes.at[i].span, SEVERITY_NOTE, NULL, d->notes.at[i].message,
                style);
    render_excerpt(out, sources, d->notes.at[i].span, style, SEVERITY_NOTE);
  }
}

void diags_render(struct buffer *out, struct sources *sources, const struct diags *diags,
                  struct diag_style style) {
  for (size_t i = 0; i < diags->list.len; i++)
    diag_render(out, sources, &diags->list.at[i], style);
  if (diags->errors > LIMIT_ERRORS)
    buffer_printf(out, "couplet: %zu more errors not shown\n", diags->errors - LIMIT_ERRORS);
  if (diags->warnings > LIMIT_ERRORS)
    buffer_printf(out, "couplet: %zu more warnings not shown\n", diags->warnings - LIMIT_ERRORS);
}
