/* couplet audit: what the verdicts on the claims of files rest on. */
#include <stdlib.h>

#include "cli/cli.h"
#include "report/audit.h"
#include "report/record_json.h"
#include "report/versions.h"
#include "report/workers.h"

struct audit_args {
  bool json, cross_check;
  double timeout, search;
  long memory;
};

static const struct option_spec options[] = {
    OPTION(struct audit_args, FLAG, json, "json", NULL, "print the record as JSON (docs/json.md)"),
    OPTION(struct audit_args, FLAG, cross_check, "cross-check", NULL,
           "let cvc5 confirm every obligation"),
    OPTION(struct audit_args, SECONDS, timeout, "timeout", "S",
           "seconds per file (default 60); what is undecided then is unknown"),
    OPTION(struct audit_args, SECONDS, search, "search", "S",
           "seconds to look for a counterexample per claim (default 5)"),
    OPTION(struct audit_args, INTEGER, memory, "memory", "MB", "memory limit per file"),
};

static void print_diags(void *context, const struct file_record *file) {
  const struct cli *cli = context;
  struct buffer b;
  buffer_init(&b);
  file_record_diags_to_text(&b, file, (struct text_style){cli->color_err});
  fputs(buffer_text(&b), stderr);
  buffer_clear(&b);
}

static void put_json(struct buffer *out, const struct run_record *run) {
  json_t *value = run_record_to_json(run);
  char *text = json_dumps(value, JSON_INDENT(2));
  buffer_printf(out, "%s\n", text);
  free(text);
  json_decref(value);
}

static void put_text(struct buffer *out, const struct run_record *run, struct text_style style) {
  for (size_t i = 0; i < run->files.len; i++)
    file_record_audit(out, run->files.at[i], style);
  run_record_audit(out, run, style);
  run_record_summary(out, run, style);
}

static int run_audit(const struct cli *cli, const struct command *self, int argc, char **argv) {
  const struct verify_options usual = verify_default_options();
  struct audit_args args = {.timeout = usual.timeout, .search = usual.search};
  option_list files = {0};
  int status;
  if (!cli_parse(cli, self, &args, argc, argv, &files, &status)) {
    vec_clear(&files);
    return status;
  }
  if (!files.len) return cli_usage_error(cli, self, xstrdup("no file given"));
  struct workers_options limits = {.verify = usual, .jobs = 1, .memory_mb = args.memory};
  limits.verify.timeout = args.timeout;
  limits.verify.search = args.search;
  limits.verify.cross_check = args.cross_check;
  limits.verify.explain = limits.verify.basis = limits.verify.digest = true;
  struct run_record run;
  struct buffer b;
  run_record_init(&run);
  buffer_init(&b);
  workers_run(files.at, files.len, &limits, &run, print_diags, (void *)cli);
  run.tools = versions_json();
  if (args.json)
    put_json(&b, &run);
  else
    put_text(&b, &run, (struct text_style){cli->color_out});
  status = cli_print(cli, &b, (int)run_record_exit(&run));
  buffer_clear(&b);
  run_record_clear(&run);
  vec_clear(&files);
  return status;
}

const struct command command_audit = {"audit",
                                      "[OPTION]... FILE...",
                                      "verify, and list what each verdict rests on",
                                      options,
                                      sizeof options / sizeof *options,
                                      run_audit};
