/* The exact engine against two independent oracles on random programs.
 *
 * Finite noise: the interpreter runs the program on every outcome of every sample; the
 * probabilities are rational, and the engine's balls must contain them. Real and integer noise: the
 * sampler's frequencies must fit the engine's probabilities (fixed seeds; a true engine fails for
 * about one seed in 10^5).
 * ctest-label: release */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism.h"
#include "random_program.h"
#include "run/eval/number.h"
#include "stats.h"

/* ---- both --------------------------------------------------------------------------------------
 */

struct fixture {
  struct mechanism m;
  struct exact_distribution exact;
};

static void fixture_init(struct fixture *f, const char *text) {
  mechanism_load(&f->m, text);
  exact_distribution_init(&f->exact);
  exact_distribution(&f->m.in, &(struct exact_options){0}, &f->exact);
}

static void fixture_clear(struct fixture *f) {
  exact_distribution_clear(&f->exact);
  mechanism_clear(&f->m);
}

static const arb_struct *exact_of(const struct fixture *f, const struct rvalue *output) {
  for (size_t i = 0; i < f->exact.outcomes.len; i++) {
    int order;
    if (rvalue_compare(&order, &f->exact.outcomes.at[i].output, output) && order == 0)
      return f->exact.outcomes.at[i].probability;
  }
  return NULL;
}

/* The same question asked as an event, which takes other ways through the engine. */
static void event_agrees(struct fixture *f, const char *text, const struct outcome *o) {
  struct pattern p;
  struct exact_result r;
  pattern_of(&p, &o->output);
  exact_result_init(&r);
  exact_probability(&f->m.in, &p, &(struct exact_options){0}, &r);
  if (r.status != EXACT_OK || r.points || !arb_contains_fmpq(r.probability, &o->probability))
    fail_msg("event of\n%s", text);
  exact_result_clear(&r);
  pattern_clear(&p);
}

static void finite_noise_by_enumeration(void **state) {
  (void)state;
  size_t compared = 0, listed = 0;
  for (uint64_t seed = 1; seed <= test_rounds(300); seed++) {
    char *text = random_program(seed, false, NULL);
    struct fixture f;
    outcome_list list = {0};
    fixture_init(&f, text);
    if (enumerate_outcomes(&f.m.in, &list)) {
      if (f.exact.status != EXACT_OK) fail_msg("%s: %s", f.exact.why, text);
      for (size_t i = 0; i < list.len; i++) {
        const arb_struct *p = exact_of(&f, &list.at[i].output);
        if (!p && fmpq_is_zero(&list.at[i].probability)) continue;
        if (!p || !arb_contains_fmpq(p, &list.at[i].probability) ||
            (fmpq_sgn(&list.at[i].probability) > 0 && arb_rel_accuracy_bits(p) < 100))
          fail_msg("outcome %zu of\n%s", i, text);
        if (i < 6) event_agrees(&f, text, &list.at[i]);
      }
      size_t possible = 0;
      for (size_t i = 0; i < f.exact.outcomes.len; i++)
        possible += arb_is_positive(f.exact.outcomes.at[i].probability);
      assert_true(possible <= list.len);
      compared++;
      listed += list.len;
    }
    outcomes_clear(&list);
    fixture_clear(&f);
    free(text);
  }
  assert_often(compared >= 200 && listed >= 3 * compared);
}

static void infinite_noise_by_sampling(void **state) {
  (void)state;
  enum { RUNS = 1500 };
  size_t compared = 0;
  for (uint64_t seed = 1; seed <= test_rounds(150); seed++) {
    char *text = random_program(seed, true, NULL);
    struct fixture f;
    fixture_init(&f, text);
    if (f.exact.status == EXACT_OK) {
      outcome_list list = {0};
      struct random random;
      random_init_seeded(&random, seed);
      for (size_t i = 0; i < RUNS; i++) {
        struct rvalue output;
        assert_true(interp_run(&f.m.in, &random, &output));
        outcome_of(&list, &output)->hits++;
      }
      arb_t sum;
      arb_init(sum);
      for (size_t i = 0; i < f.exact.outcomes.len; i++)
        arb_add(sum, sum, f.exact.outcomes.at[i].probability, 192);
      arb_add(sum, sum, f.exact.lost, 192); /* what is not listed is at most this */
      if (!arb_contains_si(sum, 1)) {
        arb_sub_si(sum, sum, 1, 192);
        if (!arb_is_nonnegative(sum)) fail_msg("the probabilities do not add up:\n%s", text);
      }
      arb_clear(sum);
      for (size_t i = 0; i < list.len; i++) {
        const arb_struct *p = exact_of(&f, &list.at[i].output);
        double expected = p ? arf_get_d(arb_midref(p), ARF_RND_NEAR) : 0;
        if (!p || expected * RUNS < 1e-3)
          fail_msg("an output that has probability %g:\n%s", expected, text);
        if (expected * RUNS >= 5 &&
            fabs(binomial_z(list.at[i].hits, RUNS, fmin(expected, 1 - 1e-15))) > 5)
          fail_msg("%zu hits, probability %g:\n%s", list.at[i].hits, expected, text);
      }
      /* and nothing likely is missing */
      for (size_t i = 0; i < f.exact.outcomes.len; i++) {
        double expected = arf_get_d(arb_midref(f.exact.outcomes.at[i].probability), ARF_RND_NEAR);
        size_t hits = 0;
        for (size_t j = 0; j < list.len; j++) {
          int order;
          if (rvalue_compare(&order, &list.at[j].output, &f.exact.outcomes.at[i].output) && !order)
            hits = list.at[j].hits;
        }
        if (expected * RUNS > 25 && hits == 0) fail_msg("never seen, but %g:\n%s", expected, text);
      }
      compared++;
      outcomes_clear(&list);
    }
    fixture_clear(&f);
    free(text);
  }
  assert_often(compared >= 75);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finite_noise_by_enumeration),
      cmocka_unit_test(infinite_noise_by_sampling),
  };
  return cmocka_run_group_tests_name("random programs", tests, NULL, NULL);
}
