#include "proof/proof.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "claim/lemma.h"
#include "claim/proof_names.h"
#include "out/print.h"
#include "out/versions.h"
#include "proof/derive.h"
#include "proof/explain.h"
#include "term/subst.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *keep(struct proof_result *out, const char *text) {
  return text ? arena_printf(&out->arena, "%s", text) : NULL;
}

static const char *keep_for_people(struct proof_result *out, const char *text, const char *beside) {
  char *shown = text ? without_versions(text, beside) : NULL;
  const char *kept = keep(out, shown);
  free(shown);
  return kept;
}

static void take_failure(struct proof_result *out, struct terms *ts,
                         const struct kernel_failure *f) {
  char *text = f->formula == TERM_NONE ? NULL : term_text(ts, f->formula);
  out->rule = keep(out, f->rule);
  out->reason = keep(out, f->message);
  out->formula = f->formula;
  out->conjunct = keep_for_people(out, text, f->model);
  out->model = keep_for_people(out, f->model, text);
  out->cause = f->cause;
  out->lacks_evidence = f->lacks_evidence;
  if (f->span.file) out->span = f->span;
  free(text);
}

static void take_kernel_failure(struct proof_result *out, struct kernel *k) {
  take_failure(out, kernel_terms(k), kernel_failure(k));
}

/* What is wrong with the text of the proof. */
static void take_error(struct proof_result *out, const struct prover *p) {
  out->reason = keep(out, p->error);
  out->span = p->error_span;
  out->cause = p->error_cause;
}

static void take_obligations(struct proof_result *out, struct terms *ts, const struct kernel *k) {
  size_t count = kernel_obligation_count(k);
  struct proof_obligation *list =
      arena_alloc(&out->arena, (out->obligation_count + count + 1) * sizeof *list);
  for (size_t i = 0; i < out->obligation_count; i++)
    list[i] = out->obligations[i];
  for (size_t i = 0; i < count; i++) {
    const struct kernel_obligation *o = kernel_obligation(k, i);
    char *text = term_text(ts, o->goal);
    list[out->obligation_count + i] = (struct proof_obligation){.rule = o->rule,
                                                                .what = keep(out, o->what),
                                                                .formula = keep(out, text),
                                                                .span = o->span,
                                                                .proved = o->proved,
                                                                .seconds = o->seconds,
                                                                .method = o->method,
                                                                .believed = o->believed,
                                                                .steps = o->steps,
                                                                .cross_checked = o->cross_checked};
    free(text);
  }
  out->obligations = list;
  out->obligation_count += count;
}

/* One direction; NULL with the reason in `out`. */
static proof_of direction(struct prover *p, struct proof_result *out, struct claim *claim,
                          enum claim_direction which, struct script_scope *script) {
  p->claim = claim;
  p->k = claim_kernel(claim, which);
  proof_of j = p->error ? NULL : derive_claim(p, script);
  if (j) return j;
  if (p->error) {
    take_error(out, p);
    out->is_malformed = !p->is_incomplete;
  } else {
    take_kernel_failure(out, p->k);
  }
  return NULL;
}

static bool samples_into(struct terms *ts, const struct core *c, const char *name) {
  if (!c) return false;
  return (c->kind == CORE_SAMPLE && names_variable(name, term_var_get(ts, c->var)->name)) ||
         samples_into(ts, c->first, name) || samples_into(ts, c->second, name);
}

/* A step for a variable that the program never samples: probably a misspelt name. The walk goes
 * backwards and stops at the first failure, so that a step is unused may mean nothing. */
static const struct script_sample *lost_step(struct terms *ts, const struct core *program,
                                             const struct script_scope *scope) {
  if (!scope) return NULL;
  for (size_t i = 0; i < scope->sample_count; i++)
    if (!scope->samples[i].used && !samples_into(ts, program, scope->samples[i].name.text))
      return &scope->samples[i];
  for (size_t i = 0; i < scope->loop_count + scope->part_count; i++) {
    const struct script_sample *s = lost_step(
        ts, program,
        i < scope->loop_count ? scope->loops[i] : scope->parts[i - scope->loop_count].scope);
    if (s) return s;
  }
  if (scope->cases) {
    const struct script_sample *s = lost_step(ts, program, scope->cases->yes);
    return s ? s : lost_step(ts, program, scope->cases->no);
  }
  return NULL;
}

