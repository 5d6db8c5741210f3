/* ctest-label: release */
/* Sampling rules, events, adversaries, composition and program equivalences against their meaning,
 * as in test_semantics.c; continuous noise on cells of a geometric grid, discrete noise on a
 * window. */
#include <math.h>

#include "compose/compose.h"
#include "finite_test.h"
#include "kernel/dist.h"
#include "oracle.h"
#include "term/eval.h"
#include "term/subst.h"

static const struct core *sample(struct finite *w, term_id var, enum dist_kind dist,
                                 const term_id *args, size_t count) {
  return core_sample(w->arena, span_none(), var, dist, args, count);
}
static term_id random_cost(struct finite *w) {
  return term_rat(&w->terms, rng_range(&w->rng, 0, 12), FINITE_STEP);
}
static bool never(const struct finite_table *t) {
  for (int i = 0; i < FINITE_PAIRS; i++)
    if (t->at[i / FINITE_STATES][i % FINITE_STATES] < FINITE_NEVER) return false;
  return true;
}

/* ---- samples of finite distributions -------------------------------------------------------- */

COUNTS(equal_samples, seen.tight > 5 && seen.wrong > 20)
TEST(equal_samples, 1000) {
  struct terms *ts = &w->terms;
  const struct core *c = finite_command(w, 0, 3);
  if (c->kind != CORE_SAMPLE) return;
  conclude(w, rule_sample_same(w->k, c, c, random_assertion(w, 50)));
  /* other parameters: refused everywhere, and equal samples are too much to ask */
  term_id p = term_rat(ts, 1, 4), q = term_rat(ts, rng_range(&w->rng, 2, 3), 4);
  const struct core *c1 = sample(w, w->bit, DIST_BERNOULLI, &p, 1);
  const struct core *c2 = sample(w, w->bit, DIST_BERNOULLI, &q, 1);
  term_id same = term_eq(ts, w->bits[1], w->bits[2]);
  struct finite_table pre = finite_read(w, judgement_pre(rule_sample_same(w->k, c1, c2, same)));
  assert_true(never(&pre));
  would(w, c1, c2, w->k->yes, same, w->k->zero);
}

COUNTS(one_sided_samples, seen.tight > 20 && seen.wrong > 20)
TEST(one_sided_samples, 1000) {
  unsigned run = (unsigned)rng_range(&w->rng, 1, 2);
  const struct core *c = finite_command(w, 0, 3);
  if (c->kind != CORE_SAMPLE) return;
  term_id post = random_assertion(w, 70);
  proof_of j = rule_sample_side(w->k, run, c, post);
  conclude(w, j);
  would(w, judgement_left(j), judgement_right(j), post, post, w->k->zero); /* keeping old facts */
}

/* A map on 0..2 as a term over `v`. */
static term_id map_term(struct finite *w, const int *map, term_id v) {
  struct terms *ts = &w->terms;
  return term_ite(
      ts, term_eq(ts, v, term_int(ts, 0)), term_int(ts, map[0]),
      term_ite(ts, term_eq(ts, v, term_int(ts, 1)), term_int(ts, map[1]), term_int(ts, map[2])));
}

COUNTS(bijections, seen.tight > 3 && seen.wrong > 20)
TEST(bijections, 600) {
  struct terms *ts = &w->terms;
  term_id ends[] = {term_int(ts, 0), term_int(ts, 2)}, v = kernel_fresh(w->k, "v", SORT_INT);
  const struct core *c = sample(w, w->digit, DIST_UNIFORM_INT, ends, 2);
  int map[3], back[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++)
    map[i] = rng_range(&w->rng, 0, 2);
  for (int i = 0; i < 3; i++)
    back[map[i]] = i;
  bool one_to_one = map[0] != map[1] && map[1] != map[2] && map[0] != map[2];
  term_id there = map_term(w, map, v), again = map_term(w, back, v);
  conclude(w, rule_sample_bijection(w->k, c, c, v, there, again, random_assertion(w, 60)));
  term_id image = map_term(w, map, w->digits[1]);
  term_id follows = term_eq(ts, w->digits[2], image);
  proof_of j = rule_sample_bijection(w->k, c, c, v, there, again, follows);
  struct finite_table pre = finite_read(w, judgement_pre(j));
  assert_int_equal(never(&pre), !one_to_one);
  would(w, c, c, w->k->yes, follows, w->k->zero);
}

COUNTS(paired_bits, seen.tight > 5 && seen.wrong > 50)
TEST(paired_bits, 1000) {
  struct terms *ts = &w->terms;
  term_id p = term_rat(ts, rng_range(&w->rng, 1, 7), 8),
          q = term_rat(ts, rng_range(&w->rng, 1, 7), 8);
  const struct core *c1 = sample(w, w->bit, DIST_BERNOULLI, &p, 1);
  const struct core *c2 = sample(w, w->bit, DIST_BERNOULLI, &q, 1);
  bool flip = rng_chance(&w->rng, 1, 2);
  term_id yes = random_cost(w), no = random_cost(w), post = random_assertion(w, 50);
  conclude(w, rule_sample_bernoulli(w->k, c1, c2, flip, yes, no, post));
  term_id pairs = term_eq(ts, w->bits[1], flip ? term_not(ts, w->bits[2]) : w->bits[2]);
  would(w, c1, c2, term_le(ts, term_min(ts, yes, no), w->k->budget), pairs, w->k->zero);
}

static struct sample_set random_set(struct finite *w, bool interval, term_id v) {
  struct terms *ts = &w->terms;
  struct sample_set set = {TERM_NONE, TERM_NONE, TERM_NONE};
  if (!interval) {
    int a = rng_range(&w->rng, 0, 2), b = rng_range(&w->rng, 0, 2);
    set.when = term_or(ts, term_eq(ts, v, term_int(ts, a)), term_eq(ts, v, term_int(ts, b)));
    return set;
  }
  if (rng_chance(&w->rng, 1, 2)) set.low = term_int(ts, rng_range(&w->rng, 0, 2));
  if (rng_chance(&w->rng, 1, 2)) set.high = term_int(ts, rng_range(&w->rng, 0, 2));
  return set;
}

