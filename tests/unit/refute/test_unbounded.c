/* Losses that grow without bound although guards are disjunctions: what the analysis on two scales
 * says is confirmed by certified counterexamples, and never said where a shift coupling exists. */
#include "automata/decide/automata.h"
#include "check/automaton/classify.h"
#include "disjunctive_gen.h"
#include "search/refute/automaton_far.h"
#include "testlib.h"

/* ---- one automaton, two noises ------------------------------------------------------------------
 */

/* docs/disjunctions.md: rounds of `insample < x or insample < y`, one of neither, rounds of
 * `insample >= x`; d of x and of all other states. */
static void two_loops(struct automaton *a, slong d_of_x, slong d) {
  automaton_init(a);
  a->independent = true;
  uint32_t x = automaton_var(a, "x", 1), y = automaton_var(a, "y", 1), xs[1] = {x}, ys[1] = {y};
  literal either[2] = {literal_less(x), literal_less(y)}, g = literal_greater(x);
  literal neither[2] = {literal_greater(x), literal_greater(y)};
  size_t sizes[2] = {1, 1};
  uint32_t symbol[3] = {automaton_symbol(a, "s", 1), automaton_symbol(a, "t", 1),
                        automaton_symbol(a, "u", 1)};
  for (uint32_t s = 0; s < 4; s++) {
    automaton_state(a, NULL, 0, span_none());
    automaton_noise(a, s, s > 1, automaton_ratio(a, s == 0 ? d_of_x : d, 1), 0, AUTOMATON_NONE,
                    AUTOMATON_NONE);
  }
  uint32_t first = automaton_guard_dnf(a, either, sizes, 2);
  uint32_t middle = automaton_guard(a, neither, 2), last = automaton_guard(a, &g, 1);
  struct automaton_edge edges[] = {{0, 1, 0, automaton_set(a, xs, 1), symbol[0]},
                                   {1, 2, 0, automaton_set(a, ys, 1), symbol[0]},
                                   {2, 2, first, 0, symbol[1]},
                                   {2, 3, middle, 0, symbol[2]},
                                   {3, 3, last, 0, symbol[1]}};
  for (size_t i = 0; i < 5; i++)
    automaton_edge(a, edges[i], span_none());
  a->start = 0;
  automaton_finish(a);
}

static bool is_refuted(const struct automaton *a, const struct automaton_result *r, slong cost,
                       double seconds) {
  struct automaton_counterexample ce;
  struct budget budget = budget_of_seconds(seconds);
  fmpq_t d;
  fmpq_init(d);
  fmpq_set_si(d, cost, 1);
  automaton_counterexample_init(&ce, a);
  bool ok = far_refute(&ce, a, &r->far_walk, &r->far, d, &budget);
  assert_true(!ok || ce.is_certified);
  automaton_counterexample_clear(&ce);
  fmpq_clear(d);
  return ok;
}

