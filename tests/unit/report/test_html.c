/* The page: hostile text stays text, and what the record says is on it. */
#include <stdlib.h>
#include <string.h>

#include "report/record/versions.h"
#include "report/render/html.h"
#include "report/render/html_put.h"
#include "report/render/html_source.h"
#include "testlib.h"

static size_t count(const char *text, const char *part) {
  size_t n = 0;
  for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
    n++;
  return n;
}

static void check_text(const char *text, const char *expected) {
  struct buffer b;
  buffer_init(&b);
  html_text(&b, text);
  assert_string_equal(buffer_text(&b), expected);
  buffer_clear(&b);
}

static void markup_is_escaped(void **state) {
  (void)state;
  check_text("a < b & c > \"d\" 'e'", "a &lt; b &amp; c &gt; &quot;d&quot; &#39;e&#39;");
  check_text("</script>", "&lt;/script&gt;");
  check_text("\xce\xb5 \xe2\x89\xa4 1", "\xce\xb5 \xe2\x89\xa4 1");
  check_text("one\ttwo\nthree", "one\ttwo\nthree");
}

static void what_cannot_be_seen_is_shown(void **state) {
  (void)state;
  check_text("a\xe2\x80\xae"
             "b", /* right-to-left override */
             "a<span class=\"control\">U+202E</span>b");
  check_text("\xe2\x81\xa6", "<span class=\"control\">U+2066</span>");
  check_text("\xe2\x80\x8b", "<span class=\"control\">U+200B</span>");
  check_text("\x01", "<span class=\"control\">U+0001</span>");
  check_text("\xff", "\xef\xbf\xbd"); /* not UTF-8 */
  struct buffer b;
  buffer_init(&b);
  html_attr(&b, "x\xe2\x80\xaey\"");
  assert_string_equal(buffer_text(&b), "x[U+202E]y&quot;");
  buffer_clear(&b);
}

static void formulas_keep_their_text(void **state) {
  (void)state;
  struct buffer b;
  buffer_init(&b);
  html_formula(&b, "t<2> = t<1> + 1 < 3");
  assert_string_equal(buffer_text(&b),
                      "t<span class=\"tag\">&lt;2&gt;</span> = t<span class=\"tag\">"
                      "&lt;1&gt;</span> + 1 &lt; 3");
  buffer_clear(&b);
}

