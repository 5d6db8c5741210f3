#include "report/judge/race.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/buffer.h"
#include "base/child.h"
#include "base/exit_codes.h"
#include "base/memory.h"
#include "base/vec.h"
#include "report/judge/json_lines.h"

/* How long lanes may take to report when they are interrupted. */
static const int64_t LAST_NS = 3000000000;

struct runner {
  struct race_lane *lane;
  size_t lanes; /* of the race */
  struct child child;
  struct buffer arrived;
};

/* ---- child ---------------------------------------------------------------------------------- */

static int run_lane(void *context, int out) {
  const struct runner *r = context;
  struct rlimit memory;
  if (getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY) {
    memory.rlim_cur /= r->lanes;
    setrlimit(RLIMIT_AS, &memory);
  }
  r->lane->run(r->lane->context, out);
  return COUPLET_EXIT_PROVED;
}

/* ---- owner ---------------------------------------------------------------------------------- */

static void start(struct runner *r) {
  if (!child_start(&r->child, run_lane, r)) r->lane->ended = r->lane->failed = true;
}

static void reap(struct runner *r) {
  int status = child_reap(&r->child);
  r->lane->ended = true;
  r->lane->exhausted = memory_was_exhausted(status);
  r->lane->failed =
      !r->lane->exhausted && (WIFSIGNALED(status) || WEXITSTATUS(status) != COUPLET_EXIT_PROVED);
  r->lane->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void stop(struct runner *r) {
  if (r->child.pid) {
    child_kill(&r->child);
    child_reap(&r->child);
    r->lane->ended = true;
  }
  buffer_clear(&r->arrived);
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

struct news_of_lane {
  const struct race *race;
  size_t lane;
};

static bool pass_on(void *context, const json_t *value) {
  const struct news_of_lane *news = context;
  return news->race->news(news->race->context, news->lane, value);
}

/* Reads what has arrived from the lane; true if the owner has enough. */
static bool receive(const struct race *race, size_t lane) {
  struct runner *r = &race->runners[lane];
  size_t before = r->arrived.len;
  enum child_news news = child_read(&r->child, &r->arrived);
  if (news == CHILD_END) {
    reap(r);
    return race->news(race->context, lane, NULL);
  }
  struct news_of_lane context = {race, lane};
  return news == CHILD_DATA && json_lines_take(&r->arrived, before, pass_on, &context);
}

/* The first time the budget is found interrupted, so are the lanes. */
static void pass_on_interruption(struct race *race) {
  if (race->end || !budget_is_interrupted(race->budget)) return;
  race->end = budget_now_ns() + LAST_NS;
  for (size_t i = 0; i < race->count; i++)
    if (race->runners[i].child.pid) kill(race->runners[i].child.pid, SIGINT);
}

static bool has_one_processor(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1;
}

static void signal_others(struct race *race, int signal) {
  for (size_t i = 1; i < race->count; i++)
    if (race->runners[i].child.pid) kill(race->runners[i].child.pid, signal);
}

static void hold_back(struct race *race) {
  if (race->count < 2 || !race->runners[0].child.pid || !has_one_processor()) return;
  race->held_back = budget_now_ns() + HEAD_START_MS * 1000000;
  signal_others(race, SIGSTOP);
}

/* Ends the head start when it is time, or nobody needs it any more. */
static void let_go(struct race *race) {
  bool wanted = race->runners[0].child.pid && !race->end && budget_now_ns() < race->held_back;
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
    if (race->runners[i].child.pid) {
      vec_push(&polled, (struct pollfd){.fd = race->runners[i].child.pipe, .events = POLLIN});
      vec_push(&who, i);
    }
  int left = patience(race);
  bool over = polled.len == 0 || left == 0;
  for (size_t i = 0; left == 0 && i < who.len; i++)
    race->runners[who.at[i]].lane->timed_out = true;
  if (!over && poll(polled.at, polled.len, wait_ms(race, left)) > 0)
    for (size_t i = 0; i < polled.len && !over; i++)
      over = polled.at[i].revents && receive(race, who.at[i]);
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
    race.runners[i] = (struct runner){.lane = &lanes[i], .lanes = count};
    start(&race.runners[i]);
  }
  hold_back(&race);
  while (!step(&race))
    ;
  for (size_t i = 0; i < count; i++)
    stop(&race.runners[i]);
  free(race.runners);
}
