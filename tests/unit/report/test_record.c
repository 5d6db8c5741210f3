#include <stdlib.h>
#include <string.h>

#include "report/record/decimal.h"
#include "report/record/record.h"
#include "report/record/record_json.h"
#include "report/render/record_text.h"
#include "testlib.h"

static struct file_record *file_with(const enum verdict *verdicts, size_t count) {
  struct file_record *f = file_record_new("x.dp");
  for (size_t i = 0; i < count; i++)
    vec_push(&f->claims, (struct claim_record){.name = xstrdup("c"), .verdict = verdicts[i]});
  return f;
}

static enum couplet_exit exit_of(struct file_record *a, struct file_record *b) {
  struct run_record run;
  run_record_init(&run);
  vec_push(&run.files, a);
  if (b) vec_push(&run.files, b);
  enum couplet_exit status = run_record_exit(&run);
  run_record_clear(&run);
  return status;
}

#define FILE_WITH(...)                                                                             \
  file_with((enum verdict[]){__VA_ARGS__},                                                         \
            sizeof((enum verdict[]){__VA_ARGS__}) / sizeof(enum verdict))

static void the_worst_outcome_gives_the_exit_status(void **state) {
  (void)state;
  assert_int_equal(exit_of(FILE_WITH(VERDICT_PROVED), FILE_WITH(VERDICT_PROVED)), 0);
  assert_int_equal(exit_of(FILE_WITH(VERDICT_PROVED, VERDICT_ADMITTED), NULL), 30);
  assert_int_equal(exit_of(FILE_WITH(VERDICT_ADMITTED), FILE_WITH(VERDICT_UNKNOWN)), 20);
  assert_int_equal(exit_of(FILE_WITH(VERDICT_UNKNOWN, VERDICT_REFUTED), FILE_WITH(VERDICT_PROVED)),
                   10);
  struct file_record *bad = FILE_WITH(VERDICT_REFUTED);
  bad->bad_input = true;
  assert_int_equal(exit_of(bad, FILE_WITH(VERDICT_REFUTED)), 2);
  struct file_record *crashed = FILE_WITH(VERDICT_PROVED);
  record_set(&crashed->internal_error, "signal 11");
  assert_int_equal(exit_of(crashed, bad = FILE_WITH(VERDICT_REFUTED)), 3);
}

static void nothing_verified_is_never_success(void **state) {
  (void)state;
  struct run_record none;
  run_record_init(&none);
  assert_int_equal(run_record_exit(&none), 2);
  assert_int_equal(exit_of(file_record_new("empty.dp"), NULL), 2);
  assert_int_equal(exit_of(file_record_new("empty.dp"), FILE_WITH(VERDICT_PROVED)), 2);
  struct file_record *stopped = file_record_new("slow.dp");
  record_set(&stopped->stopped, "time limit");
  assert_int_equal(exit_of(stopped, FILE_WITH(VERDICT_PROVED)), 20);
  struct claim_record zeroed = {0};
  assert_int_equal(zeroed.verdict, VERDICT_UNKNOWN);
}

static struct file_record *full_record(void) {
  struct file_record *f = file_record_new("dir/full.dp");
  vec_push(&f->claims, (struct claim_record){.name = xstrdup("svt"),
                                             .kind = CLAIM_AUTOMATON,
                                             .subject = xstrdup("svt"),
                                             .verdict = VERDICT_REFUTED,
                                             .epsilon = xstrdup("5/4 * eps"),
                                             .delta = xstrdup("1e-6"),
                                             .cost = xstrdup("7/4"),
                                             .lower = xstrdup("1.7"),
                                             .reason = xstrdup("because \xCE\xB5 \"quoted\""),
                                             .time_s = 0.25,
                                             .place = {xstrdup("dir/full.dp"), 3, 1, 3, 9},
                                             .counterexample = json_pack("{s:s}", "text", "shown"),
                                             .detail = json_pack("{s:i}", "states", 3)});
  struct record_diag d = {.severity = SEVERITY_WARNING,
                          .code = xstrdup("unused"),
                          .message = xstrdup("unused variable"),
                          .hint = xstrdup("remove it"),
                          .place = {xstrdup("dir/full.dp"), 1, 2, 1, 4},
                          .text = xstrdup("dir/full.dp:1:2: warning[unused]: unused variable\n")};
  vec_push(&d.notes,
           (struct record_note){{xstrdup("dir/full.dp"), 2, 2, 2, 3}, xstrdup("declared here")});
  vec_push(&f->diags, d);
  f->dropped_errors = 4;
  return f;
}

