/* The public API: a thin cover of report/verify and cert/check. */
#include "couplet.h"

#include <assert.h>
#include <flint/flint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fatal.h"
#include "check/certificate/check.h"
#include "check/recount/judges.h"
#include "num/guard.h"
#include "report/judge/verify.h"
#include "report/record/decimal.h"
#include "report/record/record_json.h"
#include "report/render/record_text.h"

struct cp_context {
  struct verify_options options;
};

struct cp_result {
  struct run_record run; /* one file, or none for a certificate */
  enum cp_status status;
  char *text, *json; /* made when they are asked for */
};

static_assert((int)CP_STATUS_PROVED == COUPLET_EXIT_PROVED &&
                  (int)CP_STATUS_BAD_INPUT == COUPLET_EXIT_INPUT &&
                  (int)CP_STATUS_INTERNAL == COUPLET_EXIT_INTERNAL &&
                  (int)CP_STATUS_REFUTED == COUPLET_EXIT_REFUTED &&
                  (int)CP_STATUS_UNKNOWN == COUPLET_EXIT_UNKNOWN &&
                  (int)CP_STATUS_ADMITTED == COUPLET_EXIT_ADMITTED,
              "the status of a call is the exit status of the program");
static_assert((int)CP_UNKNOWN == VERDICT_UNKNOWN && (int)CP_PROVED == VERDICT_PROVED &&
                  (int)CP_REFUTED == VERDICT_REFUTED && (int)CP_ADMITTED == VERDICT_ADMITTED,
              "verdicts have the same numbers inside and outside");

const char *cp_version(void) {
  return COUPLET_VERSION;
}

/* ---- contexts ------------------------------------------------------------------------------- */

cp_context *cp_context_new(void) {
  numbers_guard();
  cp_context *context = xmalloc(sizeof *context);
  *context = (cp_context){.options = verify_default_options()};
  return context;
}

void cp_context_free(cp_context *context) {
  free(context);
}

void cp_thread_end(void) {
  flint_cleanup();
}

static bool set_seconds(double *field, double seconds) {
  if (!isfinite(seconds) || seconds < 0) return false;
  *field = seconds;
  return true;
}

bool cp_set_timeout(cp_context *context, double seconds) {
  return set_seconds(&context->options.timeout, seconds);
}

bool cp_set_search(cp_context *context, double seconds) {
  return set_seconds(&context->options.search, seconds);
}

void cp_set_explain(cp_context *context, bool explain) {
  context->options.explain = explain;
}

/* ---- runs ----------------------------------------------------------------------------------- */

static cp_result *new_result(void) {
  cp_result *result = xmalloc(sizeof *result);
  *result = (cp_result){.status = CP_STATUS_UNKNOWN};
  run_record_init(&result->run);
  return result;
}

static cp_result *result_of(struct file_record *file) {
  cp_result *result = new_result();
  vec_push(&result->run.files, file);
  result->status = (enum cp_status)run_record_exit(&result->run);
  return result;
}

/* The caller's process goes on when a computation cannot. */
static cp_result *given_up(const char *name) {
  struct file_record *file = file_record_new(name);
  record_set(&file->internal_error,
             "the computation was given up: a number is too large, or there is no memory");
  return result_of(file);
}

cp_result *cp_verify_file(cp_context *context, const char *path) {
  struct fatal_guard guard;
  if (fatal_caught(&guard)) return given_up(path);
  cp_result *result = result_of(verify_file(path, &context->options, NULL, NULL));
  fatal_release(&guard);
  return result;
}

cp_result *cp_verify_text(cp_context *context, const char *name, const char *text, size_t length) {
  struct fatal_guard guard;
  if (fatal_caught(&guard)) return given_up(name);
  cp_result *result = result_of(verify_text(name, text, length, &context->options, NULL, NULL));
  fatal_release(&guard);
  return result;
}

static cp_result *check_certificate(cp_context *context, const char *certificate,
                                    const char *source) {
  struct budget budget = budget_of_seconds(context->options.timeout);
  struct buffer out, err;
  buffer_init(&out);
  buffer_init(&err);
  cp_result *result = new_result();
  result->status =
      (enum cp_status)cert_check(certificate, source, &all_judges, &budget, &out, &err);
  buffer_puts(&out, buffer_text(&err));
  result->text = xstrdup(buffer_text(&out));
  buffer_clear(&out);
  buffer_clear(&err);
  return result;
}

cp_result *cp_check_certificate(cp_context *context, const char *certificate, const char *source) {
  struct fatal_guard guard;
  if (fatal_caught(&guard)) return given_up(certificate);
  cp_result *result = check_certificate(context, certificate, source);
  fatal_release(&guard);
  return result;
}

void cp_result_free(cp_result *result) {
  if (!result) return;
  run_record_clear(&result->run);
  free(result->text);
  free(result->json);
  free(result);
}

/* ---- results -------------------------------------------------------------------------------- */

enum cp_status cp_result_status(const cp_result *result) {
  return result->status;
}

const char *cp_text(cp_result *result) {
  if (!result->text) {
    struct buffer b;
    buffer_init(&b);
    file_record_to_text(&b, result->run.files.at[0], (struct text_style){false});
    file_record_diags_to_text(&b, result->run.files.at[0], (struct text_style){false});
    result->text = xstrdup(buffer_text(&b));
    buffer_clear(&b);
  }
  return result->text;
}

const char *cp_json(cp_result *result) {
  if (!result->json && result->run.files.len) {
    json_t *json = run_record_to_json(&result->run);
    result->json = json_printed(json);
    json_decref(json);
  }
  return result->json;
}

static const struct claim_record *claim_at(const cp_result *result, size_t index) {
  return index < cp_claim_count(result) ? &result->run.files.at[0]->claims.at[index] : NULL;
}

size_t cp_claim_count(const cp_result *result) {
  return result->run.files.len ? result->run.files.at[0]->claims.len : 0;
}

const char *cp_claim_name(const cp_result *result, size_t index) {
  const struct claim_record *c = claim_at(result, index);
  return c ? c->name : NULL;
}

enum cp_verdict cp_claim_verdict(const cp_result *result, size_t index) {
  const struct claim_record *c = claim_at(result, index);
  return c ? (enum cp_verdict)c->verdict : CP_UNKNOWN;
}

const char *cp_claim_notion(const cp_result *result, size_t index) {
  const struct claim_record *c = claim_at(result, index);
  return c ? c->notion : NULL;
}

const char *cp_claim_epsilon(const cp_result *result, size_t index) {
  const struct claim_record *c = claim_at(result, index);
  return c ? c->epsilon : NULL;
}

const char *cp_claim_cost(const cp_result *result, size_t index) {
  const struct claim_record *c = claim_at(result, index);
  return c ? c->cost : NULL;
}

const char *cp_claim_lower(const cp_result *result, size_t index) {
  const struct claim_record *c = claim_at(result, index);
  return c ? c->lower : NULL;
}

const char *cp_claim_reason(const cp_result *result, size_t index) {
  const struct claim_record *c = claim_at(result, index);
  return c ? c->reason : NULL;
}

unsigned cp_claim_line(const cp_result *result, size_t index) {
  const struct claim_record *c = claim_at(result, index);
  return c ? c->place.line : 0;
}

const char *cp_verdict_name(enum cp_verdict verdict) {
  bool known = verdict == CP_UNKNOWN || verdict == CP_PROVED || verdict == CP_REFUTED ||
               verdict == CP_ADMITTED;
  return known ? verdict_name((enum verdict)verdict) : NULL;
}
