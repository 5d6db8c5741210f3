/* A second decision procedure for one variable: the four graph conditions of Coupling strategies, section
 * 6.3, on plain reachability. It shares no code with src/automata and must agree with it.
 * ctest-label: release */
#include "testlib.h"

#include <string.h>

#include "automata/decide/approx.h"
#include "automata/decide/automata.h"
#include "automaton_gen.h"
#include "out/automaton_text.h"

enum { MAX = 12 };

struct wf {
  const struct automaton *a;
  unsigned n;
  bool reach[MAX][MAX]; /* by one or more edges */
  bool start[MAX];      /* reachable from the start */
};

static bool has(const struct wf *w, const struct automaton_edge *e, bool less) {
  struct literals g = automaton_conjunction(w->a, e->guard);
  return g.count == 1 && literal_is_less(g.at[0]) == less;
}

static void closure(struct wf *w) {
  for (size_t e = 0; e < w->a->edges.len; e++)
    w->reach[w->a->edges.at[e].from][w->a->edges.at[e].to] = true;
  for (unsigned k = 0; k < w->n; k++)
    for (unsigned i = 0; i < w->n; i++)
      for (unsigned j = 0; j < w->n; j++)
        w->reach[i][j] |= w->reach[i][k] && w->reach[k][j];
  for (unsigned i = 0; i < w->n; i++)
    w->start[i] = i == w->a->start || w->reach[w->a->start][i];
}

static bool in_cycle(const struct wf *w, const struct automaton_edge *e) {
  return w->start[e->from] && (e->from == e->to || w->reach[e->to][e->from]);
}

/* Is there a cycle through the state with an edge of that side? Both lie in one component. */
static bool on_cycle(const struct wf *w, unsigned state, bool less) {
  for (size_t i = 0; i < w->a->edges.len; i++) {
    const struct automaton_edge *e = &w->a->edges.at[i];
    bool together = state == e->from || (w->reach[state][e->from] && w->reach[e->from][state]);
    if (has(w, e, less) && in_cycle(w, e) && together) return true;
  }
  return false;
}

/* to[s]: a path from `from` to s exists whose assignments all have guard G (less: L). */
static void side_path(const struct wf *w, unsigned from, bool less, bool *to) {
  memset(to, 0, MAX);
  to[from] = true;
  for (unsigned round = 0; round < w->n; round++)
    for (size_t i = 0; i < w->a->edges.len; i++) {
      const struct automaton_edge *e = &w->a->edges.at[i];
      if (to[e->from] && (e->assign == 0 || has(w, e, less))) to[e->to] = true;
    }
}

static bool side_path_to_cycle(const struct wf *w, unsigned from, bool less) {
  bool to[MAX];
  side_path(w, from, less, to);
  for (unsigned s = 0; s < w->n; s++)
    if (to[s] && on_cycle(w, s, less)) return true;
  return false;
}

/* The cycle on one side, and a path whose assignments are on the other side. */
static bool after_cycle(const struct wf *w, bool less, unsigned at) {
  for (unsigned s = 0; s < w->n; s++) {
    bool to[MAX];
    if (!w->start[s] || !on_cycle(w, s, !less)) continue;
    side_path(w, s, less, to);
    if (to[at]) return true;
  }
  return false;
}

static bool ill_formed(const struct automaton *a) {
  struct wf w = {.a = a, .n = (unsigned)a->states.len};
  closure(&w);
  bool assigns[MAX] = {0}, compares[MAX] = {0};
  for (size_t i = 0; i < a->edges.len; i++) {
    const struct automaton_edge *e = &a->edges.at[i];
    if (!w.start[e->from]) continue;
    bool real = e->emit == EMIT_INSAMPLE || e->emit == EMIT_PRIME;
    /* disclosing cycle; nothing is disclosed where no input is read */
    if (in_cycle(&w, e) && real && a->states.at[e->from].is_input) return true;
    if (in_cycle(&w, e) && e->assign) assigns[e->from] = true;
    if (in_cycle(&w, e) && e->guard) compares[e->from] = true;
    for (int side = 0; side < 2; side++) {
      bool less = side == 1;
      /* leaking pair: from a cycle of the other side to one of this side */
      if (has(&w, e, less) && in_cycle(&w, e) && after_cycle(&w, less, e->from)) return true;
      if (e->emit != EMIT_INSAMPLE) continue;
      /* privacy violating paths a, b, c */
      if (e->assign && side_path_to_cycle(&w, e->to, less)) return true;
      if (!e->assign && has(&w, e, !less) && side_path_to_cycle(&w, e->to, less)) return true;
      if (has(&w, e, less) && after_cycle(&w, less, e->from)) return true;
    }
  }
  /* leaking cycle: the variable is assigned and compared in one component */
  for (unsigned s = 0; s < w.n; s++)
    for (unsigned t = 0; t < w.n; t++)
      if (assigns[s] && compares[t] && (s == t || (w.reach[s][t] && w.reach[t][s]))) return true;
  return false;
}

