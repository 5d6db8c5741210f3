/* The advocate finds refutations of valid sequents of every kind, and the referee accepts them; of
 * what is not valid it finds none. It is not trusted, so the second half is about the referee too.
 */
#include <stdlib.h>

#include "advocate/advocate.h"
#include "base/work.h"
#include "check/referee/referee.h"
#include "out/print.h"
#include "smt/smt.h"
#include "term/eval.h"
#include "termgen.h"

static const double SECONDS = 0.08; /* of counted work (base/work.h) */

static struct terms ts;
static term_id x, y, z, w, n, m, a, b, l, k;

static int setup(void **state) {
  (void)state;
  terms_init(&ts);
  x = term_var(&ts, "x", SORT_REAL, 0, 0);
  y = term_var(&ts, "y", SORT_REAL, 0, 0);
  z = term_var(&ts, "z", SORT_REAL, 0, 0);
  w = term_var(&ts, "w", SORT_REAL, 0, 0);
  n = term_var(&ts, "n", SORT_INT, 0, 0);
  m = term_var(&ts, "m", SORT_INT, 0, 0);
  a = term_var(&ts, "a", sort_array(&ts, SORT_REAL), 1, 0);
  b = term_var(&ts, "a", sort_array(&ts, SORT_REAL), 2, 0);
  l = term_var(&ts, "l", sort_list(&ts, SORT_INT), 0, 0);
  k = term_var(&ts, "k", sort_list(&ts, SORT_INT), 0, 0);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  terms_clear(&ts);
  return 0;
}

/* Is there a refutation? What the advocate delivers, the referee has to accept. */
static bool refutes(const term_id *hypotheses, size_t count, term_id goal, double seconds) {
  struct sequent sequent = {hypotheses, count, goal};
  struct refutation r;
  refutation_init(&r);
  bool found = advocate_refute(&ts, &sequent, seconds, &r);
  const char *why = NULL;
  size_t where = 0;
  if (found && !referee_accepts(&ts, &sequent, &r, &why, &where))
    fail_msg("rejected at step %zu: %s", where, why);
  refutation_clear(&r);
  return found;
}

#define LIST(...)                                                                                  \
  (const term_id[]){__VA_ARGS__}, sizeof((const term_id[]){__VA_ARGS__}) / sizeof(term_id)
#define VALID(goal, ...) found(LIST(__VA_ARGS__), goal)
/* In more time than any of the valid ones takes. */
#define NOT_VALID(goal, ...) assert_false(refutes(LIST(__VA_ARGS__), goal, SECONDS))

static void found(const term_id *hypotheses, size_t count, term_id goal) {
  assert_int_not_equal(goal, TERM_NONE);
  if (refutes(hypotheses, count, goal, SECONDS)) return;
  char *text = term_text(&ts, goal);
  print_message("no refutation: %s\n", text);
  free(text);
  fail();
}

static term_id num(long value) {
  return term_rat(&ts, value, 1);
}
static term_id le(term_id s, term_id t) {
  return term_le(&ts, s, t);
}
static term_id lt(term_id s, term_id t) {
  return term_lt(&ts, s, t);
}
static term_id eq(term_id s, term_id t) {
  return term_eq(&ts, s, t);
}
static term_id add(term_id s, term_id t) {
  return term_add(&ts, s, t);
}
static term_id sub(term_id s, term_id t) {
  return term_sub(&ts, s, t);
}
static term_id mul(term_id s, term_id t) {
  return term_mul(&ts, s, t);
}
static term_id quotient(term_id s, term_id t) {
  return term_div(&ts, s, t);
}
static term_id positive(term_id t) {
  return lt(num(0), t);
}
static term_id at(term_id array, term_id index) {
  return term_select(&ts, array, index);
}

/* ---- valid, and their false neighbours ------------------------------------------------------- */

