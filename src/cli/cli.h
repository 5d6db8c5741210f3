/* Front end on the command line. Commands are thin: they parse options, call the library, render
 * the record, and turn the outcome into an exit status (base/exit_codes.h). */
#ifndef COUPLET_CLI_CLI_H
#define COUPLET_CLI_CLI_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/option.h"

/* Options that several commands have; the struct has a member of that name. */
#define JSON_OPTION(STRUCT, WHAT) JSON_OPTION_IN(STRUCT, json, WHAT)
#define JSON_OPTION_IN(STRUCT, FIELD, WHAT)                                                        \
  OPTION(STRUCT, FLAG, FIELD, "json", NULL, "print the " WHAT " as JSON (docs/json.md)")
#define TIMEOUT_OPTION(STRUCT, WHAT) OPTION(STRUCT, SECONDS, timeout, "timeout", "S", WHAT)
#define SEARCH_OPTION(STRUCT, FIELD)                                                               \
  OPTION(STRUCT, SECONDS, FIELD, "search", "S",                                                    \
         "seconds of computing to spend on one claim's search (default 5)")

/* For a struct translate_options. */
#define CLAIM_OPTION(STRUCT, FIELD)                                                                \
  OPTION(STRUCT, LIST, FIELD.claims, "claim", "TEXT",                                              \
         "a claim about a Python function: f = {epsilon = \"..\", adjacent = \"..\"}")
#define FUNCTION_OPTION(STRUCT, FIELD)                                                             \
  OPTION(STRUCT, LIST, FIELD.functions, "function", "NAME",                                        \
         "of a Python file only this function (may be repeated)")
#define SHOW_DP_OPTION(STRUCT, FIELD)                                                              \
  OPTION(STRUCT, FLAG, FIELD.show_dp, "show-dp", NULL,                                             \
         "places and lines are those of the translation (couplet translate)")

/* The entries of an option table for a struct with a struct program_args (ask/program_args.h) called `program`. */
#define PROGRAM_OPTIONS(STRUCT, SUBJECT)                                                           \
  OPTION(STRUCT, STRING, program.mechanism, "mechanism", "M",                                      \
         "which " SUBJECT " (default: the only one)"),                                             \
      OPTION(STRUCT, STRING, program.instance, "instance", "I",                                    \
             "where values come from (default: the first that fits)"),                             \
      OPTION(STRUCT, LIST, program.params, "param", "P=VALUE", "value of a parameter: eps=1/2"),   \
      OPTION(STRUCT, LIST, program.inputs, "input", "X=VALUE", "value of an input: q=[0, 1, 2]"),  \
      CLAIM_OPTION(STRUCT, program.translation), FUNCTION_OPTION(STRUCT, program.translation)

struct cli {
  const char *program;       /* argv[0] */
  bool color_out, color_err; /* stdout / stderr is a terminal that wants colours */
  bool progress;             /* stderr is a terminal: progress may be shown there */
};

struct command {
  const char *name;
  const char *usage;   /* after the name: "[option]... FILE..." */
  const char *summary; /* one line for --help */
  const struct option_spec *options;
  size_t option_count;
  /* argv starts after the command's name; returns the exit status */
  int (*run)(const struct cli *cli, const struct command *self, int argc, char **argv);
  const char *notes; /* more text for --help, or NULL */
};

extern const struct command command_verify, command_check, command_explain, command_fmt,
    command_run, command_prob, command_compose, command_report, command_audit, command_export,
    command_lsp, command_serve, command_completion, command_translate, command_merge, command_new,
    command_tune, command_compile;

/* All of them in the order of --help; ends with NULL. */
const struct command *const *cli_commands(void);

/* Says what is wrong with the command line and returns COUPLET_EXIT_USAGE. Frees `why`. */
int cli_usage_error(const struct cli *cli, const struct command *command, char *why);
/* Options into `target`, words into `words`; on `--help` or an error the command is over:
 * returns false with *status set. */
bool cli_parse(const struct cli *cli, const struct command *command, void *target, int argc,
               char **argv, option_list *words, int *status);
/* Diagnostics as text on stderr. */
void cli_print_diags(const struct cli *cli, struct sources *sources, struct diags *diags);
/* With --json, besides that: {"version":..,"file":..,"error":{..}} for the first error. */
void cli_put_json_error(struct buffer *out, const char *path, struct sources *sources,
                        const struct diags *diags);
/* Writes everything and checks that it was written: COUPLET_EXIT_INTERNAL when stdout is broken. */
int cli_print(const struct cli *cli, const struct buffer *text, int status);

#endif
