#include "report/render/sarif.h"

#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "couplet.h"
#include "report/record/record_json.h"
#include "report/render/assets.h"
#include "report/render/bound.h"
#include "report/render/record_text.h"

/* ---- rules ----------------------------------------------------------------------------------- */

struct rule_text {
  const char *id, *name, *brief, *help, *level;
};

static const struct rule_text verdict_rules[] = {
    {"claim-refuted", "ClaimRefuted", "A privacy claim is false",
     "The message shows parameters, two adjacent inputs and a set of outputs whose probabilities, "
     "certified in ball arithmetic, differ by more than the claim allows. Add noise, spend the "
     "budget differently, or claim less.",
     "error"},
    {"claim-unknown", "ClaimUnknown", "A privacy claim is neither proved nor refuted",
     "No proof was accepted and no counterexample was found within the limits; nothing is known "
     "about the claim. Give a proof (docs/proofs.md), more time (--timeout, --search), or an "
     "instance for what is abstract.",
     "warning"},
    {"claim-admitted", "ClaimAdmitted", "A privacy claim is admitted without proof",
     "The proof uses `admit`: nothing is guaranteed; replace it by a proof (docs/proofs.md). Or, "
     "with "
     "--trust-solver, some obligation rests on the word of the solver alone: the message says so.",
     "warning"},
    {"run-stopped", "RunStopped", "A file was not judged",
     "A limit ended the work before the claims were known, or Couplet itself failed.", "error"},
};

/* "UnusedVariable" for unused-variable. */
static json_t *rule_name(const char *code) {
  struct buffer b;
  buffer_init(&b);
  bool upper = true;
  for (; *code; code++) {
    if (*code != '-')
      buffer_putc(&b, upper && *code >= 'a' && *code <= 'z' ? (char)(*code - 32) : *code);
    upper = *code == '-';
  }
  json_t *json = json_string(buffer_text(&b));
  buffer_clear(&b);
  return json;
}

/* The meaning of a code in the tables of docs/checks.md; xmalloc'd. */
static char *meaning_of(const char *code) {
  char *head = xasprintf("\n| `%s` | ", code);
  const char *row = strstr(checks_page, head);
  char *text = NULL;
  if (row) {
    row += strlen(head);
    size_t length = strcspn(row, "\n");
    while (length && strchr(" |", row[length - 1]))
      length--;
    text = xasprintf("%.*s", (int)length, row);
  }
  free(head);
  return text ? text : xasprintf("see docs/checks.md");
}

static json_t *rule_json(const char *id, json_t *name, const char *brief, const char *help,
                         const char *level) {
  return json_pack("{s:s, s:o, s:{s:s}, s:{s:s}, s:{s:s, s:s}, s:{s:s}}", "id", id, "name", name,
                   "shortDescription", "text", brief, "fullDescription", "text", help, "help",
                   "text", help, "markdown", help, "defaultConfiguration", "level", level);
}

/* ---- one run --------------------------------------------------------------------------------- */

struct sarif {
  json_t *rules, *artifacts, *results, *notifications, *claims;
};

/* Index of the rule, added when it is new. */
static int rule_of(struct sarif *s, const char *id, const char *level) {
  size_t i;
  json_t *rule;
  json_array_foreach(s->rules, i, rule) {
    if (strcmp(json_string_value(json_object_get(rule, "id")), id) == 0) return (int)i;
  }
  for (size_t k = 0; k < sizeof verdict_rules / sizeof *verdict_rules; k++)
    if (strcmp(verdict_rules[k].id, id) == 0) {
      const struct rule_text *r = &verdict_rules[k];
      json_array_append_new(s->rules,
                            rule_json(id, json_string(r->name), r->brief, r->help, r->level));
      return (int)json_array_size(s->rules) - 1;
    }
  char *meaning = meaning_of(id);
  json_array_append_new(s->rules, rule_json(id, rule_name(id), meaning, meaning, level));
  free(meaning);
  return (int)json_array_size(s->rules) - 1;
}

/* A path as a URI reference. */
static json_t *uri_of(const char *path) {
  struct buffer b;
  buffer_init(&b);
  if (*path == '/') buffer_puts(&b, "file://");
  for (const unsigned char *p = (const unsigned char *)path; *p; p++) {
    bool plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') ||
                 strchr("-._~/", *p);
    if (plain)
      buffer_putc(&b, (char)*p);
    else
      buffer_printf(&b, "%%%02X", *p);
  }
  json_t *json = json_string(buffer_text(&b));
  buffer_clear(&b);
  return json;
}

