#include "report/html.h"

#include <string.h>

#include "base/sha256.h"
#include "report/html_assets.h"
#include "report/html_plot.h"
#include "report/html_proof.h"
#include "report/html_put.h"
#include "report/html_source.h"
#include "report/record_text.h"

/* ---- the table of verdicts ------------------------------------------------------------------- */

static void put_badge(struct buffer *out, enum verdict verdict) {
  buffer_printf(out, "<span class=\"badge %s\">%s</span>", verdict_name(verdict),
                verdict_name(verdict));
}

/* "eps-private", as in the text rendering. */
static void put_what(struct buffer *out, const struct claim_record *c) {
  struct buffer text;
  buffer_init(&text);
  claim_record_what(&text, c);
  html_text(out, buffer_text(&text));
  buffer_clear(&text);
}

static void put_row(struct buffer *out, const struct file_record *file,
                    const struct claim_record *c, size_t id) {
  buffer_printf(out, "<tr data-verdict=\"%s\"><td>", verdict_name(c->verdict));
  put_badge(out, c->verdict);
  buffer_printf(out, "</td><td><a href=\"#c%zu\">", id);
  html_text(out, c->name);
  buffer_puts(out, "</a></td><td>");
  put_what(out, c);
  buffer_puts(out, "</td><td data-name=\"cost\">");
  html_text(out, c->cost);
  bool bounded = !c->lower || strcmp(c->lower, "unbounded") != 0;
  buffer_printf(out, "</td><td data-name=\"%s\">", bounded ? "loses at least" : "loss");
  html_text(out, c->lower);
  buffer_printf(out, "</td><td class=\"number\" data-name=\"time\">%.2f s</td><td class=\"file\">",
                c->time_s);
  html_text(out, file->path);
  if (c->place.line) buffer_printf(out, ":%u", c->place.line);
  buffer_puts(out, "</td></tr>\n");
}

static void put_verdicts(struct buffer *out, const struct run_record *run) {
  buffer_puts(out, "<section id=\"verdicts\" aria-label=\"Verdicts\"><table class=\"verdicts\">"
                   "<thead><tr><th>Verdict</th><th>Claim</th><th>What is claimed</th><th>Cost</th>"
                   "<th>Loses at least</th><th class=\"number\">Time</th><th>File</th></tr></thead>"
                   "<tbody>\n");
  size_t id = 0;
  for (size_t f = 0; f < run->files.len; f++)
    for (size_t i = 0; i < run->files.at[f]->claims.len; i++)
      put_row(out, run->files.at[f], &run->files.at[f]->claims.at[i], ++id);
  buffer_puts(out, "</tbody></table></section>\n");
}

static void put_filters(struct buffer *out, const struct run_record *run) {
  size_t counts[4] = {0}, all = 0;
  for (size_t f = 0; f < run->files.len; f++)
    for (size_t i = 0; i < run->files.at[f]->claims.len; i++, all++)
      counts[run->files.at[f]->claims.at[i].verdict]++;
  buffer_printf(out,
                "<div class=\"filters\" role=\"group\" aria-label=\"Show\"><button type=\"button\" "
                "data-show=\"all\" aria-pressed=\"true\">%zu claim%s</button>",
                all, all == 1 ? "" : "s");
  static const enum verdict order[] = {VERDICT_PROVED, VERDICT_REFUTED, VERDICT_UNKNOWN,
                                       VERDICT_ADMITTED};
  for (size_t i = 0; i < 4; i++)
    if (counts[order[i]])
      buffer_printf(
          out, "<button type=\"button\" data-show=\"%s\" aria-pressed=\"false\">%zu %s</button>",
          verdict_name(order[i]), counts[order[i]], verdict_name(order[i]));
  buffer_puts(out, "</div>\n");
}

/* ---- counterexamples ------------------------------------------------------------------------- */

static void open_fact(struct buffer *out, const char *name) {
  buffer_printf(out, "<dt>%s</dt><dd>", name);
}

