/* Sums of independent noise (aHL-SUM) against exact probabilities. Random walks on the integers: the
 * rule is asked whether they stay within a bound, and what it accepts must be true; what it should
 * accept, it must. */
#include <math.h>

#include "kernel/ahl.h"
#include "kernel/context.h"
#include "smt/smt.h"
#include "term/build.h"
#include "testlib.h"

enum { REACH = 60, STEPS = 12 };

/* A walk of n steps: up u or down v by a coin with mean 0 (plus `drift`), or noise of scale b. With
 * two coins: 2u - 4 with probability 1/3, else the second one is tossed: 2 - u + v or 2 - u - v. It
 * goes back to 0 after every `block` steps, if that is not 0. */
struct walk {
  enum dist_kind dist;
  long steps, up, down, drift, scale, block;
  bool has_two_coins;
  bool counts_one_side, side; /* draws are counted only where the first coin shows this side */
};
/* What the rule is asked. */
struct asked {
  long within, draws;
  unsigned long scale_quarters, exponent_tenths;
  enum tail tail;
  bool counts_restarts;
  bool is_cut;                            /* the stated failure is a hundredth too small */
  bool counts_no_draw, counts_no_restart; /* what is left of them stays what it was */
};

/* ---- the exact probability ------------------------------------------------------------------- */

/* Where two coins lead to: with the first one, and with either side of the second one. */
static void moves_of(const struct walk *w, long moves[3]) {
  long first = w->up - 2;
  moves[0] = w->drift + 2 * first;
  moves[1] = w->drift - first + w->down;
  moves[2] = w->drift - first - w->down;
}

/* Four times the scale of a step. */
static unsigned long scale_of(const struct walk *w) {
  long moves[3], low, high;
  if (w->dist != DIST_BERNOULLI) return 4 * (unsigned long)w->scale;
  if (!w->has_two_coins) return 2 * (unsigned long)(w->up + w->down);
  moves_of(w, moves);
  low = moves[0] < moves[2] ? moves[0] : moves[2];
  high = moves[0] > moves[1] ? moves[0] : moves[1];
  return 2 * (unsigned long)(high - low);
}

static double weight(const struct walk *w, long d) {
  long moves[3];
  moves_of(w, moves);
  if (w->dist == DIST_BERNOULLI && w->has_two_coins)
    return (d == moves[0]) / 3.0 + (d == moves[1]) / 3.0 + (d == moves[2]) / 3.0;
  double up = (double)w->down / (double)(w->up + w->down);
  if (w->dist == DIST_BERNOULLI)
    return (d == w->up + w->drift ? up : 0) + (d == w->drift - w->down ? 1 - up : 0);
  double x = (double)(d - w->drift), b = (double)w->scale;
  if (w->dist == DIST_DISCRETE_LAPLACE) return tanh(1 / (2 * b)) * exp(-fabs(x) / b);
  double all = 0;
  for (long k = -200; k <= 200; k++)
    all += exp(-(double)(k * k) / (2 * b * b));
  return exp(-x * x / (2 * b * b)) / all;
}

static bool is_near(const struct asked *q, long s) {
  return (q->tail == TAIL_BELOW || s <= q->within) && (q->tail == TAIL_ABOVE || -s <= q->within);
}

/* That the walk leaves the bound at some time. One-sided walks are followed to -REACH * STEPS. */
static double leaves(const struct walk *w, const struct asked *q) {
  enum { FAR = REACH * STEPS };
  static double now[2 * FAR + 1], next[2 * FAR + 1];
  double weights[2 * REACH + 1];
  for (long d = -REACH; d <= REACH; d++)
    weights[d + REACH] = weight(w, d);
  for (long s = -FAR; s <= FAR; s++)
    now[s + FAR] = s == 0;
  for (long i = 1; i <= w->steps; i++) {
    bool is_anew = w->block && i % w->block == 0; /* wherever the step would lead to */
    for (long s = -FAR; s <= FAR; s++)
      next[s + FAR] = 0;
    for (long s = -FAR; s <= FAR; s++)
      for (long d = -REACH; now[s + FAR] > 0 && !is_anew && d <= REACH; d++)
        if (s + d >= -FAR && s + d <= FAR && is_near(q, s + d))
          next[s + d + FAR] += now[s + FAR] * weights[d + REACH];
    for (long s = -FAR; s <= FAR; s++) {
      if (is_anew) next[FAR] += now[s + FAR];
      now[s + FAR] = next[s + FAR];
    }
    if (is_anew) now[FAR] = next[FAR];
  }
  double stays = 0;
  for (long s = -FAR; s <= FAR; s++)
    stays += now[s + FAR];
  return 1 - stays;
}

