/* Rule SAMPLES against the truth: a loop over two bits is a Markov chain whose law and expected number
 * of rounds solve linear equations, exactly. What they say is accepted, anything else is refused. */
#include "kernel/law.h"

#include <flint/fmpq.h>
#include <string.h>

#include "smt/smt.h"
#include "term/build.h"
#include "term/linear.h"
#include "testlib.h"

/* while a { if b {a <$ p1; b <$ q1} else {a <$ p0; b <$ q0} }; result := b */
struct chain {
  struct terms terms;
  struct smt smt;
  struct kernel *k;
  term_id a, b, result, outcome;
  fmpq_t p[2], q[2];      /* indexed by b */
  fmpq_t law[2], rank[2]; /* Pr[b at the end], rounds, from a = true and b */
  const struct core *loop, *program;
};

static term_id number(struct chain *c, const fmpq_t x) {
  return term_num(&c->terms, x, SORT_REAL);
}

/* Solves x_b = rhs_b + p_b (q_b x_1 + (1 - q_b) x_0). */
static void solve(struct chain *c, fmpq_t x[2], fmpq_t rhs[2]) {
  fmpq_t m[2][2], t, det;
  fmpq_init(t);
  fmpq_init(det);
  for (int b = 0; b < 2; b++) {
    fmpq_init(m[b][0]);
    fmpq_init(m[b][1]);
    fmpq_mul(m[b][1], c->p[b], c->q[b]);
    fmpq_sub(m[b][0], c->p[b], m[b][1]);
    fmpq_neg(m[b][0], m[b][0]);
    fmpq_neg(m[b][1], m[b][1]);
    fmpq_add_si(m[b][b], m[b][b], 1);
  }
  fmpq_mul(det, m[0][0], m[1][1]);
  fmpq_mul(t, m[0][1], m[1][0]);
  fmpq_sub(det, det, t);
  for (int b = 0; b < 2; b++) { /* Cramer */
    fmpq_mul(x[b], rhs[b], m[1 - b][1 - b]);
    fmpq_mul(t, rhs[1 - b], m[b][1 - b]);
    fmpq_sub(x[b], x[b], t);
    fmpq_div(x[b], x[b], det);
  }
  for (int b = 0; b < 2; b++) {
    fmpq_clear(m[b][0]);
    fmpq_clear(m[b][1]);
  }
  fmpq_clear(t);
  fmpq_clear(det);
}

static const struct core *round_of(struct chain *c, int b) {
  struct arena *arena = kernel_arena(c->k);
  term_id p = number(c, c->p[b]), q = number(c, c->q[b]);
  return core_seq(arena, core_sample(arena, span_none(), c->a, DIST_BERNOULLI, &p, 1),
                  core_sample(arena, span_none(), c->b, DIST_BERNOULLI, &q, 1));
}

static void chain_init(struct chain *c, uint64_t seed) {
  struct rng rng = rng_seeded(seed);
  struct smt_options options = smt_default_options();
  terms_init(&c->terms);
  smt_init(&c->smt, &c->terms, &options);
  c->k = kernel_new(&c->terms, &c->smt.decider);
  c->a = kernel_var(c->k, "a", SORT_BOOL, false);
  c->b = kernel_var(c->k, "b", SORT_BOOL, false);
  c->result = kernel_var(c->k, "result", SORT_BOOL, false);
  c->outcome = term_var(&c->terms, "outcome", SORT_BOOL, 0, 0);
  fmpq_t stop[2], one[2];
  for (int b = 0; b < 2; b++) {
    fmpq_init(c->p[b]);
    fmpq_init(c->q[b]);
    fmpq_init(c->law[b]);
    fmpq_init(c->rank[b]);
    fmpq_init(stop[b]);
    fmpq_init(one[b]);
    fmpq_one(one[b]);
    fmpq_set_si(c->p[b], rng_range(&rng, 0, 7), 8);
    fmpq_set_si(c->q[b], rng_range(&rng, 0, 8), 8);
    fmpq_sub(stop[b], one[b], c->p[b]);
    fmpq_mul(stop[b], stop[b], c->q[b]);
  }
  solve(c, c->law, stop);
  solve(c, c->rank, one);
  struct arena *arena = kernel_arena(c->k);
  c->loop = core_while(arena, span_none(), c->a,
                       core_if(arena, span_none(), c->b, round_of(c, 1), round_of(c, 0)));
  const struct core *start =
      core_seq(arena, core_assign(arena, span_none(), c->a, term_bool(&c->terms, true)),
               core_assign(arena, span_none(), c->b, term_bool(&c->terms, false)));
  c->program = core_seq(arena, start,
                        core_seq(arena, c->loop, core_assign(arena, span_none(), c->result, c->b)));
  for (int b = 0; b < 2; b++) {
    fmpq_clear(stop[b]);
    fmpq_clear(one[b]);
  }
}

