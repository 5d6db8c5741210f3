/* Path and output probabilities against a simulator written here from the model's definition,
 * against closed forms, and against the law of total probability. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check/counterexample/probability.h"
#include "testlib.h"

static const struct ball_goal TEN_DIGITS = {.digits = 10};

/* ---- random automata that never get stuck ---------------------------------------------------- */

static uint32_t make_guard(struct automaton *a, const uint32_t *vars, size_t count,
                           unsigned outcome) {
  literal literals[4];
  for (size_t v = 0; v < count; v++)
    literals[v] = outcome >> v & 1 ? literal_greater(vars[v]) : literal_less(vars[v]);
  return automaton_guard(a, literals, count);
}

/* `vars` variables, all assigned in the first states; every later state splits on the outcomes of
 * its comparisons. With `distinct` symbols the output tells the edge. */
static void random_automaton(struct automaton *a, struct rng *rng, uint32_t vars, bool independent,
                             bool distinct) {
  automaton_init(a);
  a->independent = independent;
  uint32_t states = vars + 1 + (uint32_t)rng_below(rng, 3);
  for (uint32_t v = 0; v < vars; v++) {
    char name[16];
    snprintf(name, sizeof name, "x%u", v);
    automaton_var(a, name, strlen(name));
  }
  for (uint32_t s = 0; s < states; s++)
    automaton_state(a, NULL, 0, span_none());
  for (uint32_t s = 0; s < states; s++) {
    bool has_prime = rng_chance(rng, 1, 3);
    automaton_noise(a, s, rng_chance(rng, 2, 3), automaton_ratio(a, rng_range(rng, 1, 3), 2),
                    automaton_ratio(a, rng_range(rng, -1, 1), 1),
                    has_prime ? automaton_ratio(a, 1, rng_below(rng, 2) + 1) : AUTOMATON_NONE,
                    has_prime ? automaton_ratio(a, 1, 2) : AUTOMATON_NONE);
    uint32_t compared[3], assigned[3];
    size_t count = 0, assigns = 0;
    if (s >= vars)
      for (uint32_t v = 0; v < vars; v++)
        if (rng_chance(rng, 1, vars) || (v + 1 == vars && count == 0)) compared[count++] = v;
    for (unsigned outcome = 0; outcome >> count == 0; outcome++) {
      char symbol[16];
      snprintf(symbol, sizeof symbol, "o%u", distinct ? outcome : (unsigned)rng_below(rng, 2));
      struct automaton_edge edge = {.from = s};
      edge.guard = make_guard(a, compared, count, outcome);
      edge.to = s < vars ? s + 1 : (uint32_t)(vars + rng_below(rng, states - vars));
      edge.emit = automaton_symbol(a, symbol, strlen(symbol));
      if (count == 0 && rng_chance(rng, 1, 4)) edge.emit = EMIT_INSAMPLE;
      if (outcome == 0 && has_prime) edge.emit = EMIT_PRIME;
      assigns = 0;
      if (s < vars) assigned[assigns++] = s;
      if (s >= vars && rng_chance(rng, 1, 5)) assigned[assigns++] = (uint32_t)rng_below(rng, vars);
      edge.assign = automaton_set(a, assigned, assigns);
      automaton_edge(a, edge, span_none());
    }
  }
  a->start = 0;
  automaton_finish(a);
}

/* ---- a simulator ----------------------------------------------------------------------------- */

static double uniform(struct rng *rng) {
  return ((double)(rng_next(rng) >> 11) + 0.5) / 9007199254740992.0;
}

static double laplace(struct rng *rng, double centre, double scale) {
  double u = uniform(rng), magnitude = -scale * log(uniform(rng));
  return u < 0.5 ? centre - magnitude : centre + magnitude;
}

struct outcome {
  uint32_t edge;
  double real; /* what it emitted, if a number */
};

