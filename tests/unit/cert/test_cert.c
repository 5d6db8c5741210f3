/* Certificates: what is written is accepted, and what was changed is not.
 *
 * tests/unit/cert/corpus holds sources and their certificates as version 3 wrote them; they must
 * stay valid for as long as the format has this version. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "check/automaton/dipa.h"
#include "check/certificate/check.h"
#include "check/certificate/format.h"
#include "check/recount/judges.h"
#include "check/recount/strategy_json.h"
#include "check/recount/subject.h"
#include "out/file_write.h"
#include "report/judge/verify.h"
#include "report/record/cert_write.h"
#include "testlib.h"

#define CORPUS "tests/unit/cert/corpus/"
static const char *const corpus[] = {"svt.dp",           "k_min_max.dipa", "svt_reversed.dp",
                                     "bad_svt1.dp",      "bad_svt4.dp",    "noisy_max_1.dp",
                                     "ptr_no_margin.dp", "bad_hist.dp",    "above_threshold.dp",
                                     "disjunction.dp",   "outcomes.dp",    "notions.dp"};
enum { CORPUS_SIZE = sizeof corpus / sizeof *corpus };

/* ---- SHA-256 -------------------------------------------------------------------------------- */

static void digest_is(const char *text, size_t repeat, size_t chunk, const char *expected) {
  char hex[SHA256_HEX + 1];
  struct sha256 h;
  size_t length = strlen(text);
  sha256_init(&h);
  for (size_t i = 0; i < repeat; i++)
    for (size_t at = 0; at < length; at += chunk)
      sha256_add(&h, text + at, at + chunk < length ? chunk : length - at);
  sha256_hex(&h, hex);
  assert_string_equal(hex, expected);
}

