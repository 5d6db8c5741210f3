/* couplet prob: exact probabilities.
 *
 * For automata: of a path or an output, for concrete inputs and eps. For mechanisms: of an event,
 * or of all outputs (ask/prob.h). The answer is enclosed between two decimals; exit status 0 if
 * it has the digits asked for, 20 if a limit came first, 2 if the question makes no sense for the
 * file. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "ask/prob.h"
#include "ask/query_path.h"
#include "ask/replay.h"
#include "base/alloc.h"
#include "base/exit_codes.h"
#include "cli/automaton_file.h"
#include "lang/syntax/lang.h"
#include "num/rational.h"
#include "report/record/decimal.h"

struct prob_options {
  const char *path, *output, *inputs, *eps, *name, *epsilon, *order;
  option_list others;
  struct program_args program;
  long digits, replay;
  double timeout;
  bool json;
};

static const struct option_spec prob_specs[] = {
    OPTION(struct prob_options, STRING, eps, "eps", "E", "the privacy parameter, exact: 1, 1/2"),
    OPTION(struct prob_options, STRING, output, "output", "O,O,..",
           "the run begins with these outputs: SYMBOL, low..high, *, @value; of a mechanism: true, "
           "1/2..3, [_, 2], [1, ...] (default: all outputs)"),
    PROGRAM_OPTIONS(struct prob_options, "mechanism"),
    OPTION(struct prob_options, LIST, others, "other", "X=VALUE",
           "value of an input in a second run, which the first is compared with"),
    OPTION(struct prob_options, STRING, epsilon, "epsilon", "E",
           "with --other: the least delta at this epsilon"),
    OPTION(struct prob_options, STRING, order, "order", "A",
           "with --other: the Renyi divergence of this order"),
    OPTION(struct prob_options, STRING, path, "path", "E,E,..",
           "the run begins with these edges: NUMBER, q1->q2, q1->q2#2:low..high"),
    OPTION(struct prob_options, STRING, inputs, "inputs", "X,X,..",
           "one per step, - where none is read; default: all 0"),
    OPTION(struct prob_options, STRING, name, "name", "NAME",
           "the automaton, if the file has several"),
    OPTION(struct prob_options, INTEGER, digits, "digits", "D",
           "significant digits wanted (default 10)"),
    REPLAY_OPTION(struct prob_options),
    TIMEOUT_OPTION(struct prob_options, "stop after S seconds"),
    JSON_OPTION(struct prob_options, "result"),
};

/* ---- answers --------------------------------------------------------------------------------- */

static const char *status_name(enum probability_status status) {
  switch (status) {
  case PROBABILITY_OK: return "ok";
  case PROBABILITY_IMPRECISE: return "imprecise";
  case PROBABILITY_TIMEOUT: return "timeout";
  case PROBABILITY_LIMIT: return "limit";
  case PROBABILITY_INVALID: return "invalid";
  }
  return "?";
}

static void print_text(struct buffer *b, const struct probability *p, unsigned digits) {
  char *value = prob_value_text(p->value, digits), *low = prob_lower_text(p->value, digits + 3),
       *high = prob_upper_text(p->value, digits + 3);
  if (p->dimension)
    buffer_printf(b, "density      %s  (of dimension %u)\n", value, p->dimension);
  else
    buffer_printf(b, "probability  %s\n", value);
  if (arb_is_finite(p->value)) buffer_printf(b, "certified    %s .. %s\n", low, high);
  buffer_printf(b, "paths        %zu\n", p->paths);
  if (p->by_priority)
    buffer_puts(b, "note         guards overlap: the first edge whose guard holds was taken\n");
  if (p->why) buffer_printf(b, "stopped      %s\n", p->why);
  free(value);
  free(low);
  free(high);
}

static void print_json(struct buffer *b, const char *path, const struct automaton_query *query,
                       const struct probability *p, unsigned digits) {
  char *value = prob_value_text(p->value, digits), *low = prob_lower_text(p->value, digits + 3),
       *high = prob_upper_text(p->value, digits + 3), *eps = rational_string(query->eps);
  bool known = arb_is_finite(p->value);
  json_t *json =
      json_pack("{s:i, s:s, s:s, s:s, s:s, s:i, s:I, s:b, s:s?}", "version", JSON_VERSION, "file",
                path, "kind", query->is_path ? "path" : "output", "status", status_name(p->status),
                "eps", eps, "dimension", (int)p->dimension, "paths", (json_int_t)p->paths,
                "by_priority", p->by_priority, "reason", p->why);
  json_set_decimal(json, "value", known ? value : NULL);
  json_set_decimal(json, "lower", known ? low : NULL);
  json_set_decimal(json, "upper", known ? high : NULL);
  json_put(b, json);
  free(value);
  free(low);
  free(high);
  free(eps);
}

static int exit_of(const struct probability *p) {
  if (p->status == PROBABILITY_OK) return COUPLET_EXIT_PROVED;
  return p->status == PROBABILITY_INVALID ? COUPLET_EXIT_INPUT : COUPLET_EXIT_UNKNOWN;
}

