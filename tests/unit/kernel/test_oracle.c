/* ctest-label: release */
/* Rules against their meaning: random small instances go through the rule functions; wherever the
 * computed precondition holds, the linear program of tests/lib/oracle.h must agree. And the other
 * way round: the test can fail, because some instances are tight (a cost cut by a tenth is
 * noticed), and instances that violate one side condition are refused and really wrong. */
#include <math.h>

#include "kernel/internal.h"
#include "kernel/rules.h"
#include "oracle.h"
#include "smt/smt.h"
#include "term/build.h"
#include "term/eval.h"
#include "term/subst.h"
#include "testlib.h"

enum { WINDOW = 14, POINTS = 2 * WINDOW + 1 };

struct bench {
  struct terms terms;
  struct smt smt;
  struct kernel *k;
  term_id x, flag;
};

static void bench_init(struct bench *b) {
  terms_init(&b->terms);
  struct smt_options options = smt_default_options();
  smt_init(&b->smt, &b->terms, &options);
  b->k = kernel_new(&b->terms, &b->smt.decider);
  b->x = kernel_var(b->k, "x", SORT_INT, false);
  b->flag = kernel_var(b->k, "flag", SORT_BOOL, false);
}

static void bench_clear(struct bench *b) {
  kernel_free(b->k);
  smt_clear(&b->smt);
  terms_clear(&b->terms);
}

static term_id x1(struct bench *b) {
  return term_var_in_run(&b->terms, b->x, 1);
}
static term_id x2(struct bench *b) {
  return term_var_in_run(&b->terms, b->x, 2);
}

/* Not refuted with integers in the window. */
static bool holds(struct bench *b, term_id formula, term_id budget) {
  term_id from = kernel_budget(b->k);
  term_id t = term_subst(&b->terms, kernel_strip(b->k, formula), &from, &budget, 1);
  struct evaluator ev;
  eval_init(&ev, &b->terms);
  ev.low = -WINDOW;
  ev.high = WINDOW;
  int truth = eval_truth(&ev, t);
  eval_clear(&ev);
  return truth != 0;
}

/* Least budget, among multiples of 1/4, with which (v, w) is in post. */
static double left_over(struct bench *b, term_id post, int v, int w) {
  term_id from[] = {x1(b), x2(b)}, to[] = {term_int(&b->terms, v), term_int(&b->terms, w)};
  term_id t = term_subst(&b->terms, post, from, to, 2);
  for (int i = 0; i <= 12; i++)
    if (holds(b, t, term_rat(&b->terms, i, 4))) return i / 4.0;
  return ORACLE_UNRELATED;
}

static void noise(enum dist_kind dist, int centre, double scale, double *mu) {
  double total = 0;
  for (int v = -4 * WINDOW; v <= 4 * WINDOW; v++) {
    double p = dist == DIST_GEOMETRIC && v < centre ? 0 : exp(-abs(v - centre) / scale);
    total += p;
    if (abs(v) <= WINDOW) mu[v + WINDOW] = p;
  }
  for (int i = 0; i < POINTS; i++)
    mu[i] /= total;
}

struct instance {
  enum dist_kind dist;
  int e1, e2, halves; /* scale is halves/2 */
  int cases, threshold, shift[2];
  term_id post;
  double mu1[POINTS], mu2[POINTS], q[POINTS * POINTS];
};

static const struct core *draw(struct bench *b, const struct instance *in, int centre) {
  term_id args[] = {term_int(&b->terms, centre), term_rat(&b->terms, in->halves, 2)};
  return core_sample(kernel_arena(b->k), span_none(), b->x, in->dist, args, 2);
}

static proof_of apply(struct bench *b, const struct instance *in) {
  struct terms *ts = &b->terms;
  term_id sample = kernel_fresh(b->k, "v", SORT_INT);
  struct coupling_case cases[2] = {
      {term_le(ts, term_int(ts, in->threshold), sample), term_int(ts, in->shift[0]), TERM_NONE},
      {TERM_NONE, term_int(ts, in->shift[1]), TERM_NONE}};
  struct coupling how = {sample, cases + (2 - in->cases), (size_t)in->cases};
  return rule_sample_shift(b->k, draw(b, in, in->e1), draw(b, in, in->e2), &how, in->post);
}

