#include "report/render/html_put.h"

#include <stdlib.h>
#include <string.h>

#include "base/visible.h"

static const char *entity(char c) {
  switch (c) {
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '&': return "&amp;";
  case '"': return "&quot;";
  case '\'': return "&#39;";
  default: return NULL;
  }
}

static void put(struct buffer *out, const char *text, size_t length, bool in_attribute) {
  for (size_t i = 0; i < length;) {
    uint32_t code;
    unsigned size = utf8_decode(text + i, length - i, &code);
    const char *named = size == 1 ? entity(text[i]) : NULL;
    if (named)
      buffer_puts(out, named);
    else if (!size)
      buffer_puts(out, "\xef\xbf\xbd"); /* U+FFFD */
    else if (code != '\n' && code != '\t' && visible_is_hidden(code))
      buffer_printf(out, in_attribute ? "[U+%04X]" : "<span class=\"control\">U+%04X</span>", code);
    else
      buffer_add(out, text + i, size);
    i += size ? size : 1;
  }
}

void html_text_n(struct buffer *out, const char *text, size_t length) {
  put(out, text, length, false);
}

void html_text(struct buffer *out, const char *text) {
  if (text) put(out, text, strlen(text), false);
}

void html_prose(struct buffer *out, const char *text, size_t length) {
  for (const char *end = text + length; text < end;) {
    const char *open = memchr(text, '`', (size_t)(end - text));
    const char *close = open ? memchr(open + 1, '`', (size_t)(end - open - 1)) : NULL;
    html_text_n(out, text, (size_t)((close ? open : end) - text));
    if (!close) return;
    buffer_puts(out, "<code class=\"said\"><i>`</i>");
    html_text_n(out, open + 1, (size_t)(close - open - 1));
    buffer_puts(out, "<i>`</i></code>");
    text = close + 1;
  }
}

void html_attr(struct buffer *out, const char *text) {
  if (text) put(out, text, strlen(text), true);
}

static void put_breakable(struct buffer *out, const char *text, const char *breaks) {
  while (text && *text) {
    size_t length = strcspn(text, breaks), tail = strspn(text + length, breaks);
    html_text_n(out, text, length + tail);
    text += length + tail;
    if (tail && *text) buffer_puts(out, "<wbr>");
  }
}

void html_name(struct buffer *out, const char *text) {
  put_breakable(out, text, "_");
}

void html_path(struct buffer *out, const char *text) {
  put_breakable(out, text, "/");
}

void html_formula(struct buffer *out, const char *text) {
  while (text && *text) {
    const char *one = strstr(text, "<1>"), *two = strstr(text, "<2>"),
               *tag = !one || (two && two < one) ? two : one;
    html_text_n(out, text, tag ? (size_t)(tag - text) : strlen(text));
    if (!tag) return;
    buffer_printf(out, "<span class=\"tag\">&lt;%c&gt;</span>", tag[1]);
    text = tag + 3;
  }
}

void html_code(struct buffer *out, const char *text) {
  if (!text) return;
  buffer_puts(out, "<code>");
  html_formula(out, text);
  buffer_puts(out, "</code>");
}

void html_line(struct buffer *out, const json_t *location) {
  const json_t *line = json_object_get(location, "line");
  const char *file = json_text(location, "file");
  if (!line) return;
  buffer_printf(out, "line %d", (int)json_integer_value(line));
  if (file && *file == '<') buffer_puts(out, " of the proof");
}

void html_case(struct buffer *out, unsigned number, const char *given) {
  if (!given) {
    buffer_printf(out, "case %u", number);
    return;
  }
  buffer_puts(out, "if ");
  html_code(out, given);
}

const char *json_text(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

double json_decimal(const json_t *object, const char *key) {
  const char *text = json_text(object, key);
  return text ? strtod(text, NULL) : 0;
}
