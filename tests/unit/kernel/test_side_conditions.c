/* Side conditions of rules that no proof text can violate, asked of the rules themselves. Premises
 * are admitted: only the rule under test can refuse. */
#include "kernel/ahl.h"
#include "kernel/notion.h"
#include "kernel/rules.h"
#include "smt/smt.h"
#include "term/build.h"
#include "term/subst.h"
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

/* Advanced composition of `while i < 10 { inner; i := i + 1 }`, counted by m. */
static proof_of compose_by(const struct core *inner, term_id i, term_id m) {
  struct arena *arena = kernel_arena(k);
  const struct core *step = core_assign(arena, span_none(), i, term_add(&ts, i, term_int(&ts, 1)));
  const struct core *loop = core_while(arena, span_none(), term_lt(&ts, i, term_int(&ts, 10)),
                                       core_seq(arena, inner, step));
  term_id here = kernel_tag(k, i, 1), there = kernel_tag(k, i, 2);
  struct advanced how = {
      .relation = term_and(&ts, term_eq(&ts, here, there), term_le(&ts, here, term_int(&ts, 10))),
      .hits = i,
      .count = m,
      .most = term_int(&ts, 10),
      .epsilon = term_rat(&ts, 1, 10),
      .omega = term_rat(&ts, 1, 100)};
  struct advanced_goal f = advanced_goal(k, loop, loop, &how, false);
  struct advanced_goal b = advanced_goal(k, loop, loop, &how, true);
  return rule_advanced(k, loop, loop, &how, admitted(loop->first, loop->first, f.pre, f.post),
                       admitted(loop->first, loop->first, b.pre, b.post));
}

