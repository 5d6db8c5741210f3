#include "smt/refereed.h"

#include <stdlib.h>

#include "advocate/advocate.h"
#include "check/proof/replay.h"
#include "out/dossier_write.h"
#include "smt/archive.h"
#include "smt/believe.h"

/* For one obligation: most need a few milliseconds; what the solver believes is worth some time.
 * For all of a claim: no more than that is spent in vain, since one failure decides the verdict. */
static const double ADVOCATE_SECONDS = 10, SOLVER_SECONDS = 2, PATIENCE = 20;

/* Answers from the dossier, which the advocate fills on demand. */
struct court {
  struct decider decider;
  struct dossier_decider reader;
  struct dossier_writer writer;
  const struct budget *budget;
  struct archive *found;  /* or NULL: what is found is kept there, */
  struct archive *before; /* or NULL: and this was found before */
  bool (*advocate)(struct terms *ts, const struct sequent *sequent, double seconds,
                   struct refutation *out);
  double seconds;  /* in the advocate */
  double patience; /* seconds that may still be spent in vain */
};

static double seconds_left(const struct budget *budget) {
  if (!budget || !budget->deadline_ns) return ADVOCATE_SECONDS;
  double left = (double)(budget->deadline_ns - budget_now_ns()) * 1e-9;
  return left < ADVOCATE_SECONDS ? left : ADVOCATE_SECONDS;
}

/* Does the solver think that it holds? (Rules also ask what need not hold.) */
static bool is_believable(struct terms *ts, const struct sequent *s) {
  struct smt_options options = smt_default_options();
  options.timeout_s = SOLVER_SECONDS;
  struct smt smt;
  smt_init(&smt, ts, &options);
  bool yes =
      smt_entails(&smt, "advocate", span_none(), s->hypotheses, s->count, s->goal) == SMT_VALID;
  smt_clear(&smt);
  return yes;
}

/* A short look, and a longer one if it is worth it. */
static bool look(struct court *c, struct terms *ts, const struct sequent *s, struct refutation *r) {
  if (c->advocate) return c->advocate(ts, s, seconds_left(c->budget), r);
  if (advocate_glance(ts, s, r)) return true;
  if (c->patience <= 0 || !is_believable(ts, s)) return false;
  double left = seconds_left(c->budget);
  if (c->patience < left) left = c->patience;
  if (advocate_insist(ts, s, left, r)) return true;
  c->patience -= left;
  return false;
}

/* Has the advocate look, unless the dossier knows the obligation. */
static bool investigate(struct court *c, struct terms *ts, const struct sequent *s) {
  char key[SHA256_HEX + 1];
  sequent_key(ts, s, key);
  if (dossier_find(c->writer.dossier, key)) return true;
  int64_t start = budget_now_ns();
  struct terms_mark mark = terms_mark(ts);
  struct refutation r;
  refutation_init(&r);
  bool found = ((c->before && archive_find(c->before, ts, s, &r)) || look(c, ts, s, &r)) &&
               dossier_write(&c->writer, ts, key, &r);
  if (found && c->found) archive_add(c->found, ts, s, &r);
  refutation_clear(&r);
  terms_rollback(ts, mark);
  c->seconds += (double)(budget_now_ns() - start) * 1e-9;
  return found;
}

static bool court_refute(struct decider *decider, struct terms *ts, const struct sequent *s,
                         struct refutation *out, const char **why) {
  struct court *c = (struct court *)decider;
  *why = "out of time";
  if (budget_is_spent(c->budget)) return false;
  *why = "no refutation was found";
  if (!investigate(c, ts, s)) {
    if (budget_is_spent(c->budget)) *why = "out of time";
    return false;
  }
  return c->reader.decider.refute(&c->reader.decider, ts, s, out, why);
}

/* A solver of its own for each question, so that its terms can be taken back: what is not believed
 * may be proved in another way. */
static void court_believe(struct decider *decider, struct terms *ts, const struct question *q,
                          struct answer *out) {
  struct court *c = (struct court *)decider;
  if (budget_is_spent(c->budget)) {
    out->reason = xstrdup("out of time");
    return;
  }
  struct terms_mark mark = terms_mark(ts);
  struct smt smt;
  smt_init(&smt, ts, NULL);
  smt_believe_(&smt.decider, ts, q, out);
  smt_clear(&smt);
  terms_rollback(ts, mark);
}

static void court_init(struct court *c, struct terms *ts, const struct refereed_options *options,
                       struct dossier *dossier) {
  *c = (struct court){.decider = {.refute = court_refute},
                      .budget = options->budget,
                      .patience = PATIENCE,
                      .advocate = options->advocate};
  if (options->trust_solver) c->decider.believe = court_believe;
  dossier_decider_init(&c->reader, dossier, ts);
  dossier_writer_init(&c->writer, dossier);
}