/* {"uri", "index"}: the artifact is listed once. */
static json_t *artifact_of(struct sarif *s, const char *path) {
  json_t *uri = uri_of(path), *artifact;
  size_t i;
  json_array_foreach(s->artifacts, i, artifact) {
    if (json_equal(json_object_get(json_object_get(artifact, "location"), "uri"), uri)) break;
  }
  if (i == json_array_size(s->artifacts))
    json_array_append_new(s->artifacts, json_pack("{s:{s:O}}", "location", "uri", uri));
  return json_pack("{s:o, s:i}", "uri", uri, "index", (int)i);
}

/* A place; without one the file. The end of a region is exclusive, as ours is. */
static json_t *location_json(struct sarif *s, const struct record_place *place, const char *path) {
  json_t *physical =
      json_pack("{s:o}", "artifactLocation", artifact_of(s, place->path ? place->path : path));
  if (place->line)
    json_object_set_new(physical, "region",
                        json_pack("{s:i, s:i, s:i, s:i}", "startLine", (int)place->line,
                                  "startColumn", (int)place->column, "endLine",
                                  (int)place->end_line, "endColumn", (int)place->end_column));
  return json_pack("{s:o}", "physicalLocation", physical);
}

/* The same finding in the next run, wherever its line has moved. */
static json_t *fingerprint(const char *const *parts, size_t count) {
  char hex[SHA256_HEX + 1];
  struct sha256 h;
  sha256_init(&h);
  for (size_t i = 0; i < count; i++)
    sha256_add_text(&h, parts[i] ? parts[i] : "");
  sha256_hex(&h, hex);
  return json_pack("{s:s}", "couplet/v1", hex);
}

static json_t *text_json(const char *text) {
  json_t *json = json_string(text);
  return json ? json : json_string("(not UTF-8)");
}

static void add_result(struct sarif *s, const char *rule, const char *level, json_t *message,
                       json_t *location, json_t *prints, json_t *related, json_t *properties) {
  int index = rule_of(s, rule, level);
  json_t *result =
      json_pack("{s:s, s:i, s:s, s:{s:o}, s:[o], s:o, s:o}", "ruleId", rule, "ruleIndex", index,
                "level", level, "message", "text", message, "locations", location,
                "partialFingerprints", prints, "properties", properties);
  if (json_array_size(related)) json_object_set(result, "relatedLocations", related);
  json_decref(related);
  json_array_append_new(s->results, result);
}

/* ---- claims ---------------------------------------------------------------------------------- */

static void put_paragraph(struct buffer *out, const char *text) {
  if (text) buffer_printf(out, "\n%s", text);
}

/* "svt: eps-private is refuted, loses at least 2.1 times the claim", and below what shows it. */
static json_t *claim_message(const struct claim_record *c) {
  struct buffer b;
  buffer_init(&b);
  buffer_printf(&b, "%s: ", c->name);
  claim_record_what(&b, c);
  buffer_printf(&b, " is %s", verdict_name(c->verdict));
  claim_costs_words(&b, c);
  put_paragraph(&b, c->reason);
  put_paragraph(&b, json_string_value(json_object_get(json_object_get(c->detail, "walk"), "text")));
  put_paragraph(&b,
                json_string_value(json_object_get(json_object_get(c->detail, "finite"), "text")));
  put_paragraph(&b, json_string_value(json_object_get(c->counterexample, "text")));
  json_t *json = text_json(buffer_text(&b));
  buffer_clear(&b);
  return json;
}

/* What the record says about the claim, but for evidence and pictures. */
static json_t *claim_properties(const struct file_record *file, const struct claim_record *c) {
  json_t *json = claim_record_to_json(c);
  json_object_del(json, "detail");
  json_object_del(json, "certificate");
  json_object_set_new(json, "file", text_json(file->path));
  if (file->translated) json_object_set_new(json, "arithmetic", json_string(ARITHMETIC_NOTE));
  return json;
}

