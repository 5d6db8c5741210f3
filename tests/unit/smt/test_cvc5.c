/* Dumps and the second solver. Skipped, visibly, where there is no cvc5.
 * ctest-label: release */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "smt/cvc5.h"
#include "smt/facts.h"
#include "smt/smt.h"
#include "term/build.h"
#include "termgen.h"
#include "testlib.h"

static struct terms ts;
static char directory[64];

static int setup(void **state) {
  (void)state;
  terms_init(&ts);
  strcpy(directory, "/tmp/couplet-smt-XXXXXX");
  return mkdtemp(directory) ? 0 : -1;
}

static void for_each_file(void (*visit)(const char *path)) {
  DIR *d = opendir(directory);
  for (struct dirent *e; d && (e = readdir(d));) {
    if (e->d_name[0] == '.') continue;
    char *path = xasprintf("%s/%s", directory, e->d_name);
    visit(path);
    free(path);
  }
  if (d) closedir(d);
}

static void remove_file(const char *path) {
  unlink(path);
}

static int teardown(void **state) {
  (void)state;
  for_each_file(remove_file);
  rmdir(directory);
  terms_clear(&ts);
  return 0;
}

static void need_cvc5(void) {
  if (cvc5_available("cvc5")) return;
  print_message("SKIPPED: no cvc5 on this machine\n");
  skip();
}

static char *first_line_of(const char *command) {
  FILE *f = popen(command, "r");
  char line[256] = "";
  if (f && !fgets(line, sizeof line, f)) line[0] = 0;
  if (f) pclose(f);
  line[strcspn(line, "\n")] = 0;
  return xstrdup(line);
}

/* An obligation with most kinds of terms. */
static enum smt_verdict ask_mixed(struct smt *smt, long bound) {
  sort_id reals = sort_array(&ts, SORT_REAL), ints = sort_list(&ts, SORT_INT);
  sort_id pair = sort_tuple(&ts, (sort_id[]){SORT_INT, SORT_REAL}, 2);
  sort_id db = sort_abstract(&ts, "Db");
  symbol_id f = symbol_declare(&ts, "f", (sort_id[]){db, SORT_REAL}, 2, SORT_REAL);
  term_id q = term_var(&ts, "q", reals, 1, 0), l = term_var(&ts, "l", ints, 2, 0);
  term_id p = term_var(&ts, "p", pair, 0, 0), d = term_var(&ts, "d", db, 1, 0);
  term_id i = term_var(&ts, "i", SORT_INT, 0, 0), n = term_var(&ts, "n", SORT_INT, 0, 0);
  term_id all = term_forall_range(&ts, i, term_int(&ts, 0), n,
                                  term_le(&ts, term_select(&ts, q, i), term_int(&ts, 1)));
  term_id value = term_select(&ts, q, term_length(&ts, l));
  term_id hyps[] = {all, term_lt(&ts, term_length(&ts, l), n),
                    term_eq(&ts, term_proj(&ts, p, 1), term_app(&ts, f, (term_id[]){d, value}, 2)),
                    term_eq(&ts, term_mod(&ts, n, term_int(&ts, -3)), term_int(&ts, 0))};
  term_id goal = term_le(&ts, term_max(&ts, value, term_rat(&ts, -5, 2)), term_int(&ts, bound));
  return smt_entails(smt, "mixed: terms / of\nall kinds", span_none(), hyps, 4, goal);
}

static void check_dump(const char *path) {
  char *command = xasprintf("cvc5 -q --lang=smt2 '%s' 2>&1", path);
  char *answer = first_line_of(command);
  assert_string_equal(answer, "unsat");
  free(answer);
  free(command);
}

static void dumps_are_self_contained(void **state) {
  (void)state;
  struct smt smt;
  struct smt_options options = smt_default_options();
  options.dump_dir = directory;
  smt_init(&smt, &ts, &options);
  assert_int_equal(ask_mixed(&smt, 1), SMT_VALID);
  const char *path = smt_last(&smt)->dump;
  assert_non_null(path);
  assert_non_null(strstr(path, "mixed"));
  term_id x = term_var(&ts, "x", SORT_REAL, 0, 0), one = term_rat(&ts, 1, 1);
  term_id e = term_exp(&ts, x);
  assert_int_equal(smt_implies(&smt, "exp", span_none(), term_lt(&ts, term_rat(&ts, 0, 1), x),
                               term_lt(&ts, one, e)),
                   SMT_VALID);
  smt_clear(&smt);
  need_cvc5();
  /* of the questions that are no proof only the first of an obligation is written */
  char *command = xasprintf("grep -L 'status unsat' %s/*.smt2 | xargs rm -f", directory);
  assert_int_equal(system(command), 0);
  free(command);
  for_each_file(check_dump);
}