COUNTS(subsets, seen.tight > 5 && seen.wrong > 50)
TEST(subsets, 1000) {
  struct terms *ts = &w->terms;
  bool interval = rng_chance(&w->rng, 1, 2);
  term_id v = kernel_fresh(w->k, "v", SORT_INT), zero = term_int(ts, 0);
  term_id ends[] = {zero, term_int(ts, rng_range(&w->rng, 1, 2))};
  term_id items[] = {zero, term_int(ts, 1), term_int(ts, 2), zero};
  const struct core *c1 = interval ? sample(w, w->digit, DIST_UNIFORM_INT, ends, 2)
                                   : sample(w, w->digit, DIST_UNIFORM_SET, items, 4);
  const struct core *c2 = rng_chance(&w->rng, 1, 2)
                              ? c1
                              : (interval ? sample(w, w->digit, DIST_UNIFORM_INT, items, 2)
                                          : sample(w, w->digit, DIST_UNIFORM_SET, items, 3));
  struct subset_coupling how = {.sample = v, .inside = random_cost(w), .outside = random_cost(w)};
  how.sets[0] = random_set(w, interval, v);
  how.sets[1] = random_set(w, interval, v);
  /* the strongest postcondition: both inside or both outside */
  term_id in[2];
  for (unsigned i = 0; i < 2; i++) {
    const struct sample_set *s = &how.sets[i];
    term_id x = w->digits[i + 1];
    in[i] = s->when == TERM_NONE ? w->k->yes : term_subst(ts, s->when, &v, &x, 1);
    if (s->low != TERM_NONE) in[i] = term_and(ts, in[i], term_le(ts, s->low, x));
    if (s->high != TERM_NONE) in[i] = term_and(ts, in[i], term_le(ts, x, s->high));
  }
  term_id left = term_ite(ts, in[0], term_rat(ts, rng_range(&w->rng, 0, 3), FINITE_STEP),
                          term_rat(ts, rng_range(&w->rng, 0, 3), FINITE_STEP));
  term_id post = term_and(ts, term_iff(ts, in[0], in[1]), term_le(ts, left, w->k->budget));
  proof_of j = rule_sample_subset(w->k, c1, c2, &how, post);
  conclude(w, j);
  term_id cheap = term_add(ts, term_min(ts, how.inside, how.outside), left);
  would(w, c1, c2, term_le(ts, cheap, w->k->budget), post, w->k->zero);
}

/* ---- noise ---------------------------------------------------------------------------------- */

/* The value of a closed term. */
static double constant(struct terms *ts, term_id t) {
  struct evaluator ev;
  eval_init(&ev, ts);
  arb_t ball;
  arb_init(ball);
  assert_true(tvalue_get_ball(eval_term(&ev, t), ball, 64));
  double x = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
  arb_clear(ball);
  eval_clear(&ev);
  return x;
}

/* Distribution functions against sums (discrete) and quantiles (continuous). */
static void distribution_functions(void **state) {
  (void)state;
  struct terms ts;
  terms_init(&ts);
  for (int halves = 1; halves <= 7; halves++)
    for (int x = -6; x <= 9; x++) {
      double b = halves / 2.0, below = 0, total = 0, geo_below = 0, geo_total = 0;
      for (int v = -300; v <= 300; v++) {
        double p = exp(-abs(v - 1) / b), g = v < 1 ? 0 : p;
        total += p;
        geo_total += g;
        if (v <= x) below += p, geo_below += g;
      }
      term_id args[] = {term_int(&ts, 1), term_rat(&ts, halves, 2)}, at = term_int(&ts, x);
      double f = constant(&ts, dist_at_most(&ts, DIST_DISCRETE_LAPLACE, args, 2, at));
      assert_true(fabs(f - below / total) < 1e-9);
      f = constant(&ts, dist_at_most(&ts, DIST_GEOMETRIC, args, 2, at));
      assert_true(fabs(f - geo_below / geo_total) < 1e-9);
      /* s*b*ln(u) for a random sign is Lap(0,b), and -b*ln(u) is Exp(0,b): EQUIV-NOISE, inversion */
      double lap = 0, one_sided = 0;
      enum { GRID = 20000 };
      for (int i = 0; i < GRID; i++) {
        double noise = -b * log((i + 0.5) / GRID);
        lap += (1 + noise <= x) + (1 - noise <= x);
        one_sided += 1 + noise <= x;
      }
      f = constant(&ts, dist_at_most(&ts, DIST_LAPLACE, args, 2, at));
      assert_true(fabs(f - lap / (2 * GRID)) < 1e-3);
      f = constant(&ts, dist_at_most(&ts, DIST_EXPONENTIAL, args, 2, at));
      assert_true(fabs(f - one_sided / GRID) < 1e-3);
      term_id ends[] = {term_int(&ts, -2), term_int(&ts, halves)};
      double size = halves + 3, inside = fmin(fmax(x + 3, 0), size);
      f = constant(&ts, dist_at_most(&ts, DIST_UNIFORM_INT, ends, 2, at));
      assert_true(fabs(f - inside / size) < 1e-12);
      f = constant(&ts, dist_at_most(&ts, DIST_UNIFORM, ends, 2, at));
      assert_true(fabs(f - fmin(fmax((x + 2.0) / (size - 1), 0), 1)) < 1e-12);
    }
  terms_clear(&ts);
}

enum { WINDOW = 10, POINTS = 2 * WINDOW + 1 };

/* Discrete noise on the window, its tails on the end points. */
static void noise(enum dist_kind dist, int centre, double b, double *mu) {
  double total = 0;
  for (int i = 0; i < POINTS; i++)
    mu[i] = 0;
  for (int v = -200; v <= 200; v++) {
    double p = dist == DIST_GEOMETRIC && v < centre ? 0 : exp(-abs(v - centre) / b);
    int at = v < -WINDOW ? -WINDOW : v > WINDOW ? WINDOW : v;
    mu[at + WINDOW] += p;
    total += p;
  }
  for (int i = 0; i < POINTS; i++)
    mu[i] /= total;
}

