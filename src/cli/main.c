#include <locale.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "base/spell.h"
#include "cli/cli.h"
#include "couplet.h"
#include "num/guard.h"

/* In the order of --help. A new command: declare it in cli.h, add it here. */
static const struct command *const commands[] = {
    &command_new,
    &command_verify,
    &command_check,
    &command_explain,
    &command_report,
    &command_merge,
    &command_audit,
    &command_prob,
    &command_compose,
    &command_tune,
    &command_run,
    &command_compile,
    &command_export,
    &command_fmt,
    &command_translate,
    &command_serve,
    &command_lsp,
    &command_completion,
    NULL,
};

const struct command *const *cli_commands(void) {
  return commands;
}

static int help(const struct cli *cli) {
  struct buffer b;
  buffer_init(&b);
  buffer_puts(&b, "Couplet proves or refutes differential privacy by probabilistic couplings.\n\n"
                  "usage: couplet COMMAND [OPTION]... FILE...\n\n");
  for (size_t i = 0; commands[i]; i++)
    buffer_printf(&b, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
  buffer_puts(
      &b, "\n'couplet COMMAND --help' lists the options of a command.\n"
          "Files: .dp (the Couplet language, docs/language.md), .dipa (threshold automata),\n"
          ".py (functions with claims, docs/python.md), .c (other checkers, docs/from-code.md),\n"
          ".dip (loop-free programs, docs/exact.md).\n"
          "Exit status: 0 all proved, 10 some claim refuted, 20 some claim unknown,\n"
          "30 proved only with admit or --trust-solver, 1 usage, 2 bad input, 3 internal error.\n");
  int status = cli_print(cli, &b, COUPLET_EXIT_PROVED);
  buffer_clear(&b);
  return status;
}

static int version(const struct cli *cli) {
  struct buffer b;
  buffer_init(&b);
  buffer_printf(&b, "couplet %s\n", cp_version());
  int status = cli_print(cli, &b, COUPLET_EXIT_PROVED);
  buffer_clear(&b);
  return status;
}

static int unknown_command(const char *word) {
  const char *names[sizeof commands / sizeof *commands];
  size_t count = 0;
  for (; commands[count]; count++)
    names[count] = commands[count]->name;
  const char *near = spell_nearest(word, names, count);
  fprintf(stderr, "couplet: there is no command '%s'", word);
  if (near)
    fprintf(stderr, "; did you mean '%s'?", near);
  else if (access(word, R_OK) == 0)
    fprintf(stderr, "; did you mean 'couplet verify %s'?", word);
  fprintf(stderr, "\n'couplet --help' lists the commands\n");
  return COUPLET_EXIT_USAGE;
}

/* Colours on a terminal, unless NO_COLOR (no-color.org) or TERM=dumb says no. */
static bool wants_color(int descriptor) {
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(descriptor) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}

/* A solver is made for every question and gives back megabytes after it: memory that goes back to
 * the system each time comes from it page by page, for a third of all time. */
static void keep_memory(void) {
#ifdef __GLIBC__
  enum { MAPPED = 32 << 20, KEPT = 256 << 20 };
  mallopt(M_MMAP_THRESHOLD, MAPPED);
  mallopt(M_TRIM_THRESHOLD, KEPT);
#endif
}

int main(int argc, char **argv) {
  keep_memory();
  /* A closed pipe is an output error, reported as such, not a silent death. */
  signal(SIGPIPE, SIG_IGN);
  numbers_guard();
  struct cli cli = {.program = argv[0],
                    .color_out = wants_color(STDOUT_FILENO),
                    .color_err = wants_color(STDERR_FILENO),
                    .progress = isatty(STDERR_FILENO)};
  if (argc < 2) {
    help(&cli);
    return COUPLET_EXIT_USAGE;
  }
  bool is_help = strcmp(argv[1], "help") == 0;
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || (is_help && argc == 2))
    return help(&cli);
  if (strcmp(argv[1], "--version") == 0) return version(&cli);
  const char *name = argv[is_help ? 2 : 1]; /* `couplet help verify` */
  char *ask[] = {"--help", NULL};
  for (size_t i = 0; commands[i]; i++)
    if (strcmp(name, commands[i]->name) == 0)
      return is_help ? commands[i]->run(&cli, commands[i], 1, ask)
                     : commands[i]->run(&cli, commands[i], argc - 2, argv + 2);
  return unknown_command(name);
}
