/* A refutation is confirmed by a process that did not look for it, from the certificate and the
 * text of the source alone. */
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "check/certificate/source.h"
#include "report/judge/recheck.h"
#include "report/judge/verify.h"
#include "testlib.h"

static const char text[] = "param eps : real, eps > 0;\n"
                           "mechanism m(private q : real[2]) returns real\n"
                           "  adjacent forall i in 0..2, j in i..i + 1. within(q[j], 1) {\n"
                           "  x <$ Lap(q[0], 1/eps); return x; }\n"
                           "claim private m epsilon eps/2;\n";

struct refutation {
  struct sources sources;
  char digest[SHA256_HEX + 1];
  json_t *certificate;
};

static void refutation_init(struct refutation *r) {
  struct verify_options options = verify_default_options();
  options.certificates = true;
  struct file_record *file = verify_text("test.dp", text, strlen(text), &options, NULL, NULL);
  assert_int_equal(file->claims.at[0].verdict, VERDICT_REFUTED);
  r->certificate = json_deep_copy(file->claims.at[0].certificate);
  assert_non_null(r->certificate);
  sources_init(&r->sources);
  sources_add(&r->sources, "test.dp", text, strlen(text));
  cert_sources_digest(&r->sources, r->digest);
  file_record_free(file);
}

static void refutation_clear(struct refutation *r) {
  json_decref(r->certificate);
  sources_clear(&r->sources);
}

static enum recheck_answer ask(const struct refutation *r, bool in_process) {
  json_t *list = json_pack("[O]", r->certificate);
  struct recheck what = {"test.dp", &r->sources, r->digest, list, in_process};
  char *why;
  enum recheck_answer answer = recheck(&what, &why);
  json_decref(list);
  assert_true((answer == RECHECK_CONFIRMED) == (why == NULL));
  free(why);
  return answer;
}

static void what_is_true_is_confirmed(void **state) {
  (void)state;
  struct refutation r;
  refutation_init(&r);
  assert_int_equal(ask(&r, false), RECHECK_CONFIRMED);
  assert_int_equal(ask(&r, true), RECHECK_CONFIRMED);
  refutation_clear(&r);
}

static void what_is_not_is_rejected(void **state) {
  (void)state;
  struct refutation r;
  refutation_init(&r);
  /* inputs that are not adjacent */
  json_t *q = json_object_get(json_object_get(r.certificate, "inputs"), "q");
  json_array_set_new(json_array_get(q, 1), 0, json_string("90"));
  assert_int_equal(ask(&r, false), RECHECK_REJECTED);
  assert_int_equal(ask(&r, true), RECHECK_REJECTED);
  /* values of another kind, or none */
  json_array_set_new(json_array_get(q, 1), 0, json_true());
  assert_int_equal(ask(&r, false), RECHECK_REJECTED);
  json_array_set_new(q, 1, json_null());
  assert_int_equal(ask(&r, false), RECHECK_REJECTED);
  /* another source */
  r.digest[0] = r.digest[0] == '0' ? '1' : '0';
  assert_int_equal(ask(&r, false), RECHECK_REJECTED);
  refutation_clear(&r);
}

/* Probabilities like e^(-10^30): a line, not a fraction of that size. */
static void tiny_probabilities_are_no_trouble(void **state) {
  (void)state;
  static const char *const values[] = {"10000000000", "1000000000000000000000000000000",
                                       "1/1000000000000000000000000000000"};
  struct refutation r;
  refutation_init(&r);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    json_object_set_new(json_object_get(r.certificate, "parameters"), "eps",
                        json_string(values[i]));
    json_object_set_new(r.certificate, "outputs", json_pack("[s]", "..0"));
    assert_int_equal(ask(&r, false), RECHECK_CONFIRMED);
  }
  refutation_clear(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_true_is_confirmed),
      cmocka_unit_test(what_is_not_is_rejected),
      cmocka_unit_test(tiny_probabilities_are_no_trouble),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