/* ---- what the rule says ---------------------------------------------------------------------- */

struct world {
  struct terms ts;
  struct smt smt;
  struct kernel *k;
  term_id i, j, s, c, d, x;
};

static void open_world(struct world *o) {
  terms_init(&o->ts);
  smt_init(&o->smt, &o->ts, NULL);
  o->k = kernel_new(&o->ts, &o->smt.decider);
  o->i = kernel_var(o->k, "i", SORT_INT, false);
  o->j = kernel_var(o->k, "j", SORT_INT, false);
  o->s = kernel_var(o->k, "s", SORT_INT, false);
  o->c = kernel_var(o->k, "c", SORT_BOOL, false);
  o->d = kernel_var(o->k, "d", SORT_BOOL, false);
  o->x = kernel_var(o->k, "x", SORT_INT, false);
}
static void close_world(struct world *o) {
  kernel_free(o->k);
  smt_clear(&o->smt);
  terms_clear(&o->ts);
}

static const struct core *set(struct world *o, term_id var, term_id value) {
  return core_assign(kernel_arena(o->k), span_none(), var, value);
}

/* The second coin is tossed if the first one is false. */
static const struct core *two_coins(struct world *o, const struct walk *w) {
  struct terms *ts = &o->ts;
  struct arena *arena = kernel_arena(o->k);
  long moves[3];
  moves_of(w, moves);
  term_id third = term_rat(ts, 1, 3), half = term_rat(ts, 1, 2);
  const struct core *first = core_sample(arena, span_none(), o->c, DIST_BERNOULLI, &third, 1);
  const struct core *second = core_sample(arena, span_none(), o->d, DIST_BERNOULLI, &half, 1);
  term_id by = term_ite(ts, o->d, term_int(ts, moves[1]), term_int(ts, moves[2]));
  const struct core *then = set(o, o->s, term_add(ts, o->s, term_int(ts, moves[0])));
  const struct core *no = core_seq(arena, second, set(o, o->s, term_add(ts, o->s, by)));
  return core_seq(arena, first, core_if(arena, span_none(), o->c, then, no));
}

/* One step of the walk. */
static const struct core *step_of(struct world *o, const struct walk *w) {
  struct terms *ts = &o->ts;
  struct arena *arena = kernel_arena(o->k);
  bool is_coin = w->dist == DIST_BERNOULLI;
  term_id coin[] = {term_rat(ts, w->down, (unsigned long)(w->up + w->down))};
  term_id noise[] = {term_int(ts, w->drift), term_int(ts, w->scale)};
  term_id by = term_ite(ts, o->c, term_int(ts, w->up + w->drift), term_int(ts, w->drift - w->down));
  const struct core *draw = is_coin ? core_sample(arena, span_none(), o->c, w->dist, coin, 1)
                                    : core_sample(arena, span_none(), o->x, w->dist, noise, 2);
  const struct core *move = set(o, o->s, term_add(ts, o->s, is_coin ? by : o->x));
  term_id one = term_int(ts, 1), counted = term_eq(ts, o->c, term_bool(ts, w->side));
  if (w->counts_one_side) one = term_ite(ts, counted, one, term_int(ts, 0));
  const struct core *count = core_seq(arena, set(o, o->i, term_add(ts, o->i, term_int(ts, 1))),
                                      set(o, o->j, term_add(ts, o->j, one)));
  const struct core *anew =
      core_seq(arena, set(o, o->s, term_int(ts, 0)), set(o, o->j, term_int(ts, 0)));
  const struct core *end =
      w->block ? core_if(arena, span_none(), term_eq(ts, o->j, term_int(ts, w->block)), anew,
                         core_skip())
               : core_skip();
  const struct core *step = w->has_two_coins ? two_coins(o, w) : core_seq(arena, draw, move);
  return core_seq(arena, step, core_seq(arena, count, end));
}

