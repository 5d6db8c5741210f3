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

enum { NOT_STARTED = 127 };

/* ---- where the package is ------------------------------------------------------------------- */

/* COUPLET_PYTHONPATH; else beside this program, in a checkout or where it was installed. NULL:
 * python3 may know it. */
static char *find_script(const char *module) {
  static const char *const places[] = {"../python", "../share/couplet/python",
                                       "../lib/python3/dist-packages"};
  const char *given = getenv("COUPLET_PYTHONPATH");
  char *below = xasprintf("/couplet/%s.py", module);
  char *path = given ? xasprintf("%s%s", given, below)
                     : beside_program(places, sizeof places / sizeof *places, below);
  free(below);
  if (!path || access(path, R_OK) == 0) return path;
  free(path);
  return NULL;
}

/* ---- child ---------------------------------------------------------------------------------- */

static _Noreturn void child_main(const struct python_call *call, char *script, int in, int out) {
  const char *python = getenv("COUPLET_PYTHON");
  word_list words = {0};
  char *module = xasprintf("couplet.%s", call->module);
  vec_push(&words, (char *)(python && *python ? python : "python3"));
  vec_push(&words, (char *)"-B");
  if (script && call->isolated) vec_push(&words, (char *)"-I"); /* nothing from this folder */
  if (!script) vec_push(&words, (char *)"-m");
  vec_push(&words, script ? script : module);
  for (size_t i = 0; i < call->words.len; i++)
    vec_push(&words, call->words.at[i]);
  vec_push(&words, NULL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_DFL);
  if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0) _exit(NOT_STARTED);
  execvp(words.at[0], words.at);
  _exit(NOT_STARTED);
}

/* ---- parent --------------------------------------------------------------------------------- */

/* Reads to the end; false: too late or too much. */
static bool receive(int pipe, unsigned seconds, struct buffer *out) {
  int64_t deadline = budget_now_ns() + (int64_t)seconds * 1000000000;
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

static bool finish(pid_t pid, int pipe, unsigned seconds, struct buffer *out, char **why) {
  bool complete = receive(pipe, seconds, out);
  if (!complete) kill(pid, SIGKILL);
  int status;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!complete)
    *why = xasprintf("it takes more than %u seconds, or the answer is too large", seconds);
  else if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_STARTED)
    *why = xstrdup("python3 cannot be started");
  else if (!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && !out->len))
    *why = xstrdup("the Python package failed");
  return !*why;
}

/* The text as a file that the child can read from its beginning. */
static FILE *as_file(const char *text, size_t length) {
  FILE *f = tmpfile();
  bool ok =
      f && fwrite(text, 1, length, f) == length && fflush(f) == 0 && fseek(f, 0, SEEK_SET) == 0;
  if (f && !ok) {
    fclose(f);
    f = NULL;
  }
  return f;
}

bool python_run(const struct python_call *call, struct buffer *out, char **why) {
  FILE *in = as_file(call->input, call->input_length);
  char *script = find_script(call->module);
  int ends[2];
  pid_t pid = in && pipe(ends) == 0 ? fork() : -1;
  if (pid == 0) child_main(call, script, fileno(in), ends[1]);
  if (pid > 0) {
    close(ends[1]);
    finish(pid, ends[0], call->seconds, out, why);
    close(ends[0]);
  } else {
    *why = xasprintf("cannot start a process: %s", strerror(errno));
  }
  if (in) fclose(in);
  free(script);
  return !*why;
}
