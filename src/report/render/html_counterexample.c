#include "report/render/html_counterexample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/render/html_plot.h"
#include "report/render/html_put.h"

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
  const char *low = json_text(ball, "low_text"), *high = json_text(ball, "high_text");
  html_text(out, low);
  if (low && high && strcmp(low, high) != 0) {
    buffer_puts(out, " to ");
    html_text(out, high);
  }
}

/* What is claimed is known exactly: "0.01", also where its enclosure in binary is an interval. */
static void put_claimed(struct buffer *out, const char *name, const json_t *ball) {
  if (!ball) return;
  const char *low = json_text(ball, "low_text"), *high = json_text(ball, "high_text");
  char one[40] = "", other[40] = "";
  if (low && high) {
    snprintf(one, sizeof one, "%.9g", strtod(low, NULL));
    snprintf(other, sizeof other, "%.9g", strtod(high, NULL));
  }
  open_fact(out, name);
  if (*one && strcmp(one, other) == 0)
    html_text(out, one);
  else
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

static bool has_text(const json_t *list, const char *text) {
  for (size_t i = 0; i < json_array_size(list); i++)
    if (strcmp(json_string_value(json_array_get(list, i)), text) == 0) return true;
  return false;
}

static void put_parameters(struct buffer *out, const json_t *ce) {
  const json_t *params = json_object_get(ce, "parameters"),
               *unused = json_object_get(ce, "unused_parameters");
  const char *name;
  json_t *value;
  if (json_object_size(params) <= json_array_size(unused)) return;
  open_fact(out, "Parameters");
  bool first = true;
  json_object_foreach((json_t *)params, name, value) {
    if (has_text(unused, name)) continue;
    buffer_puts(out, first ? "<code>" : ", <code>");
    html_text(out, name);
    buffer_puts(out, " = ");
    html_text(out, json_string_value(value));
    buffer_puts(out, "</code>");
    first = false;
  }
  buffer_puts(out, "</dd>\n");
}

/* Up to the next number or word of a value, and over it. */
static size_t gap(const char *text) {
  return strspn(text, "[](){},; ");
}
static size_t word(const char *text) {
  return strcspn(text, "[](){},; ");
}

/* Do they have the same shape, so that one can say which parts differ? */
static bool are_alike(const char *a, const char *b) {
  while (*a && *b) {
    size_t g = gap(a);
    if (gap(b) != g || strncmp(a, b, g) != 0) return false;
    a += g;
    b += g;
    a += word(a);
    b += word(b);
  }
  return *a == *b;
}

/* A value, with the parts marked in which the other run's differs. */
static void put_compared(struct buffer *out, const char *text, const char *other) {
  if (!text || !other || !are_alike(text, other)) {
    html_text(out, text);
    return;
  }
  while (*text) {
    size_t g = gap(text), w = word(text + g), v = word(other + g);
    html_text_n(out, text, g);
    bool same = w == v && strncmp(text + g, other + g, w) == 0;
    if (!same) buffer_puts(out, "<mark>");
    html_text_n(out, text + g, w);
    if (!same) buffer_puts(out, "</mark>");
    text += g + w;
    other += g + v;
  }
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
      put_compared(out, json_string_value(json_array_get(both, run)),
                   json_string_value(json_array_get(both, 1 - run)));
      buffer_puts(out, "</code></dd>\n");
    }
  }
}

enum { MOST_ITEMS = 40 }; /* of a sequence; the record has all */

/* Item i of a list, or of its pairs: the one of run `which`. */
static const json_t *item_at(const json_t *list, size_t i, int which) {
  const json_t *item = json_array_get(list, i);
  return which < 0 ? item : json_array_get(item, (size_t)which);
}

/* Items of an array, one after the other; equal neighbours once, with a count. Those of a pair that
 * differ are marked. */
static void put_sequence(struct buffer *out, const json_t *list, int which, const char *run) {
  size_t size = json_array_size(list), shown = 0;
  buffer_printf(out, "<code class=\"%s\">", run);
  for (size_t i = 0, end; i < size; i = end) {
    const json_t *item = item_at(list, i, which);
    bool differs = which >= 0 && !json_equal(item, item_at(list, i, 1 - which));
    for (end = i + 1; end < size && json_equal(item_at(list, end, which), item); end++)
      if (which >= 0 && json_equal(item, item_at(list, end, 1 - which)) == differs) break;
    if (i) buffer_puts(out, ", ");
    if (shown++ == MOST_ITEMS) {
      buffer_printf(out, "... (%zu in all)", size);
      break;
    }
    if (differs) buffer_puts(out, "<mark>");
    html_text(out, json_string_value(item));
    if (end - i > 1) buffer_printf(out, " (%zu times)", end - i);
    if (differs) buffer_puts(out, "</mark>");
  }
  buffer_puts(out, "</code>");
}

