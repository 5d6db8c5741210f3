/* Text into XML 1.0, as content or inside of a double-quoted attribute: markup characters are
 * escaped; what XML cannot contain (control characters, bytes that are not UTF-8) becomes U+FFFD. */
#ifndef COUPLET_REPORT_RENDER_XML_PUT_H
#define COUPLET_REPORT_RENDER_XML_PUT_H

#include "base/buffer.h"

/* NULL puts nothing. Line ends and tabs survive in attributes, too. */
void xml_text(struct buffer *out, const char *text);

#endif
