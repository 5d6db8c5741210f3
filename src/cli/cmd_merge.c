/* couplet merge: records of several runs, or of the shards of one, as one report. Nothing is judged
 * here: a record is believed as its author is. */
#include <stdlib.h>

#include "base/exit_codes.h"
#include "cli/deliver.h"
#include "report/record/merge.h"
#include "report/render/html.h"
#include "report/render/overview.h"
#include "report/render/record_text.h"

struct merge_args {
  struct delivery delivery;
  const char *html;
  bool cards;
};

static const struct option_spec options[] = {
    DELIVERY_OPTIONS(struct merge_args, delivery),
    OPTION(struct merge_args, STRING, html, "html", "DIR",
           "write the page of couplet report to DIR (records of report --json)"),
    OPTION(struct merge_args, FLAG, cards, "cards", NULL,
           "print the cards of that page alone, as a page without a script"),
};

static int fail(const struct command *self, char *why) {
  fprintf(stderr, "couplet %s: %s\n", self->name, why);
  free(why);
  return COUPLET_EXIT_INPUT;
}

/* As verify prints each file when it is done. */
static void print_files(const struct cli *cli, const struct run_record *run, bool verdicts) {
  struct buffer b;
  buffer_init(&b);
  for (size_t i = 0; i < run->files.len; i++) {
    file_record_diags_to_text(&b, run->files.at[i], (struct text_style){cli->color_err});
    fwrite(buffer_text(&b), 1, b.len, stderr);
    b.len = 0;
    if (verdicts) file_record_to_text(&b, run->files.at[i], (struct text_style){cli->color_out});
    fwrite(buffer_text(&b), 1, b.len, stdout);
    b.len = 0;
  }
  buffer_clear(&b);
}

static int print_cards(const struct cli *cli, const struct run_record *run) {
  struct buffer b;
  buffer_init(&b);
  run_record_to_cards(&b, run);
  int status = cli_print(cli, &b, (int)run_overview(run, false).status);
  buffer_clear(&b);
  return status;
}

static int finish(const struct cli *cli, const struct command *self, struct run_record *run,
                  const struct merge_args *args) {
  char *why = NULL;
  for (size_t i = 0; args->delivery.no_times && i < run->files.len; i++)
    file_record_drop_times(run->files.at[i]);
  if (args->cards) return print_cards(cli, run);
  print_files(cli, run, delivery_is_text(&args->delivery));
  int status = deliver(cli, self, run, &args->delivery);
  if (!args->html || page_write(run, args->html, &why)) return status;
  fail(self, why);
  return COUPLET_EXIT_INTERNAL;
}

static int merge(const struct cli *cli, const struct command *self, const option_list *paths,
                 const struct merge_args *args) {
  struct merge_input *inputs = xcalloc(paths->len, sizeof *inputs);
  struct run_record run;
  size_t count = 0;
  char *why = NULL;
  run_record_init(&run);
  while (count < paths->len && merge_read(&inputs[count], paths->at[count], &why))
    count++;
  int status = count == paths->len && merge_records(&run, inputs, count, &why)
                   ? finish(cli, self, &run, args)
                   : fail(self, why);
  for (size_t i = 0; i < count; i++)
    run_record_clear(&inputs[i].run);
  free(inputs);
  run_record_clear(&run);
  return status;
}

static int run_merge(const struct cli *cli, const struct command *self, int argc, char **argv) {
  struct merge_args args = {0};
  option_list paths = {0};
  int status;
  if (cli_parse(cli, self, &args, argc, argv, &paths, &status)) {
    char *why = paths.len ? delivery_misuse(&args.delivery) : xstrdup("no record given");
    status = why ? cli_usage_error(cli, self, why) : merge(cli, self, &paths, &args);
  }
  vec_clear(&paths);
  return status;
}

const struct command command_merge = {"merge",
                                      "[OPTION]... RECORD...",
                                      "records of verify --json, or of its shards, as one report",
                                      options,
                                      sizeof options / sizeof *options,
                                      run_merge,
                                      NULL};
