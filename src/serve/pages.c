#include "serve/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/render/assets.h"

static const char html[] = "text/html; charset=utf-8", css[] = "text/css; charset=utf-8",
                  script[] = "text/javascript; charset=utf-8";

/* The page with the nonce for {{nonce}}. */
static void put_page(struct buffer *out, const char *nonce) {
  static const char hole[] = "{{nonce}}";
  const char *at = serve_page;
  for (const char *found; (found = strstr(at, hole)); at = found + strlen(hole)) {
    buffer_add(out, at, (size_t)(found - at));
    buffer_puts(out, nonce);
  }
  buffer_puts(out, at);
}

/* The bundled editor is a file of this installation, made by `make playground-editor`; without it
 * the page has its own. */
static void put_bundle(struct buffer *out, const char *path) {
  FILE *f = path ? fopen(path, "rbe") : NULL;
  char chunk[65536];
  for (size_t n; f && (n = fread(chunk, 1, sizeof chunk, f)) > 0;)
    buffer_add(out, chunk, n);
  if (f) fclose(f);
}

const char *page_get(struct buffer *out, const struct serve_options *options, const char *path,
                     const char *nonce) {
  if (strcmp(path, "/") == 0) {
    put_page(out, nonce);
    return html;
  }
  if (strcmp(path, "/editor.js") == 0) {
    buffer_puts(out, serve_editor);
    return script;
  }
  if (strcmp(path, "/bundle.js") == 0) {
    put_bundle(out, options->editor);
    return script; /* empty: there is none */
  }
  static const struct {
    const char *path, *text, *type;
  } files[] = {{"/report.css", html_style, css},
               {"/cards.js", html_cards, script},
               {"/style.css", serve_style, css},
               {"/script.js", serve_script, script}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    if (strcmp(path, files[i].path) != 0) continue;
    buffer_puts(out, files[i].text);
    return files[i].type;
  }
  return NULL;
}

char *page_policy(const char *nonce) {
  return xasprintf("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-%s'; img-src "
                   "'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                   "frame-ancestors 'none'",
                   nonce);
}