/* Mostly instances that have a chance: the postcondition follows the coupling. */
static void choose(struct bench *b, struct rng *rng, struct instance *in) {
  struct terms *ts = &b->terms;
  in->dist = rng_chance(rng, 1, 2) ? DIST_DISCRETE_LAPLACE : DIST_GEOMETRIC;
  in->e1 = rng_range(rng, -1, 1);
  in->e2 = rng_range(rng, -1, 1);
  in->halves = rng_range(rng, 1, 2);
  in->cases = rng_range(rng, 1, 2);
  in->threshold = rng_range(rng, -2, 2);
  in->shift[0] = rng_range(rng, -2, 2);
  in->shift[1] = rng_range(rng, -2, 2);
  term_id t = term_int(ts, in->threshold), above = term_le(ts, t, x1(b));
  term_id exact =
      term_ite(ts, above, term_eq(ts, x2(b), term_add(ts, x1(b), term_int(ts, in->shift[0]))),
               term_eq(ts, x2(b), term_add(ts, x1(b), term_int(ts, in->shift[1]))));
  if (in->cases == 1) exact = term_eq(ts, x2(b), term_add(ts, x1(b), term_int(ts, in->shift[1])));
  int s = rng_range(rng, -2, 2);
  term_id loose = term_eq(ts, above, term_le(ts, term_int(ts, in->threshold + s), x2(b)));
  term_id relation = rng_chance(rng, 2, 3) ? exact : loose;
  int hit = rng_range(rng, 0, 2), miss = rng_range(rng, 0, 2);
  term_id left = term_ite(ts, above, term_rat(ts, hit, 2), term_rat(ts, miss, 2));
  in->post = term_and(ts, relation, term_le(ts, left, kernel_budget(b->k)));
  noise(in->dist, in->e1, in->halves / 2.0, in->mu1);
  noise(in->dist, in->e2, in->halves / 2.0, in->mu2);
  for (int v = 0; v < POINTS; v++)
    for (int w = 0; w < POINTS; w++)
      in->q[v * POINTS + w] = left_over(b, in->post, v - WINDOW, w - WINDOW);
}

static void shifts(void **state) {
  (void)state;
  struct rng rng = rng_seeded(7);
  size_t accepted = 0, tight = 0;
  for (size_t round = 0; round < test_rounds(250); round++) {
    struct bench b;
    bench_init(&b);
    struct instance in;
    choose(&b, &rng, &in);
    proof_of j = apply(&b, &in);
    assert_non_null(j);
    for (int quarter = 0; quarter <= 20; quarter++) {
      if (!holds(&b, judgement_pre(j), term_rat(&b.terms, quarter, 4))) continue;
      accepted++;
      double budget = quarter / 4.0;
      double delta = oracle_delta(in.mu1, POINTS, in.mu2, POINTS, in.q, budget);
      if (delta > 1e-5)
        print_message("delta %g: dist %d e1 %d e2 %d scale %d/2 cases %d at %d shifts %d %d B %g\n",
                      delta, (int)in.dist, in.e1, in.e2, in.halves, in.cases, in.threshold,
                      in.shift[0], in.shift[1], budget);
      assert_true(delta <= 1e-5);
      if (budget > 0 && oracle_delta(in.mu1, POINTS, in.mu2, POINTS, in.q, 0.9 * budget) > 1e-4)
        tight++;
      break; /* more budget is weaker */
    }
    bench_clear(&b);
  }
  assert_often(accepted > 40);
  assert_often(tight > 5);
}

/* A side condition that fails: no budget helps, and the semantics agrees. */
static void refused_and_wrong(struct instance *in, struct bench *b, double paid) {
  proof_of j = apply(b, in);
  assert_non_null(j);
  for (int B = 0; B <= 40; B += 5)
    assert_false(holds(b, judgement_pre(j), term_int(&b->terms, B)));
  noise(in->dist, in->e1, in->halves / 2.0, in->mu1);
  noise(in->dist, in->e2, in->halves / 2.0, in->mu2);
  for (int v = 0; v < POINTS; v++)
    for (int w = 0; w < POINTS; w++)
      in->q[v * POINTS + w] = left_over(b, in->post, v - WINDOW, w - WINDOW);
  assert_true(oracle_delta(in->mu1, POINTS, in->mu2, POINTS, in->q, paid) > 1e-3);
}

