/* ctest-label: release */
/* FINITE against the meaning of judgements: random code over a finite memory goes through the rule;
 * where its precondition holds the linear program of tests/lib/oracle.h must agree, and where it
 * does not the conclusion is really wrong. And its parts: outcomes, cases, denominators. */
#include <math.h>
#include <string.h>

#include "finite_test.h"
#include "kernel/cases.h"
#include "kernel/fraction.h"
#include "kernel/outcome_cut.h"
#include "kernel/outcome_point.h"
#include "term/eval.h"
#include "term/subst.h"

/* ---- the rule ------------------------------------------------------------------------------- */

static term_id equal_keys(struct finite *w, const term_id *keys, size_t count) {
  term_id all = w->k->yes;
  for (size_t i = 0; i < count; i++)
    all = term_and(&w->terms, all,
                   term_eq(&w->terms, finite_in(w, keys[i], 1), finite_in(w, keys[i], 2)));
  return all;
}

/* A coin whose probability depends on the memory, a loop with a fixed number of iterations. */
static const struct core *flavoured(struct finite *w, const struct core *c) {
  struct terms *ts = &w->terms;
  if (rng_chance(&w->rng, 1, 2)) {
    term_id p = term_div(ts, term_add(ts, w->digit, term_int(ts, 1)),
                         term_add(ts, w->digit, term_int(ts, rng_range(&w->rng, 2, 4))));
    const struct core *coin = core_sample(w->arena, span_none(), w->bit, DIST_BERNOULLI, &p, 1);
    c = rng_chance(&w->rng, 1, 2) ? core_seq(w->arena, coin, c) : core_seq(w->arena, c, coin);
  }
  if (!rng_chance(&w->rng, 1, 3)) return c;
  /* digit := 0; while digit < 2 {bit <$ ..; digit := digit + 1}; c */
  term_id half = term_rat(ts, 1, rng_chance(&w->rng, 1, 2) ? 2 : 3);
  const struct core *body = core_seq(
      w->arena, core_sample(w->arena, span_none(), w->bit, DIST_BERNOULLI, &half, 1),
      core_assign(w->arena, span_none(), w->digit, term_add(ts, w->digit, term_int(ts, 1))));
  const struct core *loop =
      core_while(w->arena, span_none(), term_lt(ts, w->digit, term_int(ts, 2)), body);
  const struct core *start = core_assign(w->arena, span_none(), w->digit, term_int(ts, 0));
  return core_seq(w->arena, start, core_seq(w->arena, loop, c));
}

struct choice {
  term_id keys[2];
  struct finite_range range;
  struct finite_part how;
};

static void choose(struct finite *w, struct choice *c) {
  unsigned which = (unsigned)rng_range(&w->rng, 1, 3);
  size_t count = 0;
  if (which & 1) c->keys[count++] = w->bit;
  if (which & 2) c->keys[count++] = w->digit;
  c->range = (struct finite_range){w->digit, 0, 2};
  c->how = (struct finite_part){
      .keys = c->keys,
      .key_count = count,
      .spent = term_rat(&w->terms, rng_range(&w->rng, 0, 12), 8),
      .ranges = &c->range,
      .range_count = rng_chance(&w->rng, 1, 2),
      .comparison = (enum comparison)(rng_chance(&w->rng, 1, 4) * rng_range(&w->rng, 1, 2))};
}

/* Where the rule demands too much: it holds with less than is spent, but pre does not say so. */
static void check_complete(struct finite *w, proof_of j, const struct finite_part *how) {
  struct finite_table post = finite_read(w, judgement_post(j));
  double spent = number(w, how->spent);
  for (int s = 0; s < FINITE_STATES; s++)
    for (int t = 0; t < FINITE_STATES; t++) {
      double least = finite_delta(w, judgement_left(j), judgement_right(j), s, t,
                                  spent > 0 ? spent - 1e-5 : 0, &post);
      bool holds = finite_holds(w, judgement_pre(j), s, t, spent + 1e-9);
      if (spent > 0 && least <= 1e-9 && how->comparison == COMPARE_WHOLE) assert_true(holds);
      if (least > 1e-5) seen.wrong++;
    }
}

