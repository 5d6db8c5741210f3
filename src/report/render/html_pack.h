/* Parts of a page that are not shown at once: compressed, as text that the page's script unpacks. */
#ifndef COUPLET_REPORT_RENDER_HTML_PACK_H
#define COUPLET_REPORT_RENDER_HTML_PACK_H

#include <stdbool.h>

#include "base/buffer.h"

void html_base64(struct buffer *out, const unsigned char *bytes, size_t length);
/* zlib's format in base 64. */
void html_pack(struct buffer *out, const char *text, size_t length);

#endif
