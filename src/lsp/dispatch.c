#include "lsp/dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "lsp/features.h"
#include "lsp/lifecycle.h"

/* Requests have an answer, notifications have none. */
static const struct {
  const char *method;
  feature *answer;
} requests[] = {
    {"initialize", lifecycle_initialize},
    {"shutdown", lifecycle_shutdown},
    {"textDocument/definition", feature_definition},
    {"textDocument/references", feature_references},
    {"textDocument/documentHighlight", feature_highlight},
    {"textDocument/prepareRename", feature_prepare_rename},
    {"textDocument/rename", feature_rename},
    {"textDocument/hover", feature_hover},
    {"textDocument/completion", feature_completion},
    {"textDocument/signatureHelp", feature_signature_help},
    {"textDocument/documentSymbol", feature_document_symbols},
    {"textDocument/foldingRange", feature_folding_ranges},
    {"textDocument/documentLink", feature_document_links},
    {"textDocument/formatting", feature_formatting},
    {"textDocument/semanticTokens/full", feature_semantic_tokens},
    {"textDocument/codeLens", feature_code_lens},
    {"textDocument/codeAction", feature_code_actions},
    {"textDocument/inlayHint", feature_inlay_hints},
};

static const struct {
  const char *method;
  notification *handle;
} notifications[] = {
    {"initialized", lifecycle_ignore},
    {"exit", lifecycle_exit},
    {"$/setTrace", lifecycle_ignore},
    {"$/cancelRequest", lifecycle_cancel},
    {"window/workDoneProgress/cancel", lifecycle_cancel_progress},
    {"textDocument/didOpen", sync_open},
    {"textDocument/didChange", sync_change},
    {"textDocument/didSave", sync_save},
    {"textDocument/didClose", sync_close},
    {"workspace/didChangeConfiguration", lifecycle_configure},
    {"workspace/didChangeWatchedFiles", sync_files_changed},
};

static feature *find_request(const char *method) {
  for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
    if (strcmp(requests[i].method, method) == 0) return requests[i].answer;
  return NULL;
}

static notification *find_notification(const char *method) {
  for (size_t i = 0; i < sizeof notifications / sizeof *notifications; i++)
    if (strcmp(notifications[i].method, method) == 0) return notifications[i].handle;
  return NULL;
}

static void answer(struct session *s, json_t *id, const char *method, const json_t *params) {
  if (!s->is_initialized && strcmp(method, "initialize") != 0) {
    session_fail(s, id, RPC_NOT_INITIALIZED, "the first request must be `initialize`");
    return;
  }
  if (s->is_shut_down) {
    session_fail(s, id, RPC_INVALID_REQUEST, "the server was shut down");
    return;
  }
  if (strcmp(method, "workspace/executeCommand") == 0) { /* answered when the work is done */
    lifecycle_execute(s, id, params);
    return;
  }
  feature *respond = find_request(method);
  if (!respond) {
    char *message = xasprintf("this server has no method `%s`", method);
    session_fail(s, id, RPC_METHOD_NOT_FOUND, message);
    free(message);
    return;
  }
  struct rpc_error error = {0};
  json_t *result = respond(s, params, &error);
  if (error.code) {
    json_decref(result);
    session_fail(s, id, error.code, error.message);
  } else {
    session_respond(s, id, result);
  }
  free(error.message);
}

static void take_note(struct session *s, const char *method, const json_t *params) {
  bool is_exit = strcmp(method, "exit") == 0;
  if (!is_exit && (!s->is_initialized || s->is_shut_down)) return; /* as the protocol has it */
  notification *handle = find_notification(method);
  if (!handle) return;
  struct rpc_error error = {0};
  handle(s, params, &error);
  if (error.code)
    session_notify(s, "window/logMessage",
                   json_pack("{s:i, s:o}", "type", 1, "message",
                             text_to_json(error.message, strlen(error.message))));
  free(error.message);
}

static bool is_id(const json_t *id) {
  return json_is_integer(id) || json_is_string(id);
}

void dispatch_message(struct session *s, const char *text, size_t length) {
  json_error_t why;
  json_t *message = json_loadb(text, length, JSON_ALLOW_NUL, &why);
  if (!message) {
    char *what = xasprintf("the message is not JSON: %s", why.text);
    session_fail(s, NULL, RPC_PARSE_ERROR, what);
    free(what);
    return;
  }
  json_t *id = json_object_get(message, "id");
  const json_t *method = json_object_get(message, "method"),
               *params = json_object_get(message, "params");
  bool is_response =
      !method && id && (json_object_get(message, "result") || json_object_get(message, "error"));
  if (is_response) {
    /* to a request of ours; none needs it */
  } else if (!json_is_object(message) || !json_is_string(method) || (id && !is_id(id)) ||
             (params && !json_is_object(params) && !json_is_array(params) &&
              !json_is_null(params))) {
    session_fail(s, is_id(id) ? id : NULL, RPC_INVALID_REQUEST,
                 "a message is an object with `method`, and `id` if it wants an answer");
  } else if (id) {
    answer(s, id, json_string_value(method), params);
  } else {
    take_note(s, json_string_value(method), params);
  }
  json_decref(message);
}
