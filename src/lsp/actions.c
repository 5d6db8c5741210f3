/* Code actions: repairs that a diagnostic suggests, the proof that the search found, verification.
 *
 * A repair is tried before it is offered: with it the text has fewer errors. */
#include <stdlib.h>
#include <string.h>

#include "lsp/features.h"
#include "out/fill.h"

static json_t *edit_json(const struct session *s, const struct document *d, size_t begin,
                         size_t end, const char *text) {
  return json_pack("{s:o, s:o}", "range", range_to_json(&d->lines, s->encoding, begin, end),
                   "newText", text_to_json(text, strlen(text)));
}

/* {title, kind, edit} for changes of this document. */
static json_t *action(const struct document *d, const char *title, const char *kind,
                      json_t *edits) {
  json_t *changes = json_object();
  json_object_set_new(changes, d->uri, edits);
  return json_pack("{s:o, s:s, s:{s:o}}", "title", text_to_json(title, strlen(title)), "kind", kind,
                   "edit", "changes", changes);
}

/* ---- repairs --------------------------------------------------------------------------------- */

/* What stands between the backquotes of a hint that is nothing but "did you mean `x`?" or
 * "write `x`". xmalloc'd; NULL for any other hint. */
static char *suggested_by_hint(const char *hint) {
  static const char *const beginnings[] = {"did you mean `", "write `"}, *const ends[] = {"`?",
                                                                                          "`"};
  for (size_t i = 0; hint && i < 2; i++) {
    size_t head = strlen(beginnings[i]), tail = strlen(ends[i]), length = strlen(hint);
    if (length <= head + tail || strncmp(hint, beginnings[i], head) != 0) continue;
    if (strcmp(hint + length - tail, ends[i]) != 0) continue;
    size_t inside = length - head - tail;
    if (memchr(hint + head, '`', inside) || strstr(hint, "...")) continue;
    return xasprintf("%.*s", (int)inside, hint + head);
  }
  return NULL;
}

/* The same for a message that is nothing but "expected `x`, found `y`", with y at its place. */
static char *suggested_by_message(const struct document *d, const struct diag *diag) {
  static const char expected[] = "expected `", found[] = "`, found `";
  const char *message = diag->message, *middle = strstr(message, found);
  size_t head = sizeof expected - 1, length = diag->span.end - diag->span.begin;
  if (strncmp(message, expected, head) != 0 || !middle || middle < message + head) return NULL;
  const char *rest = middle + sizeof found - 1;
  if (strlen(rest) != length + 1 || rest[length] != '`') return NULL;
  if (memcmp(rest, d->text + diag->span.begin, length) != 0) return NULL;
  return xasprintf("%.*s", (int)(middle - message - (ptrdiff_t)head), message + head);
}

static char *suggested(const struct document *d, const struct diag *diag) {
  char *text = suggested_by_hint(diag->hint);
  return text ? text : suggested_by_message(d, diag);
}

/* The document with one place changed; the others as they are. */
struct repaired {
  struct session *session;
  const struct document *document;
  struct buffer text;
};

static const char *repaired_overlay(void *context, const char *path, size_t *length) {
  const struct repaired *r = context;
  const char *text = session_overlay(r->session, path, length);
  if (text != r->document->text) return text;
  *length = r->text.len;
  return buffer_text(&r->text);
}

static bool does_repair(struct session *s, const struct document *d, struct span span,
                        const char *text, size_t errors) {
  struct repaired r = {.session = s, .document = d};
  buffer_init(&r.text);
  buffer_add(&r.text, d->text, span.begin);
  buffer_puts(&r.text, text);
  buffer_add(&r.text, d->text + span.end, d->length - span.end);
  struct analysis *after = analysis_new(d->path, repaired_overlay, &r);
  bool better = after->lang.diags.errors < errors;
  analysis_free(after);
  buffer_clear(&r.text);
  return better;
}

static void add_repairs(json_t *list, struct session *s, struct document *d, size_t begin,
                        size_t end) {
  enum { MOST_TRIED = 8 }; /* each is an analysis of the whole text */
  const struct analysis *a = session_analysis(s, d);
  size_t tried = 0;
  for (size_t i = 0; i < a->lang.diags.list.len && tried < MOST_TRIED; i++) {
    const struct diag *diag = &a->lang.diags.list.at[i];
    struct span span = diag->span;
    if (span.file != a->file || span.end < begin || span.begin > end || span.end == span.begin ||
        diag->severity != SEVERITY_ERROR)
      continue;
    char *text = suggested(d, diag);
    if (text && ++tried && does_repair(s, d, span, text, a->lang.diags.errors)) {
      char *title = xasprintf("replace by `%s`", text);
      json_t *fix = action(d, title, "quickfix",
                           json_pack("[o]", edit_json(s, d, span.begin, span.end, text)));
      json_object_set_new(fix, "isPreferred", json_true());
      json_array_append_new(list, fix);
      free(title);
    }
    free(text);
  }
}