static void json_reads_back_as_the_same_record(void **state) {
  (void)state;
  struct file_record *f = full_record();
  json_t *once = file_record_to_json(f);
  struct file_record *back = file_record_from_json(once);
  assert_non_null(back);
  json_t *twice = file_record_to_json(back);
  assert_true(json_equal(once, twice));
  assert_int_equal(back->claims.at[0].verdict, VERDICT_REFUTED);
  assert_int_equal(back->dropped_errors, 4);
  json_decref(once);
  json_decref(twice);
  file_record_free(f);
  file_record_free(back);
}

static void json_has_the_fields_of_the_contract(void **state) {
  (void)state;
  struct run_record run;
  run_record_init(&run);
  vec_push(&run.files, full_record());
  json_t *json = run_record_to_json(&run);
  assert_int_equal(json_integer_value(json_object_get(json, "version")), JSON_VERSION);
  json_t *file = json_array_get(json_object_get(json, "files"), 0);
  json_t *claim = json_array_get(json_object_get(file, "claims"), 0);
  const char *keys[] = {"name",        "kind",   "verdict",    "epsilon",    "delta",
                        "cost",        "lower",  "lower_unit", "lower_text", "unbounded",
                        "cost_number", "time_s", "reason",     "location",   "counterexample"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    assert_non_null(json_object_get(claim, keys[i]));
  assert_int_equal(json_integer_value(json_object_get(json_object_get(claim, "location"), "line")),
                   3);
  json_decref(json);
  run_record_clear(&run);
}

/* What programs compute with are numbers; the text beside says the same. */
static void bounds_are_numbers(void **state) {
  (void)state;
  static const struct {
    const char *lower, *cost, *unit;
    double number, cost_number;
    bool unbounded;
  } cases[] = {{"1.7", "7/4", "eps", 1.7, 1.75, false},
               {"0.999 times the claim", "2*eps", "claim", 0.999, 0, false},
               {"1.234e15 times the claim", NULL, "claim", 1.234e15, 0, false},
               {"unbounded", NULL, NULL, 0, 0, true},
               {"at most 3", NULL, NULL, 0, 0, false},
               {NULL, "3", NULL, 0, 3, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct claim_record c = {.name = xstrdup("c")};
    record_set(&c.lower, cases[i].lower);
    record_set(&c.cost, cases[i].cost);
    json_t *json = claim_record_to_json(&c);
    const json_t *lower = json_object_get(json, "lower");
    const char *unit = json_string_value(json_object_get(json, "lower_unit"));
    assert_int_equal(json_is_real(lower), cases[i].unit != NULL);
    assert_true(!unit == !cases[i].unit && (!unit || strcmp(unit, cases[i].unit) == 0));
    assert_true(json_number_value(lower) == cases[i].number);
    assert_true(json_number_value(json_object_get(json, "cost_number")) == cases[i].cost_number);
    assert_int_equal(json_is_true(json_object_get(json, "unbounded")), cases[i].unbounded);
    json_decref(json);
    claim_record_clear(&c);
  }
}

static void garbage_is_not_a_record(void **state) {
  (void)state;
  const char *texts[] = {"{}", "{\"file\":\"x\"}", "[]", "{\"file\":3,\"claims\":[]}"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    json_t *json = json_loads(texts[i], 0, NULL);
    assert_null(file_record_from_json(json));
    json_decref(json);
  }
  /* An unknown verdict word claims nothing. */
  json_t *odd = json_loads("{\"file\":\"x\",\"claims\":[{\"verdict\":\"PROVED\"}]}", 0, NULL);
  struct file_record *f = file_record_from_json(odd);
  assert_int_equal(f->claims.at[0].verdict, VERDICT_UNKNOWN);
  file_record_free(f);
  json_decref(odd);
}

static void text_shows_verdict_claim_and_reason(void **state) {
  (void)state;
  struct file_record *f = full_record();
  struct buffer b;
  buffer_init(&b);
  file_record_to_text(&b, f, (struct text_style){false});
  assert_string_equal(
      buffer_text(&b),
      "dir/full.dp\n"
      "  refuted  svt                      (5/4 * eps, 1e-6)-private, but costs 7/4*eps, "
      "loses at least 1.7*eps  (0.25 s)\n"
      "           because \xCE\xB5 \"quoted\"\n"
      "           shown\n");
  buffer_clear(&b);
  file_record_free(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_worst_outcome_gives_the_exit_status),
      cmocka_unit_test(nothing_verified_is_never_success),
      cmocka_unit_test(json_reads_back_as_the_same_record),
      cmocka_unit_test(json_has_the_fields_of_the_contract),
      cmocka_unit_test(bounds_are_numbers),
      cmocka_unit_test(garbage_is_not_a_record),
      cmocka_unit_test(text_shows_verdict_claim_and_reason),
  };
  return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
