/* The frame of the search: candidates are judged by the kernel alone, the cheapest proved one and
 * the most promising failure are kept, texts that are no proof do no harm. */
#include <string.h>

#include "search/prove/prove.h"
#include "testlib.h"

static const char laplace[] = "param eps : real, eps > 0;\n"
                              "mechanism m(private q : real) returns real adjacent within(q, 1) {\n"
                              "  s <$ Lap(q, 1/eps);\n"
                              "  return s;\n"
                              "}\n";

struct run {
  struct lang lang;
  struct auto_result result;
};

static void run_one(struct run *r, const char *claim, auto_strategy *strategy) {
  struct auto_entry entry = {"test", strategy};
  struct auto_options options = {.proof = believe_default_options(),
                                 .strategies = strategy ? &entry : NULL,
                                 .strategy_count = 1};
  lang_init(&r->lang);
  char *text = xasprintf("%s%s", laplace, claim);
  const struct ast_module *module = lang_load_text(&r->lang, "m.dp", text, strlen(text));
  free(text);
  assert_int_equal(r->lang.diags.errors, 0);
  auto_prove(&r->lang, module, module->decls[module->decl_count - 1], &options, &r->result);
  assert_int_equal(r->lang.diags.errors, 0);
}

static void run_clear(struct run *r) {
  auto_result_clear(&r->result);
  lang_clear(&r->lang);
}

/* The first does not hold, the next cost 3, 1 and 2 eps. */
static void several(struct auto_problem *p, struct auto_search *s) {
  const char *costs[] = {"eps/2", "3*eps", "eps", "2*eps"};
  (void)p;
  for (size_t i = 0; i < 4; i++)
    auto_try(s, &(struct auto_candidate){"{ sample s: shift 0; }", costs[i], 0});
}

static void least_cost_is_kept(void **state) {
  (void)state;
  struct run r;
  run_one(&r, "claim private m epsilon ?;", several);
  assert_true(r.result.proved);
  assert_string_equal(r.result.cost, "eps");
  assert_string_equal(r.result.proof, "{\n  sample s: shift 0;\n}");
  assert_int_equal(r.result.candidates, 4);
  run_clear(&r);
}

static void stated(struct auto_problem *p, struct auto_search *s) {
  (void)p;
  const struct proof_result *bad =
      auto_try(s, &(struct auto_candidate){"{ sample s: shift 1; }", NULL, 0});
  assert_int_equal(bad->verdict, PROOF_UNKNOWN);
  assert_non_null(bad->conjunct);
  assert_ptr_equal(bad, auto_try(s, &(struct auto_candidate){"{ sample s: shift 1; }", NULL, 0}));
  assert_false(auto_done(s));
  auto_try(s, &(struct auto_candidate){"{ sample s: shift 0; }", NULL, 0});
  assert_true(auto_done(s));
}

static void stated_cost_is_checked(void **state) {
  (void)state;
  struct run r;
  run_one(&r, "claim private m epsilon eps;", stated);
  assert_true(r.result.proved);
  assert_string_equal(r.result.cost, "eps");
  run_clear(&r);
  run_one(&r, "claim private m epsilon 2*eps;", stated);
  assert_true(r.result.proved);
  assert_string_equal(r.result.cost, "2*eps");
  run_clear(&r);
}

static void useless(struct auto_problem *p, struct auto_search *s) {
  static const char *const texts[] = {"",      "{",          "{ sample",  "}",
                                      "{ } }", "{ admit; }", "{ sample s"};
  (void)p;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const struct proof_result *r = auto_try(s, &(struct auto_candidate){texts[i], NULL, 0});
    assert_int_not_equal(r->verdict, PROOF_BELIEVED);
  }
  auto_try(s, &(struct auto_candidate){"{ sample s: shift 0; }", "eps eps", 0});
  auto_try(s, &(struct auto_candidate){"{ sample s: shift 0; }", "s", 0});
  auto_try(s, &(struct auto_candidate){"{ sample s: shift 0; }", "q<1>", 0});
  auto_try(s, &(struct auto_candidate){"{ sample s: shift 0; }", "eps*99/100", 1});
  auto_blame(s, p->claim->span, "eps", "obstacle %d", 1);
  auto_blame(s, p->claim->span, "eps", "obstacle %d", 2);
}

/* Texts that are no proof, proofs that admit, and costs that are none prove nothing. */
static void nonsense_proves_nothing(void **state) {
  (void)state;
  struct run r;
  run_one(&r, "claim private m epsilon eps;", useless);
  assert_false(r.result.proved);
  assert_null(r.result.cost);
  assert_string_equal(r.result.tried->epsilon, "eps*99/100");
  assert_string_equal(r.result.obstacle.message, "obstacle 1");
  run_clear(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(least_cost_is_kept),
      cmocka_unit_test(stated_cost_is_checked),
      cmocka_unit_test(nonsense_proves_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
