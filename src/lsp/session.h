/* The state of one editor session, and what every feature needs of it.
 *
 * The server (server.h) owns a session and hands it the messages. Documents are the editor's open
 * files; their text is what is analysed and verified, never the file on disk. A feature is a
 * function from the parameters of a request to its result (features.h). Analyses are made when
 * they are first asked for and dropped when a text they rest on changes. Verification runs in
 * worker processes (jobs.h); a verdict is shown only while the sources it was given for are
 * unchanged, which their digest tells. */
#ifndef COUPLET_LSP_SESSION_H
#define COUPLET_LSP_SESSION_H

#include <jansson.h>

#include "lsp/analysis.h"
#include "report/judge/worker.h"
#include "report/record/record.h"

/* Codes of JSON-RPC and of the protocol. */
enum rpc_code {
  RPC_PARSE_ERROR = -32700,
  RPC_INVALID_REQUEST = -32600,
  RPC_METHOD_NOT_FOUND = -32601,
  RPC_INVALID_PARAMS = -32602,
  RPC_NOT_INITIALIZED = -32002,
  RPC_REQUEST_FAILED = -32803,
  RPC_CONTENT_MODIFIED = -32801,
  RPC_REQUEST_CANCELLED = -32800
};

struct rpc_error {
  enum rpc_code code; /* 0: none */
  char *message;
};

struct document {
  char *uri, *path, *identity;
  json_int_t version;
  char *text; /* may contain NUL bytes; length is what counts */
  size_t length;
  struct line_index lines;
  struct analysis *analysis;  /* NULL: not up to date */
  bool needs_publish;         /* its diagnostics must be sent again */
  struct file_record *record; /* of the last verification, or NULL */
};

struct job;

struct session {
  enum encoding encoding;
  bool is_initialized, is_shut_down, has_exited;
  struct {
    bool work_done_progress, snippets, refresh_lens, refresh_hints, label_offsets;
  } client;
  struct worker_options worker; /* limits of verification */
  bool verify_on_save;
  bool coupling_hints; /* what a proof does at each line, as inlay hints */
  bool can_verify;     /* false: no child processes (fuzzing) */
  VEC(struct document *) documents;
  VEC(struct job *) jobs;
  json_int_t next_request; /* id of the next request to the client */
  /* Messages go to `output`; `send` writes it out when it is set. */
  struct buffer output;
  void (*send)(struct session *session);
  int descriptor;
};

void session_init(struct session *session);
void session_clear(struct session *session);

/* ---- messages -------------------------------------------------------------------------------- */

/* All of these take over what they are given as json_t *, except `id`. */
void session_respond(struct session *session, json_t *id, json_t *result);
void session_fail(struct session *session, json_t *id, enum rpc_code code, const char *message);
void session_notify(struct session *session, const char *method, json_t *params);
void session_request(struct session *session, const char *method, json_t *params);
/* Sets the error, if there is none yet, and returns NULL. */
json_t *rpc_fail(struct rpc_error *error, enum rpc_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* json_string for text that may not be UTF-8. */
json_t *text_to_json(const char *text, size_t length);

/* ---- documents ------------------------------------------------------------------------------- */

struct document *session_document(const struct session *session, const char *uri);
struct document *session_open(struct session *session, const char *uri, json_int_t version,
                              const char *text, size_t length);
void session_close(struct session *session, struct document *document);
/* Replaces [begin, end) of the text. */
void document_edit(struct document *document, size_t begin, size_t end, const char *text,
                   size_t length);
/* After an edit: drops all analyses that rest on the document. */
void session_changed(struct session *session, const struct document *document);
/* Files changed on disk: drops all analyses. */
void session_files_changed(struct session *session);
const struct analysis *session_analysis(struct session *session, struct document *document);
/* For struct sources: unsaved text of open documents; context is the session. */
const char *session_overlay(void *session, const char *path, size_t *length);

/* The record of the last verification if it is about the text as it is now; else NULL. */
const struct file_record *session_record(struct session *session, struct document *document);

/* ---- parameters ------------------------------------------------------------------------------ */

/* params.textDocument; NULL with the error set if it is not an open document. */
struct document *param_document(struct session *session, const json_t *params,
                                struct rpc_error *error);
/* The same with params.position as a byte offset. */
struct document *param_place(struct session *session, const json_t *params, uint32_t *offset,
                             struct rpc_error *error);

/* params.range as byte offsets of the document; false with the error set if it is none. */
bool param_range(const struct session *session, const struct document *document,
                 const json_t *params, size_t *begin, size_t *end, struct rpc_error *error);

/* ---- places ---------------------------------------------------------------------------------- */

json_t *span_range(const struct session *session, const struct analysis *analysis,
                   struct span span);
/* {uri, range}; NULL for file 0. An open document is named as its editor does. */
json_t *span_location(const struct session *session, const struct analysis *analysis,
                      struct span span);
/* The editor's URI if the file is open, else one made from the path. xmalloc'd. */
char *session_uri(const struct session *session, const char *path);

#endif
