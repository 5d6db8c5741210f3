#include "out/fill.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* How the parts of a value hang together, outside of all parentheses. */
enum shape {
  SHAPE_ATOM,    /* a name, a number, a call */
  SHAPE_PRODUCT, /* or a quotient, or a power */
  SHAPE_OTHER    /* a sum, or something with words in it */
};

static enum shape shape_of(const char *value) {
  enum shape shape = SHAPE_ATOM;
  int depth = 0;
  for (const char *c = value; *c; c++) {
    depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
    if (depth > 0 || *c == ')' || *c == ']') continue;
    if (*c == '*' || *c == '/' || *c == '^')
      shape = SHAPE_PRODUCT;
    else if (*c == '+' || *c == '-' || *c == ' ')
      return SHAPE_OTHER;
  }
  return shape;
}

/* How long the comment is that begins here; 0: none does. */
static size_t comment_length(const char *text, size_t length) {
  if (length < 2 || text[0] != '/' || (text[1] != '/' && text[1] != '*')) return 0;
  bool is_block = text[1] == '*';
  for (size_t i = 2; i < length; i++) {
    if (!is_block && text[i] == '\n') return i;
    if (is_block && i > 2 && text[i - 1] == '*' && text[i] == '/') return i + 1;
  }
  return length;
}

/* The first character from here on that is neither space nor comment; 0: none. */
static char next_character(const char *text, size_t length) {
  for (size_t i = 0; i < length;) {
    size_t comment = comment_length(text + i, length - i);
    if (!comment && !isspace((unsigned char)text[i])) return text[i];
    i += comment ? comment : 1;
  }
  return 0;
}

/* Between these a product is a part by itself. */
static bool is_apart(char before, char after) {
  return (!before || strchr("(,<>=+-", before)) && after != '^';
}

void fill_holes(struct buffer *out, const char *text, size_t length, const char *value) {
  enum shape shape = shape_of(value);
  char before = 0;
  for (size_t i = 0; i < length;) {
    size_t comment = comment_length(text + i, length - i);
    if (comment) {
      buffer_add(out, text + i, comment);
    } else if (text[i] == '?') {
      char after = next_character(text + i + 1, length - i - 1);
      bool is_tight = shape == SHAPE_PRODUCT && !is_apart(before, after);
      buffer_printf(out, shape == SHAPE_OTHER || is_tight ? "(%s)" : "%s", value);
    } else {
      buffer_putc(out, text[i]);
    }
    if (!comment && !isspace((unsigned char)text[i])) before = text[i];
    i += comment ? comment : 1;
  }
}
