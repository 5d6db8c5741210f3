#include "report/judge/race.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
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
#include "base/memory.h"
#include "base/vec.h"

/* How long lanes may take to report when they are interrupted. */
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
  r->lane->exhausted = memory_was_exhausted(status);
  r->lane->failed =
      !r->lane->exhausted && (WIFSIGNALED(status) || WEXITSTATUS(status) != COUPLET_EXIT_PROVED);
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

/* ---- the race ------------------------------------------------------------------------------- */

struct race {
  struct runner *runners;
  size_t count;
  const struct budget *budget;
  int64_t end;       /* when interrupted lanes are killed; 0: not interrupted */
  int64_t held_back; /* until when all but the first lane are; 0: they are not */
  race_news *news;
  void *context;
};

/* The first time the budget is found interrupted, so are the lanes. */
static void pass_on_interruption(struct race *race) {
  if (race->end || !budget_is_interrupted(race->budget)) return;
  race->end = budget_now_ns() + LAST_NS;
  for (size_t i = 0; i < race->count; i++)
    if (race->runners[i].pid) kill(race->runners[i].pid, SIGINT);
}

static bool has_one_processor(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1;
}

static void signal_others(struct race *race, int signal) {
  for (size_t i = 1; i < race->count; i++)
    if (race->runners[i].pid) kill(race->runners[i].pid, signal);
}

static void hold_back(struct race *race) {
  if (race->count < 2 || !race->runners[0].pid || !has_one_processor()) return;
  race->held_back = budget_now_ns() + HEAD_START_MS * 1000000;
  signal_others(race, SIGSTOP);
}

/* Ends the head start when it is time, or nobody needs it any more. */
static void let_go(struct race *race) {
  bool wanted = race->runners[0].pid && !race->end && budget_now_ns() < race->held_back;
  if (!race->held_back || wanted) return;
  race->held_back = 0;
  signal_others(race, SIGCONT);
}

/* Milliseconds until then; 0: it is past. */
static int until(int64_t time_ns) {
  int64_t left = time_ns - budget_now_ns();
  return left <= 0 ? 0 : (int)(left / 1000000) + 1;
}

static int sooner(int a, int b) {
  return a < 0 ? b : b < 0 ? a : a < b ? a : b;
}

/* Milliseconds until the lanes must be killed; -1: never, 0: now. */
static int patience(const struct race *race) {
  const struct budget *budget = race->budget;
  int left = budget && budget->deadline_ns ? until(budget->deadline_ns) : -1;
  return race->end ? sooner(left, until(race->end)) : left;
}

/* How long to wait for news: not past anything that has to be done. */
static int wait_ms(const struct race *race, int left) {
  enum { GLANCE_MS = 250 }; /* a signal just before the wait is noticed after it */
  if (race->budget && race->budget->is_interrupted) left = sooner(left, GLANCE_MS);
  return race->held_back ? sooner(left, until(race->held_back)) : left;
}

/* Waits for something to happen and deals with it; true if the race is over. */
static bool step(struct race *race) {
  VEC(struct pollfd) polled = {0};
  VEC(size_t) who = {0};
  pass_on_interruption(race);
  let_go(race);
  for (size_t i = 0; i < race->count; i++)
    if (race->runners[i].pid) {
      vec_push(&polled, (struct pollfd){.fd = race->runners[i].pipe, .events = POLLIN});
      vec_push(&who, i);
    }
  int left = patience(race);
  bool over = polled.len == 0 || left == 0;
  for (size_t i = 0; left == 0 && i < who.len; i++)
    race->runners[who.at[i]].lane->timed_out = true;
  if (!over && poll(polled.at, polled.len, wait_ms(race, left)) > 0)
    for (size_t i = 0; i < polled.len && !over; i++)
      over = polled.at[i].revents &&
             receive(&race->runners[who.at[i]], who.at[i], race->news, race->context);
  vec_clear(&polled);
  vec_clear(&who);
  return over;
}

void race_run(struct race_lane *lanes, size_t count, const struct budget *budget, race_news *news,
              void *context) {
  struct race race = {.runners = xcalloc(count, sizeof *race.runners),
                      .count = count,
                      .budget = budget,
                      .news = news,
                      .context = context};
  for (size_t i = 0; i < count; i++) {
    race.runners[i].lane = &lanes[i];
    start(&race.runners[i], count, race.runners, i);
  }
  hold_back(&race);
  while (!step(&race))
    ;
  for (size_t i = 0; i < count; i++) {
    stop(&race.runners[i]);
    buffer_clear(&race.runners[i].pending);
  }
  free(race.runners);
}
