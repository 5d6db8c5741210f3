#include "report/judge_refuter.h"

#include <math.h>
#include <stdio.h>

#include "cert/write.h"
#include "report/counterexample.h"

static void set_refuted(struct claim_record *c, const struct program_claim *claim,
                        const struct program_result *r) {
  c->verdict = VERDICT_REFUTED;
  record_set(&c->reason, NULL);
  c->counterexample = program_counterexample_json(claim, &r->best);
  c->certificate = cert_of_program(claim, &r->best);
}

static void put_reason(struct buffer *reason, const struct program_result *r) {
  switch (r->status) {
  case PROGRAM_REFUTED: break;
  case PROGRAM_NOT_FOUND:
  case PROGRAM_TIMEOUT:
    buffer_printf(reason, "no counterexample among %zu input pairs%s", r->tried,
                  r->status == PROGRAM_TIMEOUT ? " (out of time)" : "");
    break;
  case PROGRAM_CANNOT:
    buffer_printf(reason, "the refuter cannot work on this one: %s",
                  r->why ? r->why : "no input pair could be built");
    break;
  }
  if (r->has_estimate && isfinite(r->lower) && r->status != PROGRAM_CANNOT)
    buffer_printf(reason, "; densities suggest a loss of %.3f times the claim (not certified)",
                  floor(r->lower * 1000) / 1000);
}

static void set_lower(struct claim_record *c, const struct program_result *r) {
  if (!r->has_lower || r->status == PROGRAM_CANNOT) return;
  char text[64];
  if (isinf(r->lower))
    snprintf(text, sizeof text, "unbounded");
  else
    snprintf(text, sizeof text, "%.3f times the claim", floor(r->lower * 1000) / 1000);
  record_set(&c->lower, text);
}

void record_refuter_result(struct claim_record *c, const struct program_claim *claim,
                           const struct program_result *r, const char *proof_failure) {
  set_lower(c, r);
  if (c->verdict != VERDICT_UNKNOWN) return;
  if (r->status == PROGRAM_REFUTED) {
    set_refuted(c, claim, r);
    return;
  }
  struct buffer reason;
  buffer_init(&reason);
  if (proof_failure) buffer_printf(&reason, "%s\n", proof_failure);
  put_reason(&reason, r);
  record_set(&c->reason, buffer_text(&reason));
  buffer_clear(&reason);
}

void judge_by_refuter(struct claim_record *c, const struct program_claim *claim, double seconds,
                      const struct budget *budget, const char *proof_failure) {
  struct budget slice = budget_slice(budget, seconds);
  struct program_result r;
  program_result_init(&r);
  program_refute(&r, claim, &slice);
  record_refuter_result(c, claim, &r, proof_failure);
  program_result_clear(&r);
}
