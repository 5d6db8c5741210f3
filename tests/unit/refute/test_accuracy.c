/* Claims of accuracy: the probability of failure that the certifier computes, against the formula
 * evaluated on every output of the mechanism; and what it must refuse. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/exact/exact.h"
#include "lang/check/check.h"
#include "search/refute/program_refute.h"
#include "source_text.h"
#include "testlib.h"

struct attack {
  struct lang lang;
  struct program_claim claim;
  struct program_counterexample ce;
};

/* The first claim of the text; one input per argument and run. */
static void attack_init(struct attack *a, const char *text, const long inputs[2][2],
                        const char *event) {
  *a = (struct attack){0};
  lang_init(&a->lang);
  a->claim.lang = &a->lang;
  a->claim.module = load_valid_text(&a->lang, text);
  for (size_t i = 0; i < a->claim.module->decl_count; i++)
    if (a->claim.module->decls[i]->kind == DECL_CLAIM) a->claim.claim = a->claim.module->decls[i];
  assert_non_null(a->claim.claim);
  program_counterexample_init(&a->ce);
  a->ce.input_count = a->claim.claim->as.claim.target->as.mechanism.routine->arg_count;
  for (int run = 0; run < 2; run++) {
    a->ce.inputs[run] = xcalloc(3, sizeof(struct rvalue));
    for (size_t i = 0; i < a->ce.input_count; i++)
      a->ce.inputs[run][i] = rvalue_int(inputs[run][i]);
  }
  struct pattern p;
  size_t at;
  char *why;
  assert_true(pattern_parse(&p, event, &at, &why));
  vec_push(&a->ce.outputs, p);
}

static void attack_clear(struct attack *a) {
  program_counterexample_clear(&a->ce);
  lang_clear(&a->lang);
}

/* Returns early, from loops and branches, and emits before it does. */
#define PROGRAM                                                                                    \
  "mechanism m(private q : int, k : int) emits int returns int {\n"                                \
  "  a <$ UniformInt(0, 3);\n"                                                                     \
  "  c <$ Bernoulli(1/3);\n"                                                                       \
  "  if c { emit a; return a + q; }\n"                                                             \
  "  for i in 0..2 {\n"                                                                            \
  "    b <$ UniformInt(0, 2);\n"                                                                   \
  "    emit b + 10*i;\n"                                                                           \
  "    if b = 2 { return k - i; }\n"                                                               \
  "    if b = 1 and a = 0 { break; }\n"                                                            \
  "    a := a + b*(i + 1);\n"                                                                      \
  "  }\n"                                                                                          \
  "  return a;\n"                                                                                  \
  "}\n"

static const char *const formulas[] = {
    "true",
    "false",
    "result = q",
    "abs(result - q) <= k",
    "result <= 3 and result >= 1",
    "result < q -> result < k",
    "forall j in 0..k. result != j",
    "forall j in 0..k, i in 0..j. result != i + j",
    "result > q -> (forall j in 0..result. j != k + 1) and result != 4",
    "(forall j in 0..result. j <= 3) and (result < k -> (forall j in 0..2. result + j != q))",
    "forall j in 0..3. j < result -> (forall i in j..3. i != q or result > 2)",
    "not (result = k) or q > result",
    "length(emitted) = 1",
    "length(emitted) = 2 -> emitted[1] > 10 and emitted[0] < 2",
    "forall j in 0..length(emitted). emitted[j] != 10*j + 1",
    "forall j in 0..length(emitted). emitted[j] + result != k",
};

/* By the evaluator, output by output. */
static double failure_of(struct attack *a) {
  const struct ast_decl *claim = a->claim.claim, *m = claim->as.claim.target;
  struct interp in;
  interp_init(&in, &a->lang, a->claim.module, m);
  for (size_t i = 0; i < a->ce.input_count; i++)
    interp_set_input(&in, i, rvalue_copy(&a->ce.inputs[0][i]), span_none());
  assert_true(interp_prepare(&in));
  struct exact_distribution d;
  exact_distribution_init(&d);
  exact_distribution(&in, &(struct exact_options){0}, &d);
  assert_int_equal(d.status, EXACT_OK);
  double sum = 0;
  size_t slots[] = {claim->as.claim.emitted->slot, claim->as.claim.result->slot};
  struct rframe frame;
  rframe_init(&frame, slots[0] + slots[1]);
  for (size_t i = 0; i < a->ce.input_count; i++)
    frame.at[i] = rvalue_copy(&a->ce.inputs[0][i]);
  for (size_t i = 0; i < d.outcomes.len; i++) {
    bool truth;
    for (size_t k = 0; k < 2; k++) { /* (emitted, returned) */
      rvalue_clear(&frame.at[slots[k]]);
      frame.at[slots[k]] = rvalue_copy(&d.outcomes.at[i].output.as.seq->at[k]);
    }
    assert_true(reval_bool(&in.ev, &frame, claim->as.claim.formula, &truth));
    if (!truth) sum += arf_get_d(arb_midref(d.outcomes.at[i].probability), ARF_RND_NEAR);
  }
  rframe_clear(&frame);
  exact_distribution_clear(&d);
  interp_clear(&in);
  return sum;
}

