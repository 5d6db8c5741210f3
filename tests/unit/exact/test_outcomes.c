/* Outputs are found by hash as they are by comparing them one by one. */
#include "check/exact/outcomes.h"
#include "run/sample/random.h"
#include "testlib.h"

/* Few values, so that most occur more than once. */
static struct rvalue number(struct random *random) {
  fmpq_t q;
  fmpq_init(q);
  fmpq_set_si(q, (slong)random_below(random, 7) - 3, 1 + random_below(random, 2));
  if (random_below(random, 4) == 0) fmpz_mul_2exp(fmpq_numref(q), fmpq_numref(q), 70);
  fmpq_canonicalise(q);
  struct rvalue v = rvalue_fmpq(q);
  fmpq_clear(q);
  return v;
}

static struct rvalue output(struct random *random) {
  struct rvalue v = rvalue_seq(RVALUE_LIST, 0);
  for (uint64_t left = random_below(random, 3); left > 0; left--)
    rvalue_push(&v, number(random));
  rvalue_push(&v, rvalue_bool(random_below(random, 2)));
  return v;
}

static size_t first_equal(const struct exact_distribution *d, const struct rvalue *v) {
  int order;
  for (size_t i = 0; i < d->outcomes.len; i++)
    if (rvalue_compare(&order, &d->outcomes.at[i].output, v) && order == 0) return i;
  return d->outcomes.len;
}

static void the_same_as_one_by_one(void **state) {
  (void)state;
  struct exact_distribution d;
  struct outcome_index index;
  struct random random;
  exact_distribution_init(&d);
  outcome_index_init(&index);
  random_init_seeded(&random, 5);
  enum { ROUNDS = 3000 };
  for (int i = 0; i < ROUNDS; i++) {
    struct rvalue v = output(&random);
    size_t expected = first_equal(&d, &v);
    struct exact_outcome *found = outcome_for(&d, &index, &v);
    assert_int_equal(found - d.outcomes.at, expected);
  }
  assert_true(d.outcomes.len > 100 && d.outcomes.len < ROUNDS / 2);
  outcome_index_clear(&index);
  exact_distribution_clear(&d);
}

static void there_is_a_limit(void **state) {
  (void)state;
  struct exact_distribution d;
  struct outcome_index index;
  exact_distribution_init(&d);
  outcome_index_init(&index);
  for (slong i = 0; i < LIMIT_EXACT_OUTCOMES; i++) {
    struct rvalue v = rvalue_int(i);
    assert_non_null(outcome_for(&d, &index, &v));
  }
  struct rvalue one_more = rvalue_int(LIMIT_EXACT_OUTCOMES), old = rvalue_int(7);
  assert_null(outcome_for(&d, &index, &one_more));
  assert_ptr_equal(outcome_for(&d, &index, &old), &d.outcomes.at[7]);
  outcome_index_clear(&index);
  exact_distribution_clear(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_as_one_by_one),
      cmocka_unit_test(there_is_a_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
