#include "report/judge/judge_prover.h"

#include <stdlib.h>
#include <string.h>

#include "proof/script.h"
#include "report/judge/as_automaton.h"
#include "report/judge/judge_referee.h"
#include "report/record/listing.h"
#include "report/record/proof_record.h"
#include "search/base/parameter.h"
#include "search/prove/prove.h"

/* Lines of a model that are worth reading on a terminal. */
enum { MODEL_LINES = 8 };

static json_t *detail_of(const struct program_claim *claim, const struct proof_result *r) {
  json_t *detail = proof_detail_json(&claim->lang->sources, r, r->forward != NULL);
  json_t *listing = listing_json(claim->lang, claim->claim->as.claim.target, r);
  if (listing) json_object_set_new(detail, "listing", listing);
  return detail;
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

/* What code wants to know of it. */
static unsigned causes_of(const struct proof_result *r) {
  unsigned causes = r->span.file ? CAUSE_PLACED : 0;
  switch (r->cause) {
  case FAILURE_OTHER: return causes;
  case FAILURE_CONTRADICTION: return causes | CAUSE_CONTRADICTION;
  case FAILURE_NOISE: return causes | CAUSE_NOISE;
  case FAILURE_LENGTH: return causes | CAUSE_LENGTH;
  }
  return causes;
}

/* What went wrong, where, and values that show it. */
static void put_failure(struct buffer *out, struct lang *lang, const struct proof_result *r) {
  if (r->span.file) {
    struct place p = sources_place(&lang->sources, r->span.file, r->span.begin);
    buffer_printf(
        out,
        listing_is_virtual(lang, r->span.file) ? "line %u of the attempt: " : "line %u: ", p.line);
  }
  buffer_puts(out, r->reason ? r->reason : "the proof was not accepted");
  if (r->rule) buffer_printf(out, " (rule %s)", r->rule);
  if (r->conjunct) buffer_printf(out, "\nno proof of: %s", r->conjunct);
  if (r->model) put_model(out, r->model);
}

static struct believe_options proof_limits(const struct verify_options *options) {
  struct believe_options proof = believe_default_options();
  proof.explain = options->explain;
  proof.smt.dump_dir = options->dump_smt;
  proof.smt.cross_check = options->cross_check;
  return proof;
}

static void set_failure(struct claim_record *c, struct lang *lang, const char *before,
                        const struct proof_result *r) {
  struct buffer why;
  buffer_init(&why);
  buffer_puts(&why, before);
  put_failure(&why, lang, r);
  record_set(&c->reason, buffer_text(&why));
  c->causes |= causes_of(r);
  buffer_clear(&why);
}

/* The claim may be proved all the same, by other steps or by the search. */
static void warn_of_lost_step(struct lang *lang, const struct proof_result *r) {
  if (!r->lost) return;
  diag_warning(&lang->diags, r->lost_span, "unused-step",
               "there is no sampling of `%s`: this step applies to nothing", r->lost);
  diag_hint(&lang->diags,
            "a step names the variable that is drawn: `sample x: ...` for `x <$ ...`");
}

bool judge_by_proof(struct claim_record *c, const struct program_claim *claim,
                    const struct verify_options *options, const struct budget *budget) {
  struct lang *lang = claim->lang;
  struct believe_options proof = proof_limits(options);
  struct proof_result r;
  size_t errors = lang->diags.errors;
  believe_claim(lang, claim->module, claim->claim, &proof, &r);
  warn_of_lost_step(lang, &r);
  bool is_read = lang->diags.errors == errors, can_grow = false;
  if (is_read && r.verdict == PROOF_BELIEVED) {
    judge_by_referee(c, claim, &(struct proof_text){NULL, NULL}, &r, options, budget);
    if (c->verdict != VERDICT_UNKNOWN) record_set(&c->cost, c->epsilon);
  } else {
    c->detail = detail_of(claim, &r);
    if (is_read && r.verdict == PROOF_ADMITTED) {
      c->verdict = VERDICT_ADMITTED;
      record_set(&c->cost, c->epsilon);
      record_set(&c->reason, "the proof uses `admit`: nothing is guaranteed");
    } else {
      set_failure(c, lang, "the proof fails: ", &r);
      c->causes |= CAUSE_BLOCK;
      can_grow = is_read && !r.is_malformed;
    }
  }
  proof_result_clear(&r);
  return can_grow;
}

void judge_lemma(struct claim_record *c, struct lang *lang, const struct ast_module *module,
                 const struct ast_decl *decl, const struct verify_options *options,
                 const struct budget *budget) {
  struct believe_options proof = proof_limits(options);
  struct proof_result r;
  call_list point = {0};
  size_t errors = lang->diags.errors;
  believe_lemma(lang, module, decl, &proof, &r, &point);
  bool is_read = lang->diags.errors == errors;
  if (is_read && r.verdict == PROOF_BELIEVED) {
    judge_lemma_by_referee(c, lang, module, decl, &r, options, budget);
  } else {
    if (is_read && r.verdict == PROOF_ADMITTED) c->verdict = VERDICT_ADMITTED;
    bool seems_false = is_read && r.verdict == PROOF_FALSE;
    bool is_false =
        seems_false && judge_false_lemma(c, lang, module, decl, &point, options, budget);
    set_failure(c, lang, seems_false && !is_false ? "it seems false, but has no certificate: " : "",
                &r);
    c->detail = proof_detail_json(&lang->sources, &r, false);
  }
  calls_clear(&point);
  proof_result_clear(&r);
}

/* How far an attempt came. */
static void put_progress(struct buffer *out, const struct proof_result *r) {
  size_t proved = 0;
  for (size_t i = 0; i < r->obligation_count; i++)
    proved += r->obligations[i].proved;
  if (r->obligation_count > proved)
    buffer_printf(out, " (%zu of %zu conditions it came to are proved)", proved,
                  r->obligation_count);
}

/* ---- search --------------------------------------------------------------------------------- */

/* What stood in the way, for people; and for code: causes. */
static unsigned put_search(struct buffer *out, struct lang *lang, const struct auto_result *r) {
  unsigned causes = 0;
  buffer_printf(out, "no proof was found%s", r->out_of_time ? " in time" : "");
  if (r->obstacle.message) {
    struct proof_result obstacle = {
        .reason = r->obstacle.message, .span = r->obstacle.span, .cause = r->obstacle.cause};
    buffer_puts(out, ": ");
    put_failure(out, lang, &obstacle);
    causes |= causes_of(&obstacle);
  }
  bool is_shown = r->check && r->tried->promise >= 0;
  if (is_shown) { /* the default proof is no attempt of its own */
    buffer_puts(out, "\nthe best attempt fails");
    put_progress(out, r->check);
    buffer_puts(out, ": ");
    put_failure(out, lang, r->check);
  }
  unsigned of_attempt = r->check ? causes_of(r->check) : 0;
  return causes | (is_shown ? of_attempt : of_attempt & ~CAUSE_PLACED);
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

/* The steps that were added to the given ones, a list of texts. */
static json_t *added_json(const char *added) {
  json_t *list = json_array();
  for (const char *at = added; *at;) {
    size_t length = strcspn(at, "\n");
    const char *from = at + strspn(at, " ");
    if (length) json_array_append_new(list, json_stringn(from, length - (size_t)(from - at)));
    at += length + (at[length] == '\n');
  }
  return list;
}

/* The same as data; docs/json.md. */
static json_t *search_json(struct lang *lang, const struct auto_result *r) {
  json_t *json = json_pack("{s:I, s:b}", "candidates", (json_int_t)r->candidates, "out_of_time",
                           (int)r->out_of_time);
  if (r->strategy) json_object_set_new(json, "strategy", json_string(r->strategy));
  if (r->added) json_object_set_new(json, "completed", added_json(r->added));
  if (r->obstacle.message && !r->proved)
    json_object_set_new(json, "obstacle",
                        json_pack("{s:s, s:s?, s:s?, s:o}", "message", r->obstacle.message,
                                  "budget", r->obstacle.budget, "advice", r->obstacle.advice,
                                  "location", place_json(lang, r->obstacle.span)));
  const struct ast_decl *about =
      r->check ? parameter_of(r->session.terms, r->session.session.module, r->check->formula)
               : NULL;
  if (r->check && !r->proved)
    json_object_set_new(
        json, "attempt",
        json_pack("{s:s, s:s?, s:s?, s:s?, s:s?, s:s?, s:s?, s:o}", "proof", r->tried->proof,
                  "cost", r->tried->epsilon, "rule", r->check->rule, "reason", r->check->reason,
                  "unproved", r->check->conjunct, "parameter", about ? about->name.text : NULL,
                  "model", r->check->model, "location", place_json(lang, r->check->span)));
  return json;
}

/* Verdict, cost, proof and details of a search; the reason is left to the caller if it found none.
 * What it found is judged with evidence, within the time of the claim. */
static void take_search(struct claim_record *c, const struct program_claim *claim,
                        const struct auto_result *r, const struct verify_options *options,
                        const struct budget *whole) {
  if (r->proved) {
    bool is_open = claim->claim->as.claim.asked != NULL;
    judge_by_referee(c, claim, &(struct proof_text){r->proof, is_open ? r->cost : NULL}, r->check,
                     options, whole);
    if (c->verdict != VERDICT_UNKNOWN) record_set(&c->cost, r->cost);
    json_object_set_new(c->detail, "proof", json_string(r->proof));
  } else {
    json_decref(c->detail);
    c->detail = r->check ? detail_of(claim, r->check) : json_object();
  }
  json_object_set_new(c->detail, "search", search_json(claim->lang, r));
}

void judge_by_search(struct claim_record *c, const struct program_claim *claim,
                     const struct verify_options *options, const struct budget *budget,
                     const struct budget *whole) {
  struct auto_options search = {.proof = proof_limits(options), .budget = budget};
  struct auto_result r;
  auto_prove(claim->lang, claim->module, claim->claim, &search, &r);
  take_search(c, claim, &r, options, whole);
  json_t *automaton = as_automaton_json(claim);
  if (automaton) json_object_set_new(c->detail, "automaton", automaton);
  if (!r.proved) {
    struct buffer why;
    buffer_init(&why);
    c->causes |= put_search(&why, claim->lang, &r);
    put_automaton(&why, automaton);
    record_set(&c->reason, buffer_text(&why));
    if (r.out_of_time) c->causes |= CAUSE_TIME;
    buffer_clear(&why);
  }
  auto_result_clear(&r);
}

/* ---- completion ------------------------------------------------------------------------------ */

/* Would the claim be proved without the given steps? */
static bool put_without_block(struct buffer *out, const struct program_claim *claim,
                              const struct verify_options *options, const struct budget *budget) {
  struct auto_options search = {.proof = proof_limits(options), .budget = budget};
  search.proof.explain = false;
  struct auto_result r;
  auto_prove(claim->lang, claim->module, claim->claim, &search, &r);
  if (r.proved)
    buffer_printf(out,
                  "\nwithout the proof block the search proves the claim (cost %s): a step of the "
                  "block is wrong or too weak",
                  r.cost);
  else if (!r.out_of_time)
    buffer_puts(out, "\nwithout the proof block the search finds no proof either");
  bool proved = r.proved;
  auto_result_clear(&r);
  return proved;
}

static bool has_backward(struct lang *lang, struct span block) {
  struct diag_mark mark = diags_mark(&lang->diags);
  const struct script_scope *script = script_parse(lang, block);
  diags_rollback(&lang->diags, mark);
  return script && script->backward;
}

/* Is there a `backward` in the attempt, but not in the given block? */
static bool uses_both_ways(const struct program_claim *claim, const char *attempt) {
  struct lang *lang = claim->lang;
  size_t length = strlen(attempt);
  uint32_t file = sources_add(&lang->sources, "<attempt>", attempt, length);
  return has_backward(lang, (struct span){file, 0, (uint32_t)length}) &&
         !has_backward(lang, claim->claim->as.claim.proof);
}

static unsigned put_completion(struct buffer *out, struct lang *lang, const struct auto_result *r,
                               const char *failure) {
  buffer_printf(out, "%s\nit could not be completed%s (%zu attempt%s; the given steps were kept)",
                failure, r->out_of_time ? " in time" : "", r->candidates,
                r->candidates == 1 ? "" : "s");
  if (!r->check || r->candidates < 2) return 0;
  buffer_puts(out, "; the best attempt fails");
  put_progress(out, r->check);
  buffer_puts(out, ": ");
  put_failure(out, lang, r->check);
  return causes_of(r->check);
}

void judge_by_completion(struct claim_record *c, const struct program_claim *claim,
                         const struct verify_options *options, const struct budget *budget,
                         const struct budget *whole, const char *failure) {
  struct auto_options search = {.proof = proof_limits(options), .budget = budget, .complete = true};
  struct auto_result r;
  auto_prove(claim->lang, claim->module, claim->claim, &search, &r);
  take_search(c, claim, &r, options, whole);
  if (!r.proved) {
    struct buffer why;
    buffer_init(&why);
    c->causes |= put_completion(&why, claim->lang, &r, failure);
    if (r.tried && uses_both_ways(claim, r.tried->proof))
      buffer_puts(&why,
                  "\nthe given steps were taken for both directions: add `backward { }` to the "
                  "block if they are meant for one");
    c->causes |= CAUSE_BLOCK | (r.out_of_time ? CAUSE_TIME : 0) |
                 (put_without_block(&why, claim, options, budget) ? CAUSE_NEEDLESS : 0);
    record_set(&c->reason, buffer_text(&why));
    buffer_clear(&why);
  }
  auto_result_clear(&r);
}
