/* The page as a whole: what is packed, what the overview lists, what the sentences say. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "report/render/html.h"
#include "report/render/html_pack.h"
#include "report/render/sentence.h"
#include "testlib.h"

static struct claim_record claim(const char *name, enum claim_kind kind, enum verdict verdict) {
  return (struct claim_record){.name = xstrdup(name),
                               .kind = kind,
                               .subject = xstrdup(name),
                               .verdict = verdict,
                               .epsilon = xstrdup("eps"),
                               .place = {xstrdup("a.dp"), 1, 1, 1, 2}};
}

static json_t *counterexample(const char *q1, const char *q2) {
  return json_pack("{s:s, s:{s:s}, s:{s:[s, s]}, s:[s], s:[{s:s, s:s}, {s:s, s:s}], s:{s:s, s:s}, "
                   "s:{s:s, s:s}, s:{s:s, s:s}, s:{s:{s:s, s:s}}}",
                   "kind", "program", "parameters", "eps", "1", "inputs", "q", q1, q2, "outputs",
                   "1", "probabilities", "low_text", "0.5", "high_text", "0.5", "low_text", "0.125",
                   "high_text", "0.125", "epsilon", "low_text", "1", "high_text", "1", "delta",
                   "low_text", "0", "high_text", "0", "loss", "low_text", "1.386", "high_text",
                   "1.387", "worst", "loss", "low_text", "1.998", "high_text", "1.999");
}

static void base64_is_as_elsewhere(void **state) {
  (void)state;
  static const char *const pairs[][2] = {{"", ""},
                                         {"f", "Zg=="},
                                         {"fo", "Zm8="},
                                         {"foo", "Zm9v"},
                                         {"foob", "Zm9vYg=="},
                                         {"fooba", "Zm9vYmE="},
                                         {"\xff\xfe\xfd", "//79"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    struct buffer b;
    buffer_init(&b);
    html_base64(&b, (const unsigned char *)pairs[i][0], strlen(pairs[i][0]));
    assert_string_equal(buffer_text(&b), pairs[i][1]);
    buffer_clear(&b);
  }
}

static unsigned digit(char c) {
  const char *digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *at = strchr(digits, c);
  assert_true(c && at);
  return (unsigned)(at - digits);
}

/* What the script would make of it; the caller frees it. */
static char *unpacked(const char *text, size_t length, size_t *size) {
  unsigned char *bytes = xmalloc(length);
  size_t count = 0;
  for (size_t i = 0; i + 3 < length; i += 4) {
    unsigned bits = 0;
    for (size_t k = 0; k < 4; k++)
      bits = bits << 6 | (text[i + k] == '=' ? 0 : digit(text[i + k]));
    for (size_t k = 0; k < 3 && (k == 0 || text[i + k + 1] != '='); k++)
      bytes[count++] = (unsigned char)(bits >> (16 - 8 * k));
  }
  uLongf room = 10000000;
  char *out = xmalloc(room);
  assert_int_equal(uncompress((Bytef *)out, &room, bytes, (uLong)count), Z_OK);
  free(bytes);
  *size = room;
  return out;
}

static void large_pages_are_packed(void **state) {
  (void)state;
  struct run_record run;
  run_record_init(&run);
  vec_push(&run.files, file_record_new("a.dp"));
  for (size_t i = 0; i < 3; i++) {
    char *name = xasprintf("claim_%zu", i);
    struct claim_record c = claim(name, CLAIM_PROGRAM, VERDICT_UNKNOWN);
    c.reason = xasprintf("reason %zu\ntry: advice %zu", i, i);
    vec_push(&run.files.at[0]->claims, c);
    free(name);
  }
  struct buffer page;
  buffer_init(&page);
  run_record_to_html(&page, &run, 0);
  const char *at = strstr(buffer_text(&page), "id=\"packed\">");
  assert_non_null(at);
  at += strlen("id=\"packed\">");
  assert_null(strstr(buffer_text(&page), "reason 1"));
  assert_non_null(strstr(buffer_text(&page), "data-part=\"2\""));
  size_t size, part = 0;
  char *text = unpacked(at, strcspn(at, "<"), &size);
  for (char *card = text; card < text + size; card += strlen(card) + 1, part++) {
    char *reason = xasprintf("<p class=\"reason\">reason %zu</p>", part),
         *advice = xasprintf("<li>advice %zu</li>", part);
    assert_non_null(strstr(card, reason));
    assert_non_null(strstr(card, advice));
    free(reason);
    free(advice);
  }
  assert_int_equal(part, 3);
  free(text);
  buffer_clear(&page);
  run_record_clear(&run);
}

