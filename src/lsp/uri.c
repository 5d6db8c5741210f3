#include "lsp/uri.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"

static int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = (char)tolower((unsigned char)c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

char *uri_to_path(const char *uri) {
  if (strncasecmp(uri, "file://", 7) != 0) return xstrdup(uri);
  const char *rest = uri + 7;
  rest += strcspn(rest, "/"); /* the host, which is this one */
  struct buffer b;
  buffer_init(&b);
  for (; *rest; rest++) {
    int high = *rest == '%' ? hex(rest[1]) : -1, low = high >= 0 ? hex(rest[2]) : -1;
    if (low >= 0 && (high || low)) { /* %00 would end the path early */
      buffer_putc(&b, (char)(high * 16 + low));
      rest += 2;
    } else {
      buffer_putc(&b, *rest);
    }
  }
  return b.len ? buffer_take(&b) : xstrdup("/");
}

/* scheme ":" without a slash before it: an unsaved document */
static int is_uri(const char *path) {
  size_t n = strcspn(path, "/:");
  return n > 1 && path[n] == ':';
}

char *uri_of_path(const char *path) {
  if (is_uri(path)) return xstrdup(path);
  struct buffer b;
  buffer_init(&b);
  buffer_puts(&b, "file://");
  char *full = NULL;
  if (path[0] != '/') {
    char *here = getcwd(NULL, 0);
    full = xasprintf("%s/%s", here ? here : "", path);
    free(here);
    path = full;
  }
  for (const char *p = path; *p; p++) {
    if (isalnum((unsigned char)*p) || strchr("/-._~!$&'()*+,;=:@", *p))
      buffer_putc(&b, *p);
    else
      buffer_printf(&b, "%%%02X", (unsigned)(unsigned char)*p);
  }
  free(full);
  return buffer_take(&b);
}
