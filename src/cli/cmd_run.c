/* couplet run: executes a mechanism or an automaton and shows what it outputs, once or many times.
 *
 * A mechanism takes its parameters and inputs from an instance, or from the command line. An
 * automaton has one parameter, eps, and one input, the list `in`. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "ask/program_args.h"
#include "automata/model/simulate.h"
#include "base/exit_codes.h"
#include "check/automaton/build.h"
#include "check/automaton/dipa.h"
#include "cli/cli.h"
#include "cli/run_script.h"
#include "report/record/decimal.h"
#include "report/render/tally.h"
#include "run/eval/number.h"
#include "run/sample/interp.h"

struct run_args {
  bool json;
  struct program_args program;
  long samples, seed, max_steps;
  const char *script;
};

static const struct option_spec options[] = {
    PROGRAM_OPTIONS(struct run_args, "mechanism or automaton"),
    OPTION(struct run_args, INTEGER, samples, "samples", "K", "run K times and show a histogram"),
    OPTION(struct run_args, INTEGER, seed, "seed", "S",
           "reproducible samples (default: the system's randomness)"),
    OPTION(struct run_args, INTEGER, max_steps, "max-steps", "N",
           "stop a run after N steps (default 10000000)"),
    OPTION(struct run_args, STRING, script, "script", "RUNS",
           "runs with given noise, from a JSON file (docs/json.md)"),
    JSON_OPTION(struct run_args, "outcomes"),
};

/* One invocation. */
struct run {
  const struct cli *cli;
  const struct command *command;
  struct run_args args;
  const char *path;
  struct lang lang;
  struct ast_module *module;
  const char *name; /* of what is run */
  struct interp in; /* a mechanism */
  bool has_interp;
  struct automaton automaton; /* or an automaton */
  bool has_automaton;
  struct rvalue eps, input; /* its values */
  struct tally tally;
  bool interrupted;
};

/* ---- what to run ---------------------------------------------------------------------------- */

static struct program_file file_of(struct run *run) {
  return (struct program_file){run->path, &run->lang, run->module};
}

static int set_up_mechanism(struct run *run, const struct ast_decl *mechanism, char **why) {
  struct program_file file = file_of(run);
  run->has_interp = true;
  return program_set_up(&run->in, &file, mechanism, &run->args.program,
                        (uint64_t)run->args.max_steps, why);
}

/* ---- automata ------------------------------------------------------------------------------- */

/* --param eps=VALUE or --input in=VALUE into *value; nothing else can be given. */
static int give_one(struct run *run, const option_list *given, const char *option,
                    const char *wanted, const struct type *type, struct rvalue *value, char **why) {
  struct program_file source = file_of(run);
  for (size_t i = 0; i < given->len; i++) {
    const char *name;
    uint32_t file = program_split(&source, option, given->at[i], &name, why);
    if (!file) return COUPLET_EXIT_USAGE;
    if (strcmp(name, wanted) != 0) {
      *why = xasprintf("the only --%s of an automaton is '%s', not '%s'", option, wanted, name);
      return COUPLET_EXIT_USAGE;
    }
    struct span span;
    rvalue_clear(value);
    if (!program_read_value(&source, file, type, value, &span)) return COUPLET_EXIT_INPUT;
    int sign;
    if (value->kind >= RVALUE_LIST || (number_sign(&sign, value) && sign > 0)) continue;
    diag_error(&run->lang.diags, span, "assumption-violated", "eps must be positive");
    return COUPLET_EXIT_INPUT;
  }
  return 0;
}

static int set_up_automaton(struct run *run, struct span place, char **why) {
  struct types *types = &run->lang.types;
  int status =
      give_one(run, &run->args.program.params, "param", "eps", types->real, &run->eps, why);
  if (!status)
    status = give_one(run, &run->args.program.inputs, "input", "in", type_list(types, types->real),
                      &run->input, why);
  if (status) return status;
  bool no_eps = run->eps.kind == RVALUE_UNSET, no_input = run->input.kind == RVALUE_UNSET;
  if (!no_eps && !no_input) return 0;
  diag_error(&run->lang.diags, place, "missing-value", "`%s` cannot run: no value for %s%s%s",
             run->name, no_eps ? "parameter `eps`" : "", no_eps && no_input ? ", " : "",
             no_input ? "input `in`" : "");
  diag_hint(&run->lang.diags, "give %s%s%s", no_eps ? "--param eps=VALUE" : "",
            no_eps && no_input ? " " : "", no_input ? "--input in=[...]" : "");
  return COUPLET_EXIT_INPUT;
}