static bool writes_into(struct terms *ts, const struct core *c, const char *name) {
  term_list written = {0};
  core_writes(c, &written);
  bool found = false;
  for (size_t i = 0; i < written.len && !found; i++)
    found = names_variable(name, term_var_get(ts, written.at[i])->name);
  vec_clear(&written);
  return found;
}

/* A part about a variable that the program never sets. */
static const struct script_part *lost_part(struct terms *ts, const struct core *program,
                                           const struct script_scope *scope) {
  for (size_t i = 0; scope && i < scope->part_count; i++)
    if (!writes_into(ts, program, scope->parts[i].name.text)) return &scope->parts[i];
  for (size_t i = 0; scope && i < scope->loop_count; i++) {
    const struct script_part *part = lost_part(ts, program, scope->loops[i]);
    if (part) return part;
  }
  return NULL;
}

/* A `fuse` that did not apply. */
static void name_lost_fusion(struct proof_result *out, const struct script_scope *script) {
  for (size_t i = 0; script && i < script->rewrite_count; i++) {
    const struct script_rewrite *r = &script->rewrites[i];
    if (r->kind != REWRITE_FUSE || r->used || out->verdict != PROOF_UNKNOWN || !out->reason)
      continue;
    out->reason = arena_printf(&out->arena, "%s (`fuse %s` applies to nothing: %s)", out->reason,
                               r->names[0].text, r->why ? r->why : "no loop fills that array");
    return;
  }
}

/* Flags that `flatten` introduces are variables of the program in both directions: they have to be
 * known before the first rule is applied. No source has a variable like `f@`. */
static void declare_flags(struct prover *p, struct claim *claim, const struct script_scope *scope) {
  if (!scope) return;
  if (scope->form && scope->form->flag.text) {
    const struct ast_name *name = &scope->form->flag;
    const char *full = arena_printf(p->arena, "%s@", name->text);
    term_id flag = TERM_NONE;
    for (size_t i = 0; i < CLAIM_CONTEXTS; i++) {
      struct kernel *k = claim_kernel(claim, (enum claim_direction)i);
      if (k) flag = kernel_var(k, full, SORT_BOOL, false);
    }
    const struct translate_binding *b = translate_find(p->env, name->text);
    if (flag == TERM_NONE || (b && b->term != flag))
      prover_fail(p, name->span, "`%s` is the name of something else", name->text);
    else
      translate_bind(p->env, NULL, name->text, flag, true, TERM_NONE);
    step_flag(p, full);
  }
  for (size_t i = 0; i < scope->loop_count; i++)
    declare_flags(p, claim, scope->loops[i]);
  if (scope->cases) {
    declare_flags(p, claim, scope->cases->yes);
    declare_flags(p, claim, scope->cases->no);
  }
  declare_flags(p, claim, scope->backward);
}

static const enum proof_verdict verdicts[] = {[CLAIM_NOT_PROVED] = PROOF_UNKNOWN,
                                              [CLAIM_PROVED] = PROOF_PROVED,
                                              [CLAIM_BELIEVED] = PROOF_BELIEVED,
                                              [CLAIM_ADMITTED] = PROOF_ADMITTED};

/* Steps that make samples, of which others speak. */
static bool has_samples_of_its_own(const struct script_scope *s) {
  bool found = s->noise_count || s->rewrite_count || s->part_count || s->branch_count || s->form;
  for (size_t i = 0; !found && i < s->loop_count; i++)
    found = has_samples_of_its_own(s->loops[i]);
  return found || (s->cases &&
                   (has_samples_of_its_own(s->cases->yes) || has_samples_of_its_own(s->cases->no)));
}

/* A failure may be due to a misspelt name. */
static void name_lost_step(struct proof_result *out, struct claim *claim,
                           const struct script_scope *script) {
  const struct script_sample *lost =
      lost_step(claim_env(claim)->ts, claim_program(claim)->program, script);
  if (lost && !has_samples_of_its_own(script)) {
    out->lost = lost->name.text;
    out->lost_span = lost->name.span;
  }
  if (lost && out->verdict == PROOF_UNKNOWN && out->reason)
    out->reason =
        arena_printf(&out->arena, "%s (no sampling of `%s`: that step applies to nothing%s)",
                     out->reason, lost->name.text,
                     proof_names_decl(claim_env(claim), lost->name.text)
                         ? "; a variable with the name of a declaration is written with a prime"
                         : "");
}

static void prover_clear(struct prover *p) {
  vec_clear(&p->variant_loops);
  vec_clear(&p->variants);
  vec_clear(&p->ranges);
  vec_clear(&p->fusions);
  vec_clear(&p->fused_branches);
  ptrmap_clear(&p->notes);
  if (p->record) record_clear(p->record);
}