static void side_conditions(void **state) {
  (void)state;
  struct bench b;
  bench_init(&b);
  struct terms *ts = &b.terms;
  /* overlapping images: v >= 0 stays, v < 0 moves up by 1, so 0 is hit twice; both cost nothing
   * or 2 - at price 0 for the first case the sum would be more than 1 */
  struct instance in = {.dist = DIST_DISCRETE_LAPLACE, .halves = 2, .cases = 2, .shift = {0, 1}};
  term_id zero = term_int(ts, 0);
  in.post = term_ite(ts, term_le(ts, zero, x1(&b)), term_eq(ts, x2(&b), x1(&b)),
                     term_eq(ts, x2(&b), term_add(ts, x1(&b), term_int(ts, 1))));
  in.post = term_and(
      ts, in.post,
      term_or(ts, term_lt(ts, x1(&b), zero), term_le(ts, term_int(ts, 1), kernel_budget(b.k))));
  refused_and_wrong(&in, &b, 1);
  /* one-sided noise moved down */
  struct instance down = {.dist = DIST_GEOMETRIC, .halves = 2, .cases = 1, .shift = {0, -1}};
  down.post = term_eq(ts, x2(&b), term_sub(ts, x1(&b), term_int(ts, 1)));
  refused_and_wrong(&down, &b, 5);
  bench_clear(&b);
}

/* LAPINT: the ratio of probabilities is covered by the cost, in both directions; and not by 0.9 of
 * it where it is tight. */
static double mass(int e, double b, int low, int high) {
  double total = 0, in = 0;
  for (int v = -400; v <= 400; v++) {
    double p = exp(-abs(v - e) / b);
    total += p;
    if (low <= v && v <= high) in += p;
  }
  return in / total;
}

static void intervals(void **state) {
  (void)state;
  struct rng rng = rng_seeded(11);
  size_t tight = 0;
  for (size_t i = 0; i < test_rounds(20000); i++) {
    double b = rng_range(&rng, 1, 12) / 2.0;
    int e1 = rng_range(&rng, -8, 8), k = rng_range(&rng, 0, 3), e2 = e1 + rng_range(&rng, -k, k);
    int r = rng_range(&rng, -10, 10), s = r + rng_range(&rng, 0, 8);
    int p = r - k - rng_range(&rng, 0, 2), q = s + k + rng_range(&rng, 0, 2);
    double eta = (q - p) - (s - r), sigma = (s - r) + 2;
    double cost = eta / b - log(1 - exp(-sigma / (2 * b)));
    double outer = mass(e1, b, p, q), inner = mass(e2, b, r, s);
    assert_true(outer <= exp(cost) * inner * (1 + 1e-12));
    assert_true(1 - outer <= (1 - inner) * (1 + 1e-9) + 1e-12);
    /* reverse: run 1 (centre e2) has the inner one */
    assert_true(inner <= outer * (1 + 1e-12));
    assert_true(1 - inner <= exp(eta / b) * (1 - outer) * (1 + 1e-9) + 1e-12);
    if (1 - inner > exp(0.9 * eta / b) * (1 - outer) + 1e-12) tight++;
  }
  assert_often(tight > 0);
}

/* MEET and MEET-R: the mass of one sample of run 2 serves what run 1 has, at random prices. */
struct meeting {
  int p, q;       /* probabilities of true, in eighths */
  bool alone;     /* run 1 has a bit already: MEET-R */
  bool value;     /* of run 2 */
  int cost[2];    /* of false and true: ln(cost/4) */
  double left[4]; /* least budget left with which the bits are related, or ORACLE_UNRELATED */
  term_id post;
};

static term_id log_quarters(struct terms *ts, int quarters) {
  return term_ln(ts, term_rat(ts, quarters, 4));
}

static void choose_meeting(struct bench *b, struct rng *rng, struct meeting *m) {
  struct terms *ts = &b->terms;
  term_id f1 = term_var_in_run(ts, b->flag, 1), f2 = term_var_in_run(ts, b->flag, 2);
  *m = (struct meeting){.p = rng_range(rng, 1, 7),
                        .q = rng_range(rng, 1, 7),
                        .alone = rng_chance(rng, 1, 3),
                        .value = rng_chance(rng, 1, 2),
                        .cost = {rng_range(rng, 1, 20), rng_range(rng, 1, 20)},
                        .post = term_bool(ts, false)};
  for (int u = 0; u < 2; u++)
    for (int v = 0; v < 2; v++) {
      bool related = rng_chance(rng, v == m->value ? 7 : 2, 8);
      int factor = rng_range(rng, 1, 2);
      m->left[2 * u + v] = related ? log(factor) : ORACLE_UNRELATED;
      if (!related) continue;
      term_id here[] = {term_iff(ts, f1, term_bool(ts, u)), term_iff(ts, f2, term_bool(ts, v)),
                        term_le(ts, log_quarters(ts, 4 * factor), kernel_budget(b->k))};
      m->post = term_or(ts, m->post, term_and_all(ts, here, 3));
    }
}

