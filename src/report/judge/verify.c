#include "report/judge/verify.h"

#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "check/automaton/build.h"
#include "check/automaton/dipa.h"
#include "check/certificate/source.h"
#include "lang/check/constant.h"
#include "lang/syntax/lang.h"
#include "report/judge/advise.h"
#include "report/judge/basis.h"
#include "report/judge/cache.h"
#include "report/judge/distribution.h"
#include "report/judge/emit.h"
#include "report/judge/judge_automaton.h"
#include "report/judge/judge_program.h"
#include "report/judge/judge_prover.h"
#include "report/judge/lint.h"
#include "report/judge/recheck.h"
#include "report/judge/tradeoff.h"
#include "report/record/cert_write.h"
#include "search/prove/defined.h"

enum { DISTRIBUTION_SECONDS = 3 };

enum { RUN_TIME_ERROR_SECONDS = 1 }; /* per question about run-time errors */
enum { LINT_SECONDS = 1 };           /* per question about vacuous claims */
enum { CACHED_STATES = 10000 };      /* of automata whose evidence the cache keeps */

static struct claim_record *add_claim(struct file_record *file, struct lang *lang, const char *name,
                                      enum claim_kind kind, struct span span) {
  vec_push(&file->claims, (struct claim_record){.name = xstrdup(name),
                                                .kind = kind,
                                                .place = record_place(&lang->sources, span)});
  struct claim_record *c = &vec_last(&file->claims);
  record_set(&c->reason, CLAIM_UNDECIDED);
  return c;
}

struct verify_options verify_default_options(void) {
  return (struct verify_options){.timeout = 60, .search = 5};
}

bool verify_is_claim(const struct ast_decl *decl) {
  return decl->kind == DECL_CLAIM || decl->kind == DECL_LEMMA || decl->kind == DECL_AUTOMATON;
}

static void add_stated_claim(struct file_record *file, struct lang *lang,
                             const struct ast_decl *decl) {
  bool automaton = decl->as.claim.target && decl->as.claim.target->kind == DECL_AUTOMATON;
  struct claim_record *c = add_claim(file, lang, decl->name.text,
                                     automaton ? CLAIM_AUTOMATON : CLAIM_PROGRAM, decl->span);
  c->subject = xstrdup(decl->as.claim.subject.text);
  if (decl->as.claim.target)
    c->subject_place = record_place(&lang->sources, decl->as.claim.target->span);
  c->notion = cert_notion_text(&lang->sources, decl);
  c->epsilon = cert_source_text(&lang->sources, decl->as.claim.epsilon->span);
  if (decl->as.claim.delta) c->delta = cert_source_text(&lang->sources, decl->as.claim.delta->span);
  if (decl->as.claim.formula && !decl->as.claim.law)
    c->formula = cert_source_text(&lang->sources, decl->as.claim.formula->span);
}

/* ---- a file ---------------------------------------------------------------------------------- */

/* One file while it is being verified. */
struct verification {
  const char *path;
  const char *text; /* instead of the file; NULL: read it */
  size_t length;
  struct lang lang;
  const struct ast_module *module; /* NULL for .dipa files */
  struct file_record *file;
  char digest[SHA256_HEX + 1]; /* of what was read for it */
  char key[SHA256_HEX + 1];    /* of the result in the cache */
  bool is_kept;                /* there is such a key */
  json_t *evidence;            /* certificates of what was decided, in the order of the claims */
  const struct verify_options *options;
  struct budget budget;
  verify_progress *progress;
  void *context;
  VEC(struct judged_automaton *) automata;
  VEC(const struct ast_decl *) automaton_decls; /* parallel; NULL for a .dipa file */
};

static struct judged_automaton *new_automaton(struct verification *v, const struct ast_decl *decl) {
  struct judged_automaton *j = xmalloc(sizeof *j);
  judged_automaton_init(j);
  vec_push(&v->automata, j);
  vec_push(&v->automaton_decls, decl);
  return j;
}

