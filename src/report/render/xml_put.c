#include "report/render/xml_put.h"

#include <string.h>

#include "base/visible.h"

static const char *escape(uint32_t code) {
  switch (code) {
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '&': return "&amp;";
  case '"': return "&quot;";
  case '\n': return "&#10;";
  case '\t': return "&#9;";
  case '\r': return "&#13;";
  default: return NULL;
  }
}

/* Char of XML 1.0, but for what `escape` writes. */
static bool is_allowed(uint32_t code) {
  return code >= 0x20 && !(code >= 0xD800 && code <= 0xDFFF) && code != 0xFFFE && code != 0xFFFF;
}

void xml_text(struct buffer *out, const char *text) {
  for (size_t i = 0, length = text ? strlen(text) : 0; i < length;) {
    uint32_t code;
    unsigned size = utf8_decode(text + i, length - i, &code);
    const char *escaped = size ? escape(code) : NULL;
    if (escaped)
      buffer_puts(out, escaped);
    else if (!size || !is_allowed(code))
      buffer_puts(out, "\xef\xbf\xbd"); /* U+FFFD */
    else
      buffer_add(out, text + i, size);
    i += size ? size : 1;
  }
}
