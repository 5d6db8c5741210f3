#include "report/judge_prover.h"

#include <stdlib.h>
#include <string.h>

#include "auto/auto.h"
#include "report/as_automaton.h"
#include "report/listing.h"
#include "report/proof_record.h"

/* Lines of a model that are worth reading on a terminal. */
enum { MODEL_LINES = 8 };

static json_t *detail_of(const struct program_claim *claim, const struct proof_result *r) {
  json_t *detail = proof_detail_json(&claim->lang->sources, r);
  json_t *listing = listing_json(claim->lang, claim->claim->as.claim.target, r);
  if (listing) json_object_set_new(detail, "listing", listing);
  return detail;
}

/* Text that stands in no file: a proof that was tried. */
static bool is_virtual(struct lang *lang, uint32_t file) {
  return sources_get(&lang->sources, file)->path[0] == '<';
}

static void put_model(struct buffer *out, const char *model) {
  buffer_puts(out, "\nit fails for:");
  for (int i = 0; *model && i < MODEL_LINES; i++) {
    size_t length = strcspn(model, "\n");
    buffer_puts(out, i ? ", " : " ");
    buffer_add(out, model, length);
    model += length + (model[length] == '\n');
  }
  if (*model) buffer_puts(out, ", ...");
}

/* What went wrong, where, and values that show it. */
static void put_failure(struct buffer *out, struct lang *lang, const struct proof_result *r) {
  if (r->span.file) {
    struct place p = sources_place(&lang->sources, r->span.file, r->span.begin);
    buffer_printf(
        out, is_virtual(lang, r->span.file) ? "line %u of the attempt: " : "line %u: ", p.line);
  }
  buffer_puts(out, r->reason ? r->reason : "the proof was not accepted");
  if (r->rule) buffer_printf(out, " (rule %s)", r->rule);
  if (r->conjunct) buffer_printf(out, "\nno proof of: %s", r->conjunct);
  if (r->model) put_model(out, r->model);
}

static struct proof_options proof_limits(const struct verify_options *options) {
  struct proof_options proof = proof_default_options();
  proof.explain = options->explain;
  proof.smt.dump_dir = options->dump_smt;
  proof.smt.cross_check = options->cross_check;
  return proof;
}

void judge_by_proof(struct claim_record *c, const struct program_claim *claim,
                    const struct verify_options *options) {
  struct lang *lang = claim->lang;
  struct proof_options proof = proof_limits(options);
  struct proof_result r;
  size_t errors = lang->diags.errors;
  proof_check_claim(lang, claim->module, claim->claim, &proof, &r);
  if (r.verdict != PROOF_UNKNOWN && lang->diags.errors == errors) {
    c->verdict = r.verdict == PROOF_PROVED ? VERDICT_PROVED : VERDICT_ADMITTED;
    record_set(&c->cost, c->epsilon);
    record_set(&c->reason,
               r.verdict == PROOF_PROVED ? NULL : "the proof uses `admit`: nothing is guaranteed");
  } else {
    struct buffer why;
    buffer_init(&why);
    buffer_puts(&why, "the proof fails: ");
    put_failure(&why, lang, &r);
    record_set(&c->reason, buffer_text(&why));
    buffer_clear(&why);
  }
  c->detail = detail_of(claim, &r);
  proof_result_clear(&r);
}

void judge_lemma(struct claim_record *c, struct lang *lang, const struct ast_module *module,
                 const struct ast_decl *decl, const struct verify_options *options) {
  static const enum verdict verdicts[] = {[PROOF_UNKNOWN] = VERDICT_UNKNOWN,
                                          [PROOF_PROVED] = VERDICT_PROVED,
                                          [PROOF_ADMITTED] = VERDICT_ADMITTED,
                                          [PROOF_FALSE] = VERDICT_REFUTED};
  struct proof_options proof = proof_limits(options);
  struct proof_result r;
  size_t errors = lang->diags.errors;
  proof_check_lemma(lang, module, decl, &proof, &r);
  if (lang->diags.errors == errors) c->verdict = verdicts[r.verdict];
  struct buffer why;
  buffer_init(&why);
  put_failure(&why, lang, &r);
  record_set(&c->reason, c->verdict == VERDICT_PROVED ? NULL : buffer_text(&why));
  buffer_clear(&why);
  c->detail = proof_detail_json(&lang->sources, &r);
  proof_result_clear(&r);
}

