#include "lang/translate/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/budget.h"
#include "base/exit_codes.h"
#include "base/limits.h"
#include "lang/translate/beside.h"

enum { TRANSLATE_SECONDS = 60, NOT_STARTED = 127, MOST_ARGUMENTS = 1024 };

/* ---- where the translator is ---------------------------------------------------------------- */

/* COUPLET_PYTHONPATH; else beside this program. NULL: python3 may know it. */
static char *find_script(void) {
  static const char *const places[] = {"../python", "../share/couplet/python",
                                       "../lib/python3/dist-packages"};
  static const char below[] = "/couplet/translate.py";
  const char *given = getenv("COUPLET_PYTHONPATH");
  if (!given) return beside_program(places, sizeof places / sizeof *places, below);
  char *path = xasprintf("%s%s", given, below);
  if (access(path, R_OK) == 0) return path;
  free(path);
  return NULL;
}

/* ---- child ---------------------------------------------------------------------------------- */

typedef VEC(char *) word_list;

static void add_all(word_list *words, const char *option, const option_list *values) {
  for (size_t i = 0; i < values->len && i < MOST_ARGUMENTS; i++) {
    vec_push(words, (char *)option);
    vec_push(words, (char *)values->at[i]);
  }
}

static _Noreturn void child_main(const char *path, const struct translate_options *options,
                                 char *script, int in, int out) {
  const char *python = getenv("COUPLET_PYTHON");
  word_list words = {0};
  vec_push(&words, (char *)(python && *python ? python : "python3"));
  vec_push(&words, (char *)"-B");
  vec_push(&words, (char *)(script ? "-I" : "-m")); /* -I: nothing from the current folder */
  vec_push(&words, script ? script : (char *)"couplet.translate");
  vec_push(&words, (char *)"--json");
  vec_push(&words, (char *)"--stdin");
  if (options) {
    add_all(&words, "--claim", &options->claims);
    add_all(&words, "--function", &options->functions);
  }
  vec_push(&words, (char *)"--");
  vec_push(&words, (char *)path);
  vec_push(&words, NULL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_DFL);
  if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0) _exit(NOT_STARTED);
  execvp(words.at[0], words.at);
  _exit(NOT_STARTED);
}

/* ---- parent --------------------------------------------------------------------------------- */

/* Reads to the end; false: too late or too much. */
static bool receive(int pipe, struct buffer *out) {
  int64_t deadline = budget_now_ns() + (int64_t)TRANSLATE_SECONDS * 1000000000;
  for (char chunk[65536];;) {
    int64_t left = (deadline - budget_now_ns()) / 1000000;
    if (left <= 0 || out->len > LIMIT_SOURCE_BYTES) return false;
    struct pollfd wait = {.fd = pipe, .events = POLLIN};
    if (poll(&wait, 1, (int)left) < 0 && errno != EINTR) return false;
    if (!wait.revents) continue;
    ssize_t n = read(pipe, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    buffer_add(out, chunk, (size_t)n);
  }
}

static bool finish(pid_t pid, int pipe, struct buffer *out, char **why) {
  bool complete = receive(pipe, out);
  if (!complete) kill(pid, SIGKILL);
  int status;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!complete)
    *why = xasprintf("it takes more than %d seconds, or the translation is too large",
                     TRANSLATE_SECONDS);
  else if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_STARTED)
    *why = xstrdup("python3 cannot be started");
  else if (!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && !out->len))
    *why = xstrdup("the translator failed");
  return !*why;
}

/* The text as a file that the child can read from its beginning. */
static FILE *as_file(const struct source *source) {
  FILE *f = tmpfile();
  bool ok = f && fwrite(source->text, 1, source->length, f) == source->length && fflush(f) == 0 &&
            fseek(f, 0, SEEK_SET) == 0;
  if (f && !ok) {
    fclose(f);
    f = NULL;
  }
  return f;
}

bool translate_in_child(const struct source *source, const struct translate_options *options,
                        struct buffer *out, char **why) {
  FILE *in = as_file(source);
  char *script = find_script();
  int ends[2];
  pid_t pid = in && pipe(ends) == 0 ? fork() : -1;
  if (pid == 0) child_main(source->path, options, script, fileno(in), ends[1]);
  if (pid > 0) {
    close(ends[1]);
    finish(pid, ends[0], out, why);
    close(ends[0]);
  } else {
    *why = xasprintf("cannot start a process: %s", strerror(errno));
  }
  if (in) fclose(in);
  free(script);
  return !*why;
}
