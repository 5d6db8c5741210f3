#include "report/record/record_json.h"

#include <stdlib.h>
#include <string.h>

#include "num/rational.h"
#include "report/record/decimal.h"

static json_t *text_or_null(const char *text) {
  if (!text) return json_null();
  json_t *s = json_string(text);
  if (s) return s;
  /* Not UTF-8 (a path or a line of a binary file): keep what is ASCII. */
  char *copy = xstrdup(text);
  for (char *p = copy; *p; p++)
    if ((unsigned char)*p >= 0x80) *p = '?';
  s = json_string(copy);
  free(copy);
  return s;
}

json_t *record_place_json(const struct record_place *p) {
  if (!p->line) return json_null();
  return json_pack("{s:o, s:i, s:i, s:i, s:i}", "file", text_or_null(p->path), "line", (int)p->line,
                   "column", (int)p->column, "end_line", (int)p->end_line, "end_column",
                   (int)p->end_column);
}

static json_t *diag_to_json(const struct record_diag *d) {
  json_t *notes = json_array();
  for (size_t i = 0; i < d->notes.len; i++)
    json_array_append_new(notes,
                          json_pack("{s:o, s:o}", "message", text_or_null(d->notes.at[i].message),
                                    "location", record_place_json(&d->notes.at[i].place)));
  return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "severity", severity_name(d->severity),
                   "code", text_or_null(d->code), "message", text_or_null(d->message), "hint",
                   text_or_null(d->hint), "location", record_place_json(&d->place), "text",
                   text_or_null(d->text), "notes", notes);
}

static json_t *cost_number(const char *cost) {
  fmpq_t value;
  fmpq_init(value);
  bool is_number = cost && rational_parse_str(value, cost, NULL);
  json_t *json = is_number ? json_real(rational_double(value)) : NULL;
  fmpq_clear(value);
  return json ? json : json_null();
}

/* The cost where it is a number and not a term, and what `lower_text` says. */
static void put_numbers(json_t *json, const struct claim_record *c) {
  double lower;
  const char *unit = claim_lower_number(c, &lower);
  json_object_set_new(json, "lower", unit ? json_real(lower) : json_null());
  json_object_set_new(json, "lower_unit", text_or_null(unit));
  json_object_set_new(json, "unbounded", json_boolean(claim_loses_without_bound(c)));
  json_object_set_new(json, "cost_number", cost_number(c->cost));
}

json_t *claim_record_to_json(const struct claim_record *c) {
  json_t *json = json_pack(
      "{s:o, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:f, s:o, s:o, s:O?, s:O?}", "name",
      text_or_null(c->name), "kind", claim_kind_name(c->kind), "subject", text_or_null(c->subject),
      "verdict", verdict_name(c->verdict), "epsilon", text_or_null(c->epsilon), "delta",
      text_or_null(c->delta), "cost", text_or_null(c->cost), "lower_text", text_or_null(c->lower),
      "reason", text_or_null(c->reason), "time_s", c->time_s, "location",
      record_place_json(&c->place), "subject_location", record_place_json(&c->subject_place),
      "counterexample", c->counterexample, "detail", c->detail);
  put_numbers(json, c);
  if (c->notion) json_object_set_new(json, "notion", text_or_null(c->notion));
  if (c->formula) json_object_set_new(json, "formula", text_or_null(c->formula));
  if (c->certificate) json_object_set(json, "certificate", c->certificate);
  return json;
}

/* The first error, as the contract's "error" with its location. */
static json_t *error_of(const struct file_record *file) {
  if (file->internal_error)
    return json_pack("{s:s, s:o, s:n}", "code", "internal", "message",
                     text_or_null(file->internal_error), "location");
  if (file->stopped)
    return json_pack("{s:s, s:o, s:n}", "code", "stopped", "message", text_or_null(file->stopped),
                     "location");
  for (size_t i = 0; i < file->diags.len; i++)
    if (file->diags.at[i].severity == SEVERITY_ERROR)
      return json_pack("{s:o, s:o, s:o}", "code", text_or_null(file->diags.at[i].code), "message",
                       text_or_null(file->diags.at[i].message), "location",
                       record_place_json(&file->diags.at[i].place));
  return NULL;
}

json_t *file_record_to_json(const struct file_record *file) {
  json_t *claims = json_array(), *diags = json_array();
  for (size_t i = 0; i < file->claims.len; i++)
    json_array_append_new(claims, claim_record_to_json(&file->claims.at[i]));
  for (size_t i = 0; i < file->diags.len; i++)
    json_array_append_new(diags, diag_to_json(&file->diags.at[i]));
  json_t *json = json_pack("{s:o, s:o, s:o}", "file", text_or_null(file->path), "claims", claims,
                           "diagnostics", diags);
  json_t *error = error_of(file);
  if (error) json_object_set_new(json, "error", error);
  if (file->translated) json_object_set_new(json, "arithmetic", json_string("real"));
  if (file->cached) json_object_set_new(json, "cached", json_true());
  if (file->source_digest)
    json_object_set_new(json, "source_digest", json_string(file->source_digest));
  if (file->emitted) json_object_set_new(json, "emitted", text_or_null(file->emitted));
  if (file->sources) json_object_set(json, "sources", file->sources);
  if (file->basis) json_object_set(json, "basis", file->basis);
  if (file->dropped_errors)
    json_object_set_new(json, "errors_not_shown", json_integer((json_int_t)file->dropped_errors));
  if (file->dropped_warnings)
    json_object_set_new(json, "warnings_not_shown",
                        json_integer((json_int_t)file->dropped_warnings));
  return json;
}