static struct judged_automaton *automaton_of(const struct verification *v,
                                             const struct ast_decl *decl) {
  for (size_t i = 0; i < v->automata.len; i++)
    if (v->automaton_decls.at[i] == decl) return v->automata.at[i];
  return NULL;
}

/* Evidence is kept for a certificate, and for the cache unless it is large. */
static struct judged_automaton *with_evidence(const struct verification *v,
                                              struct judged_automaton *j) {
  j->wants_certificate =
      v->options->certificates || (v->is_kept && j->model.states.len <= CACHED_STATES);
  return j;
}

/* Models of all automata in the module, with the errors and warnings about them. */
static void build_automata(struct verification *v) {
  for (size_t i = 0; i < v->module->decl_count; i++) {
    if (v->module->decls[i]->kind != DECL_AUTOMATON) continue;
    struct judged_automaton *j = new_automaton(v, v->module->decls[i]);
    if (automaton_build(&j->model, v->module->decls[i], &v->lang.diags))
      automaton_classify(&j->report, &j->model, &v->lang.diags);
  }
}

/* Every claim of the file, undecided. Claims of included files are verified with those files. */
static void list_claims(struct verification *v) {
  const struct ast_unit *unit = v->module->units[v->module->unit_count - 1];
  for (size_t i = 0; i < unit->count; i++) {
    const struct ast_decl *decl = unit->decls[i];
    if (decl->kind == DECL_CLAIM) add_stated_claim(v->file, &v->lang, decl);
    if (decl->kind == DECL_LEMMA)
      add_claim(v->file, &v->lang, decl->name.text, CLAIM_LEMMA, decl->span);
    if (decl->kind == DECL_AUTOMATON) {
      struct claim_record *c =
          add_claim(v->file, &v->lang, decl->name.text, CLAIM_AUTOMATON, decl->span);
      c->subject = xstrdup(decl->name.text);
      c->subject_place = record_place(&v->lang.sources, decl->span);
    }
  }
  if (!v->file->claims.len) {
    diag_error(&v->lang.diags, (struct span){unit->file, 0, 0}, "no-claims",
               "the file states no claim: there is nothing to verify");
    diag_hint(&v->lang.diags, "add a claim, e.g. `claim private NAME epsilon eps;`");
  }
}

/* A claim about an automaton, or (decl is the automaton) that it is private at some multiple of eps. */
static void judge_automaton_claim(struct verification *v, struct claim_record *c,
                                  const struct ast_decl *decl) {
  const struct judge_options options = {v->options->search, v->options->pictures};
  bool stated = decl->kind == DECL_CLAIM;
  const struct ast_decl *target = stated ? decl->as.claim.target : decl;
  fmpq_t d;
  fmpq_init(d);
  bool has_bound = stated && decl->as.claim.epsilon->kind != EXPR_HOLE;
  if (has_bound &&
      !constant_multiple(d, decl->as.claim.epsilon, intern_str(&v->lang.intern, "eps")))
    record_set(&c->reason, "the claimed epsilon is not a multiple of eps");
  else
    judge_automaton(c, with_evidence(v, automaton_of(v, target)), has_bound ? d : NULL, &options,
                    &v->budget);
  fmpq_clear(d);
}

/* Nobody may believe a refutation that is not confirmed. */
static void withdraw(struct verification *v, struct claim_record *c, enum recheck_answer answer,
                     const char *why) {
  char *reason = xasprintf("a counterexample was found, but not confirmed: %s", why);
  c->verdict = VERDICT_UNKNOWN;
  record_set(&c->lower, NULL);
  record_set(&c->reason, reason);
  json_decref(c->counterexample);
  c->counterexample = NULL;
  json_object_del(c->detail, "counterexamples");
  if (answer == RECHECK_REJECTED) record_set(&v->file->internal_error, reason);
  free(reason);
}

