#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_codes.h"
#include "report/record/decimal.h"

int cli_usage_error(const struct cli *cli, const struct command *command, char *why) {
  (void)cli;
  fprintf(stderr, "couplet %s: %s\n", command->name, why);
  fprintf(stderr, "usage: couplet %s %s\n", command->name, command->usage);
  fprintf(stderr, "'couplet %s --help' lists the options\n", command->name);
  free(why);
  return COUPLET_EXIT_USAGE;
}

static bool wants_help(int argc, char **argv) {
  for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
  return false;
}

bool cli_parse(const struct cli *cli, const struct command *command, void *target, int argc,
               char **argv, option_list *words, int *status) {
  if (wants_help(argc, argv)) {
    struct buffer b;
    buffer_init(&b);
    buffer_printf(&b, "usage: couplet %s %s\n\n%s\n\n", command->name, command->usage,
                  command->summary);
    options_help(&b, command->options, command->option_count);
    if (command->notes) buffer_printf(&b, "\n%s", command->notes);
    *status = cli_print(cli, &b, COUPLET_EXIT_PROVED);
    buffer_clear(&b);
    return false;
  }
  char *why = NULL;
  if (options_parse(command->options, command->option_count, target, argc, argv, words, &why))
    return true;
  *status = cli_usage_error(cli, command, why);
  return false;
}

void cli_print_diags(const struct cli *cli, struct sources *sources, struct diags *diags) {
  struct buffer b;
  buffer_init(&b);
  diags_sort(diags);
  diags_render(&b, sources, diags, (struct diag_style){cli->color_err});
  fputs(buffer_text(&b), stderr);
  buffer_clear(&b);
}

void cli_put_json_error(struct buffer *out, const char *path, struct sources *sources,
                        const struct diags *diags) {
  for (size_t i = 0; i < diags->list.len; i++) {
    const struct diag *d = &diags->list.at[i];
    if (d->severity != SEVERITY_ERROR) continue;
    json_t *location = json_null();
    if (d->span.file) {
      struct place p = sources_place(sources, d->span.file, d->span.begin);
      location = json_pack("{s:s, s:i, s:i}", "file", p.path, "line", (int)p.line, "column",
                           (int)p.column);
    }
    json_t *json = json_pack("{s:i, s:s, s:{s:s, s:s, s:o}}", "version", JSON_VERSION, "file", path,
                             "error", "code", d->code, "message", d->message, "location", location);
    if (json) json_put(out, json);
    return;
  }
}

int cli_print(const struct cli *cli, const struct buffer *text, int status) {
  (void)cli;
  errno = 0;
  if (text->len) fwrite(text->text, 1, text->len, stdout);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "couplet: cannot write the result: %s\n", strerror(errno));
    return COUPLET_EXIT_INTERNAL;
  }
  return status;
}
