#include "report/record/cert_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "check/certificate/format.h"
#include "check/certificate/source.h"
#include "check/counterexample/query_text.h"
#include "check/recount/strategy_json.h"
#include "check/recount/subject.h"
#include "check/recount/value.h"
#include "num/rational.h"
#include "out/evidence.h"
#include "report/record/counterexample.h"

/* ---- automata ------------------------------------------------------------------------------- */

json_t *cert_of_strategy(const struct automaton *a, const struct strategy *s) {
  char digest[SHA256_HEX + 1];
  automaton_digest(a, digest);
  fmpq_t cost;
  fmpq_init(cost);
  strategy_cost(cost, s);
  json_t *json = json_pack("{s:s, s:s, s:o, s:o}", "kind", CERT_KIND_STRATEGY, "automaton", digest,
                           "cost", rational_to_json(cost), "strategy", strategy_to_json(s, a));
  fmpq_clear(cost);
  return json;
}

json_t *cert_refuted_cost(const struct automaton_counterexample *ce) {
  json_t *inputs, *outputs;
  automaton_steps_json(ce, query_print_output, &inputs, &outputs);
  return json_pack("{s:o, s:o, s:o, s:o}", "cost", rational_to_json(ce->claimed), "eps",
                   rational_to_json(ce->eps), "inputs", inputs, "outputs", outputs);
}

json_t *cert_of_automaton(const struct automaton *a, json_t *refuted) {
  char digest[SHA256_HEX + 1];
  automaton_digest(a, digest);
  return json_pack("{s:s, s:s, s:o}", "kind", CERT_KIND_AUTOMATON, "automaton", digest, "refuted",
                   refuted);
}

static char sign(int value) {
  return value < 0 ? '-' : value > 0 ? '+' : '0';
}

json_t *cert_of_unbounded(const struct automaton *a, json_t *refuted, const struct walk *walk,
                          const struct unbounded *inputs) {
  json_t *json = cert_of_automaton(a, refuted), *steps = json_array();
  for (size_t i = 0; i < walk->steps.len; i++) {
    char signs[] = {sign(inputs->level[i]), sign(inputs->lean[i]), sign(inputs->delta[i]), 0};
    json_array_append_new(steps, json_pack("[I, I, s]", (json_int_t)walk->steps.at[i].edge,
                                           (json_int_t)walk->steps.at[i].cycle, signs));
  }
  json_object_set_new(json, "kind", json_string(CERT_KIND_UNBOUNDED));
  json_object_set_new(json, "walk", steps);
  return json;
}

json_t *cert_of_walk(const struct automaton *a, json_t *refuted, const struct walk *walk,
                     const int8_t *delta) {
  json_t *json = cert_of_automaton(a, refuted), *steps = json_array();
  for (size_t i = 0; i < walk->steps.len; i++) {
    char text[] = {sign(delta[i]), 0};
    json_array_append_new(steps, json_pack("[I, I, s]", (json_int_t)walk->steps.at[i].edge,
                                           (json_int_t)walk->steps.at[i].cycle, text));
  }
  json_object_set_new(json, "kind", json_string(CERT_KIND_WALK));
  json_object_set_new(json, "walk", steps);
  return json;
}

/* ---- programs ------------------------------------------------------------------------------- */

/* Adds a field; false if there is no value. */
static bool set(json_t *object, const char *name, json_t *value) {
  return value && json_object_set_new(object, name, value) == 0;
}

static json_t *pair_json(const struct rvalue *first, const struct rvalue *second) {
  json_t *a = value_to_json(first), *b = value_to_json(second);
  if (a && b) return json_pack("[o, o]", a, b);
  json_decref(a);
  json_decref(b);
  return NULL;
}

static bool is_exact(const struct pattern *p) {
  enum rvalue_kind kinds[] = {p->value.kind, p->low.kind, p->high.kind};
  for (size_t i = 0; i < 3; i++)
    if (kinds[i] != RVALUE_UNSET && kinds[i] != RVALUE_BOOL && kinds[i] != RVALUE_INT &&
        kinds[i] != RVALUE_RATIONAL)
      return false;
  for (size_t i = 0; i < p->count; i++)
    if (!is_exact(&p->items[i])) return false;
  return true;
}

static json_t *pattern_json(const struct pattern *p) {
  if (!is_exact(p)) return NULL;
  struct buffer b;
  buffer_init(&b);
  pattern_print(&b, p);
  json_t *json = json_string(buffer_text(&b));
  buffer_clear(&b);
  return json;
}