/* Samples inside [low1,high1] of run 1 are paired with those inside [low2,high2] of run 2; least
 * delta with these budgets. */
static double interval_delta(const double *mu1, const double *mu2, const int *one, const int *two,
                             double left_in, double left_out, double budget) {
  static double q[POINTS * POINTS];
  for (int v = 0; v < POINTS; v++)
    for (int u = 0; u < POINTS; u++) {
      bool a = one[0] <= v - WINDOW && v - WINDOW <= one[1];
      bool b = two[0] <= u - WINDOW && u - WINDOW <= two[1];
      q[v * POINTS + u] = a != b ? ORACLE_UNRELATED : a ? left_in : left_out;
    }
  return oracle_delta(mu1, POINTS, mu2, POINTS, q, budget);
}

struct noisy {
  struct terms terms;
  struct smt smt;
  struct kernel *k;
  term_id x;
};
static void noisy_init(struct noisy *n, sort_id sort) {
  terms_init(&n->terms);
  smt_init(&n->smt, &n->terms, NULL);
  n->k = kernel_new(&n->terms, &n->smt.decider);
  n->x = kernel_var(n->k, "x", sort, false);
}
static void noisy_clear(struct noisy *n) {
  kernel_free(n->k);
  smt_clear(&n->smt);
  terms_clear(&n->terms);
}
static const struct core *noisy_sample(struct noisy *n, enum dist_kind dist, term_id centre,
                                       term_id scale) {
  term_id args[] = {centre, scale};
  return core_sample(kernel_arena(n->k), span_none(), n->x, dist, args, 2);
}
/* Is the precondition met with this budget, looking at samples in the window? */
static bool met(struct noisy *n, proof_of j, term_id budget) {
  struct terms *ts = &n->terms;
  term_id from = kernel_budget(n->k);
  struct evaluator ev;
  eval_init(&ev, ts);
  ev.low = -WINDOW;
  ev.high = WINDOW;
  int truth =
      eval_truth(&ev, term_subst(ts, kernel_strip(n->k, judgement_pre(j)), &from, &budget, 1));
  eval_clear(&ev);
  return truth != 0;
}

static term_id both_or_none(struct noisy *n, const int *one, const int *two, int left_in,
                            int left_out) {
  struct terms *ts = &n->terms;
  term_id x1 = term_var_in_run(ts, n->x, 1), x2 = term_var_in_run(ts, n->x, 2);
  term_id a =
      term_and(ts, term_le(ts, term_int(ts, one[0]), x1), term_le(ts, x1, term_int(ts, one[1])));
  term_id b =
      term_and(ts, term_le(ts, term_int(ts, two[0]), x2), term_le(ts, x2, term_int(ts, two[1])));
  term_id left = term_ite(ts, a, term_rat(ts, left_in, 8), term_rat(ts, left_out, 8));
  return term_and(ts, term_iff(ts, a, b), term_le(ts, left, kernel_budget(n->k)));
}

/* Upwards to a multiple of 1/4096, for costs that are stated as rationals. */
static long ceiling(double x) {
  return (long)ceil(x * 4096 - 1e-9);
}

/* SUBSET and LAPINT in both directions: accepted at the stated cost, and the oracle agrees; with
 * 0.9 of the cost the rule refuses, and where it is tight the oracle says so. */
static void intervals_of_noise(void **state) {
  (void)state;
  struct rng rng = rng_seeded(31);
  size_t tight[3] = {0}, refused[3] = {0};
  for (size_t round = 0; round < test_rounds(150); round++) {
    struct noisy n;
    noisy_init(&n, SORT_INT);
    struct terms *ts = &n.terms;
    int kind = (int)(round % 3); /* SUBSET; LAPINT with run 1 outside; inside */
    int k = rng_range(&rng, 0, 1), e1 = rng_range(&rng, -1, 1), e2 = e1 + rng_range(&rng, -k, k);
    int r = rng_range(&rng, -3, 1), s = r + rng_range(&rng, 0, 3);
    int p = r - k - rng_range(&rng, 0, 1), q = s + k + rng_range(&rng, 0, 1);
    int halves = rng_range(&rng, 1, 4), in = rng_range(&rng, 0, 4), out = rng_range(&rng, 0, 4);
    double b = halves / 2.0, mu1[POINTS], mu2[POINTS], inside = 0, outside = 0;
    enum dist_kind dist = kind || rng_chance(&rng, 1, 2) ? DIST_DISCRETE_LAPLACE : DIST_GEOMETRIC;
    const int outer[] = {p, q}, inner[] = {r, s};
    const int *one = kind == 2 ? inner : outer, *two = kind == 2 ? outer : inner;
    noise(dist, e1, b, mu1);
    noise(dist, e2, b, mu2);
    double eta = (q - p) - (s - r), m1 = 0, m2 = 0;
    for (int v = -WINDOW; v <= WINDOW; v++) {
      if (one[0] <= v && v <= one[1]) m1 += mu1[v + WINDOW];
      if (two[0] <= v && v <= two[1]) m2 += mu2[v + WINDOW];
    }
    if (m2 <= 1e-9 || m2 >= 1 - 1e-9) {
      noisy_clear(&n);
      continue;
    }
    if (kind == 0) {
      inside = fmax(0, log(m1 / m2));
      outside = m1 < 1 - 1e-9 ? fmax(0, log((1 - m1) / (1 - m2))) : 0;
    } else if (kind == 1) {
      inside = eta / b - log(1 - exp(-((s - r) + 2) / (2 * b)));
    } else {
      outside = eta / b;
    }
    const struct core *c1 = noisy_sample(&n, dist, term_int(ts, e1), term_rat(ts, halves, 2));
    const struct core *c2 = noisy_sample(&n, dist, term_int(ts, e2), term_rat(ts, halves, 2));
    term_id post = both_or_none(&n, one, two, in, out);
    for (int cut = 0; cut <= 1; cut++) {
      double share = cut ? 0.9 : 1;
      term_id c = term_rat(ts, ceiling(share * inside), 4096);
      term_id d = term_rat(ts, ceiling(share * outside), 4096);
      term_id ends[2][2] = {{term_int(ts, p), term_int(ts, q)}, {term_int(ts, r), term_int(ts, s)}};
      struct subset_coupling sets = {.inside = c, .outside = d};
      struct interval_coupling how = {ends[0][0],
                                      ends[0][1],
                                      ends[1][0],
                                      ends[1][1],
                                      kind == 2,
                                      term_int(ts, k),
                                      term_rat(ts, (long)eta, 1),
                                      term_int(ts, s - r + 2),
                                      kind == 2 ? d : c};
      for (int i = 0; i < 2; i++) {
        bool has_outer = (kind == 2) == (i == 1);
        sets.sets[i] = (struct sample_set){ends[!has_outer][0], ends[!has_outer][1], TERM_NONE};
      }
      proof_of j = kind ? rule_sample_interval(n.k, c1, c2, &how, post)
                        : rule_sample_subset(n.k, c1, c2, &sets, post);
      assert_non_null(j);
      double budget = fmax((double)ceiling(share * inside) / 4096 + in / 8.0,
                           (double)ceiling(share * outside) / 4096 + out / 8.0);
      long units = ceiling(budget);
      bool accepted = met(&n, j, term_rat(ts, units, 4096));
      double delta = interval_delta(mu1, mu2, one, two, in / 8.0, out / 8.0, units / 4096.0);
      if (!cut) {
        assert_true(accepted);
        assert_true(delta < 1e-6);
      } else if (inside + outside > 0.1) {
        assert_false(accepted);
        refused[kind]++;
        if (delta > 1e-5) tight[kind]++;
      }
    }
    noisy_clear(&n);
  }
  for (int kind = 0; kind < 3; kind++) {
    print_message("kind %d: %zu refused, %zu of them wrong\n", kind, refused[kind], tight[kind]);
    assert_often(refused[kind] > 10);
    assert_often(tight[kind] > 0);
  }
}

