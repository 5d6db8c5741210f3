#include "lang/translate/python.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/budget.h"
#include "base/child.h"
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

struct start {
  const struct python_call *call;
  char *script; /* or NULL: python3 may know the module */
  int in;
};

static int become_python(void *context, int out) {
  const struct start *start = context;
  const struct python_call *call = start->call;
  char *script = start->script;
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
  signal(SIGPIPE, SIG_DFL);
  if (dup2(start->in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
    execvp(words.at[0], words.at);
  return NOT_STARTED;
}

/* ---- parent --------------------------------------------------------------------------------- */

static bool finish(struct child *child, unsigned seconds, struct buffer *out, char **why) {
  int64_t deadline = budget_now_ns() + (int64_t)seconds * 1000000000;
  bool complete = child_read_all(child, deadline, LIMIT_SOURCE_BYTES, out);
  if (!complete) child_kill(child);
  int status = child_reap(child);
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
  struct start start = {call, find_script(call->module), in ? fileno(in) : -1};
  struct child child;
  if (in && child_start(&child, become_python, &start))
    finish(&child, call->seconds, out, why);
  else
    *why = xasprintf("cannot start a process: %s", strerror(errno));
  if (in) fclose(in);
  free(start.script);
  return !*why;
}