COUNTS(listed, seen.tight > 20 && seen.wrong > 500)
TEST(listed, 1500) {
  const struct core *c1 = flavoured(w, finite_command(w, 2, 3));
  const struct core *c2 = rng_chance(&w->rng, 1, 2) ? c1 : flavoured(w, finite_command(w, 2, 3));
  struct choice c;
  choose(w, &c);
  proof_of j = rule_finite(w->k, span_none(), c1, c2, &c.how);
  if (!j) return;
  assert_int_equal(judgement_post(j), equal_keys(w, c.keys, c.how.key_count));
  conclude(w, j);
  check_complete(w, j, &c.how);
}

/* With a cost that depends on the memories, and the budget that is put aside. */
COUNTS(listed_cost, seen.tight > 10 && seen.wrong > 20)
TEST(listed_cost, 600) {
  struct terms *ts = &w->terms;
  const struct core *c = flavoured(w, finite_command(w, 2, 3));
  struct choice choice;
  choose(w, &choice);
  choice.how.spent = term_ite(ts, term_eq(ts, w->digits[1], w->digits[2]), choice.how.spent,
                              term_rat(ts, rng_range(&w->rng, 0, 12), 8));
  proof_of j = rule_finite(w->k, span_none(), c, c, &choice.how);
  if (!j) return;
  conclude(w, j);
  /* for less than that: wrong now and then */
  term_id budget = kernel_budget(w->k), twice = term_mul(ts, term_int(ts, 2), budget);
  would(w, c, c, term_subst(ts, kernel_strip(w->k, judgement_pre(j)), &budget, &twice, 1),
        judgement_post(j), w->k->zero);
}

/* ---- samples that are part of the outcome --------------------------------------------------- */

static term_id digit_or(struct finite *w, term_id other) {
  return rng_chance(&w->rng, 1, 2) ? w->digit : other;
}

/* Something about the sample, which is in the digit: shifted, reflected, wrapped, cut, set apart. */
static const struct core *shaped(struct finite *w) {
  struct terms *ts = &w->terms;
  term_id zero = term_int(ts, 0), one = term_int(ts, 1), digit = w->digit;
  term_id m = term_add(ts, w->index, one);
  term_id own = term_ite(ts, w->bit, one, zero), e = digit;
  switch (rng_below(&w->rng, 6)) {
  case 0: e = term_sub(ts, w->index, digit); break;
  case 1: e = term_mod(ts, term_add(ts, digit, own), m); break;
  case 2: e = term_mod(ts, term_sub(ts, own, digit), m); break;
  case 3: e = term_sub(ts, w->index, term_mod(ts, term_add(ts, digit, own), m)); break;
  case 4: e = term_ite(ts, w->bit, digit, digit_or(w, zero)); break;
  default: break;
  }
  const struct core *c = core_assign(w->arena, span_none(), digit, e);
  term_id where = rng_chance(&w->rng, 1, 2) ? own : term_int(ts, rng_range(&w->rng, 0, 2));
  term_id above = rng_chance(&w->rng, 1, 2) ? term_le(ts, where, digit) : term_eq(ts, digit, where);
  const struct core *set = core_assign(w->arena, span_none(), w->bit, term_bool(ts, true));
  const struct core *clear = core_assign(w->arena, span_none(), digit, digit_or(w, zero));
  switch (rng_below(&w->rng, 4)) {
  case 0: return core_seq(w->arena, core_if(w->arena, span_none(), above, set, clear), c);
  case 1: return core_seq(w->arena, core_assign(w->arena, span_none(), w->bit, above), c);
  default: return c;
  }
}

/* digit <$ UniformInt(0, index), or that until it fits: as many values as nobody can tell. */
static const struct core *draw_digit(struct finite *w) {
  struct terms *ts = &w->terms;
  term_id zero = term_int(ts, 0);
  bool once = rng_chance(&w->rng, 1, 2);
  term_id ends[] = {term_int(ts, once && rng_chance(&w->rng, 1, 2)), w->index};
  const struct core *draw = core_sample(w->arena, span_none(), w->digit, DIST_UNIFORM_INT, ends, 2);
  if (once) return draw;
  term_id out = rng_chance(&w->rng, 1, 2) ? zero : term_ite(ts, w->bit, term_int(ts, 1), zero);
  bool early = rng_chance(&w->rng, 1, 4);
  const struct core *start = core_assign(w->arena, span_none(), w->digit, early ? ends[1] : out);
  term_id again = early ? term_lt(ts, w->digit, w->index) : term_eq(ts, w->digit, out);
  if (rng_chance(&w->rng, 1, 8)) /* this is no repetition */
    draw = core_if(w->arena, span_none(), w->bit, draw, core_skip());
  return core_seq(w->arena, start, core_while(w->arena, span_none(), again, draw));
}

