#include "out/fill.h"

#include <stdbool.h>
#include <string.h>

/* Is a sum or difference outside of all parentheses? */
static bool is_sum(const char *value) {
  int depth = 0;
  for (const char *c = value; *c; c++) {
    depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
    if (depth == 0 && (*c == '+' || *c == '-')) return true;
  }
  return false;
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

void fill_holes(struct buffer *out, const char *text, size_t length, const char *value) {
  for (size_t i = 0; i < length;) {
    size_t comment = comment_length(text + i, length - i);
    if (comment)
      buffer_add(out, text + i, comment);
    else if (text[i] == '?')
      buffer_printf(out, is_sum(value) ? "(%s)" : "%s", value);
    else
      buffer_putc(out, text[i]);
    i += comment ? comment : 1;
  }
}