/* The judgement; with `alone` its precondition for run 1's bit being true. */
static term_id meeting_pre(struct bench *b, const struct meeting *m) {
  struct terms *ts = &b->terms;
  struct arena *arena = kernel_arena(b->k);
  term_id p = term_rat(ts, m->p, 8), q = term_rat(ts, m->q, 8), yes = term_bool(ts, true);
  const struct core *c1 = core_sample(arena, span_none(), b->flag, DIST_BERNOULLI, &p, 1);
  const struct core *c2 = core_sample(arena, span_none(), b->flag, DIST_BERNOULLI, &q, 1);
  term_id value = term_bool(ts, m->value), cost = log_quarters(ts, m->cost[1]);
  proof_of j =
      m->alone ? rule_sample_aim(b->k, c2, value, cost, m->post)
               : rule_sample_meet(b->k, c1, c2, value, cost, log_quarters(ts, m->cost[0]), m->post);
  assert_non_null(j);
  term_id f1 = term_var_in_run(ts, b->flag, 1);
  return m->alone ? term_subst(ts, judgement_pre(j), &f1, &yes, 1) : judgement_pre(j);
}

static double meeting_delta(const struct meeting *m, double budget) {
  double p = m->alone ? 1 : m->p / 8.0, q = m->q / 8.0;
  double mu1[] = {1 - p, p}, mu2[] = {1 - q, q};
  return oracle_delta(mu1, 2, mu2, 2, m->left, budget);
}

static void meetings(void **state) {
  (void)state;
  struct rng rng = rng_seeded(17);
  size_t accepted = 0, tight = 0, cheaper = 0;
  for (size_t round = 0; round < test_rounds(4000); round++) {
    struct bench b;
    bench_init(&b);
    struct meeting m;
    choose_meeting(&b, &rng, &m);
    term_id pre = meeting_pre(&b, &m);
    for (int quarters = 4; quarters <= 40; quarters++) {
      if (!holds(&b, pre, log_quarters(&b.terms, quarters))) continue;
      accepted++;
      double budget = log(quarters / 4.0);
      assert_true(meeting_delta(&m, budget + 1e-9) < 1e-7);
      tight += meeting_delta(&m, 0.9 * budget) > 1e-4;
      cheaper += m.cost[0] < 4 || m.cost[1] < 4; /* a price below 0 */
      break;
    }
    bench_clear(&b);
  }
  assert_often(accepted > 200);
  assert_often(tight > 20);
  assert_often(cheaper > 20);
}