/* ---- scaling -------------------------------------------------------------------------------- */

enum { CELLS = 26 };

/* Probability that noise lies in (0,x], all of it on the positive side. */
static double upto(enum dist_kind dist, double l, double b, double x) {
  if (dist == DIST_UNIFORM) return fmin(fmax((x - l) / (b - l), 0), 1);
  return 1 - exp(-x / b); /* Exp; Lap by symmetry */
}

/* Cell i is (e^(-g(i+1)), e^(-gi)] for i from -CELLS/2, the last one reaches down to 0, the first
 * one up to infinity. Run 2's sample is e^(-mg) times run 1's: cell i goes to i + m. */
static double scaled_delta(enum dist_kind dist, double l, double b, double g, int m, double left,
                           double budget) {
  double mu[CELLS];
  static double q[CELLS * CELLS];
  for (int i = 0; i < CELLS; i++) {
    double high = i ? upto(dist, l, b, exp(-g * (i - CELLS / 2))) : 1;
    double low = i + 1 < CELLS ? upto(dist, l, b, exp(-g * (i + 1 - CELLS / 2))) : 0;
    mu[i] = high - low;
    for (int j = 0; j < CELLS; j++) {
      bool follows = i + 1 == CELLS ? j == i
                     : i == 0       ? j <= m
                                    : j == (i + m < CELLS ? i + m : CELLS - 1);
      q[i * CELLS + j] = follows ? left : ORACLE_UNRELATED;
    }
  }
  return oracle_delta(mu, CELLS, mu, CELLS, q, budget);
}

static void scalings(void **state) {
  (void)state;
  struct rng rng = rng_seeded(37);
  size_t tight = 0, lost = 0;
  for (size_t round = 0; round < test_rounds(600); round++) {
    double g = rng_range(&rng, 1, 3) / 4.0, left = rng_range(&rng, 0, 2) / 4.0;
    int m = rng_range(&rng, 1, 3);
    double s = g * m, b = rng_range(&rng, 1, 8) / 2.0;
    enum dist_kind dist = rng_chance(&rng, 1, 2) ? DIST_EXPONENTIAL : DIST_UNIFORM;
    double l = dist == DIST_UNIFORM && rng_chance(&rng, 1, 2) ? exp(-g * rng_range(&rng, 2, 8)) : 0;
    if (dist == DIST_UNIFORM) b = 1;
    double delta = dist == DIST_UNIFORM ? fmin(1, l * (exp(s) - 1) / (b - l)) : 0;
    assert_true(scaled_delta(dist, l, b, g, m, left, s + left) <= delta + 1e-7);
    if (scaled_delta(dist, l, b, g, m, left, 0.9 * s + left) > delta + 1e-4) tight++;
    if (delta > 0 && scaled_delta(dist, l, b, g, m, left, s + left) > 0.9 * delta) lost++;
  }
  assert_often(tight > 50);
  assert_often(lost > 50);
}

