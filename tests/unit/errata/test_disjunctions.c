/* Erratum 11: l rounds of `insample < x or insample < y`, one of `insample >= x and insample >= y`,
 * m rounds of `insample >= x`, all noise alike. No shift coupling exists, but the loss is at most
 * 30 d eps for every eps, l and m (docs/disjunctions.md). The inequalities of the proof are checked
 * at random points, the conclusion at random inputs: with balls for few rounds, on a grid for many.
 */
#include <math.h>

#include "check/counterexample/probability.h"
#include "num/arb_compat.h"
#include "num/real/ball.h"
#include "testlib.h"

enum { BITS = 400 };

static double uniform(struct rng *rng) {
  return ((double)(rng_next(rng) >> 11) + 0.5) / 9007199254740992.0;
}
static double between(struct rng *rng, double low, double high) {
  return low + (high - low) * uniform(rng);
}
static double log_between(struct rng *rng, double low, double high) {
  return exp(between(rng, log(low), log(high)));
}

/* ---- the proof, point by point ----------------------------------------------------------------
 */

enum { GROUPS = 4 };

/* Inputs in units of the noise: a of the first loop, b of the round between, c of the last loop;
 * each group of equal inputs stands for some number of rounds. */
struct inputs {
  double a[GROUPS], b, c[GROUPS];
  ulong first[GROUPS], last[GROUPS];
};

static struct inputs random_inputs(struct rng *rng) {
  struct inputs in;
  double spread = log_between(rng, 0.1, 50), middle = between(rng, -spread, spread);
  in.b = middle + between(rng, -spread, spread);
  for (int i = 0; i < GROUPS; i++) {
    in.a[i] = middle + between(rng, -spread, spread);
    in.c[i] = middle + between(rng, -spread, spread);
    in.first[i] = i > 0 && rng_chance(rng, 1, 2) ? 0 : (ulong)log_between(rng, 1, 1e5);
    in.last[i] = i > 0 && rng_chance(rng, 1, 2) ? 0 : (ulong)log_between(rng, 1, 1e5);
  }
  return in;
}

/* tail = Pr[noise >= t], hazard = density / tail. */
static void set_tail(arb_t tail, arb_t hazard, const arb_t t) {
  arb_t e;
  arb_init(e);
  arb_abs(e, t);
  arb_neg(e, e);
  arb_exp(e, e, BITS);
  arb_mul_2exp_si(e, e, -1);
  if (arb_is_nonnegative(t)) {
    arb_set(tail, e);
    arb_one(hazard);
  } else {
    arb_sub_ui(tail, e, 1, BITS);
    arb_neg(tail, tail);
    arb_div(hazard, e, tail, BITS);
  }
  arb_clear(e);
}

static void tail_at(arb_t tail, arb_t hazard, const arb_t x, double input, double moved) {
  arb_t t, s;
  arb_init(t);
  arb_init(s);
  arb_set_d(t, input);
  arb_set_d(s, moved);
  arb_add(t, t, s, BITS);
  arb_sub(t, x, t, BITS);
  set_tail(tail, hazard, t);
  arb_clear(t);
  arb_clear(s);
}

/* The factors of w(x, y), as logarithms, and the speeds at which the loops lose. */
struct weight {
  arb_t rest; /* the densities (without their factors 1/2), and the round between */
  arb_t phi, lambda;
  arb_t r1, r2;
};

static void weight_init(struct weight *w) {
  arb_init(w->rest), arb_init(w->phi), arb_init(w->lambda), arb_init(w->r1), arb_init(w->r2);
}
static void weight_clear(struct weight *w) {
  arb_clear(w->rest), arb_clear(w->phi), arb_clear(w->lambda), arb_clear(w->r1), arb_clear(w->r2);
}

