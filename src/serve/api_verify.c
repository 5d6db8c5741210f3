/* The verdicts on a text: lines of progress, then the record, its cards and its certificate. */
#include <stdlib.h>

#include "base/exit_codes.h"
#include "base/interrupt.h"
#include "report/judge/workers.h"
#include "report/record/cert_write.h"
#include "report/record/record_json.h"
#include "report/record/versions.h"
#include "report/render/html.h"
#include "serve/api.h"

static void tell(void *context, const struct workers_status *s) {
  api_send(context, json_pack("{s:s, s:i, s:i, s:f}", "event", "progress", "claims", (int)s->claims,
                              "decided", (int)s->claims_decided, "seconds", s->seconds));
}

static struct workers_options limits(const struct api_context *context, const json_t *request,
                                     struct session *session) {
  struct workers_options o = {.verify = context->options->worker.verify,
                              .jobs = 1,
                              .memory_mb = context->options->worker.memory_mb,
                              .tick = tell};
  double search = json_number_value(json_object_get(request, "search"));
  if (search > 0 && search < o.verify.timeout) o.verify.search = search;
  o.verify.explain = o.verify.pictures = o.verify.basis = o.verify.sources = true;
  o.verify.distributions = o.verify.certificates = true;
  o.verify.interrupted = interrupt_flag();
  o.verify.overlay = session_overlay;
  o.verify.overlay_context = session;
  return o;
}

static json_t *taken(struct buffer *b) {
  json_t *json = text_to_json(buffer_text(b), b->len);
  buffer_clear(b);
  return json;
}

static void send_result(const struct api_context *context, struct run_record *run) {
  struct file_record *file = run->files.at[0];
  char *certificate = cert_file_take(file);
  struct buffer cards;
  buffer_init(&cards);
  file_record_to_html(&cards, file);
  run->tools = versions_json();
  api_send(context, json_pack("{s:s, s:i, s:s?, s:o, s:o}", "event", "result", "status",
                              (int)run_record_exit(run), "certificate", certificate, "html",
                              taken(&cards), "record", run_record_to_json(run)));
  free(certificate);
}

int api_verify(const struct api_context *context, const json_t *request) {
  struct session session;
  const struct document *d = api_document(context, request, &session);
  if (!d) return COUPLET_EXIT_INPUT;
  struct workers_options options = limits(context, request, &session);
  struct run_record run;
  run_record_init(&run);
  const char *path = d->path;
  workers_run(&path, 1, &options, &run, NULL, (void *)context);
  send_result(context, &run);
  run_record_clear(&run);
  session_clear(&session);
  return COUPLET_EXIT_PROVED;
}
