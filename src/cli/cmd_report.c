/* couplet report: verifies the files and writes one HTML page about it. */
#include <stdlib.h>

#include "base/file.h"
#include "cli/file_run.h"
#include "report/record/versions.h"
#include "report/render/html.h"

struct report_args {
  const char *folder;
  struct run_limits limits;
};

static const struct option_spec options[] = {
    OPTION(struct report_args, STRING, folder, "o", "DIR",
           "where to write index.html; made if needed (default: report)"),
    TIMEOUT_LIMIT(struct report_args),
    TRANSLATION_LIMITS(struct report_args),
    SEARCH_LIMIT(struct report_args),
    TRUST_LIMIT(struct report_args),
    JOBS_LIMIT(struct report_args),
    MEMORY_LIMIT(struct report_args),
};

static bool write_page(const struct run_record *run, const char *folder, char **path, char **why) {
  if (!file_make_folder(folder, why)) return false;
  struct buffer page;
  buffer_init(&page);
  run_record_to_html(&page, run, HTML_PLAIN_LIMIT);
  *path = xasprintf("%s/index.html", folder);
  bool ok = file_write(*path, buffer_text(&page), page.len, why);
  buffer_clear(&page);
  return ok;
}

static int run_report(const struct cli *cli, const struct command *self, int argc, char **argv) {
  struct report_args args = {.folder = "report", .limits = run_limits_default()};
  struct file_run run;
  int status;
  if (!file_run_init(&run, cli, self, &args, argc, argv, &status)) return status;
  file_run_judge(&run, &args.limits,
                 (struct verify_options){.explain = true,
                                         .pictures = true,
                                         .basis = true,
                                         .sources = true,
                                         .distributions = true});
  run.record.tools = versions_json();
  char *path = NULL, *why = NULL;
  struct buffer b;
  buffer_init(&b);
  file_run_put_summary(&b, &run);
  bool written = write_page(&run.record, args.folder, &path, &why);
  if (written) buffer_printf(&b, "report written to %s\n", path);
  status = file_run_print(&run, &b);
  if (!written) {
    fprintf(stderr, "couplet report: %s\n", why);
    status = COUPLET_EXIT_INTERNAL;
  }
  buffer_clear(&b);
  free(path);
  free(why);
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
