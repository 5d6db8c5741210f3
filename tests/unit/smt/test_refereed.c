/* From believing to proving: only what the referee accepts is proved, and what was accepted once is
 * accepted again from the dossier alone. The advocate here knows one trick: a goal that follows
 * from one hypothesis by adding inequalities.
 * ctest-label: release */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/certificate/check.h"
#include "check/certificate/dossier_json.h"
#include "check/certificate/format.h"
#include "check/recount/judges.h"
#include "check/referee/referee.h"
#include "claim/lemma.h"
#include "out/evidence.h"
#include "smt/believe.h"
#include "smt/refereed.h"
#include "source_text.h"
#include "term/build.h"
#include "term/subst.h"

#define TWO                                                                                        \
  "param n : int, n >= 1;\nparam m : int, m >= 2;\n"                                               \
  "lemma both: n >= 0 and m >= 1;\n"
#define CONSTANT                                                                                   \
  "param eps : real, eps > 0;\n"                                                                   \
  "mechanism constant(private q : real) returns int adjacent within(q, 1) { return 0; }\n"         \
  "claim private constant epsilon eps proof {}\n"

/* ---- advocates ------------------------------------------------------------------------------- */

/* Input `hypothesis`, the negated goal, and that they cannot both hold. */
static void one_step(struct terms *ts, const struct sequent *s, size_t hypothesis,
                     struct refutation *out) {
  refutation_add(out, STEP_INPUT)->number = hypothesis;
  refutation_add(out, STEP_INPUT)->number = s->count;
  struct step *sum = refutation_add(out, STEP_ALGEBRA);
  vec_push(&sum->literals, (struct literal){s->hypotheses[hypothesis], true});
  vec_push(&sum->literals, (struct literal){s->goal, false});
  for (size_t i = 0; i < 2; i++) {
    struct summand summand = {.multiplier = term_rat(ts, 1, 1)};
    vec_push(&summand.factors, i);
    vec_push(&sum->sum, summand);
  }
  struct step *end = refutation_add(out, STEP_CHAIN);
  for (size_t i = 0; i < 3; i++)
    vec_push(&end->hints, i);
}

static bool clever(struct terms *ts, const struct sequent *s, double seconds,
                   struct refutation *out) {
  (void)seconds;
  for (size_t i = 0; i < s->count; i++) {
    refutation_clear(out);
    one_step(ts, s, i, out);
    if (referee_accepts(ts, s, out, NULL, NULL)) return true;
  }
  return false;
}

/* Has something to show, whether it convinces or not. */
static bool bold(struct terms *ts, const struct sequent *s, double seconds,
                 struct refutation *out) {
  if (clever(ts, s, seconds, out)) return true;
  refutation_clear(out);
  refutation_add(out, STEP_CHAIN);
  return true;
}

static bool silent(struct terms *ts, const struct sequent *s, double seconds,
                   struct refutation *out) {
  (void)ts;
  (void)s;
  (void)seconds;
  (void)out;
  return false;
}

/* ---- one lemma, one claim -------------------------------------------------------------------- */

struct trial {
  struct lang lang;
  struct ast_module *module;
  struct dossier dossier;
  struct proof_result result;
};

static void try_text(struct trial *t, const char *text, struct refereed_options options) {
  lang_init(&t->lang);
  t->module = load_valid_text(&t->lang, text);
  dossier_init(&t->dossier);
  const struct ast_decl *decl = t->module->decls[t->module->decl_count - 1];
  if (decl->kind == DECL_LEMMA)
    refereed_lemma(&t->lang, t->module, decl, &options, &t->dossier, &t->result);
  else
    refereed_claim(&t->lang, t->module, decl, &(struct proof_text){NULL, NULL}, &options,
                   &t->dossier, &t->result);
}

static void trial_clear(struct trial *t) {
  proof_result_clear(&t->result);
  dossier_clear(&t->dossier);
  lang_clear(&t->lang);
}

static enum proof_verdict verdict_of(const char *text, struct refereed_options options) {
  struct trial t;
  try_text(&t, text, options);
  enum proof_verdict v = t.result.verdict;
  trial_clear(&t);
  return v;
}

