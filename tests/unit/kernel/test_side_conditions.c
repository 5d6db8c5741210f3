/* Side conditions of rules that no proof text can violate, asked of the rules themselves. Premises
 * are admitted: only the rule under test can refuse. */
#include "kernel/rules.h"
#include "smt/smt.h"
#include "term/build.h"
#include "testlib.h"

static struct terms ts;
static struct smt smt;
static struct kernel *k;

static int setup(void **state) {
  (void)state;
  terms_init(&ts);
  smt_init(&smt, &ts, NULL);
  k = kernel_new(&ts, &smt.decider);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  kernel_free(k);
  smt_clear(&smt);
  terms_clear(&ts);
  return 0;
}

static proof_of admitted(const struct core *c1, const struct core *c2, term_id pre, term_id post) {
  return rule_admit(k, span_none(), c1, c2, pre, post);
}

/* Advanced composition of `while i < 10 { inner; i := i + 1 }`. */
static proof_of compose(const struct core *inner, term_id i) {
  struct arena *arena = kernel_arena(k);
  const struct core *step = core_assign(arena, span_none(), i, term_add(&ts, i, term_int(&ts, 1)));
  const struct core *loop = core_while(arena, span_none(), term_lt(&ts, i, term_int(&ts, 10)),
                                       core_seq(arena, inner, step));
  term_id here = kernel_tag(k, i, 1), there = kernel_tag(k, i, 2);
  struct advanced how = {
      .relation = term_and(&ts, term_eq(&ts, here, there), term_le(&ts, here, term_int(&ts, 10))),
      .hits = i,
      .count = kernel_fresh(k, "m", SORT_INT),
      .most = term_int(&ts, 10),
      .epsilon = term_rat(&ts, 1, 10),
      .omega = term_rat(&ts, 1, 100)};
  struct advanced_goal f = advanced_goal(k, loop, loop, &how, false);
  struct advanced_goal b = advanced_goal(k, loop, loop, &how, true);
  return rule_advanced(k, loop, loop, &how, admitted(loop->first, loop->first, f.pre, f.post),
                       admitted(loop->first, loop->first, b.pre, b.post));
}

/* x <$ Bernoulli(p), hang unless x: with p = 1-eps against 1-2*eps both directions cost eps, and n
 * iterations cost n*eps, not sqrt(n)*eps. */
static void composed_bodies_must_end(void **state) {
  (void)state;
  struct arena *arena = kernel_arena(k);
  term_id i = kernel_var(k, "i", SORT_INT, false), x = kernel_var(k, "x", SORT_BOOL, false);
  term_id p = kernel_var(k, "p", SORT_REAL, true), j = kernel_var(k, "j", SORT_INT, false);
  const struct core *flip = core_sample(arena, span_none(), x, DIST_BERNOULLI, &p, 1);
  const struct core *hang = core_while(arena, span_none(), term_not(&ts, x), core_skip());
  assert_null(compose(core_seq(arena, flip, hang), i));
  assert_string_equal(kernel_failure(k)->rule, "LOSSLESS");
  assert_non_null(compose(core_skip(), i));
  const struct core *count =
      core_while(arena, span_none(), term_lt(&ts, j, term_int(&ts, 5)),
                 core_assign(arena, span_none(), j, term_add(&ts, j, term_int(&ts, 1))));
  assert_non_null(compose(count, i));
}

/* An integer cannot hold a uniform real: for u in (0,1] only u = 1 would be looked at. */
static void inversion_needs_a_real(void **state) {
  (void)state;
  struct arena *arena = kernel_arena(k);
  term_id z = kernel_var(k, "z", SORT_REAL, false), s = kernel_var(k, "s", SORT_INT, false);
  term_id real = kernel_var(k, "u", SORT_REAL, false), whole = kernel_var(k, "w", SORT_INT, false);
  const term_id unit[] = {term_int(&ts, 0), term_int(&ts, 1)};
  const term_id sign[] = {term_int(&ts, -1), term_int(&ts, 1)};
  term_id b = term_rat(&ts, 1, 1), yes = term_bool(&ts, true);
  const struct core *lap =
      core_sample(arena, span_none(), z, DIST_LAPLACE, (const term_id[]){term_int(&ts, 0), b}, 2);
  for (int good = 0; good <= 1; good++) {
    term_id u = good ? real : whole;
    const struct core *block =
        core_seq(arena, core_sample(arena, span_none(), u, DIST_UNIFORM, unit, 2),
                 core_seq(arena, core_sample(arena, span_none(), s, DIST_UNIFORM_SET, sign, 2),
                          core_assign(arena, span_none(), z, term_mul(&ts, s, term_ln(&ts, u)))));
    proof_of j = rule_equiv_laplace(k, 1, block, admitted(lap, core_skip(), yes, yes));
    assert_int_equal(j != NULL, good);
  }
}

/* A rule without one of its premises has no conclusion. */
static void missing_premises_conclude_nothing(void **state) {
  (void)state;
  term_id yes = term_bool(&ts, true);
  proof_of j = rule_skip(k, yes);
  const struct core *either = core_if(kernel_arena(k), span_none(), yes, core_skip(), core_skip());
  assert_null(rule_seq(k, j, NULL));
  assert_null(rule_seq(k, NULL, j));
  assert_null(rule_cond(k, either, either, j, NULL));
  assert_null(rule_cond_side(k, 1, either, j, NULL));
  assert_null(rule_case(k, span_none(), yes, j, NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(composed_bodies_must_end, setup, teardown),
      cmocka_unit_test_setup_teardown(inversion_needs_a_real, setup, teardown),
      cmocka_unit_test_setup_teardown(missing_premises_conclude_nothing, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
