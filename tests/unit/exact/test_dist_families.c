/* Every row of the table of distributions (lang/syntax/family.h) against the others: sampler, exact
 * engine and terms of the kernel are written independently and must mean the same distribution; the
 * price of a shift must cover the ratio of probabilities, tightly, and what the side conditions
 * exclude must be wrong. A new row is tested by itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/dist.h"
#include "mechanism.h"
#include "run/eval/number.h"
#include "run/sample/noise.h"
#include "source_text.h"
#include "term/build.h"
#include "term/eval.h"

enum { MAX_ARGS = 3 };

/* A distribution with numbers for its parameters. */
struct law_case {
  enum dist_kind kind;
  size_t count;
  int numerator[MAX_ARGS];
  unsigned denominator[MAX_ARGS];
};

static void argument_text(struct buffer *out, const struct law_case *c, size_t i) {
  buffer_printf(out, "%s%d", i ? ", " : "", c->numerator[i]);
  if (c->denominator[i] != 1) buffer_printf(out, "/%u", c->denominator[i]);
}

static char *program_text(const struct law_case *c) {
  static const char *const types[] = {[SAMPLES_REAL] = "real",
                                      [SAMPLES_INT] = "int",
                                      [SAMPLES_BOOL] = "bool",
                                      [SAMPLES_ITEM] = "int"};
  const struct dist_info *info = dist_get(c->kind);
  bool braces = info->parameters == PARAMETERS_ITEMS;
  struct buffer b;
  buffer_init(&b);
  buffer_printf(&b, "mechanism m(private x : int) returns %s adjacent same(x) {\n  y <$ %s%s",
                types[info->samples], info->name, braces ? "{" : "(");
  for (size_t i = 0; i < c->count; i++)
    argument_text(&b, c, i);
  buffer_printf(&b, "%s;\n  return y;\n}\ninstance i { input x = 0; }\n", braces ? "}" : ")");
  char *text = xstrdup(buffer_text(&b));
  buffer_clear(&b);
  return text;
}

static void arguments(const struct law_case *c, struct rvalue *out) {
  for (size_t i = 0; i < c->count; i++)
    out[i] = c->denominator[i] == 1 ? rvalue_int(c->numerator[i])
                                    : fraction(c->numerator[i], c->denominator[i]);
}

static void argument_terms(struct terms *ts, const struct law_case *c, term_id *out) {
  for (size_t i = 0; i < c->count; i++)
    out[i] = c->denominator[i] == 1 ? term_int(ts, c->numerator[i])
                                    : term_rat(ts, c->numerator[i], c->denominator[i]);
}

/* Parameters that make sense, by their kind. */
static size_t good_cases(enum dist_kind kind, struct law_case out[4]) {
  switch (dist_get(kind)->parameters) {
  case PARAMETERS_CENTRED:
    out[0] = (struct law_case){kind, 2, {0, 1}, {1, 1}};
    out[1] = (struct law_case){kind, 2, {-2, 5}, {1, 2}};
    out[2] = (struct law_case){kind, 2, {1, 1}, {1, 2}};
    return 3;
  case PARAMETERS_RANGE:
    out[0] = (struct law_case){kind, 2, {-1, 3}, {1, 1}};
    out[1] = (struct law_case){kind, 2, {0, 1}, {1, 1}};
    return 2;
  case PARAMETERS_CHANCE:
    out[0] = (struct law_case){kind, 1, {1}, {3}};
    out[1] = (struct law_case){kind, 1, {0}, {1}};
    out[2] = (struct law_case){kind, 1, {1}, {1}};
    return 3;
  case PARAMETERS_ITEMS: out[0] = (struct law_case){kind, 3, {1, 5, 7}, {1, 1, 1}}; return 1;
  }
  return 0;
}