static void linear(void **state) {
  (void)state;
  VALID(le(x, z), le(x, y), le(y, z));
  NOT_VALID(lt(x, z), le(x, y), le(y, z));
  VALID(le(term_abs(&ts, sub(x, z)), num(2)), le(term_abs(&ts, sub(x, y)), num(1)),
        le(term_abs(&ts, sub(y, z)), num(1)));
  NOT_VALID(le(term_abs(&ts, sub(x, z)), num(1)), le(term_abs(&ts, sub(x, y)), num(1)),
            le(term_abs(&ts, sub(y, z)), num(1)));
  VALID(le(add(n, term_int(&ts, 1)), m), lt(n, m));
  NOT_VALID(le(add(x, num(1)), y), lt(x, y));
  VALID(eq(term_max(&ts, x, y), y), le(x, y));
  VALID(le(term_floor(&ts, x), term_floor(&ts, y)), le(x, y));
}

static void cases(void **state) {
  (void)state;
  term_id p = lt(x, num(0)), q = lt(y, num(0));
  VALID(q, term_or(&ts, p, q), term_implies(&ts, p, q));
  NOT_VALID(q, term_or(&ts, p, q));
  term_id chosen = term_ite(&ts, p, num(1), num(2));
  VALID(le(num(1), chosen), ts.true_term);
  NOT_VALID(le(num(2), chosen), ts.true_term);
  VALID(term_iff(&ts, p, q), term_iff(&ts, q, p));
}

static void products_and_quotients(void **state) {
  (void)state;
  VALID(le(mul(x, z), mul(y, z)), le(x, y), le(num(0), z));
  NOT_VALID(le(mul(x, z), mul(y, z)), le(x, y));
  VALID(le(num(0), add(mul(x, x), mul(y, y))), ts.true_term);
  VALID(le(quotient(x, z), quotient(y, z)), le(x, y), positive(z));
  NOT_VALID(le(quotient(x, z), quotient(y, z)), le(x, y));
  VALID(eq(add(quotient(x, mul(num(2), y)), quotient(x, mul(num(2), y))), quotient(x, y)),
        positive(y));
  VALID(le(quotient(term_abs(&ts, sub(x, y)), quotient(num(2), z)), quotient(z, num(2))),
        positive(z), le(term_abs(&ts, sub(x, y)), num(1)));
  NOT_VALID(eq(mul(quotient(x, y), y), x), ts.true_term); /* y may be 0 */
}

/* Differences that are bounded together, as in an adjacency by the 2-norm. */
static void sums_of_squares(void **state) {
  (void)state;
  term_id one = num(1), d = term_pow(&ts, sub(x, y), 2), e = term_pow(&ts, sub(z, w), 2),
          f = term_pow(&ts, add(x, z), 2), r = quotient(one, y);
  term_id both = le(add(d, e), one), half = le(add(mul(num(2), d), mul(num(3), e)), one),
          all = le(add(add(d, e), f), one), rr = term_pow(&ts, r, 2);
  VALID(le(mul(d, rr), rr), both, positive(y));
  VALID(le(mul(add(d, e), rr), rr), both, positive(y));
  VALID(le(mul(mul(num(2), d), rr), rr), half, positive(y));
  VALID(le(mul(add(d, f), rr), rr), all, positive(y));
  /* times a square: the middle one has no square of its own */
  VALID(le(mul(d, rr), mul(mul(z, w), rr)), le(d, mul(z, w)));
  NOT_VALID(le(mul(d, r), mul(mul(z, w), r)), le(d, mul(z, w)));
  NOT_VALID(le(mul(mul(num(2), d), rr), rr), both, positive(y));
  NOT_VALID(le(mul(d, rr), rr), le(sub(d, e), one), positive(y));
  NOT_VALID(le(mul(add(add(d, e), f), rr), rr), both, positive(y));
}

