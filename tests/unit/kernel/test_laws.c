/* Rules about whole parts of a program in notions other than the pure one: PURE-PART, SUBSAMPLE,
 * EXPONENTIAL, PW-EQ in renyi; aHL-GUMBEL. Prices against divergences that are computed; preconditions against
 * the laws of small programs; programs that are almost of the right shape, and premises that are
 * almost the right ones, are refused. */
#include <math.h>
#include <stdlib.h>

#include "kernel/ahl.h"
#include "kernel/dist.h"
#include "kernel/internal.h"
#include "kernel/rules.h"
#include "smt/smt.h"
#include "term/build.h"
#include "term/eval.h"
#include "term/subst.h"
#include "testlib.h"

enum { RECORDS = 3, SCORES = 3 };

/* A context with its companions, as claims have them. */
struct bench {
  struct terms terms;
  struct smt smt;
  struct kernel *k, *back, *pure, *pure_back;
  term_id i, b, v, best, arg, sum, y, old;
  term_id record[RECORDS], score[SCORES]; /* inputs */
};

static struct kernel *context(struct bench *t, struct notion_of notion) {
  struct kernel *k = kernel_new(&t->terms, &t->smt.decider);
  t->i = kernel_var(k, "i", SORT_INT, false);
  t->b = kernel_var(k, "b", SORT_BOOL, false);
  t->v = kernel_var(k, "v", SORT_REAL, false);
  t->best = kernel_var(k, "best", SORT_REAL, false);
  t->arg = kernel_var(k, "arg", SORT_INT, false);
  t->sum = kernel_var(k, "sum", SORT_INT, false);
  t->y = kernel_var(k, "y", SORT_INT, false);
  t->old = kernel_var(k, "old", SORT_REAL, false);
  char name[8];
  for (int r = 0; r < RECORDS; r++) {
    snprintf(name, sizeof name, "r%d", r);
    t->record[r] = kernel_var(k, name, SORT_INT, true);
    snprintf(name, sizeof name, "s%d", r);
    t->score[r] = kernel_var(k, name, SORT_REAL, true);
  }
  assert_true(kernel_set_notion(k, notion));
  return k;
}

static void bench_init(struct bench *t, enum notion kind, long order) {
  terms_init(&t->terms);
  struct smt_options options = smt_default_options();
  smt_init(&t->smt, &t->terms, &options);
  struct notion_of n = {kind, kind == NOTION_RENYI ? term_int(&t->terms, order) : TERM_NONE, false};
  t->k = context(t, n);
  t->back = context(t, n);
  t->pure = context(t, notion_pure());
  t->pure_back = context(t, notion_pure());
  t->k->exchanged = t->back;
  t->back->exchanged = t->k;
  t->pure->exchanged = t->pure_back;
  t->pure_back->exchanged = t->pure;
  if (kind == NOTION_PURE) return;
  t->k->pure = t->pure;
  t->back->pure = t->pure_back;
}

static void bench_clear(struct bench *t) {
  kernel_free(t->k);
  kernel_free(t->back);
  kernel_free(t->pure);
  kernel_free(t->pure_back);
  smt_clear(&t->smt);
  terms_clear(&t->terms);
}

static double number(struct terms *ts, term_id t) {
  struct evaluator ev;
  arb_t ball;
  eval_init(&ev, ts);
  arb_init(ball);
  assert_true(tvalue_get_ball(eval_term(&ev, t), ball, 64));
  double d = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
  arb_clear(ball);
  eval_clear(&ev);
  return d;
}

/* Does the precondition follow from this one and so much budget? */
static bool accepts(struct bench *t, proof_of j, term_id given, term_id budget) {
  struct terms *ts = &t->terms;
  term_id pre = term_and(ts, given, term_le(ts, budget, kernel_budget(t->k)));
  return rule_conseq(t->k, span_none(), pre, judgement_post(j), t->k->zero, j) != NULL;
}

static double divergence(const double *p, const double *q, size_t n, double alpha) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    if (p[i] > 0) sum += pow(p[i], alpha) * pow(q[i], 1 - alpha);
  return log(sum) / (alpha - 1);
}

/* ---- prices ---------------------------------------------------------------------------------- */

/* Losses in an interval: the bound of a divergence holds, and is needed up to a few percent. */
static void range_prices(void **state) {
  (void)state;
  enum { N = 6 };
  struct rng rng = rng_seeded(21);
  struct terms ts;
  terms_init(&ts);
  double closest = 0;
  for (size_t round = 0; round < 2000; round++) {
    long eighths = rng_range(&rng, 1, 24);
    double length = eighths / 8.0, p[N], q[N], mass = 0, other = 0;
    size_t n = rng_chance(&rng, 1, 2) ? 2 : N;
    for (size_t i = 0; i < n; i++) {
      double loss = n == 2 ? length * (double)i : length * rng_range(&rng, 0, 100) / 100;
      q[i] = 1 + rng_range(&rng, 0, 50);
      p[i] = q[i] * exp(loss);
      mass += q[i];
      other += p[i];
    }
    for (size_t i = 0; i < n; i++)
      q[i] /= mass, p[i] /= other;
    long order = rng_range(&rng, 2, 9);
    struct notion_of renyi = {NOTION_RENYI, term_int(&ts, order), false},
                     zcdp = {NOTION_ZCDP, TERM_NONE, false};
    double most = number(&ts, notion_price_range(&ts, renyi, term_rat(&ts, eighths, 8)));
    double rho = number(&ts, notion_price_range(&ts, zcdp, term_rat(&ts, eighths, 8)));
    double d = divergence(p, q, n, (double)order);
    assert_true(d <= most + 1e-12);
    assert_true(d <= (double)order * rho + 1e-12);
    closest = fmax(closest, d / most);
  }
  assert_true(closest > 0.97 && closest <= 1);
  terms_clear(&ts);
}

static double density(double x) {
  return exp(-x * x / 2) / sqrt(2 * acos(-1));
}

/* D(mix, N(0,1)), or the other order, by the trapezoidal rule. */
static double sampled_divergence(double q, double r, double alpha, bool added) {
  double sum = 0, step = 1.0 / 64;
  for (int i = -64 * 30; i <= 64 * 30; i++) {
    double x = i * step, mix = (1 - q) + q * exp(x * r - r * r / 2);
    sum += density(x) * pow(mix, added ? 1 - alpha : alpha) * step;
  }
  return log(sum) / (alpha - 1);
}

