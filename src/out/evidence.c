#include "out/evidence.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "check/recount/strategy_json.h"
#include "num/rational.h"

/* ---- values ---------------------------------------------------------------------------------- */

json_t *rational_to_json(const fmpq_t value) {
  char *text = rational_string(value);
  json_t *json = json_string(text);
  free(text);
  return json;
}

static json_t *integer_json(const fmpz_t value) {
  fmpq_t q;
  fmpq_init(q);
  fmpq_set_fmpz(q, value);
  json_t *json = rational_to_json(q);
  fmpq_clear(q);
  return json;
}

json_t *value_to_json(const struct rvalue *v) {
  switch (v->kind) {
  case RVALUE_BOOL: return json_boolean(v->as.boolean);
  case RVALUE_INT: return integer_json(&v->as.integer);
  case RVALUE_RATIONAL: return rational_to_json(&v->as.rational);
  case RVALUE_LIST:
  case RVALUE_ARRAY:
  case RVALUE_TUPLE: break;
  default: return NULL;
  }
  json_t *list = json_array();
  for (size_t i = 0; i < v->as.seq->len; i++) {
    json_t *item = value_to_json(&v->as.seq->at[i]);
    if (!item) {
      json_decref(list);
      return NULL;
    }
    json_array_append_new(list, item);
  }
  return list;
}

/* ---- strategies ------------------------------------------------------------------------------ */

static json_t *value_json(const fmpz_t value) {
  char *text = fmpz_get_str(NULL, 10, value);
  json_t *json = json_string(text);
  flint_free(text);
  return json;
}

static json_t *numbers_json(const uint32_t *at, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, json_integer(at[i]));
  return list;
}

/* ["+0-", "12"]: what the live variables are shifted by, and a cost. */
static json_t *entry_json(const int8_t *shifts, size_t live, const fmpz_t value) {
  char *text = xmalloc(live + 1);
  for (size_t i = 0; i < live; i++)
    text[i] = shift_signs[shifts[i] + 1];
  json_t *json = json_pack("[s#, o]", text, (int)live, value_json(value));
  free(text);
  return json;
}

static json_t *facts_json(const struct product *p) {
  json_t *list = json_array();
  size_t size = p->tracked.len * p->tracked.len;
  char *text = xmalloc(size + 1);
  for (size_t at = 0; size && at + size <= p->facts.len; at += size) {
    for (size_t i = 0; i < size; i++)
      text[i] = relation_signs[p->facts.at[at + i]];
    json_array_append_new(list, json_stringn(text, size));
  }
  free(text);
  return list;
}

static json_t *live_json(const struct product *p, size_t states) {
  json_t *list = json_array();
  for (size_t i = 0; i < states; i++) {
    uint32_t first = p->live_first.at[i];
    json_array_append_new(list, numbers_json(p->live.at + first, p->live_first.at[i + 1] - first));
  }
  return list;
}

static json_t *node_json(const struct strategy *s, uint32_t node) {
  const struct product *p = &s->product;
  size_t live = product_live(p, node).count;
  json_t *edges = json_array(), *points = json_array(), *labels = json_array();
  for (uint32_t i = p->first.at[node]; i < p->first.at[node + 1]; i++)
    json_array_append_new(
        edges, json_pack("[I, I]", (json_int_t)p->edges.at[i].edge, (json_int_t)p->edges.at[i].to));
  for (uint32_t i = s->point_first.at[node]; i < s->point_first.at[node + 1]; i++)
    json_array_append_new(
        points, entry_json(strategy_point_shifts(s, node, i), live, &s->point_value.at[i]));
  for (uint32_t l = s->label_first.at[node]; l < s->label_first.at[node + 1]; l++) {
    const struct strategy_label *label = &s->labels.at[l];
    json_t *entries = json_array();
    for (uint32_t i = 0; i < label->count; i++)
      json_array_append_new(entries, entry_json(strategy_entry_shifts(s, l, i), live,
                                                &s->entry_value.at[label->first + i]));
    json_array_append_new(labels, entries);
  }
  uint32_t facts = p->tracked.len ? p->nodes.at[node].facts : 0;
  return json_pack("{s:I, s:I, s:o, s:o, s:o}", "state", (json_int_t)p->nodes.at[node].state,
                   "facts", (json_int_t)facts, "edges", edges, "points", points, "labels", labels);
}

json_t *strategy_to_json(const struct strategy *s, const struct automaton *a) {
  json_t *nodes = json_array();
  for (uint32_t n = 0; n < s->product.nodes.len; n++)
    json_array_append_new(nodes, node_json(s, n));
  return json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:o}", "scale", value_json(s->scale), "cost", value_json(s->cost),
      "tracked", numbers_json(s->product.tracked.at, s->product.tracked.len), "facts",
      facts_json(&s->product), "live", live_json(&s->product, a->states.len), "nodes", nodes);
}

/* ---- dossiers -------------------------------------------------------------------------------- */

static json_t *lines_json(const char *text) {
  json_t *list = json_array();
  while (*text) {
    size_t length = strcspn(text, "\n");
    json_array_append_new(list, json_stringn(text, length));
    text += length + (text[length] == '\n');
  }
  return list;
}

json_t *dossier_to_json(const struct dossier *d) {
  json_t *calls = json_array(), *terms = json_array(), *refutations = json_array();
  for (size_t i = 0; i < d->calls.len; i++)
    json_array_append_new(calls, json_string(d->calls.at[i]));
  for (size_t i = 0; i < d->lines.len; i++)
    json_array_append_new(terms, json_string(d->lines.at[i]));
  for (size_t i = 0; i < d->entries.len; i++)
    json_array_append_new(refutations, json_pack("{s:s, s:o}", "obligation", d->entries.at[i].key,
                                                 "steps", lines_json(d->entries.at[i].steps)));
  return json_pack("{s:o, s:o, s:o}", "derivation", calls, "terms", terms, "refutations",
                   refutations);
}
