#include "check/certificate/check_proof.h"

#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "check/certificate/dossier_json.h"
#include "check/proof/replay.h"

/* ---- calls of the kernel -------------------------------------------------------------------- */

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

/* Does the kernel accept the derivation of the dossier for the claim, and the referee every
 * refutation? `epsilon` is what it shows, as source text: that of the claim, unless it asks for the
 * least. Nothing is searched for. False: *why says what is missing (xmalloc'd). */
static bool replays(struct cert_source *source, const struct cert_statement *s, const char *epsilon,
                    struct dossier *dossier, const struct budget *budget, char **why) {
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

/* ---- program-proof -------------------------------------------------------------------------- */

/* The cost is printed as part of the verdict: nothing but an expression, on one line. */
static bool is_one_line(const char *text) {
  return visible_is_plain(text) && text[0] && text[0] != ' ' && !strstr(text, "  ") &&
         !strstr(text, "//") && !strstr(text, "/*");
}

static void say_proved(struct checker *c, const struct cert_statement *s, const char *cost,
                       size_t refutations) {
  const struct ast_expr *asked = s->decl->as.claim.asked;
  if (s->decl->as.claim.law)
    buffer_printf(c->said, "proved    samples %s", cost);
  else if (s->decl->as.claim.formula && asked && asked != s->decl->as.claim.epsilon)
    buffer_printf(c->said, "proved    accurate with ? = %s, failure %s", cost, s->epsilon);
  else if (s->decl->as.claim.formula)
    buffer_printf(c->said, "proved    accurate, failure %s", cost);
  else if (s->notion)
    buffer_printf(c->said, "proved    %s%s %s", s->notion,
                  s->decl->as.claim.notion == NOTION_RENYI ? " epsilon" : "", cost);
  else
    buffer_printf(c->said, "proved    (%s%s%s)-private", cost, s->delta ? ", " : "",
                  s->delta ? s->delta : "");
  buffer_printf(c->said, " (derivation checked by the kernel, %zu refutations by the referee)",
                refutations);
}

bool cert_judge_proof(struct checker *c, const struct cert_statement *s, const json_t *json) {
  const char *epsilon = reader_text(&c->r, json, "epsilon");
  if (!epsilon) return false;
  if (!is_one_line(epsilon)) {
    reader_enter(&c->r, "epsilon");
    return reader_fail(&c->r, MALFORMED,
                       "expected an expression on one line, without comments or needless blanks");
  }
  struct dossier dossier;
  dossier_init(&dossier);
  char *why = NULL;
  bool ok = dossier_from_json(&c->r, json, &dossier);
  if (ok && !replays(c->source, s, epsilon, &dossier, c->budget, &why))
    ok = reader_fail(&c->r, REJECTED, "%s", why);
  free(why);
  if (ok) say_proved(c, s, epsilon, dossier.entries.len);
  c->assumes |= ok;
  dossier_clear(&dossier);
  return ok;
}

/* ---- lemma-proof ---------------------------------------------------------------------------- */

static bool check_lemma_calls(struct checker *c, const struct cert_statement *s, const json_t *json,
                              bool is_false) {
  struct dossier dossier;
  dossier_init(&dossier);
  char *why = NULL;
  bool ok = dossier_from_json(&c->r, json, &dossier);
  if (ok && !check(c->source, s, NULL, is_false, &dossier, c->budget, &why))
    ok = reader_fail(&c->r, REJECTED, "%s", why);
  free(why);
  if (ok)
    buffer_printf(c->said, "%s (%zu refutations checked by the referee)",
                  is_false ? "refuted   lemma: false at the values of the certificate"
                           : "proved    lemma",
                  dossier.entries.len);
  c->assumes |= ok && !is_false;
  dossier_clear(&dossier);
  return ok;
}

bool cert_judge_lemma(struct checker *c, const struct cert_statement *s, const json_t *json) {
  return check_lemma_calls(c, s, json, false);
}

/* ---- lemma-counterexample ------------------------------------------------------------------- */

bool cert_judge_false_lemma(struct checker *c, const struct cert_statement *s, const json_t *json) {
  return check_lemma_calls(c, s, json, true);
}