static const struct core *drawn_and_shaped(struct finite *w) {
  const struct core *c = core_seq(w->arena, draw_digit(w), shaped(w));
  if (rng_chance(&w->rng, 1, 3)) c = core_seq(w->arena, c, shaped(w));
  term_id p = term_rat(&w->terms, 1, 3);
  if (rng_chance(&w->rng, 1, 2)) return c;
  const struct core *coin = core_sample(w->arena, span_none(), w->bit, DIST_BERNOULLI, &p, 1);
  return core_if(w->arena, span_none(), w->bit, c, core_seq(w->arena, coin, draw_digit(w)));
}

COUNTS(drawn, seen.tight > 2 && seen.wrong > 100)
TEST(drawn, 320) {
  const struct core *c1 = drawn_and_shaped(w);
  const struct core *c2 = rng_chance(&w->rng, 1, 2) ? c1 : drawn_and_shaped(w);
  struct choice c;
  choose(w, &c);
  proof_of j = rule_finite(w->k, span_none(), c1, c2, &c.how);
  if (!j) return;
  seen.applied++;
  assert_true(finite_sound(w, j, 0, 2, &seen.tight));
  w->index_value = rng_range(&w->rng, 1, 2);
  if (rng_chance(&w->rng, 1, 4)) check_complete(w, j, &c.how);
}

/* ---- what is refused ------------------------------------------------------------------------ */

static proof_of finite_of(struct finite *w, const struct core *c, struct finite_part how) {
  how.keys = &w->bit;
  how.key_count = 1;
  if (how.spent == TERM_NONE) how.spent = term_rat(&w->terms, 1, 1);
  return rule_finite(w->k, span_none(), c, c, &how);
}

static void refusals(void **state) {
  (void)state;
  struct finite world, *w = &world;
  finite_init(w, 3);
  struct terms *ts = &w->terms;
  term_id outer = kernel_var(w->k, "outer", SORT_INT, false);
  term_id half = term_rat(ts, 1, 2), noise[] = {term_int(ts, 0), term_int(ts, 1)};
  const struct core *coin = core_sample(w->arena, span_none(), w->bit, DIST_BERNOULLI, &half, 1);
  const struct core *lap =
      core_sample(w->arena, span_none(), w->digit, DIST_DISCRETE_LAPLACE, noise, 2);
  const struct core *forever = core_while(w->arena, span_none(), w->bit, coin);
  assert_non_null(finite_of(w, coin, (struct finite_part){0}));
  /* a loop that may be entered or not, an outcome that is no function with an inverse */
  assert_null(finite_of(w, forever, (struct finite_part){0}));
  struct finite_part about_digit = {.keys = &w->digit, .key_count = 1, .spent = term_rat(ts, 1, 1)};
  term_id square = term_mul(ts, w->digit, w->digit),
          third = term_mod(ts, w->digit, term_int(ts, 3));
  assert_non_null(rule_finite(w->k, span_none(), lap, lap, &about_digit));
  for (int i = 0; i < 2; i++) {
    const struct core *c =
        core_seq(w->arena, lap, core_assign(w->arena, span_none(), w->digit, i ? square : third));
    assert_null(rule_finite(w->k, span_none(), c, c, &about_digit));
  }
  assert_non_null(finite_of(w, core_seq(w->arena, lap, coin), (struct finite_part){0}));
  /* a loop that never ends for some values of a parameter */
  term_id ends[] = {term_int(ts, 0), w->index}, none = term_int(ts, 0);
  const struct core *draw = core_sample(w->arena, span_none(), w->digit, DIST_UNIFORM_INT, ends, 2);
  const struct core *again =
      core_seq(w->arena, core_assign(w->arena, span_none(), w->digit, none),
               core_while(w->arena, span_none(), term_eq(ts, w->digit, none), draw));
  proof_of j = rule_finite(w->k, span_none(), again, again, &about_digit);
  assert_non_null(j);
  for (w->index_value = 0; w->index_value <= 1; w->index_value++)
    assert_int_equal(finite_holds(w, judgement_pre(j), 0, 0, 1), w->index_value == 1);
  /* a loop that goes on until it has passed what was drawn before it */
  const struct core *fixed = core_assign(w->arena, span_none(), outer, term_int(ts, 2));
  const struct core *earlier =
      core_sample(w->arena, span_none(), outer, DIST_DISCRETE_LAPLACE, noise, 2);
  const struct core *pass =
      core_seq(w->arena, core_assign(w->arena, span_none(), w->digit, term_int(ts, -1)),
               core_while(w->arena, span_none(), term_lt(ts, w->digit, outer), lap));
  const struct core *past_fixed = core_seq(w->arena, fixed, pass);
  const struct core *past_earlier = core_seq(w->arena, earlier, pass);
  assert_non_null(rule_finite(w->k, span_none(), past_fixed, past_fixed, &about_digit));
  assert_null(rule_finite(w->k, span_none(), past_earlier, past_earlier, &about_digit));
  /* a sample compared with all integers at once: no single cut */
  term_id any = kernel_fresh(w->k, "any", SORT_INT);
  term_id all = term_forall(ts, &any, 1, term_le(ts, w->digit, any));
  const struct core *least =
      core_seq(w->arena, lap, core_assign(w->arena, span_none(), w->bit, all));
  struct finite_part about_bit = {.keys = &w->bit, .key_count = 1, .spent = term_rat(ts, 1, 1)};
  assert_null(rule_finite(w->k, span_none(), least, least, &about_bit));
  /* a cost that speaks of the budget or of no run; ranges of what is no integer, or upside down */
  assert_null(finite_of(w, coin, (struct finite_part){.spent = kernel_budget(w->k)}));
  assert_null(finite_of(w, coin, (struct finite_part){.spent = w->digit}));
  struct finite_range bad[] = {{w->bit, 0, 1}, {w->digit, 1, 0}, {w->digit, 0, 4096}};
  for (size_t i = 0; i < 3; i++)
    assert_null(finite_of(w, coin, (struct finite_part){.ranges = &bad[i], .range_count = 1}));
  /* more states than the limit: 13 bits, all of them part of the outcome */
  const struct core *many = core_skip();
  for (int i = 0; i < 13; i++)
    many = core_seq(
        w->arena,
        core_seq(w->arena, coin,
                 core_assign(w->arena, span_none(), w->digit,
                             term_add(ts, term_mul(ts, term_int(ts, 2), w->digit),
                                      term_ite(ts, w->bit, term_int(ts, 1), term_int(ts, 0))))),
        many);
  assert_null(rule_finite(w->k, span_none(), many, many, &about_digit));
  assert_non_null(strstr(kernel_failure(w->k)->message, "OUTCOMES_STATES"));
  finite_clear(w);
}

