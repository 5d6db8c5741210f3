/* ctest-label: release */
/* The facts and rewritings behind the proofs with exp, ln and sqrt, at random points in ball
 * arithmetic: a fact may never evaluate to false. */
#include <stdlib.h>
#include <string.h>

#include "out/print.h"
#include "smt/bounds.h"
#include "smt/derive.h"
#include "smt/interval.h"
#include "term/build.h"
#include "term/eval.h"
#include "term/subst.h"
#include "testlib.h"

static struct terms ts;

static int setup(void **state) {
  (void)state;
  terms_init(&ts);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  terms_clear(&ts);
  return 0;
}

/* Small, large and near-critical numbers. */
static term_id random_number(struct rng *rng) {
  switch (rng_below(rng, 4)) {
  case 0: return term_rat(&ts, rng_range(rng, -40, 40), 8);
  case 1: return term_rat(&ts, rng_range(rng, -300, 300), 100);
  case 2: return term_rat(&ts, rng_range(rng, -20, 20), 1000);
  default: return term_rat(&ts, rng_range(rng, -9, 9), 1);
  }
}

static int truth(term_id fact) {
  struct evaluator ev;
  eval_init(&ev, &ts);
  int t = eval_truth(&ev, fact);
  eval_clear(&ev);
  return t;
}

struct tally {
  size_t decided, all;
};

static void check_fact(struct tally *tally, term_id fact) {
  int t = truth(fact);
  if (t == 0) {
    char *text = term_text(&ts, fact);
    print_message("false: %s\n", text);
    free(text);
  }
  assert_int_not_equal(t, 0);
  tally->decided += t == 1;
  tally->all++;
}

typedef term_id single_schema(struct terms *, size_t, term_id, term_id, int *);

static void check_singles(single_schema *schema, term_id (*function)(struct terms *, term_id),
                          size_t expected) {
  struct rng rng = rng_seeded(11);
  size_t count = 0;
  int tier;
  for (term_id x = term_rat(&ts, 1, 2); schema(&ts, count, x, function(&ts, x), &tier);)
    count++;
  assert_int_equal(count, expected);
  for (size_t i = 0; i < count; i++) {
    struct tally tally = {0};
    for (size_t k = 0; k < test_rounds(400); k++) {
      term_id x = random_number(&rng);
      check_fact(&tally, schema(&ts, i, x, function(&ts, x), &tier));
    }
    assert_true(tally.decided * 10 >= tally.all * 9);
  }
}

static void single_schemas_hold(void **state) {
  (void)state;
  check_singles(bounds_exp_schema, term_exp, 9);
  check_singles(bounds_ln_schema, term_ln, 4);
}

/* sqrt(c)^2 is no exact number in balls, so the equation is tested on squares. */
static void sqrt_schemas_hold(void **state) {
  (void)state;
  struct rng rng = rng_seeded(12);
  int tier;
  struct tally tally = {0};
  for (size_t k = 0; k < test_rounds(300); k++) {
    term_id root = random_number(&rng), u = term_mul(&ts, root, root);
    for (size_t i = 0; i < 2; i++) {
      check_fact(&tally, bounds_sqrt_schema(&ts, i, u, term_sqrt(&ts, u), &tier));
      term_id v = random_number(&rng);
      int t = truth(bounds_sqrt_schema(&ts, i, v, term_sqrt(&ts, v), &tier));
      assert_int_not_equal(t, 0);
    }
  }
  assert_int_equal(tally.decided, tally.all);
  assert_int_equal(bounds_sqrt_schema(&ts, 2, TERM_NONE, TERM_NONE, &tier), TERM_NONE);
}

static void pair_and_constant_schemas_hold(void **state) {
  (void)state;
  struct rng rng = rng_seeded(13);
  int tier;
  struct tally tally = {0};
  for (size_t k = 0; k < test_rounds(300); k++) {
    term_id a = random_number(&rng), b = k % 7 ? random_number(&rng) : a;
    term_id ea = term_exp(&ts, a), eb = term_exp(&ts, b), la = term_ln(&ts, a),
            lb = term_ln(&ts, b);
    term_id fact;
    for (size_t i = 0; (fact = bounds_exp_pair_schema(&ts, i, a, ea, b, eb, &tier)); i++)
      check_fact(&tally, fact);
    for (size_t i = 0; (fact = bounds_ln_pair_schema(&ts, i, a, la, b, lb, &tier)); i++)
      check_fact(&tally, fact);
    term_id c = random_number(&rng), lc = term_ln(&ts, c);
    if ((fact = bounds_ln_ratio(&ts, a, la, b, lb, c, lc))) check_fact(&tally, fact);
    check_fact(&tally, bounds_exp_constant(&ts, a, ea, b));
    check_fact(&tally, bounds_tangent(&ts, a, ea, b, true));
    if (bounds_ln_constant(&ts, a, la, b)) check_fact(&tally, bounds_ln_constant(&ts, a, la, b));
    if (bounds_tangent(&ts, a, la, b, false))
      check_fact(&tally, bounds_tangent(&ts, a, la, b, false));
  }
  assert_true(tally.decided * 10 >= tally.all * 9);
}