/* A refutation stands when a process that did not look for it accepts its certificate. */
static void confirm_refuted(struct verification *v, struct claim_record *c) {
  if (c->verdict != VERDICT_REFUTED) return;
  if (!c->certificate) {
    withdraw(v, c, RECHECK_STOPPED, "it has numbers that cannot be written exactly");
    return;
  }
  json_t *list = json_pack("[O]", c->certificate);
  struct recheck what = {v->path, &v->lang.sources, v->digest, list, !v->options->side_by_side};
  char *why;
  enum recheck_answer answer = recheck(&what, &why);
  json_decref(list);
  if (answer != RECHECK_CONFIRMED) withdraw(v, c, answer, why);
  free(why);
}

/* The engines leave the evidence in the record; it is kept if it was asked for and supports the
 * verdict, and says which claim it is about. */
static void settle_certificate(struct verification *v, struct claim_record *c,
                               const struct ast_decl *decl) {
  bool is_evidence = c->certificate && !json_object_get(c->certificate, "kind");
  if (c->kind == CLAIM_PROGRAM && c->verdict == VERDICT_PROVED && is_evidence) {
    bool is_open = decl->as.claim.asked != NULL;
    c->certificate = cert_of_proof(is_open ? c->cost : c->epsilon, c->certificate);
  }
  struct cert_claim about = {
      (size_t)(c - v->file->claims.at) + 1, c->name, c->subject, c->notion, c->epsilon, c->delta};
  if (c->certificate) c->certificate = cert_about(c->certificate, &about);
  confirm_refuted(v, c);
  bool is_decided = c->verdict == VERDICT_PROVED || c->verdict == VERDICT_REFUTED;
  if (v->options->certificates && is_decided) return;
  if (is_decided && c->certificate) json_array_append(v->evidence, c->certificate);
  json_decref(c->certificate);
  c->certificate = NULL;
}

static bool may_fail(struct verification *v, const struct claim_record *c,
                     const struct ast_decl *decl, struct span *where) {
  struct smt_options options = smt_default_options();
  options.timeout_s = RUN_TIME_ERROR_SECONDS;
  const char *found = json_string_value(json_object_get(c->detail, "proof"));
  return program_may_fail(&v->lang, v->module, decl, found, &options, where);
}

/* Does the translator say so in the line above the mechanism (python/couplet/reader/module.py)? */
static bool is_fallible(struct verification *v, const struct ast_decl *decl) {
  static const char words[] = "// Data or noise may decide whether this fails.\n";
  const struct ast_decl *target = decl->as.claim.target;
  const struct source *s = target ? sources_get(&v->lang.sources, target->span.file) : NULL;
  if (!v->file->translated || !s || target->span.begin > s->length) return false;
  size_t line = target->span.begin, size = sizeof words - 1;
  while (line > 0 && s->text[line - 1] != '\n')
    line--;
  return line >= size && memcmp(s->text + line - size, words, size) == 0;
}

/* A function of another language goes on where our programs stop: with an exception or nan, which
 * its caller sees. If the data decide about that, it is output that the proof knows nothing of. */
static bool refuse_errors(struct verification *v, struct claim_record *c,
                          const struct ast_decl *decl) {
  struct span where;
  bool holds = c->verdict == VERDICT_PROVED || c->verdict == VERDICT_ADMITTED;
  if (!holds || !is_fallible(v, decl) || !may_fail(v, c, decl, &where)) return false;
  struct shown_span shown = sources_shown(&v->lang.sources, where);
  struct place at = shown.source ? source_place(shown.source, shown.begin) : (struct place){0};
  char *reason = xasprintf(
      "line %u: the data may decide whether this fails (a division by 0, a logarithm or a root of "
      "a negative number, an index out of range, probabilities whose sum is not 1), and an "
      "exception or nan tells about them; say in `requires` what excludes it, or write `max(x, 1)` "
      "or a condition",
      at.line);
  c->verdict = VERDICT_UNKNOWN;
  c->causes |= CAUSE_PLACED;
  record_set(&c->reason, reason);
  record_set(&c->cost, NULL);
  json_decref(c->certificate);
  c->certificate = NULL;
  free(reason);
  return true;
}

