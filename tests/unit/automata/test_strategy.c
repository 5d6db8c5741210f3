/* The strategy checker rejects what is not a proof, and alterations of what is one; and shifts are
 * as good as any real numbers: the cost of a path is that of its linear program (GLPK). */
#include "testlib.h"

#include <glpk.h>
#include <stdlib.h>
#include <string.h>

#include "automata/cost/worst_path.h"
#include "automata/decide/automata.h"
#include "automaton_gen.h"
#include "check/automaton/strategy_check.h"

static const struct gen_options kinds[] = {
    {1, 5, true, 3, 15, 10, 20, 30, false}, {2, 4, true, 3, 12, 10, 20, 25, false},
    {2, 4, false, 3, 25, 5, 30, 25, false}, {3, 3, false, 2, 12, 10, 30, 25, false},
    {2, 4, false, 3, 15, 10, 30, 25, true},
};

/* ---- alterations --------------------------------------------------------------------------------
 */

struct alteration {
  size_t accepted, rejected;
};

static void try_altered(const struct automaton *a, struct strategy *s, struct alteration *count) {
  assert_false(strategy_check(a, s, NULL, NULL)); /* the digest no longer fits */
  uint64_t digest = s->digest;
  s->digest = strategy_digest(s); /* now the proof itself has to fail, or still be one */
  if (strategy_check(a, s, NULL, NULL))
    count->accepted++;
  else
    count->rejected++;
  s->digest = digest;
}

static void alter_values(const struct automaton *a, struct strategy *s, fmpz *values, size_t len,
                         slong by, struct alteration *count) {
  for (size_t i = 0; i < len; i++) {
    fmpz_add_si(&values[i], &values[i], by);
    try_altered(a, s, count);
    fmpz_sub_si(&values[i], &values[i], by);
  }
}

static void alter_shifts(const struct automaton *a, struct strategy *s, int8_t *shifts, size_t len,
                         struct alteration *count) {
  for (size_t i = 0; i < len; i++) {
    int8_t old = shifts[i];
    for (int8_t other = -1; other <= 1; other++) {
      if (other == old) continue;
      shifts[i] = other;
      try_altered(a, s, count);
    }
    shifts[i] = old;
  }
}

static void rejects_alterations(void **state) {
  (void)state;
  struct rng rng = rng_seeded(11);
  struct alteration values = {0}, shifts = {0}, lower = {0};
  size_t strategies = 0, with_labels = 0;
  for (size_t i = 0; i < test_rounds(1500); i++) {
    struct automaton a;
    struct automaton_result r;
    gen_automaton(&a, &rng, &kinds[i % 5]);
    automaton_analyse(&r, &a);
    struct strategy *s = &r.strategy;
    if (r.verdict == AUTOMATON_PRIVATE && r.exact) {
      strategies++;
      with_labels += s->labels.len > 0;
      assert_true(strategy_check(&a, s, NULL, NULL));
      /* no strategy is better than the exact cost: whatever else, this must be rejected */
      if (!fmpz_is_zero(s->cost)) {
        fmpz_sub_ui(s->cost, s->cost, 1);
        size_t before = lower.accepted;
        try_altered(&a, s, &lower);
        assert_int_equal(lower.accepted, before);
        alter_values(&a, s, s->point_value.at, s->point_value.len, -1, &lower);
        alter_values(&a, s, s->entry_value.at, s->entry_value.len, -1, &lower);
        assert_int_equal(lower.accepted, before);
        fmpz_add_ui(s->cost, s->cost, 1);
      }
      alter_values(&a, s, s->point_value.at, s->point_value.len, -1, &values);
      alter_values(&a, s, s->entry_value.at, s->entry_value.len, -1, &values);
      alter_shifts(&a, s, s->point_shifts.at, s->point_shifts.len, &shifts);
      alter_shifts(&a, s, s->entry_shifts.at, s->entry_shifts.len, &shifts);
      assert_true(strategy_check(&a, s, NULL, NULL)); /* everything was put back */
    }
    automaton_result_clear(&r);
    automaton_clear(&a);
  }
  print_message("%zu strategies (%zu with labels); digest kept: all alterations rejected; digest "
                "renewed: values %zu of %zu, shifts %zu of %zu rejected\n",
                strategies, with_labels, values.rejected, values.rejected + values.accepted,
                shifts.rejected, shifts.rejected + shifts.accepted);
  assert_true(with_labels * 100 > strategies);
  assert_true(values.rejected > values.accepted && shifts.rejected > shifts.accepted);
}

/* Facts about the order, and edges, are claims too. */
static void rejects_false_graphs(void **state) {
  (void)state;
  struct rng rng = rng_seeded(12);
  size_t tried = 0, facts = 0;
  for (size_t i = 0; i < test_rounds(2000); i++) {
    struct automaton a;
    struct automaton_result r;
    gen_automaton(&a, &rng, &kinds[1 + i % 3]);
    automaton_analyse(&r, &a);
    struct product *p = &r.strategy.product;
    if (r.verdict == AUTOMATON_PRIVATE && p->edges.len > 1) {
      size_t e = rng_below(&rng, p->edges.len);
      uint32_t to = p->edges.at[e].to, other = (uint32_t)rng_below(&rng, p->nodes.len);
      p->edges.at[e].to = other;
      if (p->nodes.at[other].state != p->nodes.at[to].state) {
        tried++;
        assert_false(strategy_check(&a, &r.strategy, NULL, NULL));
      }
      p->edges.at[e].to = to;
      /* an order claimed at the start is never established */
      if (p->tracked.len > 1) {
        size_t size = p->tracked.len * p->tracked.len;
        unsigned char *m = p->facts.at + p->nodes.at[0].facts * size;
        m[1] = RELATION_LESS;
        m[p->tracked.len] = RELATION_GREATER;
        facts++;
        assert_false(strategy_check(&a, &r.strategy, NULL, NULL));
      }
    }
    automaton_result_clear(&r);
    automaton_clear(&a);
  }
  assert_true(tried > 0 && facts > 0);
}