/* ---- samples without finitely many values --------------------------------------------------- */

/* A number without variables. */
static double numeric(struct terms *ts, term_id t) {
  struct evaluator ev;
  eval_init(&ev, ts);
  const struct tvalue *v = eval_term(&ev, t);
  double d = NAN;
  if (v->kind == TVALUE_EXACT)
    d = fmpz_get_d(fmpq_numref(&v->exact)) / fmpz_get_d(fmpq_denref(&v->exact));
  if (v->kind == TVALUE_BALL) d = arf_get_d(arb_midref(v->ball), ARF_RND_NEAR);
  eval_clear(&ev);
  return d;
}

static double distribution_function(enum dist_kind dist, double x) {
  switch (dist) {
  case DIST_UNIFORM: return x < 0 ? 0 : x > 1 ? 1 : x;
  case DIST_LAPLACE: return x < 0 ? exp(x) / 2 : 1 - exp(-x) / 2;
  case DIST_GEOMETRIC: return x < 0 ? 0 : 1 - exp(-(floor(x) + 1));
  case DIST_DISCRETE_LAPLACE:
    return x < 0 ? exp(floor(x)) / (1 + exp(-1)) : 1 - exp(-(floor(x) + 1)) / (1 + exp(-1));
  case DIST_EXPONENTIAL: return x < 0 ? 0 : 1 - exp(-x);
  case DIST_GUMBEL: return exp(-exp(-x));
  default: fail_msg("distribution"); return 0;
  }
}

