#include "check/certificate/limited.h"

#include <stdint.h>
#include <string.h>
#include <sys/wait.h>

#include "base/budget.h"
#include "base/child.h"
#include "base/memory.h"
#include "check/certificate/check.h"

/* How long the child may overstay its own deadline before it is killed. */
static const double GRACE_SECONDS = 0.5;

/* What the child sends before the two texts. */
struct header {
  int status;
  size_t out, err;
};

/* ---- child ---------------------------------------------------------------------------------- */

struct request {
  const char *certificate, *source;
  const struct cert_judges *judges;
  struct cert_limits limits;
};

static int run_check(void *context, int pipe) {
  const struct request *request = context;
  memory_limit(request->limits.memory_mb);
  struct budget budget = budget_of_seconds(request->limits.timeout);
  struct buffer out, err;
  buffer_init(&out);
  buffer_init(&err);
  enum couplet_exit status =
      cert_check(request->certificate, request->source, request->judges, &budget, &out, &err);
  struct header header = {(int)status, out.len, err.len};
  bool sent = child_send(pipe, &header, sizeof header) && child_send(pipe, out.text, out.len) &&
              child_send(pipe, err.text, err.len);
  return sent ? COUPLET_EXIT_PROVED : COUPLET_EXIT_INTERNAL;
}

/* ---- parent --------------------------------------------------------------------------------- */

/* The answer, if the child sent a whole one and ended well. */
static bool take_answer(const struct buffer *all, int ended, enum couplet_exit *status,
                        struct buffer *out, struct buffer *err) {
  struct header header;
  if (!WIFEXITED(ended) || WEXITSTATUS(ended) != COUPLET_EXIT_PROVED || all->len < sizeof header)
    return false;
  memcpy(&header, all->text, sizeof header);
  size_t rest = all->len - sizeof header;
  if (header.out > rest || header.err != rest - header.out) return false;
  buffer_add(out, all->text + sizeof header, header.out);
  buffer_add(err, all->text + sizeof header + header.out, header.err);
  *status = (enum couplet_exit)header.status;
  return true;
}

/* No answer: why not. */
static enum couplet_exit explain(bool in_time, int ended, struct cert_limits limits,
                                 const char *certificate, struct buffer *err) {
  buffer_printf(err, "%s: ", certificate);
  if (!in_time) {
    buffer_printf(err, "error[certificate-limit]: not judged within %g s (--timeout)\n",
                  limits.timeout);
    return COUPLET_EXIT_UNKNOWN;
  }
  if (limits.memory_mb > 0 && memory_was_exhausted(ended)) {
    buffer_printf(err, "error[certificate-limit]: not judged with %ld MB of memory (--memory)\n",
                  limits.memory_mb);
    return COUPLET_EXIT_UNKNOWN;
  }
  if (WIFSIGNALED(ended))
    buffer_printf(err, "internal error: the checker died of signal %d (%s)\n", WTERMSIG(ended),
                  strsignal(WTERMSIG(ended)));
  else
    buffer_printf(err, "internal error: the checker ended with status %d\n", WEXITSTATUS(ended));
  return COUPLET_EXIT_INTERNAL;
}

enum couplet_exit cert_check_limited(const char *certificate, const char *source,
                                     const struct cert_judges *judges, struct cert_limits limits,
                                     struct buffer *out, struct buffer *err) {
  struct request request = {certificate, source, judges, limits};
  struct child child;
  if (!child_start(&child, run_check, &request)) {
    buffer_printf(err, "%s: internal error: no process for the check\n", certificate);
    return COUPLET_EXIT_INTERNAL;
  }
  struct buffer all;
  buffer_init(&all);
  int64_t deadline =
      limits.timeout > 0 ? budget_of_seconds(limits.timeout + GRACE_SECONDS).deadline_ns : 0;
  bool in_time = child_read_all(&child, deadline, SIZE_MAX, &all);
  if (!in_time) child_kill(&child);
  int ended = child_reap(&child);
  enum couplet_exit status = COUPLET_EXIT_INTERNAL;
  if (!in_time || !take_answer(&all, ended, &status, out, err))
    status = explain(in_time, ended, limits, certificate, err);
  buffer_clear(&all);
  return status;
}
