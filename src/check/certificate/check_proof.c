#include "check/certificate/check_proof.h"

#include <string.h>

#include "base/limits.h"
#include "check/proof/replay.h"
#include "lang/syntax/parse.h"

/* Stops a derivation that takes too long: what is not shown in time is not shown. */
struct timed_decider {
  struct dossier_decider reader; /* first: it is the decider */
  bool (*refute)(struct decider *d, struct terms *ts, const struct sequent *s,
                 struct refutation *out, const char **why);
  const struct budget *budget;
};

static bool refute_in_time(struct decider *d, struct terms *ts, const struct sequent *s,
                           struct refutation *out, const char **why) {
  const struct timed_decider *t = (const struct timed_decider *)d;
  *why = "out of time";
  return !budget_is_spent(t->budget) && t->refute(d, ts, s, out, why);
}

/* The calls of the kernel for a claim, or for a lemma (no epsilon). */
static bool replay(struct cert_source *source, const struct cert_statement *s,
                   const struct ast_expr *epsilon, struct terms *terms, struct decider *decider,
                   const call_list *calls, const struct budget *budget, char **why) {
  enum claim_verdict verdict = CLAIM_NOT_PROVED;
  const char *wrong = NULL;
  struct span where;
  if (epsilon) {
    struct claim *claim = claim_open_at(&source->lang, source->module, s->decl, epsilon, terms,
                                        decider, &wrong, &where);
    if (claim) verdict = replay_claim(claim, calls, budget, why);
    claim_close(claim);
  } else {
    struct lemma *lemma =
        lemma_open(&source->lang, source->module, s->decl, terms, decider, &wrong, &where);
    if (lemma) verdict = replay_lemma(lemma, calls, budget, why);
    lemma_close(lemma);
  }
  if (verdict == CLAIM_PROVED) return true;
  if (!*why) *why = xstrdup(wrong ? wrong : "the derivation was not accepted");
  return false;
}

/* In a table of terms of its own, as when the dossier was written. */
static bool check(struct cert_source *source, const struct cert_statement *s,
                  const struct ast_expr *epsilon, struct dossier *dossier,
                  const struct budget *budget, char **why) {
  struct terms terms;
  struct timed_decider decider = {.budget = budget};
  terms_init(&terms);
  dossier_decider_init(&decider.reader, dossier, &terms);
  decider.refute = decider.reader.decider.refute;
  decider.reader.decider.refute = refute_in_time;
  bool ok =
      replay(source, s, epsilon, &terms, &decider.reader.decider, &dossier->calls, budget, why);
  if (ok && !dossier_is_used_up(&decider.reader)) {
    *why = xstrdup("some refutation or term belongs to no obligation");
    ok = false;
  }
  dossier_decider_clear(&decider.reader);
  terms_clear(&terms);
  return ok;
}

bool cert_check_proof(struct cert_source *source, const struct cert_statement *s,
                      const char *epsilon, struct dossier *dossier, const struct budget *budget,
                      char **why) {
  const struct ast_expr *cost = s->decl->as.claim.epsilon;
  if (cost->kind != EXPR_HOLE && strcmp(epsilon, s->epsilon) != 0) {
    *why = xasprintf("the claim is epsilon '%.64s', not '%.64s'", s->epsilon, epsilon);
    return false;
  }
  if (strlen(epsilon) > LIMIT_SOURCE_BYTES) {
    *why = xstrdup("the cost is larger than a source may be");
    return false;
  }
  struct diag_mark mark = diags_mark(&source->lang.diags);
  if (cost->kind == EXPR_HOLE)
    cost = parse_expression(&source->lang,
                            sources_add(&source->lang.sources, "<cost>", epsilon, strlen(epsilon)));
  /* what cannot be read without an error is not evidence */
  bool ok = cost && source->lang.diags.errors == mark.errors;
  if (!ok) *why = xstrdup("the cost could not be read");
  ok = ok && check(source, s, cost, dossier, budget, why);
  diags_rollback(&source->lang.diags, mark);
  return ok;
}

bool cert_check_lemma(struct cert_source *source, const struct cert_statement *s,
                      struct dossier *dossier, const struct budget *budget, char **why) {
  return check(source, s, NULL, dossier, budget, why);
}