static void quantifiers_and_arrays(void **state) {
  (void)state;
  term_id near = le(term_abs(&ts, sub(at(a, n), at(b, n))), num(1));
  term_id all = term_forall_range(&ts, n, term_int(&ts, 0), m, near);
  term_id three = term_int(&ts, 3);
  VALID(le(at(a, three), add(at(b, three), num(1))), all, lt(three, m));
  NOT_VALID(le(at(a, three), add(at(b, three), num(1))), all);
  VALID(term_exists(&ts, &n, 1, lt(at(a, n), num(1))),
        term_exists(&ts, &n, 1, lt(at(a, n), num(0))));
  NOT_VALID(term_exists(&ts, &n, 1, lt(at(a, n), num(0))),
            term_exists(&ts, &n, 1, lt(at(a, n), num(1))));
  VALID(eq(a, b), term_forall(&ts, &n, 1, eq(at(a, n), at(b, n))));
  term_id stored = term_store(&ts, a, m, x);
  VALID(eq(at(stored, n), at(a, n)), lt(m, n));
  VALID(eq(at(stored, n), x), eq(m, n));
  NOT_VALID(eq(at(stored, n), at(a, n)), le(m, n));
  term_id other = term_store(&ts, b, n, y);
  VALID(eq(x, y), eq(stored, other), eq(m, n));
  NOT_VALID(eq(x, y), eq(stored, other));
}

static void data(void **state) {
  (void)state;
  sort_id lists = term_sort(&ts, l);
  term_id nil = term_nil(&ts, lists), one = term_int(&ts, 1);
  VALID(term_not(&ts, eq(l, nil)), eq(term_length(&ts, l), one));
  term_id longer = eq(l, term_cons(&ts, n, k));
  VALID(term_not(&ts, eq(l, nil)), longer);
  VALID(eq(term_length(&ts, l), add(term_length(&ts, k), one)), longer);
  NOT_VALID(eq(term_length(&ts, l), term_length(&ts, k)), longer);
  VALID(eq(term_append(&ts, l, k), k), eq(term_length(&ts, l), term_int(&ts, 0)));
  NOT_VALID(eq(l, k), eq(term_length(&ts, l), term_length(&ts, k)));
  sort_id pair = sort_tuple(&ts, (sort_id[]){SORT_INT, SORT_REAL}, 2);
  term_id p = term_var(&ts, "p", pair, 0, 0), q = term_var(&ts, "q", pair, 0, 0);
  VALID(eq(p, q), eq(term_proj(&ts, p, 0), term_proj(&ts, q, 0)),
        eq(term_proj(&ts, p, 1), term_proj(&ts, q, 1)));
  NOT_VALID(eq(p, q), eq(term_proj(&ts, p, 0), term_proj(&ts, q, 0)));
  symbol_id f = symbol_declare(&ts, "f", (sort_id[]){SORT_REAL}, 1, SORT_REAL);
  term_id fx = term_app(&ts, f, &x, 1), fy = term_app(&ts, f, &y, 1);
  VALID(eq(fx, fy), le(x, y), le(y, x));
  NOT_VALID(eq(x, y), eq(fx, fy));
}

static void functions(void **state) {
  (void)state;
  if (TEST_IS_SANITIZED) skip();
  term_id ex = term_exp(&ts, x), ey = term_exp(&ts, y);
  VALID(le(ex, ey), le(x, y));
  NOT_VALID(le(ex, ey), le(x, add(y, num(1))));
  VALID(le(add(num(1), x), ex), ts.true_term);
  VALID(le(term_ln(&ts, x), term_ln(&ts, y)), positive(x), le(x, y));
  NOT_VALID(le(term_ln(&ts, x), term_ln(&ts, y)), le(x, y)); /* outside of the domain */
  VALID(positive(mul(ex, ey)), ts.true_term);
  VALID(le(term_sqrt(&ts, x), term_sqrt(&ts, y)), le(num(0), x), le(x, y));
  VALID(le(num(0), add(term_mod(&ts, n, m), num(0))), lt(term_int(&ts, 0), m));
  NOT_VALID(le(num(0), add(term_mod(&ts, n, m), num(0))), ts.true_term);
  VALID(lt(term_raise(&ts, 2, n), term_raise(&ts, 2, m)), le(term_int(&ts, 0), n), lt(n, m));
}

