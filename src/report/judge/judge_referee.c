#include "report/judge/judge_referee.h"

#include <string.h>

#include "check/certificate/dossier_json.h"
#include "out/evidence.h"
#include "report/record/cert_write.h"
#include "report/record/listing.h"
#include "report/record/proof_record.h"
#include "smt/refereed.h"

static size_t count_believed(const struct proof_result *r) {
  size_t count = 0;
  for (size_t i = 0; i < r->obligation_count; i++)
    count += r->obligations[i].believed;
  return count;
}

static const struct proof_obligation *first_believed(const struct proof_result *r) {
  for (size_t i = 0; i < r->obligation_count; i++)
    if (r->obligations[i].believed) return &r->obligations[i];
  return NULL;
}

static void put_place(struct buffer *out, struct lang *lang, struct span span) {
  if (!span.file) return;
  struct place p = sources_place(&lang->sources, span.file, span.begin);
  buffer_printf(out, p.path[0] == '<' ? "line %u of the proof: " : "line %u: ", p.line);
}

/* Why there is no verdict. */
static void put_missing(struct buffer *out, struct lang *lang, const struct proof_result *r,
                        const struct budget *budget) {
  const char *reason = r->reason ? r->reason : "the proof was not accepted";
  if (budget_is_spent(budget))
    buffer_puts(out, "out of time before every obligation had a refutation");
  else if (!r->lacks_evidence)
    buffer_puts(out, "a proof was believed, but not accepted with evidence");
  else
    buffer_puts(out, "rests on the solver alone");
  if (r->conjunct) buffer_printf(out, ": %s", r->conjunct);
  buffer_putc(out, '\n');
  put_place(out, lang, r->span);
  buffer_puts(out, reason);
  if (r->rule) buffer_printf(out, " (rule %s)", r->rule);
  if (r->lacks_evidence)
    buffer_puts(out, "\nwith --trust-solver the solver's word is taken for it");
}

static void put_trust(struct buffer *out, struct lang *lang, const struct proof_result *r) {
  const struct proof_obligation *o = first_believed(r);
  size_t count = count_believed(r);
  buffer_printf(out, "trusts the solver: %zu of %zu obligations rest%s on it alone", count,
                r->obligation_count, count == 1 ? "s" : "");
  if (!o) return;
  buffer_printf(out, "%s: %s\n", count > 1 ? ", the first" : "", o->formula);
  put_place(out, lang, o->span);
  buffer_printf(out, "%s (rule %s)", o->what, o->rule);
}

static void set_verdict(struct claim_record *c, struct lang *lang, const struct proof_result *r,
                        const struct budget *budget) {
  struct buffer why;
  buffer_init(&why);
  c->verdict = VERDICT_UNKNOWN;
  if (r->verdict == PROOF_PROVED) {
    c->verdict = VERDICT_PROVED;
  } else if (r->verdict == PROOF_BELIEVED) {
    c->verdict = VERDICT_ADMITTED;
    put_trust(&why, lang, r);
  } else {
    put_missing(&why, lang, r, budget);
    if (r->span.file) c->causes |= CAUSE_PLACED;
  }
  record_set(&c->reason, r->verdict == PROOF_PROVED ? NULL : buffer_text(&why));
  buffer_clear(&why);
}

/* What cvc5 said to the solver's answers in the search. */
static json_t *cross_check_json(const struct proof_result *believed) {
  size_t answers = 0, confirmed = 0;
  for (size_t i = 0; i < believed->obligation_count; i++) {
    const struct proof_obligation *o = &believed->obligations[i];
    if (!o->believed || !o->method || strcmp(o->method, "trivial") == 0) continue;
    answers++;
    confirmed += o->cross_checked;
  }
  return json_pack("{s:I, s:I}", "answers", (json_int_t)answers, "confirmed",
                   (json_int_t)confirmed);
}

static void set_detail(struct claim_record *c, struct lang *lang, const struct proof_result *r,
                       const struct proof_result *believed, const struct verify_options *options) {
  json_decref(c->detail);
  c->detail = proof_detail_json(&lang->sources, r, options->explain);
  size_t count = count_believed(r);
  if (count) json_object_set_new(c->detail, "rests_on_solver", json_integer((json_int_t)count));
  if (options->cross_check)
    json_object_set_new(c->detail, "cross_check", cross_check_json(believed));
}

/* For a certificate, or for the cache, which is believed for its evidence only. */
static bool wants_evidence(const struct verify_options *options) {
  return options->certificates || options->cache;
}

static struct refereed_options limits(const struct verify_options *options,
                                      const struct budget *budget) {
  return (struct refereed_options){.budget = budget,
                                   .trust_solver = options->trust_solver,
                                   .explain = options->explain,
                                   .evidence = wants_evidence(options)};
}

void judge_by_referee(struct claim_record *c, const struct program_claim *claim,
                      const struct proof_text *text, const struct proof_result *believed,
                      const struct verify_options *options, const struct budget *budget) {
  struct lang *lang = claim->lang;
  struct refereed_options how = limits(options, budget);
  struct dossier dossier;
  struct proof_result r;
  dossier_init(&dossier);
  struct diag_mark mark = diags_mark(&lang->diags); /* the text was read without errors before */
  refereed_claim(lang, claim->module, claim->claim, text, &how, &dossier, &r);
  diags_rollback(&lang->diags, mark);
  set_verdict(c, lang, &r, budget);
  set_detail(c, lang, &r, believed, options);
  json_t *listing = listing_json(lang, claim->claim->as.claim.target, &r);
  if (listing) json_object_set_new(c->detail, "listing", listing);
  if (c->verdict == VERDICT_PROVED && dossier.calls.len) c->certificate = dossier_to_json(&dossier);
  proof_result_clear(&r);
  dossier_clear(&dossier);
}

void judge_lemma_by_referee(struct claim_record *c, struct lang *lang,
                            const struct ast_module *module, const struct ast_decl *lemma,
                            const struct proof_result *believed,
                            const struct verify_options *options, const struct budget *budget) {
  struct refereed_options how = limits(options, budget);
  struct dossier dossier;
  struct proof_result r;
  dossier_init(&dossier);
  struct diag_mark mark = diags_mark(&lang->diags);
  refereed_lemma(lang, module, lemma, &how, &dossier, &r);
  diags_rollback(&lang->diags, mark);
  set_verdict(c, lang, &r, budget);
  set_detail(c, lang, &r, believed, options);
  if (c->verdict == VERDICT_PROVED && wants_evidence(options))
    c->certificate = cert_of_lemma(dossier_to_json(&dossier));
  proof_result_clear(&r);
  dossier_clear(&dossier);
}

bool judge_false_lemma(struct claim_record *c, struct lang *lang, const struct ast_module *module,
                       const struct ast_decl *lemma, call_list *point,
                       const struct verify_options *options, const struct budget *budget) {
  struct refereed_options how = limits(options, budget);
  struct dossier dossier;
  dossier_init(&dossier);
  bool ok = refereed_false_lemma(lang, module, lemma, point, &how, &dossier);
  if (ok) {
    c->verdict = VERDICT_REFUTED;
    c->certificate = cert_of_false_lemma(dossier_to_json(&dossier));
  }
  dossier_clear(&dossier);
  return ok;
}
