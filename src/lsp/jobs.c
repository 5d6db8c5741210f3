#include "lsp/jobs.h"

#include <stdlib.h>
#include <string.h>

#include "report/record/record_json.h"

/* ---- progress -------------------------------------------------------------------------------- */

static void progress(struct session *s, const struct job *j, json_t *value) {
  if (j->token)
    session_notify(s, "$/progress", json_pack("{s:O, s:o}", "token", j->token, "value", value));
  else
    json_decref(value);
}

static void progress_begin(struct session *s, const struct job *j) {
  const char *slash = strrchr(j->path, '/');
  char *title = xasprintf("couplet: verifying %s", slash ? slash + 1 : j->path);
  progress(s, j,
           json_pack("{s:s, s:o, s:b, s:i}", "kind", "begin", "title",
                     text_to_json(title, strlen(title)), "cancellable", 1, "percentage", 0));
  free(title);
}

static void progress_report(struct session *s, struct job *j) {
  const struct file_record *file = j->worker.file;
  size_t decided = 0, total = j->only ? 1 : file->claims.len;
  for (size_t i = 0; i < file->claims.len; i++)
    decided += !claim_record_is_undecided(&file->claims.at[i]);
  if (!total || decided == j->decided) return;
  j->decided = decided;
  char *message = xasprintf("%zu of %zu claims", decided, total);
  progress(s, j,
           json_pack("{s:s, s:s, s:i}", "kind", "report", "message", message, "percentage",
                     (int)(100 * decided / total)));
  free(message);
}

static void progress_end(struct session *s, const struct job *j, const char *message) {
  if (j->has_started) progress(s, j, json_pack("{s:s, s:s}", "kind", "end", "message", message));
}

/* ---- life of a job --------------------------------------------------------------------------- */

static void job_free(struct job *j) {
  worker_kill(&j->worker);
  json_decref(j->id);
  json_decref(j->token);
  free(j->uri);
  free(j->path);
  free(j);
}

static void remove_job(struct session *s, struct job *j) {
  size_t kept = 0;
  for (size_t i = 0; i < s->jobs.len; i++)
    if (s->jobs.at[i] != j) s->jobs.at[kept++] = s->jobs.at[i];
  s->jobs.len = kept;
  job_free(j);
}

static void finish_job(struct session *s, struct job *j);

/* Jobs wait in order; the first one runs. */
static void run_next(struct session *s) {
  while (s->jobs.len && !s->jobs.at[0]->has_started) {
    struct job *j = s->jobs.at[0];
    j->has_started = true;
    progress_begin(s, j);
    if (worker_start(&j->worker, j->path, &j->options)) return;
    finish_job(s, j);
  }
}

static void end_job(struct session *s, struct job *j, enum rpc_code code, const char *why) {
  worker_kill(&j->worker); /* whoever is told that it has ended may rely on it */
  progress_end(s, j, why);
  if (j->id) session_fail(s, j->id, code, why);
  remove_job(s, j);
}

/* Keeps the verdicts on the other claims if they are about the same text. */
static void merge_records(struct file_record *file, struct file_record *old, size_t only) {
  if (!old || !old->source_digest || !file->source_digest ||
      strcmp(old->source_digest, file->source_digest) != 0 || old->claims.len != file->claims.len)
    return;
  for (size_t i = 0; i < file->claims.len; i++) {
    if (i + 1 == only) continue;
    struct claim_record c = file->claims.at[i];
    file->claims.at[i] = old->claims.at[i];
    old->claims.at[i] = c;
  }
}

static void refresh(struct session *s) {
  if (s->client.refresh_lens) session_request(s, "workspace/codeLens/refresh", NULL);
  if (s->client.refresh_hints) session_request(s, "workspace/inlayHint/refresh", NULL);
}

static void finish_job(struct session *s, struct job *j) {
  struct document *d = session_document(s, j->uri);
  progress_report(s, j);
  struct file_record *file = j->worker.file;
  j->worker.file = NULL;
  if (j->only && d) merge_records(file, d->record, j->only);
  progress_end(s, j, "done");
  if (j->id) session_respond(s, j->id, file_record_to_json(file));
  const char *trouble = file->internal_error ? file->internal_error : file->stopped;
  if (trouble)
    session_notify(s, "window/showMessage",
                   json_pack("{s:i, s:o}", "type", file->internal_error ? 1 : 2, "message",
                             text_to_json(trouble, strlen(trouble))));
  if (d) {
    file_record_free(d->record);
    d->record = file;
    d->needs_publish = true;
  } else {
    file_record_free(file);
  }
  remove_job(s, j);
  refresh(s);
}

void jobs_start(struct session *s, const struct document *d, size_t only, json_t *id,
                json_t *token) {
  for (size_t i = s->jobs.len; i-- > 0;)
    if (strcmp(s->jobs.at[i]->uri, d->uri) == 0)
      end_job(s, s->jobs.at[i], RPC_REQUEST_CANCELLED, "another verification was asked for");
  struct job *j = xcalloc(1, sizeof *j);
  j->id = json_incref(id);
  j->token = json_incref(token);
  j->uri = xstrdup(d->uri);
  j->path = xstrdup(d->path);
  j->only = only;
  j->options = s->worker;
  j->options.verify.only = only;
  j->options.verify.digest = true;
  j->options.verify.explain = true;
  j->options.verify.overlay = session_overlay;
  j->options.verify.overlay_context = s;
  vec_push(&s->jobs, j);
  run_next(s);
}

/* ---- events ---------------------------------------------------------------------------------- */

static struct job *running(const struct session *s) {
  return s->jobs.len && s->jobs.at[0]->worker.child.pid ? s->jobs.at[0] : NULL;
}

int jobs_descriptor(const struct session *s) {
  const struct job *j = running(s);
  return j ? j->worker.child.pipe : -1;
}

double jobs_enforce_deadline(struct session *s) {
  struct job *j = running(s);
  return j ? worker_enforce_deadline(&j->worker) : -1;
}

void jobs_receive(struct session *s) {
  struct job *j = running(s);
  if (!j) return;
  if (!worker_receive(&j->worker)) {
    progress_report(s, j);
    return;
  }
  worker_finish(&j->worker, &j->options);
  finish_job(s, j);
  run_next(s);
}

void jobs_cancel_request(struct session *s, const json_t *id) {
  for (size_t i = s->jobs.len; i-- > 0;)
    if (s->jobs.at[i]->id && json_equal(s->jobs.at[i]->id, id))
      end_job(s, s->jobs.at[i], RPC_REQUEST_CANCELLED, "cancelled");
  run_next(s);
}

void jobs_cancel_token(struct session *s, const json_t *token) {
  for (size_t i = s->jobs.len; i-- > 0;)
    if (s->jobs.at[i]->token && json_equal(s->jobs.at[i]->token, token))
      end_job(s, s->jobs.at[i], RPC_REQUEST_CANCELLED, "cancelled");
  run_next(s);
}

void jobs_outdate(struct session *s, const char *uri) {
  for (size_t i = s->jobs.len; i-- > 0;)
    if (strcmp(s->jobs.at[i]->uri, uri) == 0)
      end_job(s, s->jobs.at[i], RPC_CONTENT_MODIFIED, "the document has changed");
  run_next(s);
}

void jobs_clear(struct session *s) {
  for (size_t i = 0; i < s->jobs.len; i++)
    job_free(s->jobs.at[i]);
  vec_clear(&s->jobs);
}
