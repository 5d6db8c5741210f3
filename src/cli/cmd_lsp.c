/* couplet lsp: the language server, for editors. */
#include <fcntl.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "cli/cli.h"
#include "cli/file_run.h"
#include "lang/format/words.h"
#include "lang/syntax/builtin.h"
#include "lsp/server.h"

struct lsp_args {
  bool stdio, words, trust_solver;
  double timeout, search;
  long memory;
};

static const struct option_spec specs[] = {
    OPTION(struct lsp_args, FLAG, stdio, "stdio", NULL,
           "talk on standard input and output (there is no other way)"),
    OPTION(struct lsp_args, SECONDS, timeout, "timeout", "S",
           "seconds to verify a file (default 60)"),
    SEARCH_OPTION(struct lsp_args, search),
    OPTION(struct lsp_args, FLAG, trust_solver, "trust-solver", NULL,
           "believe the solver where no refutation is found (admitted)"),
    OPTION(struct lsp_args, INTEGER, memory, "memory", "MB",
           "memory limit of a verification (default: 4096; 0: none)"),
    OPTION(struct lsp_args, FLAG, words, "words", NULL,
           "list the words of the language with their class, for grammars"),
};

static int print_words(const struct cli *cli) {
  struct buffer b;
  enum word_class class;
  buffer_init(&b);
  for (size_t i = 0; words_at(i, &class); i++) {
    const char *word = words_at(i, &class);
    buffer_printf(&b, "%s %s\n", word_class_name(class), word);
  }
  for (size_t i = 0; i < builtin_count(); i++)
    buffer_printf(&b, "%s %s\n", builtin_at(i)->is_adjacency ? "adjacency" : "function",
                  builtin_at(i)->name);
  for (size_t i = 0; i < DIST_COUNT; i++)
    if (dist_find(dist_get(i)->name) == dist_get(i))
      buffer_printf(&b, "distribution %s\n", dist_get(i)->name);
  for (enum dist_sugar id = SUGAR_NONE + 1; id < SUGAR_END; id++)
    buffer_printf(&b, "distribution %s\n", sugar_get(id)->name);
  int status = cli_print(cli, &b, COUPLET_EXIT_PROVED);
  buffer_clear(&b);
  return status;
}

/* Nothing but messages may go to the editor: what a library prints goes to stderr. */
static int private_output(void) {
  int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (output >= 0) dup2(STDERR_FILENO, STDOUT_FILENO);
  return output;
}

static int serve(const struct lsp_args *args) {
  int output = private_output();
  if (output < 0) return COUPLET_EXIT_INTERNAL;
  struct server server;
  server_init(&server);
  server.session.worker.verify.timeout = args->timeout;
  server.session.worker.verify.search = args->search;
  server.session.worker.verify.trust_solver = args->trust_solver;
  server.session.worker.memory_mb = args->memory;
  int status = server_run(&server, STDIN_FILENO, output);
  server_clear(&server);
  close(output);
  return status;
}

static int run(const struct cli *cli, const struct command *self, int argc, char **argv) {
  const struct verify_options usual = verify_default_options();
  struct lsp_args args = {
      .timeout = usual.timeout, .search = usual.search, .memory = DEFAULT_MEMORY_MB};
  option_list rest = {0};
  int status;
  if (!cli_parse(cli, self, &args, argc, argv, &rest, &status)) {
    vec_clear(&rest);
    return status;
  }
  size_t unexpected = rest.len;
  vec_clear(&rest);
  if (unexpected)
    return cli_usage_error(cli, self, xstrdup("it takes no file: the editor sends the text"));
  return args.words ? print_words(cli) : serve(&args);
}

const struct command command_lsp = {.name = "lsp",
                                    .usage = "[OPTION]...",
                                    .summary = "language server for editors (docs/editors.md)",
                                    .options = specs,
                                    .option_count = sizeof specs / sizeof *specs,
                                    .run = run};
