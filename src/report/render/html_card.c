#include "report/render/html_card.h"

#include <string.h>

#include "report/render/html_counterexample.h"
#include "report/render/html_plot.h"
#include "report/render/html_proof.h"
#include "report/render/html_put.h"
#include "report/render/html_source.h"
#include "report/render/record_text.h"
#include "report/render/sentence.h"

static bool share_card(const struct claim_record *a, const struct claim_record *b) {
  return a->kind == CLAIM_AUTOMATON && b->kind == CLAIM_AUTOMATON && a->subject && b->subject &&
         strcmp(a->subject, b->subject) == 0;
}

struct html_card html_card_at(const struct file_record *file, size_t first, size_t id) {
  const struct claim_record *at = &file->claims.at[first];
  size_t count = 1;
  while (first + count < file->claims.len && share_card(at, at + count))
    count++;
  return (struct html_card){file, at, count, id};
}

/* ---- head ------------------------------------------------------------------------------------ */

void html_badge(struct buffer *out, const char *class, const char *word) {
  buffer_printf(out, "<span class=\"badge %s\">%s</span>", class, word);
}

void html_words(struct buffer *out, claim_writer *write, const struct claim_record *c) {
  struct buffer text;
  buffer_init(&text);
  write(&text, c);
  html_text(out, buffer_text(&text));
  buffer_clear(&text);
}

static void put_sentence(struct buffer *out, const struct claim_record *c) {
  struct buffer text;
  buffer_init(&text);
  verdict_sentence(&text, c);
  buffer_puts(out, "<span class=\"sentence\">");
  html_formula(out, buffer_text(&text));
  buffer_puts(out, "</span>");
  buffer_clear(&text);
}

/* Another claim about the same automaton. */
static void put_twin(struct buffer *out, const struct claim_record *c, size_t id) {
  buffer_printf(out, "<span class=\"twin\" id=\"c%zu\">", id);
  html_badge(out, verdict_name(c->verdict), verdict_name(c->verdict));
  buffer_puts(out, "<b class=\"what\">");
  html_words(out, claim_record_what, c);
  buffer_puts(out, "</b>");
  if (c->place.line) buffer_printf(out, " <span class=\"soft\">· line %u", c->place.line);
  buffer_printf(out, " · %.2f s</span>", c->time_s);
  put_sentence(out, c);
  buffer_puts(out, "</span>\n");
}

void html_card_head(struct buffer *out, const struct html_card *card) {
  const struct claim_record *c = card->at;
  buffer_printf(out, "<span class=\"claim-head\"><h2 id=\"c%zu-name\">", card->id);
  html_name(out, c->name);
  buffer_puts(out, "</h2>");
  html_badge(out, verdict_name(c->verdict), verdict_name(c->verdict));
  buffer_puts(out, "<b class=\"what\">");
  html_words(out, claim_record_what, c);
  buffer_puts(out, "</b></span>\n");
  put_sentence(out, c);
  for (size_t i = 1; i < card->count; i++)
    put_twin(out, &card->at[i], card->id + i);
}

/* ---- facts ----------------------------------------------------------------------------------- */

static void put_facts(struct buffer *out, const struct claim_record *c,
                      const struct file_record *file) {
  buffer_puts(out, "<p class=\"says\">");
  if (c->subject) {
    buffer_printf(out, "%s <b>", c->kind == CLAIM_AUTOMATON ? "automaton" : "mechanism");
    html_name(out, c->subject);
    buffer_puts(out, "</b> · ");
  }
  if (c->cost) {
    buffer_puts(out, "cost <b class=\"cost\">");
    html_words(out, claim_cost_put, c);
    buffer_puts(out, "</b> · ");
  }
  size_t before = out->len;
  if (c->verdict != VERDICT_PROVED) html_words(out, claim_bound_words, c); /* the sentence has it */
  if (out->len > before) buffer_puts(out, " · ");
  if (c->place.line) buffer_printf(out, "line %u · ", c->place.line);
  buffer_printf(out, "%.2f s%s%s</p>\n", c->time_s, file->cached ? ", from the cache" : "",
                file->translated ? " · about real numbers, not floating-point ones" : "");
}

/* ---- why it is not known --------------------------------------------------------------------- */

