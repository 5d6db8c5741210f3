#include "check/certificate/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "check/certificate/check_automaton.h"
#include "check/certificate/check_proof.h"
#include "check/certificate/dossier_json.h"
#include "check/certificate/value.h"
#include "check/counterexample/program_certify.h"
#include "check/finite/finite.h"
#include "lang/check/check.h"
#include "num/ball.h"

/* ---- program-counterexample ----------------------------------------------------------------- */

static const struct ast_decl *find_decl(const struct checker *c, enum decl_kind kind,
                                        const char *name) {
  for (size_t i = 0; i < c->source->module->decl_count; i++) {
    const struct ast_decl *d = c->source->module->decls[i];
    if (d->kind == kind && strcmp(d->name.text, name) == 0) return d;
  }
  return NULL;
}

static bool read_instance(struct checker *c, struct program_counterexample *ce,
                          const json_t *json) {
  const char *name;
  if (!reader_optional(&c->r, json, "instance", &name)) return false;
  if (!name) return true;
  if (strchr(name, ' ')) { /* not a name: an instance of its own */
    ce->instance = check_interpretation(&c->source->lang, c->source->module, name);
    return ce->instance || reader_fail(&c->r, MALFORMED, "this is no instance: %.64s", name);
  }
  ce->instance = find_decl(c, DECL_INSTANCE, name);
  return ce->instance || reader_fail(&c->r, MALFORMED, "the source has no instance '%.64s'", name);
}

static bool read_params(struct checker *c, struct program_counterexample *ce, const json_t *json) {
  json_t *object = json_object_get(json, "parameters");
  size_t mark = reader_enter(&c->r, "parameters");
  if (!json_is_object(object)) return reader_fail(&c->r, MALFORMED, "expected an object");
  const char *name;
  json_t *item;
  json_object_foreach(object, name, item) {
    const struct ast_decl *decl = find_decl(c, DECL_PARAM, name);
    if (!decl) return reader_fail(&c->r, MALFORMED, "the source has no parameter '%.64s'", name);
    size_t inner = reader_enter(&c->r, name);
    struct rvalue value = {0};
    if (!value_from_json(&c->r, item, decl->as.param.type, ce->instance, &value)) return false;
    vec_push(&ce->params, (struct program_param){decl, value});
    reader_leave(&c->r, inner);
  }
  reader_leave(&c->r, mark);
  return true;
}

static bool read_inputs(struct checker *c, struct program_counterexample *ce,
                        const struct ast_routine *routine, const json_t *json) {
  const json_t *object = json_object_get(json, "inputs");
  size_t mark = reader_enter(&c->r, "inputs");
  if (!json_is_object(object)) return reader_fail(&c->r, MALFORMED, "expected an object");
  if (json_object_size(object) != routine->arg_count)
    return reader_fail(&c->r, MALFORMED, "%zu inputs for %zu arguments", json_object_size(object),
                       routine->arg_count);
  ce->input_count = routine->arg_count;
  for (int run = 0; run < 2; run++)
    ce->inputs[run] = xcalloc(routine->arg_count + 1, sizeof(struct rvalue));
  for (size_t i = 0; i < routine->arg_count; i++) {
    const char *name = routine->args[i]->name.text;
    size_t inner = reader_enter(&c->r, name);
    const json_t *pair = json_object_get(object, name);
    if (json_array_size(pair) != 2)
      return reader_fail(&c->r, MALFORMED, "expected the inputs of two runs");
    for (size_t run = 0; run < 2; run++)
      if (!value_from_json(&c->r, json_array_get(pair, run), routine->args[i]->declared,
                           ce->instance, &ce->inputs[run][i]))
        return false;
    reader_leave(&c->r, inner);
  }
  reader_leave(&c->r, mark);
  return true;
}

static bool read_event(struct checker *c, const json_t *json, struct pattern *out) {
  const char *text = json_string_value(json);
  char *why = NULL;
  size_t at = 0;
  if (!text || strlen(text) != json_string_length(json))
    return reader_fail(&c->r, MALFORMED, "expected a text");
  if (!pattern_parse(out, text, &at, &why)) {
    reader_fail(&c->r, MALFORMED, "at character %zu: %s", at + 1, why);
    free(why);
    return false;
  }
  struct buffer b;
  buffer_init(&b);
  pattern_print(&b, out);
  bool ok =
      strcmp(buffer_text(&b), text) == 0 ||
      reader_fail(&c->r, MALFORMED, "'%.64s' must be written as %.64s", text, buffer_text(&b));
  buffer_clear(&b);
  if (!ok) pattern_clear(out);
  return ok;
}