/* Facts on the way that are products of many hypotheses. */
static void cuts(void **state) {
  (void)state;
  term_id one = term_int(&ts, 1), small = lt(x, num(1)), four = mul(mul(w, x), mul(y, z));
  VALID(le(four, mul(num(30), w)), positive(w), positive(x), le(x, num(2)), positive(y),
        le(y, num(3)), positive(z), le(z, num(5)));
  NOT_VALID(le(four, mul(num(29), w)), positive(w), positive(x), le(x, num(2)), positive(y),
            le(y, num(3)), positive(z), le(z, num(5)));
  term_id real = term_to_real(&ts, n), log = term_ln(&ts, quotient(num(2), y));
  term_id root = term_sqrt(&ts, mul(num(2), mul(real, log)));
  VALID(le(quotient(x, root), num(1)), positive(x), small, positive(y), lt(y, num(1)), le(one, n));
  NOT_VALID(le(quotient(x, root), quotient(num(4), num(5))), positive(x), small, positive(y),
            lt(y, num(1)), le(one, n));
  term_id loss = term_neg(&ts, term_ln(&ts, sub(num(1), quotient(x, num(4)))));
  VALID(le(loss, quotient(x, num(3))), positive(x), small);
  NOT_VALID(le(loss, quotient(x, num(4))), positive(x), small);
}

/* Values of ln as any numbers, with what is known of their signs. */
static void values(void **state) {
  (void)state;
  term_id one = num(1), log = term_ln(&ts, quotient(quotient(num(5), num(4)), y));
  term_id root = term_sqrt(&ts, mul(num(2), log)), inverse = quotient(one, z);
  term_id need = mul(num(2), mul(mul(inverse, inverse), log));
  VALID(le(need, mul(x, x)), positive(x), le(x, one), positive(y), lt(y, one),
        le(quotient(root, x), z));
  NOT_VALID(le(mul(num(2), need), mul(x, x)), positive(x), le(x, one), positive(y), lt(y, one),
            le(quotient(root, x), z));
  NOT_VALID(le(need, mul(x, x)), le(x, one), positive(y), lt(y, one), le(quotient(root, x), z));
}

static term_id clip(long low, long high, term_id t) {
  return term_max(&ts, num(low), term_min(&ts, num(high), t));
}

/* Products of values that are clipped to a range. */
static void clips(void **state) {
  (void)state;
  if (TEST_IS_SANITIZED) skip();
  term_id p = mul(clip(-1, 2, x), clip(-3, 1, y)), q = mul(clip(-1, 2, z), clip(-3, 1, w));
  VALID(le(p, num(3)), positive(z));
  NOT_VALID(lt(p, num(3)), positive(z));
  VALID(le(num(-6), p), positive(z));
  NOT_VALID(le(num(-5), p), positive(z));
  VALID(le(term_abs(&ts, sub(p, q)), num(9)), positive(z));
  NOT_VALID(le(term_abs(&ts, sub(p, q)), num(8)), positive(z));
  VALID(eq(p, q), eq(x, z), eq(y, w));
  NOT_VALID(eq(p, q), eq(x, z));
  VALID(le(term_pow(&ts, clip(-2, 1, x), 2), num(4)), positive(z));
  NOT_VALID(le(term_pow(&ts, clip(-2, 1, x), 2), num(3)), positive(z));
}

static double work_seconds(void) {
  return (double)work_now() * 1e-9;
}

