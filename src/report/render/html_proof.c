#include "report/render/html_proof.h"

#include <math.h>
#include <string.h>

#include "report/record/proof_record.h"
#include "report/render/html_put.h"
#include "report/render/html_source.h"

enum { COLOURS = 6 }; /* classes s1 .. s6 of the stylesheet */

static void put_direction(struct buffer *out, const json_t *all, const json_t *one) {
  if (json_array_size(all) < 2) return;
  buffer_puts(out, ", ");
  html_text(out, json_text(one, "direction"));
}

/* ---- budget ---------------------------------------------------------------------------------- */

/* Steps without a share of their own divide what the others leave. */
static double share_of_open(const json_t *payments, double *spent) {
  size_t i, open = 0;
  json_t *one;
  *spent = 0;
  json_array_foreach(payments, i, one) {
    const json_t *share = json_object_get(one, "share");
    if (json_is_number(share))
      *spent += json_number_value(share);
    else
      open++;
  }
  return open ? fmax(0, 1 - *spent) / (double)open : 0;
}

static void put_anchor(struct buffer *out, const json_t *payment, size_t id) {
  buffer_printf(
      out, " data-points=\"c%zu-%d\"", id,
      (int)json_integer_value(json_object_get(json_object_get(payment, "location"), "line")));
}

static void put_bar(struct buffer *out, const json_t *payments, size_t id) {
  double spent, open = share_of_open(payments, &spent);
  size_t i;
  json_t *one;
  buffer_puts(out, "<div class=\"bar\" aria-hidden=\"true\">");
  json_array_foreach(payments, i, one) {
    const json_t *share = json_object_get(one, "share");
    bool known = json_is_number(share);
    buffer_printf(out, "<span class=\"s%zu%s\" style=\"width:%.3f%%\"", i % COLOURS + 1,
                  known ? "" : " open", 100 * (known ? json_number_value(share) : open));
    put_anchor(out, one, id);
    buffer_puts(out, ">");
    html_formula(out, json_text(one, "cost"));
    buffer_puts(out, "</span>");
  }
  double rest = open > 0 ? 0 : 1 - spent;
  if (rest > 1e-6)
    buffer_printf(out, "<span class=\"rest\" style=\"width:%.3f%%\">not needed</span>", 100 * rest);
  buffer_puts(out, "</div>\n");
}

static void put_legend(struct buffer *out, const json_t *payments, size_t id) {
  size_t i;
  json_t *one;
  buffer_puts(out, "<ol class=\"legend\">\n");
  json_array_foreach(payments, i, one) {
    const json_t *share = json_object_get(one, "share");
    const char *kind = json_text(one, "kind");
    buffer_printf(out, "<li tabindex=\"0\"");
    put_anchor(out, one, id);
    buffer_printf(out, "><i class=\"s%zu\"></i>", i % COLOURS + 1);
    html_code(out, json_text(one, "command"));
    buffer_puts(out, " <span class=\"soft\">");
    html_line(out, json_object_get(one, "location"));
    buffer_puts(out, kind && strcmp(kind, "loop") == 0 ? ", all iterations" : "");
    buffer_puts(out, "</span><span class=\"pay\">");
    html_code(out, json_text(one, "cost"));
    if (json_is_number(share)) buffer_printf(out, " · %.3g %%", 100 * json_number_value(share));
    buffer_puts(out, "</span></li>\n");
  }
  buffer_puts(out, "</ol>\n");
}

static bool is_paid_alike(const json_t *a, const json_t *b) {
  static const char *const keys[] = {"kind", "command", "cost", "location", "share"};
  if (json_array_size(a) != json_array_size(b)) return false;
  for (size_t i = 0; i < json_array_size(a); i++)
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
      if (!json_equal(json_object_get(json_array_get(a, i), keys[k]),
                      json_object_get(json_array_get(b, i), keys[k])))
        return false;
  return true;
}

/* The payments of one case; 0: of a proof without cases. */
static json_t *payments_of_case(const json_t *payments, json_int_t number) {
  json_t *list = json_array(), *one;
  size_t i;
  json_array_foreach(payments, i, one) {
    if (json_integer_value(json_object_get(one, "case")) == number) json_array_append(list, one);
  }
  return list;
}

/* Is the same paid in all cases, from 1 on? */
static bool pays_alike(const json_t *payments, json_int_t cases) {
  json_t *first = payments_of_case(payments, 1);
  bool alike = cases > 1;
  for (json_int_t k = 2; k <= cases && alike; k++) {
    json_t *own = payments_of_case(payments, k);
    alike = is_paid_alike(first, own);
    json_decref(own);
  }
  json_decref(first);
  return alike;
}

