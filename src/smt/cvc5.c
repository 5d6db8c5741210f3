#include "smt/cvc5.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool write_text(FILE *f, const struct encoding *text, const char *name,
                       enum solver_answer answer) {
  static const char *const status[] = {"unsat", "sat", "unknown"};
  if (name) fprintf(f, "; %s: valid iff unsat\n", name);
  fputs("(set-logic ALL)\n", f);
  if (name) fprintf(f, "(set-info :status %s)\n", status[answer]);
  fputs(buffer_text(&text->text), f);
  fputs("(check-sat)\n", f);
  return fflush(f) == 0 && !ferror(f);
}

bool cvc5_write(const char *path, const struct encoding *text, const char *name,
                enum solver_answer answer) {
  FILE *f = fopen(path, "w");
  if (!f) return false;
  char *line = xstrdup(name);
  for (char *c = line; *c; c++)
    if (*c == '\n' || *c == '\r') *c = ' ';
  bool ok = write_text(f, text, line, answer);
  free(line);
  return fclose(f) == 0 && ok;
}

/* Starts `argv` with the given descriptors; waits. Returns the exit status or -1. */
static int run(char *const argv[], int in, int out) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return -1;
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid;
  int failed = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return -1;
  int status;
  while (waitpid(pid, &status, 0) < 0)
    ;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The first line of the output is the answer, if the program ended well. */
static enum solver_answer read_answer(FILE *out) {
  char line[64] = "";
  rewind(out);
  if (!fgets(line, sizeof line, out)) return SOLVER_UNKNOWN;
  if (strcmp(line, "unsat\n") == 0) return SOLVER_UNSAT;
  return strcmp(line, "sat\n") == 0 ? SOLVER_SAT : SOLVER_UNKNOWN;
}

enum solver_answer cvc5_check(const char *binary, const struct encoding *text, double timeout_s) {
  FILE *in = tmpfile(), *out = tmpfile();
  enum solver_answer answer = SOLVER_UNKNOWN;
  if (in && out && write_text(in, text, NULL, SOLVER_UNKNOWN)) {
    rewind(in);
    char limit[64];
    snprintf(limit, sizeof limit, "--tlimit=%.0f", timeout_s * 1000);
    char *program = xstrdup(binary);
    char *argv[] = {program, "--lang=smt2", "-q", limit, "-", NULL};
    if (run(argv, fileno(in), fileno(out)) == 0) answer = read_answer(out);
    free(program);
  }
  if (in) fclose(in);
  if (out) fclose(out);
  return answer;
}

bool cvc5_available(const char *binary) {
  FILE *null = fopen("/dev/null", "r+");
  if (!null) return false;
  char *program = xstrdup(binary);
  char *argv[] = {program, "--version", NULL};
  int status = run(argv, fileno(null), fileno(null));
  free(program);
  fclose(null);
  return status == 0;
}