/* u <$ D; if u < a {r := 0} else if 1 - u >= b {r := 1} else {r := 2}: two cuts in any order. */
static void symbols(void **state) {
  (void)state;
  static const enum dist_kind dists[] = {DIST_UNIFORM, DIST_LAPLACE,          DIST_GEOMETRIC,
                                         DIST_GUMBEL,  DIST_DISCRETE_LAPLACE, DIST_EXPONENTIAL};
  struct rng rng = rng_seeded(11);
  for (size_t round = 0; round < test_rounds(300); round++) {
    struct terms terms, *ts = &terms;
    terms_init(ts);
    struct kernel *k = kernel_new(ts, NULL);
    struct arena *arena = kernel_arena(k);
    enum dist_kind dist = dists[round % 6];
    bool is_int = dist_is_integer(dist);
    term_id u = kernel_var(k, "u", is_int ? SORT_INT : SORT_REAL, false);
    term_id r = kernel_var(k, "r", SORT_INT, false);
    int step = is_int ? 1 : 4, a = rng_range(&rng, -4, 8), b = rng_range(&rng, -4, 8);
    term_id ta = is_int ? term_int(ts, a) : term_rat(ts, a, 4);
    term_id tb = is_int ? term_int(ts, b) : term_rat(ts, b, 4);
    term_id args[] = {term_int(ts, 0), term_int(ts, 1)}, one = term_int(ts, 1);
    const struct core *set[3];
    for (int i = 0; i < 3; i++)
      set[i] = core_assign(arena, span_none(), r, term_int(ts, i));
    const struct core *inner =
        core_if(arena, span_none(), term_ge(ts, term_sub(ts, one, u), tb), set[1], set[2]);
    const struct core *outer = core_if(arena, span_none(), term_lt(ts, u, ta), set[0], inner);
    const struct core *c =
        core_seq(arena, core_sample(arena, span_none(), u, dist, args, 2), outer);
    struct outcomes o = {0};
    assert_true(outcomes_of(k, "test", c, 1, &r, 1, &o));
    double cut_a = (double)a / step, cut_b = 1 - (double)b / step; /* u < a; u <= 1 - b */
    double below_a = distribution_function(dist, is_int ? cut_a - 1 : cut_a);
    double below_b = distribution_function(dist, cut_b);
    double want[] = {below_a, fmax(0, below_b - below_a), 1 - fmax(below_a, below_b)};
    double got[] = {0, 0, 0};
    for (size_t i = 0; i < o.list.len; i++)
      got[(int)numeric(ts, o.list.at[i].values[0])] += numeric(ts, o.list.at[i].probability);
    for (int i = 0; i < 3; i++)
      assert_true(fabs(want[i] - got[i]) < 1e-9);
    outcomes_free(&o);
    kernel_free(k);
    terms_clear(ts);
  }
}

static double mass_function(enum dist_kind dist, double x) {
  return distribution_function(dist, x) - distribution_function(dist, x - 1);
}

/* u <$ D; if u < a {r := u + b} else if u <= a + 2 {r := b - u} else {r := b}: value by value. */
static void points(void **state) {
  (void)state;
  struct rng rng = rng_seeded(12);
  for (size_t round = 0; round < test_rounds(200); round++) {
    struct terms terms, *ts = &terms;
    terms_init(ts);
    struct kernel *k = kernel_new(ts, NULL);
    struct arena *arena = kernel_arena(k);
    enum dist_kind dist = round % 2 ? DIST_GEOMETRIC : DIST_DISCRETE_LAPLACE;
    term_id u = kernel_var(k, "u", SORT_INT, false), r = kernel_var(k, "r", SORT_INT, false);
    int a = rng_range(&rng, -3, 4), b = rng_range(&rng, -3, 4);
    term_id tb = term_int(ts, b), args[] = {term_int(ts, 0), term_int(ts, 1)};
    term_id values[] = {term_add(ts, u, tb), term_sub(ts, tb, u), tb};
    const struct core *set[3];
    for (int i = 0; i < 3; i++)
      set[i] = core_assign(arena, span_none(), r, values[i]);
    const struct core *c =
        core_if(arena, span_none(), term_lt(ts, u, term_int(ts, a)), set[0],
                core_if(arena, span_none(), term_le(ts, u, term_int(ts, a + 2)), set[1], set[2]));
    c = core_seq(arena, core_sample(arena, span_none(), u, dist, args, 2), c);
    struct outcomes o = {0};
    assert_true(outcomes_of(k, "test", c, 1, &r, 1, &o));
    for (int v = -8; v <= 8; v++) {
      double want = v == b ? 1 - distribution_function(dist, a + 2) : 0, got = 0;
      if (v - b < a) want += mass_function(dist, v - b);
      if (a <= b - v && b - v <= a + 2) want += mass_function(dist, b - v);
      for (size_t i = 0; i < o.list.len; i++) {
        term_id value = term_int(ts, v);
        got += numeric(ts, outcome_mass(k, &o.list.at[i], &value, 1));
      }
      assert_true(fabs(want - got) < 1e-9);
    }
    outcomes_free(&o);
    kernel_free(k);
    terms_clear(ts);
  }
}

