/* couplet translate: what a source of another language is in ours. */
#include "base/exit_codes.h"
#include "cli/cli.h"
#include "lang/translate/translate.h"

struct translate_args {
  struct translate_options translation;
};

static const struct option_spec options[] = {
    CLAIM_OPTION(struct translate_args, translation),
    FUNCTION_OPTION(struct translate_args, translation),
};

static int translate_file(const struct cli *cli, const char *path,
                          const struct translate_options *how) {
  struct lang lang;
  struct buffer b;
  lang_init(&lang);
  buffer_init(&b);
  translate_load(&lang, path, how);
  cli_print_diags(cli, &lang.sources, &lang.diags);
  int status = lang.diags.errors ? COUPLET_EXIT_INPUT : 0;
  const struct source *s = sources_get(&lang.sources, 1);
  if (s && s->origin) buffer_add(&b, s->text, s->length);
  status = cli_print(cli, &b, status);
  buffer_clear(&b);
  lang_clear(&lang);
  return status;
}

static int run_translate(const struct cli *cli, const struct command *self, int argc, char **argv) {
  struct translate_args args = {0};
  option_list files = {0};
  int status;
  if (cli_parse(cli, self, &args, argc, argv, &files, &status)) {
    if (files.len != 1 || !translate_is_wanted(files.at[0]))
      status = cli_usage_error(cli, self, xstrdup("give one file that ends in .py, .c or .dip"));
    else
      status = translate_file(cli, files.at[0], &args.translation);
  }
  vec_clear(&args.translation.claims);
  vec_clear(&args.translation.functions);
  vec_clear(&files);
  return status;
}

const struct command command_translate = {"translate",
                                          "[OPTION]... FILE",
                                          "write a Python or C file in the Couplet language",
                                          options,
                                          sizeof options / sizeof *options,
                                          run_translate,
                                          NULL};
