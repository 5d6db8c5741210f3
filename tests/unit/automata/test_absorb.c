/* Absorption (docs/disjunctions.md): its inequalities at random points, the criterion on automata
 * that are known, and never against a refutation.
 * ctest-label: release */
#include <math.h>

#include "automata/decide/absorb.h"
#include "automata/decide/automata.h"
#include "check/automaton/classify.h"
#include "disjunctive_gen.h"
#include "testlib.h"

/* Outcomes of the comparisons with x and y, a bit for each: below both, above x only, above y only,
 * above both. */
enum {
  TRUE = 15,
  ABOVE_X = 10,
  BELOW_X = 5,
  BELOW_Y = 3,
  APART = 2,
  ABOVE_X_OR_BELOW_Y = 11,
  EXCLUSIVE = 6,
  SAME = 9,
  EITHER_BELOW = 7,
  EITHER_ABOVE = 14,
  BOTH_ABOVE = 8,
  CROSSED = 4
};

/* ---- inequalities -------------------------------------------------------------------------------
 */

static double tail(double t) { /* Pr[noise >= t] */
  return t >= 0 ? exp(-t) / 2 : 1 - exp(t) / 2;
}
static double side(double t, bool above) {
  return tail(above ? t : -t);
}

/* The probability of a set of outcomes at x - a, y - a, and its derivative by a. */
static double probability(unsigned set, double x, double y, double *by_a) {
  double sum = 0;
  *by_a = 0;
  for (unsigned o = 0; o < 4; o++) {
    if (!(set >> o & 1)) continue;
    bool ax = o & 1, ay = o >> 1;
    double px = side(x, ax), py = side(y, ay);
    sum += px * py;
    *by_a += (ax ? 1 : -1) * exp(-fabs(x)) / 2 * py + (ay ? 1 : -1) * exp(-fabs(y)) / 2 * px;
  }
  return sum;
}

/* after >= before (1 + c r), where the one is at (x2, y2), the other at (x, y). Computed with what
 * is smaller, the guard or its complement. */
static bool gains(unsigned set, double x, double y, double x2, double y2, double c) {
  double rate, unused, inside = probability(set, x, y, &rate);
  double outside = probability(15 & ~set, x, y, &unused);
  double gain = inside < outside ? probability(set, x2, y2, &unused) - inside
                                 : outside - probability(15 & ~set, x2, y2, &unused);
  return gain >= c * fabs(rate) - 1e-9 * fmin(inside, outside) - 2e-16; /* rounding */
}

/* The constants of the proof, for x down by k and y up by l. */
static double constant(unsigned set, double k, double l) {
  double m = fmin(k, l), s = 1 - exp(-m / 2);
  switch (set) {
  case ABOVE_X: return 1 - exp(-k);
  case BELOW_Y: return 1 - exp(-l);
  case APART: return 1 - exp(-m);
  case ABOVE_X_OR_BELOW_Y: return (1 - exp(-2 * m)) / 2;
  case EITHER_BELOW: return (1 - exp(k - l)) / 2;
  case EITHER_ABOVE: return (1 - exp(l - k)) / 2;
  default: return fmin((exp(m) - 2) / 2, fmin(s * s, (1 - exp(-k)) * (1 - exp(-l)) / 2));
  }
}

static double random_place(struct rng *rng, double reach) {
  return reach * (2.0 * (double)rng_below(rng, 1000001) / 1000000 - 1);
}

static void moves_absorb_rates(void **state) {
  (void)state;
  static const unsigned guards[] = {ABOVE_X,   BELOW_Y,      APART,       ABOVE_X_OR_BELOW_Y,
                                    EXCLUSIVE, EITHER_BELOW, EITHER_ABOVE};
  static const double moves[][2] = {{1, 2}, {2, 1}, {0.8, 0.9}, {3, 1}};
  struct rng rng = rng_seeded(51);
  for (size_t i = 0; i < test_rounds(8000); i++) {
    double reach = (double[]){0.5, 3, 15}[rng_below(&rng, 3)];
    double x = random_place(&rng, reach), y = random_place(&rng, reach);
    double low = fmin(x, y), high = fmax(x, y);
    for (size_t m = 0; m < 4; m++)
      for (size_t g = 0; g < sizeof guards / sizeof *guards; g++) {
        double k = moves[m][0], l = moves[m][1], c = constant(guards[g], k, l);
        if (guards[g] == EITHER_BELOW && l <= k) continue;
        if (guards[g] == EITHER_ABOVE && k <= l) continue;
        assert_true(c > 0);
        /* x <= y: apart; x > y: exchanged and apart */
        assert_true(gains(guards[g], low, high, low - k, high + l, c));
        assert_true(gains(guards[g], high, low, low - k, high + l, c));
      }
  }
}

/* The test can fail: what is not in the list is not absorbed. */
static void other_guards_are_not_absorbed(void **state) {
  (void)state;
  static const unsigned guards[] = {BELOW_X, SAME, BOTH_ABOVE, CROSSED, EITHER_ABOVE};
  struct rng rng = rng_seeded(52);
  for (size_t g = 0; g < sizeof guards / sizeof *guards; g++) {
    bool fails = false;
    for (size_t i = 0; i < 2000 && !fails; i++) {
      double x = random_place(&rng, 20), y = random_place(&rng, 20);
      fails = !gains(guards[g], fmin(x, y), fmax(x, y), fmin(x, y) - 1, fmax(x, y) + 2, 1e-3);
    }
    assert_true(fails);
  }
}