static void chain_clear(struct chain *c) {
  for (int b = 0; b < 2; b++) {
    fmpq_clear(c->p[b]);
    fmpq_clear(c->q[b]);
    fmpq_clear(c->law[b]);
    fmpq_clear(c->rank[b]);
  }
  kernel_free(c->k);
  smt_clear(&c->smt);
  terms_clear(&c->terms);
}

/* if a then (if b then x[1] else x[0]) else (if b then at_end else 0) */
static term_id by_state(struct chain *c, fmpq_t x[2], long at_end) {
  struct terms *ts = &c->terms;
  term_id end = term_ite(ts, c->b, term_rat(ts, at_end, 1), term_rat(ts, 0, 1));
  return term_ite(ts, c->a, term_ite(ts, c->b, number(c, x[1]), number(c, x[0])), end);
}

/* Does the rule accept these numbers, and `chance` as the law of the result? */
static bool accepts(struct chain *c, fmpq_t law[2], fmpq_t rank[2], const fmpq_t chance,
                    bool with_most) {
  struct terms *ts = &c->terms;
  const term_id vars[] = {c->a, c->b};
  const term_id values[2][2] = {{term_bool(ts, false), term_bool(ts, false)},
                                {term_bool(ts, false), term_bool(ts, true)}};
  term_id heads = by_state(c, law, 1), tails = term_sub(ts, term_rat(ts, 1, 1), heads);
  const struct law_way ways[] = {{heads, vars, values[1], 2}, {tails, vars, values[0], 2}};
  bool first = fmpq_cmp(rank[0], rank[1]) > 0;
  struct loop_law loop = {.loop = c->loop,
                          .invariant = TERM_NONE,
                          .rank = by_state(c, rank, 0),
                          .most = number(c, rank[first == with_most ? 0 : 1]),
                          .ways = ways,
                          .way_count = 2};
  struct laws laws = {.loops = &loop, .loop_count = 1};
  term_id arg = number(c, chance);
  struct distribution stated = {DIST_BERNOULLI, &arg, 1};
  return law_check(c->k, span_none(), c->program, c->result, &stated, c->outcome, &laws);
}

static void the_law_is_the_solution(void **state) {
  (void)state;
  fmpq_t wrong[2], off;
  fmpq_init(wrong[0]);
  fmpq_init(wrong[1]);
  fmpq_init(off);
  fmpq_set_si(off, -1, 64);
  for (size_t round = 0; round < test_rounds(25); round++) {
    struct chain c;
    chain_init(&c, round);
    if (!accepts(&c, c.law, c.rank, c.law[0], true))
      fail_msg("round %zu: the solution is refused", round);
    fmpq_add(wrong[0], c.law[0], off);
    if (accepts(&c, c.law, c.rank, wrong[0], true))
      fail_msg("round %zu: another law of the result is accepted", round);
    for (int b = 0; b < 2; b++) {
      fmpq_set(wrong[1 - b], c.law[1 - b]);
      fmpq_add(wrong[b], c.law[b], off);
      if (accepts(&c, wrong, c.rank, wrong[0], true))
        fail_msg("round %zu: another law of the loop is accepted", round);
    }
    fmpq_add(wrong[0], c.rank[0], off);
    fmpq_add(wrong[1], c.rank[1], off);
    if (accepts(&c, c.law, wrong, c.law[0], true))
      fail_msg("round %zu: fewer rounds than are expected are accepted", round);
    if (!fmpq_equal(c.rank[0], c.rank[1]) && accepts(&c, c.law, c.rank, c.law[0], false))
      fail_msg("round %zu: a rank above its bound is accepted", round);
    chain_clear(&c);
  }
  fmpq_clear(wrong[0]);
  fmpq_clear(wrong[1]);
  fmpq_clear(off);
}