/* The points are dense enough: near misses of the schemas are caught. */
static void near_misses_are_noticed(void **state) {
  (void)state;
  struct rng rng = rng_seeded(14);
  enum { WRONG = 7 };
  bool caught[WRONG] = {false};
  for (size_t k = 0; k < 400; k++) {
    term_id a = random_number(&rng), e = term_exp(&ts, a), l = term_ln(&ts, a);
    term_id one = term_rat(&ts, 1, 1), two = term_rat(&ts, 2, 1), zero = term_rat(&ts, 0, 1);
    term_id square = term_mul(&ts, a, a), up = term_add(&ts, a, one);
    term_id wrong[WRONG] = {
        term_le(&ts, term_add(&ts, term_mul(&ts, a, term_rat(&ts, 11, 10)), one), e),
        /* 1 + a + 0.7 a^2 on a <= 1; 1 + a + a^2 on a <= 2; 1 + a + a^2/2 below without guard */
        term_implies(
            &ts, term_le(&ts, a, one),
            term_le(&ts, e, term_add(&ts, up, term_mul(&ts, square, term_rat(&ts, 7, 10))))),
        term_implies(&ts, term_le(&ts, a, two), term_le(&ts, e, term_add(&ts, up, square))),
        term_le(&ts, term_add(&ts, up, term_mul(&ts, square, term_rat(&ts, 1, 2))), e),
        term_implies(&ts, term_lt(&ts, a, two),
                     term_le(&ts, term_mul(&ts, e, term_sub(&ts, two, a)), term_add(&ts, two, a))),
        term_implies(&ts, term_lt(&ts, zero, a),
                     term_le(&ts, l, term_sub(&ts, a, term_rat(&ts, 101, 100)))),
        term_implies(
            &ts, term_lt(&ts, zero, a),
            term_ge(&ts, term_mul(&ts, l, up), term_mul(&ts, two, term_sub(&ts, a, one))))};
    for (size_t i = 0; i < WRONG; i++)
      if (truth(wrong[i]) == 0) caught[i] = true;
  }
  for (size_t i = 0; i < WRONG; i++)
    assert_true(caught[i]);
}

/* ---- random terms ------------------------------------------------------------------------------
 */

static term_id vars[3];

static term_id random_term(struct rng *rng, int depth) {
  if (depth <= 0 || rng_chance(rng, 1, 5)) {
    if (rng_chance(rng, 1, 3)) return term_rat(&ts, rng_range(rng, -3, 4), 2);
    return vars[rng_below(rng, 3)];
  }
  term_id a = random_term(rng, depth - 1);
  switch (rng_below(rng, 11)) {
  case 0: return term_exp(&ts, a);
  case 1: return term_exp(&ts, term_mul(&ts, a, term_rat(&ts, rng_range(rng, -3, 3), 2)));
  case 2: return term_ln(&ts, a);
  case 3: return term_sqrt(&ts, a);
  case 4: return term_to_real(&ts, term_floor(&ts, a));
  case 5: return term_to_real(&ts, term_ceil(&ts, a));
  case 6: return term_div(&ts, a, random_term(rng, depth - 1));
  case 7: return term_pow(&ts, a, 2);
  case 8: return term_mul(&ts, a, random_term(rng, depth - 1));
  default: return term_add(&ts, a, random_term(rng, depth - 1));
  }
}

static void assign_random(struct evaluator *ev, struct rng *rng) {
  eval_reset(ev);
  fmpq q;
  fmpq_init(&q);
  for (size_t i = 0; i < 3; i++) {
    fmpq_set_si(&q, rng_range(rng, -16, 24), 8);
    eval_assign(ev, vars[i], tvalue_exact(ev, &q));
  }
  fmpq_clear(&q);
}

static void make_vars(void) {
  static const char *const names[] = {"x", "y", "z"};
  for (size_t i = 0; i < 3; i++)
    vars[i] = term_var(&ts, names[i], SORT_REAL, 0, 0);
}

/* Proves what holds at the point. */
static bool oracle_at_point(void *context, term_id formula) {
  return eval_truth(context, formula) == 1;
}

