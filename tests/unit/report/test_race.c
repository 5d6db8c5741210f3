/* Lanes: what they send arrives in order, the owner can stop them, death and deadlines are noticed;
 * and two answers become one verdict, or an internal error. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/judge/json_lines.h"
#include "report/judge/judge_program.h"
#include "report/judge/race.h"
#include "testlib.h"

struct seen {
  size_t values, ends;
  json_int_t last;
  json_int_t stop_at; /* 0: never */
};

static bool note(void *context, size_t lane, const json_t *value) {
  struct seen *seen = &((struct seen *)context)[lane];
  if (!value) {
    seen->ends++;
    return false;
  }
  assert_int_equal(json_integer_value(value), seen->last + 1); /* in order, none lost */
  seen->last = json_integer_value(value);
  seen->values++;
  return seen->stop_at && seen->last >= seen->stop_at;
}

static void count_up(void *context, int out) {
  for (long i = 1; i <= *(long *)context; i++)
    json_line_send(out, json_integer(i));
}

static void count_for_ever(void *context, int out) {
  count_up(context, out);
  for (;;)
    pause();
}

static void die(void *context, int out) {
  count_up(context, out);
  raise(SIGKILL);
}

static void both_end(void **state) {
  (void)state;
  long many = 20000, few = 3;
  struct seen seen[2] = {{0}};
  struct race_lane lanes[2] = {{.run = count_up, .context = &many},
                               {.run = count_up, .context = &few}};
  race_run(lanes, 2, NULL, note, seen);
  assert_int_equal(seen[0].values, 20000);
  assert_int_equal(seen[1].values, 3);
  assert_true(seen[0].ends == 1 && seen[1].ends == 1);
  assert_false(lanes[0].failed || lanes[1].failed);
}

static void first_answer_stops_the_other(void **state) {
  (void)state;
  long one = 1, five = 5;
  struct seen seen[2] = {{0}, {.stop_at = 5}};
  struct race_lane lanes[2] = {{.run = count_for_ever, .context = &one},
                               {.run = count_for_ever, .context = &five}};
  race_run(lanes, 2, NULL, note, seen);
  assert_int_equal(seen[1].values, 5);
  assert_false(lanes[0].failed || lanes[1].failed); /* stopped is not failed */
}

static void death_is_noticed(void **state) {
  (void)state;
  long two = 2, three = 3;
  struct seen seen[2] = {{0}};
  struct race_lane lanes[2] = {{.run = die, .context = &two}, {.run = count_up, .context = &three}};
  race_run(lanes, 2, NULL, note, seen);
  assert_true(lanes[0].failed);
  assert_int_equal(lanes[0].signal, SIGKILL);
  assert_int_equal(seen[0].values, 2);
  assert_int_equal(seen[1].values, 3);
  assert_false(lanes[1].failed);
}

static void deadlines_hold(void **state) {
  (void)state;
  long one = 1;
  struct seen seen[1] = {{0}};
  struct race_lane lane = {.run = count_for_ever, .context = &one};
  struct budget budget = budget_of_seconds(0.1);
  int64_t start = budget_now_ns();
  race_run(&lane, 1, &budget, note, seen);
  assert_true(lane.timed_out);
  assert_false(lane.failed);
  assert_int_equal(seen[0].values, 1);
  assert_true(budget_now_ns() - start < 5000000000);
}

/* ---- verdicts ------------------------------------------------------------------------------- */

static struct claim_record answer(enum verdict verdict, const char *cost, const char *reason) {
  struct claim_record c = {.verdict = verdict};
  record_set(&c.cost, cost);
  record_set(&c.reason, reason);
  return c;
}

static char *combined(struct claim_record *c, struct claim_record prover,
                      struct claim_record refuter) {
  *c = (struct claim_record){.name = xstrdup("m")};
  record_set(&c->reason, "not decided yet");
  record_set(&refuter.lower, "2.000 times the claim");
  char *error = judge_combine(c, &prover, &refuter, "0.500 times the claim");
  claim_record_clear(&prover);
  claim_record_clear(&refuter);
  return error;
}

static void one_certain_answer_counts(void **state) {
  (void)state;
  struct claim_record c;
  assert_null(
      combined(&c, answer(VERDICT_PROVED, "eps", NULL), answer(VERDICT_UNKNOWN, NULL, "b")));
  assert_int_equal(c.verdict, VERDICT_PROVED);
  assert_string_equal(c.cost, "eps");
  assert_string_equal(c.lower, "0.500 times the claim");
  assert_null(c.reason);
  claim_record_clear(&c);
  assert_null(
      combined(&c, answer(VERDICT_UNKNOWN, NULL, "a"), answer(VERDICT_REFUTED, NULL, NULL)));
  assert_int_equal(c.verdict, VERDICT_REFUTED);
  assert_string_equal(c.lower, "2.000 times the claim");
  assert_null(c.cost);
  claim_record_clear(&c);
  assert_null(combined(&c, answer(VERDICT_UNKNOWN, NULL, "a"), answer(VERDICT_UNKNOWN, NULL, "b")));
  assert_int_equal(c.verdict, VERDICT_UNKNOWN);
  assert_string_equal(c.reason, "a\nb");
  claim_record_clear(&c);
}

static void both_certain_is_an_internal_error(void **state) {
  (void)state;
  struct claim_record c;
  char *error =
      combined(&c, answer(VERDICT_PROVED, "eps", NULL), answer(VERDICT_REFUTED, NULL, NULL));
  assert_non_null(error);
  assert_non_null(strstr(error, "both proved and refuted"));
  assert_int_equal(c.verdict, VERDICT_UNKNOWN);
  assert_null(c.cost);
  free(error);
  claim_record_clear(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_end),
      cmocka_unit_test(first_answer_stops_the_other),
      cmocka_unit_test(death_is_noticed),
      cmocka_unit_test(deadlines_hold),
      cmocka_unit_test(one_certain_answer_counts),
      cmocka_unit_test(both_certain_is_an_internal_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