static void evidence_proves(void **state) {
  (void)state;
  struct trial t;
  try_text(&t, TWO, (struct refereed_options){.advocate = clever});
  assert_int_equal(t.result.verdict, PROOF_PROVED);
  assert_int_equal(t.dossier.entries.len, 2);
  assert_int_equal(t.result.obligation_count, 2);
  assert_int_equal(t.result.obligations[0].steps, 4);
  assert_string_equal(t.result.obligations[0].method, "referee");
  assert_false(t.result.obligations[0].believed);
  trial_clear(&t);
  assert_int_equal(verdict_of(CONSTANT, (struct refereed_options){.advocate = clever}),
                   PROOF_PROVED);
}

static void no_evidence_proves_nothing(void **state) {
  (void)state;
  struct trial t;
  try_text(&t, TWO, (struct refereed_options){.advocate = silent});
  assert_int_equal(t.result.verdict, PROOF_UNKNOWN);
  assert_true(t.result.lacks_evidence);
  assert_non_null(t.result.conjunct);
  trial_clear(&t);
  /* a refutation that is none, of something true and of something false */
  const char *more = "param n : int, n >= 2;\nlemma square: n*n >= 4;\n";
  const char *wrong = "param n : int, n >= 2;\nlemma wrong: n >= 3;\n";
  assert_int_equal(verdict_of(more, (struct refereed_options){.advocate = bold}), PROOF_UNKNOWN);
  assert_int_equal(verdict_of(wrong, (struct refereed_options){.advocate = bold}), PROOF_UNKNOWN);
}

/* The solver's word is enough for nothing but PROOF_BELIEVED. */
static void belief_is_no_proof(void **state) {
  (void)state;
  static const char *const texts[] = {TWO, CONSTANT, "lemma trivial: 1 = 1;\n"};
  for (size_t i = 0; i < 3; i++) {
    struct lang lang;
    lang_init(&lang);
    struct ast_module *m = load_valid_text(&lang, texts[i]);
    const struct ast_decl *decl = m->decls[m->decl_count - 1];
    struct believe_options options = believe_default_options();
    struct proof_result r;
    call_list point = {0};
    if (decl->kind == DECL_LEMMA)
      believe_lemma(&lang, m, decl, &options, &r, &point);
    else
      believe_claim(&lang, m, decl, &options, &r);
    calls_clear(&point);
    assert_int_equal(r.verdict, PROOF_BELIEVED);
    proof_result_clear(&r);
    lang_clear(&lang);
  }
  struct refereed_options trusting = {.advocate = silent, .trust_solver = true};
  assert_int_equal(verdict_of(TWO, trusting), PROOF_BELIEVED);
  trusting.advocate = bold;
  assert_int_equal(verdict_of("param n : int, n >= 2;\nlemma square: n*n >= 4;\n", trusting),
                   PROOF_BELIEVED);
  trusting.advocate = clever; /* nothing has to be believed */
  assert_int_equal(verdict_of(TWO, trusting), PROOF_PROVED);
  assert_int_equal(verdict_of("lemma wrong: 1 = 2;\n", trusting), PROOF_FALSE);
}

static void time_is_limited(void **state) {
  (void)state;
  struct budget spent = budget_of_seconds(1e-9);
  struct trial t;
  try_text(&t, TWO, (struct refereed_options){.advocate = clever, .budget = &spent});
  assert_int_equal(t.result.verdict, PROOF_UNKNOWN);
  assert_non_null(strstr(t.result.reason, "out of time"));
  trial_clear(&t);
}

/* ---- the dossier alone ----------------------------------------------------------------------- */

static enum proof_verdict replayed(const struct trial *t, struct dossier *dossier, bool *used_up) {
  struct terms terms;
  struct dossier_decider decider;
  struct proof_result r;
  terms_init(&terms);
  dossier_decider_init(&decider, dossier, &terms);
  struct proof_session session = {.lang = (struct lang *)&t->lang,
                                  .module = t->module,
                                  .claim = t->module->decls[t->module->decl_count - 1],
                                  .terms = &terms,
                                  .decider = &decider.decider};
  proof_session_check_lemma(&session, &r);
  enum proof_verdict v = r.verdict;
  *used_up = dossier_is_used_up(&decider);
  proof_result_clear(&r);
  dossier_decider_clear(&decider);
  terms_clear(&terms);
  return v;
}

