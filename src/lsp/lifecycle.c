#include "lsp/lifecycle.h"

#include <stdlib.h>
#include <string.h>

#include "couplet.h"
#include "lsp/jobs.h"

/* ---- capabilities ---------------------------------------------------------------------------- */

static const json_t *dig(const json_t *object, const char *a, const char *b, const char *c) {
  object = json_object_get(object, a);
  if (b) object = json_object_get(object, b);
  if (c) object = json_object_get(object, c);
  return object;
}

/* The first encoding of the client's list that we have; UTF-16 if it has no list. */
static enum encoding agree_on_encoding(const json_t *capabilities) {
  const json_t *list = dig(capabilities, "general", "positionEncodings", NULL);
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *name = json_string_value(json_array_get(list, i));
    for (int e = ENCODING_UTF16; name && e <= ENCODING_UTF32; e++)
      if (strcmp(name, encoding_name((enum encoding)e)) == 0) return (enum encoding)e;
  }
  return ENCODING_UTF16;
}

static void take_settings(struct session *s, const json_t *settings) {
  const json_t *own = json_object_get(settings, "couplet");
  if (json_is_object(own)) settings = own;
  const json_t *timeout = json_object_get(settings, "timeout"),
               *search = json_object_get(settings, "search"),
               *memory = json_object_get(settings, "memory"),
               *on_save = json_object_get(settings, "verifyOnSave"),
               *hints = json_object_get(settings, "couplingHints");
  if (json_number_value(timeout) > 0) s->worker.verify.timeout = json_number_value(timeout);
  if (json_number_value(search) > 0) s->worker.verify.search = json_number_value(search);
  if (json_is_integer(memory) && json_integer_value(memory) >= 0 &&
      json_integer_value(memory) < 1 << 30)
    s->worker.memory_mb = (long)json_integer_value(memory);
  if (json_is_boolean(on_save)) s->verify_on_save = json_is_true(on_save);
  if (json_is_boolean(hints)) s->coupling_hints = json_is_true(hints);
}

static json_t *capabilities(const struct session *s) {
  json_t *c = json_pack(
      "{s:s, s:{s:b, s:i, s:{s:b}}, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:b}", "positionEncoding",
      encoding_name(s->encoding), "textDocumentSync", "openClose", 1, "change", 2, "save",
      "includeText", 0, "hoverProvider", 1, "definitionProvider", 1, "referencesProvider", 1,
      "documentHighlightProvider", 1, "documentSymbolProvider", 1, "documentFormattingProvider", 1,
      "foldingRangeProvider", 1, "inlayHintProvider", 1);
  json_object_set_new(c, "renameProvider", json_pack("{s:b}", "prepareProvider", 1));
  json_object_set_new(
      c, "completionProvider",
      json_pack("{s:[s, s, s], s:b}", "triggerCharacters", "$", ":", " ", "resolveProvider", 0));
  json_object_set_new(c, "signatureHelpProvider",
                      json_pack("{s:[s, s, s]}", "triggerCharacters", "(", ",", "{"));
  json_object_set_new(
      c, "codeActionProvider",
      json_pack("{s:[s, s, s]}", "codeActionKinds", "quickfix", "refactor.rewrite", "source"));
  json_object_set_new(c, "codeLensProvider", json_pack("{s:b}", "resolveProvider", 0));
  json_object_set_new(c, "documentLinkProvider", json_pack("{s:b}", "resolveProvider", 0));
  json_object_set_new(c, "semanticTokensProvider",
                      json_pack("{s:o, s:b}", "legend", semantic_tokens_legend(), "full", 1));
  json_object_set_new(c, "executeCommandProvider",
                      json_pack("{s:[s, s], s:b}", "commands", "couplet.verifyClaim",
                                "couplet.verifyFile", "workDoneProgress", 1));
  return c;
}

json_t *lifecycle_initialize(struct session *s, const json_t *params, struct rpc_error *error) {
  if (s->is_initialized)
    return rpc_fail(error, RPC_INVALID_REQUEST, "the session is initialized already");
  if (!json_is_object(params))
    return rpc_fail(error, RPC_INVALID_PARAMS, "initialize needs an object of parameters");
  const json_t *client = json_object_get(params, "capabilities");
  s->encoding = agree_on_encoding(client);
  s->client.work_done_progress = json_is_true(dig(client, "window", "workDoneProgress", NULL));
  s->client.snippets = json_is_true(json_object_get(
      dig(client, "textDocument", "completion", "completionItem"), "snippetSupport"));
  s->client.label_offsets = json_is_true(json_object_get(
      json_object_get(dig(client, "textDocument", "signatureHelp", "signatureInformation"),
                      "parameterInformation"),
      "labelOffsetSupport"));
  s->client.refresh_lens = json_is_true(dig(client, "workspace", "codeLens", "refreshSupport"));
  s->client.refresh_hints = json_is_true(dig(client, "workspace", "inlayHint", "refreshSupport"));
  take_settings(s, json_object_get(params, "initializationOptions"));
  s->is_initialized = true;
  return json_pack("{s:o, s:{s:s, s:s}}", "capabilities", capabilities(s), "serverInfo", "name",
                   "couplet", "version", cp_version());
}