/* One run of n steps from the start; returns the number of steps taken. */
static size_t simulate(const struct automaton *a, struct rng *rng, const double *inputs, double eps,
                       size_t n, struct outcome *run) {
  double value[8] = {0};
  uint32_t state = a->start;
  for (size_t i = 0; i < n; i++) {
    const struct automaton_state *s = &a->states.at[state];
    if (s->is_final) return i;
    double in = s->is_input ? inputs[i] : 0;
    double mean = fmpq_get_d(automaton_value(a, s->mean)), d = fmpq_get_d(automaton_value(a, s->d));
    double sample[8];
    for (size_t v = 0; v < a->vars.len || v == 0; v++)
      sample[v] = v && !a->independent ? sample[0] : laplace(rng, in + mean, 1 / (d * eps));
    uint32_t taken = AUTOMATON_NONE;
    for (uint32_t e = a->first_edge.at[state]; e < a->first_edge.at[state + 1]; e++) {
      struct automaton_range g = a->guards.at[a->edges.at[e].guard];
      for (uint32_t c = g.begin; c < g.end && taken == AUTOMATON_NONE; c++) {
        bool holds = true;
        for (uint32_t k = a->cubes.at[c].begin; k < a->cubes.at[c].end; k++) {
          literal l = a->literals.at[k];
          uint32_t v = literal_var(l);
          holds = holds && (literal_is_less(l) ? sample[v] < value[v] : sample[v] >= value[v]);
        }
        if (holds) taken = e;
      }
    }
    if (taken == AUTOMATON_NONE) return i;
    const struct automaton_edge *edge = &a->edges.at[taken];
    run[i] = (struct outcome){taken, sample[0]};
    if (edge->emit == EMIT_PRIME)
      run[i].real = laplace(rng, in + fmpq_get_d(automaton_value(a, s->mean2)),
                            1 / (eps * fmpq_get_d(automaton_value(a, s->d2))));
    struct members assigned = automaton_members(a, edge->assign);
    if (a->independent && assigned.count == 1 && edge->emit == EMIT_INSAMPLE)
      run[i].real = sample[assigned.at[0]];
    for (size_t k = 0; k < assigned.count; k++)
      value[assigned.at[k]] = sample[assigned.at[k]];
    state = edge->to;
  }
  return n;
}

/* ---- tests ----------------------------------------------------------------------------------- */

enum { STEPS = 5, RUNS = 8000 };

static void check_against_runs(const struct automaton *a, struct rng *rng) {
  double inputs[STEPS];
  struct outcome guide[STEPS], run[STEPS];
  struct automaton_query query;
  automaton_query_init(&query, a, true);
  fmpq_set_si(query.eps, rng_range(rng, 1, 3), 2);
  for (size_t i = 0; i < STEPS; i++)
    inputs[i] = rng_range(rng, -2, 2) / 2.0;
  /* look at a path that some run takes, and at windows around what it emits */
  assert_int_equal(simulate(a, rng, inputs, fmpq_get_d(query.eps), STEPS, guide), STEPS);
  for (size_t i = 0; i < STEPS; i++) {
    struct automaton_step *step = automaton_query_push(&query, guide[i].edge);
    fmpq_set_si(step->input, (slong)(inputs[i] * 2), 2);
    uint32_t emit = a->edges.at[guide[i].edge].emit;
    if ((emit == EMIT_INSAMPLE || emit == EMIT_PRIME) && rng_chance(rng, 3, 4)) {
      step->event.kind = EVENT_WINDOW;
      if (rng_chance(rng, 2, 3)) {
        step->event.low.side = 0;
        fmpq_set_si(step->event.low.at, (slong)floor(guide[i].real), 1);
      }
      if (rng_chance(rng, 2, 3)) {
        step->event.high.side = 0;
        fmpq_set_si(step->event.high.at, (slong)ceil(guide[i].real), 1);
      }
    }
  }
  struct probability p;
  probability_init(&p);
  automaton_probability(&p, &query, TEN_DIGITS);
  assert_int_equal(p.status, PROBABILITY_OK);
  assert_true(ball_digits(p.value) >= 10);
  size_t hits = 0;
  for (size_t r = 0; r < RUNS; r++) {
    bool hit = simulate(a, rng, inputs, fmpq_get_d(query.eps), STEPS, run) == STEPS;
    for (size_t i = 0; i < STEPS && hit; i++) {
      const struct automaton_event *event = &query.steps.at[i].event;
      hit = run[i].edge == guide[i].edge &&
            (event->low.side || run[i].real >= fmpq_get_d(event->low.at)) &&
            (event->high.side || run[i].real < fmpq_get_d(event->high.at));
    }
    hits += hit;
  }
  double exact = arf_get_d(arb_midref(p.value), ARF_RND_NEAR), seen = (double)hits / RUNS;
  double deviation = sqrt(exact * (1 - exact) / RUNS);
  assert_true(fabs(exact - seen) < 5 * deviation + 1.0 / RUNS);
  probability_clear(&p);
  automaton_query_clear(&query);
}