/* Lines of the reason that say what to do about it; the others say why. */
static bool is_advice(const char *line) {
  return strncmp(line, "try: ", 5) == 0;
}

static void put_advice(struct buffer *out, const char *reason) {
  bool any = false;
  for (const char *line = reason; *line;) {
    size_t length = strcspn(line, "\n");
    if (is_advice(line)) {
      buffer_puts(out, any ? "<li>" : "<div class=\"advice\"><h3>What to try</h3>\n<ul><li>");
      html_prose(out, line + 5, length - 5);
      buffer_puts(out, "</li>\n");
      any = true;
    }
    line += length + (line[length] == '\n');
  }
  if (any) buffer_puts(out, "</ul></div>\n");
}

static void put_reason(struct buffer *out, const struct claim_record *c) {
  if (!c->reason) return;
  bool any = false;
  buffer_puts(out, "<p class=\"reason\">");
  for (const char *line = c->reason; *line;) {
    size_t length = strcspn(line, "\n");
    if (!is_advice(line)) {
      if (any) buffer_putc(out, '\n');
      html_prose(out, line, length);
      any = true;
    }
    line += length + (line[length] == '\n');
  }
  buffer_puts(out, "</p>\n");
  put_advice(out, c->reason);
}

/* ---- automata -------------------------------------------------------------------------------- */

static void put_finite(struct buffer *out, const struct claim_record *c) {
  const char *text = json_text(json_object_get(c->detail, "finite"), "text");
  if (!text) return;
  buffer_puts(out, "<p class=\"caption\">");
  html_text(out, text);
  buffer_puts(out, "</p>\n");
}

static void put_size(struct buffer *out, const char *before, const struct claim_record *c,
                     const char *field, const char *word) {
  int size = (int)json_integer_value(json_object_get(c->detail, field));
  buffer_printf(out, "%s%d %s%s", before, size, word, size == 1 ? "" : "s");
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
    put_size(out, "; ", c, "states", "state");
    put_size(out, ", ", c, "edges", "transition");
    put_size(out, ", ", c, "variables", "variable");
    buffer_puts(out, ".</p>\n");
  }
  if (!walk) return;
  buffer_puts(out, "<pre class=\"block walk\" tabindex=\"0\">");
  html_text(out, walk);
  buffer_puts(out, "</pre>\n");
}

/* What run 2 does on each transition. */
static void put_strategy(struct buffer *out, const struct claim_record *c) {
  const json_t *moves = json_object_get(c->detail, "moves");
  size_t i;
  json_t *one;
  if (!json_array_size(moves)) return;
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
  buffer_puts(out, "</tbody></table></div></details>\n");
}

/* ---- body ------------------------------------------------------------------------------------ */

/* What the first claim on the card has not said already. */
static void put_twin_body(struct buffer *out, const struct html_card *card, size_t i) {
  const struct claim_record *c = &card->at[i], *lead = card->at;
  bool has_reason = c->reason && (!lead->reason || strcmp(c->reason, lead->reason) != 0);
  bool has_inputs = c->counterexample && !json_equal(c->counterexample, lead->counterexample);
  if (!has_reason && !has_inputs) return;
  buffer_puts(out, "<section class=\"twin-body\"><h3>About ");
  html_words(out, claim_record_what, c);
  buffer_puts(out, "</h3>\n");
  if (has_reason) put_reason(out, c);
  if (has_inputs) html_counterexample(out, c, card->file);
  buffer_puts(out, "</section>\n");
}

void html_card_body(struct buffer *out, const struct html_card *card) {
  const struct claim_record *c = card->at;
  put_facts(out, c, card->file);
  put_reason(out, c);
  for (size_t i = 1; i < card->count; i++)
    put_twin_body(out, card, i);
  html_budget(out, c, card->id);
  html_counterexample(out, c, card->file);
  if (c->counterexample) html_losses(out, c); /* beside it; else below the proof */
  put_finite(out, c);
  put_automaton(out, c);
  if (card->file->sources) buffer_puts(out, "<h3>Source</h3>\n");
  html_source(out, card->file, c, card->id);
  if (!c->counterexample) html_losses(out, c);
  html_tradeoff(out, c);
  html_search(out, c);
  put_strategy(out, c);
  html_derivation(out, c);
  html_obligations(out, c);
}