static void replace(char **text, const char *with) {
  free(*text);
  *text = xstrdup(with);
}

static void dossiers_are_checked(void **state) {
  (void)state;
  struct trial t;
  bool used_up;
  try_text(&t, TWO, (struct refereed_options){.advocate = clever});
  struct dossier *d = &t.dossier;
  assert_int_equal(replayed(&t, d, &used_up), PROOF_PROVED);
  assert_true(used_up);
  /* exchanged between obligations */
  char *first = d->entries.at[0].steps;
  d->entries.at[0].steps = d->entries.at[1].steps;
  d->entries.at[1].steps = first;
  assert_int_equal(replayed(&t, d, &used_up), PROOF_UNKNOWN);
  d->entries.at[1].steps = d->entries.at[0].steps;
  d->entries.at[0].steps = first;
  /* any change of a step; a step left out */
  char *kept = xstrdup(first);
  for (size_t i = 0; i < strlen(kept); i++) {
    if (kept[i] == ' ' || kept[i] == '\n') continue;
    char *changed = xstrdup(kept);
    changed[i] = changed[i] == '0' ? '1' : changed[i] == '+' ? '-' : '0';
    replace(&d->entries.at[0].steps, changed);
    assert_int_equal(replayed(&t, d, &used_up), PROOF_UNKNOWN);
    free(changed);
  }
  /* a word that the step has no use for */
  static const char *const words[] = {" n1", " f0", " t0", " +0", " *0", " h0"};
  size_t length = strcspn(kept, "\n");
  assert_memory_equal(kept, "input", strlen("input"));
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    char *changed = xasprintf("%.*s%s%s", (int)length, kept, words[i], kept + length);
    replace(&d->entries.at[0].steps, changed);
    assert_int_equal(replayed(&t, d, &used_up), PROOF_UNKNOWN);
    free(changed);
  }
  replace(&d->entries.at[0].steps, strchr(kept, '\n') + 1);
  assert_int_equal(replayed(&t, d, &used_up), PROOF_UNKNOWN);
  replace(&d->entries.at[0].steps, "");
  assert_int_equal(replayed(&t, d, &used_up), PROOF_UNKNOWN);
  replace(&d->entries.at[0].steps, kept);
  free(kept);
  /* a line more than is needed, and one less */
  dossier_add_line(d, "true", 4);
  assert_int_equal(replayed(&t, d, &used_up), PROOF_PROVED);
  assert_false(used_up);
  free(vec_pop(&d->lines));
  char *last = vec_pop(&d->lines);
  assert_int_equal(replayed(&t, d, &used_up), PROOF_UNKNOWN);
  vec_push(&d->lines, last);
  /* a refutation less */
  free(vec_pop(&d->entries).steps);
  assert_int_equal(replayed(&t, d, &used_up), PROOF_UNKNOWN);
  trial_clear(&t);
}

/* ---- the same again -------------------------------------------------------------------------- */

/* Makes terms of all kinds, of which only some are shown, and convinces nobody. */
static bool noisy(struct terms *ts, const struct sequent *s, double seconds,
                  struct refutation *out) {
  (void)seconds;
  term_list all = {0};
  for (size_t i = s->count; i-- > 0;)
    term_subterms(ts, s->hypotheses[i], &all);
  term_subterms(ts, s->goal, &all);
  term_id sum = term_int(ts, 1);
  for (size_t i = all.len; i-- > 0;) {
    if (!sort_is_numeric(term_sort(ts, all.at[i]))) continue;
    term_id fresh = term_fresh(ts, term_var(ts, "witness", term_sort(ts, all.at[i]), 0, 0));
    term_id product = term_mul(ts, fresh, term_add(ts, all.at[i], term_int(ts, (long)i)));
    if (i % 3) sum = term_add(ts, sum, product);
    if (i % 5 == 0) {
      struct step *step = refutation_add(out, STEP_ALGEBRA);
      vec_push(&step->literals, (struct literal){term_le(ts, product, all.at[i]), i % 2});
    }
  }
  struct step *step = refutation_add(out, STEP_CHAIN);
  vec_push(&step->literals, (struct literal){term_le(ts, sum, term_int(ts, 0)), true});
  term_id x = term_var(ts, "x", SORT_INT, 0, 0);
  term_id low = term_le(ts, x, term_int(ts, 7)), high = term_le(ts, term_int(ts, 3), x);
  term_id some = term_exists(ts, &x, 1, term_and(ts, s->goal, term_and(ts, high, low)));
  vec_push(&step->literals, (struct literal){some, false});
  vec_clear(&all);
  return true;
}

