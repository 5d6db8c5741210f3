#include "report/judge/workers.h"

#include <poll.h>
#include <stdlib.h>

#include "base/budget.h"
#include "report/judge/worker.h"

struct slot {
  size_t index; /* of the file */
  struct worker worker;
};

static bool is_busy(const struct slot *s) {
  return s->worker.child.pid != 0;
}

/* Milliseconds until the next deadline; -1: none. Kills the workers that are past theirs. */
static int enforce_deadlines(struct slot *slots, size_t count) {
  double next = -1;
  for (size_t i = 0; i < count; i++) {
    double left = worker_enforce_deadline(&slots[i].worker);
    if (left >= 0 && (next < 0 || left < next)) next = left;
  }
  return next < 0 ? -1 : (int)(next * 1000) + 1;
}

static void take_record(struct slot *s, struct run_record *run) {
  file_record_free(run->files.at[s->index]);
  run->files.at[s->index] = s->worker.file;
  s->worker.file = NULL;
}

/* Waits for something to happen, at most `most` milliseconds (-1: for ever). */
static void wait_for_news(struct slot *slots, size_t count, struct run_record *run,
                          const struct worker_options *options, int most) {
  VEC(struct pollfd) polled = {0};
  VEC(struct slot *) owner = {0};
  int timeout = enforce_deadlines(slots, count);
  if (most >= 0 && (timeout < 0 || timeout > most)) timeout = most;
  for (size_t i = 0; i < count; i++)
    if (is_busy(&slots[i])) {
      vec_push(&polled, (struct pollfd){.fd = slots[i].worker.child.pipe, .events = POLLIN});
      vec_push(&owner, &slots[i]);
    }
  if (poll(polled.at, polled.len, timeout) > 0)
    for (size_t i = 0; i < polled.len; i++)
      if (polled.at[i].revents && worker_receive(&owner.at[i]->worker)) {
        worker_finish(&owner.at[i]->worker, options);
        take_record(owner.at[i], run);
      }
  vec_clear(&polled);
  vec_clear(&owner);
}

static struct slot *free_slot(struct slot *slots, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!is_busy(&slots[i])) return &slots[i];
  return NULL;
}

static bool running(const struct slot *slots, size_t count, size_t index) {
  for (size_t i = 0; i < count; i++)
    if (is_busy(&slots[i]) && slots[i].index == index) return true;
  return false;
}

static bool is_decided(const struct claim_record *c) {
  return c->verdict != VERDICT_UNKNOWN;
}

/* The state of the first file that is not done. */
static void tick(const struct workers_options *options, void *context, const struct slot *slots,
                 size_t capacity, const struct run_record *run, size_t done, int64_t start) {
  struct workers_status status = {.path = run->files.at[done]->path,
                                  .files = run->files.len,
                                  .files_done = done,
                                  .seconds = (double)(budget_now_ns() - start) * 1e-9};
  for (size_t i = 0; i < capacity; i++) {
    const struct file_record *file = slots[i].worker.file;
    if (!is_busy(&slots[i]) || slots[i].index != done || !file) continue;
    status.claims = file->claims.len;
    for (size_t j = 0; j < file->claims.len; j++)
      status.claims_decided += is_decided(&file->claims.at[j]);
  }
  options->tick(context, &status);
}

void workers_run(const char *const *paths, size_t count, const struct workers_options *options,
                 struct run_record *run, workers_done *done, void *context) {
  enum { TICK_MS = 250 };
  const struct worker_options each = {options->verify, options->memory_mb};
  const volatile sig_atomic_t *interrupted = options->verify.interrupted;
  size_t capacity = options->jobs > 0 ? (size_t)options->jobs : 1, next = 0, reported = 0;
  if (capacity > count && count) capacity = count;
  struct slot *slots = xcalloc(capacity, sizeof *slots);
  int64_t start = budget_now_ns();
  sig_atomic_t noticed = 0;
  for (size_t i = 0; i < count; i++)
    vec_push(&run->files, file_record_new(paths[i]));
  while (reported < count) {
    struct slot *s;
    if (interrupted && *interrupted > noticed) {
      noticed = *interrupted;
      for (size_t i = 0; i < capacity; i++)
        worker_interrupt(&slots[i].worker);
    }
    for (; noticed && next < count; next++)
      record_set(&run->files.at[next]->stopped, "interrupted before it was looked at");
    while (next < count && (s = free_slot(slots, capacity))) {
      s->index = next;
      if (!worker_start(&s->worker, paths[next], &each)) take_record(s, run);
      next++;
    }
    while (reported < next && !running(slots, capacity, reported)) {
      if (done) done(context, run->files.at[reported]);
      reported++;
    }
    if (reported == next) continue;
    wait_for_news(slots, capacity, run, &each, interrupted || options->tick ? TICK_MS : -1);
    if (options->tick) tick(options, context, slots, capacity, run, reported, start);
  }
  free(slots);
}