/* Sampled normal noise: the price is the divergence of one order, and at least that of the other. */
static void sampled_prices(void **state) {
  (void)state;
  static const long percent[] = {1, 10, 50, 90}, tenths[] = {2, 5, 10, 15};
  struct terms ts;
  terms_init(&ts);
  for (long order = 2; order <= 8; order++)
    for (size_t a = 0; a < 4; a++)
      for (size_t b = 0; b < 4; b++) {
        struct notion_of n = {NOTION_RENYI, term_int(&ts, order), false};
        term_id q = term_rat(&ts, percent[a], 100), r = term_rat(&ts, tenths[b], 10);
        double price = number(&ts, notion_price_sampled(&ts, n, q, r));
        double there =
            sampled_divergence(percent[a] / 100.0, tenths[b] / 10.0, (double)order, false);
        double back = sampled_divergence(percent[a] / 100.0, tenths[b] / 10.0, (double)order, true);
        assert_true(fabs(price - there) < 1e-9 + 1e-7 * price);
        assert_true(back <= price + 1e-9);
        double shift = tenths[b] / 10.0; /* without sampling */
        assert_true(price < (double)order * shift * shift / 2);
      }
  /* an order that is no integer has the price of the shift: nothing is gained */
  struct notion_of half = {NOTION_RENYI, term_rat(&ts, 5, 2), false};
  term_id one = term_rat(&ts, 1, 1);
  assert_true(notion_price_sampled(&ts, half, term_rat(&ts, 1, 10), one) ==
              notion_price_normal(&ts, half, one));
  terms_clear(&ts);
}

/* Each of K results within c, pointwise: together that is ln(K)/(alpha-1) more, and not less. */
static void price_of_values(void **state) {
  (void)state;
  struct rng rng = rng_seeded(8);
  double closest = 0;
  for (size_t round = 0; round < 3000; round++) {
    int count = rng_range(&rng, 1, 8);
    double alpha = 1 + rng_range(&rng, 1, 30) / 10.0, k = (alpha - 1) / alpha, p[8], q[8];
    double mass[2] = {0}, most = -1e9;
    bool even = rng_chance(&rng, 1, 4);
    for (int i = 0; i < count; i++) {
      p[i] = even ? 1 : rng_range(&rng, 1, 20);
      q[i] = even ? 1 : rng_range(&rng, 1, 20);
      mass[0] += p[i], mass[1] += q[i];
    }
    for (int i = 0; i < count; i++) {
      p[i] /= mass[0], q[i] /= mass[1];
      most = fmax(most, log(p[i]) / k - log(q[i])); /* p <= (e^c q)^k */
    }
    double extra = log(count) / (alpha - 1), d = divergence(p, q, (size_t)count, alpha);
    assert_true(d <= most + extra + 1e-9);
    if (count > 1) closest = fmax(closest, (d - most) / extra);
  }
  assert_true(closest > 0.999);
}

/* ---- PW-EQ in renyi -------------------------------------------------------------------------- */

static void pointwise(void **state) {
  (void)state;
  for (int notion = 0; notion < 3; notion++) {
    struct bench t;
    bench_init(&t, notion == 0 ? NOTION_RENYI : notion == 1 ? NOTION_ZCDP : NOTION_GAUSSIAN, 3);
    struct terms *ts = &t.terms;
    term_id r = kernel_fresh(t.k, "r", SORT_INT), yes = term_bool(ts, true);
    term_id equal = term_eq(ts, kernel_tag(t.k, t.arg, 1), kernel_tag(t.k, t.arg, 2));
    struct pointwise_sum range = {term_int(ts, 0), term_int(ts, 9), TERM_NONE};
    term_id goal = rule_pointwise_goal(t.k, t.arg, r, equal);
    term_id whole = rule_pointwise_within(t.k, t.arg, r, &range, goal);
    proof_of bare = rule_skip(t.k, goal), j = rule_skip(t.k, whole);
    proof_of all = rule_pointwise(t.k, span_none(), t.arg, r, yes, &range, j);
    assert_true((all != NULL) == (notion == 0));
    if (all) {
      term_id one = kernel_tag(t.k, t.arg, 1);
      term_id given = term_and(
          ts, equal,
          term_and(ts, term_le(ts, term_int(ts, 0), one), term_le(ts, one, term_int(ts, 9))));
      assert_true(accepts(&t, all, given, term_rat(ts, 116, 100))); /* ln(10)/2 = 1.1513 */
      assert_false(accepts(&t, all, given, term_rat(ts, 115, 100)));
      assert_false(accepts(&t, all, equal, term_int(ts, 5))); /* there may be more values */
    }
    struct pointwise_sum moving = {term_int(ts, 0), r, TERM_NONE}, real = range;
    real.high = term_rat(ts, 19, 2);
    assert_null(rule_pointwise(t.k, span_none(), t.arg, r, yes, &range, bare));
    assert_null(rule_pointwise(t.k, span_none(), t.arg, r, yes, NULL, j));
    assert_null(rule_pointwise(t.k, span_none(), t.arg, r, yes, &moving, j));
    assert_null(rule_pointwise(t.k, span_none(), t.arg, r, yes, &real, j));
    bench_clear(&t);
  }
}

/* ---- PURE-PART ------------------------------------------------------------------------------- */

static const struct core *noisy_record(struct bench *t, int which) {
  term_id args[] = {t->record[which], term_int(&t->terms, 2)};
  return core_sample(kernel_arena(t->k), span_none(), t->y, DIST_DISCRETE_LAPLACE, args, 2);
}

static term_id equal(struct bench *t, term_id var) {
  return term_eq(&t->terms, kernel_tag(t->k, var, 1), kernel_tag(t->k, var, 2));
}

static proof_of unmoved(struct bench *t, struct kernel *k, const struct core *c, term_id post) {
  struct coupling_case still = {TERM_NONE, term_int(&t->terms, 0), TERM_NONE};
  struct coupling how = {TERM_NONE, &still, 1};
  return rule_sample_shift(k, c, c, &how, post);
}