static bool read_events(struct checker *c, struct program_counterexample *ce, const json_t *json) {
  const json_t *list = reader_array(&c->r, json, "outputs");
  if (!list) return false;
  size_t mark = reader_enter(&c->r, "outputs");
  for (size_t i = 0; i < json_array_size(list); i++) {
    size_t inner = reader_enter_item(&c->r, i);
    struct pattern p;
    if (!read_event(c, json_array_get(list, i), &p)) return false;
    vec_push(&ce->outputs, p);
    reader_leave(&c->r, inner);
  }
  reader_leave(&c->r, mark);
  return true;
}

static void say_program(struct checker *c, const struct program_counterexample *ce) {
  if (ce->is_law) {
    buffer_puts(c->said, "refuted   an output has probability ");
    ball_print(c->said, ce->p1, 6);
    buffer_puts(c->said, ", not ");
    ball_print(c->said, ce->p2, 6);
    return;
  }
  if (ce->is_accuracy) {
    buffer_puts(c->said, "refuted   fails with probability ");
    ball_print(c->said, ce->p1, 6);
    return;
  }
  buffer_puts(c->said, "refuted   probabilities ");
  if (ce->p1_is_bound) buffer_puts(c->said, "at least ");
  ball_print(c->said, ce->p1, 6);
  buffer_puts(c->said, " and ");
  ball_print(c->said, ce->p2, 6);
  if (ce->notion != NOTION_PURE) {
    buffer_printf(c->said, ": not %s", notion_word(ce->notion));
    return;
  }
  buffer_puts(c->said, ": the loss is ");
  program_print_loss(c->said, ce);
}