json_t *cert_of_program(const struct program_claim *claim,
                        const struct program_counterexample *ce) {
  const struct ast_routine *routine = claim->claim->as.claim.target->as.mechanism.routine;
  json_t *params = json_object(), *inputs = json_object(), *outputs = json_array();
  bool ok = true;
  for (size_t i = 0; i < ce->params.len; i++)
    ok =
        ok && set(params, ce->params.at[i].decl->name.text, value_to_json(&ce->params.at[i].value));
  for (size_t i = 0; i < ce->input_count; i++)
    ok = ok &&
         set(inputs, routine->args[i]->name.text, pair_json(&ce->inputs[0][i], &ce->inputs[1][i]));
  for (size_t i = 0; ok && i < ce->outputs.len; i++) {
    json_t *output = pattern_json(&ce->outputs.at[i]);
    ok = output && json_array_append_new(outputs, output) == 0;
  }
  json_t *json =
      json_pack("{s:s, s:s?, s:o, s:o, s:o}", "kind", CERT_KIND_PROGRAM, "instance",
                instance_text(ce), "parameters", params, "inputs", inputs, "outputs", outputs);
  if (ok) return json;
  json_decref(json);
  return NULL;
}

json_t *cert_of_proof(const char *epsilon, json_t *evidence) {
  json_t *json = json_pack("{s:s, s:s}", "kind", CERT_KIND_PROOF, "epsilon", epsilon);
  if (json && json_object_update(json, evidence) != 0) {
    json_decref(json);
    json = NULL;
  }
  json_decref(evidence);
  return json;
}

json_t *cert_of_finite(size_t pairs) {
  return json_pack("{s:s, s:I}", "kind", CERT_KIND_FINITE, "pairs", (json_int_t)pairs);
}

json_t *cert_of_lemma(json_t *evidence) {
  json_object_set_new(evidence, "kind", json_string(CERT_KIND_LEMMA));
  return evidence;
}

json_t *cert_of_false_lemma(json_t *evidence) {
  json_object_set_new(evidence, "kind", json_string(CERT_KIND_FALSE_LEMMA));
  return evidence;
}

bool cert_supports_claim(const json_t *certificate) {
  static const char *const kinds[] = {CERT_KIND_STRATEGY, CERT_KIND_PROOF, CERT_KIND_FINITE,
                                      CERT_KIND_LEMMA};
  const char *kind = json_string_value(json_object_get(certificate, "kind"));
  bool found = false;
  for (size_t i = 0; kind && i < sizeof kinds / sizeof *kinds; i++)
    found = found || strcmp(kind, kinds[i]) == 0;
  return found;
}

/* ---- the file ------------------------------------------------------------------------------- */

json_t *cert_about(json_t *certificate, const struct cert_claim *claim) {
  json_t *about = json_pack("{s:{s:I, s:s, s:s?, s:s?, s:s?}}", "claim", "number",
                            (json_int_t)claim->number, "name", claim->name, "subject",
                            claim->subject, "epsilon", claim->epsilon, "delta", claim->delta);
  if (about && claim->notion)
    json_object_set_new(json_object_get(about, "claim"), "notion", json_string(claim->notion));
  if (about) json_object_update(about, certificate);
  json_decref(certificate);
  return about;
}

/* Indented, with what fits on a line on one line. */
enum { LINE_WIDTH = 100 };

static void print_json(struct buffer *out, const json_t *json, size_t indent) {
  char line[LINE_WIDTH];
  size_t length = json_dumpb(json, line, sizeof line, JSON_ENCODE_ANY);
  const char *name;
  json_t *item;
  size_t i = 0;
  if (indent && length + indent <= sizeof line) {
    buffer_add(out, line, length);
  } else if (json_is_array(json)) {
    buffer_putc(out, '[');
    json_array_foreach(json, i, item) {
      buffer_puts(out, i ? ",\n" : "\n");
      buffer_fill(out, ' ', indent + 1);
      print_json(out, item, indent + 1);
    }
    buffer_putc(out, ']');
  } else if (json_is_object(json)) {
    buffer_putc(out, '{');
    json_object_foreach((json_t *)json, name, item) {
      buffer_puts(out, i++ ? ",\n" : "\n");
      buffer_fill(out, ' ', indent + 1);
      buffer_printf(out, "\"%s\": ", name); /* names of fields and identifiers: nothing to escape */
      print_json(out, item, indent + 1);
    }
    buffer_putc(out, '}');
  } else {
    char *text = json_dumps(json, JSON_ENCODE_ANY);
    buffer_puts(out, text);
    free(text);
  }
}

char *cert_file(const char *source_digest, json_t *certificates) {
  char seal[SHA256_HEX + 1];
  json_t *file = json_pack("{s:s, s:i, s:s, s:O}", "format", CERT_FORMAT, "version", CERT_VERSION,
                           "source", source_digest, "certificates", certificates);
  cert_seal(file, seal);
  json_object_set_new(file, "seal", json_string(seal));
  struct buffer text;
  buffer_init(&text);
  print_json(&text, file, 0);
  buffer_putc(&text, '\n');
  json_decref(file);
  return buffer_take(&text);
}

char *cert_file_take(struct file_record *file) {
  json_t *list = json_array();
  for (size_t i = 0; i < file->claims.len; i++) {
    struct claim_record *c = &file->claims.at[i];
    if (c->certificate) json_array_append_new(list, c->certificate);
    c->certificate = NULL;
  }
  char *text = file->source_digest ? cert_file(file->source_digest, list) : NULL;
  record_set(&file->source_digest, NULL);
  json_decref(list);
  return text;
}
