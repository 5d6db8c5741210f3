/* couplet export: a threshold automaton as a program with a proof.
 *
 * The strategy becomes text for the kernel; what is written has been checked by it. Exit status: 0
 * written and proved; 20 there is no program or no proof of this kind, nothing is written; 2 the
 * file cannot be read or the automaton means nothing. */
#include <stdlib.h>

#include "base/exit_codes.h"
#include "base/file.h"
#include "check/automaton/classify.h"
#include "cli/automaton_file.h"
#include "num/rational.h"
#include "out/file_write.h"
#include "report/judge/export.h"

struct export_options {
  const char *name, *output;
};

static const struct option_spec specs[] = {
    OPTION(struct export_options, STRING, name, "name", "A",
           "the automaton to export, if the file has several"),
    OPTION(struct export_options, STRING, output, "output", "OUT.dp",
           "write to this file instead of standard output"),
};

static int deliver(const struct cli *cli, const char *output, const struct buffer *text,
                   const fmpq_t cost) {
  char *why = NULL;
  if (!output) return cli_print(cli, text, COUPLET_EXIT_PROVED);
  if (!file_write(output, buffer_text(text), text->len, &why)) {
    fprintf(stderr, "%s: %s\n", output, why);
    free(why);
    return COUPLET_EXIT_INTERNAL;
  }
  char *value = rational_string(cost);
  printf("%s: proved, cost %s\n", output, value);
  free(value);
  return COUPLET_EXIT_PROVED;
}

static int export_automaton(const struct cli *cli, const struct export_options *options,
                            const struct automaton *a, const char *path) {
  struct buffer text;
  char *why = NULL;
  fmpq_t cost;
  int status = COUPLET_EXIT_UNKNOWN;
  fmpq_init(cost);
  buffer_init(&text);
  const char *target = options->output ? options->output : "export.dp";
  if (automaton_export(&text, cost, a, target, &why) == EXPORT_PROVED)
    status = deliver(cli, options->output, &text, cost);
  else
    fprintf(stderr, "%s: not exported: %s\n", path, why);
  free(why);
  buffer_clear(&text);
  fmpq_clear(cost);
  return status;
}

static int export_file(const struct cli *cli, const struct export_options *options,
                       const char *path) {
  struct lang lang;
  struct automaton a;
  struct class_report report;
  lang_init(&lang);
  automaton_init(&a);
  int status = automaton_file_load(cli, &a, &lang, path, options->name);
  if (status == 0) {
    bool meaningful = automaton_classify(&report, &a, &lang.diags);
    cli_print_diags(cli, &lang.sources, &lang.diags);
    status = meaningful ? export_automaton(cli, options, &a, path) : COUPLET_EXIT_INPUT;
  }
  automaton_clear(&a);
  lang_clear(&lang);
  return status;
}

static int run(const struct cli *cli, const struct command *self, int argc, char **argv) {
  struct export_options options = {0};
  option_list words = {0};
  int status = COUPLET_EXIT_PROVED;
  if (cli_parse(cli, self, &options, argc, argv, &words, &status))
    status = words.len == 1
                 ? export_file(cli, &options, words.at[0])
                 : cli_usage_error(cli, self, xstrdup("one file with an automaton is needed"));
  vec_clear(&words);
  return status;
}

const struct command command_export = {
    .name = "export",
    .usage = "[--output OUT.dp] [--name A] FILE",
    .summary = "an automaton as a program with a checked proof",
    .options = specs,
    .option_count = sizeof specs / sizeof *specs,
    .run = run,
};