/* What the rule asks for is what the oracle above has confirmed. */
static void scaling_rule(void **state) {
  (void)state;
  struct noisy n;
  noisy_init(&n, SORT_REAL);
  struct terms *ts = &n.terms;
  term_id x1 = term_var_in_run(ts, n.x, 1), x2 = term_var_in_run(ts, n.x, 2);
  term_id zero = term_int(ts, 0), budget = kernel_budget(n.k);
  for (int quarters = 0; quarters <= 4; quarters += 2)
    for (int family = 0; family < 4; family++) {
      static const enum dist_kind kinds[] = {DIST_UNIFORM, DIST_LAPLACE, DIST_EXPONENTIAL,
                                             DIST_UNIFORM};
      term_id s = term_rat(ts, quarters, 4), low = family == 3 ? term_int(ts, 1) : zero;
      const struct core *c = noisy_sample(&n, kinds[family], low, term_int(ts, 4));
      term_id post = term_and(ts, term_eq(ts, x2, term_mul(ts, term_exp(ts, term_neg(ts, s)), x1)),
                              term_le(ts, term_int(ts, 1), budget));
      term_id rich = term_le(ts, term_add(ts, s, term_int(ts, 1)), budget);
      term_id poor =
          term_le(ts, term_add(ts, term_mul(ts, term_rat(ts, 9, 10), s), term_int(ts, 1)), budget);
      double lost = family == 3 ? (exp(quarters / 4.0) - 1) / 3 : 0;
      term_id delta = term_rat(ts, ceiling(lost), 4096);
      proof_of j = rule_sample_scale(n.k, c, c, s, delta, post);
      assert_non_null(rule_conseq(n.k, span_none(), rich, post, delta, j));
      if (quarters == 0) continue;
      assert_null(rule_conseq(n.k, span_none(), poor, post, delta, j));
      if (family != 3) continue;
      delta = term_rat(ts, ceiling(0.9 * lost), 4096);
      j = rule_sample_scale(n.k, c, c, s, delta, post);
      assert_null(rule_conseq(n.k, span_none(), rich, post, delta, j));
    }
  noisy_clear(&n);
}

/* ---- events --------------------------------------------------------------------------------- */

COUNTS(pointwise, seen.tight > 5 && seen.wrong > 5)
TEST(pointwise, 100) {
  struct terms *ts = &w->terms;
  const struct core *c1 = finite_command(w, 2, 3), *c2 = finite_command(w, 2, 3);
  bool free = rng_chance(&w->rng, 1, 2);
  term_id i = w->index, zero = term_int(ts, 0), two = term_int(ts, 2);
  term_id some = term_rat(ts, rng_range(&w->rng, 1, 3), 8);
  term_id in = term_and(ts, term_le(ts, zero, i), term_le(ts, i, two));
  term_id d = free ? w->k->zero : term_ite(ts, in, some, w->k->zero);
  /* PW-MIX: what else is known depends on the value */
  term_id rest = random_assertion(w, 60);
  if (rng_chance(&w->rng, 1, 2))
    rest = term_ite(ts, term_eq(ts, i, zero), rest, random_assertion(w, 60));
  term_id goal = term_implies(ts, term_eq(ts, w->digits[1], i),
                              term_and(ts, term_eq(ts, w->digits[2], i), rest));
  struct finite_table pre = {0}; /* good for every value */
  term_id own = w->k->yes;       /* good for the value i */
  for (int value = 0; value <= 2; value++) {
    w->index_value = value;
    struct finite_table post = finite_read(w, goal);
    struct finite_table one = finite_wp(w, c1, c2, &post, number(w, d));
    term_id here = finite_formula(w, &one);
    own = value ? term_ite(ts, term_eq(ts, i, term_int(ts, value)), here, own) : here;
    for (int s = 0; s < FINITE_PAIRS; s++) {
      int *at = &pre.at[s / FINITE_STATES][s % FINITE_STATES];
      if (one.at[s / FINITE_STATES][s % FINITE_STATES] > *at)
        *at = one.at[s / FINITE_STATES][s % FINITE_STATES];
    }
  }
  bool each = rng_chance(&w->rng, 1, 2);
  proof_of premise = finite_assume(w, c1, c2, each ? own : finite_formula(w, &pre), goal, d);
  struct pointwise_sum sum = {zero, two, term_mul(ts, some, term_add(ts, i, term_int(ts, 1)))};
  proof_of j = rule_pointwise(w->k, span_none(), w->digit, i, rest, &sum, premise);
  assert_non_null(j);
  assert_false(term_mentions(ts, judgement_pre(j), &i, 1));
  seen.applied++;
  assert_true(finite_sound(w, j, 0, 0, &seen.tight));
  if (each) would(w, c1, c2, own, judgement_post(j), judgement_delta(j)); /* one value for all */
  if (free) return;
  assert_null(rule_pointwise(w->k, span_none(), w->digit, i, rest, NULL, premise));
  struct pointwise_sum once = {zero, two, some};
  assert_null(rule_pointwise(w->k, span_none(), w->digit, i, rest, &once, premise));
  would(w, c1, c2, judgement_pre(j), judgement_post(j), some);
}

COUNTS(up_to_bad, seen.tight > 5 && seen.wrong > 5)
TEST(up_to_bad, 250) {
  struct terms *ts = &w->terms;
  unsigned run = (unsigned)rng_range(&w->rng, 1, 2);
  const struct core *c1 = finite_command(w, 2, 3), *c2 = finite_command(w, 2, 3);
  term_id event = condition_in(w, run), post = random_assertion(w, 30), d = delta_term(w);
  bound_of bound = event_truth(w, run, run == 1 ? c1 : c2, w->k->yes, event);
  proof_of premise = truth(w, c1, c2, term_implies(ts, event, post), d);
  int limit = rng_range(&w->rng, 1, 10);
  term_id most = term_rat(ts, limit, FINITE_STEP);
  proof_of j = rule_upto(w->k, span_none(), bound, most, post, premise);
  assert_non_null(j);
  seen.applied++;
  /* in run 2 the budget is bounded: the precondition is not upward closed, so take it apart */
  struct finite_table pre = finite_read(w, judgement_pre(premise)), after = finite_read(w, post);
  for (int s = 0; s < FINITE_PAIRS; s++)
    if (run == 2 && pre.at[s / FINITE_STATES][s % FINITE_STATES] > limit)
      pre.at[s / FINITE_STATES][s % FINITE_STATES] = FINITE_NEVER;
  double total = number(w, judgement_delta(j)), beta = number(w, ahl_beta(bound));
  double factor = run == 1 ? 1 : exp((double)limit / FINITE_STEP);
  assert_true(fabs(total - number(w, d) - factor * beta) < 1e-9);
  assert_true(finite_valid(w, c1, c2, &pre, &after, total, &seen.tight));
  double less =
      run == 1 ? number(w, d) : number(w, d) + beta; /* the bad event for free; without e^p */
  if (!finite_valid(w, c1, c2, &pre, &after, less, NULL)) seen.wrong++;
}