/* Parameters that make none. */
static size_t bad_cases(enum dist_kind kind, struct law_case out[4]) {
  switch (dist_get(kind)->parameters) {
  case PARAMETERS_CENTRED:
    out[0] = (struct law_case){kind, 2, {0, 0}, {1, 1}};
    out[1] = (struct law_case){kind, 2, {0, -1}, {1, 3}};
    return 2;
  case PARAMETERS_RANGE:
    out[0] = (struct law_case){kind, 2, {2, 1}, {1, 1}};
    out[1] = (struct law_case){kind, 2, {1, 1}, {1, 1}};
    return dist_is_integer(kind) ? 1 : 2;
  case PARAMETERS_CHANCE:
    out[0] = (struct law_case){kind, 1, {-1}, {9}};
    out[1] = (struct law_case){kind, 1, {10}, {9}};
    return 2;
  case PARAMETERS_ITEMS: out[0] = (struct law_case){.kind = kind, .count = 0}; return 1;
  }
  return 0;
}

/* ---- evaluation ------------------------------------------------------------------------------- */

static double value_of(struct terms *ts, term_id t) {
  struct evaluator ev;
  arb_t ball;
  assert_int_not_equal(t, TERM_NONE);
  eval_init(&ev, ts);
  arb_init(ball);
  assert_true(tvalue_get_ball(eval_term(&ev, t), ball, 64));
  double x = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
  arb_clear(ball);
  eval_clear(&ev);
  return x;
}

static int truth_of(struct terms *ts, term_id t) {
  struct evaluator ev;
  assert_int_not_equal(t, TERM_NONE);
  eval_init(&ev, ts);
  int truth = eval_truth(&ev, t);
  eval_clear(&ev);
  return truth;
}

/* By the exact engine. */
static double probability(struct mechanism *m, const char *event) {
  struct exact_result r;
  mechanism_tell(m, event, 0, &r);
  double p = arf_get_d(arb_midref(r.probability), ARF_RND_NEAR);
  exact_result_clear(&r);
  return p;
}

static double at_most(struct mechanism *m, int numerator, unsigned denominator) {
  char event[32];
  snprintf(event, sizeof event, "..%d/%u", numerator, denominator);
  if (denominator == 1) snprintf(event, sizeof event, "..%d", numerator);
  return probability(m, event);
}

static bool is_ordered(enum dist_kind kind) {
  return dist_get(kind)->samples == SAMPLES_REAL || dist_get(kind)->samples == SAMPLES_INT;
}

static void assert_close(double a, double b, const struct law_case *c, const char *what) {
  if (!(fabs(a - b) <= 1e-9))
    fail_msg("%s(%d/%u, ..): %s: %.12g and %.12g", dist_get(c->kind)->name, c->numerator[0],
             c->denominator[0], what, a, b);
}

/* ---- parameters -------------------------------------------------------------------------------- */

static void check_parameters(const struct law_case *c, bool good) {
  struct terms ts;
  struct lang lang;
  struct random random;
  struct rvalue args[MAX_ARGS], out = rvalue_unit();
  term_id terms[MAX_ARGS];
  terms_init(&ts);
  argument_terms(&ts, c, terms);
  assert_int_equal(truth_of(&ts, dist_valid(&ts, c->kind, terms, c->count)), good);
  assert_int_equal(dist_sample_sort(&ts, c->kind, terms, c->count) != SORT_NONE, c->count > 0);
  terms_clear(&ts);
  arguments(c, args);
  random_init_seeded(&random, 5);
  assert_int_equal(noise_sample(&random, c->kind, args, c->count, &out) == NOISE_OK, good);
  rvalue_clear(&out);
  for (size_t i = 0; i < c->count; i++)
    rvalue_clear(&args[i]);
  char *text = program_text(c);
  lang_init(&lang);
  lang_load_text(&lang, "t.dp", text, strlen(text));
  assert_int_equal(lang.diags.errors == 0, good);
  lang_clear(&lang);
  free(text);
}

static void parameters_are_checked_everywhere(void **state) {
  (void)state;
  struct law_case cases[4];
  for (int kind = 0; kind < DIST_COUNT; kind++) {
    size_t good = good_cases(kind, cases);
    for (size_t i = 0; i < good; i++)
      check_parameters(&cases[i], true);
    size_t bad = bad_cases(kind, cases);
    assert_true(good > 0 && bad > 0);
    for (size_t i = 0; i < bad; i++)
      check_parameters(&cases[i], false);
  }
}

/* ---- one distribution, three times -------------------------------------------------------------- */

struct tally {
  const struct law_case *c;
  size_t count, below[64], item[MAX_ARGS];
};