static void court_clear(struct court *c) {
  dossier_writer_clear(&c->writer);
  dossier_decider_clear(&c->reader);
}

static void derive(struct lang *lang, const struct ast_module *module, const struct ast_decl *decl,
                   const struct proof_text *text, const struct refereed_options *options,
                   struct dossier *dossier, struct archive *archive, struct proof_result *out) {
  struct terms terms;
  struct court court;
  terms_init(&terms);
  court_init(&court, &terms, options, dossier);
  court.found = options->evidence ? archive : NULL;
  struct proof_session session = {.lang = lang,
                                  .module = module,
                                  .claim = decl,
                                  .terms = &terms,
                                  .decider = &court.decider,
                                  .explain = options->explain,
                                  .calls = options->evidence ? &dossier->calls : NULL};
  if (text)
    proof_session_check(&session, text, out);
  else
    proof_session_check_lemma(&session, out);
  out->solver_seconds = court.seconds;
  out->epsilon = TERM_NONE; /* its table is gone */
  court_clear(&court);
  terms_clear(&terms);
}

/* What a certificate is checked by: the calls, in a table that has seen nothing else. */
static bool replay(struct lang *lang, const struct ast_module *module, const struct ast_decl *decl,
                   const struct proof_text *text, struct terms *terms, struct court *court,
                   const call_list *calls) {
  char *why = NULL;
  struct replay_goal goal = {
      .lang = lang, .module = module, .decl = decl, .terms = terms, .decider = &court->decider};
  if (decl->kind == DECL_CLAIM)
    goal.epsilon = text->epsilon ? replay_expression(lang, text->epsilon) : decl->as.claim.epsilon;
  bool ok = (decl->kind != DECL_CLAIM || goal.epsilon) &&
            replay_calls(&goal, calls, court->budget, &why) == CLAIM_PROVED;
  free(why);
  return ok;
}

/* The derivation again by its calls alone, which may order sums and conjunctions in another way: the
 * dossier that comes out is that of the replay. Empty: there is none. */
static void condense(struct lang *lang, const struct ast_module *module,
                     const struct ast_decl *decl, const struct proof_text *text,
                     const struct refereed_options *options, struct dossier *dossier,
                     struct archive *archive) {
  struct dossier found = *dossier;
  struct refereed_options how = *options;
  struct terms terms;
  struct court court;
  dossier_init(dossier);
  how.trust_solver = false;
  terms_init(&terms);
  court_init(&court, &terms, &how, dossier);
  court.before = archive;
  if (replay(lang, module, decl, text, &terms, &court, &found.calls)) {
    dossier->calls = found.calls;
    found.calls = (call_list){0};
  } else {
    dossier_clear(dossier);
    dossier_init(dossier);
  }
  court_clear(&court);
  terms_clear(&terms);
  dossier_clear(&found);
}

static void refereed(struct lang *lang, const struct ast_module *module,
                     const struct ast_decl *decl, const struct proof_text *text,
                     const struct refereed_options *options, struct dossier *dossier,
                     struct proof_result *out) {
  struct archive archive;
  archive_init(&archive);
  derive(lang, module, decl, text, options, dossier, &archive, out);
  if (options->evidence && out->verdict == PROOF_PROVED && (dossier->calls.len || !text))
    condense(lang, module, decl, text, options, dossier, &archive);
  else if (options->evidence)
    calls_clear(&dossier->calls);
  archive_clear(&archive);
}

void refereed_claim(struct lang *lang, const struct ast_module *module,
                    const struct ast_decl *claim, const struct proof_text *text,
                    const struct refereed_options *options, struct dossier *dossier,
                    struct proof_result *out) {
  refereed(lang, module, claim, text, options, dossier, out);
}

void refereed_lemma(struct lang *lang, const struct ast_module *module,
                    const struct ast_decl *lemma, const struct refereed_options *options,
                    struct dossier *dossier, struct proof_result *out) {
  refereed(lang, module, lemma, NULL, options, dossier, out);
}

bool refereed_false_lemma(struct lang *lang, const struct ast_module *module,
                          const struct ast_decl *lemma, call_list *point,
                          const struct refereed_options *options, struct dossier *dossier) {
  struct refereed_options how = *options;
  struct terms terms;
  struct court court;
  char *why = NULL;
  how.trust_solver = false;
  terms_init(&terms);
  court_init(&court, &terms, &how, dossier);
  struct replay_goal goal = {.lang = lang,
                             .module = module,
                             .decl = lemma,
                             .terms = &terms,
                             .decider = &court.decider,
                             .is_false = true};
  bool ok = replay_calls(&goal, point, options->budget, &why) == CLAIM_PROVED;
  if (ok) {
    dossier->calls = *point;
    *point = (call_list){0};
  }
  free(why);
  court_clear(&court);
  terms_clear(&terms);
  return ok;
}