COUNTS(adversaries, seen.tight > 3 && seen.wrong > 5)
TEST(adversaries, 400) {
  struct terms *ts = &w->terms;
  term_id argument = finite_condition(w);
  const struct core *c = core_adversary(w->arena, span_none(), "A", w->digit, w->bit, &argument, 1);
  conclude(w, rule_adversary(w->k, c, c, random_assertion(w, 80)));
  /* states and arguments that need not agree */
  term_id same = term_eq(ts, w->bits[1], w->bits[2]);
  would(w, c, c, term_eq(ts, w->digits[1], w->digits[2]), same, w->k->zero);
}

/* ---- equivalent programs -------------------------------------------------------------------- */

COUNTS(blocks, seen.tight > 5 && seen.wrong > 5)
TEST(blocks, 60) {
  struct terms *ts = &w->terms;
  unsigned run = (unsigned)rng_range(&w->rng, 1, 2);
  const struct core *body = finite_command(w, 1, 3), *other = finite_command(w, 1, 3);
  const struct core *loop = core_while(w->arena, span_none(), finite_condition(w), body);
  term_id post = random_assertion(w, 40), p = finite_condition(w);
  const struct core *more = core_while(w->arena, span_none(), term_and(ts, loop->expr, p), body);
  const struct core *in_blocks =
      core_while(w->arena, span_none(), loop->expr, core_seq(w->arena, body, more));
  conclude(w, rule_equiv_block(w->k, run, loop, p, about(w, run, in_blocks, other, post)));
  const struct core *unguarded =
      core_while(w->arena, span_none(), loop->expr,
                 core_seq(w->arena, body, core_while(w->arena, span_none(), p, body)));
  if (term_and(ts, loop->expr, p) != p)
    assert_null(rule_equiv_block(w->k, run, loop, p, about(w, run, unguarded, other, post)));
  if (!same_program(w, unguarded, loop)) seen.wrong++;
}

/* A precondition that does not depend on the bit of the run, said without it. */
static term_id without_bit(struct finite *w, unsigned run, term_id pre) {
  struct terms *ts = &w->terms;
  struct finite_table table = finite_read(w, pre);
  term_id any = term_bool(ts, false);
  for (int digit = 0; digit < 3; digit++)
    for (int t = 0; t < FINITE_STATES; t++) {
      int least = run == 1 ? table.at[2 * digit][t] : table.at[t][2 * digit];
      if (least >= FINITE_NEVER) continue;
      term_id parts[] = {term_eq(ts, w->digits[run], term_int(ts, digit)),
                         term_eq(ts, w->digits[3 - run], term_int(ts, t / 2)),
                         term_eq(ts, w->bits[3 - run], term_bool(ts, t % 2)),
                         term_le(ts, term_rat(ts, least, FINITE_STEP), w->k->budget)};
      any = term_or(ts, any, term_and_all(ts, parts, 4));
    }
  return any;
}

/* Commands and conditions that know nothing of the bit. */
static const struct core *digit_command(struct finite *w) {
  struct terms *ts = &w->terms;
  term_id by = term_int(ts, rng_range(&w->rng, 0, 2));
  term_id ends[] = {term_int(ts, 0), term_int(ts, rng_range(&w->rng, 1, 2))};
  if (rng_chance(&w->rng, 1, 2)) return sample(w, w->digit, DIST_UNIFORM_INT, ends, 2);
  return core_assign(w->arena, span_none(), w->digit,
                     term_mod(ts, term_add(ts, w->digit, by), term_int(ts, 3)));
}
static term_id digit_condition(struct finite *w) {
  term_id number = term_int(&w->terms, rng_range(&w->rng, 0, 2));
  return rng_chance(&w->rng, 1, 2) ? term_eq(&w->terms, w->digit, number)
                                   : term_lt(&w->terms, w->digit, number);
}

/* Flags of flat loops are added to contexts whose facts may speak of parameters of any name. */
static void sealed_contexts_get_no_names_of_the_language(void **state) {
  (void)state;
  struct finite w;
  finite_init(&w, 1);
  w.k->sealed = true;
  assert_true(kernel_var(w.k, "busy", SORT_BOOL, false) == TERM_NONE);
  assert_true(kernel_var(w.k, "busy@", SORT_BOOL, false) != TERM_NONE);
  finite_clear(&w);
}

/* The bit is the flag of a loop about the digit. */
COUNTS(flat_loops, seen.tight > 5 && seen.wrong > 5)
TEST(flat_loops, 80) {
  struct terms *ts = &w->terms;
  unsigned run = (unsigned)rng_range(&w->rng, 1, 2);
  const struct core *before = rng_chance(&w->rng, 2, 3) ? digit_command(w) : core_skip(),
                    *after = rng_chance(&w->rng, 2, 3) ? digit_command(w) : core_skip(),
                    *body = digit_command(w), *other = finite_command(w, 1, 3);
  const struct core *inner = core_while(w->arena, span_none(), digit_condition(w), body);
  const struct core *loop =
      core_while(w->arena, span_none(), digit_condition(w),
                 core_seq(w->arena, before, core_seq(w->arena, inner, after)));
  term_id mine = w->digits[run], theirs = w->digits[3 - run];
  term_id post = term_and(ts, term_le(ts, mine, theirs),
                          term_le(ts, term_mul(ts, term_rat(ts, 1, 4), theirs), w->k->budget));
  const struct core *flat = equiv_flat(w->k, loop, w->bit);
  proof_of weakest = about(w, run, flat, other, post);
  term_id pre = without_bit(w, run, judgement_pre(weakest));
  const struct core *left = judgement_left(weakest), *right = judgement_right(weakest);
  proof_of premise = finite_assume(w, left, right, pre, post, w->k->zero);
  conclude(w, rule_equiv_flatten(w->k, run, loop, w->bit, premise));
  /* about the flag, before or after: refused */
  term_id flag = w->bits[run], flagged = term_and(ts, pre, flag);
  if (flagged != pre)
    assert_null(rule_equiv_flatten(w->k, run, loop, w->bit,
                                   finite_assume(w, left, right, flagged, post, w->k->zero)));
  flagged = term_or(ts, post, flag);
  assert_null(rule_equiv_flatten(w->k, run, loop, w->bit,
                                 finite_assume(w, left, right, pre, flagged, w->k->zero)));
  assert_null(rule_equiv_flatten(w->k, run, loop, w->digit, premise));
  /* without setting the flag back: another program */
  const struct core *start = flat->first, *again = flat->second;
  const struct core *step = again->first->kind == CORE_SEQ ? again->first->second : again->first;
  if (step->kind != CORE_IF || again->first->kind != CORE_SEQ) return;
  const struct core *stays = core_if(w->arena, span_none(), step->expr, step->first, after);
  const struct core *wrong = core_seq(w->arena, start,
                                      core_while(w->arena, span_none(), again->expr,
                                                 core_seq(w->arena, again->first->first, stays)));
  assert_null(rule_equiv_flatten(w->k, run, loop, w->bit, about(w, run, wrong, other, post)));
  if (!same_program(w, wrong, loop)) seen.wrong++;
}