/* ---- the criterion ------------------------------------------------------------------------------
 */

static uint32_t guard_of(struct automaton *a, unsigned set) {
  literal all[8];
  size_t sizes[4], cubes = 0;
  if (set == TRUE) return 0;
  for (unsigned o = 0; o < 4; o++) {
    if (!(set >> o & 1)) continue;
    all[2 * cubes] = o & 1 ? literal_greater(0) : literal_less(0);
    all[2 * cubes + 1] = o & 2 ? literal_greater(1) : literal_less(1);
    sizes[cubes++] = 2;
  }
  return automaton_guard_dnf(a, all, sizes, cubes);
}

struct shape {
  slong d_of_x, d_of_y;
  bool reads;                /* y is drawn around an input */
  unsigned loop, step, last; /* guards; 0: none */
  bool assigns;              /* the step assigns x */
  bool expected;
};

static bool criterion(const struct shape *s) {
  struct automaton a;
  automaton_init(&a);
  a.independent = true;
  uint32_t xs[1] = {automaton_var(&a, "x", 1)}, ys[1] = {automaton_var(&a, "y", 1)};
  uint32_t o = automaton_symbol(&a, "o", 1), t = automaton_symbol(&a, "t", 1);
  for (uint32_t q = 0; q < 4; q++) {
    automaton_state(&a, NULL, 0, span_none());
    automaton_noise(&a, q, q > 1 || (q == 1 && s->reads),
                    automaton_ratio(&a,
                                    q == 0   ? s->d_of_x
                                    : q == 1 ? s->d_of_y
                                             : 1,
                                    1),
                    0, AUTOMATON_NONE, AUTOMATON_NONE);
  }
  struct automaton_edge edges[] = {
      {0, 1, 0, automaton_set(&a, xs, 1), o},
      {1, 2, 0, automaton_set(&a, ys, 1), o},
      {2, 2, guard_of(&a, s->loop), 0, o},
      {2, 3, guard_of(&a, s->step), automaton_set(&a, xs, s->assigns), t},
      {3, 3, guard_of(&a, s->last ? s->last : TRUE), 0, o},
  };
  for (size_t i = 0; i < 5; i++)
    automaton_edge(&a, edges[i], span_none());
  a.start = 0;
  automaton_finish(&a);
  bool absorbing = automaton_is_absorbing(&a);
  automaton_clear(&a);
  return absorbing;
}

static void known_automata(void **state) {
  (void)state;
  static const struct shape shapes[] = {
      {1, 1, false, EITHER_BELOW, BOTH_ABOVE, ABOVE_X, false, true}, /* erratum 11 */
      {1, 2, false, EITHER_BELOW, BOTH_ABOVE, ABOVE_X, false, false},
      {1, 1, true, EITHER_BELOW, BOTH_ABOVE, ABOVE_X, false, false},
      {1, 1, false, EITHER_BELOW, BOTH_ABOVE, ABOVE_X, true, false},
      {1, 1, false, EITHER_BELOW, BOTH_ABOVE, EITHER_ABOVE, false, false}, /* x + y is squeezed */
      {1, 2, false, EXCLUSIVE, SAME, 0, false, true},
      {1, 2, true, EXCLUSIVE, SAME, 0, true, true}, /* what is assigned is never compared */
      {1, 1, false, SAME, EXCLUSIVE, 0, false, false},
      {1, 1, false, EXCLUSIVE, SAME, ABOVE_X, false, true},
      {1, 2, false, EXCLUSIVE, SAME, ABOVE_X, false, false},
      {1, 1, false, EITHER_ABOVE, 1, 12, false, true}, /* names and directions exchanged: above y */
      {1, 1, false, EITHER_BELOW, BOTH_ABOVE, BELOW_X, false, true},
      {1, 1, false, ABOVE_X_OR_BELOW_Y, CROSSED, EITHER_BELOW, false, false},
  };
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (criterion(&shapes[i]) != shapes[i].expected) fail_msg("shape %zu", i);
}

static void never_against_a_refutation(void **state) {
  (void)state;
  struct rng rng = rng_seeded(53);
  size_t absorbing = 0, fresh = 0, not_private = 0;
  for (size_t i = 0; i < test_rounds(4000); i++) {
    struct automaton a;
    struct automaton_result r;
    struct class_report report;
    struct walk walk;
    struct unbounded inputs;
    struct lasso_search search;
    disjunctive_gen(&a, &rng,
                    &(struct disjunctive_options){4, 1 + (unsigned)rng_below(&rng, 2), 4, 5, 35});
    assert_true(automaton_classify(&report, &a, NULL));
    automaton_analyse(&r, &a);
    walk_init(&walk);
    bool unbounded = automaton_is_unbounded(&walk, &inputs, &search, &a) ||
                     (r.verdict == AUTOMATON_NOT_PRIVATE && report.in_class);
    not_private += unbounded;
    if (automaton_is_absorbing(&a)) {
      absorbing++;
      fresh += r.verdict == AUTOMATON_NOT_PRIVATE;
      assert_false(unbounded);
    }
    walk_clear(&walk);
    automaton_result_clear(&r);
    automaton_clear(&a);
  }
  print_message("%zu absorbing, %zu of them without a shift coupling; %zu not private\n", absorbing,
                fresh, not_private);
  assert_often(fresh > 5 && absorbing > 100 && not_private > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(moves_absorb_rates),
      cmocka_unit_test(other_guards_are_not_absorbed),
      cmocka_unit_test(known_automata),
      cmocka_unit_test(never_against_a_refutation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