static void put_text_fact(struct buffer *out, const char *name, const char *text) {
  if (!text) return;
  open_fact(out, name);
  html_code(out, text);
  buffer_puts(out, "</dd>\n");
}

/* "0.39346934 to 0.39346935", or one number when both ends agree. */
static void put_ball(struct buffer *out, const json_t *ball) {
  const char *low = json_text(ball, "low"), *high = json_text(ball, "high");
  html_text(out, low);
  if (low && high && strcmp(low, high) != 0) {
    buffer_puts(out, " to ");
    html_text(out, high);
  }
}

static void put_ball_fact(struct buffer *out, const char *name, const json_t *ball) {
  if (!ball) return;
  open_fact(out, name);
  put_ball(out, ball);
  buffer_puts(out, "</dd>\n");
}

static void put_probabilities(struct buffer *out, const json_t *both) {
  static const char *const runs[] = {"one", "two"};
  open_fact(out, "Probability");
  for (size_t run = 0; run < 2; run++) {
    buffer_printf(out, "<span class=\"%s\">", runs[run]);
    put_ball(out, json_array_get(both, run));
    buffer_puts(out, "</span>");
  }
  buffer_puts(out, "</dd>\n");
}

static void put_parameters(struct buffer *out, const json_t *params) {
  const char *name;
  json_t *value;
  if (!json_object_size(params)) return;
  open_fact(out, "Parameters");
  bool first = true;
  json_object_foreach((json_t *)params, name, value) {
    buffer_puts(out, first ? "<code>" : ", <code>");
    html_text(out, name);
    buffer_puts(out, " = ");
    html_text(out, json_string_value(value));
    buffer_puts(out, "</code>");
    first = false;
  }
  buffer_puts(out, "</dd>\n");
}

static void put_inputs(struct buffer *out, const json_t *inputs) {
  const char *name;
  json_t *both;
  static const char *const runs[] = {"one", "two"};
  json_object_foreach((json_t *)inputs, name, both) {
    bool same = json_equal(json_array_get(both, 0), json_array_get(both, 1));
    for (size_t run = 0; run < (same ? 1 : 2); run++) {
      open_fact(out, same ? "In both runs" : run == 0 ? "First run" : "Second run");
      buffer_printf(out, "<code class=\"%s\">", same ? "" : runs[run]);
      html_text(out, name);
      buffer_puts(out, " = ");
      html_text(out, json_string_value(json_array_get(both, run)));
      buffer_puts(out, "</code></dd>\n");
    }
  }
}

/* Items of an array, one after the other; equal neighbours once, with a count. */
static void put_sequence(struct buffer *out, const json_t *list, int which, const char *run) {
  size_t size = json_array_size(list);
  buffer_printf(out, "<code class=\"%s\">", run);
  for (size_t i = 0, end; i < size; i = end) {
    const json_t *item = json_array_get(list, i);
    if (which >= 0) item = json_array_get(item, (size_t)which);
    for (end = i + 1; end < size; end++) {
      const json_t *next = json_array_get(list, end);
      if (!json_equal(which >= 0 ? json_array_get(next, (size_t)which) : next, item)) break;
    }
    if (i) buffer_puts(out, ", ");
    html_text(out, json_string_value(item));
    if (end - i > 1) buffer_printf(out, " (%zu times)", end - i);
  }
  buffer_puts(out, "</code>");
}

static void put_program_facts(struct buffer *out, const json_t *ce) {
  const json_t *p = json_object_get(ce, "probabilities");
  put_text_fact(out, "Instance", json_text(ce, "instance"));
  put_parameters(out, json_object_get(ce, "parameters"));
  put_inputs(out, json_object_get(ce, "inputs"));
  open_fact(out, "Output");
  put_sequence(out, json_object_get(ce, "outputs"), -1, "");
  buffer_puts(out, "</dd>\n");
  put_probabilities(out, p);
  put_ball_fact(out, "Claimed epsilon", json_object_get(ce, "epsilon"));
  put_ball_fact(out, "Claimed delta", json_object_get(ce, "delta"));
  const json_t *loss = json_object_get(ce, "loss");
  open_fact(out, "Loss");
  if (strcmp(json_text(loss, "low") ? json_text(loss, "low") : "", "-inf") == 0) {
    buffer_puts(out, "<b class=\"not\">unbounded: the second run cannot do this</b>");
  } else {
    buffer_puts(out, "<b class=\"not\">");
    put_ball(out, loss);
    buffer_puts(out, "</b> times the claimed epsilon");
  }
  buffer_puts(out, "</dd>\n");
}

