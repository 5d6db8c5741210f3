#include "base/visible.h"

#include <string.h>

unsigned utf8_decode(const char *text, size_t length, uint32_t *code) {
  const unsigned char *s = (const unsigned char *)text;
  static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned n = length == 0   ? 0
               : s[0] < 0x80 ? 1
               : s[0] < 0xC2 ? 0
               : s[0] < 0xE0 ? 2
               : s[0] < 0xF0 ? 3
               : s[0] < 0xF5 ? 4
                             : 0;
  if (n == 0 || n > length) return 0;
  uint32_t c = n == 1 ? s[0] : s[0] & (0x7Fu >> n);
  for (unsigned i = 1; i < n; i++) {
    if ((s[i] & 0xC0) != 0x80) return 0;
    c = c << 6 | (s[i] & 0x3F);
  }
  if (c < smallest[n] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return 0;
  *code = c;
  return n;
}

bool visible_is_hidden(uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x61c ||
         (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || code == 0xfeff ||
         (code >= 0xfff9 && code <= 0xfffb) || (code >= 0xe0000 && code <= 0xe007f);
}

bool visible_is_plain(const char *text) {
  size_t length = strlen(text);
  for (size_t i = 0; i < length;) {
    uint32_t code;
    unsigned size = utf8_decode(text + i, length - i, &code);
    if (!size || visible_is_hidden(code)) return false;
    i += size;
  }
  return true;
}

void visible_put(struct buffer *out, const char *text, size_t length) {
  for (size_t i = 0; i < length;) {
    uint32_t code;
    unsigned size = utf8_decode(text + i, length - i, &code);
    if (size && (code == '\t' || !visible_is_hidden(code)))
      buffer_add(out, text + i, size);
    else
      buffer_putc(out, '?');
    i += size ? size : 1;
  }
}
