/* The structure of a document: symbols as a tree, folding, links to included files. */
#include <stdlib.h>
#include <string.h>

#include "lang/format/print.h"
#include "lsp/features.h"
#include "lsp/uri.h"

/* SymbolKind of the protocol. */
enum {
  KIND_CLASS = 5,
  KIND_PROPERTY = 7,
  KIND_FIELD = 8,
  KIND_INTERFACE = 11,
  KIND_FUNCTION = 12,
  KIND_VARIABLE = 13,
  KIND_CONSTANT = 14,
  KIND_BOOLEAN = 17,
  KIND_OBJECT = 19,
  KIND_ENUM_MEMBER = 22,
  KIND_EVENT = 24,
  KIND_TYPE_PARAMETER = 26
};

static int kind_of(const struct ast_decl *d) {
  switch (d->kind) {
  case DECL_PARAM: return KIND_CONSTANT;
  case DECL_LET: return d->as.let.arg_count ? KIND_FUNCTION : KIND_CONSTANT;
  case DECL_TYPE: return KIND_TYPE_PARAMETER;
  case DECL_OP: return KIND_FUNCTION;
  case DECL_ADVERSARY: return KIND_INTERFACE;
  case DECL_PROCEDURE:
  case DECL_MECHANISM: return KIND_FUNCTION;
  case DECL_AUTOMATON: return KIND_CLASS;
  case DECL_INSTANCE: return KIND_OBJECT;
  case DECL_AXIOM:
  case DECL_LEMMA: return KIND_BOOLEAN;
  case DECL_CLAIM: return KIND_EVENT;
  case DECL_INCLUDE:
  case DECL_LIBM:
  case DECL_ERROR: break;
  }
  return KIND_VARIABLE;
}

/* The name must be inside of the range. */
static json_t *entry(const struct session *s, const struct analysis *a, const char *name, int kind,
                     struct span range, struct span selection) {
  if (selection.begin < range.begin || selection.end > range.end) selection = range;
  return json_pack("{s:o, s:i, s:o, s:o}", "name",
                   text_to_json(*name ? name : "?", strlen(*name ? name : "?")), "kind", kind,
                   "range", span_range(s, a, range), "selectionRange", span_range(s, a, selection));
}

static void add_vars(json_t *list, const struct session *s, const struct analysis *a,
                     struct ast_var *const *vars, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (vars[i]->name.text)
      json_array_append_new(list, entry(s, a, vars[i]->name.text, KIND_VARIABLE, vars[i]->name.span,
                                        vars[i]->name.span));
}

static json_t *children_of(const struct session *s, const struct analysis *a,
                           const struct ast_decl *d) {
  json_t *list = json_array();
  const struct ast_routine *r = d->kind == DECL_MECHANISM   ? d->as.mechanism.routine
                                : d->kind == DECL_PROCEDURE ? d->as.procedure
                                                            : NULL;
  if (r) {
    add_vars(list, s, a, r->args, r->arg_count);
    for (size_t i = 0; i < r->oracle_count; i++)
      json_array_append_new(list, entry(s, a, r->oracles[i]->name.text, KIND_FUNCTION,
                                        r->oracles[i]->span, r->oracles[i]->name.span));
    add_vars(list, s, a, r->locals, r->local_count);
  }
  if (d->kind == DECL_AUTOMATON)
    for (size_t i = 0; i < d->as.automaton.state_count; i++) {
      const struct ast_state *state = &d->as.automaton.states[i];
      json_array_append_new(
          list, entry(s, a, state->name.text, KIND_ENUM_MEMBER, state->span, state->name.span));
    }
  if (d->kind == DECL_INSTANCE)
    for (size_t i = 0; i < d->as.instance.count; i++) {
      const struct ast_binding *b = &d->as.instance.bindings[i];
      json_array_append_new(list, entry(s, a, b->name.text, KIND_FIELD, b->span, b->name.span));
    }
  return list;
}

static void put_detail(json_t *symbol, const struct ast_decl *d) {
  struct buffer b;
  buffer_init(&b);
  if (d->kind == DECL_CLAIM && d->as.claim.law) {
    buffer_printf(&b, "samples %s: ", d->as.claim.subject.text);
    print_dist(&b, d->as.claim.law);
  } else if (d->kind == DECL_CLAIM && d->as.claim.formula && d->as.claim.epsilon) {
    buffer_printf(&b, "accurate %s failure ", d->as.claim.subject.text);
    print_expr(&b, d->as.claim.epsilon);
  } else if (d->kind == DECL_CLAIM && d->as.claim.epsilon) {
    buffer_printf(&b, "private %s %s ", d->as.claim.subject.text, notion_word(d->as.claim.notion));
    if (d->as.claim.all_order) buffer_printf(&b, "for all %s", d->as.claim.all_order->name.text);
    if (d->as.claim.order) print_expr(&b, d->as.claim.order);
    if (d->as.claim.notion == NOTION_RENYI) buffer_puts(&b, " epsilon ");
    print_expr(&b, d->as.claim.epsilon);
  } else if (d->kind == DECL_PARAM && d->as.param.type) {
    print_type(&b, d->as.param.type);
  }
  if (b.len) json_object_set_new(symbol, "detail", text_to_json(buffer_text(&b), b.len));
  buffer_clear(&b);
}