static term_id is(struct bench *t, term_id var, unsigned run, long value) {
  return term_eq(&t->terms, kernel_tag(t->k, var, run), term_int(&t->terms, value));
}

/* The record moves by 1: epsilon is 1/2. */
static void pure_part(void **state) {
  (void)state;
  static const enum notion notions[] = {NOTION_RENYI, NOTION_ZCDP, NOTION_GAUSSIAN};
  for (size_t n = 0; n < 3; n++) {
    struct bench t;
    bench_init(&t, notions[n], 3);
    struct terms *ts = &t.terms;
    const struct core *c = noisy_record(&t, 0);
    term_id half = term_rat(ts, 1, 2);
    proof_of there = unmoved(&t, t.pure, c, equal(&t, t.y));
    proof_of back = unmoved(&t, t.pure_back, c, equal(&t, t.y));
    proof_of j = rule_pure_part(t.k, span_none(), half, there, back, NULL);
    assert_non_null(j);
    term_id moved = term_and(ts, is(&t, t.record[0], 1, 0), is(&t, t.record[0], 2, 1));
    double price = number(ts, notion_price_both(ts, t.k->notion, half));
    term_id enough = term_rat(ts, lround(price * 1000) + 1, 1000);
    term_id less = term_rat(ts, lround(price * 1000) - 2, 1000);
    assert_true(accepts(&t, j, moved, enough));
    assert_false(accepts(&t, j, moved, less));
    assert_false(accepts(&t, j, term_and(ts, is(&t, t.record[0], 1, 0), is(&t, t.record[0], 2, 2)),
                         term_int(ts, 9))); /* epsilon would be 1 */
    t.pure_back->believes = true;
    t.k->believes = false;
    assert_non_null(rule_pure_part(t.k, span_none(), half, there, back, NULL));
    assert_true(t.k->believes);
    bench_clear(&t);
  }
}

static void pure_part_refusals(void **state) {
  (void)state;
  struct bench t;
  bench_init(&t, NOTION_ZCDP, 0);
  struct terms *ts = &t.terms;
  const struct core *c = noisy_record(&t, 0), *other = noisy_record(&t, 1);
  term_id e = term_rat(ts, 1, 2), same = equal(&t, t.y), B = kernel_budget(t.k);
  proof_of there = unmoved(&t, t.pure, c, same), back = unmoved(&t, t.pure_back, c, same);
  assert_non_null(rule_pure_part(t.k, span_none(), e, there, back, NULL));
  /* contexts: the wrong direction, one direction twice, not pure, from a pure one */
  assert_null(rule_pure_part(t.k, span_none(), e, back, there, NULL));
  assert_null(rule_pure_part(t.k, span_none(), e, there, there, NULL));
  assert_null(rule_pure_part(t.k, span_none(), e, unmoved(&t, t.k, c, same), back, NULL));
  assert_null(rule_pure_part(t.pure, span_none(), e, there, back, NULL));
  assert_null(rule_pure_part(t.k, span_none(), e, there, NULL, NULL));
  /* about another program */
  assert_null(
      rule_pure_part(t.k, span_none(), e, there, unmoved(&t, t.pure_back, other, same), NULL));
  /* a delta */
  proof_of loses = rule_conseq(t.pure, span_none(), judgement_pre(there), same, e, there);
  assert_non_null(loses);
  assert_null(rule_pure_part(t.k, span_none(), e, loses, back, NULL));
  /* what is left of the budget; what is not equal; what only one direction says is equal */
  term_id left = term_and(ts, same, term_le(ts, e, B));
  assert_null(rule_pure_part(t.k, span_none(), e, unmoved(&t, t.pure, c, left), back, NULL));
  term_id high = term_le(ts, term_int(ts, 3), kernel_tag(t.k, t.y, 1));
  assert_null(rule_pure_part(t.k, span_none(), e, unmoved(&t, t.pure, c, high),
                             unmoved(&t, t.pure_back, c, high), NULL));
  assert_null(rule_pure_part(t.k, span_none(), e, there, unmoved(&t, t.pure_back, c, high), NULL));
  /* a cost that is not over the memories before */
  assert_null(rule_pure_part(t.k, span_none(), B, there, back, NULL));
  /* a loop that does not end has every pure judgement as a partial program; admitted stays so */
  const struct core *endless =
      core_while(kernel_arena(t.k), span_none(), term_bool(ts, true), core_skip());
  proof_of f = rule_admit(t.pure, span_none(), endless, endless, term_bool(ts, true), same);
  proof_of g = rule_admit(t.pure_back, span_none(), endless, endless, term_bool(ts, true), same);
  proof_of j = rule_pure_part(t.k, span_none(), e, f, g, NULL);
  assert_true(!j || judgement_admitted(j));
  assert_false(j && accepts(&t, j, same, term_int(ts, 100)));
  bench_clear(&t);
}

/* ---- SUBSAMPLE ------------------------------------------------------------------------------- */

static term_id by_index(struct bench *t, const term_id *items) {
  struct terms *ts = &t->terms;
  term_id two = term_ite(ts, term_eq(ts, t->i, term_int(ts, 1)), items[1], items[2]);
  return term_ite(ts, term_eq(ts, t->i, term_int(ts, 0)), items[0], two);
}

enum sampled_variant {
  SAMPLED_RIGHT,
  SAMPLED_BETWEEN,               /* the sum has another name, and its own another value */
  SAMPLED_AND,                   /* positive records only: together with the coin, */
  SAMPLED_NESTED,                /* after it, */
  SAMPLED_BEHIND,                /* before it is tossed */
  SAMPLED_BROKEN,                /* from here on the shape is wrong */
  SAMPLED_RATE = SAMPLED_BROKEN, /* the rate depends on the index */
  SAMPLED_OR,                    /* positive records are taken whatever the coin says */
  SAMPLED_FULL,                  /* only while the sum is small */
  SAMPLED_FULL_BEHIND,           /* likewise, and else no coin is tossed */
  SAMPLED_OTHERWISE,             /* records that are not positive count as 1 */
  SAMPLED_SET,                   /* the sum is set, not added to */
  SAMPLED_NOT,                   /* those are taken that the coin leaves out */
  SAMPLED_TWICE,                 /* what is added depends on the sum */
  SAMPLED_RESET,                 /* the sum begins anew in each iteration */
  SAMPLED_TOLD,                  /* the noise is around something that knows the last coin */
  SAMPLED_ONE_WAY,               /* the noise moves one way only */
  SAMPLED_SCALE,                 /* the scale depends on the sum */
  SAMPLED_STEP,                  /* every second record */
  SAMPLED_END,                   /* the end depends on the sum */
  SAMPLED_STALE,                 /* the coin of the record before */
  SAMPLED_STALE_BEHIND,          /* likewise, and it decides whether a coin is tossed */
  SAMPLED_AFTERWARDS,            /* something is done to the sum after the coin */
  SAMPLED_TOLD_BETWEEN,  /* as above, by way of assignments after the loop: what the noise is */
  SAMPLED_SCALE_BETWEEN, /* around, and its scale */
  SAMPLED_NOISE_BETWEEN, /* the sum is drawn anew */
  SAMPLED_VARIANTS
};