COUNTS(dead_code, seen.tight > 5 && seen.wrong > 20)
TEST(dead_code, 150) {
  struct terms *ts = &w->terms;
  unsigned run = (unsigned)rng_range(&w->rng, 1, 2);
  term_id half = term_rat(ts, 1, 2);
  /* a program and a postcondition that know nothing of the bit of this run */
  const struct core *dead = sample(w, w->bit, DIST_BERNOULLI, &half, 1);
  term_id next = term_mod(ts, term_add(ts, w->digit, term_int(ts, 1)), term_int(ts, 3));
  term_id ends[] = {term_int(ts, 0), term_int(ts, rng_range(&w->rng, 1, 2))};
  const struct core *c = rng_chance(&w->rng, 1, 2)
                             ? core_assign(w->arena, span_none(), w->digit, next)
                             : sample(w, w->digit, DIST_UNIFORM_INT, ends, 2);
  const struct core *other = finite_command(w, 1, 3);
  term_id mine = w->digits[run], theirs = w->digits[3 - run];
  term_id post = term_and(ts, term_le(ts, mine, theirs),
                          term_le(ts, term_mul(ts, term_rat(ts, 1, 4), theirs), w->k->budget));
  proof_of weakest = about(w, run, c, other, post);
  term_id any = without_bit(w, run, judgement_pre(weakest));
  proof_of premise =
      finite_assume(w, judgement_left(weakest), judgement_right(weakest), any, post, w->k->zero);
  conclude(w, rule_equiv_dead(w->k, run, dead, NULL, premise));
  /* the precondition may speak of it: that is before */
  term_id own = rng_chance(&w->rng, 1, 2) ? w->bits[run] : term_not(ts, w->bits[run]);
  conclude(w, rule_equiv_dead(w->k, run, dead, NULL,
                              finite_assume(w, judgement_left(weakest), judgement_right(weakest),
                                            term_and(ts, any, own), post, w->k->zero)));
  /* something that is used: refused, and another program */
  const struct core *live = core_assign(w->arena, span_none(), w->digit, term_int(ts, 1));
  assert_null(rule_equiv_dead(w->k, run, live, NULL, premise));
  const struct core *longer = core_seq(w->arena, live, c);
  would(w, run == 1 ? longer : other, run == 1 ? other : longer, any, post, w->k->zero);
}

/* ---- composition ---------------------------------------------------------------------------- */

/* The worst (eps,delta)-private answer: lost with delta, else randomized response. */
static void response(double eps, double delta, bool second, double *mu) {
  double p = (1 - delta) * exp(eps) / (1 + exp(eps)), q = (1 - delta) / (1 + exp(eps));
  mu[0] = second ? 0 : delta;
  mu[1] = second ? q : p;
  mu[2] = second ? p : q;
  mu[3] = second ? delta : 0;
}

static void optimal_totals(void **state) {
  (void)state;
  struct rng rng = rng_seeded(41);
  struct noisy n;
  noisy_init(&n, SORT_INT);
  struct terms *ts = &n.terms;
  for (size_t round = 0; round < test_rounds(150); round++) {
    int parts = rng_range(&rng, 1, 3), points = 1;
    bool equal = rng_chance(&rng, 1, 2);
    double mu1[64] = {1}, mu2[64] = {1}, q[64 * 64];
    term_id count = kernel_fresh(n.k, "m", SORT_INT), eps = TERM_NONE, delta = TERM_NONE;
    for (int i = parts - 1; i >= 0; i--) {
      static int e, d;
      if (!equal || i == parts - 1) e = rng_range(&rng, 1, 12), d = rng_range(&rng, 0, 2);
      double a[4], b[4], next1[64], next2[64];
      response(e / 8.0, d / 16.0, false, a);
      response(e / 8.0, d / 16.0, true, b);
      for (int v = 0; v < points; v++)
        for (int x = 0; x < 4; x++) {
          next1[4 * v + x] = mu1[v] * a[x];
          next2[4 * v + x] = mu2[v] * b[x];
        }
      points *= 4;
      for (int v = 0; v < points; v++)
        mu1[v] = next1[v], mu2[v] = next2[v];
      term_id here = term_eq(ts, count, term_int(ts, i));
      term_id te = term_rat(ts, e, 8), td = term_rat(ts, d, 16);
      eps = eps == TERM_NONE || equal ? te : term_ite(ts, here, te, eps);
      delta = delta == TERM_NONE || equal ? td : term_ite(ts, here, td, delta);
    }
    for (int v = 0; v < points; v++)
      for (int u = 0; u < points; u++)
        q[v * points + u] = u == v ? 0 : ORACLE_UNRELATED;
    int total = rng_range(&rng, 0, 16);
    if (equal && rng_chance(&rng, 1, 2)) /* a corner, where summands are left out */
      total = 0;
    struct advanced how = {.most = term_int(ts, parts),
                           .count = count,
                           .epsilon = eps,
                           .delta = delta,
                           .total =
                               equal && total == 0 && parts == 3 ? eps : term_rat(ts, total, 8)};
    double budget = constant(ts, how.total);
    double exact = oracle_delta(mu1, (size_t)points, mu2, (size_t)points, q, budget);
    assert_true(fabs(constant(ts, advanced_optimal(n.k, &how)) - exact) < 1e-6);
    /* AC-WHILE with deltas */
    if (!equal) continue;
    how.total = TERM_NONE;
    how.omega = term_rat(ts, 1, 20);
    double eps_star = constant(ts, advanced_total(n.k, &how));
    double bound = parts * constant(ts, delta) + 0.05;
    assert_true(oracle_delta(mu1, (size_t)points, mu2, (size_t)points, q, eps_star) <=
                bound + 1e-7);
  }
  noisy_clear(&n);
}

