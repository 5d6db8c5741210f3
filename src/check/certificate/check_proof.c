#include "check/certificate/check_proof.h"

#include <string.h>

#include "base/limits.h"
#include "proof/proof.h"

static char *reason_of(const struct proof_result *r) {
  if (r->verdict == PROOF_ADMITTED) return xstrdup("the proof uses `admit`");
  const char *reason = r->reason ? r->reason : "the proof was not accepted";
  return r->rule ? xasprintf("%s (rule %s)", reason, r->rule) : xstrdup(reason);
}

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

/* The derivation of a claim or lemma in a table of terms of its own, as when the dossier was
 * written. */
static bool replay(struct cert_source *source, const struct cert_statement *s,
                   const struct proof_text *text, struct dossier *dossier,
                   const struct budget *budget, char **why) {
  struct terms terms;
  struct timed_decider decider = {.budget = budget};
  struct proof_result result;
  terms_init(&terms);
  dossier_decider_init(&decider.reader, dossier, &terms);
  decider.refute = decider.reader.decider.refute;
  decider.reader.decider.refute = refute_in_time;
  struct proof_session session = {.lang = &source->lang,
                                  .module = source->module,
                                  .claim = s->decl,
                                  .terms = &terms,
                                  .decider = &decider.reader.decider};
  struct diag_mark mark = diags_mark(&source->lang.diags);
  if (s->decl->kind == DECL_LEMMA)
    proof_session_check_lemma(&session, &result);
  else
    proof_session_check(&session, text, &result);
  /* what cannot be read without an error is not evidence, whatever came out */
  bool ok = result.verdict == PROOF_PROVED && source->lang.diags.errors == mark.errors;
  if (!ok) {
    *why = reason_of(&result);
  } else if (!dossier_is_used_up(&decider.reader)) {
    *why = xstrdup("some refutation or term belongs to no obligation");
    ok = false;
  }
  diags_rollback(&source->lang.diags, mark);
  proof_result_clear(&result);
  dossier_decider_clear(&decider.reader);
  terms_clear(&terms);
  return ok;
}

bool cert_check_proof(struct cert_source *source, const struct cert_statement *s,
                      const struct cert_proof *p, const struct budget *budget, char **why) {
  bool is_open = s->decl->as.claim.epsilon->kind == EXPR_HOLE;
  if (!is_open && strcmp(p->epsilon, s->epsilon) != 0) {
    *why = xasprintf("the claim is epsilon '%.64s', not '%.64s'", s->epsilon, p->epsilon);
    return false;
  }
  if (strlen(p->proof) > LIMIT_SOURCE_BYTES || strlen(p->epsilon) > LIMIT_SOURCE_BYTES) {
    *why = xstrdup("the proof is larger than a source may be");
    return false;
  }
  if (budget_is_spent(budget)) {
    *why = xstrdup("out of time");
    return false;
  }
  const struct proof_text text = {p->proof, is_open ? p->epsilon : NULL};
  return replay(source, s, &text, p->dossier, budget, why);
}

bool cert_check_lemma(struct cert_source *source, const struct cert_statement *s,
                      struct dossier *dossier, const struct budget *budget, char **why) {
  return replay(source, s, NULL, dossier, budget, why);
}