static void put_automaton_facts(struct buffer *out, const json_t *ce) {
  const json_t *p = json_object_get(ce, "probabilities"), *inputs = json_object_get(ce, "inputs");
  put_text_fact(out, "Parameter eps", json_text(ce, "eps"));
  open_fact(out, "First run");
  put_sequence(out, inputs, 0, "one");
  buffer_puts(out, "</dd>\n");
  open_fact(out, "Second run");
  put_sequence(out, inputs, 1, "two");
  buffer_puts(out, "</dd>\n");
  open_fact(out, "Output");
  put_sequence(out, json_object_get(ce, "outputs"), -1, "");
  buffer_puts(out, "</dd>\n");
  open_fact(out, "Rounds of the cycle");
  buffer_printf(out, "%d</dd>\n", (int)json_integer_value(json_object_get(ce, "iterations")));
  put_probabilities(out, p);
  open_fact(out, "Loss");
  buffer_puts(out, "<b class=\"not\">");
  put_ball(out, json_object_get(ce, "loss"));
  buffer_puts(out, "</b> times eps, more than ");
  html_text(out, json_text(ce, "claimed"));
  buffer_puts(out, "</dd>\n");
}

static void put_counterexample(struct buffer *out, const struct claim_record *c) {
  const json_t *ce = c->counterexample;
  const char *kind = json_text(ce, "kind");
  if (!kind) return;
  buffer_puts(out, "<h3>Counterexample</h3>\n<div class=\"pair wide counterexample\"><dl "
                   "class=\"facts\">\n");
  if (strcmp(kind, "program") == 0)
    put_program_facts(out, ce);
  else
    put_automaton_facts(out, ce);
  buffer_puts(out, "</dl>\n<div>");
  html_distributions(out, c);
  buffer_puts(out, "</div></div>\n");
}

/* ---- one claim ------------------------------------------------------------------------------- */

static void put_says(struct buffer *out, const struct claim_record *c) {
  buffer_puts(out, "<p class=\"says\"><b class=\"what\">");
  put_what(out, c);
  buffer_puts(out, "</b>");
  if (c->subject) {
    buffer_printf(out, " · %s ", c->kind == CLAIM_AUTOMATON ? "automaton" : "mechanism");
    buffer_puts(out, "<b>");
    html_text(out, c->subject);
    buffer_puts(out, "</b>");
  }
  if (c->cost) {
    buffer_puts(out, " · cost <b class=\"cost\">");
    html_text(out, c->cost);
    buffer_puts(out, "</b>");
  }
  if (c->lower) {
    bool bounded = strcmp(c->lower, "unbounded") != 0;
    buffer_printf(out, " · %s <b class=\"lower\">", bounded ? "loses at least" : "loss");
    html_text(out, c->lower);
    buffer_puts(out, "</b>");
  }
  if (c->place.line) buffer_printf(out, " · line %u", c->place.line);
  buffer_printf(out, " · %.2f s</p>\n", c->time_s);
}

static void put_automaton(struct buffer *out, const struct claim_record *c) {
  const char *walk = json_text(json_object_get(c->detail, "walk"), "text");
  if (!json_text(c->detail, "picture") && !walk) return;
  buffer_puts(out, "<h3>Automaton</h3>\n");
  html_automaton(out, c);
  const json_t *class = json_object_get(c->detail, "class");
  if (class) {
    buffer_puts(out, "<p class=\"caption\">");
    html_text(out, json_string_value(class));
    buffer_printf(out, "; %d states, %d transitions, %d variables.</p>\n",
                  (int)json_integer_value(json_object_get(c->detail, "states")),
                  (int)json_integer_value(json_object_get(c->detail, "edges")),
                  (int)json_integer_value(json_object_get(c->detail, "variables")));
  }
  if (!walk) return;
  buffer_puts(out, "<pre class=\"block walk\" tabindex=\"0\">");
  html_text(out, walk);
  buffer_puts(out, "</pre>\n");
}