static void check(struct proof_result *out, struct claim *claim, const struct claim_route *route,
                  struct script_scope *script, const struct proof_session *s) {
  struct terms *ts = s->terms;
  struct record record;
  struct prover p = {
      .claim = claim, .ts = ts, .env = claim_env(claim), .arena = &out->arena, .top = script};
  if (s->calls) {
    record_init(&record, ts, claim_program(claim)->program, s->calls);
    p.record = &record;
    if (route) record_route(&record, s->lang, route);
  }
  declare_flags(&p, claim, script);
  proof_of forward = direction(&p, out, claim, CLAIM_FORWARD, script), backward = NULL;
  if (forward && !claim_is_symmetric(claim))
    backward = direction(&p, out, claim, CLAIM_BACKWARD,
                         script && script->backward ? script->backward : script);
  if (forward && (backward || claim_is_symmetric(claim))) {
    struct loop_variants variants = prover_variants(&p);
    enum claim_verdict v = claim_conclude(claim, forward, backward, &variants);
    record_end(&p, forward, backward, &variants);
    out->verdict = verdicts[v];
    if (v == CLAIM_NOT_PROVED) take_kernel_failure(out, claim_kernel(claim, CLAIM_FORWARD));
    if (v == CLAIM_ADMITTED) out->reason = "the proof uses `admit`";
  }
  name_lost_step(out, claim, script);
  name_lost_fusion(out, script);
  const struct script_part *part = lost_part(ts, claim_program(claim)->program, script);
  if (part && out->verdict == PROOF_UNKNOWN && out->reason)
    out->reason = arena_printf(&out->arena, "%s (`%s` is never set: that part applies to nothing)",
                               out->reason, part->name.text);
  if (forward && s->explain) {
    out->forward = explain_derivation(&p, forward);
    if (backward) out->backward = explain_derivation(&p, backward);
  }
  for (size_t i = 0; i < CLAIM_CONTEXTS; i++) {
    struct kernel *k = claim_kernel(claim, (enum claim_direction)i);
    if (k) take_obligations(out, ts, k);
  }
  prover_clear(&p);
}

static enum claim_verdict conclude_accuracy(struct prover *p, struct script_scope *script) {
  bound_of bound = derive_accuracy(p, script);
  if (!bound) return CLAIM_NOT_PROVED;
  struct loop_variants variants = prover_variants(p);
  enum claim_verdict verdict = claim_conclude_accuracy(p->claim, bound, &variants);
  record_bound_end(p, bound, &variants);
  return verdict;
}

/* A claim about one run: there is one direction, and nothing to couple. */
static void check_one_run(struct proof_result *out, struct claim *claim,
                          struct script_scope *script, const struct proof_session *s) {
  struct record record;
  struct prover p = {.claim = claim,
                     .k = claim_kernel(claim, CLAIM_FORWARD),
                     .ts = s->terms,
                     .env = claim_env(claim),
                     .arena = &out->arena};
  if (s->calls) {
    record_init(&record, s->terms, claim_program(claim)->program, s->calls);
    p.record = &record;
  }
  out->verdict =
      verdicts[claim_is_law(claim) ? derive_samples(&p, script) : conclude_accuracy(&p, script)];
  if (p.error) {
    take_error(out, &p);
    out->is_malformed = !p.is_incomplete;
  } else if (out->verdict == PROOF_UNKNOWN) {
    take_kernel_failure(out, p.k);
  }
  name_lost_step(out, claim, script);
  take_obligations(out, s->terms, p.k);
  prover_clear(&p);
}

/* ---- sessions ------------------------------------------------------------------------------- */

static struct span add_text(struct lang *lang, const char *what, const char *text) {
  size_t length = strlen(text);
  uint32_t file = sources_add(&lang->sources, what, text, length);
  return (struct span){file, 0, (uint32_t)length};
}

struct ast_expr *proof_session_expr(struct proof_session *s, const char *text) {
  return script_parse_expr(s->lang, add_text(s->lang, "<cost>", text));
}

/* The proof that is meant; false if it cannot be read. *script is NULL for the default one. */
static bool read_script(struct proof_session *s, const struct proof_text *text,
                        struct script_scope **script, struct proof_result *out) {
  const struct ast_decl *decl = s->claim;
  *script = NULL;
  if (text->proof)
    out->span = add_text(s->lang, "<proof>", text->proof);
  else if (decl->as.claim.has_proof)
    out->span = decl->as.claim.proof;
  else
    return true;
  *script = script_parse(s->lang, out->span);
  if (!*script) {
    out->reason = "the proof could not be read";
    out->is_malformed = true;
    return false;
  }
  out->span = decl->span;
  return true;
}