/* A record with this text wherever a source could put one. */
static void hostile_record(struct run_record *run, const char *evil) {
  run_record_init(run);
  struct file_record *f = file_record_new(evil);
  json_t *source = json_string(evil);
  f->sources = json_pack("[{s:s, s:o}]", "path", "evil.dp", "text", source);
  vec_push(&f->diags, (struct record_diag){.severity = SEVERITY_WARNING,
                                           .code = xstrdup(evil),
                                           .message = xstrdup(evil),
                                           .hint = xstrdup(evil),
                                           .text = xstrdup(evil)});
  json_t *node = json_pack("{s:s, s:s, s:s, s:{s:s, s:s}, s:[{s:s, s:s, s:s}], s:s, s:[], s:{s:s, "
                           "s:i}}",
                           "rule", evil, "words", evil, "command", evil, "budget", "before", evil,
                           "after", "0", "coupling", "when", evil, "relation", evil, "cost", evil,
                           "left", evil, "steps", "location", "file", "evil.dp", "line", 1);
  json_t *detail = json_pack(
      "{s:[{s:s, s:s, s:s, s:[{s:s, s:s, s:s, s:f}], s:[o]}], s:i, s:i, s:f, s:[{s:s, s:s, s:s, "
      "s:b, s:f}], s:s, s:{s:s}}",
      "explanation", "direction", "forward", "total", evil, "values", evil, "payments", "command",
      evil, "cost", evil, "kind", "loop", "share", 0.5, "steps", node, "obligations", 1,
      "obligations_proved", 1, "solver_s", 0.1, "obligation_list", "rule", evil, "what", evil,
      "formula", evil, "proved", 1, "time_s", 0.0, "proof", evil, "walk", "text", evil);
  assert_non_null(detail);
  json_t *ball = json_pack("{s:s, s:s}", "low_text", "0.1", "high_text", evil);
  json_t *ce =
      json_pack("{s:s, s:s, s:{s:s}, s:{s:[s, s]}, s:[s], s:[O, O], s:O, s:O, s:O, s:{s:s, "
                "s:[{s:s, s:[O, O], "
                "s:b}], s:[s, s]}}",
                "kind", "program", "instance", evil, "parameters", evil, evil, "inputs", evil, evil,
                "other", "outputs", evil, "probabilities", ball, ball, "epsilon", ball, "delta",
                ball, "loss", ball, "distributions", "kind", "discrete", "outcomes", "output", evil,
                "probabilities", ball, ball, "in_event", 1, "others_text", evil, evil);
  assert_non_null(ce);
  vec_push(&f->claims, (struct claim_record){.name = xstrdup(evil),
                                             .kind = CLAIM_PROGRAM,
                                             .subject = xstrdup(evil),
                                             .verdict = VERDICT_REFUTED,
                                             .epsilon = xstrdup(evil),
                                             .delta = xstrdup(evil),
                                             .cost = xstrdup(evil),
                                             .lower = xstrdup(evil),
                                             .reason = xstrdup(evil),
                                             .place = {xstrdup("evil.dp"), 1, 1, 1, 2},
                                             .subject_place = {xstrdup("evil.dp"), 1, 1, 1, 2},
                                             .detail = detail,
                                             .counterexample = ce});
  vec_push(&f->claims,
           (struct claim_record){
               .name = xstrdup(evil),
               .kind = CLAIM_AUTOMATON,
               .counterexample = json_pack(
                   "{s:s, s:s, s:s, s:[[s, s]], s:[s], s:i, s:[O, O], s:O, s:{s:s, s:s, "
                   "s:s, s:s, s:[{s:s, s:[O, O]}, {s:s, s:[O, O]}]}}",
                   "kind", "automaton", "eps", evil, "claimed", evil, "inputs", evil, "other",
                   "outputs", evil, "iterations", 3, "probabilities", ball, ball, "loss", ball,
                   "distributions", "kind", "density", "output", evil, "low", evil, "high", evil,
                   "points", "x", "0", "densities", ball, ball, "x", "1", "densities", ball, ball),
               .detail = json_pack("{s:s, s:{s:s}}", "class", evil, "walk", "text", evil)});
  assert_non_null(vec_last(&f->claims).counterexample);
  json_decref(ball);
  record_set(&f->stopped, evil);
  record_set(&f->internal_error, evil);
  vec_push(&run->files, f);
}

static void hostile_text_stays_text(void **state) {
  (void)state;
  static const char *const evils[] = {
      "</script><script>alert(1)</script>",
      "\"><img src=x onerror=alert(1)>",
      "'><svg onload=alert(1)>",
      "</style></title></pre></code><iframe src=//evil>",
      "{{body}}{{script}}<!-- ]]> -->",
      "\xe2\x80\xaeright to left\xe2\x81\xa9",
  };
  for (size_t i = 0; i < sizeof evils / sizeof *evils; i++) {
    struct run_record run;
    hostile_record(&run, evils[i]);
    struct buffer b;
    buffer_init(&b);
    run_record_to_html(&b, &run, SIZE_MAX);
    const char *page = buffer_text(&b), *body = strstr(page, "<body>");
    assert_non_null(body);
    assert_int_equal(count(page, "<script"), 1);
    assert_int_equal(count(page, "</script"), 1);
    assert_int_equal(count(page, "</style"), 1);
    assert_int_equal(count(page, "</title>"), 1);
    assert_int_equal(count(body, "<img") + count(body, "<iframe") + count(body, "<!--"), 0);
    assert_int_equal(count(page, "onload=alert"), count(page, "&#39;&gt;&lt;svg onload=alert"));
    assert_int_equal(count(page, "onerror=alert"),
                     count(page, "&quot;&gt;&lt;img src=x onerror=alert"));
    assert_int_equal(count(page, "\xe2\x80\xae"), 0);
    assert_int_equal(count(page, "\xe2\x81\xa9"), 0);
    buffer_clear(&b);
    run_record_clear(&run);
  }
}