/* normalise keeps the value at points where its oracle tells the truth. */
static void normal_forms_keep_the_value(void **state) {
  (void)state;
  make_vars();
  struct rng rng = rng_seeded(15);
  struct evaluator ev;
  eval_init(&ev, &ts);
  size_t changed = 0, rounds = test_rounds(400);
  arb_t x, y;
  arb_init(x);
  arb_init(y);
  for (size_t k = 0; k < rounds; k++) {
    term_id t = random_term(&rng, 4);
    assign_random(&ev, &rng);
    struct normaliser n;
    normaliser_init(&n, &ts, oracle_at_point, &ev);
    term_id u = normalise(&n, t);
    normaliser_clear(&n);
    assert_int_not_equal(u, TERM_NONE);
    changed += u != t;
    const struct tvalue *before = eval_term(&ev, t), *after = eval_term(&ev, u);
    if (!tvalue_get_ball(before, x, 128) || !tvalue_get_ball(after, y, 128)) continue;
    assert_true(arb_overlaps(x, y));
  }
  assert_true(changed > rounds / 10);
  arb_clear(x);
  arb_clear(y);
  eval_clear(&ev);
}

/* All facts about the atoms of random formulas hold when the atoms have the values of their
 * sources; purification keeps the truth value. */
static void facts_about_random_atoms_hold(void **state) {
  (void)state;
  make_vars();
  struct rng rng = rng_seeded(16);
  struct evaluator ev;
  eval_init(&ev, &ts);
  size_t facts_seen = 0, decided = 0, products = 0;
  term_list constants = {0};
  vec_push(&constants, term_rat(&ts, 1, 1));
  vec_push(&constants, term_rat(&ts, 1, 2));
  for (size_t k = 0; k < test_rounds(150); k++) {
    term_id a = random_term(&rng, 3), b = random_term(&rng, 3);
    term_id formula = term_le(&ts, term_add(&ts, term_exp(&ts, a), term_ln(&ts, b)),
                              term_exp(&ts, term_add(&ts, a, b)));
    formula =
        term_and(&ts, formula, term_lt(&ts, term_ln(&ts, term_mul(&ts, a, b)), term_ln(&ts, a)));
    formula = term_or(&ts, formula, term_lt(&ts, term_exp(&ts, b), term_sqrt(&ts, a)));
    assign_random(&ev, &rng);
    struct normaliser n;
    normaliser_init(&n, &ts, oracle_at_point, &ev);
    struct purifier p;
    purifier_init(&p, &ts);
    term_id pure = purify_formula(&p, formula);
    assert_int_not_equal(pure, TERM_NONE);
    term_list facts = {0};
    bounds_facts(&p, &n, BOUNDS_TIERS, &constants, &facts);
    for (size_t i = 0; i < p.atoms.len; i++)
      eval_assign(&ev, p.atoms.at[i].var, eval_term(&ev, p.atoms.at[i].source));
    int before = eval_truth(&ev, formula), after = eval_truth(&ev, pure);
    assert_true(before < 0 || after < 0 || before == after);
    for (size_t i = 0; i < facts.len; i++) {
      int t = eval_truth(&ev, facts.at[i]);
      if (t == 0) {
        char *text = term_text(&ts, facts.at[i]);
        print_message("false: %s\n", text);
        free(text);
      }
      assert_int_not_equal(t, 0);
      facts_seen++;
      decided += t == 1;
      products += term_kind(&ts, facts.at[i]) == TERM_EQ;
    }
    vec_clear(&facts);
    purifier_clear(&p);
    normaliser_clear(&n);
  }
  assert_often(decided > facts_seen / 3);
  assert_often(products > 20); /* equations between exponentials did occur */
  vec_clear(&constants);
  eval_clear(&ev);
}

/* ---- derivatives and boxes ---------------------------------------------------------------------
 */

