/* couplet-check CERT SOURCE: the checker of certificates as a program of its own. It is linked from
 * the checkers only (CMakeLists.txt, COUPLET_TRUSTED_SOURCES): no search, no SMT solver, no
 * pictures. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cert/check.h"
#include "num/guard.h"

static const char help[] =
    "usage: couplet-check CERT SOURCE\n\n"
    "Re-checks every certificate in CERT (written by couplet verify --certificate)\n"
    "against the claims of SOURCE. This program contains no search code.\n\n"
    "Exit status: 0 all valid, 20 some evidence rejected, 2 malformed or for another\n"
    "source, 1 usage, 3 internal error.\n";

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  numbers_guard();
  if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(help, stdout) < 0 ? 3 : 0;
  if (argc == 2 && strcmp(argv[1], "--version") == 0)
    return puts("couplet-check " COUPLET_VERSION) < 0 ? 3 : 0;
  if (argc != 3) {
    fputs(help, stderr);
    return COUPLET_EXIT_USAGE;
  }
  struct buffer out, err;
  buffer_init(&out);
  buffer_init(&err);
  int status = (int)cert_check(argv[1], argv[2], NULL, &out, &err);
  fputs(buffer_text(&err), stderr);
  fputs(buffer_text(&out), stdout);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "couplet-check: cannot write the result: %s\n", strerror(errno));
    status = COUPLET_EXIT_INTERNAL;
  }
  buffer_clear(&out);
  buffer_clear(&err);
  return status;
}
