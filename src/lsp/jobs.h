/* Verification asked for by the editor: one child process at a time, the others wait.
 *
 * A job verifies a document as it was when the job was asked for, or one claim of it, with the
 * options of `couplet verify`. It ends with the record: in the answer to the request, in the
 * diagnostics, lenses and hints of the document. Cancelling it, changing or closing the document
 * kills the child. */
#ifndef COUPLET_LSP_JOBS_H
#define COUPLET_LSP_JOBS_H

#include "lsp/session.h"

struct job {
  json_t *id;    /* the request that waits for the record; NULL: nobody does */
  json_t *token; /* of progress, or NULL: the client does not show it */
  char *uri, *path;
  size_t only; /* number of the claim from 1; 0: all */
  struct worker_options options;
  struct worker worker;
  bool has_started;
  size_t decided; /* claims that progress has told of */
};

/* `id` and `token` may be NULL. A job for the same document is ended first. */
void jobs_start(struct session *session, const struct document *document, size_t only, json_t *id,
                json_t *token);
/* The descriptor to poll and the seconds until its deadline (negative: none); -1: nothing runs. */
int jobs_descriptor(const struct session *session);
double jobs_enforce_deadline(struct session *session);
/* The descriptor has something to read. */
void jobs_receive(struct session *session);

void jobs_cancel_request(struct session *session, const json_t *id);
void jobs_cancel_token(struct session *session, const json_t *token);
/* The text of the document is another one now, or it was closed. */
void jobs_outdate(struct session *session, const char *uri);
void jobs_clear(struct session *session);

#endif