/* What stands between the loop and the noise, and changes where that is. */
static const struct core *between(struct bench *t, enum sampled_variant variant, term_id args[2]) {
  struct terms *ts = &t->terms;
  struct arena *a = kernel_arena(t->k);
  struct span s = span_none();
  term_id seven = term_int(ts, 7), told = term_ite(ts, t->b, t->sum, term_int(ts, 0));
  if (variant == SAMPLED_NOISE_BETWEEN)
    return core_sample(a, s, t->sum, DIST_DISCRETE_LAPLACE, args, 2);
  bool scale = variant == SAMPLED_SCALE_BETWEEN, centre = variant == SAMPLED_TOLD_BETWEEN;
  if (!scale && !centre && variant != SAMPLED_BETWEEN) return core_skip();
  term_id kept = scale ? term_max(ts, t->sum, term_int(ts, 2)) : centre ? told : t->sum;
  args[scale] = t->arg;
  const struct core *forget = scale ? core_skip() : core_assign(a, s, t->sum, seven);
  return core_seq(a, core_assign(a, s, t->arg, kept), forget);
}

static const struct core *sampled_program(struct bench *t, enum sampled_variant wrong) {
  struct terms *ts = &t->terms;
  struct arena *a = kernel_arena(t->k);
  struct span s = span_none();
  term_id item = by_index(t, t->record), half = term_rat(ts, 1, 2);
  term_id rate = wrong == SAMPLED_RATE
                     ? term_ite(ts, term_eq(ts, t->i, term_int(ts, 1)), term_rat(ts, 1, 1), half)
                     : half;
  term_id more = wrong == SAMPLED_SET     ? item
                 : wrong == SAMPLED_TWICE ? term_add(ts, term_add(ts, t->sum, item), t->sum)
                                          : term_add(ts, t->sum, item);
  term_id positive = term_lt(ts, term_int(ts, 0), item),
          small = term_lt(ts, t->sum, term_int(ts, 2));
  term_id taken = wrong == SAMPLED_NOT     ? term_not(ts, t->b)
                  : wrong == SAMPLED_STALE ? term_lt(ts, term_int(ts, 0), t->old)
                  : wrong == SAMPLED_AND   ? term_and(ts, t->b, positive)
                  : wrong == SAMPLED_OR    ? term_or(ts, t->b, positive)
                  : wrong == SAMPLED_FULL  ? term_and(ts, t->b, small)
                                           : t->b;
  term_id next = term_add(ts, t->i, term_int(ts, wrong == SAMPLED_STEP ? 2 : 1));
  const struct core *body = core_assign(a, s, t->i, next);
  term_id once = term_add(ts, t->sum, term_int(ts, 1));
  if (wrong == SAMPLED_AFTERWARDS) body = core_seq(a, core_assign(a, s, t->sum, once), body);
  const struct core *add = core_assign(a, s, t->sum, more), *none = core_skip();
  const struct core *toss = core_sample(a, s, t->b, DIST_BERNOULLI, &rate, 1);
  if (wrong == SAMPLED_NESTED) add = core_if(a, s, positive, add, none);
  if (wrong == SAMPLED_OTHERWISE)
    add = core_if(a, s, positive, add, core_assign(a, s, t->sum, once));
  if (wrong == SAMPLED_STALE_BEHIND) taken = positive;
  const struct core *take = core_seq(a, toss, core_if(a, s, taken, add, none));
  if (wrong == SAMPLED_STALE_BEHIND) take = core_if(a, s, t->b, take, none);
  if (wrong == SAMPLED_BEHIND) take = core_if(a, s, positive, take, none);
  if (wrong == SAMPLED_FULL_BEHIND) take = core_if(a, s, small, take, none);
  body = core_seq(a, take, body);
  if (wrong == SAMPLED_RESET) body = core_seq(a, core_assign(a, s, t->sum, term_int(ts, 0)), body);
  term_id was = term_ite(ts, t->b, term_rat(ts, 1, 1), term_rat(ts, 0, 1));
  if (wrong == SAMPLED_STALE) body = core_seq(a, core_assign(a, s, t->old, was), body);
  term_id end =
      wrong == SAMPLED_END ? term_add(ts, t->sum, term_int(ts, RECORDS)) : term_int(ts, RECORDS);
  term_id shown = wrong == SAMPLED_TOLD ? term_ite(ts, t->b, t->sum, term_int(ts, 0)) : t->sum;
  term_id args[] = {shown, wrong == SAMPLED_SCALE ? term_max(ts, t->sum, term_int(ts, 2))
                                                  : term_int(ts, 2)};
  enum dist_kind dist = wrong == SAMPLED_ONE_WAY ? DIST_GEOMETRIC : DIST_DISCRETE_LAPLACE;
  const struct core *rest = between(t, wrong, args);
  return core_seq(a, core_while(a, s, term_lt(ts, t->i, end), body),
                  core_seq(a, rest, core_sample(a, s, t->y, dist, args, 2)));
}

static term_id inputs_are(struct bench *t, const long *one, const long *two, long first) {
  struct terms *ts = &t->terms;
  term_id all = term_and(ts, is(t, t->i, 1, 0), is(t, t->i, 2, 0));
  all = term_and(ts, all, term_and(ts, is(t, t->sum, 1, 0), is(t, t->sum, 2, first)));
  for (int r = 0; r < RECORDS; r++)
    all = term_and(ts, all,
                   term_and(ts, is(t, t->record[r], 1, one[r]), is(t, t->record[r], 2, two[r])));
  return all;
}

