/* Sessions with the solver: what was asked before changes no answer, and is not asked again. */
#include <stdlib.h>

#include "smt/solver.h"
#include "term/build.h"
#include "termgen.h"
#include "testlib.h"

static struct terms ts;
static struct solver_session session;
static const struct solver_limits LIMITS = {60000, 200000}; /* units decide, not the time */

static int setup(void **state) {
  (void)state;
  terms_init(&ts);
  session = (struct solver_session){0};
  return 0;
}

static int teardown(void **state) {
  (void)state;
  solver_session_clear(&session);
  terms_clear(&ts);
  return 0;
}

static enum solver_answer ask(struct solver_session *s, term_id formula, const char *tactic,
                              struct solver_limits limits, struct model *model) {
  struct encoding text;
  char *reason;
  assert_true(encode_assertions(&text, &ts, &formula, 1));
  enum solver_answer answer = solver_check(s, &text, tactic, limits, model, &reason);
  assert_int_equal(answer == SOLVER_UNKNOWN, reason != NULL);
  free(reason);
  encoding_clear(&text);
  return answer;
}

/* Both in one session after others and each in a session of its own. */
static void earlier_questions_change_no_answer(void **state) {
  (void)state;
  struct termgen g;
  termgen_init(&g, &ts, 7);
  g.linear = true;
  size_t decided = 0, rounds = test_rounds(20);
  for (size_t i = 0; i < rounds; i++) {
    struct solver_session own = {0};
    term_id formula = term_and(&ts, termgen_term(&g, SORT_BOOL, 3), termgen_term(&g, SORT_BOOL, 2));
    enum solver_answer late = ask(&session, formula, SOLVER_CORE, LIMITS, NULL);
    enum solver_answer alone = ask(&own, formula, SOLVER_CORE, LIMITS, NULL);
    bool both = late != SOLVER_UNKNOWN && alone != SOLVER_UNKNOWN;
    if (both) assert_int_equal(late, alone);
    decided += both;
    solver_session_clear(&own);
  }
  assert_true(decided > rounds / 2);
}

/* x * x = 4 and x < 0, with its model. */
static void nothing_is_asked_twice(void **state) {
  (void)state;
  term_id x = term_var(&ts, "x", SORT_REAL, 0, 0);
  term_id formula = term_and(&ts, term_eq(&ts, term_mul(&ts, x, x), term_int(&ts, 4)),
                             term_lt(&ts, x, term_int(&ts, 0)));
  assert_int_equal(ask(&session, formula, SOLVER_NONLINEAR, LIMITS, NULL), SOLVER_SAT);
  unsigned units = session.units;
  assert_true(units > 0);
  struct model model;
  model_init(&model, &ts);
  assert_int_equal(ask(&session, formula, SOLVER_NONLINEAR, (struct solver_limits){1, 1}, &model),
                   SOLVER_SAT);
  assert_int_equal(session.units, units);
  assert_int_equal(eval_truth(&model.ev, formula), 1);
  model_clear(&model);
  /* another strategy is another question */
  ask(&session, formula, NULL, LIMITS, NULL);
  assert_true(session.units > units);
}

/* x^3 + y^3 = z^3 in positive integers: out of reach, with whatever limit. */
static void what_is_unknown_is_asked_again_with_more(void **state) {
  (void)state;
  term_id cubes[3], formula = ts.true_term;
  for (int i = 0; i < 3; i++) {
    char name[2] = {(char)('x' + i), 0};
    term_id v = term_var(&ts, name, SORT_INT, 0, 0);
    cubes[i] = term_mul(&ts, v, term_mul(&ts, v, v));
    formula = term_and(&ts, formula, term_lt(&ts, term_int(&ts, 0), v));
  }
  term_id sum = term_add(&ts, cubes[0], cubes[1]);
  formula = term_and(&ts, formula, term_eq(&ts, sum, cubes[2]));
  struct solver_limits little = {60000, 500}, more = {60000, 2000};
  assert_int_equal(ask(&session, formula, SOLVER_CORE, little, NULL), SOLVER_UNKNOWN);
  unsigned units = session.units;
  assert_int_equal(ask(&session, formula, SOLVER_CORE, little, NULL), SOLVER_UNKNOWN);
  assert_int_equal(session.units, units);
  assert_int_equal(ask(&session, formula, SOLVER_CORE, more, NULL), SOLVER_UNKNOWN);
  assert_true(session.units > units);
  units = session.units;
  assert_int_equal(ask(&session, formula, SOLVER_CORE, little, NULL), SOLVER_UNKNOWN);
  assert_int_equal(session.units, units);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(earlier_questions_change_no_answer, setup, teardown),
      cmocka_unit_test_setup_teardown(nothing_is_asked_twice, setup, teardown),
      cmocka_unit_test_setup_teardown(what_is_unknown_is_asked_again_with_more, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