/* Certified exactly if it fails more often than allowed. */
static void compare(const char *formula, const long inputs[2][2], double *spread) {
  static const char *const allowed[] = {"0", "1/4", "1/2", "9/10"};
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
    struct attack a;
    char *text = xasprintf(PROGRAM "claim accurate m: %s failure %s;\n", formula, allowed[i]);
    attack_init(&a, text, inputs, "false");
    double truth = failure_of(&a), limit = i == 0 ? 0 : i == 1 ? 0.25 : i == 2 ? 0.5 : 0.9;
    char *why = NULL;
    bool is_refuted = program_certify(&a.ce, &a.claim, NULL, &why);
    if (is_refuted != (truth > limit))
      fail_msg("%s at %s: %g, but %s", formula, allowed[i], truth, why ? why : "certified");
    assert_true(fabs(arf_get_d(arb_midref(a.ce.p1), ARF_RND_NEAR) - truth) < 1e-12);
    *spread += truth * (1 - truth);
    free(why);
    free(text);
    attack_clear(&a);
  }
}

/* Inputs that the claim speaks of. */
static void restricted_claims_are_broken(void **state) {
  (void)state;
  static const long inputs[2][2] = {{2, 3}, {2, 3}};
  static const char text[] = PROGRAM "claim accurate m: result = q failure 1/2 under q > 1 and "
                                     "(forall j in 0..q. j < k);\n";
  struct attack a;
  char *why = NULL;
  attack_init(&a, text, inputs, "false");
  if (!program_certify(&a.ce, &a.claim, NULL, &why)) fail_msg("%s", why);
  attack_clear(&a);
}

static void failure_is_that_of_the_formula(void **state) {
  (void)state;
  static const long cases[][2][2] = {{{0, 1}, {0, 1}}, {{2, 3}, {2, 3}}, {{-1, 4}, {-1, 4}}};
  double spread = 0;
  for (size_t f = 0; f < sizeof formulas / sizeof *formulas; f++)
    for (size_t i = 0; i < 3; i++)
      compare(formulas[f], cases[i], &spread);
  assert_true(spread > 5); /* most of them are neither sure nor impossible */
}

static void refused(const char *claim, const long inputs[2][2], const char *event,
                    const char *reason) {
  struct attack a;
  char *text = xasprintf(PROGRAM "%s\n", claim), *why = NULL;
  attack_init(&a, text, inputs, event);
  if (program_certify(&a.ce, &a.claim, NULL, &why)) fail_msg("%s was certified", claim);
  if (!why || !strstr(why, reason)) fail_msg("%s: `%s` is not `%s`", claim, why, reason);
  free(why);
  free(text);
  attack_clear(&a);
}

static void wrong_evidence_is_refused(void **state) {
  (void)state;
  static const long same[2][2] = {{0, 1}, {0, 1}}, differ[2][2] = {{0, 1}, {5, 1}};
  refused("claim accurate m: false failure 0;", differ, "false", "one run");
  refused("claim accurate m: false failure 0;", same, "true", "one run");
  refused("claim accurate m: false failure 0;", same, "(_, false)", "one run");
  refused("claim accurate m: false failure 0 under q > 0;", same, "false", "speaks of");
  /* of two runs, one of which satisfies `under` */
  refused("claim accurate m: false failure 0 under q > 0;", differ, "false", "one run");
  refused("claim accurate m: false failure 1;", same, "false", "the claim holds");
  refused("claim accurate m: exists j in 0..3. result = j + 100 failure 0;", same, "false",
          "cannot be computed");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(failure_is_that_of_the_formula),
                                     cmocka_unit_test(restricted_claims_are_broken),
                                     cmocka_unit_test(wrong_evidence_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