static void paths_agree_with_the_simulator(void **state) {
  (void)state;
  struct rng rng = rng_seeded(21);
  for (size_t round = 0; round < test_rounds(30); round++) {
    struct automaton a;
    random_automaton(&a, &rng, 1 + (uint32_t)rng_below(&rng, 3), round % 3 == 0, true);
    check_against_runs(&a, &rng);
    automaton_clear(&a);
  }
}

/* All sequences of what a state can emit, of a fixed length. */
static void add_outputs(arb_t sum, struct automaton_query *query, const fmpq *inputs, size_t depth,
                        size_t length) {
  const struct automaton *a = query->automaton;
  if (depth == length) {
    struct probability p;
    probability_init(&p);
    automaton_probability(&p, query, TEN_DIGITS);
    assert_int_equal(p.status, PROBABILITY_OK);
    arb_add(sum, sum, p.value, 200);
    probability_clear(&p);
    return;
  }
  for (uint32_t what = 0; what <= a->symbols.len; what++) {
    struct automaton_step *step =
        automaton_query_push(query, what == a->symbols.len ? OUTPUT_REAL : what);
    fmpq_set(step->input, inputs + depth);
    add_outputs(sum, query, inputs, depth + 1, length);
    struct automaton_step gone = vec_pop(&query->steps);
    fmpq_clear(gone.input);
    line_end_clear(&gone.event.low);
    line_end_clear(&gone.event.high);
  }
}

static void outputs_of_one_length_sum_to_one(void **state) {
  (void)state;
  struct rng rng = rng_seeded(22);
  for (size_t round = 0; round < test_rounds(12); round++) {
    struct automaton a;
    struct automaton_query query;
    fmpq inputs[5];
    arb_t sum;
    uint32_t vars = 1 + (uint32_t)rng_below(&rng, 2);
    random_automaton(&a, &rng, vars, round % 4 == 0, rng_chance(&rng, 1, 2));
    automaton_query_init(&query, &a, false);
    arb_init(sum);
    for (size_t i = 0; i < 5; i++) {
      fmpq_init(inputs + i);
      fmpq_set_si(inputs + i, rng_range(&rng, -2, 2), rng_below(&rng, 2) + 1);
    }
    add_outputs(sum, &query, inputs, 0, vars + 2);
    assert_true(arb_contains_si(sum, 1));
    assert_true(mag_cmp_2exp_si(arb_radref(sum), -25) < 0);
    for (size_t i = 0; i < 5; i++)
      fmpq_clear(inputs + i);
    arb_clear(sum);
    automaton_query_clear(&query);
    automaton_clear(&a);
  }
}

/* svt: x ~ Lap(0, 1/(d eps)), then n queries below: sum over k of the binomial expansion. */
static void svt(struct automaton *a, slong threshold_d, ulong threshold_n, slong query_d,
                ulong query_n) {
  automaton_init(a);
  uint32_t x = automaton_var(a, "x", 1), assigned[1] = {x};
  literal below[1] = {literal_less(x)}, above[1] = {literal_greater(x)};
  for (int s = 0; s < 3; s++)
    automaton_state(a, NULL, 0, span_none());
  automaton_noise(a, 0, false, automaton_ratio(a, threshold_d, threshold_n), 0, AUTOMATON_NONE,
                  AUTOMATON_NONE);
  automaton_noise(a, 1, true, automaton_ratio(a, query_d, query_n), 0, AUTOMATON_NONE,
                  AUTOMATON_NONE);
  automaton_edge(a,
                 (struct automaton_edge){0, 1, 0, automaton_set(a, assigned, 1),
                                         automaton_symbol(a, "start", 5)},
                 span_none());
  automaton_edge(
      a,
      (struct automaton_edge){1, 1, automaton_guard(a, below, 1), 0, automaton_symbol(a, "bot", 3)},
      span_none());
  automaton_edge(
      a,
      (struct automaton_edge){1, 2, automaton_guard(a, above, 1), 0, automaton_symbol(a, "top", 3)},
      span_none());
  a->start = 0;
  automaton_finish(a);
}

