#include "report/record/proof_record.h"

#include <string.h>

#include "proof/explain.h"
#include "report/record/record.h"
#include "report/record/record_json.h"

static json_t *location(struct sources *sources, struct span span) {
  struct record_place place = record_place(sources, span);
  json_t *json = record_place_json(&place);
  free(place.path);
  return json;
}

static json_t *cases_json(const struct explain_node *n) {
  json_t *list = json_array();
  for (size_t i = 0; i < n->case_count; i++)
    json_array_append_new(list, json_pack("{s:s?, s:s, s:s?}", "when", n->cases[i].when, "relation",
                                          n->cases[i].relation, "cost", n->cases[i].cost));
  return list;
}

static json_t *nodes_json(struct sources *sources, const struct explain_node *nodes, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++) {
    const struct explain_node *n = &nodes[i];
    json_t *json =
        json_pack("{s:s, s:s, s:s?, s:o, s:{s:s?, s:s?}}", "rule", n->rule, "words", n->words,
                  "command", n->command, "location", location(sources, n->span), "budget", "before",
                  n->before, "after", n->after);
    if (n->left) json_object_set_new(json, "left", json_string(n->left));
    if (n->invariant) json_object_set_new(json, "invariant", json_string(n->invariant));
    if (n->cost) json_object_set_new(json, "cost", json_string(n->cost));
    if (n->branch) json_object_set_new(json, "case", json_integer(n->branch));
    if (n->given) json_object_set_new(json, "given", json_string(n->given));
    if (n->case_count) json_object_set_new(json, "coupling", cases_json(n));
    json_object_set_new(json, "steps", nodes_json(sources, n->children, n->child_count));
    json_array_append_new(list, json);
  }
  return list;
}

static json_t *explanation_json(struct sources *sources, const struct explanation *e,
                                const char *direction) {
  json_t *payments = json_array();
  for (size_t i = 0; i < e->payment_count; i++) {
    const struct explain_payment *p = &e->payments[i];
    json_t *json =
        json_pack("{s:s, s:s?, s:o, s:s, s:o}", "command", p->command, "cost", p->cost, "location",
                  location(sources, p->span), "kind", p->is_loop ? "loop" : "sample", "share",
                  p->has_share ? json_real(p->share) : json_null());
    if (p->branch) json_object_set_new(json, "case", json_integer(p->branch));
    if (p->given) json_object_set_new(json, "given", json_string(p->given));
    json_array_append_new(payments, json);
  }
  return json_pack("{s:s, s:s, s:s?, s:o, s:o}", "direction", direction, "total", e->total,
                   "values", e->values, "payments", payments, "steps",
                   nodes_json(sources, e->steps, e->count));
}

static json_t *obligations_json(struct sources *sources, const struct proof_result *r) {
  json_t *list = json_array();
  for (size_t i = 0; i < r->obligation_count; i++) {
    const struct proof_obligation *o = &r->obligations[i];
    json_array_append_new(list, json_pack("{s:s?, s:s?, s:s?, s:o, s:b, s:f, s:s?, s:b, s:I, s:b}",
                                          "rule", o->rule, "what", o->what, "formula", o->formula,
                                          "location", location(sources, o->span), "proved",
                                          o->proved, "time_s", o->seconds, "method", o->method,
                                          "believed", o->believed, "steps", (json_int_t)o->steps,
                                          "cross_checked", o->cross_checked));
  }
  return list;
}

json_t *proof_detail_json(struct sources *sources, const struct proof_result *r,
                          bool lists_obligations) {
  size_t proved = 0;
  for (size_t i = 0; i < r->obligation_count; i++)
    proved += r->obligations[i].proved;
  json_t *json = json_pack("{s:I, s:I, s:f}", "obligations", (json_int_t)r->obligation_count,
                           "obligations_proved", (json_int_t)proved, "solver_s", r->solver_seconds);
  if (lists_obligations) json_object_set_new(json, "obligation_list", obligations_json(sources, r));
  if (!r->forward) return json;
  json_t *list = json_array();
  json_array_append_new(list, explanation_json(sources, r->forward, "forward"));
  if (r->backward) json_array_append_new(list, explanation_json(sources, r->backward, "backward"));
  json_object_set_new(json, "explanation", list);
  return json;
}

char *obligation_how(const json_t *obligation) {
  const char *method = json_string_value(json_object_get(obligation, "method"));
  if (!json_is_true(json_object_get(obligation, "proved"))) return xstrdup("nobody");
  if (json_is_true(json_object_get(obligation, "believed"))) return xstrdup("the solver alone");
  int steps = (int)json_integer_value(json_object_get(obligation, "steps"));
  if (method && strcmp(method, "hypothesis") == 0) return xstrdup("it is a hypothesis");
  return xasprintf("referee, %d step%s", steps, steps == 1 ? "" : "s");
}

/* ---- text ------------------------------------------------------------------------------------ */

static const char *text_at(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

/* Texts that are no files have names like <proof>. */
static bool is_of_found_proof(const json_t *place) {
  const char *file = text_at(place, "file");
  return file && *file == '<';
}

/* RULE - what it does: the statement  (line 9)  budget eps -> eps/2
 * Steps around others pay through those. */
static void put_nodes(struct buffer *out, const json_t *nodes, size_t depth) {
  size_t i;
  json_t *node;
  json_array_foreach(nodes, i, node) {
    const char *command = text_at(node, "command");
    const json_t *budget = json_object_get(node, "budget"),
                 *line = json_object_get(json_object_get(node, "location"), "line");
    buffer_fill(out, ' ', 2 * depth);
    buffer_printf(out, "%s - %s", text_at(node, "rule"), text_at(node, "words"));
    if (command) buffer_printf(out, ": %s", command);
    if (line)
      buffer_printf(out, "  (line %d%s)", (int)json_integer_value(line),
                    is_of_found_proof(json_object_get(node, "location")) ? " of the proof" : "");
    const char *before = text_at(budget, "before"), *after = text_at(budget, "after");
    bool pays = !json_array_size(json_object_get(node, "steps")) || json_object_get(node, "cost");
    if (pays && before && after && strcmp(before, after) != 0)
      buffer_printf(out, "  budget %s -> %s", before, after);
    buffer_putc(out, '\n');
    put_nodes(out, json_object_get(node, "steps"), depth + 1);
  }
}

void proof_explanation_text(struct buffer *out, const json_t *detail) {
  size_t i;
  json_t *one;
  json_array_foreach(json_object_get(detail, "explanation"), i, one) {
    const char *direction = text_at(one, "direction");
    if (i && direction) buffer_printf(out, "%s direction:\n", direction);
    put_nodes(out, json_object_get(one, "steps"), 0);
  }
}
