/* Offsets modulo n that leave out numbers (outcome_point.h): the probability of each value against
 * counting, for every place of the gap. */
#include "kernel/context.h"
#include "kernel/outcome_point.h"
#include "term/build.h"
#include "term/eval.h"
#include "term/subst.h"
#include "testlib.h"

enum { MOST_MISSING = 4 };

static struct terms ts;
static struct kernel *k;
static term_id n, x, u, w, r; /* n: a parameter; x: an input; u, w: samples */

static int setup(void **state) {
  (void)state;
  terms_init(&ts);
  k = kernel_new(&ts, NULL);
  n = kernel_fresh(k, "n", SORT_INT);
  x = kernel_var(k, "x", SORT_INT, true);
  u = kernel_var(k, "u", SORT_INT, false);
  w = kernel_var(k, "w", SORT_INT, false);
  r = kernel_var(k, "r", SORT_INT, false);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  kernel_free(k);
  terms_clear(&ts);
  return 0;
}

/* var <$ UniformInt(low, low + n - 1 - missing) */
static const struct core *draw(term_id var, long low, long missing) {
  term_id args[] = {term_int(&ts, low), term_add(&ts, n, term_int(&ts, low - 1 - missing))};
  return core_sample(kernel_arena(k), span_none(), var, DIST_UNIFORM_INT, args, 2);
}

/* r := t mod n */
static const struct core *wrap(term_id t) {
  return core_assign(kernel_arena(k), span_none(), r, term_mod(&ts, t, n));
}

static const struct core *then(const struct core *a, const struct core *b) {
  return core_seq(kernel_arena(k), a, b);
}

/* Is it size times the probability, for these numbers, that counting gives? */
static bool is_share(term_id mass, long size, long input, long count, long width) {
  term_id from[] = {n, term_var_in_run(&ts, x, 1)};
  term_id to[] = {term_int(&ts, size), term_int(&ts, input)};
  struct evaluator ev;
  eval_init(&ev, &ts);
  const struct tvalue *v = eval_term(&ev, term_subst(&ts, mass, from, to, 2));
  fmpq_t share;
  fmpq_init(share);
  fmpq_set_si(share, count, (ulong)width);
  bool same = v->kind == TVALUE_EXACT && fmpq_equal(&v->exact, share);
  fmpq_clear(share);
  eval_clear(&ev);
  return same;
}

static long residue(long t, long size) {
  return ((t % size) + size) % size;
}

static void check(const struct core *c, long low, long missing, bool minus) {
  struct outcomes o = {0};
  assert_true(outcomes_of(k, "test", c, 1, &r, 1, &o));
  for (long v = -1; v <= 8; v++) {
    term_id value = term_int(&ts, v), mass = outcome_mass(k, &o.list.at[0], &value, 1);
    for (long size = missing + 1; size <= missing + 3; size++)
      for (long input = -2; input <= 6; input += 2) {
        long width = size - missing, count = 0;
        for (long y = low; y < low + width; y++)
          count += residue(minus ? input - y : input + y, size) == v;
        if (!is_share(mass, size, input, count, width))
          fail_msg("low %ld, %ld missing, value %ld, n %ld, x %ld", low, missing, v, size, input);
      }
  }
  outcomes_free(&o);
}

static void gaps(void **state) {
  (void)state;
  for (long missing = 0; missing <= MOST_MISSING; missing++)
    for (long low = -1; low <= 2; low++) {
      check(then(draw(u, low, missing), wrap(term_add(&ts, x, u))), low, missing, false);
      check(then(draw(u, low, missing), wrap(term_sub(&ts, x, u))), low, missing, true);
    }
}

/* Does each value have a probability that is known? */
static bool fits(const struct core *c) {
  struct outcomes o = {0};
  assert_true(outcomes_of(k, "test", c, 1, &r, 1, &o));
  term_id value = term_int(&ts, 1);
  bool ok = outcome_mass(k, &o.list.at[0], &value, 1) != TERM_NONE;
  outcomes_free(&o);
  return ok;
}

/* More numbers than n, or many fewer; a rest that is not known; a part of the numbers only. */
static void other_offsets(void **state) {
  (void)state;
  assert_true(fits(then(draw(u, 0, MOST_MISSING), wrap(term_add(&ts, x, u)))));
  assert_false(fits(then(draw(u, 0, MOST_MISSING + 1), wrap(term_add(&ts, x, u)))));
  assert_false(fits(then(draw(u, 0, -1), wrap(term_add(&ts, x, u)))));
  assert_false(fits(then(draw(u, 0, 1), wrap(term_add(&ts, u, u)))));
  assert_false(fits(then(draw(u, 0, 0), wrap(term_mul(&ts, term_int(&ts, 2), u)))));
  for (long missing = 0; missing <= 1; missing++) { /* of both offsets as many */
    const struct core *both = then(draw(u, 0, missing), draw(w, 0, missing));
    assert_int_equal(fits(then(both, wrap(term_add(&ts, u, w)))), missing == 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(gaps, setup, teardown),
      cmocka_unit_test_setup_teardown(other_offsets, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