/* Of a floating-point program: the output bit by bit, and the random words that lead to it. */
static void put_bits(struct buffer *out, const json_t *replay) {
  if (!replay) return;
  open_fact(out, "Bits");
  buffer_puts(out, "<code>");
  html_text(out, json_text(replay, "bits"));
  buffer_puts(out, "</code> <span class=\"soft\">");
  html_text(out, json_text(replay, "decimal"));
  buffer_puts(out, "</span></dd>\n");
  open_fact(out, "Random words");
  put_sequence(out, json_object_get(replay, "words"), -1, "");
  buffer_puts(out, " <span class=\"soft\">in the first run</span></dd>\n");
}

/* The program that replays it, folded away. */
static void put_program(struct buffer *out, const json_t *replay) {
  if (!replay) return;
  buffer_puts(out,
              "<details class=\"worst\"><summary>Replay in C <span class=\"soft\">both runs on "
              "your hardware</span></summary><pre class=\"block\"><code>");
  html_text(out, json_text(replay, "program"));
  buffer_puts(out, "</code></pre></details>\n");
}

/* Parameters, inputs, outputs; and the instance, where it gives meaning to anything. */
static void put_setting(struct buffer *out, const json_t *ce, bool has_abstract) {
  if (has_abstract) put_text_fact(out, "Instance", json_text(ce, "instance"));
  put_parameters(out, ce);
  put_inputs(out, json_object_get(ce, "inputs"));
  open_fact(out, "Output");
  put_sequence(out, json_object_get(ce, "outputs"), -1, "");
  buffer_puts(out, "</dd>\n");
  put_bits(out, json_object_get(ce, "float"));
}

/* In units of the claim; without an upper end when the second probability may be 0. */
static void put_loss(struct buffer *out, const json_t *loss) {
  const char *low = json_text(loss, "low_text"), *high = json_text(loss, "high_text");
  open_fact(out, "Loss here");
  if (!low) {
    buffer_puts(out, "not a multiple of the claimed epsilon");
  } else if (strstr(low, "inf")) {
    buffer_puts(out, "<b class=\"not\">unbounded: the second run cannot do this</b>");
  } else {
    buffer_printf(out, "<b class=\"not\">%s", high ? "" : "at least ");
    put_ball(out, loss);
    buffer_puts(out, "</b> times the claimed epsilon");
  }
  buffer_puts(out, "</dd>\n");
}

static void put_program_facts(struct buffer *out, const json_t *ce, bool has_abstract) {
  put_setting(out, ce, has_abstract);
  put_probabilities(out, json_object_get(ce, "probabilities"));
  put_claimed(out, "Claimed epsilon", json_object_get(ce, "epsilon"));
  put_claimed(out, "Claimed delta", json_object_get(ce, "delta"));
  put_loss(out, json_object_get(ce, "loss"));
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
  open_fact(out, "Loss here");
  buffer_puts(out, "<b class=\"not\">");
  put_ball(out, json_object_get(ce, "loss"));
  buffer_puts(out, "</b> times eps, more than ");
  html_text(out, json_text(ce, "claimed"));
  buffer_puts(out, "</dd>\n");
}

/* One that loses more, folded away. */
static void put_worst(struct buffer *out, const json_t *worst, bool has_abstract) {
  if (!worst) return;
  const char *loss = json_text(json_object_get(worst, "loss"), "low_text");
  buffer_puts(out, "<details class=\"worst\"><summary>The worst counterexample found");
  if (loss && !strstr(loss, "inf")) {
    buffer_puts(out, " <span class=\"soft\">loses ");
    html_text(out, loss);
    buffer_puts(out, " times the claimed epsilon</span>");
  }
  buffer_puts(out, "</summary><dl class=\"facts\">\n");
  put_program_facts(out, worst, has_abstract);
  buffer_puts(out, "</dl></details>\n");
}

/* Suspected, not certified: shown so that a person can look at it. */
static void put_candidate(struct buffer *out, const json_t *candidate, bool has_abstract) {
  if (!candidate) return;
  buffer_puts(out, "<h3>Suspect, not certified</h3>\n<dl class=\"facts candidate\">\n");
  put_setting(out, candidate, has_abstract);
  buffer_puts(out, "</dl>\n");
}

void html_counterexample(struct buffer *out, const struct claim_record *c,
                         const struct file_record *file) {
  bool has_abstract = json_array_size(json_object_get(file->basis, "abstract"));
  const json_t *ce = c->counterexample;
  const char *kind = json_text(ce, "kind");
  put_candidate(out, json_object_get(c->detail, "candidate"), has_abstract);
  if (!kind) return;
  buffer_puts(out, "<h3>Counterexample</h3>\n<div class=\"pair wide counterexample\"><dl "
                   "class=\"facts\">\n");
  if (strcmp(kind, "program") == 0)
    put_program_facts(out, ce, has_abstract);
  else
    put_automaton_facts(out, ce);
  buffer_puts(out, "</dl>\n<div>");
  html_distributions(out, c);
  buffer_puts(out, "</div></div>\n");
  put_program(out, json_object_get(ce, "float"));
  put_worst(out, json_object_get(ce, "worst"), has_abstract);
}
