/* One record, many renderings: what is in one is in all. Files are verified once, in process; text,
 * JSON, SARIF and HTML are made from that record and compared field by field. */
#include <stdlib.h>
#include <string.h>

#include "report/judge/verify.h"
#include "report/record/proof_record.h"
#include "report/record/record_json.h"
#include "report/record/versions.h"
#include "report/render/bound.h"
#include "report/render/html.h"
#include "report/render/record_text.h"
#include "report/render/sarif.h"
#include "testlib.h"

static const char *const files[] = {
    "examples/proofs/svt.dp",
    "examples/incorrect/noisy_max_1.dp",
    "examples/incorrect/bad_hist.dp",
    "examples/automata/not_private_sort.dp",
    "examples/automata/svt.dipa",
    "tests/regress/proofs/admit.dp",
    "tests/unit/report/data/unknown.dp",
    "tests/unit/report/data/errors.dp",
};

/* Fontconfig and Pango, which Graphviz uses, keep what they found until the end. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
  return "leak:libfontconfig\nleak:libpango\nleak:libglib\nleak:libgobject\nleak:libcairo\n"
         "leak:libgvplugin_pango\n";
}

struct renderings {
  struct run_record run;
  struct buffer text, html;
  json_t *json, *sarif;
};

static struct renderings made;

/* ---- plain words ----------------------------------------------------------------------------- */

/* White space does not count: lines are wrapped. */
static char *squeezed(const char *text) {
  struct buffer b;
  buffer_init(&b);
  for (; *text; text++)
    if (!strchr(" \n\t", *text)) buffer_putc(&b, *text);
  return buffer_take(&b);
}

static const char *unescape(const char *at, struct buffer *out) {
  static const char *const names[][2] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&#39;", "'"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(at, names[i][0], strlen(names[i][0])) == 0) {
      buffer_puts(out, names[i][1]);
      return at + strlen(names[i][0]);
    }
  buffer_putc(out, *at);
  return at + 1;
}

/* What a reader of the page sees. */
static char *visible(const char *html, size_t length) {
  struct buffer b;
  buffer_init(&b);
  for (const char *at = html, *end = html + length; at < end;) {
    if (*at == '<')
      at = strchr(at, '>') + 1;
    else
      at = unescape(at, &b);
  }
  char *text = squeezed(buffer_text(&b));
  buffer_clear(&b);
  return text;
}

static void must_contain(const char *squeezed_text, const char *fact, const char *where,
                         const char *what) {
  if (!fact) return;
  char *wanted = squeezed(fact);
  bool found = strstr(squeezed_text, wanted) != NULL;
  if (!found) print_error("%s: no %s: %s\n", where, what, fact);
  free(wanted);
  assert_true(found);
}

