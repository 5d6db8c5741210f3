/* The files of the page, compiled in, and what browsers are told about them. */
#ifndef COUPLET_SERVE_PAGES_H
#define COUPLET_SERVE_PAGES_H

#include <stddef.h>

#include "base/buffer.h"
#include "serve/serve.h"

/* Texts of src/serve/web (cmake/embed.cmake). */
extern const char serve_page[], serve_style[], serve_script[], serve_editor[];

enum { PAGE_NONCE = 32 };

/* What GET PATH gives, and its type; NULL: there is nothing. The page itself names the nonce, so
 * that styles which the bundled editor makes may count. */
const char *page_get(struct buffer *out, const struct serve_options *options, const char *path,
                     const char *nonce);
/* The content security policy: nothing but what this server sends, no inline code. xmalloc'd. */
char *page_policy(const char *nonce);

#endif