static void put_claim(struct buffer *out, const struct file_record *file,
                      const struct claim_record *c, size_t id) {
  buffer_printf(out,
                "<article id=\"c%zu\" tabindex=\"-1\" data-verdict=\"%s\" aria-labelledby=\"c%zu-"
                "name\">\n<div class=\"claim-head\"><h2 id=\"c%zu-name\">",
                id, verdict_name(c->verdict), id, id);
  html_text(out, c->name);
  buffer_puts(out, "</h2>");
  put_badge(out, c->verdict);
  buffer_puts(out, "</div>\n");
  put_says(out, c);
  if (c->reason) {
    buffer_puts(out, "<p class=\"reason\">");
    html_text(out, c->reason);
    buffer_puts(out, "</p>\n");
  }
  html_budget(out, c, id);
  put_counterexample(out, c);
  html_losses(out, c);
  put_automaton(out, c);
  if (file->sources) buffer_puts(out, "<h3>Source</h3>\n");
  html_source(out, file, c, id);
  const char *proof = json_text(c->detail, "proof");
  if (proof) {
    buffer_puts(out, "<h3>Proof that was found</h3>\n");
    html_proof_text(out, proof);
  }
  html_derivation(out, c);
  html_obligations(out, c);
  buffer_puts(out, "</article>\n");
}

/* ---- one file -------------------------------------------------------------------------------- */

static void put_diag(struct buffer *out, const struct record_diag *d) {
  buffer_printf(out, "<div class=\"diag %s\"><p><b>%s</b> <code>", severity_name(d->severity),
                severity_name(d->severity));
  html_text(out, d->code);
  buffer_puts(out, "</code> <span class=\"message\">");
  html_text(out, d->message);
  buffer_puts(out, "</span></p><pre class=\"block\" tabindex=\"0\">");
  html_text(out, d->text);
  buffer_puts(out, "</pre></div>\n");
}

static void put_trouble(struct buffer *out, const char *what, const char *text) {
  if (!text) return;
  buffer_printf(out, "<div class=\"diag error\"><p><b>%s</b> ", what);
  html_text(out, text);
  buffer_puts(out, "</p></div>\n");
}

static void put_file(struct buffer *out, const struct file_record *file, size_t *id) {
  buffer_puts(out, "<section class=\"file\"><p class=\"file-head\">");
  html_text(out, file->path);
  buffer_puts(out, "</p>\n");
  for (size_t i = 0; i < file->diags.len; i++)
    put_diag(out, &file->diags.at[i]);
  if (file->dropped_errors)
    buffer_printf(out, "<p class=\"soft\">%zu more errors not shown</p>\n", file->dropped_errors);
  put_trouble(out, "stopped", file->stopped);
  put_trouble(out, "internal error", file->internal_error);
  if (file->bad_input) put_trouble(out, "not judged", "the file has errors");
  for (size_t i = 0; i < file->claims.len; i++)
    put_claim(out, file, &file->claims.at[i], ++*id);
  buffer_puts(out, "</section>\n");
}

/* ---- the page -------------------------------------------------------------------------------- */

static void put_summary(struct buffer *out, const struct run_record *run) {
  struct buffer text;
  buffer_init(&text);
  run_record_summary(&text, run, (struct text_style){0});
  while (text.len && text.text[text.len - 1] == '\n')
    text.text[--text.len] = '\0';
  html_text(out, buffer_text(&text));
  buffer_clear(&text);
}