enum { SPAN = 30, WIDTH = 2 * SPAN + 1 };

/* The law of y: coins with probability 1/2, discrete Laplace noise of scale 2. */
static void sampled_law(const long *records, bool positive, double *law) {
  double norm = tanh(0.25); /* (1 - e^(-1/2))/(1 + e^(-1/2)) */
  for (int v = 0; v < WIDTH; v++) {
    law[v] = 0;
    for (int coins = 0; coins < 1 << RECORDS; coins++) {
      long sum = 0;
      for (int r = 0; r < RECORDS; r++)
        sum += coins >> r & 1 && (!positive || records[r] > 0) ? records[r] : 0;
      law[v] += norm * exp(-fabs((double)(v - SPAN - sum)) / 2) / (1 << RECORDS);
    }
  }
}

static void subsample(void **state) {
  (void)state;
  static const enum notion notions[] = {NOTION_PURE, NOTION_RENYI, NOTION_ZCDP};
  struct rng rng = rng_seeded(31);
  for (size_t round = 0; round < 4 * SAMPLED_BROKEN; round++) {
    struct bench t;
    enum notion kind = notions[round % 3];
    enum sampled_variant variant = (enum sampled_variant)(round % SAMPLED_BROKEN);
    bool positive = variant != SAMPLED_RIGHT && variant != SAMPLED_BETWEEN;
    bench_init(&t, kind, 3);
    struct terms *ts = &t.terms;
    const struct core *c = sampled_program(&t, variant);
    long one[RECORDS], two[RECORDS], place = rng_range(&rng, 0, RECORDS - 1);
    for (int r = 0; r < RECORDS; r++)
      one[r] = two[r] = rng_range(&rng, -2, 2);
    one[place] = positive || rng_chance(&rng, 1, 2) ? 1 : -1;
    two[place] = 0;
    bool exchanged = !positive && rng_chance(&rng, 1, 2);
    if (exchanged) { /* by one that counts the other way, or for less */
      one[place] = 2;
      two[place] = rng_range(&rng, 0, 1) ? 1 : -1;
    }
    long bound = labs(one[place] - two[place]);
    if (bound < labs(one[place])) bound = labs(one[place]);
    struct subsample how = {term_int(ts, place), term_int(ts, bound)};
    proof_of j = rule_subsample(t.k, span_none(), c, &how);
    assert_non_null(j);
    term_id enough = subsample_price(t.k, c, &how);
    double price = number(ts, enough), p[WIDTH], q[WIDTH], worst = 0;
    sampled_law(one, positive, p);
    sampled_law(two, positive, q);
    for (int order = 0; order < 2; order++) {
      const double *a = order ? q : p, *b = order ? p : q;
      if (kind == NOTION_PURE)
        for (int v = 0; v < WIDTH; v++)
          worst = fmax(worst, log(a[v] / b[v]));
      else if (kind == NOTION_RENYI)
        worst = fmax(worst, divergence(a, b, WIDTH, 3));
      else
        worst =
            fmax(worst, fmax(divergence(a, b, WIDTH, 1.5) / 1.5, divergence(a, b, WIDTH, 8) / 8));
    }
    assert_true(worst <= price + 1e-9);
    if (kind == NOTION_PURE && !exchanged) assert_true(worst > 0.9 * log(1 + 0.5 * (exp(0.5) - 1)));
    term_id less = term_rat(ts, lround(price * 1000) - 2, 1000);
    assert_true(accepts(&t, j, inputs_are(&t, one, two, 0), enough));
    assert_true(accepts(&t, j, inputs_are(&t, two, one, 0), enough));
    assert_false(accepts(&t, j, inputs_are(&t, one, two, 0), less));
    bench_clear(&t);
  }
}

/* Inputs for which it does not hold. */
static void subsample_conditions(void **state) {
  (void)state;
  struct bench t;
  bench_init(&t, NOTION_PURE, 0);
  struct terms *ts = &t.terms;
  const struct core *c = sampled_program(&t, SAMPLED_RIGHT);
  term_id much = term_int(ts, 5);
  const long base[] = {1, 2, 1}, without[] = {1, 0, 1}, two_gone[] = {0, 0, 1}, other[] = {1, 1, 1},
             opposite[] = {1, -1, 1};
  struct subsample how = {term_int(ts, 1), term_int(ts, 2)},
                   narrow = {term_int(ts, 1), term_int(ts, 1)};
  struct subsample elsewhere = {term_int(ts, 0), term_int(ts, 2)},
                   negative = {term_int(ts, 7), term_int(ts, -1)};
  proof_of j = rule_subsample(t.k, span_none(), c, &how);
  assert_true(accepts(&t, j, inputs_are(&t, base, without, 0), much));
  assert_true(accepts(&t, j, inputs_are(&t, base, base, 0), much));
  assert_false(accepts(&t, j, inputs_are(&t, base, two_gone, 0), much));
  assert_true(accepts(&t, j, inputs_are(&t, base, other, 0), much)); /* exchanged */
  assert_false(accepts(&t, j, inputs_are(&t, base, opposite, 0), much));
  assert_false(accepts(&t, j, inputs_are(&t, base, without, 1), much));
  j = rule_subsample(t.k, span_none(), c, &narrow);
  assert_false(accepts(&t, j, inputs_are(&t, base, without, 0), much));
  assert_false(accepts(&t, j, inputs_are(&t, base, other, 0), much)); /* close, but each is far */
  assert_false(accepts(&t, j, inputs_are(&t, other, base, 0), much));
  j = rule_subsample(t.k, span_none(), c, &elsewhere);
  assert_false(accepts(&t, j, inputs_are(&t, base, without, 0), much));
  j = rule_subsample(t.k, span_none(), c, &negative);
  assert_false(j && accepts(&t, j, inputs_are(&t, base, base, 0), much));
  struct subsample told = {t.i, term_int(ts, 2)}, budget = {term_int(ts, 1), kernel_budget(t.k)};
  assert_null(rule_subsample(t.k, span_none(), c, &told)); /* of which run? */
  assert_null(rule_subsample(t.k, span_none(), c, &budget));
  for (int wrong = SAMPLED_BROKEN; wrong < SAMPLED_VARIANTS; wrong++)
    if (rule_subsample(t.k, span_none(), sampled_program(&t, (enum sampled_variant)wrong), &how))
      fail_msg("a program of another kind was taken: %d", wrong);
  bench_clear(&t);
}