static void add_claim(struct sarif *s, const struct file_record *file,
                      const struct claim_record *c) {
  static const char *const rules[] = {[VERDICT_UNKNOWN] = "claim-unknown",
                                      [VERDICT_PROVED] = NULL,
                                      [VERDICT_REFUTED] = "claim-refuted",
                                      [VERDICT_ADMITTED] = "claim-admitted"};
  json_t *properties = claim_properties(file, c), *related = json_array();
  json_array_append(s->claims, properties);
  const char *rule = rules[c->verdict];
  if (!rule) {
    json_decref(properties);
    json_decref(related);
    return;
  }
  if (c->subject_place.line) {
    json_t *subject = location_json(s, &c->subject_place, file->path);
    json_object_set_new(subject, "id", json_integer(1));
    json_object_set_new(subject, "message", json_pack("{s:s}", "text", "what the claim is about"));
    json_array_append_new(related, subject);
  }
  const char *const parts[] = {rule,      file->path, c->name, c->subject,
                               c->notion, c->epsilon, c->delta};
  add_result(s, rule, c->verdict == VERDICT_REFUTED ? "error" : "warning", claim_message(c),
             location_json(s, &c->place, file->path), fingerprint(parts, 6), related, properties);
}

/* ---- diagnostics ----------------------------------------------------------------------------- */

static const char *level_of(enum severity severity) {
  switch (severity) {
  case SEVERITY_ERROR: return "error";
  case SEVERITY_WARNING: return "warning";
  default: return "note";
  }
}

static void add_diag(struct sarif *s, const struct file_record *file, const struct record_diag *d) {
  json_t *related = json_array();
  for (size_t i = 0; i < d->notes.len; i++) {
    json_t *note = location_json(s, &d->notes.at[i].place, file->path);
    json_object_set_new(note, "id", json_integer((json_int_t)i + 1));
    json_object_set_new(note, "message",
                        json_pack("{s:o}", "text", text_json(d->notes.at[i].message)));
    json_array_append_new(related, note);
  }
  char *message = d->hint ? xasprintf("%s\n%s", d->message, d->hint) : xstrdup(d->message);
  json_t *properties =
      json_pack("{s:s, s:o}", "severity", severity_name(d->severity), "text", text_json(d->text));
  if (d->hint) json_object_set_new(properties, "hint", text_json(d->hint));
  const char *const parts[] = {d->code, file->path, d->message};
  add_result(s, d->code, level_of(d->severity), text_json(message),
             location_json(s, &d->place, file->path), fingerprint(parts, 3), related, properties);
  free(message);
}

static void add_notification(struct sarif *s, const struct file_record *file, const char *message) {
  if (!message) return;
  json_array_append_new(s->notifications,
                        json_pack("{s:s, s:{s:o}, s:[o], s:{s:s, s:i}}", "level", "error",
                                  "message", "text", text_json(message), "locations",
                                  location_json(s, &(struct record_place){0}, file->path),
                                  "associatedRule", "id", "run-stopped", "index",
                                  rule_of(s, "run-stopped", "error")));
}

/* ---- the log --------------------------------------------------------------------------------- */

json_t *run_record_to_sarif(const struct run_record *run) {
  struct sarif s = {json_array(), json_array(), json_array(), json_array(), json_array()};
  bool ran = true;
  for (size_t f = 0; f < run->files.len; f++) {
    const struct file_record *file = run->files.at[f];
    for (size_t i = 0; i < file->diags.len; i++)
      add_diag(&s, file, &file->diags.at[i]);
    for (size_t i = 0; i < file->claims.len; i++)
      add_claim(&s, file, &file->claims.at[i]);
    add_notification(&s, file, file->stopped);
    add_notification(&s, file, file->internal_error);
    ran = ran && !file->internal_error && !file->stopped;
  }
  json_t *properties = json_pack("{s:o}", "claims", s.claims);
  if (run->tools) json_object_set(properties, "tools", run->tools);
  json_t *driver = json_pack("{s:s, s:s, s:s, s:o}", "name", "Couplet", "version", cp_version(),
                             "semanticVersion", cp_version(), "rules", s.rules);
  json_t *invocation =
      json_pack("{s:b, s:i, s:o}", "executionSuccessful", ran, "exitCode",
                (int)run_record_exit(run), "toolExecutionNotifications", s.notifications);
  json_t *log = json_pack("{s:{s:o}, s:[o], s:o, s:o, s:s, s:o}", "tool", "driver", driver,
                          "invocations", invocation, "artifacts", s.artifacts, "results", s.results,
                          "columnKind", "unicodeCodePoints", "properties", properties);
  return json_pack("{s:s, s:s, s:[o]}", "$schema", "https://json.schemastore.org/sarif-2.1.0.json",
                   "version", "2.1.0", "runs", log);
}