/* ---- linear programs ----------------------------------------------------------------------------
 */

/* min sum d_i t_i with t_i >= |Delta_i - s_i|, -1 <= s_i <= 1 real, s_i <= s_at for L, ... */
static double path_lp(const struct automaton *a, const struct product *p, const hops *path,
                      double constant) {
  int n = (int)path->len, last[3] = {0, 0, 0};
  glp_prob *lp = glp_create_prob();
  glp_set_obj_dir(lp, GLP_MIN);
  glp_add_cols(lp, 2 * n); /* s_1..s_n, t_1..t_n */
  double total = constant;
  for (int i = 1; i <= n; i++) {
    const struct automaton_edge *e = &a->edges.at[p->edges.at[path->at[i - 1].edge].edge];
    const struct automaton_state *q = &a->states.at[e->from];
    int delta = path->at[i - 1].delta;
    double d = fmpz_get_d(fmpq_numref(automaton_value(a, q->d)));
    if (e->emit == EMIT_INSAMPLE)
      glp_set_col_bnds(lp, i, GLP_FX, 0, 0);
    else
      glp_set_col_bnds(lp, i, GLP_DB, -1, 1);
    glp_set_col_bnds(lp, n + i, GLP_LO, 0, 0);
    glp_set_obj_coef(lp, n + i, d);
    if (e->emit == EMIT_PRIME)
      total += abs(delta) * fmpz_get_d(fmpq_numref(automaton_value(a, q->d2)));
    for (int sign = -1; sign <= 1; sign += 2) { /* t + sign s >= sign delta */
      int row = glp_add_rows(lp, 1), index[3] = {0, i, n + i};
      double value[3] = {0, sign, 1};
      glp_set_mat_row(lp, row, 2, index, value);
      glp_set_row_bnds(lp, row, GLP_LO, sign * delta, 0);
    }
    struct literals g = automaton_conjunction(a, e->guard);
    for (size_t l = 0; l < g.count; l++) {
      int row = glp_add_rows(lp, 1), index[3] = {0, i, last[literal_var(g.at[l])]};
      double value[3] = {0, 1, -1};
      glp_set_mat_row(lp, row, 2, index, value);
      glp_set_row_bnds(lp, row, literal_is_less(g.at[l]) ? GLP_UP : GLP_LO, 0, 0);
    }
    for (uint32_t x = 0; x < a->vars.len; x++)
      if (automaton_assigns(a, e->assign, x)) last[x] = i;
  }
  glp_smcp control;
  glp_init_smcp(&control);
  control.msg_lev = GLP_MSG_OFF;
  glp_simplex(lp, &control);
  total += glp_get_obj_val(lp);
  glp_delete_prob(lp);
  return total;
}

static void paths_cost_what_their_lp_costs(void **state) {
  (void)state;
  struct rng rng = rng_seeded(13);
  size_t compared = 0, rounds = test_rounds(3000);
  for (size_t i = 0; i < rounds; i++) {
    struct automaton a;
    gen_automaton(&a, &rng, &kinds[i % 4]);
    struct product p;
    struct weights w;
    product_build(&p, &a);
    weights_init(&w, &a);
    struct pumps none = {.p = &p};
    none.first.at = xcalloc(p.nodes.len + 1, sizeof *none.first.at); /* nothing is repeated */
    hops path = {0};
    uint32_t node = 0;
    while (path.len < 12 && p.first.at[node] < p.first.at[node + 1]) {
      uint32_t count = p.first.at[node + 1] - p.first.at[node];
      uint32_t e = p.first.at[node] + (uint32_t)rng_below(&rng, count);
      bool input = a.states.at[p.nodes.at[node].state].is_input;
      vec_push(&path, (struct hop){e, !input ? 0 : rng_chance(&rng, 1, 2) ? 1 : -1});
      node = p.edges.at[e].to;
    }
    fmpz_t cost;
    fmpz_init(cost);
    if (path.len > 0 && path_cost(cost, &p, &none, &w, &path)) {
      compared++;
      double lp = path_lp(&a, &p, &path, 0), ours = fmpz_get_d(cost);
      if (lp - ours > 1e-6 || ours - lp > 1e-6) fail_msg("path costs %g, its LP %g", ours, lp);
    }
    fmpz_clear(cost);
    vec_clear(&path);
    free(none.first.at);
    weights_clear(&w);
    product_clear(&p);
    automaton_clear(&a);
  }
  assert_true(compared * 2 > rounds);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rejects_alterations),
      cmocka_unit_test(rejects_false_graphs),
      cmocka_unit_test(paths_cost_what_their_lp_costs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
