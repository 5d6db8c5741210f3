/* What coins and noise do to the moments of a sum (moment.h), command by command. Exact probabilities of
 * whole walks are in test_total.c. */
#include "kernel/context.h"
#include "kernel/moment.h"
#include "smt/smt.h"
#include "term/build.h"
#include "testlib.h"

static struct terms ts;
static struct smt smt;
static struct kernel *k;
static term_id s, r, c, d, x; /* sum, a count, two coins, integer noise */

static int setup(void **state) {
  (void)state;
  terms_init(&ts);
  smt_init(&smt, &ts, NULL);
  k = kernel_new(&ts, &smt.decider);
  s = kernel_var(k, "s", SORT_INT, false);
  r = kernel_var(k, "r", SORT_INT, false);
  c = kernel_var(k, "c", SORT_BOOL, false);
  d = kernel_var(k, "d", SORT_BOOL, false);
  x = kernel_var(k, "x", SORT_INT, false);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  kernel_free(k);
  smt_clear(&smt);
  terms_clear(&ts);
  return 0;
}

static term_id number(long n) {
  return term_int(&ts, n);
}

static term_id by(term_id coin, long yes, long no) {
  return term_ite(&ts, coin, number(yes), number(no));
}

static const struct core *add(term_id amount) {
  return core_assign(kernel_arena(k), span_none(), s, term_add(&ts, s, amount));
}

static const struct core *then(const struct core *a, const struct core *b) {
  return core_seq(kernel_arena(k), a, b);
}

static const struct core *when(term_id g, const struct core *yes, const struct core *no) {
  return core_if(kernel_arena(k), span_none(), g, yes, no);
}

static const struct core *toss(term_id coin, term_id p) {
  return core_sample(kernel_arena(k), span_none(), coin, DIST_BERNOULLI, &p, 1);
}

static const struct core *fair(term_id coin) {
  return toss(coin, term_rat(&ts, 1, 2));
}

static const struct core *noise(enum dist_kind dist, term_id centre, long scale) {
  term_id args[] = {centre, number(scale)};
  return core_sample(kernel_arena(k), span_none(), x, dist, args, 2);
}

static struct moment at_end(long scale) {
  return (struct moment){.sum = term_to_real(&ts, kernel_tag(k, s, 1)),
                         .left = term_to_real(&ts, kernel_tag(k, r, 1)),
                         .restarts = number(0),
                         .scale = number(scale)};
}

static bool walk(const struct core *code, struct moment *m) {
  return moment_before(k, "aHL-SUM", 1, code, m);
}

/* After the code there are as many draws left as r says: how many before, if its conditions hold? -1:
 * they do not. */
static long draws(const struct core *code, long scale) {
  struct moment m = at_end(scale);
  assert_true(walk(code, &m));
  if (!kernel_entails(k, "aHL-SUM", span_none(), term_bool(&ts, true), m.when, "the conditions"))
    return -1;
  for (long n = 0; n < 5; n++) {
    term_id all = term_add(&ts, term_to_real(&ts, kernel_tag(k, r, 1)), number(n));
    if (m.left == all) return n;
  }
  fail_msg("another count");
  return -1;
}

/* One coin, or several in a row, are one draw, however far they go together. */
static void coins(void **state) {
  (void)state;
  const struct core *one = then(fair(c), add(by(c, 1, -1))),
                    *two = then(fair(d), add(by(d, 1, -1)));
  assert_int_equal(draws(one, 1), 1);
  assert_int_equal(draws(then(one, one), 2), 1);
  assert_int_equal(draws(then(one, two), 2), 1);
  assert_int_equal(draws(then(one, two), 1), -1);
  assert_int_equal(draws(then(fair(c), add(number(1))), 0), 0);
  const struct core *turned = then(fair(c), add(by(c, -1, 1)));
  assert_int_equal(draws(turned, 1), 1);
  assert_int_equal(draws(turned, 0), -1);
}

