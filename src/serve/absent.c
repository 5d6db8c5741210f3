/* Takes the place of http.c in a build without libmicrohttpd. */
#include "base/alloc.h"
#include "base/exit_codes.h"
#include "serve/serve.h"

int serve_run(const struct serve_options *options, serve_ready *ready, void *context, char **why) {
  (void)options;
  (void)ready;
  (void)context;
  *why = xstrdup("this build has no server: install libmicrohttpd (Debian: libmicrohttpd-dev, "
                 "Fedora: libmicrohttpd-devel, Homebrew: libmicrohttpd) and build again");
  return COUPLET_EXIT_INPUT;
}