static void broken_files_are_listed(void **state) {
  (void)state;
  struct run_record run;
  run_record_init(&run);
  vec_push(&run.files, file_record_new("x/bad.dp"));
  run.files.at[0]->bad_input = true;
  vec_push(&run.files.at[0]->diags, (struct record_diag){.severity = SEVERITY_ERROR,
                                                         .code = xstrdup("syntax"),
                                                         .message = xstrdup("a semicolon"),
                                                         .text = xstrdup("text")});
  struct buffer b;
  buffer_init(&b);
  run_record_to_html(&b, &run, SIZE_MAX);
  const char *page = buffer_text(&b);
  assert_non_null(strstr(page, "data-show=\"error\" aria-pressed=\"false\">1 file with errors"));
  assert_non_null(strstr(page, "<a href=\"#f1\">bad.dp</a>"));
  assert_non_null(strstr(page, "<td colspan=\"4\">a semicolon</td>"));
  assert_non_null(strstr(page, "<section class=\"file\" id=\"f1\" data-verdict=\"error\">"));
  buffer_clear(&b);
  run_record_clear(&run);
}

/* One card, two rows, two elements to link to. */
static void claims_about_one_automaton_share_a_card(void **state) {
  (void)state;
  struct run_record run;
  run_record_init(&run);
  vec_push(&run.files, file_record_new("a.dp"));
  vec_push(&run.files.at[0]->claims, claim("a", CLAIM_AUTOMATON, VERDICT_PROVED));
  vec_push(&run.files.at[0]->claims, claim("a", CLAIM_AUTOMATON, VERDICT_UNKNOWN));
  vec_push(&run.files.at[0]->claims, claim("b", CLAIM_AUTOMATON, VERDICT_PROVED));
  struct buffer b;
  buffer_init(&b);
  run_record_to_html(&b, &run, SIZE_MAX);
  const char *page = buffer_text(&b), *first = strstr(page, "<article id=\"c1\"");
  assert_non_null(first);
  assert_non_null(strstr(first, "data-verdict=\"proved unknown\""));
  assert_null(strstr(page, "<article id=\"c2\""));
  assert_non_null(strstr(page, "<span class=\"twin\" id=\"c2\""));
  assert_non_null(strstr(page, "<article id=\"c3\""));
  assert_non_null(strstr(page, "<a href=\"#c2\">"));
  buffer_clear(&b);
  run_record_clear(&run);
}

static void differences_are_marked(void **state) {
  (void)state;
  static const char *const cases[][3] = {
      {"[0, 1, 5]", "[0, 2, 5]", "[0, <mark>1</mark>, 5]"},
      {"[[1, 2], [3, 4]]", "[[1, 2], [3, 5]]", "[[1, 2], [3, <mark>4</mark>]]"},
      {"7", "8", "<mark>7</mark>"},
      {"[1, 2]", "[1, 2, 3]", "[1, 2]"}, /* other shapes: nothing to compare */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct run_record run;
    run_record_init(&run);
    vec_push(&run.files, file_record_new("a.dp"));
    struct claim_record c = claim("m", CLAIM_PROGRAM, VERDICT_REFUTED);
    c.counterexample = counterexample(cases[i][0], cases[i][1]);
    assert_non_null(c.counterexample);
    vec_push(&run.files.at[0]->claims, c);
    struct buffer b;
    buffer_init(&b);
    run_record_to_html(&b, &run, SIZE_MAX);
    char *wanted = xasprintf("<code class=\"one\">q = %s</code>", cases[i][2]);
    assert_non_null(strstr(buffer_text(&b), wanted));
    free(wanted);
    buffer_clear(&b);
    run_record_clear(&run);
  }
}

