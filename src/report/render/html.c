#include "report/render/html.h"

#include <string.h>

#include "base/sha256.h"
#include "report/render/assets.h"
#include "report/render/html_counterexample.h"
#include "report/render/html_plot.h"
#include "report/render/html_proof.h"
#include "report/render/html_put.h"
#include "report/render/html_source.h"
#include "report/render/record_text.h"

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

/* ---- one claim ------------------------------------------------------------------------------- */

static void put_says(struct buffer *out, const struct claim_record *c,
                     const struct file_record *file) {
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
  buffer_printf(out, " · %.2f s%s%s</p>\n", c->time_s, file->cached ? ", from the cache" : "",
                file->translated ? " · about real numbers, not floating-point ones" : "");
}

static void put_finite(struct buffer *out, const struct claim_record *c) {
  const char *text = json_text(json_object_get(c->detail, "finite"), "text");
  if (!text) return;
  buffer_puts(out, "<p class=\"caption\">");
  html_text(out, text);
  buffer_puts(out, "</p>\n");
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

/* What run 2 does on each transition, and the fixed strategies for comparison. */
static void put_strategy(struct buffer *out, const struct claim_record *c) {
  const json_t *moves = json_object_get(c->detail, "moves");
  const json_t *fixed = json_object_get(json_object_get(c->detail, "fixed_strategies"), "choices");
  size_t i;
  json_t *one;
  if (!json_array_size(moves) && !json_array_size(fixed)) return;
  buffer_puts(out, "<details class=\"part strategy\"><summary>Strategy <span class=\"soft\">what "
                   "the coupling does on each transition</span></summary><div class=\"scroll\" "
                   "tabindex=\"0\" role=\"group\" aria-label=\"Strategy\"><table "
                   "class=\"obligations\"><thead><tr><th>Transition</th><th>Coupling</th><th "
                   "class=\"number\">Cost</th></tr></thead><tbody>\n");
  json_array_foreach(moves, i, one) {
    buffer_puts(out, "<tr><td>");
    html_code(out, json_text(one, "edge"));
    buffer_puts(out, "</td><td>");
    html_text(out, json_text(one, "text"));
    buffer_puts(out, "</td><td class=\"number\">");
    html_text(out, json_text(one, "cost"));
    buffer_puts(out, "</td></tr>\n");
  }
  json_array_foreach(fixed, i, one) {
    buffer_puts(out, "<tr><td>");
    html_code(out, json_text(one, "edge"));
    buffer_puts(out, "</td><td>fixed strategy: ");
    html_text(out, json_text(one, "strategy"));
    buffer_puts(out, "</td><td></td></tr>\n");
  }
  buffer_puts(out, "</tbody></table></div></details>\n");
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
  put_says(out, c, file);
  if (c->reason) {
    buffer_puts(out, "<p class=\"reason\">");
    html_text(out, c->reason);
    buffer_puts(out, "</p>\n");
  }
  html_budget(out, c, id);
  html_counterexample(out, c);
  if (c->counterexample) html_losses(out, c); /* beside it; else below the proof */
  put_finite(out, c);
  put_automaton(out, c);
  if (file->sources) buffer_puts(out, "<h3>Source</h3>\n");
  html_source(out, file, c, id);
  if (!c->counterexample) html_losses(out, c);
  html_search(out, c);
  put_strategy(out, c);
  html_derivation(out, c);
  html_obligations(out, c);
  buffer_puts(out, "</article>\n");
}

/* ---- what it rests on ------------------------------------------------------------------------ */

static void put_assumption(struct buffer *out, const char *what, const char *text,
                           const json_t *location) {
  buffer_printf(out, "<tr><td>%s</td><td>", what);
  html_code(out, text);
  buffer_puts(out, "</td><td>");
  html_line(out, location);
  buffer_puts(out, "</td></tr>\n");
}

static void put_parameter(struct buffer *out, const json_t *p) {
  struct buffer text;
  buffer_init(&text);
  buffer_printf(&text, "%s : %s", json_text(p, "name"), json_text(p, "type"));
  size_t i;
  json_t *formula;
  json_array_foreach(json_object_get(p, "assumptions"), i, formula) {
    buffer_printf(&text, ", %s", json_string_value(formula));
  }
  put_assumption(out, "parameter", buffer_text(&text), json_object_get(p, "location"));
  buffer_clear(&text);
}

/* What a reader must agree with before the verdicts mean anything. */
static void put_basis(struct buffer *out, const struct file_record *file) {
  const json_t *b = file->basis;
  size_t i, k;
  json_t *one, *formula;
  if (!b || !file->claims.len) return;
  buffer_puts(out, "<details class=\"basis\"><summary>What the claims assume</summary><div "
                   "class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Assumptions\">"
                   "<table class=\"obligations\"><tbody>\n");
  json_array_foreach(json_object_get(b, "parameters"), i, one) {
    put_parameter(out, one);
  }
  json_array_foreach(json_object_get(b, "axioms"), i, one) {
    put_assumption(out, "axiom", json_text(one, "formula"), json_object_get(one, "location"));
  }
  json_array_foreach(json_object_get(b, "abstract"), i, one) {
    put_assumption(out, "abstract", json_text(one, "signature"), json_object_get(one, "location"));
  }
  json_array_foreach(json_object_get(b, "admits"), i, one) {
    put_assumption(out, "admitted", json_text(one, "claim"), json_object_get(one, "location"));
  }
  json_array_foreach(json_object_get(b, "declassified"), i, one) {
    put_assumption(out, "declassified", "", json_object_get(one, "location"));
  }
  json_array_foreach(json_object_get(b, "claims"), i, one) {
    const char *adjacency = json_text(one, "adjacency");
    if (adjacency) put_assumption(out, "adjacent", adjacency, NULL);
    json_array_foreach(json_object_get(one, "requires"), k, formula) {
      put_assumption(out, "requires", json_string_value(formula), NULL);
    }
  }
  buffer_puts(out, "</tbody></table></div></details>\n");
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
  if (file->dropped_warnings)
    buffer_printf(out, "<p class=\"soft\">%zu more warnings not shown</p>\n",
                  file->dropped_warnings);
  put_trouble(out, "stopped", file->stopped);
  put_trouble(out, "internal error", file->internal_error);
  if (file->bad_input) put_trouble(out, "not judged", "the file has errors");
  put_basis(out, file);
  for (size_t i = 0; i < file->claims.len; i++)
    put_claim(out, file, &file->claims.at[i], ++*id);
  buffer_puts(out, "</section>\n");
}

void file_record_to_html(struct buffer *out, const struct file_record *file) {
  size_t id = 0;
  put_file(out, file, &id);
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