/* When the first loop's inputs have moved up by t and the others down by t. */
static void weight_at(struct weight *w, const struct inputs *in, double t, const arb_t x,
                      const arb_t y) {
  arb_t tx, ty, hx, hy, u, v;
  arb_init(tx), arb_init(ty), arb_init(hx), arb_init(hy), arb_init(u), arb_init(v);
  arb_zero(w->phi), arb_zero(w->lambda), arb_zero(w->r1), arb_zero(w->r2);
  for (int i = 0; i < GROUPS; i++) {
    tail_at(tx, hx, x, in->a[i], t);
    tail_at(ty, hy, y, in->a[i], t);
    arb_mul(u, tx, ty, BITS);
    arb_sub_ui(v, u, 1, BITS);
    arb_neg(v, v); /* 1 - u */
    arb_div(u, u, v, BITS);
    arb_add(hx, hx, hy, BITS);
    arb_mul(u, u, hx, BITS);
    arb_addmul_ui(w->r1, u, in->first[i], BITS);
    arb_log(v, v, BITS);
    arb_addmul_ui(w->phi, v, in->first[i], BITS);
    tail_at(tx, hx, x, in->c[i], -t);
    arb_addmul_ui(w->r2, hx, in->last[i], BITS);
    arb_log(tx, tx, BITS);
    arb_addmul_ui(w->lambda, tx, in->last[i], BITS);
  }
  tail_at(tx, hx, x, in->b, -t);
  tail_at(ty, hy, y, in->b, -t);
  arb_mul(w->rest, tx, ty, BITS);
  arb_log(w->rest, w->rest, BITS);
  arb_abs(u, x);
  arb_sub(w->rest, w->rest, u, BITS);
  arb_abs(u, y);
  arb_sub(w->rest, w->rest, u, BITS);
  arb_clear(tx), arb_clear(ty), arb_clear(hx), arb_clear(hy), arb_clear(u), arb_clear(v);
}

/* after - before >= bound, up to rounding: some of the inequalities are attained. */
static void assert_gain(const arb_t after, const arb_t before, const arb_t bound) {
  arb_t t, error;
  arb_init(t);
  arb_init(error);
  arb_sub(t, after, before, BITS);
  arb_sub(t, t, bound, BITS);
  arb_set_d(error, 1e-60);
  arb_add(t, t, error, BITS);
  assert_true(arb_is_positive(t));
  arb_clear(t);
  arb_clear(error);
}

/* x <= y: at (x - t, y + 3t) the loops gain, and the rest loses at most 8t. */
static void check_lower_half(const struct inputs *in, double low, double high, double t) {
  struct weight before, after;
  arb_t x, y, bound;
  weight_init(&before), weight_init(&after);
  arb_init(x), arb_init(y), arb_init(bound);
  arb_set_d(x, low);
  arb_set_d(y, high);
  weight_at(&before, in, 0, x, y);
  arb_set_d(bound, t);
  arb_sub(x, x, bound, BITS);
  arb_addmul_ui(y, bound, 3, BITS);
  weight_at(&after, in, t, x, y);
  arb_mul_si(bound, bound, -8, BITS);
  assert_gain(after.rest, before.rest, bound);
  arb_zero(bound);
  assert_gain(after.phi, before.phi, bound);
  assert_gain(after.lambda, before.lambda, bound);
  arb_clear(x), arb_clear(y), arb_clear(bound);
  weight_clear(&before), weight_clear(&after);
}

static void log_ratio(arb_t out, ulong num, ulong den) {
  arb_set_ui(out, num);
  arb_div_ui(out, out, den, BITS);
  arb_log(out, out, BITS);
}

/* x > y: at (y - ln(8/7), x + ln(32/21)) the loops gain factors 1 + r1/8 and 1 + r2/8, and at least
 * 3087/8192 of the rest remains. */
static void check_upper_half(const struct inputs *in, double high, double low) {
  struct weight before, after;
  arb_t x, y, bound;
  weight_init(&before), weight_init(&after);
  arb_init(x), arb_init(y), arb_init(bound);
  arb_set_d(x, high);
  arb_set_d(y, low);
  weight_at(&before, in, 0, x, y);
  arb_swap(x, y);
  log_ratio(bound, 8, 7);
  arb_sub(x, x, bound, BITS);
  log_ratio(bound, 32, 21);
  arb_add(y, y, bound, BITS);
  weight_at(&after, in, 0, x, y);
  log_ratio(bound, 3087, 8192);
  assert_gain(after.rest, before.rest, bound);
  arb_mul_2exp_si(bound, before.r1, -3);
  arb_log1p(bound, bound, BITS);
  assert_gain(after.phi, before.phi, bound);
  arb_mul_2exp_si(bound, before.r2, -3);
  arb_log1p(bound, bound, BITS);
  assert_gain(after.lambda, before.lambda, bound);
  arb_clear(x), arb_clear(y), arb_clear(bound);
  weight_clear(&before), weight_clear(&after);
}

