#include "check/certificate/check_proof.h"

#include <string.h>

#include "check/proof/replay.h"

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

/* In a table of terms of its own, as when the dossier was written. */
static bool check(struct cert_source *source, const struct cert_statement *s,
                  const struct ast_expr *epsilon, bool is_false, struct dossier *dossier,
                  const struct budget *budget, char **why) {
  struct terms terms;
  struct timed_decider decider = {.budget = budget};
  terms_init(&terms);
  dossier_decider_init(&decider.reader, dossier, &terms);
  decider.refute = decider.reader.decider.refute;
  decider.reader.decider.refute = refute_in_time;
  struct replay_goal goal = {.lang = &source->lang,
                             .module = source->module,
                             .decl = s->decl,
                             .epsilon = epsilon,
                             .terms = &terms,
                             .decider = &decider.reader.decider,
                             .is_false = is_false};
  bool ok = replay_calls(&goal, &dossier->calls, budget, why) == CLAIM_PROVED;
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
  bool is_open = s->decl->as.claim.asked != NULL;
  if (!is_open && strcmp(epsilon, s->epsilon) != 0) {
    *why = xasprintf("the claim is epsilon '%.64s', not '%.64s'", s->epsilon, epsilon);
    return false;
  }
  if (is_open) cost = replay_expression(&source->lang, epsilon);
  if (cost) return check(source, s, cost, false, dossier, budget, why);
  *why = xstrdup("the cost could not be read");
  return false;
}

bool cert_check_lemma(struct cert_source *source, const struct cert_statement *s, bool is_false,
                      struct dossier *dossier, const struct budget *budget, char **why) {
  return check(source, s, NULL, is_false, dossier, budget, why);
}