enum { LOW = -12, HIGH = 12, POINTS = HIGH - LOW + 1 };

/* Samples must lie in the support, and are counted. */
static void draw_samples(struct tally *t) {
  struct terms ts;
  struct random random;
  struct rvalue args[MAX_ARGS];
  term_id terms[MAX_ARGS];
  terms_init(&ts);
  arguments(t->c, args);
  argument_terms(&ts, t->c, terms);
  random_init_seeded(&random, 77);
  for (size_t n = 0; n < t->count; n++) {
    struct rvalue v = rvalue_unit();
    assert_int_equal(noise_sample(&random, t->c->kind, args, t->c->count, &v), NOISE_OK);
    term_id sample = TERM_NONE;
    if (v.kind == RVALUE_BOOL) {
      t->item[v.as.boolean]++;
      sample = term_bool(&ts, v.as.boolean);
    } else {
      fmpq_t q;
      fmpq_init(q);
      number_get_fmpq(q, &v);
      sample = term_num(&ts, q, v.kind == RVALUE_INT ? SORT_INT : SORT_REAL);
      for (int x = LOW; x <= HIGH; x++)
        t->below[x - LOW] += fmpq_cmp_si(q, x) <= 0;
      for (size_t i = 0; i < t->c->count; i++)
        t->item[i] += fmpq_equal_si(q, t->c->numerator[i]);
      fmpq_clear(q);
    }
    if (n < 50)
      assert_int_equal(truth_of(&ts, dist_support(&ts, t->c->kind, terms, t->c->count, sample)), 1);
    rvalue_clear(&v);
  }
  for (size_t i = 0; i < t->c->count; i++)
    rvalue_clear(&args[i]);
  terms_clear(&ts);
}

static void assert_frequency(const struct tally *t, size_t seen, double p) {
  double n = (double)t->count, slack = 5 * sqrt(n * p * (1 - p)) + 1e-6 * n;
  if (!(fabs((double)seen - n * p) <= slack))
    fail_msg("%s: %zu of %zu samples, expected %g", dist_get(t->c->kind)->name, seen, t->count,
             n * p);
}

/* Pr[x] = e^exponent Pr[centre], for noise around an integer. */
static void compare_with_centre(struct mechanism *m, const struct law_case *c, struct terms *ts,
                                int x, double seen) {
  term_id terms[MAX_ARGS];
  argument_terms(ts, c, terms);
  struct distribution law = {c->kind, terms, c->count};
  term_id exponent = dist_exponent(ts, &law, term_int(ts, x));
  int centre = c->numerator[0];
  if (exponent == TERM_NONE || c->denominator[0] != 1 || seen < 1e-15) return;
  double middle = at_most(m, centre, 1) - at_most(m, centre - 1, 1);
  assert_close(exp(value_of(ts, exponent)) * middle, seen, c, "exponent");
}

static void compare_ordered(struct mechanism *m, const struct tally *t) {
  struct terms ts;
  term_id terms[MAX_ARGS];
  terms_init(&ts);
  argument_terms(&ts, t->c, terms);
  for (int x = LOW; x <= HIGH; x++) {
    double p = at_most(m, x, 1);
    assert_frequency(t, t->below[x - LOW], p);
    term_id f = dist_at_most(&ts, t->c->kind, terms, t->c->count, term_int(&ts, x));
    if (f != TERM_NONE) assert_close(value_of(&ts, f), p, t->c, "distribution function");
    if (!dist_is_integer(t->c->kind)) continue;
    double seen = p - at_most(m, x - 1, 1);
    term_id mass = dist_mass(&ts, t->c->kind, terms, term_int(&ts, x));
    if (mass != TERM_NONE && t->c->kind != DIST_DISCRETE_GAUSS) /* a series has no value */
      assert_close(value_of(&ts, mass), seen, t->c, "mass");
    compare_with_centre(m, t->c, &ts, x, seen);
  }
  terms_clear(&ts);
}

