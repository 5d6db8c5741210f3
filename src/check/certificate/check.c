#include "check/certificate/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/visible.h"

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

struct kind {
  const char *name, *fields;
  enum { ABOUT_AUTOMATON, ABOUT_PROGRAM, ABOUT_LEMMA } about;
};

#define DERIVATION "derivation terms refutations"
static const struct kind kinds[CERT_KINDS] = {
    [CERT_STRATEGY] = {CERT_KIND_STRATEGY, "claim kind automaton cost strategy", ABOUT_AUTOMATON},
    [CERT_AUTOMATON] = {CERT_KIND_AUTOMATON, "claim kind automaton refuted", ABOUT_AUTOMATON},
    [CERT_WALK] = {CERT_KIND_WALK, "claim kind automaton refuted walk", ABOUT_AUTOMATON},
    [CERT_UNBOUNDED] = {CERT_KIND_UNBOUNDED, "claim kind automaton refuted walk", ABOUT_AUTOMATON},
    [CERT_PROGRAM] = {CERT_KIND_PROGRAM, "claim kind instance parameters inputs outputs",
                      ABOUT_PROGRAM},
    [CERT_PROOF] = {CERT_KIND_PROOF, "claim kind epsilon " DERIVATION, ABOUT_PROGRAM},
    [CERT_FINITE] = {CERT_KIND_FINITE, "claim kind pairs", ABOUT_PROGRAM},
    [CERT_LEMMA] = {CERT_KIND_LEMMA, "claim kind " DERIVATION, ABOUT_LEMMA},
    [CERT_FALSE_LEMMA] = {CERT_KIND_FALSE_LEMMA, "claim kind " DERIVATION, ABOUT_LEMMA},
};

static bool find_kind(struct checker *c, const json_t *json, enum cert_kind *found) {
  const char *name = reader_text(&c->r, json, "kind");
  if (!name) return false;
  for (*found = 0; *found < CERT_KINDS; ++*found)
    if (strcmp(kinds[*found].name, name) == 0) return true;
  return reader_fail(&c->r, MALFORMED, "this version knows no certificates '%.64s'", name);
}

static bool is_about(struct checker *c, const struct kind *kind, const struct cert_statement *s) {
  if (kind->about == ABOUT_AUTOMATON)
    return s->is_about_automaton ||
           reader_fail(&c->r, NOT_BOUND, "the claim is not about an automaton");
  bool is_lemma = kind->about == ABOUT_LEMMA;
  if (!s->is_about_automaton && s->decl && s->decl->kind == (is_lemma ? DECL_LEMMA : DECL_CLAIM))
    return true;
  return reader_fail(&c->r, NOT_BOUND, "the claim is not %s",
                     is_lemma ? "a lemma" : "about a program");
}

static bool judge(struct checker *c, enum cert_kind kind, const struct cert_statement *s,
                  const json_t *json) {
  cert_judge *by = c->judges->of[kind];
  return by ? by(c, s, json)
            : reader_fail(&c->r, REJECTED, "this program does not judge certificates '%s'",
                          kinds[kind].name);
}

static bool check_one(struct checker *c, const json_t *json, uint32_t *number) {
  if (budget_is_spent(c->budget)) return reader_fail(&c->r, REJECTED, "out of time");
  if (!json_is_object(json)) return reader_fail(&c->r, MALFORMED, "expected an object");
  enum cert_kind kind;
  if (!find_kind(c, json, &kind) || !reader_object(&c->r, json, kinds[kind].fields)) return false;
  const struct cert_statement *s = find_statement(c, json, number);
  if (!s) return false;
  return is_about(c, &kinds[kind], s) && judge(c, kind, s, json);
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

/* A claim from assumptions that nothing satisfies is true and says nothing: to find that out is a
 * search, and not done here. */
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
                                  const struct cert_judges *judges, const struct budget *budget,
                                  struct buffer *out, struct buffer *err) {
  struct buffer said;
  buffer_init(&said);
  struct checker c = {.source = source, .judges = judges, .budget = budget, .said = &said};
  enum couplet_exit status = check_file(&c, file, path, out, err);
  buffer_clear(&said);
  return status;
}

enum couplet_exit cert_check(const char *certificate, const char *source,
                             const struct cert_judges *judges, const struct budget *budget,
                             struct buffer *out, struct buffer *err) {
  json_t *file = load(certificate, err);
  if (!file) return COUPLET_EXIT_INPUT;
  struct cert_source loaded;
  enum couplet_exit status = COUPLET_EXIT_INPUT;
  if (cert_source_load(&loaded, source)) {
    status = cert_check_json(file, certificate, &loaded, judges, budget, out, err);
  } else {
    diags_sort(&loaded.lang.diags);
    diags_render(err, &loaded.lang.sources, &loaded.lang.diags, (struct diag_style){false});
  }
  cert_source_clear(&loaded);
  json_decref(file);
  return status;
}
