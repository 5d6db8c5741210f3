/* The text of the documents, kept in step with the editor. */
#include <string.h>

#include "lsp/jobs.h"
#include "lsp/lifecycle.h"

void sync_open(struct session *s, const json_t *params, struct rpc_error *error) {
  const json_t *item = json_object_get(params, "textDocument"),
               *text = json_object_get(item, "text");
  const char *uri = json_string_value(json_object_get(item, "uri"));
  if (!uri || !json_is_string(text)) {
    rpc_fail(error, RPC_INVALID_PARAMS, "didOpen needs textDocument.uri and textDocument.text");
    return;
  }
  struct document *d = session_open(s, uri, json_integer_value(json_object_get(item, "version")),
                                    json_string_value(text), json_string_length(text));
  jobs_outdate(s, d->uri);
  session_changed(s, d);
}

/* One change: a range and its new text, or without a range the whole text. */
static bool apply(const struct session *s, struct document *d, const json_t *change) {
  const json_t *text = json_object_get(change, "text"), *range = json_object_get(change, "range");
  if (!json_is_string(text)) return false;
  size_t begin = 0, end = d->length;
  if (range && !json_is_null(range)) {
    struct position from, to;
    if (!position_from_json(json_object_get(range, "start"), &from) ||
        !position_from_json(json_object_get(range, "end"), &to))
      return false;
    begin = position_to_offset(&d->lines, s->encoding, from);
    end = position_to_offset(&d->lines, s->encoding, to);
    if (end < begin) return false;
  }
  document_edit(d, begin, end, json_string_value(text), json_string_length(text));
  return true;
}

void sync_change(struct session *s, const json_t *params, struct rpc_error *error) {
  struct document *d = param_document(s, params, error);
  if (!d) return;
  const json_t *changes = json_object_get(params, "contentChanges");
  const json_t *version = json_object_get(json_object_get(params, "textDocument"), "version");
  for (size_t i = 0; i < json_array_size(changes); i++)
    if (!apply(s, d, json_array_get(changes, i))) {
      rpc_fail(error, RPC_INVALID_PARAMS, "change %zu of %s has no text or a bad range: ignored", i,
               d->uri);
      break;
    }
  if (json_is_integer(version)) d->version = json_integer_value(version);
  jobs_outdate(s, d->uri);
  session_changed(s, d);
}

void sync_save(struct session *s, const json_t *params, struct rpc_error *error) {
  struct document *d = param_document(s, params, error);
  if (!d || !s->verify_on_save || !s->can_verify) return;
  if (!session_analysis(s, d)->has_errors) jobs_start(s, d, 0, NULL, NULL);
}

void sync_close(struct session *s, const json_t *params, struct rpc_error *error) {
  struct document *d = param_document(s, params, error);
  if (!d) return;
  jobs_outdate(s, d->uri);
  retract_diagnostics(s, d->uri);
  session_close(s, d);
}

void sync_files_changed(struct session *s, const json_t *params, struct rpc_error *error) {
  (void)params;
  (void)error;
  session_files_changed(s);
}
