#include "lsp/session.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "lsp/jobs.h"
#include "lsp/uri.h"

void session_init(struct session *s) {
  *s = (struct session){.encoding = ENCODING_UTF16,
                        .worker = {.verify = verify_default_options()},
                        .can_verify = true,
                        .coupling_hints = true,
                        .next_request = 1};
  buffer_init(&s->output);
}

static void document_free(struct document *d) {
  free(d->uri);
  free(d->path);
  free(d->identity);
  free(d->text);
  line_index_clear(&d->lines);
  analysis_free(d->analysis);
  file_record_free(d->record);
  free(d);
}

void session_clear(struct session *s) {
  jobs_clear(s);
  for (size_t i = 0; i < s->documents.len; i++)
    document_free(s->documents.at[i]);
  vec_clear(&s->documents);
  buffer_clear(&s->output);
}

/* ---- messages -------------------------------------------------------------------------------- */

static void send_message(struct session *s, json_t *message) {
  char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
  json_decref(message);
  if (!text) return;
  buffer_printf(&s->output, "Content-Length: %zu\r\n\r\n", strlen(text));
  buffer_puts(&s->output, text);
  free(text);
  if (s->send) s->send(s);
}

void session_respond(struct session *s, json_t *id, json_t *result) {
  send_message(s, json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result",
                            result ? result : json_null()));
}

void session_fail(struct session *s, json_t *id, enum rpc_code code, const char *message) {
  send_message(s, json_pack("{s:s, s:O?, s:{s:i, s:o}}", "jsonrpc", "2.0", "id", id, "error",
                            "code", (int)code, "message", text_to_json(message, strlen(message))));
}

void session_notify(struct session *s, const char *method, json_t *params) {
  send_message(s, json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params",
                            params ? params : json_object()));
}

void session_request(struct session *s, const char *method, json_t *params) {
  send_message(s, json_pack("{s:s, s:I, s:s, s:o}", "jsonrpc", "2.0", "id", s->next_request++,
                            "method", method, "params", params ? params : json_null()));
}

json_t *rpc_fail(struct rpc_error *error, enum rpc_code code, const char *format, ...) {
  if (error->code) return NULL;
  struct buffer b;
  va_list args;
  buffer_init(&b);
  va_start(args, format);
  buffer_vprintf(&b, format, args);
  va_end(args);
  error->code = code;
  error->message = b.len ? buffer_take(&b) : xstrdup("");
  return NULL;
}

