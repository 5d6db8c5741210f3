/* Renaming. The new text is made in memory and analysed: the rename is offered only if every name
 * in it still means what it meant before and no mistake has come in. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "lang/format/words.h"
#include "lang/syntax/builtin.h"
#include "lang/syntax/lex.h"
#include "lsp/features.h"

/* ---- may it have this name? ------------------------------------------------------------------ */

/* The name as the language spells it (interned in `lang`), or NULL if it is none. */
static const char *spelled(struct lang *lang, const char *name) {
  uint32_t file = sources_add(&lang->sources, "(name)", name, strlen(name));
  struct lexer lexer;
  lexer_init(&lexer, lang, file);
  struct token word = lexer_next(&lexer), end = lexer_next(&lexer);
  lexer_clear(&lexer);
  bool is_name = !lang->diags.errors && word.kind == TOKEN_NAME && end.kind == TOKEN_END &&
                 word.begin == 0 && word.end == strlen(name);
  return is_name ? word.text : NULL;
}

static bool check_name(const char *name, struct rpc_error *error) {
  struct lang lang;
  lang_init(&lang);
  const char *word = spelled(&lang, name);
  if (!word)
    rpc_fail(error, RPC_INVALID_PARAMS,
             "`%s` is not a name: names begin with a letter or _, go on with letters, digits, _ "
             "and ', and are not words of the language",
             name);
  else if (builtin_find(word) || dist_find(word) || sugar_find(word))
    rpc_fail(error, RPC_INVALID_PARAMS, "`%s` is always there and cannot be the name of another",
             word);
  lang_clear(&lang);
  return word != NULL && !error->code;
}

static bool can_rename(const struct symbol *symbol, struct rpc_error *error) {
  if (!symbol)
    rpc_fail(error, RPC_REQUEST_FAILED, "there is no name here that was declared in the source");
  else if (!symbol->definition.file)
    rpc_fail(error, RPC_REQUEST_FAILED, "the declaration of `%s` was not found", symbol->name);
  else if (symbol->is_ambiguous)
    rpc_fail(error, RPC_REQUEST_FAILED,
             "`%s` cannot be renamed: other variables have the same name, and a proof or an "
             "instance speaks of it by its name alone",
             symbol->name);
  return !error->code;
}

/* ---- the text after it ----------------------------------------------------------------------- */

/* The files that change, with their new text. */
struct edited_file {
  char *identity;
  struct buffer text;
};

struct edited {
  VEC(struct edited_file) files;
  struct session *session;
};

static const char *edited_overlay(void *context, const char *path, size_t *length) {
  const struct edited *e = context;
  char *identity = file_identity(path);
  const struct buffer *found = NULL;
  for (size_t i = 0; i < e->files.len && !found; i++)
    if (strcmp(e->files.at[i].identity, identity) == 0) found = &e->files.at[i].text;
  free(identity);
  if (!found) return session_overlay(e->session, path, length);
  *length = found->len;
  return buffer_text(found);
}

/* The places to change in one file, in order. */
static void edit_file(struct edited *e, const struct references *refs, size_t first,
                      const char *name) {
  const struct analysis *a = refs->list.at[first].analysis;
  uint32_t file = refs->list.at[first].occurrence->span.file;
  const struct source *source = sources_get(&a->lang.sources, file);
  struct edited_file out = {.identity = file_identity(source->path)};
  for (size_t i = 0; i < e->files.len; i++)
    if (strcmp(e->files.at[i].identity, out.identity) == 0) {
      free(out.identity);
      return;
    }
  buffer_init(&out.text);
  size_t at = 0;
  for (size_t i = first; i < refs->list.len; i++) {
    const struct reference *r = &refs->list.at[i];
    if (r->analysis != a || r->occurrence->span.file != file) continue;
    buffer_add(&out.text, source->text + at, r->occurrence->span.begin - at);
    buffer_puts(&out.text, name);
    at = r->occurrence->span.end;
  }
  buffer_add(&out.text, source->text + at, source->length - at);
  vec_push(&e->files, out);
}

static void edited_clear(struct edited *e) {
  for (size_t i = 0; i < e->files.len; i++) {
    free(e->files.at[i].identity);
    buffer_clear(&e->files.at[i].text);
  }
  vec_clear(&e->files);
}

/* Does every name stand for the same thing as before? Symbols are numbered by first appearance, so
 * equal meanings have equal numbers. */
static bool means_the_same(const struct analysis *before, const struct analysis *after) {
  if (before->lang.diags.errors != after->lang.diags.errors) return false;
  if (before->symbols.occurrences.len != after->symbols.occurrences.len) return false;
  for (size_t i = 0; i < before->symbols.occurrences.len; i++) {
    const struct occurrence *x = &before->symbols.occurrences.at[i],
                            *y = &after->symbols.occurrences.at[i];
    if (x->symbol != y->symbol || x->is_definition != y->is_definition ||
        x->span.file != y->span.file)
      return false;
  }
  return true;
}