static proof_of compose(const struct core *inner, term_id i) {
  return compose_by(inner, i, kernel_fresh(k, "m", SORT_INT));
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
    proof_of j = rule_equiv_noise(k, 1, block, admitted(lap, core_skip(), yes, yes));
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

/* A logical variable that stands for every value, or for every iteration, must not be one that
 * something is assumed of. */
static void facts_do_not_speak_of_bound_values(void **state) {
  (void)state;
  term_id i = kernel_var(k, "i", SORT_INT, false), z = kernel_var(k, "z", SORT_INT, false);
  term_id free = kernel_fresh(k, "m", SORT_INT), known = kernel_fresh(k, "m", SORT_INT);
  assert_true(kernel_assume(k, term_le(&ts, known, term_int(&ts, 3))));
  assert_non_null(compose_by(core_skip(), i, free));
  assert_null(compose_by(core_skip(), i, known));
  term_id yes = term_bool(&ts, true), same = term_eq(&ts, kernel_tag(k, z, 1), kernel_tag(k, z, 2));
  for (int good = 0; good <= 1; good++) {
    term_id value = good ? free : known;
    proof_of j = admitted(core_skip(), core_skip(), yes, rule_pointwise_goal(k, z, value, same));
    assert_int_equal(rule_pointwise(k, span_none(), z, value, yes, NULL, j) != NULL, good);
  }
}

/* What run 2 loses counts e^p times, and only while the budget is at most p. */
static void events_of_run_2_are_weighed(void **state) {
  (void)state;
  struct arena *arena = kernel_arena(k);
  term_id x = kernel_var(k, "x", SORT_REAL, false), budget = kernel_budget(k);
  term_id beta = term_rat(&ts, 1, 8), most = term_int(&ts, 2), yes = term_bool(&ts, true);
  const term_id args[] = {term_int(&ts, 0), term_int(&ts, 1)};
  const struct core *c = core_sample(arena, span_none(), x, DIST_LAPLACE, args, 2);
  for (unsigned run = 1; run <= 2; run++) {
    term_id event = term_le(&ts, kernel_tag(k, x, run), term_int(&ts, 3));
    term_id post = term_eq(&ts, kernel_tag(k, x, 1), kernel_tag(k, x, 2));
    bound_of b = ahl_tail(k, run, c, TAIL_ABOVE, term_int(&ts, 3), beta, event);
    proof_of j = rule_upto(k, span_none(), b, run == 2 ? most : TERM_NONE, post,
                           admitted(c, c, yes, term_implies(&ts, event, post)));
    assert_non_null(j);
    term_id weight = run == 2 ? term_exp(&ts, term_coerce(&ts, most, SORT_REAL)) : term_int(&ts, 1);
    assert_int_equal(judgement_delta(j), term_mul(&ts, weight, beta));
    assert_int_equal(term_mentions(&ts, judgement_pre(j), &budget, 1), run == 2);
  }
}

/* Rules whose proofs need that probabilities are multiplied by e^B. */
static void other_notions_are_refused(void **state) {
  (void)state;
  assert_true(kernel_set_notion(k, (struct notion_of){NOTION_ZCDP, TERM_NONE, false}));
  struct arena *arena = kernel_arena(k);
  term_id i = kernel_var(k, "i", SORT_INT, false), coin = kernel_var(k, "coin", SORT_BOOL, false);
  term_id x = kernel_var(k, "x", SORT_REAL, false), z = kernel_var(k, "z", SORT_INT, false);
  term_id half = term_rat(&ts, 1, 2), one = term_rat(&ts, 1, 1), yes = term_bool(&ts, true);
  const term_id unit[] = {term_int(&ts, 0), term_int(&ts, 1)};
  const struct core *flip = core_sample(arena, span_none(), coin, DIST_BERNOULLI, &half, 1);
  const struct core *lap = core_sample(arena, span_none(), x, DIST_LAPLACE, unit, 2);
  const struct core *digit = core_sample(arena, span_none(), z, DIST_UNIFORM_INT, unit, 2);
  struct finite_part part = {.keys = &coin, .key_count = 1, .spent = one};
  assert_null(rule_finite(k, span_none(), flip, flip, &part));
  assert_null(rule_sample_scale(k, lap, lap, one, term_rat(&ts, 0, 1), yes));
  struct subset_coupling sets = {.inside = one, .outside = one};
  sets.sample = kernel_fresh(k, "v", SORT_INT);
  for (int s = 0; s < 2; s++)
    sets.sets[s] = (struct sample_set){.low = unit[0], .high = unit[0], .when = TERM_NONE};
  assert_null(rule_sample_subset(k, digit, digit, &sets, yes));
  assert_string_equal(kernel_failure(k)->message,
                      "this rule holds for `epsilon` only, not for `zcdp`");
  assert_null(compose(core_skip(), i));
}

/* Coins with 1/4 and 1/2: run 1 is likelier by 3/2 at most, run 2 by 2, and a divergence sees both. */
static void coins_count_both_ways(void **state) {
  (void)state;
  assert_true(kernel_set_notion(k, (struct notion_of){NOTION_ZCDP, TERM_NONE, false}));
  term_id coin = kernel_var(k, "coin", SORT_BOOL, false);
  const term_id chances[] = {term_rat(&ts, 1, 4), term_rat(&ts, 1, 2)};
  const struct core *flips[2];
  for (int i = 0; i < 2; i++)
    flips[i] = core_sample(kernel_arena(k), span_none(), coin, DIST_BERNOULLI, &chances[i], 1);
  term_id plenty = term_eq(&ts, kernel_budget(k), term_rat(&ts, 10, 1));
  term_id post = term_eq(&ts, kernel_tag(k, coin, 1), kernel_tag(k, coin, 2));
  static const unsigned ratios[][2] = {{8, 5}, {2, 1}};
  for (int good = 0; good <= 1; good++) {
    term_id cost = term_ln(&ts, term_rat(&ts, ratios[good][0], ratios[good][1]));
    proof_of j = rule_sample_bernoulli(k, flips[0], flips[1], false, cost, cost, post);
    assert_non_null(j);
    proof_of paid = rule_conseq(k, span_none(), plenty, post, judgement_delta(j), j);
    assert_int_equal(paid != NULL, good);
  }
}

/* Advanced composition is proved for distributions with countably many values. */
static void composed_bodies_are_discrete(void **state) {
  (void)state;
  struct arena *arena = kernel_arena(k);
  term_id i = kernel_var(k, "i", SORT_INT, false), z = kernel_var(k, "z", SORT_INT, false);
  term_id x = kernel_var(k, "x", SORT_REAL, false);
  const term_id args[] = {term_int(&ts, 0), term_int(&ts, 1)};
  assert_null(compose(core_sample(arena, span_none(), x, DIST_LAPLACE, args, 2), i));
  assert_non_null(compose(core_sample(arena, span_none(), z, DIST_DISCRETE_LAPLACE, args, 2), i));
}

/* With V = (if m <= 1 then 2 else 1) no memory satisfies V = m: the premise would say nothing. */
static void counters_are_not_in_variants(void **state) {
  (void)state;
  term_id i = kernel_var(k, "i", SORT_INT, false), m = kernel_fresh(k, "m", SORT_INT);
  term_id one = term_int(&ts, 1), two = term_int(&ts, 2), yes = term_bool(&ts, true);
  term_id v = term_ite(&ts, term_le(&ts, m, one), two, one);
  const struct core *loop =
      core_while(kernel_arena(k), span_none(), term_lt(&ts, i, term_int(&ts, 10)), core_skip());
  term_id here = kernel_tag(k, loop->expr, 1), there = kernel_tag(k, loop->expr, 2);
  term_id inside[] = {yes, here, there, term_eq(&ts, v, m)};
  term_id after[] = {yes, term_eq(&ts, here, there), term_lt(&ts, v, m)};
  proof_of body =
      admitted(core_skip(), core_skip(), term_and_all(&ts, inside, 4), term_and_all(&ts, after, 3));
  struct while_delta how = {.variant = v, .count = m, .total = term_rat(&ts, 0, 1), .most = two};
  assert_null(rule_while_delta(k, loop, loop, yes, how, body));
  assert_string_equal(kernel_failure(k)->message, "the counter occurs in the invariant or program");

  term_id before[] = {yes, here, term_eq(&ts, v, m)};
  term_id post = term_and(&ts, yes, term_lt(&ts, v, m));
  bound_of vacuous = ahl_conseq(k, span_none(), term_and_all(&ts, before, 3), post,
                                term_rat(&ts, 0, 1), ahl_skip(k, 1, post));
  assert_non_null(vacuous);
  assert_null(ahl_while(k, loop, yes, v, m, two, vacuous));
  assert_string_equal(kernel_failure(k)->message, "the counter occurs elsewhere");
}

/* Is the event shown to fail with the probability stated, from every memory? */
static bool is_shown(term_id event, term_id beta, bound_of b) {
  return b && ahl_conseq(k, span_none(), term_bool(&ts, true), event, beta, b);
}

/* What a sample may fail with: each line below is false by a little, or says what is true. */
static void tails_are_those_of_the_noise(void **state) {
  (void)state;
  struct arena *arena = kernel_arena(k);
  term_id x = kernel_var(k, "x", SORT_REAL, false), z = kernel_var(k, "z", SORT_INT, false);
  term_id here = kernel_tag(k, x, 1), digit = kernel_tag(k, z, 1);
  const term_id unit[] = {term_int(&ts, 0), term_int(&ts, 1)}, flat[] = {unit[0], unit[0]};
  const struct core *normal = core_sample(arena, span_none(), x, DIST_GAUSS, unit, 2);
  const struct core *lattice = core_sample(arena, span_none(), z, DIST_DISCRETE_LAPLACE, unit, 2);
  const struct core *still = core_sample(arena, span_none(), x, DIST_LAPLACE, flat, 2);
  term_id tenth = term_rat(&ts, 1, 10), two = term_int(&ts, 2), yes = term_bool(&ts, true);
  for (long t = -2; t <= 2; t += 4) { /* Pr[x > 2] is 0.023, Pr[x > -2] is 0.977 */
    term_id at = term_int(&ts, t), event = term_le(&ts, here, term_to_real(&ts, at));
    bound_of b = ahl_tail(k, 1, normal, TAIL_ABOVE, at, tenth, event);
    assert_int_equal(is_shown(event, tenth, b), t > 0);
  }
  term_id within = term_le(&ts, digit, two), not_at = term_ne(&ts, digit, two);
  assert_true(is_shown(within, tenth, ahl_tail(k, 1, lattice, TAIL_BOTH, two, tenth, within)));
  assert_false(is_shown(not_at, tenth, ahl_tail(k, 1, lattice, TAIL_BOTH, two, tenth, not_at)));
  assert_true(is_shown(yes, term_rat(&ts, 0, 1), ahl_sample(k, 1, normal, yes)));
  assert_false(is_shown(yes, term_rat(&ts, 0, 1), ahl_sample(k, 1, still, yes)));
}

static void finite_samples_fail_with_their_shares(void **state) {
  (void)state;
  struct arena *arena = kernel_arena(k);
  term_id x = kernel_var(k, "x", SORT_REAL, false), z = kernel_var(k, "z", SORT_INT, false);
  term_id c = kernel_var(k, "c", SORT_BOOL, false), here = kernel_tag(k, x, 1);
  const term_id three[] = {term_int(&ts, 0), term_int(&ts, 1), term_int(&ts, 2)};
  const term_id ends[] = {term_rat(&ts, 0, 1), term_rat(&ts, 1, 1)}, p[] = {term_int(&ts, 2)};
  const struct core *die = core_sample(arena, span_none(), z, DIST_UNIFORM_SET, three, 3);
  const struct core *side = core_sample(arena, span_none(), x, DIST_UNIFORM_SET, ends, 2);
  const struct core *coin = core_sample(arena, span_none(), c, DIST_BERNOULLI, p, 1);
  term_id small = term_le(&ts, kernel_tag(k, z, 1), term_int(&ts, 1)), yes = term_bool(&ts, true);
  term_id third = term_rat(&ts, 1, 3), less = term_rat(&ts, 33, 100);
  assert_true(is_shown(small, third, ahl_coin(k, 1, die, third, small)));
  assert_false(is_shown(small, less, ahl_coin(k, 1, die, less, small)));
  assert_false(is_shown(yes, ends[1], ahl_coin(k, 1, coin, ends[1], yes)));
  struct sample_set set = {.low = ends[0], .high = ends[1], .when = TERM_NONE};
  term_id sample = kernel_fresh(k, "s", SORT_REAL), inside = term_le(&ts, here, ends[1]);
  term_id not_at = term_ne(&ts, here, ends[1]);
  assert_true(is_shown(inside, ends[0], ahl_set(k, 1, side, sample, &set, ends[0], inside)));
  assert_false(is_shown(not_at, ends[0], ahl_set(k, 1, side, sample, &set, ends[0], not_at)));
}

/* aHL-SET: a little less than what is outside is too little; noise that makes no sense shows nothing. */
static void sets_fail_with_what_is_outside(void **state) {
  (void)state;
  struct arena *arena = kernel_arena(k);
  term_id x = kernel_var(k, "x", SORT_REAL, false), z = kernel_var(k, "z", SORT_INT, false);
  term_id here = kernel_tag(k, x, 1), digit = kernel_tag(k, z, 1), yes = term_bool(&ts, true);
  const term_id ten[] = {term_int(&ts, 0), term_int(&ts, 9)}, none[] = {ten[1], ten[0]};
  const term_id unit[] = {ten[0], term_int(&ts, 1)}, inverse[] = {ten[0], term_int(&ts, -1)};
  term_id half = term_rat(&ts, 1, 2), less = term_rat(&ts, 49, 100), all = term_rat(&ts, 1, 1);
  term_id i = kernel_fresh(k, "s", SORT_INT), r = kernel_fresh(k, "s", SORT_REAL);
  const struct core *even = core_sample(arena, span_none(), z, DIST_UNIFORM_INT, ten, 2);
  const struct core *empty = core_sample(arena, span_none(), z, DIST_UNIFORM_INT, none, 2);
  const struct core *noise = core_sample(arena, span_none(), x, DIST_LAPLACE, unit, 2);
  const struct core *wrong = core_sample(arena, span_none(), x, DIST_LAPLACE, inverse, 2);
  struct sample_set low = {.low = ten[0], .high = term_int(&ts, 4), .when = TERM_NONE};
  struct sample_set up = {.low = ten[0], .high = TERM_NONE, .when = TERM_NONE};
  term_id small = term_le(&ts, digit, low.high), above = term_le(&ts, ten[0], here);
  assert_true(is_shown(small, half, ahl_set(k, 1, even, i, &low, half, small)));
  assert_false(is_shown(small, less, ahl_set(k, 1, even, i, &low, less, small)));
  assert_true(is_shown(above, half, ahl_set(k, 1, noise, r, &up, half, above)));
  assert_false(is_shown(above, less, ahl_set(k, 1, noise, r, &up, less, above)));
  assert_false(is_shown(yes, all, ahl_set(k, 1, empty, i, &low, all, yes)));
  assert_false(is_shown(yes, all, ahl_set(k, 1, wrong, r, &up, all, yes)));
  for (int tail = TAIL_ABOVE; tail <= TAIL_BOTH; tail++) {
    assert_true(is_shown(yes, all, ahl_tail(k, 1, noise, (enum tail)tail, ten[0], all, yes)));
    assert_false(is_shown(yes, all, ahl_tail(k, 1, wrong, (enum tail)tail, ten[0], all, yes)));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(composed_bodies_are_discrete, setup, teardown),
      cmocka_unit_test_setup_teardown(coins_count_both_ways, setup, teardown),
      cmocka_unit_test_setup_teardown(counters_are_not_in_variants, setup, teardown),
      cmocka_unit_test_setup_teardown(facts_do_not_speak_of_bound_values, setup, teardown),
      cmocka_unit_test_setup_teardown(events_of_run_2_are_weighed, setup, teardown),
      cmocka_unit_test_setup_teardown(other_notions_are_refused, setup, teardown),
      cmocka_unit_test_setup_teardown(composed_bodies_must_end, setup, teardown),
      cmocka_unit_test_setup_teardown(inversion_needs_a_real, setup, teardown),
      cmocka_unit_test_setup_teardown(missing_premises_conclude_nothing, setup, teardown),
      cmocka_unit_test_setup_teardown(tails_are_those_of_the_noise, setup, teardown),
      cmocka_unit_test_setup_teardown(finite_samples_fail_with_their_shares, setup, teardown),
      cmocka_unit_test_setup_teardown(sets_fail_with_what_is_outside, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