static void the_two_maps(void **state) {
  (void)state;
  struct rng rng = rng_seeded(1101);
  for (size_t i = 0; i < test_rounds(3000); i++) {
    struct inputs in = random_inputs(&rng);
    double reach = log_between(&rng, 0.1, 100);
    double x = between(&rng, -reach, reach), y = between(&rng, -reach, reach);
    if (rng_chance(&rng, 1, 4)) y = x + between(&rng, -1e-3, 1e-3);
    check_lower_half(&in, fmin(x, y), fmax(x, y), log_between(&rng, 1e-3, 50));
    if (x != y) check_upper_half(&in, fmax(x, y), fmin(x, y));
  }
}

/* ---- the loss, in balls ------------------------------------------------------------------------
 */

static void two_loops(struct automaton *a) {
  automaton_init(a);
  a->independent = true;
  uint32_t x = automaton_var(a, "x", 1), y = automaton_var(a, "y", 1), both[2] = {x, y};
  uint32_t one = automaton_ratio(a, 1, 1), start = automaton_symbol(a, "start", 5);
  uint32_t first = automaton_symbol(a, "first", 5), between_ = automaton_symbol(a, "between", 7);
  uint32_t last = automaton_symbol(a, "last", 4);
  literal either[2] = {literal_less(x), literal_less(y)}, g = literal_greater(x);
  literal neither[2] = {literal_greater(x), literal_greater(y)};
  size_t sizes[2] = {1, 1};
  for (uint32_t s = 0; s < 3; s++) {
    automaton_state(a, NULL, 0, span_none());
    automaton_noise(a, s, s > 0, one, 0, AUTOMATON_NONE, AUTOMATON_NONE);
  }
  automaton_edge(a, (struct automaton_edge){0, 1, 0, automaton_set(a, both, 2), start},
                 span_none());
  automaton_edge(a,
                 (struct automaton_edge){1, 1, automaton_guard_dnf(a, either, sizes, 2), 0, first},
                 span_none());
  automaton_edge(a, (struct automaton_edge){1, 2, automaton_guard(a, neither, 2), 0, between_},
                 span_none());
  automaton_edge(a, (struct automaton_edge){2, 2, automaton_guard(a, &g, 1), 0, last}, span_none());
  a->start = 0;
  automaton_finish(a);
}

enum { ROUNDS_MAX = 12 };

/* ln Pr, all inputs moved by `moved` against the run. */
static void log_probability(arb_t out, const struct automaton *a, const fmpq_t eps, unsigned rounds,
                            const int *inputs, slong moved) {
  struct automaton_query query;
  struct probability p;
  automaton_query_init(&query, a, true);
  fmpq_set(query.eps, eps);
  automaton_query_push(&query, 0);
  for (unsigned i = 0; i < 2 * rounds + 1; i++) {
    struct automaton_step *step = automaton_query_push(&query, i < rounds    ? 1
                                                               : i == rounds ? 2
                                                                             : 3);
    fmpq_set_si(step->input, inputs[i], 4);
    fmpq_add_si(step->input, step->input, i < rounds ? moved : -moved);
  }
  probability_init(&p);
  automaton_probability(&p, &query, (struct ball_goal){.digits = 12});
  assert_int_equal(p.status, PROBABILITY_OK);
  arb_log(out, p.value, BITS);
  probability_clear(&p);
  automaton_query_clear(&query);
}

static void losses_in_balls(void **state) {
  (void)state;
  static const struct {
    slong num;
    ulong den;
  } epsilons[] = {{1, 1000}, {1, 10}, {1, 1}, {5, 1}, {50, 1}};
  struct rng rng = rng_seeded(1102);
  struct automaton a;
  arb_t before, after, bound;
  fmpq_t eps;
  double most = 0;
  arb_init(before), arb_init(after), arb_init(bound);
  fmpq_init(eps);
  two_loops(&a);
  for (size_t i = 0; i < test_rounds(40); i++) {
    int inputs[2 * ROUNDS_MAX + 1], values[3], spread = rng_range(&rng, 1, 40);
    unsigned rounds = 1 + (unsigned)rng_below(&rng, ROUNDS_MAX);
    fmpq_set_si(eps, epsilons[i % 5].num, epsilons[i % 5].den);
    for (int k = 0; k < 3; k++)
      values[k] = rng_range(&rng, -spread, spread);
    for (unsigned k = 0; k < 2 * rounds + 1; k++) /* one or two values per loop */
      inputs[k] = k < rounds   ? values[0]
                  : k > rounds ? values[1 + rng_below(&rng, 2)]
                               : rng_range(&rng, -spread, spread);
    log_probability(before, &a, eps, rounds, inputs, 0);
    log_probability(after, &a, eps, rounds, inputs, 1);
    arb_sub(before, before, after, BITS);
    arb_set_ui(bound, 30);
    arb_mul_fmpz(bound, bound, fmpq_numref(eps), BITS);
    arb_div_fmpz(bound, bound, fmpq_denref(eps), BITS);
    assert_true(arb_lt(before, bound));
    assert_true(arb_is_positive(before)); /* it is the direction in which it loses */
    double loss = arf_get_d(arb_midref(before), ARF_RND_NEAR) / fmpq_get_d(eps);
    most = fmax(most, loss);
  }
  print_message("loss at most %.2f d eps\n", most);
  assert_true(most > 3.5); /* a test that looks where something happens */
  automaton_clear(&a);
  arb_clear(before), arb_clear(after), arb_clear(bound);
  fmpq_clear(eps);
}

