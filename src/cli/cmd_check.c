/* couplet check: re-checks certificates (check/certificate/limited.h). The program couplet-check does the same
 * without containing any search. */
#include "check/certificate/limited.h"
#include "cli/cli.h"

static const struct option_spec options[] = {
    OPTION(struct cert_limits, SECONDS, timeout, "timeout", "S",
           "give up, with status 20, after S seconds (default: 600)"),
    OPTION(struct cert_limits, INTEGER, memory_mb, "memory", "MB",
           "give up, with status 20, beyond MB of memory (default: 4096; 0: no limit)"),
};

static int run_check(const struct cli *cli, const struct command *self, int argc, char **argv) {
  struct cert_limits args = {CERT_SECONDS, CERT_MEMORY_MB};
  option_list words = {0};
  int status;
  if (!cli_parse(cli, self, &args, argc, argv, &words, &status)) {
    vec_clear(&words);
    return status;
  }
  if (words.len != 2) {
    vec_clear(&words);
    return cli_usage_error(cli, self, xstrdup("a certificate and its source are needed"));
  }
  struct buffer out, err;
  buffer_init(&out);
  buffer_init(&err);
  status = (int)cert_check_limited(words.at[0], words.at[1], args, &out, &err);
  fputs(buffer_text(&err), stderr);
  status = cli_print(cli, &out, status);
  buffer_clear(&out);
  buffer_clear(&err);
  vec_clear(&words);
  return status;
}

const struct command command_check = {"check",
                                      "[OPTION]... CERT SOURCE",
                                      "re-check a certificate written by verify --certificate",
                                      options,
                                      sizeof options / sizeof *options,
                                      run_check,
                                      NULL};