static void compare_values(struct mechanism *m, const struct tally *t) {
  bool is_bool = dist_get(t->c->kind)->samples == SAMPLES_BOOL;
  for (size_t i = 0; i < (is_bool ? 2 : t->c->count); i++) {
    char event[16];
    snprintf(event, sizeof event, "%d", t->c->numerator[i]);
    double p = probability(m, !is_bool ? event : i ? "true" : "false");
    assert_frequency(t, t->item[i], p);
    if (!is_bool) continue;
    struct terms ts;
    term_id terms[MAX_ARGS];
    terms_init(&ts);
    argument_terms(&ts, t->c, terms);
    term_id mass = dist_mass(&ts, t->c->kind, terms, term_bool(&ts, i));
    if (mass != TERM_NONE) assert_close(value_of(&ts, mass), p, t->c, "mass");
    terms_clear(&ts);
  }
}

static void sampler_engine_and_terms_agree(void **state) {
  (void)state;
  struct law_case cases[4];
  for (int kind = 0; kind < DIST_COUNT; kind++)
    for (size_t i = 0, n = good_cases(kind, cases); i < n; i++) {
      struct tally t = {.c = &cases[i], .count = test_rounds(3000)};
      struct mechanism m;
      char *text = program_text(&cases[i]);
      mechanism_load(&m, text);
      draw_samples(&t);
      if (is_ordered(kind))
        compare_ordered(&m, &t);
      else
        compare_values(&m, &t);
      mechanism_clear(&m);
      free(text);
    }
}

/* ---- tails -------------------------------------------------------------------------------------- */

/* Pr[sample - location > t], Pr[sample - location < -t]; from an event of its own, so that small
 * ones are precise. */
static double beyond(struct mechanism *m, const struct law_case *c, int t, bool above) {
  bool integer = dist_is_integer(c->kind);
  int end = c->numerator[0] + (above ? t + integer : -t - integer);
  char event[32];
  snprintf(event, sizeof event, above ? "%d.." : "..%d", end);
  return probability(m, event);
}

/* By how much a tail may be overestimated: most are exact. Above, Gumbel noise has 1 - e^(-u), u
 * from 0 to 1, and that is at least u (1 - 1/e). Normal noise has e^(-x^2/2)/2 >= Q(x) >= x/(1 + x^2)
 * e^(-x^2/2)/sqrt(2 pi); on integers the tail begins one later. */
static double slack_at(const struct law_case *c, double spread, int t) {
  double x = t / spread;
  if (c->kind == DIST_GAUSS) return 2 + 2 * x;
  if (c->kind == DIST_DISCRETE_GAUSS) return (3 + 2 * x) * exp((2 * t + 1) / (2 * spread * spread));
  return c->kind == DIST_GUMBEL ? 1.6 : 1 + 1e-9;
}

/* The same of normal noise, far out: above, a sum or an integral. */
static double normal_beyond(enum dist_kind kind, double spread, int t) {
  if (kind == DIST_GAUSS) return erfc(t / spread / sqrt(2)) / 2;
  double all = 0, far = 0;
  for (int k = -60 * (int)ceil(spread); k <= 60 * (int)ceil(spread); k++) {
    double weight = exp(-(double)k * k / (2 * spread * spread));
    all += weight;
    if (k > t) far += weight;
  }
  return far / all;
}

static void check_far_tails(struct terms *ts, const struct law_case *c, const term_id *terms) {
  double spread = value_of(ts, terms[1]);
  for (int x = 4; x <= 36; x += 4) {
    int t = (int)(x * spread);
    double truth = normal_beyond(c->kind, spread, t);
    double bound = value_of(ts, dist_tail(ts, c->kind, terms, TAIL_ABOVE, term_int(ts, t)));
    if (!(truth > 0 && truth <= bound && bound <= truth * slack_at(c, spread, t)))
      fail_msg("%s: above %d is %g, bound %g", dist_get(c->kind)->name, t, truth, bound);
  }
}