static bound_of derive(struct world *o, const struct core *c, term_id post) {
  switch (c->kind) {
  case CORE_ASSIGN: return ahl_assign(o->k, 1, c, post);
  case CORE_SAMPLE: return ahl_sample(o->k, 1, c, post);
  case CORE_IF: return ahl_cond(o->k, c, derive(o, c->first, post), derive(o, c->second, post));
  case CORE_SEQ: {
    bound_of second = derive(o, c->second, post);
    return ahl_seq(o->k, derive(o, c->first, ahl_pre(second)), second);
  }
  default: return ahl_skip(o->k, 1, post);
  }
}

/* 0 <= i <= steps, 0 <= j < block */
static term_id counters(struct world *o, const struct walk *w) {
  struct terms *ts = &o->ts;
  term_id i = kernel_tag(o->k, o->i, 1), j = kernel_tag(o->k, o->j, 1), zero = term_int(ts, 0);
  term_id all[] = {term_le(ts, zero, i), term_le(ts, i, term_int(ts, w->steps)),
                   term_le(ts, zero, j),
                   w->block             ? term_lt(ts, j, term_int(ts, w->block))
                   : w->counts_one_side ? term_le(ts, j, i)
                                        : term_eq(ts, j, i)};
  return term_and_all(ts, all, 4);
}

static struct ahl_total total_of(struct world *o, const struct walk *w, const struct asked *q) {
  struct terms *ts = &o->ts;
  term_id i = kernel_tag(o->k, o->i, 1), j = kernel_tag(o->k, o->j, 1);
  bool restarts = w->block && q->counts_restarts;
  long blocks = restarts ? w->steps : 0, sides = q->tail == TAIL_BOTH ? 2 : 1;
  term_id t = term_rat(ts, (long)q->exponent_tenths, 10);
  return (struct ahl_total){
      .tail = q->tail,
      .sum = kernel_tag(o->k, o->s, 1),
      .within = term_int(ts, q->within),
      .scale = term_rat(ts, (long)q->scale_quarters, 4),
      .left = term_sub(ts, term_int(ts, q->draws),
                       q->counts_no_draw                ? term_int(ts, 0)
                       : restarts || w->counts_one_side ? j
                                                        : i),
      .draws = term_int(ts, q->draws),
      .restarts = !restarts              ? TERM_NONE
                  : q->counts_no_restart ? term_int(ts, w->steps)
                                         : term_sub(ts, term_int(ts, w->steps), i),
      .blocks = restarts ? term_int(ts, w->steps) : TERM_NONE,
      .exponent = t,
      .failure = term_mul(ts, term_rat(ts, (q->is_cut ? 99 : 100) * sides * (blocks + 1), 100),
                          term_exp(ts, term_neg(ts, t)))};
}

static bool is_right(const struct walk *w, const struct asked *q) {
  unsigned long scale = scale_of(w);
  bool enough = q->draws >= (w->block && q->counts_restarts ? w->block : w->steps);
  double t = (double)q->exponent_tenths / 10, W = (double)q->scale_quarters / 4;
  double needed = w->dist == DIST_DISCRETE_LAPLACE ? W * (2 * sqrt((double)q->draws * t) + t)
                                                   : W * sqrt(2 * (double)q->draws * t);
  bool returns = !w->block || q->counts_restarts;
  return enough && returns && w->drift == 0 && q->scale_quarters >= scale &&
         (double)q->within > needed + 1e-6;
}