json_t *text_to_json(const char *text, size_t length) {
  json_t *json = json_stringn(text, length);
  if (json) return json;
  char *copy = xmalloc(length + 1); /* not UTF-8: keep what is ASCII */
  for (size_t i = 0; i < length; i++)
    copy[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
  json = json_stringn(copy, length);
  free(copy);
  return json;
}

/* ---- documents ------------------------------------------------------------------------------- */

struct document *session_document(const struct session *s, const char *uri) {
  for (size_t i = 0; i < s->documents.len; i++)
    if (strcmp(s->documents.at[i]->uri, uri) == 0) return s->documents.at[i];
  return NULL;
}

struct document *session_open(struct session *s, const char *uri, json_int_t version,
                              const char *text, size_t length) {
  struct document *d = session_document(s, uri);
  if (!d) {
    d = xcalloc(1, sizeof *d);
    d->uri = xstrdup(uri);
    d->path = uri_to_path(uri);
    d->identity = file_identity(d->path);
    vec_push(&s->documents, d);
  }
  d->version = version;
  document_edit(d, 0, d->length, text, length);
  return d;
}

void session_close(struct session *s, struct document *d) {
  for (size_t i = 0; i < s->documents.len; i++) {
    if (s->documents.at[i] != d) continue;
    s->documents.at[i] = s->documents.at[--s->documents.len];
    break;
  }
  session_changed(s, d); /* for those who include it the file on disk counts again */
  document_free(d);
}

void document_edit(struct document *d, size_t begin, size_t end, const char *text, size_t length) {
  size_t rest = d->length - end;
  char *edited = xmalloc(begin + length + rest + 1);
  if (begin) memcpy(edited, d->text, begin);
  if (length) memcpy(edited + begin, text, length);
  if (rest) memcpy(edited + begin + length, d->text + end, rest);
  edited[begin + length + rest] = '\0';
  free(d->text);
  d->text = edited;
  d->length = begin + length + rest;
  line_index_clear(&d->lines);
  line_index_init(&d->lines, d->text, d->length);
}

static void outdate(struct document *d) {
  analysis_free(d->analysis);
  d->analysis = NULL;
  d->needs_publish = true;
}

void session_changed(struct session *s, const struct document *changed) {
  for (size_t i = 0; i < s->documents.len; i++) {
    struct document *d = s->documents.at[i];
    if (d == changed || !d->analysis || analysis_reads(d->analysis, changed->identity)) outdate(d);
  }
}

void session_files_changed(struct session *s) {
  for (size_t i = 0; i < s->documents.len; i++)
    outdate(s->documents.at[i]);
}

/* Reading a device or a pipe could take for ever; this text takes its place and is an error. */
static const char *instead_of_device(const char *path, size_t *length) {
  static const char text[] = "not a regular file";
  struct stat st;
  if (stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) return NULL;
  *length = sizeof text - 1;
  return text;
}

const char *session_overlay(void *context, const char *path, size_t *length) {
  const struct session *s = context;
  char *identity = file_identity(path);
  const struct document *found = NULL;
  for (size_t i = 0; i < s->documents.len && !found; i++)
    if (strcmp(s->documents.at[i]->identity, identity) == 0) found = s->documents.at[i];
  free(identity);
  if (!found) return instead_of_device(path, length);
  *length = found->length;
  return found->text;
}

const struct analysis *session_analysis(struct session *s, struct document *d) {
  if (!d->analysis) d->analysis = analysis_new(d->path, session_overlay, s);
  return d->analysis;
}

const struct file_record *session_record(struct session *s, struct document *d) {
  if (!d->record || !d->record->source_digest) return NULL;
  const struct analysis *a = session_analysis(s, d);
  return strcmp(d->record->source_digest, a->digest) == 0 ? d->record : NULL;
}

/* ---- parameters ------------------------------------------------------------------------------ */

struct document *param_document(struct session *s, const json_t *params, struct rpc_error *error) {
  const char *uri =
      json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
  if (!uri) {
    rpc_fail(error, RPC_INVALID_PARAMS, "params.textDocument.uri must be a string");
    return NULL;
  }
  struct document *d = session_document(s, uri);
  if (!d) rpc_fail(error, RPC_INVALID_PARAMS, "the document %s is not open", uri);
  return d;
}

struct document *param_place(struct session *s, const json_t *params, uint32_t *offset,
                             struct rpc_error *error) {
  struct document *d = param_document(s, params, error);
  struct position p;
  if (!d) return NULL;
  if (!position_from_json(json_object_get(params, "position"), &p)) {
    rpc_fail(error, RPC_INVALID_PARAMS,
             "params.position must have a line and a character, integers from 0");
    return NULL;
  }
  *offset = (uint32_t)position_to_offset(&d->lines, s->encoding, p);
  return d;
}

bool param_range(const struct session *s, const struct document *d, const json_t *params,
                 size_t *begin, size_t *end, struct rpc_error *error) {
  const json_t *range = json_object_get(params, "range");
  struct position from, to;
  if (!position_from_json(json_object_get(range, "start"), &from) ||
      !position_from_json(json_object_get(range, "end"), &to)) {
    rpc_fail(error, RPC_INVALID_PARAMS, "params.range must have a start and an end");
    return false;
  }
  *begin = position_to_offset(&d->lines, s->encoding, from);
  *end = position_to_offset(&d->lines, s->encoding, to);
  return true;
}

/* ---- places ---------------------------------------------------------------------------------- */

json_t *span_range(const struct session *s, const struct analysis *a, struct span span) {
  if (!span.file)
    return json_pack("{s:{s:i,s:i}, s:{s:i,s:i}}", "start", "line", 0, "character", 0, "end",
                     "line", 0, "character", 0);
  struct shown_span shown = sources_shown(&a->lang.sources, span);
  return range_to_json(&a->indexes[span.file], s->encoding, shown.begin, shown.end);
}

char *session_uri(const struct session *s, const char *path) {
  char *identity = file_identity(path), *uri = NULL;
  for (size_t i = 0; i < s->documents.len && !uri; i++)
    if (strcmp(s->documents.at[i]->identity, identity) == 0) uri = xstrdup(s->documents.at[i]->uri);
  free(identity);
  return uri ? uri : uri_of_path(path);
}

json_t *span_location(const struct session *s, const struct analysis *a, struct span span) {
  if (!span.file) return NULL;
  char *uri = session_uri(s, analysis_path(a, span.file));
  json_t *json = json_pack("{s:o, s:o}", "uri", text_to_json(uri, strlen(uri)), "range",
                           span_range(s, a, span));
  free(uri);
  return json;
}
