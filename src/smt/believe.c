#include "smt/believe.h"

#include <stdlib.h>
#include <string.h>

#include "check/referee/refutation.h"
#include "smt/point.h"

enum { BATCH_SECONDS = 2 };

void smt_believe_(struct decider *decider, struct terms *ts, const struct question *q,
                  struct answer *out) {
  static const enum belief beliefs[] = {
      [SMT_VALID] = BELIEF_HOLDS, [SMT_INVALID] = BELIEF_FAILS, [SMT_UNKNOWN] = BELIEF_UNKNOWN};
  struct smt *smt = (struct smt *)decider;
  if (smt->ts != ts) return; /* handles of another table mean nothing */
  double limit = smt->options.timeout_s;
  if (q->is_batch && limit > BATCH_SECONDS) smt->options.timeout_s = BATCH_SECONDS;
  const struct sequent *s = q->sequent;
  enum smt_verdict v = strcmp(q->rule, "assumptions") == 0 && s->goal == ts->false_term
                           ? smt_contradictory(smt, q->rule, q->place, s->hypotheses, s->count)
                           : smt_entails(smt, q->rule, q->place, s->hypotheses, s->count, s->goal);
  smt->options.timeout_s = limit;
  const struct smt_record *record = smt_last(smt);
  out->belief = beliefs[v];
  out->method = record->method;
  out->seconds = record->seconds;
  out->cross_checked = record->cross_checked;
  if (record->reason) out->reason = xstrdup(record->reason);
  if (v != SMT_INVALID || !smt->has_model) return;
  struct buffer model;
  buffer_init(&model);
  model_print(&model, &smt->model);
  out->model = buffer_take(&model);
}

struct believe_options believe_default_options(void) {
  return (struct believe_options){.smt = smt_default_options()};
}

void believing_init(struct believing *b, struct lang *lang, const struct ast_module *module,
                    const struct ast_decl *claim, const struct believe_options *options) {
  b->terms = xmalloc(sizeof *b->terms);
  b->smt = xmalloc(sizeof *b->smt);
  terms_init(b->terms);
  smt_init(b->smt, b->terms, &options->smt);
  b->session = (struct proof_session){.lang = lang,
                                      .module = module,
                                      .claim = claim,
                                      .terms = b->terms,
                                      .decider = &b->smt->decider,
                                      .explain = options->explain};
}

void believing_clear(struct believing *b) {
  smt_clear(b->smt);
  terms_clear(b->terms);
  free(b->smt);
  free(b->terms);
}

void believing_check(struct believing *b, const struct proof_text *text, struct proof_result *out) {
  double wall = b->smt->solver_seconds, cpu = b->smt->solver_cpu_seconds;
  proof_session_check(&b->session, text, out);
  out->solver_seconds = b->smt->solver_seconds - wall;
  out->solver_cpu_seconds = b->smt->solver_cpu_seconds - cpu;
}

void believe_claim(struct lang *lang, const struct ast_module *module, const struct ast_decl *claim,
                   const struct believe_options *options, struct proof_result *out) {
  struct believing b;
  believing_init(&b, lang, module, claim, options);
  believing_check(&b, &(struct proof_text){NULL, NULL}, out);
  believing_clear(&b);
}

void believe_lemma(struct lang *lang, const struct ast_module *module, const struct ast_decl *lemma,
                   const struct believe_options *options, struct proof_result *out,
                   call_list *point) {
  struct believing b;
  believing_init(&b, lang, module, lemma, options);
  proof_session_check_lemma(&b.session, out);
  out->solver_seconds = b.smt->solver_seconds;
  if (out->verdict == PROOF_FALSE && b.smt->has_model)
    point_write(&b.session, &b.smt->model, point);
  believing_clear(&b);
}