/* The derivative agrees with a difference quotient. */
static void derivatives_are_slopes(void **state) {
  (void)state;
  make_vars();
  struct rng rng = rng_seeded(17);
  struct evaluator ev;
  eval_init(&ev, &ts);
  ev.precision = 256;
  arb_t d, f0, f1, h;
  arb_init(d);
  arb_init(f0);
  arb_init(f1);
  arb_init(h);
  size_t compared = 0;
  for (size_t k = 0; k < test_rounds(500); k++) {
    term_id t = random_term(&rng, 3), x = vars[0];
    term_id slope = term_derivative(&ts, t, x);
    if (slope == TERM_NONE) continue;
    /* |f(x+h) - f(x) - h f'(x)| is small against h */
    term_id step = term_rat(&ts, 1, 1000000000000);
    term_id moved = term_add(&ts, x, step);
    term_id shifted = term_subst(&ts, t, &x, &moved, 1);
    assign_random(&ev, &rng);
    if (!tvalue_get_ball(eval_term(&ev, slope), d, 256) ||
        !tvalue_get_ball(eval_term(&ev, t), f0, 256) ||
        !tvalue_get_ball(eval_term(&ev, shifted), f1, 256))
      continue;
    double scale = arf_get_d(arb_midref(d), ARF_RND_NEAR);
    if (scale > 1e5 || scale < -1e5) continue;
    arb_sub(f1, f1, f0, 256);
    arb_set_fmpq(h, term_num_value(&ts, step), 256);
    arb_div(f1, f1, h, 256);
    arb_sub(f1, f1, d, 256);
    double error = arf_get_d(arb_midref(f1), ARF_RND_NEAR);
    assert_true(error < 1e-3 && error > -1e-3);
    compared++;
  }
  assert_often(compared > 100);
  arb_clear(d);
  arb_clear(f0);
  arb_clear(f1);
  arb_clear(h);
  eval_clear(&ev);
}

/* What the box search proves is true at random points of the box; touching corners are decided. */
static void box_proofs_are_true(void **state) {
  (void)state;
  make_vars();
  struct rng rng = rng_seeded(18);
  term_id x = vars[0], y = vars[1], zero = term_rat(&ts, 0, 1), one = term_rat(&ts, 1, 1);
  term_list hyps = {0};
  vec_push(&hyps, term_lt(&ts, zero, x));
  vec_push(&hyps, term_le(&ts, x, one));
  vec_push(&hyps, term_le(&ts, zero, y));
  vec_push(&hyps, term_le(&ts, y, one));
  vec_push(&hyps, term_le(&ts, x, term_add(&ts, y, one)));
  double never = 1e300;
  term_id e = term_exp(&ts, x), line = term_add(&ts, one, x);
  assert_true(interval_prove(&ts, &hyps, term_le(&ts, line, e), never));
  assert_true(interval_prove(&ts, &hyps, term_lt(&ts, line, e), never)); /* x > 0 */
  assert_false(
      interval_prove(&ts, &hyps, term_lt(&ts, term_exp(&ts, y), term_add(&ts, y, one)), never));
  assert_false(interval_prove(&ts, &hyps, term_lt(&ts, term_add(&ts, y, one), term_exp(&ts, y)),
                              never)); /* fails at y = 0 */
  assert_false(interval_prove(&ts, &hyps, term_le(&ts, vars[2], one), never));
  vec_push(&hyps, term_le(&ts, zero, vars[2]));
  vec_push(&hyps, term_le(&ts, vars[2], one));
  struct evaluator ev;
  eval_init(&ev, &ts);
  size_t proved = 0;
  fmpq q;
  fmpq_init(&q);
  for (size_t k = 0; k < test_rounds(60); k++) {
    term_id f = term_add(&ts, random_term(&rng, 3), term_rat(&ts, rng_range(&rng, -12, 2), 4));
    term_id goal = rng_chance(&rng, 1, 2) ? term_le(&ts, f, zero) : term_lt(&ts, f, zero);
    if (term_get(&ts, goal)->depth < 3 || !interval_prove(&ts, &hyps, goal, never)) continue;
    proved++;
    for (int i = 0; i < 60; i++) {
      eval_reset(&ev);
      fmpq_set_si(&q, rng_range(&rng, 1, 64), 64);
      eval_assign(&ev, x, tvalue_exact(&ev, &q));
      fmpq_set_si(&q, rng_range(&rng, 0, 64), 64);
      eval_assign(&ev, y, tvalue_exact(&ev, &q));
      fmpq_set_si(&q, rng_range(&rng, 0, 64), 64);
      eval_assign(&ev, vars[2], tvalue_exact(&ev, &q));
      assert_int_not_equal(eval_truth(&ev, goal), 0);
    }
  }
  assert_often(proved >= 5);
  fmpq_clear(&q);
  vec_clear(&hyps);
  eval_clear(&ev);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(single_schemas_hold, setup, teardown),
      cmocka_unit_test_setup_teardown(sqrt_schemas_hold, setup, teardown),
      cmocka_unit_test_setup_teardown(pair_and_constant_schemas_hold, setup, teardown),
      cmocka_unit_test_setup_teardown(near_misses_are_noticed, setup, teardown),
      cmocka_unit_test_setup_teardown(normal_forms_keep_the_value, setup, teardown),
      cmocka_unit_test_setup_teardown(facts_about_random_atoms_hold, setup, teardown),
      cmocka_unit_test_setup_teardown(derivatives_are_slopes, setup, teardown),
      cmocka_unit_test_setup_teardown(box_proofs_are_true, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