/* ---- EXPONENTIAL ----------------------------------------------------------------------------- */

enum contest_variant {
  CONTEST_RIGHT,
  CONTEST_SWAPPED, /* the assignments in the other order: right as well */
  CONTEST_APART,   /* the noise is added to the score: right as well */
  CONTEST_SMALLEST,
  CONTEST_BARE,                  /* likewise, but the noise alone is compared */
  CONTEST_FIRST,                 /* the first value has to be above what is there */
  CONTEST_LATER,                 /* each value is taken */
  CONTEST_BROKEN,                /* from here on the shape is wrong */
  CONTEST_NEXT = CONTEST_BROKEN, /* the index after the largest value */
  CONTEST_RESET,                 /* the index is forgotten in each iteration */
  CONTEST_STALE,                 /* the value before is kept */
  CONTEST_SCALE,                 /* noise that depends on the index */
  CONTEST_NOISE,                 /* exponential noise: another law */
  CONTEST_SCORE,                 /* the value depends on the largest one so far */
  CONTEST_STEP,
  CONTEST_END,
  CONTEST_ELSE,       /* something happens otherwise */
  CONTEST_APART_BEST, /* the noise is added to the largest value so far */
  CONTEST_DOUBLE,     /* the noise counts twice */
  CONTEST_VARIANTS
};

static const struct core *contest_program(struct bench *t, enum contest_variant wrong) {
  struct terms *ts = &t->terms;
  struct arena *a = kernel_arena(t->k);
  struct span s = span_none();
  term_id zero = term_int(ts, 0), first = term_eq(ts, t->i, zero), two = term_rat(ts, 2, 1);
  bool apart = wrong == CONTEST_APART || wrong == CONTEST_BARE;
  term_id value = apart                         ? term_add(ts, t->v, by_index(t, t->score))
                  : wrong == CONTEST_APART_BEST ? term_add(ts, t->v, t->best)
                  : wrong == CONTEST_DOUBLE     ? term_add(ts, t->v, t->v)
                                                : t->v;
  term_id shown = wrong == CONTEST_BARE ? t->v : value;
  term_id larger =
      wrong == CONTEST_SMALLEST ? term_lt(ts, t->v, t->best) : term_lt(ts, t->best, shown);
  term_id taken = wrong == CONTEST_FIRST   ? larger
                  : wrong == CONTEST_LATER ? term_or(ts, first, term_lt(ts, zero, t->i))
                                           : term_or(ts, first, larger);
  term_id args[] = {apart ? zero : by_index(t, t->score), two};
  if (wrong == CONTEST_SCALE) args[1] = term_ite(ts, first, two, term_rat(ts, 1, 1));
  if (wrong == CONTEST_SCORE) args[0] = term_max(ts, args[0], t->best);
  term_id index = wrong == CONTEST_NEXT ? term_add(ts, t->i, term_int(ts, 1)) : t->i;
  const struct core *keep = core_assign(a, s, t->best, wrong == CONTEST_STALE ? t->old : value);
  const struct core *note = core_assign(a, s, t->arg, index), *skip = core_skip();
  const struct core *both =
      wrong == CONTEST_SWAPPED ? core_seq(a, note, keep) : core_seq(a, keep, note);
  const struct core *otherwise = wrong == CONTEST_ELSE ? core_assign(a, s, t->arg, zero) : skip;
  term_id next = term_add(ts, t->i, term_int(ts, wrong == CONTEST_STEP ? 2 : 1));
  const struct core *body = core_assign(a, s, t->i, next);
  body = core_seq(a, core_if(a, s, taken, both, otherwise), body);
  enum dist_kind dist = wrong == CONTEST_NOISE ? DIST_EXPONENTIAL : DIST_GUMBEL;
  body = core_seq(a, core_sample(a, s, t->v, dist, args, 2), body);
  if (wrong == CONTEST_RESET) body = core_seq(a, core_assign(a, s, t->arg, zero), body);
  if (wrong == CONTEST_STALE) body = core_seq(a, core_assign(a, s, t->old, t->v), body);
  term_id end = wrong == CONTEST_END ? term_add(ts, t->arg, term_int(ts, 1)) : term_int(ts, SCORES);
  return core_while(a, s, term_lt(ts, t->i, end), body);
}

static term_id scores_are(struct bench *t, const long *one, const long *two, long begin) {
  struct terms *ts = &t->terms;
  term_id all = term_and(ts, is(t, t->i, 1, begin), is(t, t->i, 2, begin));
  for (int r = 0; r < SCORES; r++)
    all = term_and(ts, all,
                   term_and(ts, is(t, t->score[r], 1, one[r]), is(t, t->score[r], 2, two[r])));
  return all;
}

static void contest_law(const long *score, double *law) {
  double sum = 0;
  for (int r = 0; r < SCORES; r++)
    sum += law[r] = exp((double)score[r] / 2);
  for (int r = 0; r < SCORES; r++)
    law[r] /= sum;
}

