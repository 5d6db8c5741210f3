/* couplet explain: verdicts, and below each one that is a proof its derivation as a tree, or, of an
 * automaton, its coupling edge by edge. */
#include <string.h>

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

static void put_derivation(struct buffer *out, const struct claim_record *c) {
  const char *proof = json_string_value(json_object_get(c->detail, "proof"));
  buffer_printf(out, "\nWhy `%s` holds:\n", c->name);
  listing_text(out, json_object_get(c->detail, "listing"));
  bool completed = json_object_get(json_object_get(c->detail, "search"), "completed") != NULL;
  if (proof)
    buffer_printf(out, "\nThe proof%s:\n%s\n", completed ? ", completed" : " that was found",
                  proof);
  buffer_puts(out, "\nThe derivation:\n");
  proof_explanation_text(out, c->detail);
  buffer_putc(out, '\n');
}

/* Claims about one automaton have one strategy: it is shown with the first that holds. */
static void put_strategy(struct buffer *out, const struct file_record *file, size_t i) {
  const struct claim_record *c = &file->claims.at[i];
  const json_t *moves = json_object_get(c->detail, "moves");
  for (size_t k = 0; k < i; k++)
    if (file->claims.at[k].kind == CLAIM_AUTOMATON &&
        file->claims.at[k].verdict == VERDICT_PROVED &&
        strcmp(file->claims.at[k].subject, c->subject) == 0)
      return;
  buffer_printf(out, "\nWhy `%s` holds:\n", c->name);
  if (moves)
    strategy_text(out, moves);
  else
    buffer_puts(out,
                "  the shift on an edge depends on what comes later, or there are too many edges "
                "to list;\n  --certificate of couplet verify writes the strategy\n");
}

static void print_derivations(const struct cli *cli, const struct file_record *file) {
  struct buffer b;
  buffer_init(&b);
  for (size_t i = 0; i < file->claims.len; i++) {
    const struct claim_record *c = &file->claims.at[i];
    if (json_object_get(c->detail, "explanation"))
      put_derivation(&b, c);
    else if (c->kind == CLAIM_AUTOMATON && c->verdict == VERDICT_PROVED)
      put_strategy(&b, file, i);
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
