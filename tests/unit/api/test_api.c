/* The public API: verdicts equal those of the record, misuse is harmless, threads do not meet. */
#include <flint/flint.h>
#include <gmp.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fatal.h"
#include "couplet.h"
#include "testlib.h"

static const char claims[] = "param eps : real, eps > 0;\n"
                             "mechanism m(private q : real) returns real adjacent within(q, 1) {\n"
                             "  a <$ Lap(q, 1/eps);\n"
                             "  return a;\n"
                             "}\n"
                             "claim good: private m epsilon eps proof { sample a: shift 0; }\n"
                             "claim bad: private m epsilon eps/2;\n";

static void test_verdicts(void **state) {
  (void)state;
  cp_context *context = cp_context_new();
  cp_result *r = cp_verify_text(context, "claims.dp", claims, strlen(claims));
  cp_context_free(context); /* the result stands by itself */
  assert_int_equal(cp_claim_count(r), 2);
  assert_string_equal(cp_claim_name(r, 0), "good");
  assert_int_equal(cp_claim_verdict(r, 0), CP_PROVED);
  assert_string_equal(cp_claim_epsilon(r, 0), "eps");
  assert_null(cp_claim_notion(r, 0));
  assert_string_equal(cp_claim_cost(r, 0), "eps");
  assert_null(cp_claim_reason(r, 0));
  assert_int_equal(cp_claim_line(r, 0), 6);
  assert_int_equal(cp_claim_verdict(r, 1), CP_REFUTED);
  assert_null(cp_claim_cost(r, 1));
  assert_int_equal(cp_result_status(r), CP_STATUS_REFUTED);
  assert_non_null(strstr(cp_text(r), "good"));
  assert_non_null(strstr(cp_json(r), "\"verdict\": \"refuted\""));
  assert_ptr_equal(cp_json(r), cp_json(r));
  cp_result_free(r);
}

static void test_bad_input(void **state) {
  (void)state;
  cp_context *context = cp_context_new();
  cp_result *r = cp_verify_file(context, "/nowhere/at/all.dp");
  assert_int_equal(cp_result_status(r), CP_STATUS_BAD_INPUT);
  assert_int_equal(cp_claim_count(r), 0);
  assert_non_null(strstr(cp_text(r), "/nowhere/at/all.dp"));
  cp_result_free(r);
  r = cp_verify_text(context, "broken.dp", "mechanism (", 11);
  assert_int_equal(cp_result_status(r), CP_STATUS_BAD_INPUT);
  assert_non_null(strstr(cp_text(r), "broken.dp:1:"));
  cp_result_free(r);
  r = cp_verify_text(context, "empty.dp", "", 0);
  assert_int_equal(cp_result_status(r), CP_STATUS_BAD_INPUT);
  cp_result_free(r);
  r = cp_verify_text(context, "empty.dipa", "", 0);
  assert_int_equal(cp_result_status(r), CP_STATUS_BAD_INPUT);
  cp_result_free(r);
  r = cp_check_certificate(context, "/nowhere/cert.json", "/nowhere/at/all.dp");
  assert_int_equal(cp_result_status(r), CP_STATUS_BAD_INPUT);
  assert_null(cp_json(r));
  assert_int_equal(cp_claim_count(r), 0);
  cp_result_free(r);
  cp_context_free(context);
}

static void test_misuse(void **state) {
  (void)state;
  cp_context *context = cp_context_new();
  assert_false(cp_set_timeout(context, -1));
  assert_false(cp_set_timeout(context, NAN));
  assert_false(cp_set_search(context, INFINITY));
  assert_true(cp_set_search(context, 0.5));
  cp_result *r = cp_verify_text(context, "claims.dp", claims, strlen(claims));
  assert_null(cp_claim_name(r, 2));
  assert_int_equal(cp_claim_verdict(r, 2), CP_UNKNOWN);
  assert_int_equal(cp_claim_line(r, (size_t)-1), 0);
  assert_null(cp_verdict_name((enum cp_verdict)17));
  cp_result_free(r);
  cp_result_free(NULL);
  cp_context_free(NULL);
  cp_context_free(context);
}