/* Each sample of run 1 alone would be covered, both together are not: refused, and really wrong. */
static void meetings_add_up(void **state) {
  (void)state;
  struct bench b;
  bench_init(&b);
  struct terms *ts = &b.terms;
  term_id f2 = term_var_in_run(ts, b.flag, 2);
  struct meeting m = {.p = 4, .q = 4, .value = true, .cost = {4, 4}, .post = f2};
  m.left[0] = m.left[2] = ORACLE_UNRELATED; /* run 2 must have true */
  term_id pre = meeting_pre(&b, &m);
  for (int quarters = 4; quarters <= 400; quarters += 4)
    assert_false(holds(&b, pre, log_quarters(ts, quarters)));
  assert_true(meeting_delta(&m, 0) > 0.1);
  m.cost[0] = m.cost[1] = 8; /* ln 2 each is what it takes */
  assert_true(holds(&b, meeting_pre(&b, &m), log_quarters(ts, 8)));
  assert_true(meeting_delta(&m, log(2) + 1e-9) < 1e-7);
  assert_true(meeting_delta(&m, 0.9 * log(2)) > 1e-2);
  /* MEET-R: a single value of a uniform integer out of 4 costs ln 4, and one outside has no price
   */
  term_id ends[] = {term_int(ts, 0), term_int(ts, 3)};
  const struct core *die =
      core_sample(kernel_arena(b.k), span_none(), b.x, DIST_UNIFORM_INT, ends, 2);
  term_id yes = term_bool(ts, true);
  static const struct {
    int value, price;
    bool ok;
  } rows[] = {{2, 16, true},  {0, 16, true},   {3, 16, true},
              {2, 15, false}, {4, 400, false}, {-1, 400, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    proof_of j = rule_sample_aim(b.k, die, term_int(ts, rows[i].value),
                                 log_quarters(ts, rows[i].price), yes);
    assert_non_null(j);
    assert_int_equal(holds(&b, judgement_pre(j), term_int(ts, 6)), rows[i].ok);
  }
  /* noise that is not finite, and a sample of the wrong type */
  term_id lap[] = {term_int(ts, 0), term_rat(ts, 1, 1)};
  const struct core *noisy =
      core_sample(kernel_arena(b.k), span_none(), b.x, DIST_DISCRETE_LAPLACE, lap, 2);
  assert_null(rule_sample_aim(b.k, noisy, term_int(ts, 0), term_int(ts, 9), yes));
  assert_null(rule_sample_aim(b.k, die, yes, term_int(ts, 9), yes));
  bench_clear(&b);
}

/* Random programs over one bit, through the structural rules. */
static const struct core *random_command(struct bench *b, struct rng *rng, int depth) {
  struct terms *ts = &b->terms;
  struct arena *arena = kernel_arena(b->k);
  term_id p = term_rat(ts, rng_range(rng, 1, 3), 4);
  switch (depth > 0 ? rng_below(rng, 5) : rng_below(rng, 3)) {
  case 0: return core_sample(arena, span_none(), b->flag, DIST_BERNOULLI, &p, 1);
  case 1: return core_assign(arena, span_none(), b->flag, term_not(ts, b->flag));
  case 2: return core_skip();
  case 3:
    return core_seq(arena, random_command(b, rng, depth - 1), random_command(b, rng, depth - 1));
  default:
    return core_if(arena, span_none(), b->flag, random_command(b, rng, depth - 1),
                   random_command(b, rng, depth - 1));
  }
}

/* Backwards by the rules; samplings are coupled equal, flipped, or each alone. Costs ln 3, ln 9. */
static proof_of random_proof(struct bench *b, struct rng *rng, const struct core *c, term_id post) {
  struct kernel *k = b->k;
  struct terms *ts = &b->terms;
  switch (c->kind) {
  case CORE_SKIP: return rule_skip(k, post);
  case CORE_ASSIGN: {
    proof_of right = rule_assign(k, 2, c, post);
    return rule_seq(k, rule_assign(k, 1, c, judgement_pre(right)), right);
  }
  case CORE_SAMPLE: {
    if (rng_chance(rng, 1, 4)) {
      proof_of right = rule_sample_side(k, 2, c, post);
      return rule_seq(k, rule_sample_side(k, 1, c, judgement_pre(right)), right);
    }
    if (rng_chance(rng, 1, 2)) return rule_sample_same(k, c, c, post);
    term_id three = term_ln(ts, term_int(ts, 3));
    return rule_sample_bernoulli(k, c, c, true, three, three, post);
  }
  case CORE_SEQ: {
    proof_of second = random_proof(b, rng, c->second, post);
    return rule_seq(k, random_proof(b, rng, c->first, judgement_pre(second)), second);
  }
  default: {
    proof_of then = random_proof(b, rng, c->first, post);
    proof_of otherwise = random_proof(b, rng, c->second, post);
    return rule_cond(k, c, c, then, otherwise);
  }
  }
}

/* Probability that the bit is true afterwards. */
static double run(struct bench *b, const struct core *c, double p) {
  switch (c->kind) {
  case CORE_SAMPLE: {
    const fmpq *q = term_num_value(&b->terms, c->args[0]);
    return fmpz_get_d(fmpq_numref(q)) / fmpz_get_d(fmpq_denref(q));
  }
  case CORE_ASSIGN: return 1 - p;
  case CORE_SEQ: return run(b, c->second, run(b, c->first, p));
  case CORE_IF: return p * run(b, c->first, 1) + (1 - p) * run(b, c->second, 0);
  default: return p;
  }
}

static void structure(void **state) {
  (void)state;
  struct rng rng = rng_seeded(13);
  size_t accepted = 0, tight = 0;
  for (size_t round = 0; round < test_rounds(1500); round++) {
    struct bench b;
    bench_init(&b);
    struct terms *ts = &b.terms;
    term_id f1 = term_var_in_run(ts, b.flag, 1), f2 = term_var_in_run(ts, b.flag, 2);
    bool related[2][2];
    double q[4];
    term_id post = term_bool(ts, false);
    for (int u = 0; u < 2; u++)
      for (int v = 0; v < 2; v++) {
        related[u][v] = rng_chance(&rng, 1, 2);
        q[u * 2 + v] = related[u][v] ? 0 : ORACLE_UNRELATED;
        term_id here =
            term_and(ts, term_iff(ts, f1, term_bool(ts, u)), term_iff(ts, f2, term_bool(ts, v)));
        if (related[u][v]) post = term_or(ts, post, here);
      }
    const struct core *c = random_command(&b, &rng, 3);
    proof_of j = random_proof(&b, &rng, c, post);
    assert_non_null(j);
    for (int start = 0; start < 4; start++)
      for (int third = 0; third <= 3; third++) { /* budgets 0, ln 3, 2 ln 3, 3 ln 3 */
        term_id from[] = {f1, f2};
        term_id to[] = {term_bool(ts, start & 1), term_bool(ts, start >> 1)};
        term_id pre = term_subst(ts, judgement_pre(j), from, to, 2);
        term_id budget =
            term_add(ts, term_mul(ts, term_int(ts, third), term_ln(ts, term_int(ts, 3))),
                     term_rat(ts, 1, 1000000));
        if (!holds(&b, pre, budget)) continue;
        accepted++;
        double p1 = run(&b, c, start & 1), p2 = run(&b, c, start >> 1);
        double mu1[] = {1 - p1, p1}, mu2[] = {1 - p2, p2};
        assert_true(oracle_delta(mu1, 2, mu2, 2, q, third * log(3) + 1e-6) < 1e-7);
        if (third && oracle_delta(mu1, 2, mu2, 2, q, 0.9 * third * log(3)) > 1e-4) tight++;
        break;
      }
    bench_clear(&b);
  }
  assert_often(accepted > 200);
  assert_often(tight > 3);
}

/* AC-HIT and AC-WHILE: for the worst mechanism, randomized response repeated M times, the exact
 * hockey-stick value at the claimed total is at most omega; at 0.4 of it it is not. */
static double response_delta(int m, double eps, double total) {
  double sum = 0;
  for (int i = 0; i <= m; i++) {
    double log_choose = lgamma(m + 1) - lgamma(i + 1) - lgamma(m - i + 1);
    double base = log_choose - m * log1p(exp(eps));
    double gain = exp(base + i * eps) - exp(total + base + (m - i) * eps);
    if (gain > 0) sum += gain;
  }
  return sum;
}

static void advanced_totals(void **state) {
  (void)state;
  struct bench b;
  bench_init(&b);
  struct terms *ts = &b.terms;
  size_t beaten = 0;
  for (int m = 1; m <= 400; m = m * 3 / 2 + 1)
    for (int e = 1; e <= 16; e *= 2)
      for (int digits = 1; digits <= 6; digits++)
        for (int kind = 0; kind < 2; kind++) {
          double eps = e / 16.0, omega = pow(10, -digits);
          struct advanced how = {.hit = kind ? b.flag : TERM_NONE,
                                 .most = term_int(ts, m),
                                 .epsilon = term_rat(ts, e, 16),
                                 .omega = term_rat(ts, 1, (unsigned long)(1 / omega + 0.5))};
          struct evaluator ev;
          eval_init(&ev, ts);
          arb_t ball;
          arb_init(ball);
          assert_true(tvalue_get_ball(eval_term(&ev, advanced_total(b.k, &how)), ball, 64));
          double total = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
          arb_clear(ball);
          eval_clear(&ev);
          assert_true(response_delta(m, eps, total) <= omega);
          if (response_delta(m, eps, 0.4 * total) > omega) beaten++;
        }
  assert_often(beaten > 10);
  bench_clear(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shifts),          cmocka_unit_test(side_conditions),
      cmocka_unit_test(intervals),       cmocka_unit_test(meetings),
      cmocka_unit_test(meetings_add_up), cmocka_unit_test(structure),
      cmocka_unit_test(advanced_totals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
