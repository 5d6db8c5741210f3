#include "report/judge_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "auto/auto.h"
#include "report/judge_refuter.h"
#include "report/proof_record.h"

/* What went wrong, where, and values that show it. */
static char *proof_reason(struct lang *lang, const struct proof_result *r) {
  struct buffer b;
  buffer_init(&b);
  if (r->span.file) {
    struct place p = sources_place(&lang->sources, r->span.file, r->span.begin);
    buffer_printf(&b, "line %u: ", p.line);
  }
  buffer_puts(&b, r->reason ? r->reason : "the proof was not accepted");
  if (r->rule) buffer_printf(&b, " (rule %s)", r->rule);
  if (r->conjunct) buffer_printf(&b, "\nno proof of: %s", r->conjunct);
  if (r->model) buffer_printf(&b, "\nit fails for: %s", r->model);
  while (b.len && b.text[b.len - 1] == '\n')
    b.text[--b.len] = '\0';
  return buffer_take(&b);
}

static struct proof_options proof_limits(const struct verify_options *options) {
  struct proof_options proof = proof_default_options();
  proof.explain = options->explain;
  proof.smt.dump_dir = options->dump_smt;
  proof.smt.cross_check = options->cross_check;
  return proof;
}

/* The kernel's verdict on the claim's proof. True when that settles the claim; else *why says what
 * was missing (xmalloc'd). */
static bool judge_by_proof(struct claim_record *c, const struct program_claim *claim,
                           const struct verify_options *options, char **why) {
  struct lang *lang = claim->lang;
  struct proof_options proof = proof_limits(options);
  struct proof_result r;
  size_t errors = lang->diags.errors;
  proof_check_claim(lang, claim->module, claim->claim, &proof, &r);
  bool settled = r.verdict != PROOF_UNKNOWN && lang->diags.errors == errors;
  if (settled) {
    c->verdict = r.verdict == PROOF_PROVED ? VERDICT_PROVED : VERDICT_ADMITTED;
    record_set(&c->cost, c->epsilon);
    record_set(&c->reason,
               r.verdict == PROOF_PROVED ? NULL : "the proof uses `admit`: nothing is guaranteed");
  } else {
    char *reason = proof_reason(lang, &r);
    *why = xasprintf("the proof fails: %s", reason);
    free(reason);
  }
  c->detail = proof_detail_json(&lang->sources, &r);
  proof_result_clear(&r);
  return settled;
}

/* Why the search for a proof found none (xmalloc'd). */
static char *search_reason(struct lang *lang, const struct auto_result *r) {
  if (r->obstacle.message) {
    struct proof_result obstacle = {.reason = r->obstacle.message, .span = r->obstacle.span};
    char *reason = proof_reason(lang, &obstacle);
    char *text = xasprintf("no proof was found: %s", reason);
    free(reason);
    return text;
  }
  return xasprintf("no proof was found (%zu tried%s)", r->candidates,
                   r->out_of_time ? ", out of time" : "");
}

/* The same for a proof that has to be found. */
static bool judge_by_search(struct claim_record *c, const struct program_claim *claim,
                            const struct verify_options *options, const struct budget *budget,
                            char **why) {
  struct auto_options search = {.proof = proof_limits(options), .budget = budget};
  struct auto_result r;
  auto_prove(claim->lang, claim->module, claim->claim, &search, &r);
  if (r.proved) {
    c->verdict = VERDICT_PROVED;
    record_set(&c->cost, r.cost);
    record_set(&c->reason, NULL);
  } else {
    *why = search_reason(claim->lang, &r);
  }
  if (r.check) {
    c->detail = proof_detail_json(&claim->lang->sources, r.check);
    if (r.proved) json_object_set_new(c->detail, "proof", json_string(r.proof));
  }
  auto_result_clear(&r);
  return c->verdict == VERDICT_PROVED;
}

void judge_program(struct claim_record *c, const struct program_claim *claim,
                   const struct verify_options *options, const struct budget *budget) {
  const struct ast_decl *decl = claim->claim;
  char *why = NULL;
  bool settled = decl->as.claim.has_proof ? judge_by_proof(c, claim, options, &why)
                                          : judge_by_search(c, claim, options, budget, &why);
  if (!settled && decl->as.claim.epsilon->kind == EXPR_HOLE)
    record_set(&c->reason, why);
  else if (!settled)
    judge_by_refuter(c, claim, options->search, budget, why);
  free(why);
}