static void put_case(struct buffer *out, const json_t *payment) {
  buffer_puts(out, "<p class=\"caption\">");
  html_case(out, (unsigned)json_integer_value(json_object_get(payment, "case")),
            json_text(payment, "given"));
  buffer_puts(out, "</p>\n");
}

static void put_payments(struct buffer *out, const json_t *payments, size_t id) {
  size_t count = json_array_size(payments);
  const json_t *last = count ? json_array_get(payments, count - 1) : NULL;
  json_int_t cases = last ? json_integer_value(json_object_get(last, "case")) : -1;
  bool alike = pays_alike(payments, cases);
  for (json_int_t k = alike ? cases : 0; k <= cases; k++) {
    json_t *own = payments_of_case(payments, k);
    if (json_array_size(own)) {
      if (k && !alike) put_case(out, json_array_get(own, 0));
      put_bar(out, own, id);
      put_legend(out, own, id);
    }
    json_decref(own);
  }
}

void html_budget(struct buffer *out, const struct claim_record *c, size_t id) {
  const json_t *all = json_object_get(c->detail, "explanation");
  size_t i;
  json_t *one;
  json_array_foreach(all, i, one) {
    const json_t *payments = json_object_get(one, "payments");
    buffer_puts(out, "<h3>Budget");
    put_direction(out, all, one);
    buffer_puts(out, "</h3>\n<figure class=\"budget\">");
    put_payments(out, payments, id);
    buffer_puts(out, "<figcaption>");
    buffer_puts(out, json_array_size(payments) ? "The whole bar is " : "Nothing is paid out of ");
    html_code(out, json_text(one, "total"));
    if (json_text(one, "values")) {
      buffer_puts(out, "; widths for ");
      html_code(out, json_text(one, "values"));
    }
    buffer_puts(out, ".</figcaption></figure>\n");
  }
}

/* ---- search ---------------------------------------------------------------------------------- */

static void put_fact(struct buffer *out, const char *name, const char *text) {
  if (!text) return;
  buffer_printf(out, "<dt>%s</dt><dd class=\"reason\">", name);
  html_formula(out, text);
  buffer_puts(out, "</dd>\n");
}

/* What could not be coupled, and the proof that came closest. */
static void put_failure(struct buffer *out, const json_t *search) {
  const json_t *obstacle = json_object_get(search, "obstacle"),
               *attempt = json_object_get(search, "attempt");
  buffer_printf(
      out,
      "<details class=\"part search\"><summary>Search for a proof <span class=\"soft\">%d "
      "tried%s</span></summary><dl class=\"facts\">\n",
      (int)json_integer_value(json_object_get(search, "candidates")),
      json_is_true(json_object_get(search, "out_of_time")) ? ", out of time" : "");
  put_fact(out, "Obstacle", json_text(obstacle, "message"));
  put_fact(out, "Cost of the rest", json_text(obstacle, "budget"));
  put_fact(out, "Why it fails", json_text(attempt, "reason"));
  put_fact(out, "Rule", json_text(attempt, "rule"));
  put_fact(out, "No proof of", json_text(attempt, "unproved"));
  put_fact(out, "It fails for", json_text(attempt, "model"));
  buffer_puts(out, "</dl>\n");
  if (json_text(attempt, "proof")) html_proof_text(out, json_text(attempt, "proof"));
  buffer_puts(out, "</details>\n");
}

void html_search(struct buffer *out, const struct claim_record *c) {
  const char *proof = json_text(c->detail, "proof");
  const json_t *search = json_object_get(c->detail, "search"),
               *automaton = json_object_get(c->detail, "automaton");
  if (proof) {
    buffer_puts(out, json_object_get(search, "completed") ? "<h3>The proof, completed</h3>\n"
                                                          : "<h3>Proof that was found</h3>\n");
    html_proof_text(out, proof);
    if (json_text(search, "strategy")) {
      buffer_printf(out, "<p class=\"caption\">%d tried; strategy: ",
                    (int)json_integer_value(json_object_get(search, "candidates")));
      html_text(out, json_text(search, "strategy"));
      buffer_puts(out, ".</p>\n");
    }
  } else if (search && c->verdict != VERDICT_PROVED) {
    put_failure(out, search);
  }
  if (automaton) {
    buffer_printf(out, "<p class=\"caption\">As a threshold automaton with %d states: %s",
                  (int)json_integer_value(json_object_get(automaton, "states")),
                  json_is_true(json_object_get(automaton, "private"))    ? "private"
                  : json_is_false(json_object_get(automaton, "private")) ? "not private"
                                                                         : "not decided");
    if (json_text(automaton, "cost")) {
      buffer_puts(out, ", cost ");
      html_text(out, json_text(automaton, "cost"));
    }
    buffer_puts(out, ". The verdict does not rest on it.</p>\n");
  }
}