static void exponential(void **state) {
  (void)state;
  static const enum notion notions[] = {NOTION_PURE, NOTION_RENYI, NOTION_ZCDP};
  struct rng rng = rng_seeded(41);
  for (size_t round = 0; round < 12; round++) {
    struct bench t;
    enum notion kind = notions[round % 3];
    bench_init(&t, kind, 3);
    struct terms *ts = &t.terms;
    const struct core *c =
        contest_program(&t, (enum contest_variant)(round / 3 % CONTEST_SMALLEST));
    long one[SCORES], two[SCORES], low = 0, high = 0;
    for (int r = 0; r < SCORES; r++) {
      one[r] = rng_range(&rng, -2, 2);
      two[r] = one[r] - rng_range(&rng, -1, 1);
      long d = one[r] - two[r];
      low = r && low < d ? low : d;
      high = r && high > d ? high : d;
    }
    struct exponential how = {term_int(ts, low), term_int(ts, high)};
    proof_of j = rule_exponential(t.k, span_none(), c, &how);
    assert_non_null(j);
    double price = number(ts, exponential_price(t.k, c, &how)), p[SCORES], q[SCORES];
    contest_law(one, p);
    contest_law(two, q);
    double worst = 0;
    for (int r = 0; r < SCORES; r++)
      worst = fmax(worst, log(p[r] / q[r]));
    if (kind != NOTION_PURE) worst = divergence(p, q, SCORES, 3) / (kind == NOTION_ZCDP ? 3 : 1);
    assert_true(worst <= price + 1e-12);
    term_id enough = term_rat(ts, lround(price * 1000) + 1, 1000);
    assert_true(accepts(&t, j, scores_are(&t, one, two, 0), enough));
    if (high > low) {
      struct exponential less = {term_int(ts, low), term_int(ts, high - 1)};
      term_id cut = term_rat(ts, lround(price * 1000) - 2, 1000);
      assert_false(accepts(&t, j, scores_are(&t, one, two, 0), cut));
      j = rule_exponential(t.k, span_none(), c, &less);
      assert_false(accepts(&t, j, scores_are(&t, one, two, 0), term_int(ts, 9)));
    }
    bench_clear(&t);
  }
}

static void exponential_conditions(void **state) {
  (void)state;
  struct bench t;
  bench_init(&t, NOTION_ZCDP, 0);
  struct terms *ts = &t.terms;
  term_id much = term_int(ts, 9);
  const long one[] = {1, 0, 1}, two[] = {0, 0, 1};
  struct exponential how = {term_int(ts, 0), term_int(ts, 1)};
  term_id given = scores_are(&t, one, two, 0);
  for (int v = 0; v < CONTEST_VARIANTS; v++) {
    proof_of j =
        rule_exponential(t.k, span_none(), contest_program(&t, (enum contest_variant)v), &how);
    if ((j != NULL) != (v < CONTEST_BROKEN)) fail_msg("shape %d", v);
    if (j && accepts(&t, j, given, much) != (v < CONTEST_SMALLEST)) fail_msg("program %d", v);
  }
  /* the first iteration is not the one that the program means; no iteration at all */
  proof_of j = rule_exponential(t.k, span_none(), contest_program(&t, CONTEST_RIGHT), &how);
  assert_false(accepts(&t, j, scores_are(&t, one, two, 1), much));
  assert_false(accepts(&t, j, scores_are(&t, one, two, SCORES), much));
  bench_clear(&t);
}

enum opening_variant {
  OPENING_RIGHT,
  OPENING_RESULT, /* the condition speaks of the result, which is never that: right as well */
  OPENING_TAKEN,  /* the first iteration takes its value, whatever was drawn before */
  OPENING_SCALE,  /* other noise */
  OPENING_SCORE,  /* a value that differs by more */
  OPENING_RESET,  /* the largest value is forgotten: from here on the shape is wrong */
  OPENING_DOUBLE, /* the noise counts twice */
  OPENING_READ,   /* the loop reads what was drawn */
  OPENING_VARIANTS
};

/* The first value is drawn before the loop. */
static const struct core *opening_program(struct bench *t, enum opening_variant wrong) {
  struct terms *ts = &t->terms;
  struct arena *a = kernel_arena(t->k);
  struct span s = span_none();
  term_id none = term_int(ts, wrong == OPENING_TAKEN ? 0 : -1), two = term_rat(ts, 2, 1);
  term_id larger = term_lt(ts, t->best, t->v), score = term_to_real(ts, t->score[0]);
  bool by_result = wrong == OPENING_RESULT || wrong == OPENING_TAKEN;
  term_id taken = by_result ? term_or(ts, term_eq(ts, t->arg, none), larger) : larger;
  term_id args[] = {by_index(t, t->score), two};
  if (wrong == OPENING_READ) args[0] = term_max(ts, args[0], t->old);
  const struct core *both =
      core_seq(a, core_assign(a, s, t->best, t->v), core_assign(a, s, t->arg, t->i));
  const struct core *body = core_assign(a, s, t->i, term_add(ts, t->i, term_int(ts, 1)));
  body = core_seq(a, core_if(a, s, taken, both, core_skip()), body);
  body = core_seq(a, core_sample(a, s, t->v, DIST_GUMBEL, args, 2), body);
  const struct core *c = core_while(a, s, term_lt(ts, t->i, term_int(ts, SCORES)), body);
  c = core_seq(a, core_assign(a, s, t->i, term_int(ts, 1)), c);
  c = core_seq(a, core_assign(a, s, t->arg, term_int(ts, 0)), c);
  term_id value = wrong == OPENING_RESET    ? two
                  : wrong == OPENING_DOUBLE ? term_add(ts, t->old, t->old)
                                            : t->old;
  c = core_seq(a, core_assign(a, s, t->best, value), c);
  term_id first[] = {wrong == OPENING_SCORE ? term_mul(ts, two, score) : score,
                     wrong == OPENING_SCALE ? term_rat(ts, 1, 1) : two};
  return core_seq(a, core_sample(a, s, t->old, DIST_GUMBEL, first, 2), c);
}

static void exponential_openings(void **state) {
  (void)state;
  struct bench t;
  bench_init(&t, NOTION_ZCDP, 0);
  struct terms *ts = &t.terms;
  const long one[] = {1, 0, 1}, two[] = {0, 0, 1};
  struct exponential how = {term_int(ts, 0), term_int(ts, 1)};
  term_id given = scores_are(&t, one, two, 0);
  for (int v = 0; v < OPENING_VARIANTS; v++) {
    const struct core *c = opening_program(&t, (enum opening_variant)v);
    proof_of j = rule_exponential(t.k, span_none(), c, &how);
    if ((j != NULL) != (v < OPENING_RESET)) fail_msg("shape %d", v);
    if (j && accepts(&t, j, given, term_int(ts, 9)) != (v < OPENING_TAKEN))
      fail_msg("program %d", v);
    if (v == OPENING_RIGHT) assert_false(accepts(&t, j, given, term_rat(ts, 1, 40)));
  }
  bench_clear(&t);
}

/* ---- aHL-GUMBEL ------------------------------------------------------------------------------ */