static bool check_program(struct checker *c, const struct cert_statement *s, const json_t *json) {
  struct program_claim claim = {&c->source->lang, c->source->module, s->decl};
  struct program_counterexample ce;
  program_counterexample_init(&ce);
  char *why = NULL;
  bool ok = read_instance(c, &ce, json) && read_params(c, &ce, json) &&
            read_inputs(c, &ce, s->decl->as.claim.target->as.mechanism.routine, json) &&
            read_events(c, &ce, json);
  if (ok && s->decl->as.claim.asked)
    ok = reader_fail(&c->r, REJECTED, "the claim names no epsilon that could be refuted");
  if (ok && !program_certify(&ce, &claim, c->budget, &why))
    ok = reader_fail(&c->r, ce.is_contradictory ? INTERNAL : REJECTED, "%s",
                     why ? why : "no counterexample");
  free(why);
  if (ok) say_program(c, &ce);
  program_counterexample_clear(&ce);
  return ok;
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

static bool check_proof(struct checker *c, const struct cert_statement *s, const json_t *json) {
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
  if (ok && !cert_check_proof(c->source, s, epsilon, &dossier, c->budget, &why))
    ok = reader_fail(&c->r, REJECTED, "%s", why);
  free(why);
  if (ok) say_proved(c, s, epsilon, dossier.entries.len);
  c->assumes |= ok;
  dossier_clear(&dossier);
  return ok;
}

/* ---- program-finite ------------------------------------------------------------------------- */

/* The computation is the evidence: it is done again. */
static bool check_finite(struct checker *c, const struct cert_statement *s, const json_t *json) {
  struct program_claim claim = {&c->source->lang, c->source->module, s->decl};
  const json_t *pairs = json_object_get(json, "pairs");
  if (!json_is_integer(pairs) || json_integer_value(pairs) < 0)
    return reader_fail(&c->r, MALFORMED, "expected the number of pairs");
  if (!s->decl->as.claim.at_count || s->decl->as.claim.epsilon->kind == EXPR_HOLE)
    return reader_fail(&c->r, NOT_BOUND, "the claim is not finite");
  struct finite_result r;
  finite_result_init(&r);
  finite_decide(&r, &claim, c->budget);
  bool ok = r.status == FINITE_PROVED ||
            reader_fail(&c->r, REJECTED, "%s",
                        r.status == FINITE_VIOLATED ? "some pair of inputs breaks the claim"
                        : r.why                     ? r.why
                                                    : "the claim could not be decided");
  if (ok && (json_int_t)r.pairs != json_integer_value(pairs))
    ok = reader_fail(&c->r, REJECTED, "there are %zu pairs of adjacent inputs", r.pairs);
  if (ok)
    buffer_printf(c->said, "proved    (%s%s%s)-private by exact computation of all %zu pairs",
                  s->epsilon, s->delta ? ", " : "", s->delta ? s->delta : "", r.pairs);
  finite_result_clear(&r);
  return ok;
}

/* ---- lemma-proof ---------------------------------------------------------------------------- */

static bool check_lemma_calls(struct checker *c, const struct cert_statement *s, const json_t *json,
                              bool is_false) {
  struct dossier dossier;
  dossier_init(&dossier);
  char *why = NULL;
  bool ok = dossier_from_json(&c->r, json, &dossier);
  if (ok && !cert_check_lemma(c->source, s, is_false, &dossier, c->budget, &why))
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

static bool check_lemma(struct checker *c, const struct cert_statement *s, const json_t *json) {
  return check_lemma_calls(c, s, json, false);
}

/* ---- lemma-counterexample ------------------------------------------------------------------- */

static bool check_false_lemma(struct checker *c, const struct cert_statement *s,
                              const json_t *json) {
  return check_lemma_calls(c, s, json, true);
}

/* ---- one certificate ------------------------------------------------------------------------ */

static bool same_text(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_words(struct checker *c, const json_t *claim, const char *field,
                       const char *expected) {
  const char *text;
  if (!reader_optional(&c->r, claim, field, &text)) return false;
  if (same_text(text, expected)) return true;
  size_t mark = reader_enter(&c->r, field);
  reader_fail(&c->r, NOT_BOUND, "the source says %s%.64s%s, not %s%.64s%s", expected ? "'" : "",
              expected ? expected : "null", expected ? "'" : "", text ? "'" : "",
              text ? text : "null", text ? "'" : "");
  reader_leave(&c->r, mark);
  return false;
}

/* Claims with epsilon and delta do not name a notion. */
static bool same_notion(struct checker *c, const json_t *claim, const char *expected) {
  if (!expected && !json_object_get(claim, "notion")) return true;
  return same_words(c, claim, "notion", expected);
}

/* The statement of the source that the certificate is about. NULL: there is none. */
static const struct cert_statement *find_statement(struct checker *c, const json_t *json,
                                                   uint32_t *number) {
  const json_t *claim = json_object_get(json, "claim");
  const char *fields = json_object_get(claim, "notion") ? "number name subject notion epsilon delta"
                                                        : "number name subject epsilon delta";
  size_t mark = reader_enter(&c->r, "claim");
  if (!reader_object(&c->r, claim, fields) ||
      !reader_field_number(&c->r, claim, "number", c->source->statements.len + 1, "claims", number))
    return NULL;
  if (*number == 0) {
    reader_fail(&c->r, MALFORMED, "claims are numbered from 1 on");
    return NULL;
  }
  const struct cert_statement *s = &c->source->statements.at[*number - 1];
  if (!same_words(c, claim, "name", s->name) || !same_words(c, claim, "subject", s->subject) ||
      !same_notion(c, claim, s->notion) || !same_words(c, claim, "epsilon", s->epsilon) ||
      !same_words(c, claim, "delta", s->delta))
    return NULL;
  reader_leave(&c->r, mark);
  return s;
}

static bool is_about_automaton(struct checker *c, const struct cert_statement *s,
                               const json_t *json) {
  const char *digest = reader_text(&c->r, json, "automaton");
  if (!digest) return false;
  if (!s->automaton) return reader_fail(&c->r, NOT_BOUND, "the claim is not about an automaton");
  return strcmp(digest, s->automaton->digest) == 0 ||
         reader_fail(&c->r, NOT_BOUND, "the automaton '%s' of the source has another structure",
                     s->subject);
}

struct kind {
  const char *name, *fields;
  enum { ABOUT_AUTOMATON, ABOUT_PROGRAM, ABOUT_LEMMA } about;
  bool (*check)(struct checker *c, const struct cert_statement *s, const json_t *json);
};

static const struct kind kinds[] = {
    {CERT_KIND_STRATEGY, "claim kind automaton cost strategy", ABOUT_AUTOMATON,
     cert_check_strategy},
    {CERT_KIND_AUTOMATON, "claim kind automaton refuted", ABOUT_AUTOMATON, cert_check_automaton},
    {CERT_KIND_WALK, "claim kind automaton refuted walk", ABOUT_AUTOMATON, cert_check_walk},
    {CERT_KIND_UNBOUNDED, "claim kind automaton refuted walk", ABOUT_AUTOMATON,
     cert_check_unbounded},
    {CERT_KIND_PROGRAM, "claim kind instance parameters inputs outputs", ABOUT_PROGRAM,
     check_program},
    {CERT_KIND_PROOF, "claim kind epsilon derivation terms refutations", ABOUT_PROGRAM,
     check_proof},
    {CERT_KIND_FINITE, "claim kind pairs", ABOUT_PROGRAM, check_finite},
    {CERT_KIND_LEMMA, "claim kind derivation terms refutations", ABOUT_LEMMA, check_lemma},
    {CERT_KIND_FALSE_LEMMA, "claim kind derivation terms refutations", ABOUT_LEMMA,
     check_false_lemma},
};

static const struct kind *find_kind(struct checker *c, const json_t *json) {
  const char *name = reader_text(&c->r, json, "kind");
  for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
  if (name) reader_fail(&c->r, MALFORMED, "this version knows no certificates '%.64s'", name);
  return NULL;
}

static bool is_about(struct checker *c, const struct kind *kind, const struct cert_statement *s,
                     const json_t *json) {
  if (kind->about == ABOUT_AUTOMATON) return is_about_automaton(c, s, json);
  bool is_lemma = kind->about == ABOUT_LEMMA;
  if (!s->automaton && s->decl && s->decl->kind == (is_lemma ? DECL_LEMMA : DECL_CLAIM))
    return true;
  return reader_fail(&c->r, NOT_BOUND, "the claim is not %s",
                     is_lemma ? "a lemma" : "about a program");
}

static bool check_one(struct checker *c, const json_t *json, uint32_t *number) {
  if (budget_is_spent(c->budget)) return reader_fail(&c->r, REJECTED, "out of time");
  if (!json_is_object(json)) return reader_fail(&c->r, MALFORMED, "expected an object");
  const struct kind *kind = find_kind(c, json);
  if (!kind || !reader_object(&c->r, json, kind->fields)) return false;
  const struct cert_statement *s = find_statement(c, json, number);
  if (!s) return false;
  return is_about(c, kind, s, json) && kind->check(c, s, json);
}

/* ---- the file ------------------------------------------------------------------------------- */

static bool check_header(struct checker *c, const json_t *file) {
  char seal[SHA256_HEX + 1];
  const json_t *version = json_object_get(file, "version");
  const char *format = json_string_value(json_object_get(file, "format"));
  if (!format || strcmp(format, CERT_FORMAT) != 0)
    return reader_fail(&c->r, "certificate-format",
                       "this is not a certificate: the field 'format' is not \"%s\"", CERT_FORMAT);
  if (!json_is_integer(version) || json_integer_value(version) != CERT_VERSION)
    return reader_fail(&c->r, "certificate-version",
                       "this version reads certificates of version %d only", CERT_VERSION);
  if (!reader_object(&c->r, file, "format version source certificates seal")) return false;
  const char *source = reader_text(&c->r, file, "source");
  const char *sealed = reader_text(&c->r, file, "seal");
  if (!source || !sealed) return false;
  cert_seal(file, seal);
  if (strcmp(seal, sealed) != 0)
    return reader_fail(&c->r, "certificate-seal",
                       "the file was changed after it was written: the seal does not fit");
  return strcmp(source, c->source->digest) == 0 ||
         reader_fail(&c->r, "certificate-source",
                     "the certificate is for another source, or this one has changed since: the "
                     "hash of the file and what it includes is %s, not %s",
                     c->source->digest, source);
}

static void print_failure(struct buffer *err, const char *path, const struct reader *r) {
  buffer_printf(err, "%s: error[%s]: %s\n", path, r->code, r->why);
}

static enum couplet_exit status_of(const struct reader *r) {
  if (strcmp(r->code, INTERNAL) == 0) return COUPLET_EXIT_INTERNAL;
  return strcmp(r->code, REJECTED) == 0 ? COUPLET_EXIT_UNKNOWN : COUPLET_EXIT_INPUT;
}

/* One certificate: its line, or its failure. */
static enum couplet_exit check_item(struct checker *c, const json_t *json, size_t index,
                                    const char *path, bool *seen, struct buffer *out,
                                    struct buffer *err) {
  reader_init(&c->r);
  reader_enter(&c->r, "certificates");
  reader_enter_item(&c->r, index);
  c->said->len = 0;
  uint32_t number = 0;
  bool ok = check_one(c, json, &number);
  if (ok && seen[number]) ok = reader_fail(&c->r, NOT_BOUND, "the claim has a certificate already");
  enum couplet_exit status = COUPLET_EXIT_PROVED;
  if (ok) {
    seen[number] = true;
    buffer_printf(out, "%-24s %s\n", c->source->statements.at[number - 1].name,
                  buffer_text(c->said));
  } else {
    print_failure(err, path, &c->r);
    status = status_of(&c->r);
  }
  reader_clear(&c->r);
  return status;
}

/* A claim from assumptions that nothing satisfies is true and says nothing: to find that out is a search,
 * and not done here. */
static void say_all(const struct checker *c, size_t count, struct buffer *out) {
  buffer_printf(out, "%zu of %zu claims certified\n", count, c->source->statements.len);
  if (c->assumes)
    buffer_puts(out,
                "proved means: for everything that satisfies the adjacency, assumptions and axioms "
                "of the source; whether anything does is not checked\n");
}

static enum couplet_exit check_file(struct checker *c, const json_t *file, const char *path,
                                    struct buffer *out, struct buffer *err) {
  reader_init(&c->r);
  bool ok = check_header(c, file);
  const json_t *list = ok ? reader_array(&c->r, file, "certificates") : NULL;
  if (list && !json_array_size(list))
    reader_fail(&c->r, REJECTED, "the file has no certificate: nothing was decided");
  enum couplet_exit status = COUPLET_EXIT_PROVED;
  if (c->r.code) {
    print_failure(err, path, &c->r);
    status = status_of(&c->r);
  }
  reader_clear(&c->r);
  if (status != COUPLET_EXIT_PROVED) return status;
  bool *seen = xcalloc(c->source->statements.len + 1, sizeof *seen);
  /* bad input ends the check; after evidence that was rejected the others are still judged */
  for (size_t i = 0; i < json_array_size(list) && status != COUPLET_EXIT_INPUT; i++) {
    enum couplet_exit now = check_item(c, json_array_get(list, i), i, path, seen, out, err);
    if (now != COUPLET_EXIT_PROVED) status = now;
  }
  free(seen);
  if (status == COUPLET_EXIT_PROVED) say_all(c, json_array_size(list), out);
  return status;
}

/* The JSON of the file; NULL with the reason in `err`. */
static json_t *load(const char *path, struct buffer *err) {
  struct sources sources;
  sources_init(&sources);
  char *why = NULL;
  json_t *json = NULL;
  uint32_t file = sources_read(&sources, path, &why);
  if (!file) {
    buffer_printf(err, "%s: error[unreadable-file]: %s\n", path, why);
  } else {
    const struct source *s = sources_get(&sources, file);
    json_error_t e;
    json = json_loadb(s->text, s->length, JSON_REJECT_DUPLICATES, &e);
    if (!json) {
      buffer_printf(err, "%s:%d:%d: error[certificate-syntax]: this is not JSON: ", path,
                    e.line > 0 ? e.line : 1, e.column > 0 ? e.column : 1);
      visible_put(err, e.text, strlen(e.text)); /* it quotes the file */
      buffer_puts(err, "; give the certificate (of couplet verify --certificate) first, then the "
                       "source\n");
    }
  }
  free(why);
  sources_clear(&sources);
  return json;
}

enum couplet_exit cert_check_json(const json_t *file, const char *path, struct cert_source *source,
                                  const struct budget *budget, struct buffer *out,
                                  struct buffer *err) {
  struct buffer said;
  buffer_init(&said);
  struct checker c = {.source = source, .budget = budget, .said = &said};
  enum couplet_exit status = check_file(&c, file, path, out, err);
  buffer_clear(&said);
  return status;
}

enum couplet_exit cert_check(const char *certificate, const char *source,
                             const struct budget *budget, struct buffer *out, struct buffer *err) {
  json_t *file = load(certificate, err);
  if (!file) return COUPLET_EXIT_INPUT;
  struct cert_source loaded;
  enum couplet_exit status = COUPLET_EXIT_INPUT;
  if (cert_source_load(&loaded, source)) {
    status = cert_check_json(file, certificate, &loaded, budget, out, err);
  } else {
    diags_sort(&loaded.lang.diags);
    diags_render(err, &loaded.lang.sources, &loaded.lang.diags, (struct diag_style){false});
  }
  cert_source_clear(&loaded);
  json_decref(file);
  return status;
}
