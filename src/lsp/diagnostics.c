/* Diagnostics: mistakes in the text as it is typed, and the verdicts on its claims. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "lsp/features.h"
#include "report/render/record_text.h"

enum { LSP_ERROR = 1, LSP_WARNING = 2, LSP_INFORMATION = 3 };

static int lsp_severity(enum severity severity) {
  return severity == SEVERITY_ERROR     ? LSP_ERROR
         : severity == SEVERITY_WARNING ? LSP_WARNING
                                        : LSP_INFORMATION;
}

static json_t *related(json_t *location, const char *message, size_t length) {
  return json_pack("{s:o, s:o}", "location", location, "message", text_to_json(message, length));
}

static json_t *diagnostic(json_t *range, int severity, const char *code, const char *message,
                          json_t *more) {
  json_t *json =
      json_pack("{s:o, s:i, s:s, s:s, s:o}", "range", range, "severity", severity, "source",
                "couplet", "code", code, "message", text_to_json(message, strlen(message)));
  if (json_array_size(more)) json_object_set(json, "relatedInformation", more);
  json_decref(more);
  return json;
}

/* ---- mistakes -------------------------------------------------------------------------------- */

/* Number of the file that an include of the document reads; 0 if it was not read. */
static uint32_t included_file(const struct analysis *a, const char *written) {
  const char *own = analysis_path(a, a->file), *slash = strrchr(own, '/');
  char *path = written[0] == '/' || !slash
                   ? xstrdup(written)
                   : xasprintf("%.*s%s", (int)(slash - own + 1), own, written);
  char *wanted = file_identity(path);
  uint32_t found = 0;
  for (uint32_t f = 1; f < analysis_file_count(a) && !found; f++) {
    char *identity = file_identity(analysis_path(a, f));
    if (strcmp(identity, wanted) == 0) found = f;
    free(identity);
  }
  free(wanted);
  free(path);
  return found;
}

/* Where the document includes the file, itself or by way of others: files are numbered in the order
 * in which they are read, so it is the last include with a number up to the file's. */
static struct span place_of_include(const struct analysis *a, uint32_t file) {
  struct span place = {a->file, 0, 0};
  for (size_t i = 0; a->unit && i < a->unit->count; i++) {
    const struct ast_decl *d = a->unit->decls[i];
    if (d->kind != DECL_INCLUDE) continue;
    uint32_t read = included_file(a, d->as.include.path);
    if (read && read <= file) place = d->as.include.span;
  }
  return place;
}

static json_t *of_diag(const struct session *s, const struct analysis *a, const struct diag *d) {
  struct buffer message;
  buffer_init(&message);
  json_t *more = json_array();
  struct span span = d->span;
  if (span.file && span.file != a->file) {
    buffer_printf(&message, "in `%s`: ", analysis_path(a, span.file));
    json_array_append_new(more, related(span_location(s, a, span), d->message, strlen(d->message)));
    span = place_of_include(a, span.file);
  }
  buffer_puts(&message, d->message);
  if (d->hint) buffer_printf(&message, "\n%s", d->hint);
  for (size_t i = 0; i < d->notes.len; i++) {
    const struct diag_note *n = &d->notes.at[i];
    if (n->span.file)
      json_array_append_new(more,
                            related(span_location(s, a, n->span), n->message, strlen(n->message)));
    else
      buffer_printf(&message, "\n%s", n->message);
  }
  json_t *json = diagnostic(span_range(s, a, span), lsp_severity(d->severity), d->code,
                            buffer_text(&message), more);
  buffer_clear(&message);
  return json;
}

/* A diagnostic that verification found (a proof that was not read before, say). */
static json_t *of_record(const struct session *s, const struct analysis *a,
                         const struct record_diag *d) {
  const struct line_index *lines = &a->indexes[a->file];
  struct buffer message;
  buffer_init(&message);
  buffer_puts(&message, d->message);
  if (d->hint) buffer_printf(&message, "\n%s", d->hint);
  for (size_t i = 0; i < d->notes.len; i++)
    buffer_printf(&message, "\n%s", d->notes.at[i].message);
  size_t begin = offset_of_place(lines, d->place.line, d->place.column);
  size_t end = offset_of_place(lines, d->place.end_line, d->place.end_column);
  json_t *json = diagnostic(range_to_json(lines, s->encoding, begin, end > begin ? end : begin),
                            lsp_severity(d->severity), d->code, buffer_text(&message), NULL);
  buffer_clear(&message);
  return json;
}