/* ---- derivation ------------------------------------------------------------------------------ */

static void put_step(struct buffer *out, const json_t *node) {
  const json_t *budget = json_object_get(node, "budget");
  const char *before = json_text(budget, "before"), *after = json_text(budget, "after");
  buffer_puts(out, "<span class=\"rule\">");
  html_text(out, json_text(node, "rule"));
  buffer_puts(out, "</span><span class=\"words\">");
  html_formula(out, json_text(node, "words"));
  buffer_puts(out, "</span>");
  if (json_text(node, "command")) {
    buffer_puts(out, " ");
    html_code(out, json_text(node, "command"));
  }
  if (json_object_get(json_object_get(node, "location"), "line")) {
    buffer_puts(out, "<span class=\"at\">");
    html_line(out, json_object_get(node, "location"));
    buffer_puts(out, "</span>");
  }
  bool pays = !json_array_size(json_object_get(node, "steps")) || json_object_get(node, "cost");
  if (pays && before && after && strcmp(before, after) != 0) {
    buffer_puts(out, "<span class=\"spent\">budget ");
    html_code(out, before);
    buffer_puts(out, " → ");
    html_code(out, after);
    buffer_puts(out, "</span>");
  }
}

static void put_tree(struct buffer *out, const json_t *nodes, unsigned depth) {
  size_t i;
  json_t *node;
  buffer_puts(out, "<ul>\n");
  json_array_foreach(nodes, i, node) {
    const json_t *steps = json_object_get(node, "steps");
    if (json_array_size(steps)) {
      buffer_printf(out, "<li><details%s><summary>", depth < 1 ? " open" : "");
      put_step(out, node);
      buffer_puts(out, "</summary>");
      put_tree(out, steps, depth + 1);
      buffer_puts(out, "</details></li>\n");
    } else {
      buffer_puts(out, "<li class=\"leaf\">");
      put_step(out, node);
      buffer_puts(out, "</li>\n");
    }
  }
  buffer_puts(out, "</ul>\n");
}

void html_derivation(struct buffer *out, const struct claim_record *c) {
  size_t i;
  json_t *one;
  const json_t *all = json_object_get(c->detail, "explanation");
  json_array_foreach(all, i, one) {
    buffer_puts(out, "<details class=\"part derivation\"><summary>Derivation");
    put_direction(out, all, one);
    buffer_puts(out, " <span class=\"soft\">rule by rule, as the kernel checked it</span></summary>"
                     "<div class=\"tree\">");
    put_tree(out, json_object_get(one, "steps"), 0);
    buffer_puts(out, "</div></details>\n");
  }
}

/* ---- obligations ----------------------------------------------------------------------------- */

static void put_obligation(struct buffer *out, const json_t *o) {
  bool proved = json_is_true(json_object_get(o, "proved"));
  buffer_printf(out, "<tr><td class=\"%s\">%s</td><td><span class=\"rule\">", proved ? "ok" : "not",
                proved ? "proved" : "open");
  html_text(out, json_text(o, "rule"));
  buffer_puts(out, "</span></td><td><details><summary>");
  html_text(out, json_text(o, "what"));
  buffer_puts(out, "</summary>");
  html_code(out, json_text(o, "formula"));
  buffer_puts(out, "</details></td><td>");
  html_line(out, json_object_get(o, "location"));
  buffer_puts(out, "</td><td>");
  char *how = obligation_how(o);
  html_text(out, how);
  free(how);
  buffer_printf(out, "</td><td class=\"number\">%.3f s</td></tr>\n",
                json_number_value(json_object_get(o, "time_s")));
}

void html_obligations(struct buffer *out, const struct claim_record *c) {
  const json_t *total = json_object_get(c->detail, "obligations"),
               *list = json_object_get(c->detail, "obligation_list");
  if (!json_is_integer(total)) return;
  buffer_printf(out,
                "<details class=\"part obligations\"><summary>Obligations <span class=\"soft\">"
                "%d of %d proved, evidence found in %.2f s</span></summary>",
                (int)json_integer_value(json_object_get(c->detail, "obligations_proved")),
                (int)json_integer_value(total),
                json_number_value(json_object_get(c->detail, "solver_s")));
  if (json_array_size(list)) {
    size_t i;
    json_t *one;
    buffer_puts(out,
                "<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
                "aria-label=\"Obligations\"><table class=\"obligations\"><thead><tr><th>State"
                "</th><th>Rule</th><th>What has to hold</th><th>Where</th><th>Accepted by</th><th "
                "class=\"number\">"
                "Time</th></tr></thead><tbody>\n");
    json_array_foreach(list, i, one) {
      put_obligation(out, one);
    }
    buffer_puts(out, "</tbody></table></div>");
  }
  buffer_puts(out, "</details>\n");
}