/* A loop that never ends satisfies any equation f = E(c, f): the rank has to fail. */
static void endless_loops_have_no_law(void **state) {
  (void)state;
  struct chain c;
  fmpq_t half[2], many[2];
  chain_init(&c, 1);
  struct arena *arena = kernel_arena(c.k);
  term_id sure = term_rat(&c.terms, 1, 1);
  c.loop = core_while(arena, span_none(), c.a,
                      core_sample(arena, span_none(), c.a, DIST_BERNOULLI, &sure, 1));
  c.program = core_seq(arena, core_assign(arena, span_none(), c.a, term_bool(&c.terms, true)),
                       core_seq(arena, c.loop, core_assign(arena, span_none(), c.result, c.b)));
  for (int b = 0; b < 2; b++) {
    fmpq_init(half[b]);
    fmpq_init(many[b]);
    fmpq_set_si(half[b], 1, 2);
    fmpq_set_si(many[b], 1000, 1);
  }
  assert_false(accepts(&c, half, many, half[0], true));
  for (int b = 0; b < 2; b++) {
    fmpq_clear(half[b]);
    fmpq_clear(many[b]);
  }
  chain_clear(&c);
}

/* A number for all states satisfies the equation of an iteration: it has to be the law at the end. */
static void constants_are_no_law(void **state) {
  (void)state;
  struct chain c;
  chain_init(&c, 1);
  struct terms *ts = &c.terms;
  term_id third = term_rat(ts, 1, 3);
  term_id vars[] = {c.a, c.b}, values[2][2] = {{term_bool(ts, false), term_bool(ts, false)},
                                               {term_bool(ts, false), term_bool(ts, true)}};
  struct law_way ways[] = {{third, vars, values[1], 2}, {term_rat(ts, 2, 3), vars, values[0], 2}};
  struct loop_law loop = {.loop = c.loop,
                          .rank = by_state(&c, c.rank, 0),
                          .most = number(&c, c.rank[fmpq_cmp(c.rank[0], c.rank[1]) <= 0]),
                          .ways = ways,
                          .way_count = 2};
  struct laws laws = {&loop, 1};
  struct distribution stated = {DIST_BERNOULLI, &third, 1};
  assert_false(law_check(c.k, span_none(), c.program, c.result, &stated, c.outcome, &laws));
  assert_non_null(strstr(kernel_failure(c.k)->message, "when the loop has ended"));
  chain_clear(&c);
}

/* With two, what holds under the invariant of one of them could pass for what holds. */
static void a_loop_has_one_law(void **state) {
  (void)state;
  struct chain c;
  chain_init(&c, 1);
  struct terms *ts = &c.terms;
  term_id third = term_rat(ts, 1, 3), zero = term_rat(ts, 0, 1);
  term_id vars[] = {c.a, c.b}, values[2][2] = {{term_bool(ts, false), term_bool(ts, false)},
                                               {term_bool(ts, false), term_bool(ts, true)}};
  struct law_way ways[] = {{third, vars, values[1], 2}, {term_rat(ts, 2, 3), vars, values[0], 2}};
  struct loop_law loops[] = {
      {c.loop, term_bool(ts, false), zero, zero, ways, 2},
      {c.loop, term_bool(ts, true), TERM_NONE, TERM_NONE, ways, 2},
      {core_assign(kernel_arena(c.k), span_none(), c.a, c.b), TERM_NONE, zero, zero, ways, 2}};
  struct distribution stated = {DIST_BERNOULLI, &third, 1};
  for (size_t first = 0; first < 3; first++)
    for (size_t count = 1; first + count <= 3; count++) {
      struct laws laws = {&loops[first], count};
      assert_false(law_check(c.k, span_none(), c.program, c.result, &stated, c.outcome, &laws));
    }
  chain_clear(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_law_is_the_solution), cmocka_unit_test(a_loop_has_one_law),
      cmocka_unit_test(constants_are_no_law), cmocka_unit_test(endless_loops_have_no_law)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
