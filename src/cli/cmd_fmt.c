/* couplet fmt: source files in the house layout (lang/format/format.h).
 *
 * Needs the syntax to be right, nothing else. Before anything is written the result is parsed again
 * and compared with the source: a file is either laid out anew with every token and comment in
 * place, or left alone. Exit status: 0 done, or nothing to do; with --check 1 if some file would
 * change; 2 if a file cannot be read or has a syntax error (the others are still formatted); 3 if
 * a file cannot be written. */
#include <stdlib.h>
#include <string.h>

#include "base/exit_codes.h"
#include "base/file.h"
#include "cli/cli.h"
#include "lang/format/format.h"
#include "lang/syntax/lang.h"
#include "lang/syntax/parse.h"
#include "out/file_write.h"

struct fmt_options {
  bool check, to_stdout;
};

static const struct option_spec fmt_specs[] = {
    OPTION(struct fmt_options, FLAG, check, "check", NULL,
           "change nothing; name the files that would change and exit 1"),
    OPTION(struct fmt_options, FLAG, to_stdout, "stdout", NULL,
           "print the result instead of changing the file"),
};

static int worse(int a, int b) {
  return a > b ? a : b;
}

static int complain(const char *path, const char *what, int status) {
  fprintf(stderr, "%s: %s\n", path, what);
  return status;
}

static int deliver(const struct cli *cli, const struct fmt_options *options, const char *path,
                   const struct source *source, const struct buffer *text) {
  bool changed =
      source->length != text->len || memcmp(source->text, buffer_text(text), text->len) != 0;
  if (options->check) {
    if (!changed) return COUPLET_EXIT_PROVED;
    printf("%s\n", path);
    return COUPLET_EXIT_USAGE;
  }
  if (options->to_stdout || strcmp(path, "-") == 0) return cli_print(cli, text, 0);
  char *why = NULL;
  if (!changed || file_replace(path, buffer_text(text), text->len, &why))
    return COUPLET_EXIT_PROVED;
  int status = complain(path, why, COUPLET_EXIT_INTERNAL);
  free(why);
  return status;
}

static int format_source(const struct cli *cli, const struct fmt_options *options,
                         struct lang *lang, uint32_t file, const char *path) {
  const struct ast_unit *unit = parse_unit(lang, file);
  if (lang->diags.errors) {
    cli_print_diags(cli, &lang->sources, &lang->diags);
    return COUPLET_EXIT_INPUT;
  }
  struct buffer text;
  buffer_init(&text);
  format_unit(&text, &lang->sources, unit);
  const struct source *source = sources_get(&lang->sources, file);
  int status;
  if (format_keeps_meaning(unit, source, &text))
    status = deliver(cli, options, path, source, &text);
  else
    status = complain(path,
                      "left unchanged: the formatter would have changed its meaning; please "
                      "report this file",
                      COUPLET_EXIT_INTERNAL);
  buffer_clear(&text);
  return status;
}

static bool is_dipa(const char *path) {
  size_t length = strlen(path);
  return length >= 5 && strcmp(path + length - 5, ".dipa") == 0;
}

static int format_file(const struct cli *cli, const struct fmt_options *options, const char *path) {
  if (is_dipa(path))
    return complain(path, "fmt is for .dp files; .dipa is another tool's format",
                    COUPLET_EXIT_INPUT);
  struct lang lang;
  lang_init(&lang);
  char *why = NULL;
  int status;
  uint32_t file = sources_read(&lang.sources, path, &why);
  if (file)
    status = format_source(cli, options, &lang, file, path);
  else
    status = complain(path, why, COUPLET_EXIT_INPUT);
  free(why);
  lang_clear(&lang);
  return status;
}

static int run(const struct cli *cli, const struct command *self, int argc, char **argv) {
  struct fmt_options options = {0};
  option_list words = {0};
  int status = COUPLET_EXIT_PROVED;
  if (!cli_parse(cli, self, &options, argc, argv, &words, &status)) {
    vec_clear(&words);
    return status;
  }
  if (words.len == 0)
    status = cli_usage_error(cli, self, xstrdup("no file given"));
  else if (options.check && options.to_stdout)
    status = cli_usage_error(cli, self, xstrdup("--check and --stdout exclude each other"));
  else
    for (size_t i = 0; i < words.len; i++)
      status = worse(status, format_file(cli, &options, words.at[i]));
  vec_clear(&words);
  return status;
}

const struct command command_fmt = {
    .name = "fmt",
    .usage = "[--check | --stdout] FILE... ('-' is standard input)",
    .summary = "lay out source files, comments kept",
    .options = fmt_specs,
    .option_count = sizeof fmt_specs / sizeof *fmt_specs,
    .run = run,
};