/* The largest relation that the bodies keep at (eps, d), in both directions or forwards only. */
static struct finite_table kept(struct finite *w, const struct core *c1, const struct core *c2,
                                double eps, double d, bool backwards) {
  struct finite_table theta;
  for (int s = 0; s < FINITE_STATES; s++)
    for (int t = 0; t < FINITE_STATES; t++)
      theta.at[s][t] = s / 2 != t / 2              ? FINITE_NEVER
                       : s == t                    ? 0
                       : rng_chance(&w->rng, 1, 3) ? 0
                                                   : FINITE_NEVER;
  for (bool changed = true; changed;) {
    changed = false;
    struct finite_table swapped;
    for (int s = 0; s < FINITE_STATES; s++)
      for (int t = 0; t < FINITE_STATES; t++)
        swapped.at[s][t] = theta.at[t][s];
    for (int s = 0; s < 4; s++) /* the digit is below 2 */
      for (int t = 0; t < 4; t++) {
        if (theta.at[s][t] == FINITE_NEVER) continue;
        bool holds = finite_delta(w, c1->first, c2->first, s, t, eps, &theta) <= d + 1e-9;
        if (backwards)
          holds &= finite_delta(w, c2->first, c1->first, t, s, eps, &swapped) <= d + 1e-9;
        if (!holds) {
          theta.at[s][t] = FINITE_NEVER;
          changed = true;
        }
      }
  }
  return theta;
}

static const struct core *twice(struct finite *w) {
  struct terms *ts = &w->terms;
  term_id p = term_ite(ts, w->bit, term_rat(ts, rng_range(&w->rng, 1, 16), 16),
                       term_rat(ts, rng_range(&w->rng, 1, 16), 16));
  term_id next = term_min(ts, term_add(ts, w->digit, term_int(ts, 1)), term_int(ts, 2));
  const struct core *body = core_seq(w->arena, sample(w, w->bit, DIST_BERNOULLI, &p, 1),
                                     core_assign(w->arena, span_none(), w->digit, next));
  return core_while(w->arena, span_none(), term_lt(ts, w->digit, term_int(ts, 2)), body);
}

COUNTS(composed_loops, seen.wrong > 0)
TEST(composed_loops, 60) {
  struct terms *ts = &w->terms;
  const struct core *c1 = twice(w), *c2 = twice(w);
  int e = rng_range(&w->rng, 1, 6), d = rng_range(&w->rng, 0, 1), corner = rng_range(&w->rng, 0, 1);
  double eps = e / 8.0, delta = d / 32.0;
  struct finite_table theta = kept(w, c1, c2, eps, delta, true);
  struct advanced how = {.relation = finite_formula(w, &theta),
                         .hits = w->digit,
                         .count = w->index,
                         .most = term_int(ts, 2),
                         .epsilon = term_rat(ts, e, 8),
                         .delta = term_rat(ts, d, 32),
                         .total = term_rat(ts, corner * e, 8)};
  how.omega = up_to_grid(w, constant(ts, advanced_optimal(w->k, &how)));
  struct advanced_goal f = advanced_goal(w->k, c1, c2, &how, false);
  struct advanced_goal b = advanced_goal(w->k, c1, c2, &how, true);
  proof_of forward = finite_assume(w, c1->first, c2->first, f.pre, f.post, how.delta);
  proof_of backward = finite_assume(w, c2->first, c1->first, b.pre, b.post, how.delta);
  assert_true(finite_sound(w, forward, 0, 2, NULL) && finite_sound(w, backward, 0, 2, NULL));
  proof_of j = rule_advanced(w->k, c1, c2, &how, forward, backward);
  conclude(w, j);
  /* in one direction only it is not even refused by luck: the premise would be another one */
  assert_null(rule_advanced(w->k, c1, c2, &how, forward, forward));
  struct finite_table loose = kept(w, c1, c2, eps, delta, false);
  term_id start[] = {finite_formula(w, &loose),
                     term_eq(ts, kernel_tag(w->k, c1->expr, 1), kernel_tag(w->k, c2->expr, 2)),
                     term_le(ts, how.total, w->k->budget)};
  would(w, c1, c2, term_and_all(ts, start, 3), start[0], how.omega);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(equal_samples),
                                     cmocka_unit_test(one_sided_samples),
                                     cmocka_unit_test(bijections),
                                     cmocka_unit_test(paired_bits),
                                     cmocka_unit_test(subsets),
                                     cmocka_unit_test(distribution_functions),
                                     cmocka_unit_test(intervals_of_noise),
                                     cmocka_unit_test(scalings),
                                     cmocka_unit_test(scaling_rule),
                                     cmocka_unit_test(pointwise),
                                     cmocka_unit_test(up_to_bad),
                                     cmocka_unit_test(adversaries),
                                     cmocka_unit_test(blocks),
                                     cmocka_unit_test(flat_loops),
                                     cmocka_unit_test(sealed_contexts_get_no_names_of_the_language),
                                     cmocka_unit_test(dead_code),
                                     cmocka_unit_test(optimal_totals),
                                     cmocka_unit_test(composed_loops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
