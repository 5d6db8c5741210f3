#include "cert/check_proof.h"

#include <string.h>

#include "base/limits.h"
#include "proof/proof.h"

static char *reason_of(const struct proof_result *r) {
  if (r->verdict == PROOF_ADMITTED) return xstrdup("the proof uses `admit`");
  const char *reason = r->reason ? r->reason : "the proof was not accepted";
  return r->rule ? xasprintf("%s (rule %s)", reason, r->rule) : xstrdup(reason);
}

bool cert_check_proof(struct cert_source *source, const struct cert_statement *s,
                      const char *epsilon, const char *proof, const struct budget *budget,
                      char **why) {
  bool is_open = s->decl->as.claim.epsilon->kind == EXPR_HOLE;
  if (!is_open && strcmp(epsilon, s->epsilon) != 0) {
    *why = xasprintf("the claim is epsilon '%.64s', not '%.64s'", s->epsilon, epsilon);
    return false;
  }
  if (strlen(proof) > LIMIT_SOURCE_BYTES || strlen(epsilon) > LIMIT_SOURCE_BYTES) {
    *why = xstrdup("the proof is larger than a source may be");
    return false;
  }
  if (budget_is_spent(budget)) {
    *why = xstrdup("out of time");
    return false;
  }
  struct proof_options options = proof_default_options();
  struct proof_session session;
  struct proof_result result;
  struct diag_mark mark = diags_mark(&source->lang.diags);
  proof_session_init(&session, &source->lang, source->module, s->decl, &options);
  proof_session_check(&session, &(struct proof_text){proof, is_open ? epsilon : NULL}, &result);
  /* what cannot be read without an error is not evidence, whatever came out */
  bool ok = result.verdict == PROOF_PROVED && source->lang.diags.errors == mark.errors;
  if (!ok) *why = reason_of(&result);
  diags_rollback(&source->lang.diags, mark);
  proof_result_clear(&result);
  proof_session_clear(&session);
  return ok;
}