/* Noise ends a row of coins: those before it and those behind it count on their own. */
static void coins_and_noise(void **state) {
  (void)state;
  const struct core *coin = then(fair(c), add(by(c, 1, -1)));
  const struct core *other = then(noise(DIST_DISCRETE_GAUSS, number(0), 1), add(x));
  assert_int_equal(draws(other, 1), 1);
  assert_int_equal(draws(then(other, coin), 1), 2);
  assert_int_equal(draws(then(coin, other), 1), 2);
  assert_int_equal(draws(then(coin, then(other, coin)), 1), 3);
  /* the coin moves the centre of the noise, and so the sum */
  const struct core *centred = then(noise(DIST_DISCRETE_GAUSS, by(c, 5, -5), 1), add(x));
  assert_int_equal(draws(then(fair(c), centred), 5), 2);
  assert_int_equal(draws(then(fair(c), centred), 4), -1);
}

/* The conditions of either side of a coin count. */
static void conditions(void **state) {
  (void)state;
  const struct core *wide = then(noise(DIST_DISCRETE_GAUSS, number(0), 3), add(x));
  for (int side = 0; side < 2; side++) {
    const struct core *one = when(c, side ? wide : core_skip(), side ? core_skip() : wide);
    assert_int_equal(draws(then(fair(c), one), 2), -1);
  }
  term_id two = term_rat(&ts, 2, 1), less = term_rat(&ts, -1, 2);
  assert_int_equal(draws(then(toss(c, two), add(by(c, 1, -1))), 9), -1);
  assert_int_equal(draws(then(toss(c, less), add(by(c, 1, -1))), 9), -1);
  assert_int_equal(draws(then(noise(DIST_DISCRETE_GAUSS, number(0), -1), add(x)), 9), -1);
}

/* Laplace noise on any side makes the sum heavy. */
static void weights(void **state) {
  (void)state;
  const struct core *heavy = then(noise(DIST_DISCRETE_LAPLACE, number(0), 1), add(x));
  const struct core *sides[] = {then(fair(c), when(c, heavy, core_skip())),
                                then(fair(c), when(c, core_skip(), heavy)), heavy};
  for (size_t n = 0; n < 3; n++) {
    struct moment m = at_end(1);
    assert_true(walk(sides[n], &m) && m.is_heavy);
  }
  struct moment m = at_end(1);
  assert_true(walk(then(noise(DIST_DISCRETE_GAUSS, number(0), 1), add(x)), &m) && !m.is_heavy);
}

/* Of draws and restarts that are left, a coin leaves the more; noise may not decide them. */
static void counts(void **state) {
  (void)state;
  for (int yes = 0; yes < 2; yes++) {
    struct moment m = at_end(1);
    m.left = term_to_real(&ts, by(kernel_tag(k, c, 1), 3 * yes, 3 - 3 * yes));
    m.restarts = term_to_real(&ts, by(kernel_tag(k, c, 1), 2 * yes, 2 - 2 * yes));
    assert_true(walk(fair(c), &m));
    assert_true(m.left == term_rat(&ts, 3, 1) && m.restarts == term_rat(&ts, 2, 1));
  }
  term_id high = term_lt(&ts, number(0), kernel_tag(k, x, 1));
  for (int which = 0; which < 2; which++) {
    struct moment m = at_end(1);
    *(which ? &m.left : &m.restarts) = term_to_real(&ts, by(high, 1, 0));
    assert_false(walk(noise(DIST_DISCRETE_GAUSS, number(0), 1), &m));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(coins, setup, teardown),
      cmocka_unit_test_setup_teardown(coins_and_noise, setup, teardown),
      cmocka_unit_test_setup_teardown(conditions, setup, teardown),
      cmocka_unit_test_setup_teardown(weights, setup, teardown),
      cmocka_unit_test_setup_teardown(counts, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