/* What one declaration adds to the answer. */
typedef void add_decl(json_t *list, const struct session *s, const struct analysis *a,
                      const struct ast_decl *decl);

/* The declarations of the document that is asked about, in order; NULL: an error. */
static json_t *list_decls(struct session *s, const json_t *params, struct rpc_error *error,
                          add_decl *add, const struct analysis **analysis) {
  struct document *d = param_document(s, params, error);
  if (!d) return NULL;
  const struct analysis *a = session_analysis(s, d);
  json_t *list = json_array();
  for (size_t i = 0; a->unit && i < a->unit->count; i++)
    add(list, s, a, a->unit->decls[i]);
  if (analysis) *analysis = a;
  return list;
}

static void add_symbol(json_t *list, const struct session *s, const struct analysis *a,
                       const struct ast_decl *decl) {
  if (decl->kind == DECL_ERROR || decl->kind == DECL_INCLUDE || !decl->name.text) return;
  json_t *symbol = entry(s, a, decl->name.text, kind_of(decl), decl->span, decl->name.span);
  put_detail(symbol, decl);
  json_t *children = children_of(s, a, decl);
  if (json_array_size(children)) json_object_set(symbol, "children", children);
  json_decref(children);
  json_array_append_new(list, symbol);
}

json_t *feature_document_symbols(struct session *s, const json_t *params, struct rpc_error *error) {
  return list_decls(s, params, error, add_symbol, NULL);
}

/* ---- folding --------------------------------------------------------------------------------- */

static void add_fold(json_t *list, const struct session *s, const struct analysis *a,
                     struct span span, const char *kind) {
  const struct line_index *lines = &a->indexes[a->file];
  size_t first = position_of_offset(lines, s->encoding, span.begin).line;
  size_t last = position_of_offset(lines, s->encoding, span.end).line;
  if (!span.file || last <= first) return;
  json_t *fold =
      json_pack("{s:I, s:I}", "startLine", (json_int_t)first, "endLine", (json_int_t)last);
  if (kind) json_object_set_new(fold, "kind", json_string(kind));
  json_array_append_new(list, fold);
}

static void fold_block(json_t *list, const struct session *s, const struct analysis *a,
                       const struct ast_block *b) {
  for (size_t i = 0; i < b->count; i++) {
    const struct ast_stmt *stmt = b->stmts[i];
    if (stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_IF)
      add_fold(list, s, a, stmt->span, NULL);
    if (stmt->kind == STMT_FOR) fold_block(list, s, a, &stmt->as.range.body);
    if (stmt->kind == STMT_WHILE) fold_block(list, s, a, &stmt->as.loop.body);
    if (stmt->kind == STMT_IF) fold_block(list, s, a, &stmt->as.branch.then);
  }
}

static void add_folds(json_t *list, const struct session *s, const struct analysis *a,
                      const struct ast_decl *decl) {
  add_fold(list, s, a, decl->span, NULL);
  if (decl->kind == DECL_MECHANISM && decl->as.mechanism.routine)
    fold_block(list, s, a, &decl->as.mechanism.routine->body);
}

json_t *feature_folding_ranges(struct session *s, const json_t *params, struct rpc_error *error) {
  const struct analysis *a;
  json_t *list = list_decls(s, params, error, add_folds, &a);
  for (size_t i = 0; list && a->unit && i < a->unit->comment_count; i++)
    add_fold(list, s, a, a->unit->comments[i].span, "comment");
  return list;
}

/* ---- links ----------------------------------------------------------------------------------- */

static void add_link(json_t *list, const struct session *s, const struct analysis *a,
                     const struct ast_decl *decl) {
  if (decl->kind != DECL_INCLUDE || !decl->as.include.path[0]) return;
  const char *from = sources_get(&a->lang.sources, a->file)->path, *to = decl->as.include.path;
  const char *slash = strrchr(from, '/');
  char *path =
      *to == '/' || !slash ? xstrdup(to) : xasprintf("%.*s%s", (int)(slash - from + 1), from, to);
  char *uri = uri_of_path(path);
  json_array_append_new(list,
                        json_pack("{s:o, s:o}", "range", span_range(s, a, decl->as.include.span),
                                  "target", text_to_json(uri, strlen(uri))));
  free(uri);
  free(path);
}

json_t *feature_document_links(struct session *s, const json_t *params, struct rpc_error *error) {
  return list_decls(s, params, error, add_link, NULL);
}