static bool is_known(const struct analysis *a, const struct record_diag *d) {
  for (size_t i = 0; i < a->lang.diags.list.len; i++) {
    const struct diag *own = &a->lang.diags.list.at[i];
    if (strcmp(own->code, d->code) == 0 && strcmp(own->message, d->message) == 0) return true;
  }
  return false;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* The head of the claim: its first line. */
static struct span claim_head(const struct analysis *a, size_t index) {
  struct span span = analysis_claim_span(a, index);
  if (index >= a->claims.len) return span; /* not of our language: one line anyway */
  size_t end = offset_of_line_end(&a->indexes[a->file], span.begin);
  if (end < span.end) span.end = (uint32_t)end;
  return span;
}

/* The counterexample, line by line, at the mechanism it is about. */
static json_t *counterexample(const struct session *s, const struct analysis *a, size_t index,
                              const struct claim_record *c) {
  json_t *more = json_array();
  const char *text = json_string_value(json_object_get(c->counterexample, "text"));
  const struct ast_decl *claim = index < a->claims.len ? a->claims.at[index] : NULL;
  struct span place = claim_head(a, index);
  if (claim && claim->kind == DECL_CLAIM && claim->as.claim.target)
    place = claim->as.claim.target->name.span;
  for (const char *line = text; line && *line;) {
    size_t length = strcspn(line, "\n");
    if (length) json_array_append_new(more, related(span_location(s, a, place), line, length));
    line += length + (line[length] == '\n');
  }
  return more;
}

static json_t *of_verdict(const struct session *s, const struct analysis *a, size_t index,
                          const struct claim_record *c) {
  if (c->verdict == VERDICT_PROVED || claim_record_is_undecided(c)) return NULL;
  struct buffer message;
  buffer_init(&message);
  buffer_printf(&message, "%s: %s is ", verdict_name(c->verdict),
                c->subject ? c->subject : c->name);
  if (c->verdict == VERDICT_REFUTED) buffer_puts(&message, "not ");
  claim_record_what(&message, c);
  if (c->verdict == VERDICT_UNKNOWN) buffer_puts(&message, "?");
  if (c->reason) buffer_printf(&message, "\n%s", c->reason);
  json_t *more = c->verdict == VERDICT_REFUTED ? counterexample(s, a, index, c) : NULL;
  json_t *json = diagnostic(span_range(s, a, claim_head(a, index)),
                            c->verdict == VERDICT_REFUTED ? LSP_ERROR : LSP_WARNING,
                            verdict_name(c->verdict), buffer_text(&message), more);
  buffer_clear(&message);
  return json;
}

/* ---- publishing ------------------------------------------------------------------------------ */

static void send(struct session *s, const char *uri, json_t *version, json_t *list) {
  json_t *params =
      json_pack("{s:o, s:o}", "uri", text_to_json(uri, strlen(uri)), "diagnostics", list);
  if (version) json_object_set_new(params, "version", version);
  session_notify(s, "textDocument/publishDiagnostics", params);
}

json_t *document_diagnostics(struct session *s, struct document *d) {
  const struct analysis *a = session_analysis(s, d);
  const struct file_record *record = session_record(s, d);
  json_t *list = json_array();
  for (size_t i = 0; i < a->lang.diags.list.len; i++)
    json_array_append_new(list, of_diag(s, a, &a->lang.diags.list.at[i]));
  for (size_t i = 0; record && a->file && i < record->diags.len; i++)
    if (!is_known(a, &record->diags.at[i]))
      json_array_append_new(list, of_record(s, a, &record->diags.at[i]));
  for (size_t i = 0; record && a->file && i < record->claims.len; i++) {
    json_t *verdict = of_verdict(s, a, i, &record->claims.at[i]);
    if (verdict) json_array_append_new(list, verdict);
  }
  return list;
}

void publish_diagnostics(struct session *s, struct document *d) {
  d->needs_publish = false;
  send(s, d->uri, json_integer(d->version), document_diagnostics(s, d));
}

void retract_diagnostics(struct session *s, const char *uri) {
  send(s, uri, NULL, json_array());
}