/* ---- the loss for many rounds, on a grid ------------------------------------------------------
 */

enum { GRID_MAX = 4096 };
struct grid {
  double at[GRID_MAX];
  int count;
};

static int compare_doubles(const void *p, const void *q) {
  double a = *(const double *)p, b = *(const double *)q;
  return a < b ? -1 : a > b;
}

static void grid_around(struct grid *g, double centre) {
  for (double t = -18; t <= 18 && g->count < GRID_MAX; t += 0.5)
    g->at[g->count++] = centre + t;
}

static void grid_finish(struct grid *g) {
  int kept = 1;
  qsort(g->at, (size_t)g->count, sizeof *g->at, compare_doubles);
  for (int i = 1; i < g->count; i++)
    if (g->at[i] - g->at[kept - 1] > 0.2) g->at[kept++] = g->at[i];
  g->count = kept;
}

static double log_tail(double t) {
  return t >= 0 ? -t - M_LN2 : log1p(-exp(t) / 2);
}

/* ln of the integral of the weight, by trapezoids: one group of inputs per loop. */
static double log_integral(const struct grid *g, double a, double b, double c, double rounds) {
  static double px[GRID_MAX], py[GRID_MAX], miss[GRID_MAX];
  double most = -INFINITY, sum = 0;
  for (int i = 0; i < g->count; i++) {
    double low = g->at[i > 0 ? i - 1 : 0], high = g->at[i + 1 < g->count ? i + 1 : i];
    py[i] = log(high - low) - fabs(g->at[i]) + log_tail(g->at[i] - b);
    px[i] = py[i] + rounds * log_tail(g->at[i] - c);
    miss[i] = log_tail(g->at[i] - a);
  }
  for (int i = 0; i < g->count; i++)
    for (int j = 0; j < g->count; j++) {
      double t = px[i] + py[j];
      if (t < most - 50) continue;
      t += rounds * log(-expm1(miss[i] + miss[j]));
      if (t > most) {
        sum = sum * exp(most - t) + 1;
        most = t;
      } else {
        sum += exp(t - most);
      }
    }
  return most + log(sum);
}

static void losses_of_many_rounds(void **state) {
  (void)state;
  struct rng rng = rng_seeded(1103);
  double most = 0;
  for (size_t i = 0; i < test_rounds(100); i++) {
    double t = log_between(&rng, 1e-3, 50), spread = log_between(&rng, 0.3, 60);
    double middle = between(&rng, -spread, spread), a = middle + between(&rng, -spread, spread);
    double b = middle + between(&rng, -spread, spread), c = middle + between(&rng, -spread, spread);
    double rounds = floor(log_between(&rng, 1, 1e6));
    static struct grid g;
    g.count = 0;
    double centres[] = {0, a, b, c, a + t, b - t, c - t};
    for (int k = 0; k < 7; k++)
      grid_around(&g, centres[k]);
    grid_finish(&g);
    double loss =
        (log_integral(&g, a, b, c, rounds) - log_integral(&g, a + t, b - t, c - t, rounds)) / t;
    most = fmax(most, loss);
    assert_true(loss > 0 && loss < 30);
  }
  print_message("loss at most %.2f d eps\n", most);
  assert_true(most > 4); /* the worst known is about 8 */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_two_maps),
      cmocka_unit_test(losses_in_balls),
      cmocka_unit_test(losses_of_many_rounds),
  };
  return cmocka_run_group_tests_name("disjunctions", tests, NULL, NULL);
}