/* u <$ Geom(0, 1); if flag and u /= 1 or not flag and u /= 2 {r := u} else {r := 5}, by branches. */
static void apart(void **state) {
  (void)state;
  struct terms terms, *ts = &terms;
  terms_init(ts);
  struct kernel *k = kernel_new(ts, NULL);
  struct arena *arena = kernel_arena(k);
  term_id u = kernel_var(k, "u", SORT_INT, false), r = kernel_var(k, "r", SORT_INT, false);
  term_id flag = kernel_var(k, "flag", SORT_BOOL, true),
          args[] = {term_int(ts, 0), term_int(ts, 1)};
  const struct core *keep = core_assign(arena, span_none(), r, u), *branch[2];
  for (int i = 0; i < 2; i++) {
    const struct core *five = core_assign(arena, span_none(), r, term_int(ts, 5));
    branch[i] = core_if(arena, span_none(), term_eq(ts, u, term_int(ts, i + 1)), five, keep);
  }
  const struct core *c =
      core_seq(arena, core_sample(arena, span_none(), u, DIST_GEOMETRIC, args, 2),
               core_if(arena, span_none(), flag, branch[0], branch[1]));
  struct outcomes o = {0};
  assert_true(outcomes_of(k, "test", c, 1, &r, 1, &o));
  for (int is_set = 0; is_set < 2; is_set++)
    for (int v = 0; v <= 6; v++) {
      term_id value = term_int(ts, v), in_run = kernel_tag(k, flag, 1), bit = term_bool(ts, is_set);
      int out = is_set ? 1 : 2;
      double want = (v == out ? 0 : mass_function(DIST_GEOMETRIC, v)), got = 0;
      if (v == 5) want += mass_function(DIST_GEOMETRIC, out);
      for (size_t i = 0; i < o.list.len; i++) {
        term_id mass = outcome_mass(k, &o.list.at[i], &value, 1);
        got += numeric(ts, term_subst(ts, mass, &in_run, &bit, 1));
      }
      assert_true(fabs(want - got) < 1e-9);
    }
  outcomes_free(&o);
  kernel_free(k);
  terms_clear(ts);
}

/* u <$ UniformInt(0, n - 1); r := (x + u) mod n; t := (x - u) mod n: each alone may be anything, but
 * not both together. u + w has no mass by itself, (u + w) mod n has. */
static void tied(void **state) {
  (void)state;
  struct terms terms, *ts = &terms;
  terms_init(ts);
  struct kernel *k = kernel_new(ts, NULL);
  struct arena *arena = kernel_arena(k);
  term_id n = kernel_fresh(k, "n", SORT_INT), x = kernel_var(k, "x", SORT_INT, true);
  term_id u = kernel_var(k, "u", SORT_INT, false), w = kernel_var(k, "w", SORT_INT, false);
  term_id keys[] = {kernel_var(k, "r", SORT_INT, false), kernel_var(k, "t", SORT_INT, false)};
  term_id args[] = {term_int(ts, 0), term_sub(ts, n, term_int(ts, 1))};
  term_id both = term_add(ts, u, w);
  term_id values[] = {term_mod(ts, term_add(ts, x, u), n), term_mod(ts, term_sub(ts, x, u), n),
                      both, term_mod(ts, both, n)};
  const struct core *draw = core_skip();
  for (int i = 0; i < 2; i++)
    draw = core_seq(arena, core_sample(arena, span_none(), i ? u : w, DIST_UNIFORM_INT, args, 2),
                    draw);
  for (unsigned i = 0; i < 6; i++) {
    bool pair = i >= 4; /* r and t; r and u */
    const struct core *c = core_assign(arena, span_none(), keys[0], values[pair ? 0 : i]);
    if (pair)
      c = core_seq(arena, c, core_assign(arena, span_none(), keys[1], i == 4 ? values[1] : u));
    c = core_seq(arena, draw, c);
    struct finite_part how = {.keys = keys, .key_count = pair ? 2 : 1, .spent = term_rat(ts, 1, 1)};
    bool fits = rule_finite(k, span_none(), c, c, &how) != NULL;
    assert_int_equal(fits, i != 2 && i != 4);
    if (i != 0) continue;
    struct outcomes o = {0};
    assert_true(outcomes_of(k, "test", c, 1, keys, 1, &o));
    for (int v = -2; v <= 4; v++) {
      term_id value = term_int(ts, v), three = term_int(ts, 3);
      term_id mass = outcome_mass(k, &o.list.at[0], &value, 1);
      double got = numeric(ts, term_subst(ts, mass, &n, &three, 1));
      assert_true(fabs(got - (v >= 0 && v < 3 ? 1 / 3.0 : 0)) < 1e-9);
    }
    outcomes_free(&o);
  }
  kernel_free(k);
  terms_clear(ts);
}