/* The logic knows no run-time errors; whoever runs a proved program should. */
static void warn_of_errors(struct verification *v, const struct claim_record *c,
                           const struct ast_decl *decl) {
  struct span where;
  if (is_fallible(v, decl) || !may_fail(v, c, decl, &where)) return;
  diag_warning(&v->lang.diags, where, "possible-run-time-error",
               "a division by 0, an index out of range, or the like cannot be excluded here");
  diag_hint(&v->lang.diags, "the proof takes such an operation for some number; a run stops there");
}

static void judge_program_claim(struct verification *v, struct claim_record *c,
                                const struct ast_decl *decl) {
  const struct program_claim claim = {&v->lang, v->module, decl};
  char *error = judge_program(c, &claim, v->options, &v->budget);
  if (error) record_set(&v->file->internal_error, error);
  free(error);
  const json_t *contradiction = json_object_get(c->detail, "internal_error");
  if (contradiction) record_set(&v->file->internal_error, json_string_value(contradiction));
}

/* How the distance that was found depends on the budget. */
static void add_tradeoff(struct verification *v, struct claim_record *c,
                         const struct ast_decl *decl) {
  if (!v->options->distributions || c->verdict != VERDICT_PROVED || !c->detail) return;
  json_t *curve = tradeoff_json(&v->lang, v->module, decl, c->cost);
  if (curve) json_object_set_new(c->detail, "tradeoff", curve);
}

/* Pictures of a counterexample are worth a little time, and are not part of the verdict's. */
static void add_distributions(struct verification *v, struct claim_record *c,
                              const struct ast_decl *decl) {
  if (!v->options->distributions || !c->counterexample || decl->as.claim.formula) return;
  const struct program_claim claim = {&v->lang, v->module, decl};
  struct budget slice = budget_slice(&v->budget, DISTRIBUTION_SECONDS);
  json_t *both = distribution_json(&claim, c->counterexample, &slice);
  if (both) json_object_set_new(c->counterexample, "distributions", both);
}

/* What was decided stands; what was not is unknown because of the user, not of a limit. */
static void say_interrupted(struct claim_record *c) {
  if (c->verdict != VERDICT_UNKNOWN) return;
  char *reason = xasprintf("interrupted: %s", c->reason ? c->reason : "not decided yet");
  record_set(&c->reason, reason);
  free(reason);
}

/* The time of the whole file is over: then advice about the program would lead astray. */
static bool say_file_is_late(const struct verification *v, struct claim_record *c, int64_t start) {
  const int64_t deadline = v->budget.deadline_ns;
  const double left = (double)(deadline - start) * 1e-9;
  if (c->verdict != VERDICT_UNKNOWN || !deadline || budget_now_ns() < deadline) return false;
  if (left >= v->options->search) return false;
  const bool is_behind = c != v->file->claims.at && left < v->options->timeout / 2;
  char *reason = xasprintf(
      "the time of the file, --timeout %g, was over before the searches had ended%s\n"
      "try: --timeout with more seconds%s",
      v->options->timeout, is_behind ? ": the claims before this one have used most of it" : "",
      is_behind ? ", or this claim in a file of its own" : "");
  record_set(&c->reason, reason);
  free(reason);
  return true;
}

/* All outputs are protected, whatever the text looked like; with a delta, one may leave as it is. */
static void take_back_leaks(struct verification *v, const struct claim_record *c,
                            const struct ast_decl *decl) {
  bool is_pure = !decl->as.claim.delta && !decl->as.claim.formula && !decl->as.claim.law;
  if (c->verdict != VERDICT_PROVED || !is_pure || decl->as.claim.at_count) return;
  struct record_place where = record_place(&v->lang.sources, decl->as.claim.target->span);
  file_record_drop_warnings(v->file, "unprotected-output", &where);
  free(where.path);
}