void proof_session_check(struct proof_session *s, const struct proof_text *text,
                         struct proof_result *out) {
  double start = now();
  *out = (struct proof_result){.verdict = PROOF_UNKNOWN, .span = s->claim->span};
  arena_init(&out->arena);
  struct script_scope *script;
  if (!read_script(s, text, &script, out)) return;
  const struct ast_expr *epsilon =
      text->epsilon ? proof_session_expr(s, text->epsilon) : s->claim->as.claim.epsilon;
  if (!epsilon) {
    out->reason = "the cost could not be read";
    return;
  }
  struct kernel_failure why;
  const struct script_route *by = script ? script->route : NULL;
  struct claim_route route = {0};
  if (by) route = (struct claim_route){by->notion, by->order, by->cost, by->span};
  struct claim *claim = claim_open_by(s->lang, s->module, s->claim, epsilon, by ? &route : NULL,
                                      s->terms, s->decider, &why);
  if (claim) {
    out->epsilon = claim_asked(claim);
    if (claim_is_accuracy(claim) || claim_is_law(claim))
      check_one_run(out, claim, script, s);
    else
      check(out, claim, by ? &route : NULL, script, s);
  } else {
    take_failure(out, s->terms, &why);
  }
  claim_close(claim);
  out->total_seconds = now() - start;
}

/* ---- lemmas --------------------------------------------------------------------------------- */

static bool only_have(const struct script_scope *s) {
  return !s->sample_count && !s->loop_count && !s->noise_count && !s->rewrite_count &&
         !s->branch_count && !s->part_count && !s->cases && !s->backward && !s->route &&
         !s->pointwise.text;
}

/* The steps of its proof, then the lemma itself. */
static void prove_lemma(struct prover *p, struct proof_result *out, struct lemma *lemma,
                        struct script_scope *script) {
  struct kernel *k = p->k;
  for (size_t i = 0; script && i < script->lemma_count; i++) {
    term_id step = prover_formula(p, script->lemmas[i], SORT_BOOL);
    if (p->error || !step_lemma(p, k, script->lemmas[i]->span, step)) {
      take_kernel_failure(out, k);
      if (p->error) take_error(out, p);
      return;
    }
  }
  out->verdict = verdicts[lemma_conclude(lemma)];
  if (out->verdict == PROOF_UNKNOWN) {
    take_kernel_failure(out, k);
    if (out->model) out->verdict = PROOF_FALSE;
  }
  take_obligations(out, p->ts, k);
}

static void check_lemma(struct proof_result *out, struct lemma *lemma, struct script_scope *script,
                        const struct proof_session *s) {
  struct record record;
  struct prover p = {
      .ts = s->terms, .k = lemma_kernel(lemma), .env = lemma_env(lemma), .arena = &out->arena};
  if (s->calls) {
    record_init(&record, s->terms, NULL, s->calls);
    p.record = &record;
  }
  prove_lemma(&p, out, lemma, script);
  if (p.record) record_clear(p.record);
}

void proof_session_check_lemma(struct proof_session *s, struct proof_result *out) {
  double start = now();
  const struct ast_decl *decl = s->claim;
  *out = (struct proof_result){.verdict = PROOF_UNKNOWN, .span = decl->span};
  arena_init(&out->arena);
  struct script_scope *script = NULL;
  struct kernel_failure why = {.span = decl->span, .formula = TERM_NONE};
  struct lemma *lemma = lemma_open(s->lang, s->module, decl, s->terms, s->decider, &why);
  if (lemma && decl->lemma_proof.file && !(script = script_parse(s->lang, decl->lemma_proof)))
    why.message = "the proof could not be read";
  else if (script && !only_have(script))
    why.message = "the proof of a lemma consists of `have` steps";
  if (why.message) {
    take_failure(out, s->terms, &why);
  } else if (script && script->admit) {
    out->verdict = PROOF_ADMITTED;
    out->reason = "the proof uses `admit`";
  } else {
    check_lemma(out, lemma, script, s);
  }
  lemma_close(lemma);
  out->total_seconds = now() - start;
}

void proof_result_clear(struct proof_result *result) {
  arena_clear(&result->arena);
}
