/* Where a name is defined and where it is used. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "lsp/features.h"

const struct symbol *symbol_at(struct session *s, struct document *d, uint32_t offset,
                               struct span *span) {
  const struct analysis *a = session_analysis(s, d);
  const struct occurrence *o = symbols_at(&a->symbols, a->file, offset);
  if (!o) return NULL;
  if (span) *span = o->span;
  return &a->symbols.all.at[o->symbol];
}

/* Is it the same place of the same file, though the analyses are different ones? */
static bool same_place(const struct analysis *a, struct span x, const struct analysis *b,
                       struct span y) {
  if (x.begin != y.begin || !x.file || !y.file) return false;
  if (a == b) return x.file == y.file;
  char *p = file_identity(analysis_path(a, x.file)), *q = file_identity(analysis_path(b, y.file));
  bool same = strcmp(p, q) == 0;
  free(p);
  free(q);
  return same;
}

static bool is_listed(const struct references *r, const struct analysis *a, struct span span) {
  for (size_t i = 0; i < r->list.len; i++)
    if (r->list.at[i].analysis != a &&
        same_place(r->list.at[i].analysis, r->list.at[i].occurrence->span, a, span))
      return true;
  return false;
}

static void add_from(struct references *out, const struct analysis *a, uint32_t symbol) {
  for (size_t i = 0; i < a->symbols.occurrences.len; i++) {
    const struct occurrence *o = &a->symbols.occurrences.at[i];
    if (o->symbol == symbol && !is_listed(out, a, o->span))
      vec_push(&out->list, (struct reference){a, o});
  }
}

void references_find(struct references *out, struct session *s, struct document *d,
                     const struct symbol *symbol) {
  const struct analysis *own = session_analysis(s, d);
  *out = (struct references){0};
  add_from(out, own, (uint32_t)(symbol - own->symbols.all.at));
  for (size_t i = 0; i < s->documents.len; i++) {
    const struct analysis *a = session_analysis(s, s->documents.at[i]);
    if (a == own) continue;
    for (size_t j = 0; j < a->symbols.all.len; j++)
      if (same_place(own, symbol->definition, a, a->symbols.all.at[j].definition))
        add_from(out, a, (uint32_t)j);
  }
}

void references_clear(struct references *r) {
  vec_clear(&r->list);
}

json_t *feature_definition(struct session *s, const json_t *params, struct rpc_error *error) {
  uint32_t offset;
  struct document *d = param_place(s, params, &offset, error);
  if (!d) return NULL;
  const struct symbol *symbol = symbol_at(s, d, offset, NULL);
  json_t *location = symbol ? span_location(s, session_analysis(s, d), symbol->definition) : NULL;
  return location ? location : json_null();
}

json_t *feature_references(struct session *s, const json_t *params, struct rpc_error *error) {
  uint32_t offset;
  struct document *d = param_place(s, params, &offset, error);
  if (!d) return NULL;
  bool with_definition =
      json_is_true(json_object_get(json_object_get(params, "context"), "includeDeclaration"));
  const struct symbol *symbol = symbol_at(s, d, offset, NULL);
  json_t *list = json_array();
  struct references found = {0};
  if (symbol) references_find(&found, s, d, symbol);
  for (size_t i = 0; i < found.list.len; i++) {
    const struct reference *r = &found.list.at[i];
    if (with_definition || !r->occurrence->is_definition)
      json_array_append_new(list, span_location(s, r->analysis, r->occurrence->span));
  }
  references_clear(&found);
  return list;
}

json_t *feature_highlight(struct session *s, const json_t *params, struct rpc_error *error) {
  enum { READ = 2, WRITE = 3 };
  uint32_t offset;
  struct document *d = param_place(s, params, &offset, error);
  if (!d) return NULL;
  const struct analysis *a = session_analysis(s, d);
  const struct symbol *symbol = symbol_at(s, d, offset, NULL);
  json_t *list = json_array();
  for (size_t i = 0; symbol && i < a->symbols.occurrences.len; i++) {
    const struct occurrence *o = &a->symbols.occurrences.at[i];
    if (o->span.file == a->file && &a->symbols.all.at[o->symbol] == symbol)
      json_array_append_new(list, json_pack("{s:o, s:i}", "range", span_range(s, a, o->span),
                                            "kind", o->is_write ? WRITE : READ));
  }
  return list;
}