static void the_noise_decides(void **state) {
  (void)state;
  static const struct {
    slong x, others;
    bool unbounded;
  } cases[] = {{1, 1, false}, {2, 2, false}, {1, 2, true}, {2, 3, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct automaton a;
    struct automaton_result r;
    two_loops(&a, cases[i].x, cases[i].others);
    automaton_analyse(&r, &a);
    assert_int_equal(r.verdict, AUTOMATON_NOT_PRIVATE); /* by shifts */
    assert_int_equal(r.is_unbounded, cases[i].unbounded);
    if (r.is_unbounded) assert_true(is_refuted(&a, &r, 8, 20));
    automaton_result_clear(&r);
    automaton_clear(&a);
  }
}

/* ---- random automata ----------------------------------------------------------------------------
 */

static const struct disjunctive_options OPTIONS = {4, 2, 8, 10, 35};

static void losses_are_certified(void **state) {
  (void)state;
  struct rng rng = rng_seeded(41);
  size_t without = 0, unbounded = 0, certified = 0, more = 0, looked_at = 0;
  for (size_t i = 0; i < test_rounds(1000); i++) {
    struct automaton a;
    struct automaton_result r;
    struct class_report report;
    disjunctive_gen(&a, &rng, &OPTIONS);
    assert_true(automaton_classify(&report, &a, NULL));
    automaton_analyse(&r, &a);
    if (!report.in_class && r.verdict == AUTOMATON_NOT_PRIVATE) {
      without++;
      unbounded += r.is_unbounded;
      if (r.is_unbounded && i < test_rounds(80)) {
        looked_at++;
        bool ok = is_refuted(&a, &r, 1, 2);
        certified += ok;
        more += ok && is_refuted(&a, &r, 4, 1);
      }
    }
    automaton_result_clear(&r);
    automaton_clear(&a);
  }
  print_message("%zu automata without a shift coupling, %zu unbounded; of %zu, %zu refuted, %zu at "
                "cost 4\n",
                without, unbounded, looked_at, certified, more);
  assert_true(unbounded * 10 > without * 9);
  /* the machine may be busy */
  assert_true(certified * 10 > looked_at * 6 && more * 10 > looked_at * 3);
}

/* A random path with up to two cycles, repeated edges and all. */
static bool random_walk(struct walk *w, const struct automaton *a, struct rng *rng) {
  uint32_t state = a->start;
  for (size_t n = 0; n < 8; n++) {
    uint32_t first = a->first_edge.at[state], count = a->first_edge.at[state + 1] - first;
    if (count == 0) break;
    uint32_t e = first + (uint32_t)rng_below(rng, count);
    bool loops = a->edges.at[e].to == state && w->cycle_count < 2;
    vec_push(&w->steps, (struct walk_step){e, loops ? ++w->cycle_count : 0});
    state = a->edges.at[e].to;
  }
  return w->cycle_count > 0;
}

static void never_against_a_shift_coupling(void **state) {
  (void)state;
  struct rng rng = rng_seeded(42);
  size_t coupled = 0, unbounded = 0;
  for (size_t i = 0; i < test_rounds(4000); i++) {
    struct automaton a;
    struct walk w;
    disjunctive_gen(&a, &rng, &OPTIONS);
    walk_init(&w);
    struct unbounded_problem *p = random_walk(&w, &a, &rng) ? unbounded_open(&a, &w) : NULL;
    for (size_t k = 0; p && k < 12; k++) {
      struct unbounded in = {.count = w.steps.len};
      bool leans = rng_chance(&rng, 1, 2);
      for (size_t s = 0; s < in.count; s++) {
        if (!a.states.at[a.edges.at[w.steps.at[s].edge].from].is_input) continue;
        in.level[s] = (int8_t)rng_range(&rng, -1, 1);
        if (!w.steps.at[s].cycle) continue;
        in.delta[s] = (int8_t)(rng_chance(&rng, 1, 2) ? 1 : -1);
        if (leans) in.lean[s] = (int8_t)(rng_chance(&rng, 1, 2) ? 1 : -1);
      }
      bool has_shifts = unbounded_has_shifts(p, &in), is_unbounded = unbounded_at(p, &in);
      coupled += has_shifts;
      unbounded += is_unbounded;
      assert_false(has_shifts && is_unbounded);
    }
    unbounded_close(p);
    walk_clear(&w);
    automaton_clear(&a);
  }
  print_message("%zu inputs with a shift coupling, %zu with unbounded losses\n", coupled,
                unbounded);
  assert_true(coupled > 100 && unbounded > 20);
}

/* Walks that are none, and inputs that are none, show nothing. */
static void nonsense_is_refused(void **state) {
  (void)state;
  struct automaton a;
  struct automaton_result r;
  two_loops(&a, 1, 2);
  automaton_analyse(&r, &a);
  assert_true(r.is_unbounded);
  struct unbounded_problem *p = unbounded_open(&a, &r.far_walk);
  assert_non_null(p);
  assert_true(unbounded_at(p, &r.far));
  for (size_t i = 0; i < r.far.count; i++) {
    struct unbounded in = r.far;
    in.level[i] = 2;
    assert_false(unbounded_at(p, &in));
    in = r.far;
    in.count--;
    assert_false(unbounded_at(p, &in));
    in = r.far;
    /* both loops move the same way: no squeeze */
    in.delta[i] = (int8_t)(r.far_walk.steps.at[i].cycle ? -in.delta[i] : 3);
    assert_false(unbounded_at(p, &in));
  }
  unbounded_close(p);
  r.far_walk.steps.at[0].edge = 1;
  assert_null(unbounded_open(&a, &r.far_walk));
  automaton_result_clear(&r);
  automaton_clear(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_noise_decides),
      cmocka_unit_test(losses_are_certified),
      cmocka_unit_test(never_against_a_shift_coupling),
      cmocka_unit_test(nonsense_is_refused),
  };
  return cmocka_run_group_tests_name("unbounded", tests, NULL, NULL);
}