/* Equal noise everywhere: the threshold is the greatest of n+1 with probability 1/(n+1), and the
 * last of n queries is the first above it with probability 1/n - 1/(n+1). */
static void svt_closed_form(void **state) {
  (void)state;
  struct automaton a;
  svt(&a, 3, 4, 3, 4);
  for (uint32_t n = 1; n < 250; n += n < 4 ? 1 : 80) {
    struct automaton_query query;
    struct probability p;
    fmpq_t expected;
    fmpq_init(expected);
    automaton_query_init(&query, &a, true);
    probability_init(&p);
    automaton_query_push(&query, 0);
    for (uint32_t i = 0; i < n; i++)
      automaton_query_push(&query, 1);
    automaton_probability(&p, &query, TEN_DIGITS);
    fmpq_set_si(expected, 1, n + 1);
    assert_int_equal(p.status, PROBABILITY_OK);
    assert_true(arb_contains_fmpq(p.value, expected));
    query.steps.at[n].what = 2;
    probability_clear(&p);
    probability_init(&p);
    automaton_probability(&p, &query, TEN_DIGITS);
    fmpq_set_si(expected, 1, (ulong)n * (n + 1));
    assert_true(arb_contains_fmpq(p.value, expected));
    probability_clear(&p);
    automaton_query_clear(&query);
    fmpq_clear(expected);
  }
  automaton_clear(&a);
}

/* A window cut into two adds up; a thin window approaches its width times the density. */
static void windows_and_densities(void **state) {
  (void)state;
  struct rng rng = rng_seeded(23);
  for (size_t round = 0; round < test_rounds(40); round++) {
    struct automaton a;
    automaton_init(&a);
    uint32_t x = automaton_var(&a, "x", 1), assigned[1] = {x};
    literal guard[1] = {rng_chance(&rng, 1, 2) ? literal_less(x) : literal_greater(x)};
    for (int s = 0; s < 3; s++) {
      automaton_state(&a, NULL, 0, span_none());
      automaton_noise(&a, (uint32_t)s, true, automaton_ratio(&a, rng_range(&rng, 1, 3), 2), 0,
                      automaton_ratio(&a, 1, 1), 0);
    }
    uint32_t set = automaton_set(&a, assigned, 1);
    uint32_t first = rng_chance(&rng, 1, 3) ? EMIT_PRIME : EMIT_INSAMPLE;
    automaton_edge(&a, (struct automaton_edge){0, 1, 0, set, first}, span_none());
    automaton_edge(&a,
                   (struct automaton_edge){1, 2, automaton_guard(&a, guard, 1), set, EMIT_INSAMPLE},
                   span_none());
    a.start = 0;
    automaton_finish(&a);
    struct automaton_query query;
    struct probability p[4];
    automaton_query_init(&query, &a, true);
    fmpq_t points[3];
    slong seen = rng_range(&rng, -2, 2);
    for (uint32_t i = 0; i < 2; i++)
      fmpq_set_si(automaton_query_push(&query, i)->input, rng_range(&rng, -1, 1), 1);
    for (int k = 0; k < 3; k++) { /* v < v + 10^-6 < v + 3*10^-6: the third is the density at v */
      fmpq_init(points[k]);
      fmpq_set_si(points[k], seen * 1000000 + (k == 2 ? 3 : k), 1000000);
    }
    struct automaton_event *event = &query.steps.at[round % 2].event;
    event->low.side = event->high.side = 0;
    for (int k = 0; k < 4; k++) {
      probability_init(&p[k]);
      event->kind = k == 3 ? EVENT_VALUE : EVENT_WINDOW;
      fmpq_set(event->low.at, points[k == 1 ? 1 : 0]);
      fmpq_set(event->high.at, points[k == 0 ? 1 : 2]);
      automaton_probability(&p[k], &query, TEN_DIGITS);
      assert_int_equal(p[k].status, PROBABILITY_OK);
      assert_int_equal(p[k].dimension, k == 3);
    }
    arb_t sum;
    arb_init(sum);
    arb_add(sum, p[0].value, p[1].value, 200);
    assert_true(arb_overlaps(sum, p[2].value));
    double density = arf_get_d(arb_midref(p[3].value), ARF_RND_NEAR);
    double window = arf_get_d(arb_midref(p[2].value), ARF_RND_NEAR) / 3e-6;
    assert_true(density > 0 && fabs(density / window - 1) < 1e-4);
    arb_clear(sum);
    for (int k = 0; k < 4; k++)
      probability_clear(&p[k]);
    for (int k = 0; k < 3; k++)
      fmpq_clear(points[k]);
    automaton_query_clear(&query);
    automaton_clear(&a);
  }
}

