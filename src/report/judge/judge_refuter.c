#include "report/judge/judge_refuter.h"

#include <math.h>
#include <stdio.h>

#include "report/record/cert_write.h"
#include "report/record/counterexample.h"

static void set_refuted(struct claim_record *c, const struct program_claim *claim,
                        const struct program_result *r) {
  c->verdict = VERDICT_REFUTED;
  record_set(&c->reason, NULL);
  c->counterexample = program_counterexample_json(claim, &r->best, r->has_worst ? &r->worst : NULL);
  c->certificate = cert_of_program(claim, &r->best);
}

static void put_reason(struct buffer *reason, const struct program_claim *claim,
                       const struct program_result *r) {
  switch (r->status) {
  case PROGRAM_REFUTED: break;
  case PROGRAM_NOT_FOUND:
    buffer_printf(reason,
                  "no counterexample among %zu input pairs, and there are no more candidates",
                  r->tried);
    break;
  case PROGRAM_TIMEOUT: /* how many pairs were tried is chance */
    buffer_puts(reason, "no counterexample was found in the time given");
    break;
  case PROGRAM_CANNOT:
    buffer_puts(reason, "the refuter cannot work on this one: ");
    if (r->where.file)
      buffer_printf(reason, "line %u: ",
                    sources_place(&claim->lang->sources, r->where.file, r->where.begin).line);
    buffer_puts(reason, r->why ? r->why : "the time was over before a pair of inputs was weighed");
    break;
  }
}

/* Rounded down: to four digits, as counterexamples are shown, but none of them after the third
 * behind the point; large numbers to an integer. */
static void print_factor(char *out, size_t size, double factor) {
  if (factor < 1e3) {
    int decimals = factor < 10 ? 3 : factor < 100 ? 2 : 1;
    double unit = pow(10, decimals);
    snprintf(out, size, "%.*f", decimals, floor(factor * unit) / unit);
    return;
  }
  if (factor < 1e6) {
    snprintf(out, size, "%.0f", floor(factor));
    return;
  }
  int exponent = (int)floor(log10(factor));
  snprintf(out, size, "%.3fe%d", floor(factor / pow(10, exponent) * 1000 - 1) / 1000, exponent);
}

static void set_lower(struct claim_record *c, const struct program_result *r) {
  if (!r->has_lower || r->status == PROGRAM_CANNOT) return;
  char text[64] = "unbounded", factor[32];
  if (!isinf(r->lower)) {
    print_factor(factor, sizeof factor, r->lower);
    snprintf(text, sizeof text, "%s times the claim", factor);
  }
  record_set(&c->lower, text);
}

/* Beside what a proof has left there. */
static void set_detail(struct claim_record *c, const char *name, json_t *value) {
  if (!value) return;
  if (!c->detail) c->detail = json_object();
  json_object_set_new(c->detail, name, value);
}

/* What seems to break the claim, but could not be certified. */
static void add_candidate(struct claim_record *c, const struct program_claim *claim,
                          const struct program_result *r, struct buffer *reason) {
  json_t *candidate = program_candidate_json(claim, &r->best);
  buffer_printf(reason, "\na candidate could not be certified%s%s:\n%s", r->why ? ": " : "",
                r->why ? r->why : "", json_string_value(json_object_get(candidate, "text")));
  set_detail(c, "candidate", candidate);
}

void record_refuter_result(struct claim_record *c, const struct program_claim *claim,
                           const struct program_result *r, const char *proof_failure) {
  set_lower(c, r);
  set_detail(c, "trend", program_trend_json(r));
  if (c->verdict != VERDICT_UNKNOWN) return;
  if (r->status == PROGRAM_REFUTED) {
    set_refuted(c, claim, r);
    return;
  }
  if (r->best.is_contradictory) set_detail(c, "internal_error", json_string(r->why));
  struct buffer reason;
  buffer_init(&reason);
  if (proof_failure) buffer_printf(&reason, "%s\n", proof_failure);
  put_reason(&reason, claim, r);
  if (r->is_suspicious) add_candidate(c, claim, r, &reason);
  record_set(&c->reason, buffer_text(&reason));
  if (r->status == PROGRAM_NOT_FOUND) c->causes |= CAUSE_EXHAUSTED;
  if (r->status == PROGRAM_TIMEOUT) c->causes |= CAUSE_TIME;
  if (r->status == PROGRAM_CANNOT && r->where.file) c->causes |= CAUSE_PLACED;
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