/* ---- search --------------------------------------------------------------------------------- */

/* What stood in the way, for people. */
static void put_search(struct buffer *out, struct lang *lang, const struct auto_result *r) {
  buffer_printf(out, "no proof was found%s", r->out_of_time ? " in time" : "");
  if (r->obstacle.message) {
    struct proof_result obstacle = {.reason = r->obstacle.message, .span = r->obstacle.span};
    buffer_puts(out, ": ");
    put_failure(out, lang, &obstacle);
    if (r->obstacle.budget)
      buffer_printf(out, "; what could be coupled costs %s", r->obstacle.budget);
  }
  if (r->check && r->tried->promise >= 0) { /* the default proof is no attempt of its own */
    buffer_puts(out, "\nthe best attempt fails: ");
    put_failure(out, lang, r->check);
  }
}

/* What the engine for automata thinks of the loop. */
static void put_automaton(struct buffer *out, const json_t *automaton) {
  const char *cost = json_string_value(json_object_get(automaton, "cost"));
  if (cost)
    buffer_printf(out, "\nas an automaton it would cost %s*eps (no proof for the program)", cost);
  else if (json_is_false(json_object_get(automaton, "private")))
    buffer_puts(out, "\nas an automaton it has no finite cost (no proof for the program)");
}

static json_t *place_json(struct lang *lang, struct span span) {
  if (!span.file) return json_null();
  struct place p = sources_place(&lang->sources, span.file, span.begin);
  return json_pack("{s:s, s:i, s:i}", "file", p.path, "line", (int)p.line, "column", (int)p.column);
}

/* The same as data; docs/json.md. */
static json_t *search_json(struct lang *lang, const struct auto_result *r) {
  json_t *json = json_pack("{s:I, s:b}", "candidates", (json_int_t)r->candidates, "out_of_time",
                           (int)r->out_of_time);
  if (r->strategy) json_object_set_new(json, "strategy", json_string(r->strategy));
  if (r->obstacle.message && !r->proved)
    json_object_set_new(json, "obstacle",
                        json_pack("{s:s, s:s?, s:o}", "message", r->obstacle.message, "budget",
                                  r->obstacle.budget, "location",
                                  place_json(lang, r->obstacle.span)));
  if (r->check && !r->proved)
    json_object_set_new(json, "attempt",
                        json_pack("{s:s, s:s?, s:s?, s:s?, s:s?, s:s?, s:o}", "proof",
                                  r->tried->proof, "cost", r->tried->epsilon, "rule",
                                  r->check->rule, "reason", r->check->reason, "unproved",
                                  r->check->conjunct, "model", r->check->model, "location",
                                  place_json(lang, r->check->span)));
  return json;
}

void judge_by_search(struct claim_record *c, const struct program_claim *claim,
                     const struct verify_options *options, const struct budget *budget) {
  struct auto_options search = {.proof = proof_limits(options), .budget = budget};
  struct auto_result r;
  auto_prove(claim->lang, claim->module, claim->claim, &search, &r);
  c->detail = r.check ? detail_of(claim, r.check) : json_object();
  json_object_set_new(c->detail, "search", search_json(claim->lang, &r));
  json_t *automaton = as_automaton_json(claim);
  if (automaton) json_object_set_new(c->detail, "automaton", automaton);
  if (r.proved) {
    c->verdict = VERDICT_PROVED;
    record_set(&c->cost, r.cost);
    record_set(&c->reason, NULL);
    json_object_set_new(c->detail, "proof", json_string(r.proof));
  } else {
    struct buffer why;
    buffer_init(&why);
    put_search(&why, claim->lang, &r);
    put_automaton(&why, automaton);
    record_set(&c->reason, buffer_text(&why));
    buffer_clear(&why);
  }
  auto_result_clear(&r);
}
