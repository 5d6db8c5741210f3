/* The 54 automata of the peer tool: verdict and exact cost, when ../shared/peers is there. */
#include "testlib.h"

#include <stdio.h>
#include <string.h>

#include "automata/decide/automata.h"
#include "dipa_file.h"

#define FOLDER "../shared/peers/dipaut"

static void check_line(char *line) {
  char *field[5] = {0};
  for (int i = 0; i < 5; i++)
    field[i] = strsep(&line, "\t\n");
  char path[512];
  snprintf(path, sizeof path, FOLDER "/%s", field[0]);
  struct dipa_file f;
  if (!dipa_file_read(&f, path)) fail_msg("cannot read %s", path);
  struct automaton_result r;
  automaton_analyse(&r, &f.a);
  bool wants_private = strcmp(field[1], "private") == 0;
  if (wants_private != (r.verdict == AUTOMATON_PRIVATE)) fail_msg("%s: wrong verdict", field[0]);
  if (wants_private) {
    assert_true(r.exact);
    fmpq_t expected, weight;
    fmpq_init(expected);
    fmpq_init(weight);
    bool at_most = strncmp(field[2], "<= ", 3) == 0;
    assert_int_equal(fmpq_set_str(expected, field[2] + (at_most ? 3 : 0), 10), 0);
    int order = fmpq_cmp(r.upper, expected);
    if (at_most ? order > 0 : order != 0) fail_msg("%s: wrong cost", field[0]);
    /* never above the peer's weight */
    if (fmpq_set_str(weight, field[4], 10) == 0) assert_true(fmpq_cmp(r.upper, weight) <= 0);
    fmpq_clear(expected);
    fmpq_clear(weight);
  } else {
    /* the walk starts at the start, is connected, and its cycles close */
    assert_int_equal(r.verdict, AUTOMATON_NOT_PRIVATE);
    assert_true(r.walk.steps.len > 0 && r.walk.cycle_count > 0);
    uint32_t at = f.a.start;
    for (size_t i = 0; i < r.walk.steps.len; i++) {
      assert_int_equal(f.a.edges.at[r.walk.steps.at[i].edge].from, at);
      at = f.a.edges.at[r.walk.steps.at[i].edge].to;
    }
  }
  automaton_result_clear(&r);
  dipa_file_clear(&f);
}

static void agrees_with_expected(void **state) {
  (void)state;
  FILE *in = fopen(FOLDER "/expected.tsv", "r");
  if (!in) {
    print_message("skipped: " FOLDER " is not there\n");
    skip();
  }
  char line[1024];
  size_t count = 0;
  while (fgets(line, sizeof line, in))
    if (strncmp(line, "file\t", 5) != 0) {
      check_line(line);
      count++;
    }
  fclose(in);
  assert_int_equal(count, 54);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_expected)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