static void check_tails(const struct law_case *c) {
  struct terms ts;
  struct mechanism m;
  term_id terms[MAX_ARGS];
  char *text = program_text(c);
  mechanism_load(&m, text);
  terms_init(&ts);
  argument_terms(&ts, c, terms);
  for (int t = 0; t <= 6; t++) {
    double above = beyond(&m, c, t, true), below = beyond(&m, c, t, false);
    double truth[] = {[TAIL_ABOVE] = above, [TAIL_BELOW] = below, [TAIL_BOTH] = above + below};
    for (int tail = TAIL_ABOVE; tail <= TAIL_BOTH; tail++) {
      double bound = value_of(&ts, dist_tail(&ts, c->kind, terms, tail, term_int(&ts, t)));
      double slack = slack_at(c, value_of(&ts, terms[1]), t);
      if (!(truth[tail] <= bound * (1 + 1e-9) + 1e-50 && bound <= slack * truth[tail] + 1e-50))
        fail_msg("%s: tail %d at %d is %g, bound %g", dist_get(c->kind)->name, tail, t, truth[tail],
                 bound);
    }
  }
  if (c->kind == DIST_GAUSS || c->kind == DIST_DISCRETE_GAUSS) check_far_tails(&ts, c, terms);
  terms_clear(&ts);
  mechanism_clear(&m);
  free(text);
}

static void tails_are_bounded_tightly(void **state) {
  (void)state;
  struct law_case cases[4];
  size_t families = 0;
  for (int kind = 0; kind < DIST_COUNT; kind++) {
    if (!dist_has_tail(kind)) continue;
    families++;
    for (size_t i = 0, n = good_cases(kind, cases); i < n; i++)
      check_tails(&cases[i]);
  }
  assert_true(families >= 9); /* all but coins and sets */
}

/* ---- shifts ------------------------------------------------------------------------------------- */

enum { PER_UNIT = 4, REACH = 14, CELLS = 2 * REACH * PER_UNIT + 1 };

/* Masses of small cells around 0: [j, j+1]/PER_UNIT, or the integers j. */
static void cell_masses(const struct law_case *c, double mass[CELLS]) {
  struct mechanism m;
  char *text = program_text(c);
  mechanism_load(&m, text);
  for (int i = 0; i < CELLS; i++) {
    int j = i - REACH * PER_UNIT;
    char event[64];
    snprintf(event, sizeof event, "%d/%d..%d/%d", j, PER_UNIT, j + 1, PER_UNIT);
    if (dist_is_integer(c->kind)) snprintf(event, sizeof event, "%d", j);
    mass[i] = probability(&m, event);
  }
  mechanism_clear(&m);
  free(text);
}

/* The largest loss ln(mass(cell) / mass(cell + shift)), over cells whose image is in reach. */
static double worst_loss(const double mass[CELLS], int cells) {
  double worst = -INFINITY;
  for (int i = 0; i < CELLS; i++) {
    int j = i + cells;
    if (j < 0 || j >= CELLS || !(mass[i] > 0)) continue;
    worst = fmax(worst, mass[j] > 0 ? log(mass[i] / mass[j]) : INFINITY);
  }
  return worst;
}

static size_t check_shifts(const struct law_case *c) {
  struct terms ts;
  double mass[CELLS];
  term_id terms[MAX_ARGS];
  size_t paid = 0;
  double spread = (double)c->numerator[1] / c->denominator[1];
  terms_init(&ts);
  argument_terms(&ts, c, terms);
  cell_masses(c, mass);
  for (int shift = -2; shift <= 2; shift++) {
    struct shift_cost s = dist_shift_cost(&ts, notion_pure(), c->kind, terms, terms, c->count,
                                          (struct shift){term_int(&ts, shift), TERM_NONE, false});
    double loss = worst_loss(mass, dist_is_integer(c->kind) ? shift : PER_UNIT * shift);
    if (truth_of(&ts, s.side) == 1) {
      double cost = value_of(&ts, s.cost);
      if (!(loss <= cost + 1e-9 && loss >= 0.95 * cost - 1e-9))
        fail_msg("%s: shift %d costs %g, the loss is %g", dist_get(c->kind)->name, shift, cost,
                 loss);
      paid += cost > 0;
    } else { /* refused, and no price in proportion to the shift would do */
      assert_int_equal(truth_of(&ts, s.side), 0);
      assert_true(shift != 0);
      if (!(loss > 1.4 * abs(shift) / spread))
        fail_msg("%s: shift %d is refused, but loses only %g", dist_get(c->kind)->name, shift,
                 loss);
    }
  }
  terms_clear(&ts);
  return paid;
}

static bool can_shift(enum dist_kind kind) {
  struct terms ts;
  terms_init(&ts);
  bool can = dist_can_shift(&ts, notion_pure(), kind);
  terms_clear(&ts);
  return can;
}

