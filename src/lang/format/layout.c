#include "lang/format/layout.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

struct layout {
  struct buffer *out;
  struct buffer line; /* the step under construction, without indentation */
  int depth;          /* of blocks */
  bool begun;         /* something was written */
};

static void add_line(struct layout *l, const char *text, size_t length, size_t indent) {
  if (l->begun) buffer_putc(l->out, '\n');
  l->begun = true;
  buffer_fill(l->out, ' ', indent);
  buffer_add(l->out, text, length);
}

/* Writes the step, broken at its last blanks that fit; the rest is indented further. */
static void flush(struct layout *l) {
  const char *text = buffer_text(&l->line);
  size_t left = l->line.len, indent = 2 * (size_t)l->depth;
  while (left) {
    size_t take = left;
    if (indent + left > LAYOUT_WIDTH && !strstr(text, "//")) {
      take = 0;
      for (size_t i = 1; i < left; i++)
        if (text[i] == ' ' && (indent + i <= LAYOUT_WIDTH || !take)) take = i;
      if (!take) take = left;
    }
    add_line(l, text, take, indent);
    text += take;
    left -= take;
    while (left && *text == ' ') {
      text++;
      left--;
    }
    indent = 2 * (size_t)l->depth + 4;
  }
  l->line.len = 0;
}

/* Length of the comment at p, 0 if there is none. */
static size_t comment_length(const char *p) {
  if (p[0] == '/' && p[1] == '/') return strcspn(p, "\n");
  if (p[0] != '/' || p[1] != '*') return 0;
  const char *end = strstr(p + 2, "*/");
  return end ? (size_t)(end + 2 - p) : strlen(p);
}

static const char *skip_blanks(const char *p) {
  while (isspace((unsigned char)*p))
    p++;
  return p;
}

static bool is_word(const char *p, const char *word) {
  size_t n = strlen(word);
  return strncmp(p, word, n) == 0 && !isalnum((unsigned char)p[n]) && p[n] != '_';
}

/* The `}` and what belongs on its line: a following `else {`. */
static const char *close_block(struct layout *l, const char *p) {
  flush(l);
  l->depth--;
  const char *next = skip_blanks(p);
  if (is_word(next, "else")) {
    buffer_puts(&l->line, "} else");
    return next + 4;
  }
  add_line(l, "}", 1, 2 * (size_t)l->depth);
  return p;
}

/* A comment ends its line; one behind a step stays behind it. */
static const char *take_comment(struct layout *l, const char *p, size_t length, bool same_line) {
  while (length && isspace((unsigned char)p[length - 1]))
    length--;
  if (l->line.len || same_line) {
    if (l->line.len) flush(l);
    buffer_puts(l->out, "  ");
    buffer_add(l->out, p, length);
  } else {
    add_line(l, p, length, 2 * (size_t)l->depth);
  }
  return p + length;
}

static bool is_balanced(const char *text) {
  int depth = 0;
  for (const char *p = text; *p; p++) {
    size_t comment = comment_length(p);
    if (comment) {
      p += comment - 1;
      continue;
    }
    depth += *p == '{';
    depth -= *p == '}';
    if (depth < 0 || (depth == 0 && *p == '}' && *skip_blanks(p + 1))) return false;
  }
  return depth == 0;
}

void proof_layout(struct buffer *out, const char *text) {
  if (!is_balanced(text)) {
    buffer_puts(out, text);
    return;
  }
  struct layout l = {.out = out};
  buffer_init(&l.line);
  bool same_line = false;
  for (const char *p = skip_blanks(text); *p;) {
    size_t comment = comment_length(p);
    if (comment) {
      p = take_comment(&l, p, comment, same_line);
    } else if (isspace((unsigned char)*p)) {
      same_line = same_line && *p != '\n';
      const char *next = skip_blanks(p);
      if (l.line.len && *next && !strchr(";}", *next)) buffer_putc(&l.line, ' ');
      p = next;
    } else if (*p == '{') {
      if (l.line.len && l.line.text[l.line.len - 1] != ' ') buffer_putc(&l.line, ' ');
      buffer_putc(&l.line, *p++);
      flush(&l);
      l.depth++;
      same_line = true;
    } else if (*p == '}') {
      p = close_block(&l, p + 1);
      same_line = true;
    } else {
      bool ends = *p == ';';
      buffer_putc(&l.line, *p++);
      if (ends) flush(&l);
      same_line = ends;
    }
  }
  flush(&l);
  buffer_clear(&l.line);
}