/* Does the rule give {i = j = s = 0} walk {it is near} : failure? */
static bool accepts(const struct walk *w, const struct asked *q, double *failure) {
  struct world world, *o = &world;
  open_world(o);
  struct terms *ts = &o->ts;
  struct ahl_total total = total_of(o, w, q);
  const struct core *body = step_of(o, w);
  term_id guard = term_lt(ts, o->i, term_int(ts, w->steps)), inv = counters(o, w);
  const struct core *loop = core_while(kernel_arena(o->k), span_none(), guard, body);
  term_id near = ahl_total_near(o->k, &total, 1);
  term_id inside[] = {inv, near, kernel_tag(o->k, guard, 1)};
  term_id post = term_and(ts, term_implies(ts, near, inv), ahl_total_counts(o->k, &total, 1));
  bound_of b = derive(o, body, post);
  b = ahl_conseq(o->k, span_none(), term_and_all(ts, inside, 3), post, ahl_beta(b), b);
  b = b ? ahl_while_total(o->k, loop, inv, &total, 1, b) : NULL;
  term_id start = inv, vars[] = {o->i, o->j, o->s};
  for (int v = 0; v < 3; v++)
    start = term_and(ts, start, term_eq(ts, kernel_tag(o->k, vars[v], 1), term_int(ts, 0)));
  b = b ? ahl_conseq(o->k, span_none(), start, near, ahl_beta(b), b) : NULL;
  long blocks = w->block && q->counts_restarts ? w->steps : 0;
  *failure = (double)((q->tail == TAIL_BOTH ? 2 : 1) * (blocks + 1)) *
             exp(-(double)q->exponent_tenths / 10);
  bool ok = b != NULL;
  if (!ok && is_right(w, q)) print_message("refused: %s\n", kernel_failure(o->k)->message);
  close_world(o);
  return ok;
}

/* ---- tests ------------------------------------------------------------------------------------ */

static struct walk random_walk(struct rng *rng) {
  static const enum dist_kind kinds[] = {DIST_BERNOULLI, DIST_DISCRETE_LAPLACE,
                                         DIST_DISCRETE_GAUSS};
  enum dist_kind dist = kinds[rng_range(rng, 0, 2)];
  return (struct walk){.dist = dist,
                       .has_two_coins = dist == DIST_BERNOULLI && rng_chance(rng, 1, 2),
                       .steps = rng_range(rng, 4, STEPS),
                       .up = rng_range(rng, 1, 3),
                       .down = rng_range(rng, 1, 3),
                       .drift = rng_chance(rng, 1, 8),
                       .scale = rng_range(rng, 1, 3),
                       .block = rng_chance(rng, 1, 3) ? rng_range(rng, 1, 4) : 0};
}

/* The scale that the walk has, in quarters; sometimes less. */
static struct asked random_question(struct rng *rng, const struct walk *w) {
  unsigned long scale = scale_of(w);
  struct asked q = {.draws = w->block ? w->block : w->steps,
                    .scale_quarters = scale - rng_chance(rng, 1, 8),
                    .tail = (enum tail)rng_range(rng, 0, 2),
                    .counts_restarts = !rng_chance(rng, 1, 8)};
  if (!q.counts_restarts) q.draws = w->steps;
  q.draws -= rng_chance(rng, 1, 8);
  q.exponent_tenths = (unsigned long)rng_range(rng, 10, 40);
  double t = (double)q.exponent_tenths / 10, W = (double)scale / 4;
  double needed = w->dist == DIST_DISCRETE_LAPLACE ? W * (2 * sqrt((double)q.draws * t) + t)
                                                   : W * sqrt(2 * (double)q.draws * t);
  q.within = (long)ceil(needed * (rng_chance(rng, 1, 2) ? 1 : rng_range(rng, 1, 3) / 4.0));
  return q;
}

static void sums_stay_near(void **state) {
  (void)state;
  struct rng rng = rng_seeded(20);
  size_t accepted = 0, refused = 0, false_ones = 0, close = 0;
  for (size_t round = 0; round < test_rounds(50); round++) {
    struct walk w = random_walk(&rng);
    struct asked q = random_question(&rng, &w);
    double failure, exact = leaves(&w, &q);
    bool ok = accepts(&w, &q, &failure);
    if (ok) assert_true(exact <= failure + 1e-6);
    if (is_right(&w, &q)) assert_true(ok);
    accepted += ok;
    refused += !ok;
    false_ones += exact > failure;
    close += ok && exact > failure / 8;
  }
  print_message("%zu accepted, %zu of them close, %zu refused, %zu false\n", accepted, close,
                refused, false_ones);
  assert_often(accepted > 10 && refused > 20 && false_ones > 3 && close > 0);
}

/* The largest bound for which a walk of 12 steps is false is refused, whatever is said of its scale
 * and of its draws. Less than the rule asks for would accept it. */