struct doubter { /* asks the dossier first, then believes */
  struct dossier_decider reader;
  bool (*refute)(struct decider *d, struct terms *ts, const struct sequent *s,
                 struct refutation *out, const char **why);
  size_t unknown; /* obligations that the dossier does not know */
};

static bool doubter_refute(struct decider *decider, struct terms *ts, const struct sequent *s,
                           struct refutation *out, const char **why) {
  struct doubter *d = (struct doubter *)decider;
  char key[SHA256_HEX + 1];
  sequent_key(ts, s, key);
  d->unknown += dossier_find(d->reader.dossier, key) == NULL;
  return d->refute(decider, ts, s, out, why);
}

static void doubter_believe(struct decider *decider, struct terms *ts, const struct question *q,
                            struct answer *out) {
  (void)decider;
  struct terms_mark mark = terms_mark(ts);
  struct smt smt;
  smt_init(&smt, ts, NULL);
  smt.decider.believe(&smt.decider, ts, q, out);
  smt_clear(&smt);
  terms_rollback(ts, mark);
}

static void repeat(const char *path) {
  struct trial t;
  lang_init(&t.lang);
  t.module = lang_load(&t.lang, path);
  assert_int_equal(t.lang.diags.errors, 0);
  for (size_t i = 0; i < t.module->decl_count; i++) {
    const struct ast_decl *decl = t.module->decls[i];
    if (decl->kind != DECL_CLAIM) continue;
    struct refereed_options options = {.advocate = noisy, .trust_solver = true};
    dossier_init(&t.dossier);
    refereed_claim(&t.lang, t.module, decl, &(struct proof_text){NULL, NULL}, &options, &t.dossier,
                   &t.result);
    assert_int_equal(t.result.verdict, PROOF_BELIEVED);
    assert_true(t.dossier.entries.len > 3);
    proof_result_clear(&t.result);
    struct terms terms;
    struct doubter d = {.unknown = 0};
    terms_init(&terms);
    dossier_decider_init(&d.reader, &t.dossier, &terms);
    d.refute = d.reader.decider.refute;
    d.reader.decider.refute = doubter_refute;
    d.reader.decider.believe = doubter_believe;
    struct proof_session session = {&t.lang,           t.module, decl, &terms,
                                    &d.reader.decider, false,    NULL};
    for (size_t e = 0; e < t.dossier.entries.len; e++)
      t.dossier.entries.at[e].used = false;
    proof_session_check(&session, &(struct proof_text){NULL, NULL}, &t.result);
    assert_int_equal(t.result.verdict, PROOF_BELIEVED);
    assert_int_equal(d.unknown, 0);
    assert_true(dossier_is_used_up(&d.reader));
    proof_result_clear(&t.result);
    dossier_decider_clear(&d.reader);
    terms_clear(&terms);
    dossier_clear(&t.dossier);
  }
  lang_clear(&t.lang);
}

/* A derivation that is repeated with the same dossier comes to the same obligations, whatever the
 * search and the refutations have made of terms in between. */
static void derivations_repeat(void **state) {
  (void)state;
  repeat("examples/proofs/svt.dp");
  repeat("examples/proofs/ptr.dp");
  repeat("examples/proofs/noisy_max.dp");
  repeat("examples/proofs/above_threshold.dp");
}