/* A word of a proof that looks like the old name but was not understood as it: better no rename
 * than a broken proof. */
static bool is_left_in_proof(const struct analysis *a, const char *name,
                             const struct ast_decl *owner) {
  bool left = false;
  if (word_is(name, WORD_PROOF)) return false;
  struct lang scratch;
  lang_init(&scratch);
  const struct source *source = sources_get(&a->lang.sources, a->file);
  uint32_t file = source ? sources_add(&scratch.sources, "", source->text, source->length) : 0;
  for (size_t i = 0; file && i < a->proofs.len && !left; i++) {
    const struct ast_decl *claim = a->proofs.at[i].claim;
    bool concerned = claim->kind != DECL_CLAIM || owner->kind != DECL_MECHANISM ||
                     claim->as.claim.target == owner;
    struct span span = claim->kind == DECL_CLAIM ? claim->as.claim.proof : claim->lemma_proof;
    struct lexer lexer;
    lexer_init(&lexer, &scratch, file);
    lexer.at = span.begin;
    for (struct token t; concerned && lexer.at < span.end;) {
      t = lexer_next(&lexer);
      if (t.kind == TOKEN_END) break;
      if (t.kind == TOKEN_NAME && strcmp(t.text, name) == 0)
        left |= symbols_at(&a->symbols, a->file, t.begin) == NULL;
    }
    lexer_clear(&lexer);
  }
  lang_clear(&scratch);
  return left;
}

static bool check_result(struct session *s, const struct edited *e, const struct symbol *symbol,
                         const char *name, struct rpc_error *error) {
  for (size_t i = 0; i < s->documents.len && !error->code; i++) {
    struct document *d = s->documents.at[i];
    const struct analysis *before = session_analysis(s, d);
    struct analysis *after = analysis_new(d->path, edited_overlay, (void *)(uintptr_t)e);
    if (!means_the_same(before, after))
      rpc_fail(error, RPC_REQUEST_FAILED,
               "`%s` cannot become `%s`: the name is taken where it is used (%s)", symbol->name,
               name, d->path);
    else if (symbol->decl && is_left_in_proof(before, symbol->name, symbol->decl))
      rpc_fail(error, RPC_REQUEST_FAILED,
               "`%s` cannot be renamed: a proof uses the word in a way that is not understood",
               symbol->name);
    analysis_free(after);
  }
  return !error->code;
}

/* ---- requests -------------------------------------------------------------------------------- */

static json_t *workspace_edit(const struct session *s, const struct references *refs,
                              const char *name) {
  json_t *changes = json_object();
  for (size_t i = 0; i < refs->list.len; i++) {
    const struct reference *r = &refs->list.at[i];
    char *uri = session_uri(s, analysis_path(r->analysis, r->occurrence->span.file));
    json_t *edits = json_object_get(changes, uri);
    if (!edits) {
      edits = json_array();
      json_object_set_new(changes, uri, edits);
    }
    json_array_append_new(edits, json_pack("{s:o, s:s}", "range",
                                           span_range(s, r->analysis, r->occurrence->span),
                                           "newText", name));
    free(uri);
  }
  return json_pack("{s:o}", "changes", changes);
}

json_t *feature_prepare_rename(struct session *s, const json_t *params, struct rpc_error *error) {
  uint32_t offset;
  struct document *d = param_place(s, params, &offset, error);
  if (!d) return NULL;
  struct span span = span_none();
  const struct symbol *symbol = symbol_at(s, d, offset, &span);
  if (!can_rename(symbol, error)) return NULL;
  return json_pack("{s:o, s:s}", "range", span_range(s, session_analysis(s, d), span),
                   "placeholder", symbol->name);
}

json_t *feature_rename(struct session *s, const json_t *params, struct rpc_error *error) {
  uint32_t offset;
  struct document *d = param_place(s, params, &offset, error);
  if (!d) return NULL;
  const char *name = json_string_value(json_object_get(params, "newName"));
  if (!name) return rpc_fail(error, RPC_INVALID_PARAMS, "params.newName must be a string");
  const struct symbol *symbol = symbol_at(s, d, offset, NULL);
  if (!can_rename(symbol, error) || !check_name(name, error)) return NULL;
  struct references refs;
  struct edited edited = {.session = s};
  references_find(&refs, s, d, symbol);
  for (size_t i = 0; i < refs.list.len; i++)
    edit_file(&edited, &refs, i, name);
  json_t *result = NULL;
  if (check_result(s, &edited, symbol, name, error)) result = workspace_edit(s, &refs, name);
  edited_clear(&edited);
  references_clear(&refs);
  return result;
}