/* ---- claims ---------------------------------------------------------------------------------- */

/* The number that was found in the place of every `?`. */
static void add_asked(json_t *edits, const struct session *s, const struct document *d,
                      const struct ast_decl *claim, const char *value) {
  const struct ast_expr *asked = claim->as.claim.asked;
  bool is_cost = asked == claim->as.claim.epsilon;
  struct span where = is_cost ? asked->span : claim->as.claim.formula->span;
  struct buffer text;
  buffer_init(&text);
  if (is_cost) buffer_puts(&text, value);
  if (!is_cost) fill_holes(&text, d->text + where.begin, where.end - where.begin, value);
  json_array_append_new(edits, edit_json(s, d, where.begin, where.end, buffer_text(&text)));
  buffer_clear(&text);
}

/* The proof in the place of the claim's `;` or of the block it completes, and the cost in that of
 * its `?`. */
static void add_found_proof(json_t *list, const struct session *s, const struct document *d,
                            const struct ast_decl *claim, const struct claim_record *record) {
  const char *proof = json_string_value(json_object_get(record->detail, "proof"));
  if (!proof || record->verdict != VERDICT_PROVED || claim->kind != DECL_CLAIM) return;
  struct span block = claim->as.claim.proof;
  bool completes = claim->as.claim.has_proof;
  uint32_t end = completes ? block.end : claim->span.end;
  while (!completes && end > claim->span.begin && d->text[end - 1] != ';')
    end--;
  if (end == claim->span.begin) return;
  json_t *edits = json_array();
  if (claim->as.claim.asked && record->cost) add_asked(edits, s, d, claim, record->cost);
  char *text = xasprintf(completes ? "%s" : " proof %s", proof);
  json_array_append_new(edits, edit_json(s, d, completes ? block.begin : end - 1, end, text));
  free(text);
  json_array_append_new(
      list, action(d, completes ? "write the completed proof" : "write the proof that was found",
                   "refactor.rewrite", edits));
}

static void add_claims(json_t *list, struct session *s, struct document *d, size_t begin,
                       size_t end) {
  const struct analysis *a = session_analysis(s, d);
  const struct file_record *record = session_record(s, d);
  for (size_t i = 0; !a->has_errors && i < a->claims.len; i++) {
    struct span span = a->claims.at[i]->span;
    if (span.end < begin || span.begin > end) continue;
    if (record && i < record->claims.len)
      add_found_proof(list, s, d, a->claims.at[i], &record->claims.at[i]);
    char *title = xasprintf("verify `%s`", a->claims.at[i]->name.text);
    json_t *name = text_to_json(title, strlen(title));
    json_array_append_new(list,
                          json_pack("{s:O, s:s, s:{s:o, s:s, s:[s, I]}}", "title", name, "kind",
                                    "source", "command", "title", name, "command",
                                    "couplet.verifyClaim", "arguments", d->uri, (json_int_t)i + 1));
    free(title);
  }
}

/* Is the kind, or one that it is a part of, among those the client wants? */
static bool is_wanted(const json_t *only, const char *kind) {
  if (!json_is_array(only)) return true;
  for (size_t i = 0; i < json_array_size(only); i++) {
    const char *wanted = json_string_value(json_array_get(only, i));
    size_t n = wanted ? strlen(wanted) : 0;
    if (wanted && strncmp(kind, wanted, n) == 0 && (!n || !kind[n] || kind[n] == '.')) return true;
  }
  return false;
}

json_t *feature_code_actions(struct session *s, const json_t *params, struct rpc_error *error) {
  struct document *d = param_document(s, params, error);
  size_t begin, end;
  if (!d || !param_range(s, d, params, &begin, &end, error)) return NULL;
  json_t *all = json_array(), *list = json_array();
  add_repairs(all, s, d, begin, end);
  add_claims(all, s, d, begin, end);
  const json_t *only = json_object_get(json_object_get(params, "context"), "only");
  for (size_t i = 0; i < json_array_size(all); i++) {
    json_t *one = json_array_get(all, i);
    if (is_wanted(only, json_string_value(json_object_get(one, "kind"))))
      json_array_append(list, one);
  }
  json_decref(all);
  return list;
}