static const char *text_at(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

/* ---- set-up ---------------------------------------------------------------------------------- */

static int set_up(void **state) {
  (void)state;
  struct verify_options options = verify_default_options();
  options.explain = options.pictures = options.sources = options.distributions = true;
  options.search = 2;
  run_record_init(&made.run);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    vec_push(&made.run.files, verify_file(files[i], &options, NULL, NULL));
  made.run.tools = versions_json();
  buffer_init(&made.text);
  buffer_init(&made.html);
  for (size_t i = 0; i < made.run.files.len; i++) {
    file_record_to_text(&made.text, made.run.files.at[i], (struct text_style){0});
    file_record_diags_to_text(&made.text, made.run.files.at[i], (struct text_style){0});
    for (size_t c = 0; c < made.run.files.at[i]->claims.len; c++)
      proof_explanation_text(&made.text, made.run.files.at[i]->claims.at[c].detail);
  }
  run_record_to_html(&made.html, &made.run, SIZE_MAX);
  made.json = run_record_to_json(&made.run);
  made.sarif = run_record_to_sarif(&made.run);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  buffer_clear(&made.text);
  buffer_clear(&made.html);
  json_decref(made.json);
  json_decref(made.sarif);
  run_record_clear(&made.run);
  return 0;
}

/* The card of claim number `id`, as a reader sees it; claims about one automaton share it. */
static char *article(size_t id) {
  char *mark = xasprintf(" id=\"c%zu\"", id);
  const char *page = buffer_text(&made.html), *at = strstr(page, mark), *next = page, *from = NULL;
  assert_non_null(at);
  while ((next = strstr(next, "<article")) && next < at)
    from = next++;
  free(mark);
  const char *end = from ? strstr(from, "</article>") : NULL;
  assert_true(end && end > at);
  return visible(from, (size_t)(end - from));
}

/* Every line of a reason; advice is set apart from the others, without its label. */
static void must_give_reason(const char *page, const char *reason) {
  static const char label[] = "try: ";
  for (const char *line = reason ? reason : ""; *line;) {
    size_t length = strcspn(line, "\n"),
           skip = strncmp(line, label, strlen(label)) == 0 ? strlen(label) : 0;
    char *fact = xasprintf("%.*s", (int)(length - skip), line + skip);
    must_contain(page, fact, "page", "reason");
    free(fact);
    line += length + (line[length] == '\n');
  }
}

/* ---- the tests ------------------------------------------------------------------------------- */

static void the_corpus_shows_every_kind(void **state) {
  (void)state;
  size_t seen[4] = {0}, errors = 0, warnings = 0, automata = 0, densities = 0, bars = 0;
  for (size_t f = 0; f < made.run.files.len; f++) {
    const struct file_record *file = made.run.files.at[f];
    for (size_t i = 0; i < file->diags.len; i++) {
      errors += file->diags.at[i].severity == SEVERITY_ERROR;
      warnings += file->diags.at[i].severity == SEVERITY_WARNING;
    }
    for (size_t i = 0; i < file->claims.len; i++) {
      const struct claim_record *c = &file->claims.at[i];
      seen[c->verdict]++;
      automata += c->kind == CLAIM_AUTOMATON;
      const char *kind = text_at(json_object_get(c->counterexample, "distributions"), "kind");
      densities += kind && strcmp(kind, "density") == 0;
      bars += kind && strcmp(kind, "discrete") == 0;
    }
  }
  for (size_t v = 0; v < 4; v++)
    assert_true(seen[v] > 0);
  assert_true(errors && warnings && automata && densities && bars);
}

static void check_json(const json_t *json, const struct claim_record *c) {
  assert_string_equal(text_at(json, "name"), c->name);
  assert_string_equal(text_at(json, "verdict"), verdict_name(c->verdict));
  assert_string_equal(text_at(json, "kind"), claim_kind_name(c->kind));
  const char *const fields[][2] = {{"subject", c->subject},  {"epsilon", c->epsilon},
                                   {"delta", c->delta},      {"cost", c->cost},
                                   {"lower_text", c->lower}, {"reason", c->reason}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (fields[i][1])
      assert_string_equal(text_at(json, fields[i][0]), fields[i][1]);
    else
      assert_true(json_is_null(json_object_get(json, fields[i][0])));
  }
  const json_t *place = json_object_get(json, "location");
  assert_int_equal(json_integer_value(json_object_get(place, "line")), c->place.line);
  assert_int_equal(json_integer_value(json_object_get(place, "column")), c->place.column);
}

/* JSON has the fields; the text and the page say the same. */
static void claims_are_the_same_everywhere(void **state) {
  (void)state;
  char *text = squeezed(buffer_text(&made.text));
  size_t id = 0;
  for (size_t f = 0; f < made.run.files.len; f++) {
    const json_t *file = json_array_get(json_object_get(made.json, "files"), f);
    for (size_t i = 0; i < made.run.files.at[f]->claims.len; i++) {
      const struct claim_record *c = &made.run.files.at[f]->claims.at[i];
      check_json(json_array_get(json_object_get(file, "claims"), i), c);
      struct buffer line;
      buffer_init(&line);
      buffer_printf(&line, "%s %s ", verdict_name(c->verdict), c->name);
      claim_record_what(&line, c);
      claim_costs_words(&line, c);
      must_contain(text, buffer_text(&line), "text", "verdict line");
      buffer_clear(&line);
      must_contain(text, c->reason, "text", "reason");
      must_contain(text, text_at(c->counterexample, "text"), "text", "counterexample");

      char *page = article(++id);
      claim_record_what(&line, c);
      must_contain(page, buffer_text(&line), "page", "what is claimed");
      buffer_clear(&line);
      must_contain(page, c->name, "page", "name");
      must_contain(page, verdict_name(c->verdict), "page", "verdict");
      must_contain(page, c->subject, "page", "subject");
      must_give_reason(page, c->reason);
      if (c->cost) buffer_puts(&line, "cost ");
      claim_cost_put(&line, c);
      must_contain(page, buffer_text(&line), "page", "cost");
      buffer_clear(&line);
      claim_bound_words(&line, c);
      must_contain(page, buffer_text(&line), "page", "lower bound");
      buffer_clear(&line);
      must_contain(page, text_at(json_object_get(c->detail, "walk"), "text"), "page", "walk");
      must_contain(page, text_at(json_object_get(c->detail, "finite"), "text"), "page", "finite");
      free(page);
    }
  }
  free(text);
}

static void counterexamples_are_on_the_page(void **state) {
  (void)state;
  size_t id = 0, seen = 0;
  for (size_t f = 0; f < made.run.files.len; f++)
    for (size_t i = 0; i < made.run.files.at[f]->claims.len; i++, id++) {
      const json_t *ce = made.run.files.at[f]->claims.at[i].counterexample;
      if (!ce) continue;
      seen++;
      char *page = article(id + 1);
      const char *name;
      json_t *value;
      json_object_foreach(json_object_get(ce, "parameters"), name, value) {
        char *setting = xasprintf("%s = %s", name, json_string_value(value));
        must_contain(page, setting, "page", "parameter");
        free(setting);
      }
      for (size_t run = 0; run < 2; run++) {
        const json_t *p = json_array_get(json_object_get(ce, "probabilities"), run);
        must_contain(page, text_at(p, "low_text"), "page", "lower end of a probability");
        must_contain(page, text_at(p, "high_text"), "page", "upper end of a probability");
        if (json_is_object(json_object_get(ce, "inputs")))
          json_object_foreach(json_object_get(ce, "inputs"), name, value) {
            char *input = xasprintf("%s = %s", name, json_string_value(json_array_get(value, run)));
            must_contain(page, input, "page", "input");
            free(input);
          }
      }
      must_contain(page, text_at(json_object_get(ce, "loss"), "low_text"), "page", "loss");
      must_contain(page, json_string_value(json_array_get(json_object_get(ce, "outputs"), 0)),
                   "page", "output");
      size_t k;
      json_array_foreach(json_object_get(json_object_get(ce, "distributions"), "outcomes"), k,
                         value) {
        must_contain(page, text_at(value, "output"), "page", "outcome");
      }
      free(page);
    }
  assert_true(seen >= 4);
}

/* Every step of a derivation, in the text and on the page. */
static size_t check_steps(const json_t *steps, const char *text, const char *page) {
  size_t i, count = 0;
  json_t *node, *one;
  json_array_foreach(steps, i, node) {
    size_t k;
    char *head = xasprintf("%s%s", text_at(node, "rule"), text_at(node, "words"));
    must_contain(page, head, "page", "step");
    free(head);
    head = xasprintf("%s - %s", text_at(node, "rule"), text_at(node, "words"));
    must_contain(text, head, "text", "step");
    free(head);
    must_contain(text, text_at(node, "command"), "text", "command");
    must_contain(page, text_at(node, "command"), "page", "command");
    must_contain(page, text_at(node, "left"), "page", "budget of a loop");
    json_array_foreach(json_object_get(node, "coupling"), k, one) {
      must_contain(page, text_at(one, "relation"), "page", "relation of samples");
      must_contain(page, text_at(one, "when"), "page", "case");
      char *cost = xasprintf("costs %s", text_at(one, "cost"));
      must_contain(page, cost, "page", "cost of a coupling");
      must_contain(text, cost, "text", "cost of a coupling");
      free(cost);
    }
    count += 1 + check_steps(json_object_get(node, "steps"), text, page);
  }
  return count;
}

static void derivations_are_the_same_in_text_and_page(void **state) {
  (void)state;
  char *text = squeezed(buffer_text(&made.text)), *page = article(1);
  const json_t *detail = made.run.files.at[0]->claims.at[0].detail;
  const json_t *one = json_array_get(json_object_get(detail, "explanation"), 0);
  assert_true(check_steps(json_object_get(one, "steps"), text, page) > 10);
  size_t i;
  json_t *item;
  json_array_foreach(json_object_get(one, "payments"), i, item) {
    must_contain(page, text_at(item, "command"), "page", "payment");
    must_contain(page, text_at(item, "cost"), "page", "payment");
  }
  must_contain(page, text_at(one, "values"), "page", "values of parameters");
  json_array_foreach(json_object_get(detail, "obligation_list"), i, item) {
    must_contain(page, text_at(item, "what"), "page", "obligation");
    must_contain(page, text_at(item, "formula"), "page", "formula");
  }
  assert_true(i > 10);
  free(text);
  free(page);
}

static void sarif_has_every_claim_and_diagnostic(void **state) {
  (void)state;
  const json_t *run = json_array_get(json_object_get(made.sarif, "runs"), 0);
  const json_t *claims = json_object_get(json_object_get(run, "properties"), "claims");
  size_t id = 0, results = 0;
  for (size_t f = 0; f < made.run.files.len; f++) {
    const struct file_record *file = made.run.files.at[f];
    for (size_t i = 0; i < file->claims.len; i++, id++) {
      check_json(json_array_get(claims, id), &file->claims.at[i]);
      results += file->claims.at[i].verdict != VERDICT_PROVED;
    }
    results += file->diags.len;
  }
  assert_int_equal(json_array_size(claims), id);
  assert_int_equal(json_array_size(json_object_get(run, "results")), results);
  assert_int_equal(json_integer_value(json_object_get(
                       json_array_get(json_object_get(run, "invocations"), 0), "exitCode")),
                   run_record_exit(&made.run));
  size_t i;
  json_t *result;
  const json_t *rules =
      json_object_get(json_object_get(json_object_get(run, "tool"), "driver"), "rules");
  json_array_foreach(json_object_get(run, "results"), i, result) {
    const json_t *rule =
        json_array_get(rules, (size_t)json_integer_value(json_object_get(result, "ruleIndex")));
    assert_string_equal(text_at(rule, "id"), text_at(result, "ruleId"));
    const char *help = text_at(json_object_get(rule, "help"), "text");
    assert_true(help && strlen(help) > 10);
    assert_null(strstr(help, "see docs/checks.md")); /* each code has its line there */
  }
}

static void diagnostics_are_the_same_everywhere(void **state) {
  (void)state;
  char *page = visible(buffer_text(&made.html), made.html.len),
       *text = squeezed(buffer_text(&made.text));
  const json_t *results =
      json_object_get(json_array_get(json_object_get(made.sarif, "runs"), 0), "results");
  for (size_t f = 0; f < made.run.files.len; f++) {
    const struct file_record *file = made.run.files.at[f];
    const json_t *list =
        json_object_get(json_array_get(json_object_get(made.json, "files"), f), "diagnostics");
    for (size_t i = 0; i < file->diags.len; i++) {
      const struct record_diag *d = &file->diags.at[i];
      const json_t *json = json_array_get(list, i);
      assert_string_equal(text_at(json, "code"), d->code);
      assert_string_equal(text_at(json, "message"), d->message);
      must_contain(text, d->text, "text", "diagnostic");
      const char *source = strchr(d->text, '\n'); /* the first line is the heading there */
      if (source) must_contain(page, source, "page", "source line of the diagnostic");
      must_contain(page, d->code, "page", "code");
      must_contain(page, d->message, "page", "message");
      bool found = false;
      size_t k;
      json_t *result;
      json_array_foreach(results, k, result) {
        const char *message = text_at(json_object_get(result, "message"), "text");
        const json_t *region =
            json_object_get(json_object_get(json_array_get(json_object_get(result, "locations"), 0),
                                            "physicalLocation"),
                            "region");
        found |= strcmp(text_at(result, "ruleId"), d->code) == 0 &&
                 strncmp(message, d->message, strlen(d->message)) == 0 &&
                 json_integer_value(json_object_get(region, "startLine")) == d->place.line &&
                 json_integer_value(json_object_get(region, "startColumn")) == d->place.column;
      }
      assert_true(found);
    }
  }
  free(page);
  free(text);
}

static void versions_are_everywhere(void **state) {
  (void)state;
  char *page = visible(buffer_text(&made.html), made.html.len);
  const char *name;
  json_t *version;
  json_object_foreach(made.run.tools, name, version) {
    char *both = xasprintf("%s%s", name, json_string_value(version));
    must_contain(page, both, "page", "version");
    free(both);
  }
  assert_true(json_equal(json_object_get(made.json, "tools"), made.run.tools));
  free(page);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_corpus_shows_every_kind),
                                     cmocka_unit_test(claims_are_the_same_everywhere),
                                     cmocka_unit_test(counterexamples_are_on_the_page),
                                     cmocka_unit_test(derivations_are_the_same_in_text_and_page),
                                     cmocka_unit_test(sarif_has_every_claim_and_diagnostic),
                                     cmocka_unit_test(diagnostics_are_the_same_everywhere),
                                     cmocka_unit_test(versions_are_everywhere)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
