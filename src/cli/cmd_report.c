/* couplet report: verifies the files and writes one HTML page about it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "cli/cli.h"
#include "report/html.h"
#include "report/record_text.h"
#include "report/versions.h"
#include "report/workers.h"

struct report_args {
  const char *folder;
  double timeout, search;
  long jobs, memory;
};

static const struct option_spec options[] = {
    OPTION(struct report_args, STRING, folder, "o", "DIR",
           "where to write index.html; made if needed (default: report)"),
    OPTION(struct report_args, SECONDS, timeout, "timeout", "S",
           "seconds per file (default 60); what is undecided then is unknown"),
    SEARCH_OPTION(struct report_args),
    OPTION(struct report_args, INTEGER, jobs, "jobs", "N", "verify N files at a time (default 1)"),
    OPTION(struct report_args, INTEGER, memory, "memory", "MB", "memory limit per file"),
};

/* Verdicts as they come, as `verify` prints them. */
static void print_file(void *context, const struct file_record *file) {
  const struct cli *cli = context;
  struct buffer b;
  buffer_init(&b);
  file_record_diags_to_text(&b, file, (struct text_style){cli->color_err});
  fputs(buffer_text(&b), stderr);
  buffer_clear(&b);
  file_record_to_text(&b, file, (struct text_style){cli->color_out});
  fputs(buffer_text(&b), stdout);
  fflush(stdout);
  buffer_clear(&b);
}

static bool write_page(const struct run_record *run, const char *folder, char **path, char **why) {
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    *why = xasprintf("cannot make the folder '%s': %s", folder, strerror(errno));
    return false;
  }
  struct buffer page;
  buffer_init(&page);
  run_record_to_html(&page, run);
  *path = xasprintf("%s/index.html", folder);
  bool ok = file_write(*path, buffer_text(&page), page.len, why);
  buffer_clear(&page);
  return ok;
}

static int run_report(const struct cli *cli, const struct command *self, int argc, char **argv) {
  struct report_args args = {.folder = "report", .timeout = 60, .search = 5, .jobs = 1};
  option_list files = {0};
  int status;
  if (!cli_parse(cli, self, &args, argc, argv, &files, &status)) {
    vec_clear(&files);
    return status;
  }
  if (!files.len) return cli_usage_error(cli, self, xstrdup("no file given"));
  struct workers_options limits = {
      .verify = verify_default_options(), .jobs = args.jobs, .memory_mb = args.memory};
  limits.verify.timeout = args.timeout;
  limits.verify.search = args.search;
  limits.verify.explain = limits.verify.pictures = true;
  limits.verify.sources = limits.verify.distributions = limits.verify.basis = true;
  struct run_record run;
  run_record_init(&run);
  workers_run(files.at, files.len, &limits, &run, print_file, (void *)cli);
  run.tools = versions_json();
  char *path = NULL, *why = NULL;
  struct buffer b;
  buffer_init(&b);
  run_record_summary(&b, &run, (struct text_style){cli->color_out});
  if (write_page(&run, args.folder, &path, &why)) {
    buffer_printf(&b, "report written to %s\n", path);
    status = cli_print(cli, &b, (int)run_record_exit(&run));
  } else {
    cli_print(cli, &b, 0);
    fprintf(stderr, "couplet report: %s\n", why);
    status = COUPLET_EXIT_INTERNAL;
  }
  buffer_clear(&b);
  free(path);
  free(why);
  run_record_clear(&run);
  vec_clear(&files);
  return status;
}

const struct command command_report = {"report",
                                       "[OPTION]... FILE...",
                                       "verify, and write the results as one HTML page",
                                       options,
                                       sizeof options / sizeof *options,
                                       run_report};