/* Terms of a search are gone without a trace. */
static void tables_can_be_taken_back(void **state) {
  (void)state;
  struct terms ts;
  terms_init(&ts);
  term_id x = term_var(&ts, "x", SORT_REAL, 0, 0), y = term_var(&ts, "y", SORT_REAL, 0, 0);
  term_id sum = term_add(&ts, x, y);
  struct terms_mark mark = terms_mark(&ts);
  size_t nodes = ts.nodes.len;
  for (int i = 0; i < 5000; i++)
    term_mul(&ts, term_rat(&ts, i, 7), term_fresh(&ts, x));
  terms_rollback(&ts, mark);
  assert_int_equal(ts.nodes.len, nodes);
  assert_int_equal(ts.fresh, 0);
  assert_int_equal(term_add(&ts, y, x), sum);
  term_id half = term_rat(&ts, 1, 2);
  assert_int_equal(half, nodes);
  assert_int_equal(term_rat(&ts, 1, 2), half);
  terms_clear(&ts);
}

/* ---- certificates ---------------------------------------------------------------------------- */

static json_t *certificate(const struct cert_source *source, json_t *evidence) {
  json_t *one = json_pack("{s:{s:i, s:s, s:s, s:s, s:n}, s:s, s:s}", "claim", "number", 1, "name",
                          "constant", "subject", "constant", "epsilon", "eps", "delta", "kind",
                          CERT_KIND_PROOF, "epsilon", "eps");
  json_object_update(one, evidence);
  json_decref(evidence);
  json_t *file = json_pack("{s:s, s:i, s:s, s:[o]}", "format", CERT_FORMAT, "version", CERT_VERSION,
                           "source", source->digest, "certificates", one);
  char seal[SHA256_HEX + 1];
  cert_seal(file, seal);
  json_object_set_new(file, "seal", json_string(seal));
  return file;
}

static enum couplet_exit checked(struct cert_source *source, json_t *evidence) {
  struct buffer out, err;
  buffer_init(&out);
  buffer_init(&err);
  json_t *file = certificate(source, evidence);
  enum couplet_exit status = cert_check_json(file, "cert", source, &all_judges, NULL, &out, &err);
  json_decref(file);
  buffer_clear(&out);
  buffer_clear(&err);
  return status;
}

static void write_source(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void certificates_carry_refutations(void **state) {
  (void)state;
  char path[] = "/tmp/couplet_refereed_XXXXXX.dp";
  int fd = mkstemps(path, 3);
  assert_true(fd >= 0);
  close(fd);
  write_source(path, CONSTANT);
  struct cert_source source;
  assert_true(cert_source_load(&source, path));
  struct trial t;
  try_text(&t, CONSTANT, (struct refereed_options){.advocate = clever, .evidence = true});
  assert_int_equal(t.result.verdict, PROOF_PROVED);
  assert_true(t.dossier.entries.len > 0);
  json_t *evidence = dossier_to_json(&t.dossier);
  assert_int_equal(checked(&source, json_deep_copy(evidence)), COUPLET_EXIT_PROVED);
  json_t *none = json_deep_copy(evidence);
  json_array_clear(json_object_get(none, "terms"));
  json_array_clear(json_object_get(none, "refutations"));
  assert_int_equal(checked(&source, none), COUPLET_EXIT_UNKNOWN);
  json_t *twice = json_deep_copy(evidence);
  json_t *list = json_object_get(twice, "refutations");
  json_array_append(list, json_array_get(list, 0));
  assert_int_equal(checked(&source, twice), COUPLET_EXIT_INPUT);
  json_t *strange = json_deep_copy(evidence);
  json_object_set_new(
      json_array_get(json_object_get(strange, "refutations"), 0), "obligation",
      json_string("0000000000000000000000000000000000000000000000000000000000000000"));
  assert_int_equal(checked(&source, strange), COUPLET_EXIT_UNKNOWN);
  json_t *altered = json_deep_copy(evidence);
  json_t *steps =
      json_object_get(json_array_get(json_object_get(altered, "refutations"), 0), "steps");
  json_array_remove(steps, 0);
  assert_int_equal(checked(&source, altered), COUPLET_EXIT_UNKNOWN);
  json_decref(evidence);
  trial_clear(&t);
  cert_source_clear(&source);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(evidence_proves),          cmocka_unit_test(no_evidence_proves_nothing),
      cmocka_unit_test(belief_is_no_proof),       cmocka_unit_test(time_is_limited),
      cmocka_unit_test(dossiers_are_checked),     cmocka_unit_test(derivations_repeat),
      cmocka_unit_test(tables_can_be_taken_back), cmocka_unit_test(certificates_carry_refutations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
