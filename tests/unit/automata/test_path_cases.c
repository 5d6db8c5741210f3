/* Paths with disjunctive guards, where rounds that are alike are counted and not enumerated: the
 * same automaton with an edge of its own for every outcome of the comparisons has the same output
 * probabilities, as a sum over all paths. */
#include <string.h>

#include "check/counterexample/probability.h"
#include "testlib.h"

static const char *const SYMBOLS[] = {"start", "in", "out", "again"};

/* x and y are assigned; then `in` while the outcome of the comparisons is in `inside` (a bit for
 * each of the four), else `out`, and x is assigned again. */
static void build(struct automaton *a, unsigned inside, bool independent, bool split) {
  automaton_init(a);
  a->independent = independent;
  uint32_t x = automaton_var(a, "x", 1), y = automaton_var(a, "y", 1);
  uint32_t xs[1] = {x}, ys[1] = {y}, symbol[4];
  for (size_t i = 0; i < 4; i++)
    symbol[i] = automaton_symbol(a, SYMBOLS[i], strlen(SYMBOLS[i]));
  for (uint32_t s = 0; s < 4; s++) {
    automaton_state(a, NULL, 0, span_none());
    automaton_noise(a, s, true, automaton_ratio(a, 1 + (slong)s % 3, 2), 0, AUTOMATON_NONE,
                    AUTOMATON_NONE);
  }
  automaton_edge(a, (struct automaton_edge){0, 1, 0, automaton_set(a, xs, 1), symbol[0]},
                 span_none());
  automaton_edge(a, (struct automaton_edge){1, 2, 0, automaton_set(a, ys, 1), symbol[0]},
                 span_none());
  automaton_edge(a, (struct automaton_edge){3, 2, 0, automaton_set(a, xs, 1), symbol[3]},
                 span_none());
  for (unsigned side = 0; side < 2; side++) {
    literal all[8];
    size_t sizes[4], cubes = 0;
    struct automaton_edge e = {2, side ? 3 : 2, 0, 0, symbol[1 + side]};
    for (unsigned o = 0; o < 4; o++) {
      if ((inside >> o & 1) == side) continue;
      all[2 * cubes] = o & 1 ? literal_greater(x) : literal_less(x);
      all[2 * cubes + 1] = o & 2 ? literal_greater(y) : literal_less(y);
      sizes[cubes++] = 2;
      if (!split) continue;
      e.guard = automaton_guard(a, all, 2);
      automaton_edge(a, e, span_none());
      cubes = 0;
    }
    if (split || cubes == 0) continue;
    e.guard = automaton_guard_dnf(a, all, sizes, cubes);
    automaton_edge(a, e, span_none());
  }
  a->start = 0;
  automaton_finish(a);
}

static void outputs(struct probability *p, const struct automaton *a, const int *inputs) {
  static const unsigned sequence[] = {0, 0, 1, 1, 1, 2, 3, 1, 1};
  struct automaton_query query;
  automaton_query_init(&query, a, false);
  for (size_t i = 0; i < sizeof sequence / sizeof *sequence; i++)
    fmpq_set_si(automaton_query_push(&query, sequence[i])->input, inputs[i], 2);
  probability_init(p);
  automaton_probability(p, &query, (struct ball_goal){.digits = 12});
  automaton_query_clear(&query);
}

static void rounds_that_are_alike(void **state) {
  (void)state;
  struct rng rng = rng_seeded(77);
  for (size_t i = 0; i < test_rounds(40); i++) {
    unsigned inside = 1 + (unsigned)rng_below(&rng, 14);
    bool independent = rng_chance(&rng, 1, 2);
    int inputs[9];
    for (size_t k = 0; k < 9; k++) /* few values: some rounds are alike, others are not */
      inputs[k] = rng_range(&rng, 0, 1);
    struct automaton whole, split;
    struct probability p, q;
    build(&whole, inside, independent, false);
    build(&split, inside, independent, true);
    outputs(&p, &whole, inputs);
    outputs(&q, &split, inputs);
    assert_int_equal(p.status, PROBABILITY_OK);
    assert_int_equal(q.status, PROBABILITY_OK);
    assert_int_equal(p.paths, 1);
    assert_true(!independent || (arb_is_positive(p.value) && arb_is_positive(q.value)));
    assert_true(arb_overlaps(p.value, q.value));
    probability_clear(&p);
    probability_clear(&q);
    automaton_clear(&whole);
    automaton_clear(&split);
  }
}

/* 64 rounds would be 2^64 cases if they were enumerated. More rounds are less likely. */
static void many_rounds(void **state) {
  (void)state;
  struct automaton a;
  arb_t before;
  arb_init(before);
  arb_one(before);
  build(&a, 7, true, false); /* all but above both */
  for (size_t n = 1; n <= 64; n *= 4) {
    struct automaton_query query;
    struct probability p;
    automaton_query_init(&query, &a, false);
    for (size_t i = 0; i < n + 2; i++)
      automaton_query_push(&query, i >= 2);
    probability_init(&p);
    automaton_probability(&p, &query, (struct ball_goal){.digits = 12});
    assert_int_equal(p.status, PROBABILITY_OK);
    assert_true(arb_lt(p.value, before));
    arb_set(before, p.value);
    probability_clear(&p);
    automaton_query_clear(&query);
  }
  arb_clear(before);
  automaton_clear(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rounds_that_are_alike),
      cmocka_unit_test(many_rounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
