#include "check/certificate/command.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option.h"
#include "check/certificate/limited.h"
#include "num/guard.h"

static const char statuses[] =
    "\nExit status: 0 all valid, 20 some evidence rejected, or not judged within the\n"
    "limits, 2 malformed or for another source, 1 usage, 3 internal error.\n";

static const struct option_spec options[] = {
    OPTION(struct cert_limits, SECONDS, timeout, "timeout", "S",
           "give up, with status 20, after S seconds (default: 600)"),
    OPTION(struct cert_limits, INTEGER, memory_mb, "memory", "MB",
           "give up, with status 20, beyond MB of memory (default: 4096; 0: no limit)"),
};
enum { OPTION_COUNT = sizeof options / sizeof *options };

static void usage(FILE *out, const struct cert_command *command) {
  fprintf(out, "usage: %s [OPTION]... CERT SOURCE\n\n%s\n", command->name, command->what);
}

static int help(const struct cert_command *command) {
  struct buffer b;
  buffer_init(&b);
  options_help(&b, options, OPTION_COUNT);
  buffer_puts(&b, statuses);
  usage(stdout, command);
  int status = fputs(buffer_text(&b), stdout) < 0 || fflush(stdout) != 0 ? 3 : 0;
  buffer_clear(&b);
  return status;
}

static int check(const struct cert_command *command, const char *certificate, const char *source,
                 struct cert_limits limits) {
  struct buffer out, err;
  buffer_init(&out);
  buffer_init(&err);
  int status = (int)cert_check_limited(certificate, source, command->judges, limits, &out, &err);
  fputs(buffer_text(&err), stderr);
  fputs(buffer_text(&out), stdout);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "%s: cannot write the result: %s\n", command->name, strerror(errno));
    status = COUPLET_EXIT_INTERNAL;
  }
  buffer_clear(&out);
  buffer_clear(&err);
  return status;
}

int cert_command_run(const struct cert_command *command, int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  numbers_guard();
  if (argc == 2 && strcmp(argv[1], "--help") == 0) return help(command);
  if (argc == 2 && strcmp(argv[1], "--version") == 0)
    return printf("%s " COUPLET_VERSION "\n", command->name) < 0 ? 3 : 0;
  struct cert_limits limits = {CERT_SECONDS, CERT_MEMORY_MB};
  option_list words = {0};
  char *why = NULL;
  int status = COUPLET_EXIT_USAGE;
  bool ok = options_parse(options, OPTION_COUNT, &limits, argc - 1, argv + 1, &words, &why);
  if (!ok) fprintf(stderr, "%s: %s\n", command->name, why);
  if (ok && words.len == 2)
    status = check(command, words.at[0], words.at[1], limits);
  else
    usage(stderr, command);
  free(why);
  vec_clear(&words);
  return status;
}
