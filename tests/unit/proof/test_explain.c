/* ctest-label: release */
/* Explanations follow the budget through the program and name the couplings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proof/explain.h"
#include "smt/believe.h"
#include "testlib.h"

struct explained {
  struct lang lang;
  struct proof_result result;
};

static void explain_file(struct explained *e, const char *path) {
  lang_init(&e->lang);
  struct ast_module *module = lang_load(&e->lang, path);
  assert_int_equal(e->lang.diags.errors, 0);
  struct believe_options options = believe_default_options();
  options.explain = true;
  options.smt.timeout_s = 60;
  for (size_t i = 0; i < module->decl_count; i++)
    if (module->decls[i]->kind == DECL_CLAIM) {
      believe_claim(&e->lang, module, module->decls[i], &options, &e->result);
      break;
    }
  assert_int_equal(e->result.verdict, PROOF_BELIEVED);
  assert_non_null(e->result.forward);
}

static void explained_clear(struct explained *e) {
  proof_result_clear(&e->result);
  lang_clear(&e->lang);
}

/* The first node whose statement begins like this, anywhere in the tree. */
static const struct explain_node *find(const struct explain_node *nodes, size_t count,
                                       const char *rule, const char *command) {
  for (size_t i = 0; i < count; i++) {
    const struct explain_node *n = &nodes[i];
    if (strcmp(n->rule, rule) == 0 &&
        (!command || (n->command && strncmp(n->command, command, strlen(command)) == 0)))
      return n;
    n = find(n->children, n->child_count, rule, command);
    if (n) return n;
  }
  return NULL;
}

static void sparse_vector_spends_half_and_half(void **state) {
  (void)state;
  struct explained e;
  explain_file(&e, "examples/proofs/svt.dp");
  const struct explanation *x = e.result.forward;
  assert_string_equal(x->total, "eps");
  assert_int_equal(x->payment_count, 2);
  assert_false(x->payments[0].is_loop);
  assert_string_equal(x->payments[0].cost, "eps/2");
  assert_true(x->payments[1].is_loop);
  for (size_t i = 0; i < 2; i++) {
    assert_true(x->payments[i].has_share);
    assert_true(fabs(x->payments[i].share - 0.5) < 1e-9);
  }
  assert_non_null(strstr(x->values, "eps = 1"));

  const struct explain_node *t = find(x->steps, x->count, "SAMPLE", "t <$");
  assert_non_null(t);
  assert_string_equal(t->before, "eps");
  assert_string_equal(t->after, "eps/2");
  assert_int_equal(t->case_count, 1);
  assert_string_equal(t->cases[0].relation, "t<2> = t<1> + 1");
  assert_null(t->cases[0].when);

  const struct explain_node *s = find(x->steps, x->count, "SAMPLE", "s <$");
  assert_non_null(s);
  assert_int_equal(s->case_count, 2);
  assert_string_equal(s->cases[0].when, "t<1> <= s<1>"); /* no trace of fresh names */
  assert_string_equal(s->cases[0].cost, "eps/(2*N)");
  assert_null(s->cases[1].when);
  assert_string_equal(s->cases[1].cost, "0");
  assert_string_equal(s->before, "eps*(N - count<1>)/(2*N)");

  /* count is about to change: what is left can no longer be said */
  const struct explain_node *count = find(x->steps, x->count, "ASSN-L", "count := count + 1");
  assert_non_null(count);
  assert_non_null(count->before);
  assert_null(count->after);
  explained_clear(&e);
}

static void advanced_composition_has_its_own_price(void **state) {
  (void)state;
  struct explained e;
  explain_file(&e, "examples/proofs/asv_bt.dp");
  const struct explanation *x = e.result.forward;
  assert_int_equal(x->payment_count, 2);
  const struct explain_node *loop = find(x->steps, x->count, "AC-HIT", NULL);
  assert_non_null(loop);
  assert_string_equal(loop->before, "eps/2");
  assert_string_equal(loop->after, "0");
  assert_non_null(strstr(loop->cost, "sqrt"));
  /* eps < 1 and delta < 1 are assumed: the values drawn for obey it */
  assert_non_null(x->values);
  assert_null(strstr(x->values, "eps = 1,"));
  double sum = 0;
  for (size_t i = 0; i < x->payment_count; i++) {
    assert_true(x->payments[i].has_share);
    assert_true(x->payments[i].share > 0);
    sum += x->payments[i].share;
  }
  assert_true(sum < 1 + 1e-9);
  const struct explain_node *s = find(loop->children, loop->child_count, "LAPINT", NULL);
  assert_non_null(s);
  assert_int_equal(s->case_count, 2);
  explained_clear(&e);
}

static void costs_that_depend_on_inputs_have_no_share(void **state) {
  (void)state;
  struct explained e;
  explain_file(&e, "examples/proofs/laplace.dp");
  const struct explanation *x = e.result.forward;
  assert_int_equal(x->payment_count, 1);
  assert_string_equal(x->payments[0].cost, "eps*abs(q<2> - q<1>)");
  assert_false(x->payments[0].has_share);
  assert_null(x->values);
  explained_clear(&e);
}

/* Each case of a distinction has the whole budget for itself. */
static void cases_pay_separately(void **state) {
  (void)state;
  struct explained e;
  explain_file(&e, "examples/proofs/noisy_max_monotone.dp");
  const struct explanation *x = e.result.forward;
  assert_int_equal(x->payment_count, 2);
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(x->payments[i].branch, i + 1);
    assert_true(x->payments[i].is_loop && x->payments[i].has_share);
    assert_true(fabs(x->payments[i].share - 1) < 1e-9);
  }
  const struct explain_node *split = find(x->steps, x->count, "CASE", NULL);
  assert_non_null(split);
  assert_int_equal(split->child_count, 2);
  for (size_t i = 0; i < 2; i++)
    assert_string_equal(split->children[i].before, "eps");
  explained_clear(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sparse_vector_spends_half_and_half),
                                     cmocka_unit_test(advanced_composition_has_its_own_price),
                                     cmocka_unit_test(costs_that_depend_on_inputs_have_no_share),
                                     cmocka_unit_test(cases_pay_separately)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
