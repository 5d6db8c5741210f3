#include "report/judge/recheck.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "check/certificate/check.h"
#include "check/recount/judges.h"
#include "report/judge/json_lines.h"
#include "report/judge/race.h"
#include "report/record/cert_write.h"

/* As long as a search may take by default; whoever set a limit ends this process from outside. */
static const double RECHECK_SECONDS = 60;

/* ---- the check ------------------------------------------------------------------------------ */

static const char *text_of(void *context, const char *path, size_t *length) {
  const struct sources *sources = context;
  for (uint32_t i = 1; i < sources->files.len; i++) {
    const struct source *s = sources_get(sources, i);
    if (strcmp(s->path, path) != 0) continue;
    *length = s->length;
    return s->text;
  }
  return NULL;
}

static enum couplet_exit check_file(const struct recheck *what, const json_t *file,
                                    const struct budget *budget, struct buffer *reason) {
  struct cert_source source;
  struct buffer said;
  enum couplet_exit status = COUPLET_EXIT_INTERNAL;
  buffer_init(&said);
  if (cert_source_load_text(&source, what->path, sources_get(what->sources, 1), text_of,
                            (void *)what->sources))
    status = cert_check_json(file, what->path, &source, &all_judges, budget, &said, reason);
  else
    buffer_puts(reason, "the source cannot be read again");
  cert_source_clear(&source);
  buffer_clear(&said);
  return status;
}

/* What couplet-check says about the certificate, with the reason if it does not accept it. */
static enum recheck_answer check(const struct recheck *what, struct buffer *reason) {
  struct budget budget = budget_of_seconds(RECHECK_SECONDS);
  char *text = cert_file(what->digest, what->certificates);
  json_t *file = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  enum recheck_answer answer = RECHECK_REJECTED;
  if (!file)
    buffer_puts(reason, "the certificate cannot be written");
  else if (check_file(what, file, &budget, reason) == COUPLET_EXIT_PROVED)
    answer = RECHECK_CONFIRMED;
  else if (budget_is_spent(&budget))
    answer = RECHECK_STOPPED;
  json_decref(file);
  free(text);
  return answer;
}

/* ---- in a process of its own ---------------------------------------------------------------- */

struct exchange {
  const struct recheck *what;
  json_t *answer; /* {"answer", "reason"}; NULL: none came */
};

static void run(void *context, int out) {
  struct exchange *x = context;
  struct buffer reason;
  buffer_init(&reason);
  int answer = check(x->what, &reason);
  json_line_send(out, json_pack("{s:i, s:s}", "answer", answer, "reason", buffer_text(&reason)));
  buffer_clear(&reason);
}

static bool hear(void *context, size_t lane, const json_t *value) {
  (void)lane;
  struct exchange *x = context;
  if (value && !x->answer) x->answer = json_deep_copy(value);
  return value != NULL;
}

/* Death is our fault, unless the process was short of memory. */
static enum recheck_answer describe_death(const struct race_lane *lane, char **why) {
  struct rlimit memory;
  bool is_limited = getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY;
  *why = lane->failed && !is_limited
             ? xasprintf("the process that checks it again died%s%s",
                         lane->signal ? " of signal " : "",
                         lane->signal ? strsignal(lane->signal) : "")
             : xstrdup("it could not be checked again in the time and memory given");
  return lane->failed && !is_limited ? RECHECK_REJECTED : RECHECK_STOPPED;
}

static enum recheck_answer recheck_in_child(const struct recheck *what, char **why) {
  struct exchange x = {.what = what};
  struct race_lane lane = {.run = run, .context = &x};
  struct budget limit = budget_of_seconds(RECHECK_SECONDS + 1);
  race_run(&lane, 1, &limit, hear, &x);
  if (!x.answer) return describe_death(&lane, why);
  const json_t *answer = json_object_get(x.answer, "answer");
  bool is_confirmed = json_is_integer(answer) && json_integer_value(answer) == RECHECK_CONFIRMED;
  bool is_stopped = json_is_integer(answer) && json_integer_value(answer) == RECHECK_STOPPED;
  if (!is_confirmed) *why = xstrdup(json_string_value(json_object_get(x.answer, "reason")));
  json_decref(x.answer);
  return is_confirmed ? RECHECK_CONFIRMED : is_stopped ? RECHECK_STOPPED : RECHECK_REJECTED;
}

enum recheck_answer recheck(const struct recheck *what, char **why) {
  *why = NULL;
  if (!what->in_process) return recheck_in_child(what, why);
  struct buffer reason;
  buffer_init(&reason);
  enum recheck_answer answer = check(what, &reason);
  if (answer != RECHECK_CONFIRMED) *why = xstrdup(buffer_text(&reason));
  buffer_clear(&reason);
  return answer;
}