/* The search optimises, multiplies and decides; whatever it is at, it stops in time. */
static void time_is_limited(void **state) {
  (void)state;
  enum { VARS = 14 };
  term_id v[VARS], h[2 * VARS], sum = num(0);
  for (int i = 0; i < VARS; i++)
    v[i] = term_var(&ts, "v", SORT_REAL, 0, (uint32_t)i + 1);
  for (int i = 0; i < VARS; i++) {
    term_id next = v[(i + 1) % VARS], far = v[(i + 5) % VARS];
    h[2 * i] = le(mul(v[i], next), add(num(7 + i), mul(far, quotient(v[i], num(3)))));
    h[2 * i + 1] = positive(v[i]);
    sum = add(sum, mul(v[i], mul(next, far)));
  }
  const double seconds = 0.5;
  double start = work_seconds();
  assert_false(refutes(h, 2 * VARS, le(sum, num(1)), seconds));
  assert_true(work_seconds() - start < 4 * seconds);
}

/* A solver's nonlinear arithmetic called this set contradictory; m = 1/2, v = 0, a = 1, b = -1
 * satisfies it. */
static void a_satisfiable_set_is_not_refuted(void **state) {
  (void)state;
  term_id unit = add(num(1), mul(w, w));
  const term_id set[] = {positive(z), eq(sub(unit, mul(x, x)), num(0)),
                         eq(sub(unit, mul(y, y)), num(0)),
                         eq(sub(add(num(1), mul(z, y)), mul(z, x)), num(0))};
  assert_false(refutes(set, 4, ts.false_term, 2));
  struct evaluator ev;
  eval_init(&ev, &ts);
  const term_id vars[] = {z, w, x, y};
  const long values[] = {1, 0, 2, -2}; /* halves */
  for (size_t i = 0; i < 4; i++) {
    fmpq_t value;
    fmpq_init(value);
    fmpq_set_si(value, values[i], 2);
    eval_assign(&ev, vars[i], tvalue_exact(&ev, value));
    fmpq_clear(value);
  }
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(eval_truth(&ev, set[i]), 1);
  eval_clear(&ev);
}

/* ---- random sequents ------------------------------------------------------------------------- */

static const term_id *random_hypotheses(struct termgen *g, size_t round, term_id *goal) {
  static term_id hypotheses[2];
  hypotheses[0] = termgen_term(g, SORT_BOOL, 2);
  hypotheses[1] = termgen_term(g, SORT_BOOL, 2);
  *goal = termgen_term(g, SORT_BOOL, 2);
  if (round % 3 == 0) /* a consequence */
    *goal = term_or(&ts, *goal, term_and(&ts, hypotheses[0], hypotheses[1]));
  if (round % 3 == 1) *goal = term_implies(&ts, termgen_term(g, SORT_BOOL, 2), hypotheses[0]);
  return hypotheses;
}

/* What is refuted has no model: neither one that the solver finds (it is confirmed by evaluation)
 * nor a random one. And most of what the solver calls valid is refuted. */
static void random_sequents(void **state) {
  (void)state;
  struct smt smt;
  struct smt_options options = smt_default_options();
  options.rlimit = 300000;
  smt_init(&smt, &ts, &options);
  struct termgen g;
  struct evaluator ev;
  termgen_init(&g, &ts, 99);
  g.linear = true;
  eval_init(&ev, &ts);
  size_t valid = 0, both = 0, models = 0, rounds = test_rounds(300);
  for (size_t i = 0; i < rounds; i++) {
    term_id goal;
    const term_id *h = random_hypotheses(&g, i, &goal);
    if (!h[0] || !h[1] || !goal) continue;
    bool refuted = refutes(h, 2, goal, 1);
    enum smt_verdict v = smt_entails(&smt, "random", span_none(), h, 2, goal);
    if (refuted) assert_int_not_equal(v, SMT_INVALID);
    valid += v == SMT_VALID;
    both += v == SMT_VALID && refuted;
    models += v == SMT_INVALID;
    for (int k2 = 0; refuted && k2 < 50; k2++) {
      termgen_assign(&g);
      eval_reset(&ev);
      termgen_bind(&g, &ev);
      if (eval_truth(&ev, h[0]) == 1 && eval_truth(&ev, h[1]) == 1)
        assert_int_not_equal(eval_truth(&ev, goal), 0);
    }
  }
  print_message("%zu valid, of which %zu refuted; %zu with a model\n", valid, both, models);
  assert_true(valid > rounds / 5);
  assert_true(models > rounds / 10);
  assert_true(both > valid * 9 / 10);
  eval_clear(&ev);
  termgen_clear(&g);
  smt_clear(&smt);
}