json_t *run_record_to_json(const struct run_record *run) {
  json_t *files = json_array();
  for (size_t i = 0; i < run->files.len; i++)
    json_array_append_new(files, file_record_to_json(run->files.at[i]));
  json_t *json = json_pack("{s:i, s:o}", "version", JSON_VERSION, "files", files);
  if (run->tools) json_object_set(json, "tools", run->tools);
  if (run->shard.number) json_object_set_new(json, "shard", shard_to_json(&run->shard));
  return json;
}

/* ---- reading back --------------------------------------------------------------------------- */

static char *get_text(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? xstrdup(text) : NULL;
}

static unsigned get_count(const json_t *object, const char *key) {
  json_int_t n = json_integer_value(json_object_get(object, key));
  return n > 0 ? (unsigned)n : 0;
}

static struct record_place place_from_json(const json_t *json) {
  return (struct record_place){get_text(json, "file"), get_count(json, "line"),
                               get_count(json, "column"), get_count(json, "end_line"),
                               get_count(json, "end_column")};
}

/* Index of the name in the enumeration 0..count-1, or 0: the value that claims least. */
static int enum_from_name(const json_t *object, const char *key, int count,
                          const char *(*name)(int)) {
  const char *text = json_string_value(json_object_get(object, key));
  for (int i = 0; text && i < count; i++)
    if (strcmp(name(i), text) == 0) return i;
  return 0;
}

static const char *verdict_at(int i) {
  return verdict_name((enum verdict)i);
}
static const char *kind_at(int i) {
  return claim_kind_name((enum claim_kind)i);
}
static const char *severity_at(int i) {
  return severity_name((enum severity)i);
}

static json_t *get_copy(const json_t *object, const char *key) {
  json_t *value = json_object_get(object, key);
  return value && !json_is_null(value) ? json_deep_copy(value) : NULL;
}

struct claim_record claim_record_from_json(const json_t *json) {
  return (struct claim_record){
      .name = get_text(json, "name"),
      .kind = (enum claim_kind)enum_from_name(json, "kind", 3, kind_at),
      .subject = get_text(json, "subject"),
      .verdict = (enum verdict)enum_from_name(json, "verdict", 4, verdict_at),
      .notion = get_text(json, "notion"),
      .formula = get_text(json, "formula"),
      .epsilon = get_text(json, "epsilon"),
      .delta = get_text(json, "delta"),
      .cost = get_text(json, "cost"),
      .lower = get_text(json, "lower_text"),
      .reason = get_text(json, "reason"),
      .time_s = json_number_value(json_object_get(json, "time_s")),
      .place = place_from_json(json_object_get(json, "location")),
      .subject_place = place_from_json(json_object_get(json, "subject_location")),
      .counterexample = get_copy(json, "counterexample"),
      .detail = get_copy(json, "detail"),
      .certificate = get_copy(json, "certificate")};
}

static struct record_diag diag_from_json(const json_t *json) {
  struct record_diag d = {.severity =
                              (enum severity)enum_from_name(json, "severity", 3, severity_at),
                          .code = get_text(json, "code"),
                          .message = get_text(json, "message"),
                          .hint = get_text(json, "hint"),
                          .place = place_from_json(json_object_get(json, "location")),
                          .text = get_text(json, "text")};
  size_t i;
  json_t *note;
  json_array_foreach(json_object_get(json, "notes"), i, note) {
    vec_push(&d.notes, (struct record_note){place_from_json(json_object_get(note, "location")),
                                            get_text(note, "message")});
  }
  return d;
}

struct file_record *file_record_from_json(const json_t *json) {
  const char *path = json_string_value(json_object_get(json, "file"));
  if (!path || !json_is_array(json_object_get(json, "claims"))) return NULL;
  struct file_record *file = file_record_new(path);
  size_t i;
  json_t *item;
  json_array_foreach(json_object_get(json, "claims"), i, item) {
    vec_push(&file->claims, claim_record_from_json(item));
  }
  json_array_foreach(json_object_get(json, "diagnostics"), i, item) {
    vec_push(&file->diags, diag_from_json(item));
    file->bad_input |= vec_last(&file->diags).severity == SEVERITY_ERROR;
  }
  json_t *error = json_object_get(json, "error");
  const char *code = json_string_value(json_object_get(error, "code"));
  if (code && strcmp(code, "internal") == 0) file->internal_error = get_text(error, "message");
  if (code && strcmp(code, "stopped") == 0) file->stopped = get_text(error, "message");
  file->dropped_errors = get_count(json, "errors_not_shown");
  file->dropped_warnings = get_count(json, "warnings_not_shown");
  file->translated = json_object_get(json, "arithmetic") != NULL;
  file->cached = json_is_true(json_object_get(json, "cached"));
  file->source_digest = get_text(json, "source_digest");
  file->emitted = get_text(json, "emitted");
  file->sources = get_copy(json, "sources");
  file->basis = get_copy(json, "basis");
  return file;
}