/* ---- end ------------------------------------------------------------------------------------- */

json_t *lifecycle_shutdown(struct session *s, const json_t *params, struct rpc_error *error) {
  (void)params;
  (void)error;
  jobs_clear(s);
  s->is_shut_down = true;
  return json_null();
}

void lifecycle_exit(struct session *s, const json_t *params, struct rpc_error *error) {
  (void)params;
  (void)error;
  s->has_exited = true;
}

void lifecycle_ignore(struct session *s, const json_t *params, struct rpc_error *error) {
  (void)s;
  (void)params;
  (void)error;
}

/* ---- settings, cancelling -------------------------------------------------------------------- */

void lifecycle_configure(struct session *s, const json_t *params, struct rpc_error *error) {
  (void)error;
  take_settings(s, json_object_get(params, "settings"));
}

void lifecycle_cancel(struct session *s, const json_t *params, struct rpc_error *error) {
  (void)error;
  const json_t *id = json_object_get(params, "id");
  if (id) jobs_cancel_request(s, id);
}

void lifecycle_cancel_progress(struct session *s, const json_t *params, struct rpc_error *error) {
  (void)error;
  const json_t *token = json_object_get(params, "token");
  if (token) jobs_cancel_token(s, token);
}

/* ---- commands -------------------------------------------------------------------------------- */

/* Number of the claim from 1, given as such or by name; 0 if there is none. */
static size_t claim_number(const struct analysis *a, const json_t *which) {
  size_t count = analysis_claim_count(a);
  if (json_is_integer(which)) {
    json_int_t n = json_integer_value(which);
    return n > 0 && (size_t)n <= count ? (size_t)n : 0;
  }
  const char *name = json_string_value(which);
  for (size_t i = 0; name && i < a->claims.len; i++)
    if (strcmp(a->claims.at[i]->name.text, name) == 0) return i + 1;
  return 0;
}

/* The client's token, or one that it is asked to make; NULL if it shows no progress. */
static json_t *progress_token(struct session *s, const json_t *params) {
  json_t *token = json_object_get(params, "workDoneToken");
  if (json_is_string(token) || json_is_integer(token)) return json_incref(token);
  if (!s->client.work_done_progress) return NULL;
  char *name = xasprintf("couplet-%lld", (long long)s->next_request);
  token = json_string(name);
  free(name);
  session_request(s, "window/workDoneProgress/create", json_pack("{s:O}", "token", token));
  return token;
}

static void execute(struct session *s, json_t *id, const json_t *params, struct rpc_error *error) {
  const char *command = json_string_value(json_object_get(params, "command"));
  const json_t *arguments = json_object_get(params, "arguments");
  const char *uri = json_string_value(json_array_get(arguments, 0));
  bool one = command && strcmp(command, "couplet.verifyClaim") == 0;
  if (!command || (!one && strcmp(command, "couplet.verifyFile") != 0)) {
    rpc_fail(error, RPC_INVALID_PARAMS,
             "the commands are couplet.verifyClaim and couplet.verifyFile");
    return;
  }
  struct document *d = uri ? session_document(s, uri) : NULL;
  if (!d) {
    rpc_fail(error, RPC_INVALID_PARAMS, "the first argument must be the URI of an open document");
    return;
  }
  size_t number = one ? claim_number(session_analysis(s, d), json_array_get(arguments, 1)) : 0;
  if (one && !number)
    rpc_fail(error, RPC_INVALID_PARAMS,
             "the second argument must be the number or the name of a claim of the document");
  else if (!s->can_verify)
    rpc_fail(error, RPC_REQUEST_FAILED, "this server cannot start processes");
  if (error->code) return;
  json_t *token = progress_token(s, params);
  jobs_start(s, d, number, id, token);
  json_decref(token);
}

void lifecycle_execute(struct session *s, json_t *id, const json_t *params) {
  struct rpc_error error = {0};
  execute(s, id, params, &error);
  if (error.code) session_fail(s, id, error.code, error.message);
  free(error.message);
}