/* ---- cases and denominators ----------------------------------------------------------------- */

struct shape {
  struct terms ts;
  struct rng rng;
  term_id vars[3];
};

static term_id random_term(struct shape *s, int depth);

static term_id random_condition(struct shape *s, int depth) {
  return term_le(&s->ts, random_term(s, depth), random_term(s, depth));
}

/* Mostly positive, as probabilities are. */
static term_id random_term(struct shape *s, int depth) {
  struct terms *ts = &s->ts;
  if (depth == 0)
    return rng_chance(&s->rng, 2, 3) ? s->vars[rng_below(&s->rng, 3)]
                                     : term_rat(ts, rng_range(&s->rng, -1, 4), 2);
  term_id a = random_term(s, depth - 1), b = random_term(s, depth - 1);
  switch (rng_below(&s->rng, 11)) {
  case 0: return term_add(ts, a, b);
  case 1: return term_sub(ts, a, b);
  case 2:
  case 3: return term_mul(ts, a, b);
  case 4:
  case 5: return term_div(ts, a, term_add(ts, term_int(ts, 2), term_mul(ts, b, b)));
  case 6: return term_div(ts, a, b);
  case 7: return term_exp(ts, depth > 1 ? random_term(s, 1) : a);
  case 8: return term_exp(ts, term_ln(ts, term_add(ts, term_mul(ts, a, a), b)));
  case 9: return rng_chance(&s->rng, 1, 2) ? term_max(ts, a, b) : term_abs(ts, a);
  default: return term_ite(ts, random_condition(s, 0), a, b);
  }
}

/* Numbers for the variables. */
static term_id at_point(struct shape *s, term_id t, const term_id *values) {
  return term_subst(&s->ts, t, s->vars, values, 3);
}

static int truth_of(struct shape *s, term_id t) {
  struct evaluator ev;
  eval_init(&ev, &s->ts);
  int truth = eval_truth(&ev, t);
  eval_clear(&ev);
  return truth;
}

/* What is demanded implies the inequality; without quotients and logarithms it is the same. */
static void rewriting(void **state) {
  (void)state;
  size_t both = 0, demanding = 0;
  for (size_t round = 0; round < test_rounds(3000); round++) {
    struct shape s = {.rng = rng_seeded(round)};
    terms_init(&s.ts);
    for (int i = 0; i < 3; i++)
      s.vars[i] = term_var(&s.ts, (const char *[]){"x", "y", "z"}[i], SORT_REAL, 1 + i % 2, 0);
    term_id before = random_condition(&s, 1 + (int)(round % 3));
    if (before != TERM_NONE) {
      enum comparison how =
          rng_chance(&s.rng, 1, 2) ? COMPARE_WHOLE : (enum comparison)rng_range(&s.rng, 1, 2);
      term_id after = term_by_cases(&s.ts, before, how);
      assert_true(after != TERM_NONE);
      for (int p = 0; p < 4; p++) {
        term_id values[3];
        for (int i = 0; i < 3; i++)
          values[i] = term_rat(&s.ts, rng_range(&s.rng, -3, 9), 4);
        int was = truth_of(&s, at_point(&s, before, values));
        int is = truth_of(&s, at_point(&s, after, values));
        assert_false(is == 1 && was == 0);
        both += is == 1 && was == 1;
        demanding += is == 0 && was == 1;
      }
    }
    terms_clear(&s.ts);
  }
  print_message("rewriting: %zu hold, %zu demand more\n", both, demanding);
  assert_often(both > 3000);
}

/* Up to three exponentials on either side, with small exponents in x, y, z. */
static term_id exponentials(struct shape *s) {
  struct terms *ts = &s->ts;
  term_id sum = term_rat(ts, 0, 1);
  for (int n = rng_range(&s->rng, 1, 3); n > 0; n--) {
    term_id e = term_rat(ts, rng_range(&s->rng, -2, 2), 1);
    for (int i = 0; i < 3; i++)
      e = term_add(ts, e, term_mul(ts, term_rat(ts, rng_range(&s->rng, -1, 1), 1), s->vars[i]));
    term_id weight = term_rat(ts, rng_range(&s->rng, 1, 2), 2);
    sum = term_add(ts, sum, term_mul(ts, weight, term_exp(ts, e)));
  }
  return sum;
}