/* Disjunctive guards, independent noise: the edge and its complement add up to 1, and de Morgan. */
static void disjunctions_split_into_cases(void **state) {
  (void)state;
  struct automaton a;
  automaton_init(&a);
  a.independent = true;
  uint32_t x = automaton_var(&a, "x", 1), y = automaton_var(&a, "y", 1), xs[1] = {x}, ys[1] = {y};
  literal either[2] = {literal_less(x), literal_less(y)};
  literal both[2] = {literal_greater(x), literal_greater(y)};
  size_t sizes[2] = {1, 1};
  for (int s = 0; s < 3; s++) {
    automaton_state(&a, NULL, 0, span_none());
    automaton_noise(&a, (uint32_t)s, true, automaton_ratio(&a, s + 1, 2), 0, AUTOMATON_NONE,
                    AUTOMATON_NONE);
  }
  uint32_t o = automaton_symbol(&a, "o", 1), t = automaton_symbol(&a, "t", 1);
  automaton_edge(&a, (struct automaton_edge){0, 1, 0, automaton_set(&a, xs, 1), o}, span_none());
  automaton_edge(&a, (struct automaton_edge){1, 2, 0, automaton_set(&a, ys, 1), o}, span_none());
  automaton_edge(&a, (struct automaton_edge){2, 2, automaton_guard_dnf(&a, either, sizes, 2), 0, o},
                 span_none());
  automaton_edge(&a, (struct automaton_edge){2, 2, automaton_guard(&a, both, 2), 0, t},
                 span_none());
  a.start = 0;
  automaton_finish(&a);
  arb_t sum;
  arb_init(sum);
  struct rng rng = rng_seeded(24);
  for (unsigned outcome = 0; outcome < 4; outcome++) {
    struct automaton_query query;
    struct probability p;
    automaton_query_init(&query, &a, false);
    probability_init(&p);
    struct rng again = rng;
    for (uint32_t i = 0; i < 4; i++)
      fmpq_set_si(automaton_query_push(&query, i < 2                    ? o
                                               : outcome >> (i - 2) & 1 ? t
                                                                        : o)
                      ->input,
                  rng_range(&again, -1, 1), 1);
    automaton_probability(&p, &query, TEN_DIGITS);
    assert_int_equal(p.status, PROBABILITY_OK);
    assert_int_equal(p.paths, 1);
    arb_add(sum, sum, p.value, 200);
    probability_clear(&p);
    automaton_query_clear(&query);
  }
  assert_true(arb_contains_si(sum, 1));
  assert_true(mag_cmp_2exp_si(arb_radref(sum), -25) < 0);
  arb_clear(sum);
  for (size_t round = 0; round < 3; round++)
    check_against_runs(&a, &rng);
  automaton_clear(&a);
}

static void nonsense_is_refused(void **state) {
  (void)state;
  struct automaton a;
  svt(&a, 1, 1, 1, 1);
  struct automaton_query query;
  struct probability p;
  automaton_query_init(&query, &a, true);
  automaton_query_push(&query, 1); /* does not start at the start */
  probability_init(&p);
  automaton_probability(&p, &query, TEN_DIGITS);
  assert_int_equal(p.status, PROBABILITY_INVALID);
  assert_string_equal(p.why, "step 1 is not an edge of state q0");
  assert_false(arb_is_finite(p.value));
  probability_clear(&p);
  query.steps.at[0].what = 0;
  query.steps.at[0].event.kind = EVENT_WINDOW;
  probability_init(&p);
  automaton_probability(&p, &query, TEN_DIGITS);
  assert_int_equal(p.status, PROBABILITY_INVALID);
  probability_clear(&p);
  query.steps.at[0].event.kind = EVENT_ANY;
  fmpq_zero(query.eps);
  probability_init(&p);
  automaton_probability(&p, &query, TEN_DIGITS);
  assert_int_equal(p.status, PROBABILITY_INVALID);
  probability_clear(&p);
  automaton_query_clear(&query);
  automaton_clear(&a);
}

