/* couplet report: verifies the files and writes one HTML page about it. */
#include <stdlib.h>

#include "cli/deliver.h"
#include "cli/file_run.h"
#include "report/record/versions.h"

struct report_args {
  const char *folder;
  bool json;
  struct run_limits limits;
};

static const struct option_spec options[] = {
    OPTION(struct report_args, STRING, folder, "o", "DIR",
           "where to write index.html; made if needed (default: report)"),
    OPTION(struct report_args, FLAG, json, "json", NULL,
           "print the record of the page instead, for merge --html (docs/json.md)"),
    TIMEOUT_LIMIT(struct report_args),
    TRANSLATION_LIMITS(struct report_args),
    SEARCH_LIMIT(struct report_args),
    TRUST_LIMIT(struct report_args),
    FILES_LIMITS(struct report_args),
    JOBS_LIMIT(struct report_args),
    MEMORY_LIMIT(struct report_args),
};

static int finish(const struct file_run *run, const struct report_args *args) {
  struct buffer b;
  char *why = NULL;
  buffer_init(&b);
  if (args->json)
    file_run_put_json(&b, run);
  else
    file_run_put_summary(&b, run);
  if (!args->json && page_write(&run->record, args->folder, &why))
    buffer_printf(&b, "report written to %s/index.html\n", args->folder);
  int status = file_run_print(run, &b);
  buffer_clear(&b);
  if (!why) return status;
  fprintf(stderr, "couplet report: %s\n", why);
  free(why);
  return COUPLET_EXIT_INTERNAL;
}

static int run_report(const struct cli *cli, const struct command *self, int argc, char **argv) {
  struct report_args args = {.folder = "report", .limits = run_limits_default()};
  struct file_run run;
  int status;
  if (!file_run_init(&run, cli, self, &args, &args.limits, argc, argv, &status)) return status;
  if (args.json) run.output = RUN_DIAGS;
  file_run_judge(&run, (struct verify_options){.explain = true,
                                               .pictures = true,
                                               .basis = true,
                                               .sources = true,
                                               .distributions = true});
  run.record.tools = versions_json();
  status = finish(&run, &args);
  file_run_clear(&run);
  return status;
}

const struct command command_report = {"report",
                                       "[OPTION]... FILE...",
                                       "verify, and write the results as one HTML page",
                                       options,
                                       sizeof options / sizeof *options,
                                       run_report,
                                       NULL};