static term_id winner_is(struct bench *t, unsigned labels) {
  term_id arg = term_var_in_run(&t->terms, t->arg, 1), any = term_bool(&t->terms, false);
  for (int r = 0; r < SCORES; r++)
    if (labels >> r & 1)
      any = term_or(&t->terms, any, term_eq(&t->terms, arg, term_int(&t->terms, r)));
  return any;
}

/* Does the rule show the event with this bound? */
static bool shows(struct bench *t, const struct core *c, term_id given, term_id distance,
                  term_id beta, term_id event) {
  bound_of b = ahl_contest(t->k, 1, span_none(), c, distance, beta, event);
  return b && ahl_conseq(t->k, span_none(), given, event, beta, b);
}

static term_id run_1_is(struct bench *t, const long *score, long begin) {
  struct terms *ts = &t->terms;
  term_id all = is(t, t->i, 1, begin);
  for (int r = 0; r < SCORES; r++)
    all = term_and(ts, all, is(t, t->score[r], 1, score[r]));
  return all;
}

/* Labels whose score is at most `distance` below the best one. */
static unsigned near_labels(const long *score, long distance) {
  unsigned near = 0;
  for (int r = 0; r < SCORES; r++) {
    bool is_near = true;
    for (int j = 0; j < SCORES; j++)
      is_near &= score[j] <= score[r] + distance;
    near |= (unsigned)is_near << r;
  }
  return near;
}

/* All events about the winner: what is shown is true, and what is near enough is shown. */
static void winners_are_near(void **state) {
  (void)state;
  struct rng rng = rng_seeded(43);
  unsigned shown = 0, missed = 0;
  for (size_t round = 0; round < 8; round++) {
    struct bench t;
    bench_init(&t, NOTION_PURE, 0);
    bool has_opening = round % 2;
    const struct core *c = has_opening ? opening_program(&t, OPENING_RIGHT)
                                       : contest_program(&t, (enum contest_variant)(round / 2 % 3));
    long score[SCORES], distance = rng_range(&rng, 2, 5);
    double law[SCORES], tail = SCORES * exp(-(double)distance / 2);
    for (int r = 0; r < SCORES; r++)
      score[r] = rng_range(&rng, -4, 4);
    contest_law(score, law);
    term_id given = run_1_is(&t, score, 0), far = term_int(&t.terms, distance);
    term_id beta = term_rat(&t.terms, lround(tail * 1000) + 1, 1000);
    term_id less = term_rat(&t.terms, lround(tail * 1000) - 2, 1000);
    unsigned near = near_labels(score, distance);
    for (unsigned labels = 0; labels < 1u << SCORES; labels++) {
      double fails = 0;
      for (int r = 0; r < SCORES; r++)
        fails += labels >> r & 1 ? 0 : law[r];
      bool ok = shows(&t, c, given, far, beta, winner_is(&t, labels));
      if (ok != ((near & ~labels) == 0)) fail_msg("round %zu, labels %u", round, labels);
      if (ok) assert_true(fails <= tail + 1e-12);
      shown += ok;
      missed += !ok;
    }
    assert_false(shows(&t, c, given, far, less, winner_is(&t, near)));
    bench_clear(&t);
  }
  assert_true(shown > 0 && missed > 0);
}

static void winners_have_conditions(void **state) {
  (void)state;
  struct bench t;
  bench_init(&t, NOTION_PURE, 0);
  struct terms *ts = &t.terms;
  const long score[] = {4, 0, 4};
  term_id given = run_1_is(&t, score, 0), far = term_int(ts, 3), beta = term_rat(ts, 9, 10);
  term_id near = winner_is(&t, 5);
  for (int v = 0; v < CONTEST_VARIANTS; v++) {
    const struct core *c = contest_program(&t, (enum contest_variant)v);
    bool read = ahl_contest(t.k, 1, span_none(), c, far, beta, near) != NULL;
    if (read != (v < CONTEST_BROKEN)) fail_msg("shape %d", v);
    if (shows(&t, c, given, far, beta, near) != (v < CONTEST_SMALLEST)) fail_msg("program %d", v);
  }
  for (int v = 0; v < OPENING_VARIANTS; v++) {
    const struct core *c = opening_program(&t, (enum opening_variant)v);
    bool right = v < OPENING_TAKEN || v == OPENING_SCORE; /* a score like others */
    if (shows(&t, c, given, far, beta, near) != right) fail_msg("opening %d", v);
  }
  const struct core *c = contest_program(&t, CONTEST_RIGHT);
  assert_false(shows(&t, c, run_1_is(&t, score, 1), far, beta, near)); /* begins in the middle */
  assert_false(shows(&t, c, run_1_is(&t, score, SCORES), far, beta, near)); /* no value */
  const struct core *empty =
      core_while(kernel_arena(t.k), span_none(), term_lt(ts, t.i, term_int(ts, 0)), c->first);
  assert_false(
      shows(&t, empty, given, far, beta, near)); /* no value, and the first would be taken */
  term_id best = term_var_in_run(ts, t.best, 1), other = term_var_in_run(ts, t.score[0], 2);
  assert_null(ahl_contest(t.k, 1, span_none(), c, far, beta,
                          term_and(ts, near, term_le(ts, best, far)))); /* not known afterwards */
  assert_null(ahl_contest(t.k, 1, span_none(), c, other, beta, near));  /* the other run's */
  assert_null(ahl_contest(t.k, 1, span_none(), c, kernel_budget(t.k), beta, near));
  assert_null(ahl_contest(t.k, 1, span_none(), c, t.score[0], beta, near)); /* of no run */
  assert_null(ahl_contest(t.k, 1, span_none(), c, far, best, near));
  assert_null(ahl_contest(t.k, 3, span_none(), c, far, beta, near));
  bench_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(winners_are_near),
                                     cmocka_unit_test(winners_have_conditions),
                                     cmocka_unit_test(exponential_openings),
                                     cmocka_unit_test(range_prices),
                                     cmocka_unit_test(sampled_prices),
                                     cmocka_unit_test(price_of_values),
                                     cmocka_unit_test(pointwise),
                                     cmocka_unit_test(pure_part),
                                     cmocka_unit_test(pure_part_refusals),
                                     cmocka_unit_test(subsample),
                                     cmocka_unit_test(subsample_conditions),
                                     cmocka_unit_test(exponential),
                                     cmocka_unit_test(exponential_conditions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
