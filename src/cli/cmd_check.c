/* couplet check: re-checks certificates (check/certificate/limited.h). The program couplet-check
 * does the same without containing any search. */
#include <stdlib.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "base/file.h"
#include "check/certificate/limited.h"
#include "check/recount/judges.h"
#include "cli/cli.h"
#include "lang/translate/translate.h"

static const struct option_spec options[] = {
    OPTION(struct cert_limits, SECONDS, timeout, "timeout", "S",
           "give up, with status 20, after S seconds (default: 600)"),
    OPTION(struct cert_limits, INTEGER, memory_mb, "memory", "MB",
           "give up, with status 20, beyond MB of memory (default: 4096; 0: no limit)"),
};

/* The certificate of a file of another language is about its translation, which is written to a
 * file for the check; NULL: it cannot be, and diagnostics say why. */
static char *write_translation(const struct cli *cli, const char *path) {
  struct lang lang;
  lang_init(&lang);
  translate_load(&lang, path, NULL);
  cli_print_diags(cli, &lang.sources, &lang.diags);
  const struct source *s = sources_get(&lang.sources, 1);
  char *name = xstrdup("/tmp/couplet-XXXXXX.dp");
  int file = s && s->origin && !lang.diags.errors ? mkstemps(name, 3) : -1;
  bool ok = file >= 0 && write(file, s->text, s->length) == (ssize_t)s->length;
  if (file >= 0) close(file);
  if (file >= 0 && !ok) unlink(name);
  lang_clear(&lang);
  if (ok) return name;
  free(name);
  return NULL;
}

static int check_source(const struct cli *cli, const char *certificate, const char *source,
                        struct cert_limits limits, struct buffer *out, struct buffer *err) {
  if (!translate_is_wanted(source))
    return (int)cert_check_limited(certificate, source, &all_judges, limits, out, err);
  char *translation = write_translation(cli, source);
  if (!translation) return COUPLET_EXIT_INPUT;
  int status = (int)cert_check_limited(certificate, translation, &all_judges, limits, out, err);
  unlink(translation);
  free(translation);
  return status;
}

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
  status = check_source(cli, words.at[0], words.at[1], args, &out, &err);
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
