/* couplet audit: what the verdicts on the claims of files rest on. */
#include "cli/file_run.h"
#include "report/record/versions.h"
#include "report/render/audit.h"

struct audit_args {
  bool json, cross_check;
  struct run_limits limits;
};

static const struct option_spec options[] = {
    JSON_OPTION(struct audit_args, "record"),
    OPTION(struct audit_args, FLAG, cross_check, "cross-check", NULL,
           "let cvc5 confirm every obligation"),
    TIMEOUT_LIMIT(struct audit_args),
    TRANSLATION_LIMITS(struct audit_args),
    SEARCH_LIMIT(struct audit_args),
    TRUST_LIMIT(struct audit_args),
    MEMORY_LIMIT(struct audit_args),
};

static void put_text(struct buffer *out, const struct file_run *run) {
  const struct text_style style = {run->cli->color_out};
  for (size_t i = 0; i < run->record.files.len; i++)
    file_record_audit(out, run->record.files.at[i], style);
  run_record_audit(out, &run->record, style);
  file_run_put_summary(out, run);
}

static int run_audit(const struct cli *cli, const struct command *self, int argc, char **argv) {
  struct audit_args args = {.limits = run_limits_default()};
  struct file_run run;
  int status;
  if (!file_run_init(&run, cli, self, &args, &args.limits, argc, argv, &status)) return status;
  run.output = RUN_DIAGS;
  file_run_judge(
      &run, (struct verify_options){
                .cross_check = args.cross_check, .explain = true, .basis = true, .digest = true});
  run.record.tools = versions_json();
  struct buffer b;
  buffer_init(&b);
  if (args.json)
    file_run_put_json(&b, &run);
  else
    put_text(&b, &run);
  status = file_run_print(&run, &b);
  buffer_clear(&b);
  file_run_clear(&run);
  return status;
}

const struct command command_audit = {"audit",
                                      "[OPTION]... FILE...",
                                      "verify, and list what each verdict rests on",
                                      options,
                                      sizeof options / sizeof *options,
                                      run_audit,
                                      NULL};