static int set_up_dipa(struct run *run, char **why) {
  run->module = arena_new(&run->lang.arena, struct ast_module); /* no declarations */
  run->has_automaton = true;
  automaton_init(&run->automaton);
  uint32_t file = sources_read(&run->lang.sources, run->path, why);
  if (!file) {
    diag_error(&run->lang.diags, span_none(), "cannot-read", "%s: %s", run->path, *why);
    free(*why);
    return COUPLET_EXIT_INPUT;
  }
  if (!dipa_read(&run->automaton, &run->lang.sources, file, &run->lang.diags))
    return COUPLET_EXIT_INPUT;
  const char *slash = strrchr(run->path, '/');
  run->name = slash ? slash + 1 : run->path;
  return set_up_automaton(run, (struct span){file, 0, 0}, why);
}

static bool has_suffix(const char *text, const char *suffix) {
  size_t n = strlen(text), m = strlen(suffix);
  return n >= m && strcmp(text + n - m, suffix) == 0;
}

static int set_up(struct run *run, char **why) {
  if (has_suffix(run->path, ".dipa")) return set_up_dipa(run, why);
  run->module = translate_load(&run->lang, run->path, &run->args.program.translation);
  if (run->lang.diags.errors) return COUPLET_EXIT_INPUT;
  struct program_file file = file_of(run);
  const struct ast_decl *subject =
      program_choose(&file, DECL_MECHANISM, "mechanism", run->args.program.mechanism, why);
  if (!subject) return COUPLET_EXIT_USAGE;
  run->name = subject->name.text;
  if (subject->kind == DECL_MECHANISM) return set_up_mechanism(run, subject, why);
  run->has_automaton = true;
  automaton_init(&run->automaton);
  if (!automaton_build(&run->automaton, subject, &run->lang.diags)) return COUPLET_EXIT_INPUT;
  return set_up_automaton(run, subject->name.span, why);
}

/* ---- running -------------------------------------------------------------------------------- */

/* A signal handler can only reach a global. */
static volatile sig_atomic_t stop_requested;