/* ---- refutations that are changed ------------------------------------------------------------ */

static void change(struct rng *rng, struct refutation *r, const term_list *pool) {
  struct step *s = &r->steps.at[rng_below(rng, r->steps.len)];
  term_id t = pool->at[rng_below(rng, pool->len)];
  switch (rng_below(rng, 8)) {
  case 0: s->number = rng_below(rng, 5); break;
  case 1: s->kind = (enum step_kind)rng_below(rng, 8); break;
  case 2: s->formula = t; break;
  case 3:
    if (s->terms.len) s->terms.at[rng_below(rng, s->terms.len)] = t;
    break;
  case 4:
    if (s->literals.len) s->literals.len--;
    break;
  case 5:
    if (s->literals.len) {
      struct literal *literal = &s->literals.at[rng_below(rng, s->literals.len)];
      if (rng_chance(rng, 1, 2))
        literal->negated = !literal->negated;
      else
        literal->atom = t;
    }
    break;
  case 6:
    if (s->hints.len) s->hints.at[rng_below(rng, s->hints.len)] = rng_below(rng, r->steps.len);
    break;
  default:
    if (s->sum.len) {
      struct summand *summand = &s->sum.at[rng_below(rng, s->sum.len)];
      if (rng_chance(rng, 1, 2))
        summand->multiplier = t;
      else if (summand->factors.len)
        summand->factors.at[0] = rng_below(rng, s->literals.len + 1);
    }
    break;
  }
}

/* A refutation of H |- F, however changed, does not refute H |- false, for H has a model. */
static void changed_refutations_refute_no_model(void **state) {
  (void)state;
  struct rng rng = rng_seeded(5);
  term_id all = term_forall(&ts, &n, 1, le(num(0), at(a, n)));
  const term_id given[] = {le(x, y), positive(z), all, term_or(&ts, lt(w, x), lt(y, w))};
  const term_id goals[] = {le(quotient(x, z), quotient(y, z)), le(num(0), at(a, m)),
                           term_implies(&ts, le(x, w), lt(y, w)), le(mul(x, z), mul(y, z)),
                           le(term_exp(&ts, x), term_exp(&ts, y))};
  for (size_t g = 0; g < 5; g++) {
    for (size_t round = 0; round < test_rounds(200); round++) {
      struct refutation r;
      refutation_init(&r);
      struct sequent sequent = {given, 4, goals[g]};
      assert_true(advocate_refute(&ts, &sequent, SECONDS, &r));
      term_list pool = {0};
      for (term_id t = 0; t < ts.nodes.len; t++)
        if (!term_get(&ts, t)->loose) vec_push(&pool, t);
      size_t changes = rng_below(&rng, 4);
      for (size_t i = 0; i < changes; i++)
        change(&rng, &r, &pool);
      sequent.goal = ts.false_term;
      assert_false(referee_accepts(&ts, &sequent, &r, NULL, NULL));
      vec_clear(&pool);
      refutation_clear(&r);
    }
  }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(linear),
      TEST(cases),
      TEST(products_and_quotients),
      TEST(sums_of_squares),
      TEST(quantifiers_and_arrays),
      TEST(data),
      TEST(functions),
      TEST(cuts),
      TEST(values),
      TEST(clips),
      TEST(time_is_limited),
      TEST(a_satisfiable_set_is_not_refuted),
      TEST(random_sequents),
      TEST(changed_refutations_refute_no_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