static void agrees_on_random_automata(void **state) {
  (void)state;
  struct rng rng = rng_seeded(2024);
  size_t bad = 0, rounds = test_rounds(100000);
  size_t kinds[VIOLATION_PATH_C + 1] = {0};
  for (size_t i = 0; i < rounds; i++) {
    struct gen_options options = {.vars = 1,
                                  .max_states = 1 + (unsigned)rng_below(&rng, 8),
                                  .in_class = true,
                                  .max_d = 3,
                                  .assign_percent = (unsigned)rng_below(&rng, 40),
                                  .output_percent = (unsigned)rng_below(&rng, 25),
                                  .noninput_percent = (unsigned)rng_below(&rng, 40),
                                  .back_percent = (unsigned)rng_below(&rng, 50)};
    struct automaton a;
    gen_automaton(&a, &rng, &options);
    struct automaton_result r;
    automaton_analyse(&r, &a);
    bool expected = ill_formed(&a);
    if ((r.verdict == AUTOMATON_NOT_PRIVATE) != expected || r.verdict == AUTOMATON_UNKNOWN) {
      struct buffer b;
      buffer_init(&b);
      for (uint32_t e = 0; e < a.edges.len; e++) {
        automaton_print_edge(&b, &a, e);
        buffer_putc(&b, '\n');
      }
      fail_msg("round %zu: the graph conditions say %s\n%s", i,
               expected ? "not private" : "private", buffer_text(&b));
    }
    bad += expected;
    kinds[r.walk.kind]++;
    automaton_result_clear(&r);
    automaton_clear(&a);
  }
  print_message("%zu automata, %zu not private", rounds, bad);
  for (int k = VIOLATION_LEAKING_CYCLE; k <= VIOLATION_PATH_C; k++)
    print_message(", %s %zu", violation_name((enum violation)k), kinds[k]);
  print_message("\n");
  assert_true(bad * 10 > rounds && bad * 10 < rounds * 9);
  for (int k = VIOLATION_LEAKING_CYCLE; k <= VIOLATION_PATH_C; k++)
    assert_true(kinds[k] > 0 || rounds < 100000); /* every kind of violation was met */
}

/* The fixed strategies (construction 6.4) bound the exact cost, and fail where the automaton is not
 * private. */
static void fixed_strategies_bound_the_cost(void **state) {
  (void)state;
  struct rng rng = rng_seeded(77);
  size_t feasible = 0, equal = 0, looking_ahead = 0, rounds = test_rounds(20000);
  for (size_t i = 0; i < rounds; i++) {
    struct gen_options options = {1, 6, true, 3, 15, 8, 20, 30, false};
    struct automaton a;
    gen_automaton(&a, &rng, &options);
    struct automaton_result r;
    struct approx approx;
    automaton_analyse(&r, &a);
    automaton_approx(&approx, &a);
    assert_true(approx.applies);
    if (approx.feasible) {
      feasible++;
      assert_int_equal(r.verdict, AUTOMATON_PRIVATE);
      assert_true(fmpq_cmp(r.upper, approx.cost) <= 0);
      equal += fmpq_equal(r.upper, approx.cost);
    } else if (r.verdict == AUTOMATON_PRIVATE) {
      looking_ahead++;
    }
    approx_clear(&approx);
    automaton_result_clear(&r);
    automaton_clear(&a);
  }
  print_message("%zu automata: fixed strategies for %zu (exact for %zu), private without %zu\n",
                rounds, feasible, equal, looking_ahead);
  assert_true(feasible > rounds / 10 && equal > 0 && equal < feasible && looking_ahead > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_on_random_automata),
                                     cmocka_unit_test(fixed_strategies_bound_the_cost)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
