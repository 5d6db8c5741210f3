#include "check/certificate/elsewhere.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/exit_codes.h"
#include "base/visible.h"
#include "check/certificate/limited.h"

/* ---- the other program ---------------------------------------------------------------------- */

/* In the folder of this one (xmalloc'd); NULL: this one does not know where it is. */
static char *program_path(void) {
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) return NULL;
  self[length] = '\0';
  char *slash = strrchr(self, '/');
  if (!slash) return NULL;
  *slash = '\0';
  return xasprintf("%s/" RECOUNT_PROGRAM, self);
}

enum { NOT_STARTED = 127 };

struct question {
  const char *program, *source;
  const struct budget *budget;
  int input;
};

static double seconds_left(const struct budget *budget) {
  static const double LEAST = 1e-6; /* 0 would be no limit */
  if (!budget || !budget->deadline_ns) return CERT_SECONDS;
  double left = (double)(budget->deadline_ns - budget_now_ns()) / 1e9;
  return left > LEAST ? left : LEAST;
}

static int ask(void *context, int out) {
  const struct question *q = context;
  char *limit = xasprintf("--timeout=%.6f", seconds_left(q->budget)), *source = xstrdup(q->source);
  char program[] = RECOUNT_PROGRAM, memory[] = "--memory=0", end[] = "--", input[] = "-";
  char *args[] = {program, memory, limit, end, input, source, NULL};
  if (dup2(q->input, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
      dup2(out, STDERR_FILENO) < 0)
    return NOT_STARTED;
  execv(q->program, args);
  return NOT_STARTED;
}

/* Its status as of waitpid, and what it printed; -1: it could not be started. */
static int converse(struct question *q, const char *text, struct buffer *answer) {
  int ends[2];
  struct child child;
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  q->input = ends[0];
  bool started = child_start(&child, ask, q);
  close(ends[0]);
  /* it reads everything before it says anything; what it did not read, it does not accept */
  if (started) child_send(ends[1], text, strlen(text));
  close(ends[1]);
  if (!started) return -1;
  enum { MOST = 1 << 20 };
  if (!child_read_all(&child, 0, MOST, answer)) child_kill(&child);
  return child_reap(&child);
}

/* ---- question and answer -------------------------------------------------------------------- */

/* A file with this certificate alone (to be freed). */
static char *file_of(const struct checker *c, const json_t *certificate) {
  char seal[SHA256_HEX + 1];
  json_t *file = json_pack("{s:s, s:i, s:s, s:[O]}", "format", CERT_FORMAT, "version", CERT_VERSION,
                           "source", c->source->digest, "certificates", certificate);
  cert_seal(file, seal);
  json_object_set_new(file, "seal", json_string(seal));
  char *text = json_dumps(file, JSON_COMPACT);
  json_decref(file);
  return text;
}

/* What it prints of a valid certificate, and nothing else; the part about the evidence is taken. */
static bool take_valid(struct checker *c, const struct cert_statement *s, struct buffer *answer) {
  char *begin = xasprintf("%-24s ", s->name);
  char *end = xasprintf("\n1 of %zu claims certified\n", c->source->statements.len);
  size_t first = strlen(begin), last = strlen(end);
  char *text = answer->text;
  bool ok = answer->len > first + last && strlen(text) == answer->len &&
            memcmp(text, begin, first) == 0 && strcmp(text + answer->len - last, end) == 0;
  if (ok) text[answer->len - last] = '\0';
  ok = ok && visible_is_plain(text + first) &&
       (strncmp(text + first, "proved ", 7) == 0 || strncmp(text + first, "refuted ", 8) == 0);
  if (ok) buffer_puts(c->said, text + first);
  free(begin);
  free(end);
  return ok;
}

/* `-: error[CODE]: certificates[0]PLACE: WHY`: the same of the certificate where it stands here. */
static bool take_failure(struct checker *c, const struct buffer *answer) {
  static const char *const codes[] = {MALFORMED, NOT_BOUND, REJECTED, INTERNAL};
  static const char here[] = "certificates[0]";
  const char *text = buffer_text(answer), *code = strstr(text, "error[");
  size_t length = code ? strcspn(code + 6, "]") : 0;
  for (size_t i = 0; code && i < sizeof codes / sizeof *codes; i++) {
    if (strlen(codes[i]) != length || memcmp(code + 6, codes[i], length) != 0) continue;
    const char *why = code + 6 + length + strspn(code + 6 + length, "]: ");
    if (strncmp(why, here, strlen(here)) == 0) why += strlen(here);
    size_t place = *why == '.' ? strcspn(why, ":") : 0;
    char *field = xasprintf("%.*s", place ? (int)place - 1 : 0, why + (place ? 1 : 0));
    if (place) reader_enter(&c->r, field);
    why += place + strspn(why + place, ": ");
    reader_fail(&c->r, codes[i], "%.*s", (int)strcspn(why, "\n"), why);
    free(field);
    return true;
  }
  return false;
}

static bool take_answer(struct checker *c, const struct cert_statement *s, int ended,
                        struct buffer *answer) {
  if (ended < 0 || (WIFEXITED(ended) && WEXITSTATUS(ended) == NOT_STARTED))
    return reader_fail(&c->r, REJECTED,
                       "not judged: " RECOUNT_PROGRAM ", the program that judges this evidence, "
                       "cannot be started beside this one");
  bool is_valid = WIFEXITED(ended) && WEXITSTATUS(ended) == COUPLET_EXIT_PROVED;
  if (is_valid && take_valid(c, s, answer)) return true;
  if (!is_valid && WIFEXITED(ended) && take_failure(c, answer)) return false;
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == COUPLET_EXIT_UNKNOWN)
    return reader_fail(&c->r, REJECTED, "not judged within the limits");
  return reader_fail(&c->r, INTERNAL, RECOUNT_PROGRAM " gave no answer: %.200s",
                     buffer_text(answer));
}

bool cert_judge_elsewhere(struct checker *c, const struct cert_statement *s, const json_t *json) {
  struct question q = {.program = program_path(),
                       .source = sources_get(&c->source->lang.sources, 1)->path,
                       .budget = c->budget};
  if (strcmp(q.source, "-") == 0)
    return reader_fail(&c->r, REJECTED, RECOUNT_PROGRAM " needs the source as a file");
  struct buffer answer;
  buffer_init(&answer);
  char *text = file_of(c, json);
  int ended = q.program && text ? converse(&q, text, &answer) : -1;
  bool ok = take_answer(c, s, ended, &answer);
  free(text);
  free((char *)q.program);
  buffer_clear(&answer);
  return ok;
}