static void judge_claim(struct verification *v, struct claim_record *c,
                        const struct ast_decl *decl) {
  int64_t start = budget_now_ns();
  if (budget_is_interrupted(&v->budget)) {
    record_set(&c->reason, "interrupted before it was looked at");
    return;
  }
  if (c->kind == CLAIM_PROGRAM) judge_program_claim(v, c, decl);
  if (c->kind == CLAIM_AUTOMATON) judge_automaton_claim(v, c, decl);
  if (c->kind == CLAIM_LEMMA) judge_lemma(c, &v->lang, v->module, decl, v->options, &v->budget);
  bool may_raise = c->kind == CLAIM_PROGRAM && refuse_errors(v, c, decl);
  settle_certificate(v, c, decl);
  if (budget_is_interrupted(&v->budget))
    say_interrupted(c);
  else if (!v->options->no_search && !may_raise && !say_file_is_late(v, c, start))
    advise(c, &v->lang, v->module, decl);
  c->time_s = (double)(budget_now_ns() - start) * 1e-9;
  if (c->kind == CLAIM_PROGRAM) add_distributions(v, c, decl);
  if (c->kind == CLAIM_PROGRAM) add_tradeoff(v, c, decl);
  if (c->kind == CLAIM_PROGRAM) take_back_leaks(v, c, decl);
  if (c->kind == CLAIM_PROGRAM && c->verdict == VERDICT_PROVED) warn_of_errors(v, c, decl);
  if (v->progress) v->progress(v->context, v->file);
}

/* What was read: later loads (instances, values) do not count. */
static void take_digest(struct verification *v) {
  if (v->file->bad_input) return;
  cert_sources_digest(&v->lang.sources, v->digest);
  if (v->options->certificates || v->options->digest)
    record_set(&v->file->source_digest, v->digest);
}