static void says(struct claim_record c, const char *expected) {
  struct buffer b;
  buffer_init(&b);
  verdict_sentence(&b, &c);
  assert_string_equal(buffer_text(&b), expected);
  buffer_clear(&b);
  claim_record_clear(&c);
}

static void verdicts_are_said_in_plain_words(void **state) {
  (void)state;
  struct claim_record c = claim("m", CLAIM_PROGRAM, VERDICT_PROVED);
  c.lower = xstrdup("0.999 times the claim");
  says(c, "Proved: on adjacent inputs no event is more than e^eps times as likely in one run as in "
          "the other. It is tight: no proof can be below 0.999*eps.");
  c = claim("m", CLAIM_PROGRAM, VERDICT_PROVED);
  c.lower = xstrdup("0.5 times the claim");
  says(c, "Proved: on adjacent inputs no event is more than e^eps times as likely in one run as in "
          "the other. It may not be tight: no proof can be below 0.5*eps.");
  c = claim("m", CLAIM_AUTOMATON, VERDICT_PROVED);
  c.cost = xstrdup("5/6");
  c.lower = xstrdup("0.8296");
  says(c, "Proved: on adjacent inputs no event is more than e^eps times as likely in one run as in "
          "the other. The cost is 5/6*eps, which is tight: no proof can be below 0.8296*eps.");
  c = claim("m", CLAIM_PROGRAM, VERDICT_PROVED);
  c.cost = xstrdup("eps/2");
  says(c, "Proved: on adjacent inputs no event is more than e^eps times as likely in one run as in "
          "the other. The cost is eps/2.");
  c = claim("m", CLAIM_PROGRAM, VERDICT_PROVED);
  record_set(&c.epsilon, "2*eps");
  c.delta = xstrdup("delta");
  says(c,
       "Proved: on adjacent inputs no event is more than e^(2*eps) times as likely in one run as "
       "in the other, but for an additional delta.");
  c = claim("m", CLAIM_PROGRAM, VERDICT_PROVED);
  record_set(&c.epsilon, "?");
  c.cost = xstrdup("eps/2");
  says(c,
       "Proved: on adjacent inputs no event is more than e^(eps/2) times as likely in one run as "
       "in the other.");
  c = claim("m", CLAIM_AUTOMATON, VERDICT_PROVED);
  record_set(&c.epsilon, NULL);
  c.cost = xstrdup("5/4");
  says(c, "Proved: the automaton is private: on adjacent inputs, however long, no output is more "
          "than e^(5/4*eps) times as likely in one run as in the other.");
  /* both losses, and which is which */
  c = claim("m", CLAIM_PROGRAM, VERDICT_REFUTED);
  c.counterexample = counterexample("0", "1");
  says(c,
       "Refuted: for the inputs below, the output is 4.00 times as likely in the first run as in "
       "the second; the claim allows 2.72 times. The counterexample shown is a simple one and "
       "loses 1.386 times the claimed epsilon; the worst one found loses 1.998 times.");
  c = claim("m", CLAIM_PROGRAM, VERDICT_UNKNOWN);
  says(c, "Unknown: neither a proof nor a counterexample was found. The claim may be true or "
          "false.");
  c = claim("m", CLAIM_PROGRAM, VERDICT_PROVED); /* a record from elsewhere may lack anything */
  record_set(&c.epsilon, NULL);
  says(c, "Proved: the claim holds.");
  c = claim("m", CLAIM_PROGRAM, VERDICT_ADMITTED);
  says(c, "Accepted, not proved: the proof uses admit.");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(base64_is_as_elsewhere),
                                     cmocka_unit_test(large_pages_are_packed),
                                     cmocka_unit_test(broken_files_are_listed),
                                     cmocka_unit_test(claims_about_one_automaton_share_a_card),
                                     cmocka_unit_test(differences_are_marked),
                                     cmocka_unit_test(verdicts_are_said_in_plain_words)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