static void sharp_bounds_are_refused(void **state) {
  (void)state;
  static const enum dist_kind kinds[] = {DIST_BERNOULLI, DIST_DISCRETE_LAPLACE,
                                         DIST_DISCRETE_GAUSS};
  for (size_t k = 0; k < 3; k++) {
    struct walk w = {.dist = kinds[k], .steps = STEPS, .up = 1, .down = 1, .scale = 1};
    struct asked q = {.draws = STEPS, .exponent_tenths = 40, .tail = TAIL_BOTH};
    unsigned long scale = 4; /* 1: a coin of 1 up and 1 down has half of 2 */
    double failure = 2 * exp(-4.0);
    q.scale_quarters = scale;
    q.within = REACH;
    while (q.within > 0 && leaves(&w, &q) <= failure)
      q.within--;
    assert_true(q.within > 0);
    assert_false(accepts(&w, &q, &failure));
    q.scale_quarters = scale / 2;
    assert_false(accepts(&w, &q, &failure));
    q.scale_quarters = scale;
    q.draws = STEPS / 2;
    assert_false(accepts(&w, &q, &failure));
  }
}

/* The numbers at which the conditions are equations: these are accepted, and the next ones are not.
 * (a - W t)^2 = 4 r W^2 t for Laplace noise, a^2 = 2 r W^2 t for the others, with W = t = 1. */
static void the_conditions_are_those_stated(void **state) {
  (void)state;
  static const struct {
    enum dist_kind dist;
    long draws, within;
  } rows[] = {
      {DIST_BERNOULLI, 50, 10}, {DIST_DISCRETE_LAPLACE, 36, 13}, {DIST_DISCRETE_GAUSS, 50, 10}};
  double failure;
  for (size_t k = 0; k < 3; k++)
    for (int restarts = 0; restarts < 2; restarts++)
      for (int both = 0; both < 2; both++) {
        struct walk w = {.dist = rows[k].dist, .steps = 6, .up = 1, .down = 1, .scale = 1};
        struct asked q = {.draws = rows[k].draws,
                          .within = rows[k].within,
                          .scale_quarters = 4,
                          .exponent_tenths = 10,
                          .tail = both ? TAIL_BOTH : TAIL_ABOVE,
                          .counts_restarts = true};
        w.block = restarts ? 3 : 0;
        assert_true(accepts(&w, &q, &failure));
        q.is_cut = true;
        assert_false(accepts(&w, &q, &failure));
        q.is_cut = false;
        q.within--;
        assert_false(accepts(&w, &q, &failure));
        q.within++;
        q.scale_quarters--;
        assert_false(accepts(&w, &q, &failure));
        q.scale_quarters++;
        q.counts_no_draw = true;
        assert_false(accepts(&w, &q, &failure));
        q.counts_no_draw = false;
        q.counts_no_restart = true;
        assert_int_equal(accepts(&w, &q, &failure), !restarts);
      }
}

/* Two coins are one draw of a sum that they move by `range` in all, whichever of them leads farthest;
 * every draw is counted, whatever side it shows. */
static void coins_in_a_row_are_one_draw(void **state) {
  (void)state;
  static const struct {
    long up, down, range, within;
  } rows[] = {{1, 1, 4, 20}, {2, 2, 4, 20}, {3, 1, 4, 20}, {1, 2, 5, 25}, {3, 2, 5, 25}};
  double failure;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct walk w = {.dist = DIST_BERNOULLI,
                     .has_two_coins = true,
                     .steps = 6,
                     .up = rows[i].up,
                     .down = rows[i].down};
    struct asked q = {.draws = 50, .within = rows[i].within, .exponent_tenths = 10};
    q.scale_quarters = 2 * (unsigned long)rows[i].range;
    assert_int_equal(scale_of(&w), q.scale_quarters);
    assert_true(accepts(&w, &q, &failure));
    q.scale_quarters--;
    assert_false(accepts(&w, &q, &failure));
    q.scale_quarters++;
    w.drift = 1;
    assert_false(accepts(&w, &q, &failure));
    w.drift = 0;
    for (int side = 0; side < 2; side++) {
      w.counts_one_side = true;
      w.side = side;
      assert_false(accepts(&w, &q, &failure));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_stay_near), cmocka_unit_test(the_conditions_are_those_stated),
      cmocka_unit_test(coins_in_a_row_are_one_draw), cmocka_unit_test(sharp_bounds_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
