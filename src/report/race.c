#include "report/race.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/exit_codes.h"
#include "base/vec.h"

/* How long a lane may overstay the budget: less than a worker may (worker.c), which could not
 * report otherwise. */
static const int64_t GRACE_NS = 250000000;
/* And how long lanes may take to report when they are interrupted. */
static const int64_t LAST_NS = 3000000000;

struct runner {
  struct race_lane *lane;
  pid_t pid; /* 0: not running */
  int pipe;
  struct buffer pending; /* bytes of an unfinished line */
};

/* ---- child ---------------------------------------------------------------------------------- */

void race_send(const struct race_sender *sender, json_t *value) {
  char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
  json_decref(value);
  if (!text) _exit(COUPLET_EXIT_INTERNAL);
  size_t length = strlen(text);
  text[length] = '\n';
  for (size_t sent = 0; sent <= length;) {
    ssize_t n = write(sender->pipe, text + sent, length + 1 - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(COUPLET_EXIT_INTERNAL); /* the owner is gone */
    sent += (size_t)n;
  }
  free(text);
}

static _Noreturn void child_main(const struct race_lane *lane, size_t lanes, int descriptor) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  struct rlimit memory;
  if (getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY) {
    memory.rlim_cur /= lanes;
    setrlimit(RLIMIT_AS, &memory);
  }
  struct race_sender sender = {descriptor};
  lane->run(lane->context, &sender);
  close(descriptor);
  fflush(NULL);
  _exit(COUPLET_EXIT_PROVED);
}

/* ---- owner ---------------------------------------------------------------------------------- */

static void start(struct runner *r, size_t lanes, const struct runner *others, size_t count) {
  int ends[2];
  if (pipe(ends) != 0) {
    r->lane->ended = r->lane->failed = true;
    return;
  }
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    for (size_t i = 0; i < count; i++)
      if (others[i].pid) close(others[i].pipe);
    child_main(r->lane, lanes, ends[1]);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    r->lane->ended = r->lane->failed = true;
    return;
  }
  r->pid = pid;
  r->pipe = ends[0];
}

static void reap(struct runner *r, bool was_killed) {
  int status = 0;
  close(r->pipe);
  while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
    ;
  r->pid = 0;
  r->lane->ended = true;
  if (was_killed) return;
  r->lane->failed = WIFSIGNALED(status) || WEXITSTATUS(status) != COUPLET_EXIT_PROVED;
  r->lane->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void stop(struct runner *r) {
  if (!r->pid) return;
  kill(r->pid, SIGKILL);
  reap(r, true);
}

/* Hands over complete lines; true if the owner has enough. */
static bool take_lines(struct runner *r, size_t lane, race_news *news, void *context) {
  bool enough = false;
  char *line = r->pending.text, *end;
  while (line && !enough &&
         (end = memchr(line, '\n', r->pending.len - (size_t)(line - r->pending.text)))) {
    json_t *value = json_loadb(line, (size_t)(end - line), JSON_DECODE_ANY, NULL);
    enough = value && news(context, lane, value);
    json_decref(value);
    line = end + 1;
  }
  if (!line) return enough;
  size_t rest = r->pending.len - (size_t)(line - r->pending.text);
  memmove(r->pending.text, line, rest);
  r->pending.len = rest;
  return enough;
}

/* Reads what has arrived; true if the owner has enough. */
static bool receive(struct runner *r, size_t lane, race_news *news, void *context) {
  char chunk[65536];
  ssize_t n = read(r->pipe, chunk, sizeof chunk);
  if (n < 0 && errno == EINTR) return false;
  if (n <= 0) {
    reap(r, false);
    return news(context, lane, NULL);
  }
  buffer_add(&r->pending, chunk, (size_t)n);
  return memchr(chunk, '\n', (size_t)n) && take_lines(r, lane, news, context);
}

/* The first time the budget is found interrupted, so are the lanes. */
static void pass_on_interruption(struct runner *runners, size_t count, const struct budget *budget,
                                 int64_t *end) {
  if (*end || !budget_is_interrupted(budget)) return;
  *end = budget_now_ns() + LAST_NS;
  for (size_t i = 0; i < count; i++)
    if (runners[i].pid) kill(runners[i].pid, SIGINT);
}

/* Milliseconds until the lanes must be killed; -1: never, 0: now. */
static int patience(const struct budget *budget, int64_t end) {
  enum { GLANCE_MS = 250 }; /* a signal just before the wait is noticed after it */
  int most = budget && budget->is_interrupted ? GLANCE_MS : -1;
  if (budget && budget->deadline_ns && (!end || budget->deadline_ns + GRACE_NS < end))
    end = budget->deadline_ns + GRACE_NS;
  if (!end) return most;
  int64_t left = end - budget_now_ns();
  int wait = left <= 0 ? 0 : (int)(left / 1000000) + 1;
  return most >= 0 && wait > most ? most : wait;
}

/* Waits for something to happen and deals with it; true if the race is over. */
static bool step(struct runner *runners, size_t count, const struct budget *budget, int64_t *end,
                 race_news *news, void *context) {
  VEC(struct pollfd) polled = {0};
  VEC(size_t) who = {0};
  for (size_t i = 0; i < count; i++)
    if (runners[i].pid) {
      vec_push(&polled, (struct pollfd){.fd = runners[i].pipe, .events = POLLIN});
      vec_push(&who, i);
    }
  pass_on_interruption(runners, count, budget, end);
  int left = patience(budget, *end);
  bool over = polled.len == 0 || left == 0;
  if (polled.len && left == 0)
    for (size_t i = 0; i < who.len; i++)
      runners[who.at[i]].lane->timed_out = true;
  if (!over && poll(polled.at, polled.len, left) > 0)
    for (size_t i = 0; i < polled.len && !over; i++)
      over = polled.at[i].revents && receive(&runners[who.at[i]], who.at[i], news, context);
  vec_clear(&polled);
  vec_clear(&who);
  return over;
}

void race_run(struct race_lane *lanes, size_t count, const struct budget *budget, race_news *news,
              void *context) {
  struct runner *runners = xcalloc(count, sizeof *runners);
  for (size_t i = 0; i < count; i++) {
    runners[i].lane = &lanes[i];
    start(&runners[i], count, runners, i);
  }
  int64_t end = 0; /* when interrupted lanes are killed; 0: not interrupted */
  while (!step(runners, count, budget, &end, news, context))
    ;
  for (size_t i = 0; i < count; i++) {
    stop(&runners[i]);
    buffer_clear(&runners[i].pending);
  }
  free(runners);
}