/* The examples of FIPS 180-2, and lengths around the ends of a block. */
static void test_sha256(void **state) {
  (void)state;
  digest_is("", 1, 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  digest_is("abc", 1, 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  for (size_t chunk = 1; chunk < 60; chunk += 7)
    digest_is(two, 1, chunk, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  digest_is("a", 1000000, 1, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  digest_is("a", 55, 1, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  digest_is("a", 56, 1, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  digest_is("a", 64, 1, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

/* ---- writing files -------------------------------------------------------------------------- */

static size_t entries_of(const char *directory) {
  char *command = xasprintf("ls -A '%s' | wc -l", directory);
  FILE *in = popen(command, "r");
  size_t count = 0;
  assert_int_equal(fscanf(in, "%zu", &count), 1);
  pclose(in);
  free(command);
  return count;
}

static void content_is(const char *path, const char *expected) {
  char text[4096] = "";
  FILE *in = fopen(path, "r");
  assert_non_null(in);
  size_t n = fread(text, 1, sizeof text - 1, in);
  text[n] = '\0';
  fclose(in);
  assert_string_equal(text, expected);
}

/* A disk that is full after so many bytes, for this process. */
static void limit_files(rlim_t bytes) {
  struct rlimit limit;
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void test_file_write(void **state) {
  (void)state;
  char directory[] = "/tmp/couplet_cert_XXXXXX";
  assert_non_null(mkdtemp(directory));
  char *path = xasprintf("%s/out", directory), *why = NULL;
  mode_t mask = umask(027);
  assert_true(file_write(path, "one", 3, &why));
  umask(mask);
  content_is(path, "one");
  struct stat info;
  stat(path, &info);
  assert_int_equal(info.st_mode & 0777, 0640);
  assert_true(file_write(path, "two", 3, &why));
  content_is(path, "two");

  signal(SIGXFSZ, SIG_IGN);
  limit_files(100);
  char big[1000];
  memset(big, 'x', sizeof big);
  assert_false(file_write(path, big, sizeof big, &why)); /* it fails in the middle */
  free(why);
  content_is(path, "two");
  assert_int_equal(entries_of(directory), 1);
  unlink(path);
  assert_false(file_write(path, big, sizeof big, &why));
  free(why);
  limit_files(RLIM_INFINITY);
  assert_int_equal(entries_of(directory), 0);

  char *nowhere = xasprintf("%s/no/such/out", directory);
  assert_false(file_write(nowhere, "x", 1, &why));
  assert_non_null(strstr(why, "No such file"));
  free(why);
  assert_false(file_write("/dev/full", "x", 1, &why)); /* not a regular file: not replaced */
  free(why);
  free(nowhere);
  free(path);
  rmdir(directory);
}

/* ---- mutants -------------------------------------------------------------------------------- */

struct mutation {
  struct cert_source source;
  json_t *file;
  struct rng rng;
  bool is_evidence; /* of what is being changed: else it is part of the statement */
  bool is_seal;     /* the seal itself is being changed */
  unsigned share;   /* one mutant of the evidence in so many is judged with a new seal */
  size_t changes;   /* of which one in two or, in a short test, in eight is tried */
  size_t mutants, resealed, rejected, still_valid;
};

static enum couplet_exit judge(struct mutation *m, double seconds, struct buffer *err) {
  struct buffer out;
  struct budget budget = budget_of_seconds(seconds);
  buffer_init(&out);
  err->len = 0;
  enum couplet_exit status =
      cert_check_json(m->file, "cert", &m->source, &all_judges, &budget, &out, err);
  buffer_clear(&out);
  return status;
}

/* The file as it is now, after a change. `is_shape`: the format does not allow it. */
static void try_mutant(struct mutation *m, bool is_shape) {
  struct buffer err;
  if (m->changes++ % (test_is_whole() ? 1 : test_is_short() ? 8 : 2)) return;
  buffer_init(&err);
  m->mutants++;
  if (judge(m, 1, &err) != COUPLET_EXIT_INPUT) {
    char *text = json_dumps(m->file, 0);
    fail_msg("accepted although it was changed: %s", text);
  }
  /* somebody who changes a certificate can also seal it again */
  if (!m->is_seal && (!m->is_evidence || is_shape || rng_chance(&m->rng, 1, m->share))) {
    char seal[SHA256_HEX + 1];
    json_t *before = json_incref(json_object_get(m->file, "seal"));
    cert_seal(m->file, seal);
    json_object_set_new(m->file, "seal", json_string(seal));
    enum couplet_exit status = judge(m, 0.2, &err);
    m->resealed++;
    m->rejected += status == COUPLET_EXIT_UNKNOWN;
    m->still_valid += status == COUPLET_EXIT_PROVED;
    if (status == COUPLET_EXIT_PROVED && (!m->is_evidence || is_shape)) {
      char *text = json_dumps(m->file, 0);
      fail_msg("accepted with a new seal: %s", text);
    }
    json_object_set_new(m->file, "seal", before);
  }
  buffer_clear(&err);
}

/* Other values of the same type, then other types; the last one is NULL. */
static size_t variants(const json_t *value, json_t **out, size_t *same_type) {
  size_t n = 0;
  if (json_is_integer(value)) {
    out[n++] = json_integer(json_integer_value(value) + 1);
    out[n++] = json_integer(json_integer_value(value) - 1);
    out[n++] = json_integer(json_integer_value(value) + (1ll << 32));
  } else if (json_is_string(value)) {
    const char *text = json_string_value(value);
    size_t length = strlen(text);
    char *end, buffer[4096];
    long number = strtol(text, &end, 10);
    if (length && !*end) {
      snprintf(buffer, sizeof buffer, "%ld", number + 1);
      out[n++] = json_string(buffer);
      snprintf(buffer, sizeof buffer, "%ld", number - 1);
      out[n++] = json_string(buffer);
    }
    snprintf(buffer, sizeof buffer, "%s0", text);
    out[n++] = json_string(buffer);
    snprintf(buffer, sizeof buffer, " %s", text);
    out[n++] = json_string(buffer);
    if (length) {
      out[n++] = json_stringn(text, length - 1);
      snprintf(buffer, sizeof buffer, "%s", text);
      buffer[length / 2] = buffer[length / 2] == '+' ? '-' : buffer[length / 2] == '1' ? '2' : '1';
      out[n++] = json_string(buffer);
    }
  } else if (json_is_boolean(value)) {
    out[n++] = json_boolean(!json_is_true(value));
  }
  *same_type = n;
  out[n++] = json_null();
  out[n++] = json_true();
  out[n++] = json_real(0.5);
  out[n++] = json_string("x");
  out[n++] = json_array();
  out[n++] = json_object();
  return n;
}

static bool same_kind(const json_t *a, const json_t *b) {
  return json_typeof(a) == json_typeof(b) || (json_is_boolean(a) && json_is_boolean(b));
}

static void mutate(struct mutation *m, json_t *json);

static bool is_evidence_field(const char *name) {
  static const char *const names[] = {"strategy", "refuted",    "instance",   "parameters",
                                      "inputs",   "outputs",    "derivation", "walk",
                                      "terms",    "refutations"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

static void mutate_fields(struct mutation *m, json_t *object) {
  bool outer = m->is_evidence;
  json_object_set_new(object, "extra", json_null());
  try_mutant(m, true);
  json_object_del(object, "extra");
  size_t count = json_object_size(object), i = 0;
  const char **names = xmalloc((count + 1) * sizeof *names);
  for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at))
    names[i++] = json_object_iter_key(at);
  for (i = 0; i < count; i++) {
    char *name = xstrdup(names[i]);
    names[i] = name;
  }
  for (i = 0; i < count; i++) {
    json_t *old = json_incref(json_object_get(object, names[i])), *out[16];
    m->is_evidence = outer || is_evidence_field(names[i]);
    m->is_seal = strcmp(names[i], "seal") == 0;
    size_t same, n = variants(old, out, &same);
    for (size_t k = 0; k < n; k++) {
      bool changed = !json_equal(old, out[k]) && !(k >= same && same_kind(old, out[k]));
      json_object_set_new(object, names[i], out[k]);
      /* an instance may be null, or another one */
      if (changed) try_mutant(m, k >= same && strcmp(names[i], "instance") != 0);
    }
    json_object_del(object, names[i]);
    /* a parameter that is not given may come from the instance */
    try_mutant(m, is_evidence_field(names[i]));
    json_object_set_new(object, names[i], old);
    mutate(m, json_object_get(object, names[i]));
    m->is_seal = false;
  }
  for (i = 0; i < count; i++)
    free((char *)names[i]);
  free(names);
  m->is_evidence = outer;
}

static void mutate_items(struct mutation *m, json_t *array) {
  bool is_list = array == json_object_get(m->file, "certificates");
  for (size_t i = 0; i < json_array_size(array); i++) {
    json_t *old = json_incref(json_array_get(array, i)), *out[16];
    size_t same, n = variants(old, out, &same);
    for (size_t k = 0; k < n; k++) {
      bool changed = !json_equal(old, out[k]) && !(k >= same && same_kind(old, out[k]));
      json_array_set_new(array, i, out[k]);
      if (changed) try_mutant(m, k >= same);
    }
    json_array_set(array, i, old);
    /* fewer certificates, or in another order: it still says nothing wrong */
    bool outer = m->is_evidence;
    m->is_evidence = outer || is_list;
    json_array_remove(array, i);
    try_mutant(m, false);
    m->is_evidence = outer;
    json_array_insert(array, i, old);
    json_array_insert(array, i, old);
    try_mutant(m, false);
    json_array_remove(array, i);
    if (i && !json_equal(old, json_array_get(array, i - 1))) {
      json_t *other = json_incref(json_array_get(array, i - 1));
      json_array_set(array, i, other);
      json_array_set(array, i - 1, old);
      m->is_evidence = outer || is_list;
      try_mutant(m, false);
      m->is_evidence = outer;
      json_array_set(array, i, old);
      json_array_set_new(array, i - 1, other);
    }
    json_decref(old);
    mutate(m, json_array_get(array, i));
  }
}

static void mutate(struct mutation *m, json_t *json) {
  if (json_is_object(json)) mutate_fields(m, json);
  if (json_is_array(json)) mutate_items(m, json);
}

static json_t *load_certificate(const char *name) {
  char *path = xasprintf(CORPUS "%s.cert", name);
  json_error_t error;
  json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
  assert_non_null(file);
  free(path);
  return file;
}

static void load_source(struct cert_source *source, const char *name) {
  char *path = xasprintf(CORPUS "%s", name);
  assert_true(cert_source_load(source, path));
  free(path);
}

static void test_corpus(void **state) {
  (void)state;
  for (size_t i = 0; i < CORPUS_SIZE; i++) {
    char *source = xasprintf(CORPUS "%s", corpus[i]), *cert = xasprintf("%s.cert", source);
    struct buffer out, err;
    buffer_init(&out);
    buffer_init(&err);
    if (cert_check(cert, source, &all_judges, NULL, &out, &err) != COUPLET_EXIT_PROVED || err.len)
      fail_msg("%s: %s", cert, buffer_text(&err));
    buffer_clear(&out);
    buffer_clear(&err);
    free(source);
    free(cert);
  }
}

/* Every field of every certificate, changed in every way that comes to mind. */
static void test_mutants(void **state) {
  (void)state;
  size_t rejected = 0; /* with a new seal: as evidence that is none */
  for (size_t i = 0; i < CORPUS_SIZE; i++) {
    struct mutation m = {.rng = rng_seeded(i + 1), .share = 8};
    m.file = load_certificate(corpus[i]);
    load_source(&m.source, corpus[i]);
    json_t *before = json_deep_copy(m.file);
    mutate(&m, m.file);
    assert_true(json_equal(before, m.file)); /* every change was taken back */
    print_message("%-18s %5zu mutants, %4zu sealed again: %4zu no evidence, %zu still evidence\n",
                  corpus[i], m.mutants, m.resealed, m.rejected, m.still_valid);
    assert_true(m.mutants > (test_is_short() ? 10 : 50));
    rejected += m.rejected;
    json_decref(before);
    json_decref(m.file);
    cert_source_clear(&m.source);
  }
  assert_often(rejected > 20);
}

/* A certificate of one source says nothing about another. */
static void test_other_source(void **state) {
  (void)state;
  for (size_t i = 0; i < CORPUS_SIZE; i++) {
    struct mutation m = {.rng = rng_seeded(i + 1), .share = 1};
    struct buffer err;
    buffer_init(&err);
    m.file = load_certificate(corpus[i]);
    load_source(&m.source, corpus[(i + 1) % CORPUS_SIZE]);
    assert_int_equal(judge(&m, 1, &err), COUPLET_EXIT_INPUT);
    assert_non_null(strstr(buffer_text(&err), "error[certificate-source]"));
    buffer_clear(&err);
    json_decref(m.file);
    cert_source_clear(&m.source);
  }
}

/* ---- writing and reading -------------------------------------------------------------------- */

/* Verifies the file and checks what that wrote. */
static void round_trip(const char *path, size_t certificates) {
  struct verify_options options = {.search = 30, .certificates = true};
  struct file_record *file = verify_file(path, &options, NULL, NULL);
  json_t *list = json_array();
  for (size_t i = 0; i < file->claims.len; i++)
    if (file->claims.at[i].certificate) json_array_append(list, file->claims.at[i].certificate);
  assert_int_equal(json_array_size(list), certificates);
  char *text = cert_file(file->source_digest, list);
  struct mutation m = {.file = json_loads(text, JSON_REJECT_DUPLICATES, NULL)};
  assert_non_null(m.file);
  assert_true(cert_source_load(&m.source, path));
  struct buffer err;
  buffer_init(&err);
  if (judge(&m, 60, &err) != COUPLET_EXIT_PROVED) fail_msg("%s: %s", path, buffer_text(&err));
  buffer_clear(&err);
  cert_source_clear(&m.source);
  json_decref(m.file);
  free(text);
  json_decref(list);
  file_record_free(file);
}

static void test_round_trip(void **state) {
  (void)state;
  round_trip(CORPUS "svt.dp", 2);
  round_trip(CORPUS "k_min_max.dipa", 1);
  round_trip(CORPUS "svt_reversed.dp", 2);
  round_trip(CORPUS "bad_svt1.dp", 1);
  round_trip(CORPUS "noisy_max_1.dp", 1);
  round_trip(CORPUS "outcomes.dp", 2);
  round_trip(CORPUS "notions.dp", 6);
}

/* Without being asked for, no certificate is made. */
static void test_not_asked(void **state) {
  (void)state;
  struct verify_options options = {.search = 5};
  struct file_record *file = verify_file(CORPUS "svt.dp", &options, NULL, NULL);
  assert_null(file->source_digest);
  for (size_t i = 0; i < file->claims.len; i++)
    assert_null(file->claims.at[i].certificate);
  file_record_free(file);
}

/* ---- digests of automata -------------------------------------------------------------------- */

static void digest_of(const char *text, char out[SHA256_HEX + 1]) {
  char path[] = "/tmp/couplet_cert_XXXXXX.dipa";
  int fd = mkstemps(path, 5);
  assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
  struct lang lang;
  lang_init(&lang);
  uint32_t file = sources_read(&lang.sources, path, NULL);
  struct automaton a;
  automaton_init(&a);
  assert_true(dipa_read(&a, &lang.sources, file, &lang.diags));
  automaton_digest(&a, out);
  automaton_clear(&a);
  lang_clear(&lang);
  unlink(path);
}

/* Anything that means something is in the digest; comments and blanks are not. */
static void test_automaton_digest(void **state) {
  (void)state;
#define FIRST "(q0, 1/2, 0): if (true) then x := insample; output a; goto q1\n"
#define SECOND "(q1, 1/4, 0): if (insample < x) then output b; goto q1 "
#define THIRD "elseif (insample >= x) then output c; goto q2\n"
  static const char *const texts[] = {
      FIRST SECOND THIRD,
      "(q0, 1/3, 0): if (true) then x := insample; output a; goto q1\n" SECOND THIRD,
      "(q0, 1/2, 1): if (true) then x := insample; output a; goto q1\n" SECOND THIRD,
      "(q0:non-input, 1/2, 0): if (true) then x := insample; output a; goto q1\n" SECOND THIRD,
      "(q0, 1/2, 0, 1, 0): if (true) then x := insample; output a; goto q1\n" SECOND THIRD,
      "(q0, 1/2, 0, 1, 2): if (true) then x := insample; output a; goto q1\n" SECOND THIRD,
      "(q0, 1/2, 0): if (true) then x := insample, y := insample; output a; goto q1\n" SECOND THIRD,
      "(q0, 1/2, 0): if (true) then x := insample; output d; goto q1\n" SECOND THIRD,
      "(q0, 1/2, 0): if (true) then x := insample; output insample; goto q1\n" SECOND THIRD,
      FIRST "(q1, 1/4, 0): if (insample < x) then output b; goto q2 " THIRD,
      FIRST "(q1, 1/4, 0): if (insample < x) then x := insample; output b; goto q1 " THIRD,
      FIRST "(q1, 1/4, 0): if (insample >= x) then output b; goto q1 elseif (insample < x) then "
            "output c; goto q2\n",
      FIRST SECOND "\n",
  };
  enum { TEXTS = sizeof texts / sizeof *texts };
  static char digests[TEXTS][SHA256_HEX + 1];
  for (size_t i = 0; i < TEXTS; i++) {
    digest_of(texts[i], digests[i]);
    for (size_t k = 0; k < i; k++)
      assert_string_not_equal(digests[i], digests[k]);
  }
  char again[SHA256_HEX + 1];
  digest_of("# the same\n" FIRST "  " SECOND "\n" THIRD, again);
  assert_string_equal(again, digests[0]);
}

/* ---- what a forger could try ---------------------------------------------------------------- */

static enum couplet_exit check_forged(struct cert_source *source, const char *certificate,
                                      struct buffer *err) {
  struct mutation m = {.source = *source};
  json_error_t error;
  json_t *one = json_loads(certificate, 0, &error), *list = json_pack("[o]", one);
  assert_non_null(one);
  char *text = cert_file(source->digest, list);
  m.file = json_loads(text, 0, &error);
  enum couplet_exit status = judge(&m, 10, err);
  json_decref(m.file);
  json_decref(list);
  free(text);
  return status;
}

/* A density is a number of another kind than a probability: adding the two would refute a claim
 * that is true. */
static void test_density_and_probability(void **state) {
  (void)state;
  static const char source_text[] =
      "mechanism m(private q : real) returns (bool, real) adjacent within(q, 1) {\n"
      "  x <$ Lap(q, 1 / 10);\n  return (true, x);\n}\n"
      "claim private m epsilon 1 delta 999/1000;\n";
  char path[] = "/tmp/couplet_cert_XXXXXX.dp";
  int fd = mkstemps(path, 3);
  assert_int_equal(write(fd, source_text, strlen(source_text)), (ssize_t)strlen(source_text));
  close(fd);
  struct cert_source source;
  if (!cert_source_load(&source, path)) fail_msg("%s", source.lang.diags.list.at[0].message);
  struct buffer err;
  buffer_init(&err);
#define FORGED(outputs)                                                                            \
  "{\"claim\": {\"number\": 1, \"name\": \"m\", \"subject\": \"m\", \"epsilon\": \"1\", "          \
  "\"delta\": "                                                                                    \
  "\"999/1000\"}, \"kind\": \"program-counterexample\", \"instance\": null, \"parameters\": {}, "  \
  "\"inputs\": {\"q\": [\"0\", \"1\"]}, \"outputs\": " outputs "}"
  assert_int_equal(check_forged(&source, FORGED("[\"(true, 0)\"]"), &err), COUPLET_EXIT_UNKNOWN);
  assert_non_null(strstr(buffer_text(&err), "box"));
  assert_int_equal(check_forged(&source, FORGED("[\"(true, 0)\", \"(false, 5..)\"]"), &err),
                   COUPLET_EXIT_UNKNOWN);
  assert_non_null(strstr(buffer_text(&err), "box"));
  assert_int_equal(check_forged(&source, FORGED("[\"(true, ..1/2)\"]"), &err),
                   COUPLET_EXIT_UNKNOWN);
  assert_non_null(strstr(buffer_text(&err), "the claim holds"));
  buffer_clear(&err);
  cert_source_clear(&source);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sha256),
      cmocka_unit_test(test_file_write),
      cmocka_unit_test(test_corpus),
      cmocka_unit_test(test_mutants),
      cmocka_unit_test(test_other_source),
      cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_not_asked),
      cmocka_unit_test(test_automaton_digest),
      cmocka_unit_test(test_density_and_probability),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