static void test_explain(void **state) {
  (void)state;
  cp_context *context = cp_context_new();
  cp_result *r = cp_verify_text(context, "claims.dp", claims, strlen(claims));
  assert_null(strstr(cp_json(r), "\"explanation\""));
  cp_result_free(r);
  cp_set_explain(context, true);
  r = cp_verify_text(context, "claims.dp", claims, strlen(claims));
  assert_non_null(strstr(cp_json(r), "\"explanation\""));
  cp_result_free(r);
  cp_context_free(context);
}

static const char automaton[] = "automaton svt {\n"
                                "  vars x;\n"
                                "}\n";

struct job {
  pthread_t thread;
  int verdicts[4];
};

/* Every thread has its own context: a program with a proof, a false claim, an automaton. */
static void *work(void *argument) {
  struct job *job = argument;
  cp_context *context = cp_context_new();
  cp_result *r = cp_verify_text(context, "claims.dp", claims, strlen(claims));
  job->verdicts[0] = cp_claim_verdict(r, 0);
  job->verdicts[1] = cp_claim_verdict(r, 1);
  cp_result_free(r);
  r = cp_verify_file(context, "examples/automata/svt.dipa");
  job->verdicts[2] = cp_claim_verdict(r, 0);
  cp_result_free(r);
  r = cp_verify_text(context, "broken.dp", automaton, strlen(automaton));
  job->verdicts[3] = (int)cp_result_status(r);
  cp_result_free(r);
  cp_context_free(context);
  cp_thread_end();
  return NULL;
}

static void test_threads(void **state) {
  (void)state;
  struct job jobs[4];
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&jobs[i].thread, NULL, work, &jobs[i]), 0);
  for (size_t i = 0; i < 4; i++)
    pthread_join(jobs[i].thread, NULL);
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(jobs[i].verdicts[0], CP_PROVED);
    assert_int_equal(jobs[i].verdicts[1], CP_REFUTED);
    assert_int_equal(jobs[i].verdicts[2], CP_PROVED);
    assert_int_equal(jobs[i].verdicts[3], CP_STATUS_BAD_INPUT);
  }
}

/* Numbers that no memory holds, and memory that is not there: a status, and the caller lives. */
static void test_extremes(void **state) {
  (void)state;
  static const char text[] = "mechanism m(private q : real) returns real adjacent within(q, 1) {\n"
                             "  a <$ Lap(q, 1/1e30);\n"
                             "  return a;\n"
                             "}\n"
                             "claim private m epsilon 1e30/2;\n"
                             "lemma large: exp(1e30) > 1;\n";
  cp_context *context = cp_context_new();
  cp_result *r = cp_verify_text(context, "extreme.dp", text, strlen(text));
  assert_int_equal(cp_claim_verdict(r, 0), CP_REFUTED);
  cp_result_free(r);
  cp_context_free(context);
#ifdef __SANITIZE_ADDRESS__ /* which ends the process itself */
  return;
#endif
  for (int which = 0; which < 3; which++) { /* FLINT, GMP and we ourselves */
    struct fatal_guard guard;
    if (fatal_caught(&guard)) continue;
    void *(*take)(size_t);
    mp_get_memory_functions(&take, NULL, NULL);
    size_t too_much = SIZE_MAX / 4;
    void *p = which == 0 ? flint_malloc(too_much) : which == 1 ? take(too_much) : xmalloc(too_much);
    fail_msg("memory without end: %p", p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_verdicts), cmocka_unit_test(test_bad_input),
      cmocka_unit_test(test_misuse),   cmocka_unit_test(test_explain),
      cmocka_unit_test(test_threads),  cmocka_unit_test(test_extremes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