/* `d`, `cost` and `shift` are names in a program, words in an automaton and in a proof. */
static void words_are_coloured_where_they_are_words(void **state) {
  (void)state;
  struct file_record *f = file_record_new("a.dp");
  f->sources = json_pack("[{s:s, s:s}]", "path", "a.dp", "text",
                         "mechanism m(private d : real) returns real adjacent within(d, 1) {\n"
                         "  shift <$ Lap(d, 1);\n  cost := shift;\n  return cost; }\n"
                         "claim private m epsilon 1 proof { sample shift shift 0; }\n"
                         "automaton a { var x; start s; state s noninput d 1/4 mean 10; }\n");
  vec_push(&f->claims, (struct claim_record){.name = xstrdup("m"),
                                             .kind = CLAIM_PROGRAM,
                                             .place = {xstrdup("a.dp"), 5, 1, 5, 50}});
  struct buffer b;
  buffer_init(&b);
  html_source(&b, f, &f->claims.at[0], 0);
  const char *page = buffer_text(&b);
#define MARKED(text) "<span class=\"w\">" text "</span>"
  assert_non_null(
      strstr(page, "m(" MARKED("private") " d : " MARKED("real") ") " MARKED("returns")));
  assert_non_null(strstr(page, "  cost := shift;"));
  assert_non_null(strstr(page, MARKED("sample") " " MARKED("shift") " " MARKED("shift") " <"));
  assert_non_null(strstr(page, MARKED("noninput") " " MARKED("d") " <"));
  assert_non_null(strstr(page, MARKED("mean")));
  assert_int_equal(count(page, MARKED("cost")), 0);
  buffer_clear(&b);
  html_proof_text(&b, "sample x shift cost;\nadjacent");
  assert_non_null(
      strstr(buffer_text(&b), MARKED("sample") " x " MARKED("shift") " " MARKED("cost")));
  assert_null(strstr(buffer_text(&b), MARKED("adjacent")));
#undef WORD
  buffer_clear(&b);
  file_record_free(f);
}

static void facts_are_on_the_page(void **state) {
  (void)state;
  struct run_record run;
  hostile_record(&run, "a<b");
  run.tools = versions_json();
  struct buffer b;
  buffer_init(&b);
  run_record_to_html(&b, &run, SIZE_MAX);
  const char *page = buffer_text(&b);
  assert_non_null(strstr(page, "<span class=\"badge refuted\">refuted</span>"));
  assert_non_null(strstr(page, "(a&lt;b, a&lt;b)-private"));
  assert_non_null(strstr(page, "1 of 1 proved, evidence found"));
  assert_non_null(strstr(page, "<dt>z3</dt><dd>"));
  assert_non_null(strstr(page, "<p class=\"reason\">a&lt;b</p>"));
  /* nothing is fetched */
  assert_null(strstr(page, "http://"));
  assert_null(strstr(page, "https://"));
  assert_null(strstr(page, "src="));
  buffer_clear(&b);
  run_record_clear(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(markup_is_escaped),
                                     cmocka_unit_test(what_cannot_be_seen_is_shown),
                                     cmocka_unit_test(formulas_keep_their_text),
                                     cmocka_unit_test(hostile_text_stays_text),
                                     cmocka_unit_test(words_are_coloured_where_they_are_words),
                                     cmocka_unit_test(facts_are_on_the_page)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