static int answer(const struct cli *cli, const char *path, const struct prob_options *options,
                  const struct automaton_query *query) {
  struct probability p;
  struct buffer b;
  struct budget budget = budget_of_seconds(options->timeout);
  unsigned digits = (unsigned)options->digits;
  probability_init(&p);
  buffer_init(&b);
  automaton_probability(&p, query, (struct ball_goal){.digits = digits, .budget = &budget});
  if (p.status == PROBABILITY_INVALID && !options->json) {
    fprintf(stderr, "%s: %s\n", path, p.why);
    int status = COUPLET_EXIT_INPUT;
    probability_clear(&p);
    return status;
  }
  if (options->json)
    print_json(&b, path, query, &p, digits);
  else
    print_text(&b, &p, digits);
  int status = cli_print(cli, &b, exit_of(&p));
  buffer_clear(&b);
  probability_clear(&p);
  return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* What is wrong with the options themselves, or NULL. */
static char *check_options(const struct prob_options *o, size_t files) {
  if (files != 1) return xstrdup("give one file");
  if (o->digits < 1 || o->digits > BALL_DIGITS_MAX)
    return xasprintf("--digits must be between 1 and %d", BALL_DIGITS_MAX);
  if (!o->others.len != !(o->epsilon || o->order))
    return xstrdup("--other needs --epsilon or --order, and these need --other");
  if (o->others.len && o->output) return xstrdup("--output does not go with --other");
  return NULL;
}

/* A .dp file may have both: only automata have these options. */
static bool is_about_automaton(const char *path, const struct prob_options *o) {
  return automaton_file_is_dipa(path) || o->eps || o->path || o->name || o->inputs;
}

static char *check_automaton_options(const struct prob_options *o) {
  if (o->program.mechanism || o->program.instance || o->program.params.len ||
      o->program.inputs.len || o->others.len)
    return xstrdup("--mechanism, --instance, --param, --input and --other are for mechanisms");
  if (!o->path == !o->output) return xstrdup("give either --output or --path");
  return o->eps ? NULL : xstrdup("give --eps");
}

static char *fill_query(struct automaton_query *query, const struct prob_options *o) {
  const char *reason;
  char *why = NULL;
  if (!rational_parse_str(query->eps, o->eps, &reason))
    return xasprintf("--eps: '%s' is not a number: %s", o->eps, reason);
  if (fmpq_sgn(query->eps) <= 0) return xstrdup("--eps must be positive");
  bool ok =
      o->path ? query_parse_path(query, o->path, &why) : query_parse_output(query, o->output, &why);
  if (ok && o->inputs) query_parse_inputs(query, o->inputs, &why);
  return why;
}

static int prob_automaton(const struct cli *cli, const struct command *self, const char *path,
                          const struct prob_options *options) {
  char *why = check_automaton_options(options);
  if (why) return cli_usage_error(cli, self, why);
  struct lang lang;
  struct automaton a;
  lang_init(&lang);
  automaton_init(&a);
  int status = automaton_file_load(cli, &a, &lang, path, options->name);
  if (status == 0) {
    struct automaton_query query;
    automaton_query_init(&query, &a, options->path != NULL);
    why = fill_query(&query, options);
    status = why ? cli_usage_error(cli, self, why) : answer(cli, path, options, &query);
    automaton_query_clear(&query);
  } else if (options->json) {
    struct buffer b;
    buffer_init(&b);
    cli_put_json_error(&b, path, &lang.sources, &lang.diags);
    status = cli_print(cli, &b, status);
    buffer_clear(&b);
  }
  automaton_clear(&a);
  lang_clear(&lang);
  return status;
}

/* Diagnostics on stderr; with --json the first error also as the answer. */
static int print_errors(const struct cli *cli, const char *path, struct prob_answer *answer,
                        bool json) {
  cli_print_diags(cli, &answer->lang.sources, &answer->lang.diags);
  if (json) cli_put_json_error(&answer->text, path, &answer->lang.sources, &answer->lang.diags);
  return cli_print(cli, &answer->text, answer->status);
}

static int prob_program(const struct cli *cli, const struct command *self, const char *path,
                        const struct prob_options *options) {
  struct prob_answer answer;
  prob_answer_init(&answer);
  prob_ask(&answer, &(struct prob_question){.path = path,
                                            .program = &options->program,
                                            .output = options->output,
                                            .others = &options->others,
                                            .epsilon = options->epsilon,
                                            .order = options->order,
                                            .digits = (unsigned)options->digits,
                                            .replay = options->replay,
                                            .timeout = options->timeout,
                                            .json = options->json});
  int status = answer.status;
  if (status == COUPLET_EXIT_USAGE) {
    status = cli_usage_error(cli, self, answer.why);
    answer.why = NULL;
  } else if (answer.text.len) {
    status = cli_print(cli, &answer.text, status);
  } else {
    status = print_errors(cli, path, &answer, options->json);
  }
  prob_answer_clear(&answer);
  return status;
}

static int prob_file(const struct cli *cli, const struct command *self, const char *path,
                     const struct prob_options *options) {
  if (is_about_automaton(path, options)) return prob_automaton(cli, self, path, options);
  return prob_program(cli, self, path, options);
}

static int run_prob(const struct cli *cli, const struct command *self, int argc, char **argv) {
  struct prob_options options = {.digits = 10};
  option_list words = {0};
  int status;
  if (cli_parse(cli, self, &options, argc, argv, &words, &status)) {
    char *why = check_options(&options, words.len);
    if (!why) why = replay_misuse(options.replay, words.at[0]);
    status = why ? cli_usage_error(cli, self, why) : prob_file(cli, self, words.at[0], &options);
  }
  program_args_clear(&options.program);
  vec_clear(&options.others);
  vec_clear(&words);
  return status;
}

const struct command command_prob = {"prob",
                                     "[OPTION]... FILE",
                                     "exact probabilities of outputs of mechanisms and automata",
                                     prob_specs,
                                     sizeof prob_specs / sizeof *prob_specs,
                                     run_prob,
                                     NULL};