static void unassigned_variables_are_refused(void **state) {
  (void)state;
  struct automaton a;
  automaton_init(&a);
  uint32_t x = automaton_var(&a, "x", 1);
  literal below[1] = {literal_less(x)};
  automaton_state(&a, NULL, 0, span_none());
  automaton_noise(&a, 0, true, automaton_ratio(&a, 1, 1), 0, AUTOMATON_NONE, AUTOMATON_NONE);
  uint32_t o = automaton_symbol(&a, "o", 1);
  automaton_edge(&a, (struct automaton_edge){0, 0, automaton_guard(&a, below, 1), 0, o},
                 span_none());
  a.start = 0;
  automaton_finish(&a);
  struct automaton_query query;
  struct probability p;
  automaton_query_init(&query, &a, false);
  automaton_query_push(&query, o);
  probability_init(&p);
  automaton_probability(&p, &query, TEN_DIGITS);
  assert_int_equal(p.status, PROBABILITY_INVALID);
  assert_string_equal(p.why, "step 1 compares with 'x', which has no value yet");
  assert_false(arb_is_finite(p.value));
  probability_clear(&p);
  automaton_query_clear(&query);
  automaton_clear(&a);
}

/* Overlapping guards: the first edge wins, as in the simulator, and outputs still sum to 1. */
static void overlapping_edges_have_priority(void **state) {
  (void)state;
  struct rng rng = rng_seeded(25);
  {
    struct automaton a;
    automaton_init(&a);
    uint32_t x = automaton_var(&a, "x", 1), y = automaton_var(&a, "y", 1), xs[1] = {x}, ys[1] = {y};
    literal first[1] = {literal_less(x)}, second[1] = {literal_less(y)};
    for (uint32_t s = 0; s < 3; s++) {
      automaton_state(&a, NULL, 0, span_none());
      automaton_noise(&a, s, true, automaton_ratio(&a, 1, s + 1), 0, AUTOMATON_NONE,
                      AUTOMATON_NONE);
    }
    uint32_t o = automaton_symbol(&a, "o", 1), t = automaton_symbol(&a, "t", 1);
    automaton_edge(&a, (struct automaton_edge){0, 1, 0, automaton_set(&a, xs, 1), o}, span_none());
    automaton_edge(&a, (struct automaton_edge){1, 2, 0, automaton_set(&a, ys, 1), o}, span_none());
    automaton_edge(&a, (struct automaton_edge){2, 2, automaton_guard(&a, first, 1), 0, o},
                   span_none());
    automaton_edge(&a, (struct automaton_edge){2, 2, automaton_guard(&a, second, 1), 0, t},
                   span_none());
    automaton_edge(&a, (struct automaton_edge){2, 2, 0, 0, EMIT_INSAMPLE}, span_none());
    a.start = 0;
    automaton_finish(&a);
    {
      struct automaton_query query;
      arb_t sum;
      fmpq inputs[4];
      arb_init(sum);
      automaton_query_init(&query, &a, false);
      for (size_t i = 0; i < 4; i++) {
        fmpq_init(inputs + i);
        fmpq_set_si(inputs + i, rng_range(&rng, -1, 1), 1);
      }
      add_outputs(sum, &query, inputs, 0, 4);
      assert_true(arb_contains_si(sum, 1));
      for (size_t i = 0; i < 4; i++)
        fmpq_clear(inputs + i);
      arb_clear(sum);
      automaton_query_clear(&query);
      for (int round = 0; round < 5; round++)
        check_against_runs(&a, &rng);
    }
    automaton_clear(&a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_agree_with_the_simulator),
      cmocka_unit_test(outputs_of_one_length_sum_to_one),
      cmocka_unit_test(svt_closed_form),
      cmocka_unit_test(windows_and_densities),
      cmocka_unit_test(disjunctions_split_into_cases),
      cmocka_unit_test(nonsense_is_refused),
      cmocka_unit_test(unassigned_variables_are_refused),
      cmocka_unit_test(overlapping_edges_have_priority),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