static void majorized(void **state) {
  (void)state;
  size_t taken = 0, wrong = 0;
  for (size_t round = 0; round < test_rounds(2000); round++) {
    struct shape s = {.rng = rng_seeded(round)};
    terms_init(&s.ts);
    for (int i = 0; i < 3; i++)
      s.vars[i] = term_var(&s.ts, (const char *[]){"x", "y", "z"}[i], SORT_REAL, i % 3, 0);
    term_id before = term_le(&s.ts, exponentials(&s), exponentials(&s));
    term_id after = term_by_cases(&s.ts, before, COMPARE_MAJORIZED);
    for (int p = 0; p < 4; p++) {
      term_id values[3];
      for (int i = 0; i < 3; i++)
        values[i] = term_rat(&s.ts, rng_range(&s.rng, -4, 4), 4);
      int was = truth_of(&s, at_point(&s, before, values));
      int is = truth_of(&s, at_point(&s, after, values));
      assert_false(is == 1 && was == 0);
      taken += is == 1 && after != before;
      wrong += was == 0;
    }
    terms_clear(&s.ts);
  }
  assert_often(taken > 300 && wrong > 1000);
}

/* A comparison says on which side of its cut the sample is, if what it is multiplied by is positive. */
static void cuts(void **state) {
  (void)state;
  size_t cut = 0, open = 0, wrong = 0;
  for (size_t round = 0; round < test_rounds(600); round++) {
    struct shape s = {.rng = rng_seeded(round + 70000)};
    terms_init(&s.ts);
    struct terms *ts = &s.ts;
    for (int i = 0; i < 3; i++)
      s.vars[i] = term_var(ts, (const char *[]){"p", "q", "r"}[i], SORT_REAL, 0, 0);
    term_id y = term_var(ts, "y", SORT_REAL, 0, 0);
    const struct outcome_sample sample = {.name = y, .dist = DIST_UNIFORM};
    term_id side[2];
    for (int i = 0; i < 2; i++)
      side[i] = term_add(ts, term_mul(ts, random_term(&s, 1), y), random_term(&s, 1));
    if (rng_chance(&s.rng, 1, 2)) side[1] = random_term(&s, 1);
    bool strict = rng_chance(&s.rng, 1, 2);
    term_id atom = strict ? term_lt(ts, side[0], side[1]) : term_le(ts, side[0], side[1]);
    struct outcome_cut c;
    bool compares = term_kind(ts, atom) == TERM_LE || term_kind(ts, atom) == TERM_LT;
    bool fits = compares && outcome_cut_of(ts, &sample, 1, atom, &c);
    for (int i = 0; i < 4 && fits; i++) {
      term_id values[3], at = term_rat(ts, rng_range(&s.rng, -9, 9), 5);
      for (int v = 0; v < 3; v++)
        values[v] = term_rat(ts, rng_range(&s.rng, -4, 6), 3);
      int was = truth_of(&s, at_point(&s, term_subst(ts, atom, &y, &at, 1), values));
      term_id zero = term_rat(ts, 0, 1), one = term_rat(ts, 1, 1);
      term_id positive = c.positive == TERM_NONE ? one : at_point(&s, c.positive, values);
      int may = truth_of(&s, term_lt(ts, zero, positive));
      term_id point = at_point(&s, c.point, values);
      int below = truth_of(&s, term_lt(ts, at, point)),
          above = truth_of(&s, term_lt(ts, point, at));
      if (was < 0 || may < 0 || below == above) continue; /* unknown, or just there */
      bool as_said = was == (c.is_below ? below == 1 : above == 1);
      if (may == 1 && !as_said) fail_msg("round %zu: on the other side", round);
      cut += may == 1;
      open += may == 1 && c.positive != TERM_NONE;
      wrong += may == 0 && !as_said;
    }
    terms_clear(ts);
  }
  assert_often(cut > 200 && open > 50 && wrong > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(listed),    cmocka_unit_test(listed_cost), cmocka_unit_test(drawn),
      cmocka_unit_test(refusals),  cmocka_unit_test(symbols),     cmocka_unit_test(points),
      cmocka_unit_test(tied),      cmocka_unit_test(apart),       cmocka_unit_test(rewriting),
      cmocka_unit_test(majorized), cmocka_unit_test(cuts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