static void request_stop(int signal_number) {
  (void)signal_number;
  stop_requested = 1;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Every so often; shows something only after two seconds. */
static void show_progress(const struct run *run, double start, double *last) {
  double now = seconds_now();
  if (!run->cli->progress || now - start < 2 || now - *last < 0.2) return;
  *last = now;
  fprintf(stderr, "\r%zu of %ld samples", run->tally.samples, run->args.samples);
  fflush(stderr);
}

/* A floating-point output is shown as such, not as the fraction that it is. */
static void show_float(const struct interp *in, struct rvalue *output) {
  const struct ast_routine *r = in->mechanism->as.mechanism.routine;
  bool exact = output->kind == RVALUE_INT || output->kind == RVALUE_RATIONAL;
  if (r->emits || !r->returns || !type_is_float(r->returns->type) || !exact) return;
  double x = number_to_double(output);
  rvalue_clear(output);
  *output = rvalue_float(x);
}

static bool run_once(struct run *run, struct random *random, struct rvalue *output) {
  if (!run->has_automaton) {
    bool ok = interp_run(&run->in, random, output);
    if (ok) show_float(&run->in, output);
    return ok;
  }
  struct simulation simulation = {.automaton = &run->automaton,
                                  .eps = &run->eps,
                                  .inputs = &run->input,
                                  .max_steps = (uint64_t)run->args.max_steps};
  return simulate(&simulation, random, &run->lang.diags, output);
}

static bool sample_all(struct run *run) {
  struct random random;
  if (run->args.seed >= 0)
    random_init_seeded(&random, (uint64_t)run->args.seed);
  else
    random_init_system(&random);
  struct sigaction action = {.sa_handler = request_stop, .sa_flags = SA_RESETHAND}, before;
  sigaction(SIGINT, &action, &before);
  double start = seconds_now(), last = start;
  bool ok = true;
  while (ok && !stop_requested && run->tally.samples < (size_t)run->args.samples) {
    struct rvalue output;
    ok = run_once(run, &random, &output);
    if (ok) tally_add(&run->tally, output);
    if (run->tally.samples % 64 == 0) show_progress(run, start, &last);
  }
  if (last != start) fprintf(stderr, "\r\033[K");
  sigaction(SIGINT, &before, NULL);
  run->interrupted = stop_requested;
  return ok;
}

/* ---- showing -------------------------------------------------------------------------------- */

static size_t terminal_columns(void) {
  struct winsize size;
  if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
    return size.ws_col;
  return 80;
}

/* The instance that is used, or NULL. */
static const char *instance_name(const struct run *run) {
  return run->has_interp && run->in.instance ? run->in.instance->name.text : NULL;
}

static void print_single(struct buffer *b, const struct run *run) {
  const struct ast_routine *routine =
      run->has_interp ? run->in.mechanism->as.mechanism.routine : NULL;
  const struct rvalue *v = &run->tally.outcomes.at[0].value;
  if (routine && routine->emits && routine->returns) {
    buffer_puts(b, "emitted ");
    rvalue_print(b, &v->as.seq->at[0]);
    buffer_puts(b, "\nreturned ");
    v = &v->as.seq->at[1];
  }
  rvalue_print(b, v);
  buffer_putc(b, '\n');
}

static void print_text(struct buffer *b, struct run *run) {
  if (run->args.samples == 1) {
    if (run->tally.samples) print_single(b, run);
    return;
  }
  buffer_printf(b, "%s", run->name);
  if (instance_name(run)) buffer_printf(b, " on %s", instance_name(run));
  buffer_printf(b, ": %zu samples", run->tally.samples);
  if (run->args.seed >= 0) buffer_printf(b, ", seed %ld", run->args.seed);
  if (run->interrupted) buffer_printf(b, " (interrupted, %ld wanted)", run->args.samples);
  buffer_puts(b, "\n");
  tally_print(b, &run->tally, terminal_columns());
}

static void print_json(struct buffer *b, struct run *run) {
  size_t cut;
  json_t *outcomes = tally_json(&run->tally, &cut);
  json_t *json =
      json_pack("{s:i, s:s, s:s, s:s?, s:o, s:I, s:o, s:I}", "version", JSON_VERSION, "file",
                run->path, "mechanism", run->name, "instance", instance_name(run), "seed",
                run->args.seed >= 0 ? json_integer(run->args.seed) : json_null(), "samples",
                (json_int_t)run->tally.samples, "outcomes", outcomes, "cut", (json_int_t)cut);
  if (run->interrupted) json_object_set_new(json, "interrupted", json_true());
  if (run->tally.numeric && run->tally.samples > 1) {
    json_object_set_new(json, "mean", json_real(run->tally.mean));
    json_object_set_new(json, "sd", json_real(tally_deviation(&run->tally)));
  }
  char *text = json_dumps(json, JSON_INDENT(2)); /* samples with all of their digits */
  buffer_printf(b, "%s\n", text);
  free(text);
  json_decref(json);
}

static int finish(struct run *run, int status) {
  struct buffer b;
  buffer_init(&b);
  cli_print_diags(run->cli, &run->lang.sources, &run->lang.diags);
  if (status == COUPLET_EXIT_INPUT && run->args.json)
    cli_put_json_error(&b, run->path, &run->lang.sources, &run->lang.diags);
  else if (status != COUPLET_EXIT_INPUT && run->args.json)
    print_json(&b, run);
  else if (status != COUPLET_EXIT_INPUT)
    print_text(&b, run);
  status = cli_print(run->cli, &b, status);
  buffer_clear(&b);
  return status;
}

/* ---- the command ---------------------------------------------------------------------------- */

static int run_file(struct run *run) {
  char *why = NULL;
  if (run->args.script)
    return run_script(run->cli, run->path, run->args.script, (uint64_t)run->args.max_steps,
                      &run->args.program.translation);
  int status = set_up(run, &why);
  if (status == COUPLET_EXIT_USAGE) {
    cli_print_diags(run->cli, &run->lang.sources, &run->lang.diags);
    return cli_usage_error(run->cli, run->command, why);
  }
  if (!status && !sample_all(run)) status = COUPLET_EXIT_INPUT;
  if (!status && run->interrupted) status = COUPLET_EXIT_UNKNOWN;
  return finish(run, status);
}

static int check_args(const struct run_args *args, const option_list *files, char **why) {
  if (files->len != 1)
    *why = xstrdup(files->len ? "give one file" : "no file given");
  else if (args->samples < 1)
    *why = xstrdup("--samples must be at least 1");
  return *why ? COUPLET_EXIT_USAGE : 0;
}

static int run_run(const struct cli *cli, const struct command *self, int argc, char **argv) {
  struct run run = {.cli = cli, .command = self};
  run.args = (struct run_args){.samples = 1, .seed = -1, .max_steps = INTERP_MAX_STEPS};
  option_list files = {0};
  int status;
  char *why = NULL;
  bool parsed = cli_parse(cli, self, &run.args, argc, argv, &files, &status);
  if (parsed && (status = check_args(&run.args, &files, &why)) != 0) {
    status = cli_usage_error(cli, self, why);
  } else if (parsed) {
    run.path = files.at[0];
    lang_init(&run.lang);
    tally_init(&run.tally);
    status = run_file(&run);
    tally_clear(&run.tally);
    if (run.has_interp) interp_clear(&run.in);
    if (run.has_automaton) automaton_clear(&run.automaton);
    rvalue_clear(&run.eps);
    rvalue_clear(&run.input);
    lang_clear(&run.lang);
  }
  program_args_clear(&run.args.program);
  vec_clear(&files);
  return status;
}

const struct command command_run = {"run",
                                    "[OPTION]... FILE",
                                    "execute a mechanism: one output, or a histogram of many",
                                    options,
                                    sizeof options / sizeof *options,
                                    run_run,
                                    NULL};