static void shifts_cost_what_they_lose(void **state) {
  (void)state;
  for (int kind = 0; kind < DIST_COUNT; kind++) {
    enum shift_way way = dist_shift_way(kind);
    if (way == SHIFT_NEVER) continue;
    struct law_case c = {kind, 2, {0, 2}, {1, 1}};
    size_t paid = check_shifts(&c);
    bool can = can_shift(kind);
    assert_int_equal(paid, !can ? 0 : way == SHIFT_BOTH ? 4 : 2);
    assert_true(dist_is_centred(kind) ? way != SHIFT_ALONG : !can && way == SHIFT_ALONG);
    c.numerator[1] = 1;
    if (dist_is_centred(kind)) check_shifts(&c);
  }
}

/* With other locations only the difference counts: moving along costs nothing, a bound is paid in
 * full and must cover the distance, unequal spreads are refused. */
static void shifts_are_relative(void **state) {
  (void)state;
  struct terms ts;
  terms_init(&ts);
  for (int kind = 0; kind < DIST_COUNT; kind++) {
    if (!dist_is_centred(kind)) continue;
    term_id one[] = {term_int(&ts, 1), term_int(&ts, 2)};
    term_id two[] = {term_int(&ts, 4), term_int(&ts, 2)};
    term_id wide[] = {term_int(&ts, 4), term_int(&ts, 3)};
    term_id three = term_int(&ts, 3), five = term_int(&ts, 5);
    struct shift_cost s = dist_shift_cost(&ts, notion_pure(), kind, one, two, 2,
                                          (struct shift){three, TERM_NONE, false});
    assert_int_equal(truth_of(&ts, s.side), 1);
    assert_true(value_of(&ts, s.cost) == 0);
    s = dist_shift_cost(&ts, notion_pure(), kind, one, wide, 2,
                        (struct shift){three, TERM_NONE, false});
    assert_int_equal(truth_of(&ts, s.side), 0);
    s = dist_shift_cost(&ts, notion_pure(), kind, one, two, 2,
                        (struct shift){five, TERM_NONE, false});
    assert_int_equal(truth_of(&ts, s.side), can_shift(kind));
    if (!can_shift(kind)) continue;
    assert_true(fabs(value_of(&ts, s.cost) - 1) < 1e-12);
    s = dist_shift_cost(&ts, notion_pure(), kind, one, two, 2,
                        (struct shift){five, term_int(&ts, 1), false});
    assert_int_equal(truth_of(&ts, s.side), 0);
    s = dist_shift_cost(&ts, notion_pure(), kind, one, two, 2, (struct shift){five, three, false});
    assert_int_equal(truth_of(&ts, s.side), 1);
    assert_true(fabs(value_of(&ts, s.cost) - 1.5) < 1e-12);
    /* integers move by integers */
    s = dist_shift_cost(&ts, notion_pure(), kind, one, two, 2,
                        (struct shift){term_rat(&ts, 7, 2), TERM_NONE, false});
    assert_int_equal(s.cost == TERM_NONE, dist_is_integer(kind));
  }
  terms_clear(&ts);
}

/* ---- names -------------------------------------------------------------------------------------- */

static void rows_are_found_by_name(void **state) {
  (void)state;
  for (int kind = 0; kind < DIST_COUNT; kind++) {
    const struct dist_info *info = dist_get(kind), *first = dist_find(info->name);
    assert_int_equal(info->kind, kind);
    assert_non_null(first);
    if (info->parameters == PARAMETERS_ITEMS)
      assert_ptr_equal(dist_find_items(info->name), info);
    else
      assert_ptr_equal(first, info);
    assert_true(strlen(info->help) > 0);
    assert_int_equal(info->location != NULL, info->parameters == PARAMETERS_CENTRED);
  }
  assert_null(dist_find("Laplace"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_found_by_name),
                                     cmocka_unit_test(parameters_are_checked_everywhere),
                                     cmocka_unit_test(sampler_engine_and_terms_agree),
                                     cmocka_unit_test(tails_are_bounded_tightly),
                                     cmocka_unit_test(shifts_cost_what_they_lose),
                                     cmocka_unit_test(shifts_are_relative)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