static bool same_text(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Does the record speak of this claim of the source? */
static bool same_claim(const struct claim_record *a, const struct claim_record *b) {
  return a->kind == b->kind && same_text(a->name, b->name) && same_text(a->subject, b->subject) &&
         same_text(a->notion, b->notion) && same_text(a->formula, b->formula) &&
         same_text(a->epsilon, b->epsilon) && same_text(a->delta, b->delta);
}

/* Is the certificate about claim number `i`, for its verdict and, if the claim asks for a cost, for
 * that cost? The checker finds the claim by its number in the certificate, not by its place in the
 * list: another order would exchange verdicts. */
static bool fits_claim(const struct claim_record *c, size_t i, const json_t *certificate) {
  const json_t *claim = json_object_get(certificate, "claim");
  const char *cost = json_string_value(json_object_get(certificate, "epsilon"));
  if (json_integer_value(json_object_get(claim, "number")) != (json_int_t)i + 1) return false;
  bool is_open = cost && same_text(c->epsilon, "?");
  if (is_open && !same_text(cost, c->cost)) return false;
  return cert_supports_claim(certificate) == (c->verdict == VERDICT_PROVED);
}

/* What an earlier run decided is believed for its evidence, which is checked again. */
static bool is_shown(const struct verification *v, const struct file_record *known,
                     json_t *evidence) {
  struct recheck what = {v->path, &v->lang.sources, v->digest, evidence, !v->options->side_by_side};
  char *why = NULL;
  bool fits =
      json_array_size(evidence) == known->claims.len && known->claims.len == v->file->claims.len;
  for (size_t i = 0; i < known->claims.len && fits; i++)
    fits = same_claim(&known->claims.at[i], &v->file->claims.at[i]) &&
           fits_claim(&known->claims.at[i], i, json_array_get(evidence, i));
  bool ok = fits && recheck(&what, &why) == RECHECK_CONFIRMED;
  free(why);
  return ok;
}

/* Is there a result of an earlier run? It takes the place of the record. */
static bool recall(struct verification *v) {
  const char *folder = v->options->cache;
  if (!folder || v->file->bad_input) return false;
  if (!cache_key(v->path, v->digest, v->options, v->key)) return false;
  v->is_kept = true;
  json_t *evidence = NULL;
  struct file_record *known = cache_find(folder, v->key, &evidence);
  bool ok = known && is_shown(v, known, evidence);
  if (ok) {
    file_record_free(v->file);
    v->file = known;
  } else if (known) {
    file_record_free(known);
  }
  json_decref(evidence);
  return ok;
}

/* Warnings about claims that would say nothing; before anything is judged, so that they are there
 * whatever happens then. */
static void lint(struct verification *v) {
  struct smt_options options = smt_default_options();
  options.timeout_s = LINT_SECONDS;
  const struct ast_unit *unit = v->module->units[v->module->unit_count - 1];
  bool sound = true, first = true;
  for (size_t i = 0; i < unit->count && sound; i++) {
    const struct ast_decl *d = unit->decls[i];
    bool is_program = d->kind == DECL_CLAIM && d->as.claim.target->kind == DECL_MECHANISM;
    if (!is_program && d->kind != DECL_LEMMA) continue;
    if (budget_is_spent(&v->budget)) return;
    if (first) sound = lint_module(&v->lang, v->module, &options);
    first = false;
    if (sound && is_program) lint_claim(&v->lang, v->module, d, &options);
  }
  for (size_t i = 0; i < unit->count; i++)
    if (unit->decls[i]->kind == DECL_INSTANCE) lint_instance(&v->lang, v->module, unit->decls[i]);
  file_record_take_diags(v->file, &v->lang.sources, &v->lang.diags);
  diags_rollback(&v->lang.diags, (struct diag_mark){0, 0, 0});
}

/* The text that was judged, for reports. */
static void take_sources(struct verification *v) {
  if (!v->options->sources) return;
  v->file->sources = json_array();
  for (uint32_t i = 1; i < v->lang.sources.files.len; i++) {
    const struct source *s = sources_get(&v->lang.sources, i);
    if (s->origin) s = s->origin;
    json_t *text = json_stringn(s->text + s->start, s->length - s->start);
    if (text) /* not if it is no UTF-8: then there are errors, and nothing was judged */
      json_array_append_new(v->file->sources,
                            json_pack("{s:s, s:o}", "path", s->path, "text", text));
  }
}

/* Can it be judged without a search? */
static bool is_given(const struct ast_decl *decl) {
  return decl->kind == DECL_LEMMA ||
         (decl->kind == DECL_CLAIM && (decl->as.claim.has_proof || decl->as.claim.at_count));
}

static bool is_wanted(const struct verify_options *o, size_t number) {
  if (!o->only || number == o->only) return true;
  return o->stride && number > o->only && (number - o->only) % o->stride == 0;
}

static void verify_dp(struct verification *v) {
  const struct translate_options *how = v->options->translation;
  v->module = v->text ? translate_load_text(&v->lang, v->path, v->text, v->length, how)
                      : translate_load(&v->lang, v->path, how);
  v->file->translated = translate_is_wanted(v->path);
  if (!v->lang.diags.errors) build_automata(v);
  if (!v->lang.diags.errors) list_claims(v);
  file_record_take_diags(v->file, &v->lang.sources, &v->lang.diags);
  diags_rollback(&v->lang.diags, (struct diag_mark){0, 0, 0});
  take_digest(v);
  if (recall(v)) return;
  take_sources(v);
  if (v->options->basis && !v->file->bad_input) v->file->basis = basis_json(&v->lang, v->module);
  if (v->progress) v->progress(v->context, v->file);
  if (v->file->bad_input) return;
  lint(v);
  const struct ast_unit *unit = v->module->units[v->module->unit_count - 1];
  for (size_t i = 0, next = 0; i < unit->count; i++)
    if (verify_is_claim(unit->decls[i])) {
      next++;
      if (!is_wanted(v->options, next)) continue;
      if (v->options->no_search && !is_given(unit->decls[i])) {
        record_set(&v->file->claims.at[next - 1].reason,
                   "not given a proof, and not searched for one");
        continue;
      }
      judge_claim(v, &v->file->claims.at[next - 1], unit->decls[i]);
    }
  if (v->options->emit_proof && !v->options->no_search) {
    char *target = emit_target(v->options->emit_proof, v->path);
    emit_proofs(v->file, &v->lang, unit, target);
    free(target);
  }
  /* mistakes in the text of proofs are found when these are checked */
  file_record_take_diags(v->file, &v->lang.sources, &v->lang.diags);
}

static void verify_dipa(struct verification *v) {
  const char *path = v->path;
  char *why = NULL;
  uint32_t file = v->text ? sources_add(&v->lang.sources, path, v->text, v->length)
                          : sources_read(&v->lang.sources, path, &why);
  struct judged_automaton *j = new_automaton(v, NULL);
  if (!file)
    diag_error(&v->lang.diags, span_none(), "unreadable-file", "`%s`: %s", path, why);
  else if (dipa_read(&j->model, &v->lang.sources, file, &v->lang.diags))
    automaton_classify(&j->report, &j->model, &v->lang.diags);
  free(why);
  struct claim_record *c = NULL;
  if (!v->lang.diags.errors) {
    char *name = cert_dipa_name(path);
    c = add_claim(v->file, &v->lang, name, CLAIM_AUTOMATON, (struct span){file, 0, 0});
    c->subject = name;
  }
  file_record_take_diags(v->file, &v->lang.sources, &v->lang.diags);
  take_digest(v);
  if (recall(v)) return;
  take_sources(v);
  if (v->options->basis && c) v->file->basis = basis_of_dipa();
  if (v->progress) v->progress(v->context, v->file);
  if (!c || v->options->no_search || !is_wanted(v->options, 1)) return;
  int64_t start = budget_now_ns();
  const struct judge_options options = {v->options->search, v->options->pictures};
  judge_automaton(c, with_evidence(v, j), NULL, &options, &v->budget);
  if (budget_is_interrupted(&v->budget)) say_interrupted(c);
  settle_certificate(v, c, NULL);
  c->time_s = (double)(budget_now_ns() - start) * 1e-9;
}

static struct file_record *verify(const char *path, const char *text, size_t length,
                                  const struct verify_options *options, verify_progress *progress,
                                  void *context) {
  struct verification v = {.path = path,
                           .text = text,
                           .length = length,
                           .file = file_record_new(path),
                           .evidence = json_array(),
                           .options = options,
                           .budget = budget_of_seconds(options->timeout),
                           .progress = progress,
                           .context = context};
  v.budget.is_interrupted = options->interrupted;
  lang_init(&v.lang);
  v.lang.sources.overlay = options->overlay;
  v.lang.sources.overlay_context = options->overlay_context;
  if (cert_is_dipa(path))
    verify_dipa(&v);
  else
    verify_dp(&v);
  if (v.is_kept && !v.file->cached && !budget_is_interrupted(&v.budget))
    cache_store(options->cache, v.key, v.file, v.evidence);
  json_decref(v.evidence);
  for (size_t i = 0; i < v.automata.len; i++) {
    judged_automaton_clear(v.automata.at[i]);
    free(v.automata.at[i]);
  }
  vec_clear(&v.automata);
  vec_clear(&v.automaton_decls);
  lang_clear(&v.lang);
  return v.file;
}

struct file_record *verify_file(const char *path, const struct verify_options *options,
                                verify_progress *progress, void *context) {
  return verify(path, NULL, 0, options, progress, context);
}

struct file_record *verify_text(const char *path, const char *text, size_t length,
                                const struct verify_options *options, verify_progress *progress,
                                void *context) {
  return verify(path, text, length, options, progress, context);
}
