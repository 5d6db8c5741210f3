/* couplet explain: verdicts, and below each one that is a proof its derivation as a tree. */
#include "cli/file_run.h"
#include "report/record/listing.h"
#include "report/record/proof_record.h"

struct explain_args {
  bool json;
  struct run_limits limits;
};

static const struct option_spec options[] = {
    JSON_OPTION(struct explain_args, "record with its explanations"),
    TIMEOUT_LIMIT(struct explain_args),
    TRANSLATION_LIMITS(struct explain_args),
    SEARCH_LIMIT(struct explain_args),
    TRUST_LIMIT(struct explain_args),
};

static void print_derivations(const struct cli *cli, const struct file_record *file) {
  struct buffer b;
  buffer_init(&b);
  for (size_t i = 0; i < file->claims.len; i++) {
    const struct claim_record *c = &file->claims.at[i];
    if (!json_object_get(c->detail, "explanation")) continue;
    const char *proof = json_string_value(json_object_get(c->detail, "proof"));
    buffer_printf(&b, "\nWhy `%s` holds:\n", c->name);
    listing_text(&b, json_object_get(c->detail, "listing"));
    bool completed = json_object_get(json_object_get(c->detail, "search"), "completed") != NULL;
    if (proof)
      buffer_printf(&b, "\nThe proof%s:\n%s\n", completed ? ", completed" : " that was found",
                    proof);
    buffer_puts(&b, "\nThe derivation:\n");
    proof_explanation_text(&b, c->detail);
    buffer_putc(&b, '\n');
  }
  cli_print(cli, &b, 0);
  buffer_clear(&b);
}

static int run_explain(const struct cli *cli, const struct command *self, int argc, char **argv) {
  struct explain_args args = {.limits = run_limits_default()};
  struct file_run run;
  int status;
  if (!file_run_init(&run, cli, self, &args, &args.limits, argc, argv, &status)) return status;
  if (args.json)
    run.output = RUN_DIAGS;
  else
    run.print_more = print_derivations;
  file_run_judge(&run, (struct verify_options){.explain = true});
  struct buffer b;
  buffer_init(&b);
  if (args.json) file_run_put_json(&b, &run);
  status = file_run_print(&run, &b);
  buffer_clear(&b);
  file_run_clear(&run);
  return status;
}

const struct command command_explain = {"explain",
                                        "[OPTION]... FILE...",
                                        "verdicts with the derivation of each proof as a tree",
                                        options,
                                        sizeof options / sizeof *options,
                                        run_explain,
                                        NULL};