static void cvc5_seconds_and_objects(void **state) {
  (void)state;
  need_cvc5();
  struct smt smt;
  struct smt_options options = smt_default_options();
  options.cross_check = true;
  smt_init(&smt, &ts, &options);
  assert_int_equal(ask_mixed(&smt, 1), SMT_VALID);
  assert_true(smt_last(&smt)->cross_checked);
  assert_int_not_equal(ask_mixed(&smt, 0), SMT_VALID);
  assert_false(smt_last(&smt)->disagreement);
  smt_clear(&smt);
}

/* A second solver that always finds a model: nothing is valid any more, and the record says why. */
static void disagreement_is_unknown_and_loud(void **state) {
  (void)state;
  char *script = xasprintf("%s/liar", directory);
  FILE *f = fopen(script, "w");
  assert_non_null(f);
  fputs("#!/bin/sh\necho sat\n", f);
  fclose(f);
  assert_int_equal(chmod(script, 0700), 0);
  struct smt smt;
  struct smt_options options = smt_default_options();
  options.cross_check = true;
  options.cvc5 = script;
  smt_init(&smt, &ts, &options);
  assert_int_equal(ask_mixed(&smt, 1), SMT_UNKNOWN);
  assert_true(smt_last(&smt)->disagreement);
  assert_non_null(strstr(smt_last(&smt)->reason, "DISAGREEMENT"));
  smt_clear(&smt);
  options.cvc5 = "/nonexistent/cvc5"; /* cannot second, does not object */
  smt_init(&smt, &ts, &options);
  assert_int_equal(ask_mixed(&smt, 1), SMT_VALID);
  assert_false(smt_last(&smt)->cross_checked);
  smt_clear(&smt);
  free(script);
}

/* One cvc5 process answers all obligations, separated by (reset). */
static void random_obligations_agree(void **state) {
  (void)state;
  need_cvc5();
  struct termgen g;
  termgen_init(&g, &ts, 99);
  g.linear = true;
  char *path = xasprintf("%s/all.smt2", directory);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  size_t rounds = test_rounds(200);
  enum solver_answer *answers = xcalloc(rounds, sizeof *answers);
  struct solver_session session = {0};
  for (size_t i = 0; i < rounds; i++) {
    term_id h = termgen_term(&g, SORT_BOOL, 3), goal = termgen_term(&g, SORT_BOOL, 3);
    if (i % 2) goal = term_or(&ts, goal, term_and(&ts, h, termgen_term(&g, SORT_BOOL, 1)));
    term_list formulas = {0};
    vec_push(&formulas, h);
    vec_push(&formulas, term_not(&ts, goal));
    term_list facts = {0};
    facts_lists(&ts, formulas.at, formulas.len, &facts);
    for (size_t k = 0; k < facts.len; k++)
      vec_push(&formulas, facts.at[k]);
    struct encoding text;
    assert_true(encode_assertions(&text, &ts, formulas.at, formulas.len));
    char *reason;
    struct solver_limits limits = {1000, 200000};
    answers[i] = solver_check(&session, &text, NULL, limits, NULL, &reason);
    free(reason);
    fprintf(f, "(reset)\n(set-logic ALL)\n%s(check-sat)\n", buffer_text(&text.text));
    encoding_clear(&text);
    vec_clear(&formulas);
    vec_clear(&facts);
  }
  fclose(f);
  solver_session_clear(&session);
  char *command = xasprintf("cvc5 -q --lang=smt2 --tlimit-per=80 '%s' 2>&1", path);
  FILE *out = popen(command, "r");
  assert_non_null(out);
  size_t agreed = 0, seen = 0, conflicts = 0;
  for (char line[256]; seen < rounds && fgets(line, sizeof line, out); seen++) {
    line[strcspn(line, "\n")] = 0;
    bool unsat = strcmp(line, "unsat") == 0, sat = strcmp(line, "sat") == 0;
    if (!unsat && !sat && strncmp(line, "unknown", 7) != 0) print_message("cvc5: %s\n", line);
    assert_true(unsat || sat || strncmp(line, "unknown", 7) == 0);
    agreed += (unsat && answers[seen] == SOLVER_UNSAT) || (sat && answers[seen] == SOLVER_SAT);
    conflicts += (unsat && answers[seen] == SOLVER_SAT) || (sat && answers[seen] == SOLVER_UNSAT);
  }
  pclose(out);
  assert_int_equal(seen, rounds);
  assert_int_equal(conflicts, 0);
  assert_true(agreed > rounds / 2);
  free(command);
  free(answers);
  free(path);
  termgen_clear(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(dumps_are_self_contained, setup, teardown),
      cmocka_unit_test_setup_teardown(cvc5_seconds_and_objects, setup, teardown),
      cmocka_unit_test_setup_teardown(disagreement_is_unknown_and_loud, setup, teardown),
      cmocka_unit_test_setup_teardown(random_obligations_agree, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