static void put_footer(struct buffer *out, const struct run_record *run) {
  const char *name;
  json_t *version;
  buffer_puts(out, "<footer><p>");
  put_summary(out, run);
  buffer_puts(out, ". <b>proved</b>: the kernel checked a derivation, or the strategy checker a "
                   "strategy. <b>refuted</b>: a counterexample was certified in ball arithmetic. "
                   "Everything else is <b>unknown</b>.</p>\n<dl class=\"versions\">");
  json_object_foreach(run->tools, name, version) {
    buffer_puts(out, "<div><dt>");
    html_text(out, name);
    buffer_puts(out, "</dt><dd>");
    html_text(out, json_string_value(version));
    buffer_puts(out, "</dd></div>");
  }
  buffer_puts(out, "</dl></footer>\n");
}

static void put_body(struct buffer *out, const struct run_record *run) {
  buffer_puts(
      out, "<header class=\"head\"><svg viewBox=\"0 0 40 40\" aria-hidden=\"true\" fill=\"none\" "
           "stroke-width=\"3.2\" stroke-linecap=\"round\"><path stroke=\"var(--one)\" d=\"M4 27c8 "
           "0 8-14 16-14s8 14 16 14\"/><path stroke=\"var(--two)\" d=\"M4 13c8 0 8 14 16 14s8-14 "
           "16-14\"/></svg><h1>Couplet report</h1><div class=\"tools\"><button type=\"button\" "
           "id=\"unfold\" aria-pressed=\"false\">Unfold all</button><button type=\"button\" "
           "id=\"theme\">Dark</button></div></header>\n<main>\n");
  put_filters(out, run);
  put_verdicts(out, run);
  buffer_puts(out, "<p class=\"keys\"><kbd>j</kbd> <kbd>k</kbd> next and previous claim, "
                   "<kbd>o</kbd> unfold all, <kbd>t</kbd> light or dark</p>\n");
  size_t id = 0;
  for (size_t i = 0; i < run->files.len; i++)
    put_file(out, run->files.at[i], &id);
  buffer_puts(out, "</main>\n");
  put_footer(out, run);
}

/* Base64 of the script's SHA-256, as the content security policy wants it. */
static void put_script_hash(struct buffer *out) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char hex[SHA256_HEX + 1];
  struct sha256 h;
  sha256_init(&h);
  sha256_add(&h, html_script, strlen(html_script));
  sha256_hex(&h, hex);
  for (size_t i = 0; i < SHA256_HEX; i += 6) { /* 24 bits at a time */
    unsigned bits = 0, given = 0;
    for (size_t k = i; k < i + 6; k++) {
      const char *at = k < SHA256_HEX ? strchr("0123456789abcdef", hex[k]) : NULL;
      bits = bits << 4 | (at ? (unsigned)(at - "0123456789abcdef") & 15u : 0);
      given += at ? 4 : 0;
    }
    for (unsigned k = 0; k < 4; k++)
      buffer_putc(out, k * 6 < given ? digits[bits >> (18 - 6 * k) & 63] : '=');
  }
}

static void put_title(struct buffer *out, const struct run_record *run) {
  buffer_puts(out, "Couplet report: ");
  put_summary(out, run);
}

void run_record_to_html(struct buffer *out, const struct run_record *run) {
  for (const char *at = html_page; *at;) {
    const char *open = strstr(at, "{{"), *close = open ? strstr(open, "}}") : NULL;
    if (!close) {
      buffer_puts(out, at);
      return;
    }
    buffer_add(out, at, (size_t)(open - at));
    size_t length = (size_t)(close - open) - 2;
    const char *name = open + 2;
    if (strncmp(name, "title", length) == 0)
      put_title(out, run);
    else if (strncmp(name, "style", length) == 0)
      buffer_puts(out, html_style);
    else if (strncmp(name, "script", length) == 0)
      buffer_puts(out, html_script);
    else if (strncmp(name, "script-hash", length) == 0)
      put_script_hash(out);
    else if (strncmp(name, "body", length) == 0)
      put_body(out, run);
    at = close + 2;
  }
}
