#include "report/render/html_pack.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/fatal.h"

void html_base64(struct buffer *out, const unsigned char *bytes, size_t length) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < length; i += 3) {
    unsigned bits = 0, given = length - i < 3 ? (unsigned)(length - i) : 3;
    for (unsigned k = 0; k < 3; k++)
      bits = bits << 8 | (k < given ? bytes[i + k] : 0);
    for (unsigned k = 0; k < 4; k++)
      buffer_putc(out, k <= given ? digits[bits >> (18 - 6 * k) & 63] : '=');
  }
}

void html_pack(struct buffer *out, const char *text, size_t length) {
  uLongf size = compressBound((uLong)length);
  unsigned char *packed = xmalloc(size);
  if (compress2(packed, &size, (const Bytef *)text, (uLong)length, Z_BEST_COMPRESSION) != Z_OK)
    fatal_error("a page cannot be compressed");
  html_base64(out, packed, size);
  free(packed);
}
