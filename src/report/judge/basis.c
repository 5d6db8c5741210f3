#include "report/judge/basis.h"

#include <stdlib.h>
#include <string.h>

#include "lang/format/print.h"
#include "lang/syntax/lex.h"
#include "lang/syntax/walk.h"
#include "report/judge/verify.h"
#include "report/record/record.h"
#include "report/record/record_json.h"

static const char AUTOMATON_ADJACENCY[] = "each input differs by at most 1";

static json_t *location(struct lang *lang, struct span span) {
  struct record_place place = record_place(&lang->sources, span);
  json_t *json = record_place_json(&place);
  free(place.path);
  return json;
}

static json_t *take_text(struct buffer *b) {
  json_t *json = json_string(buffer_text(b));
  buffer_clear(b);
  return json;
}

static json_t *formula_json(const struct ast_expr *e) {
  struct buffer b;
  buffer_init(&b);
  print_expr(&b, e);
  return take_text(&b);
}

static json_t *formulas_json(struct ast_expr *const *list, size_t count) {
  json_t *json = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(json, formula_json(list[i]));
  return json;
}

/* ---- declarations ---------------------------------------------------------------------------- */

static json_t *param_json(struct lang *lang, const struct ast_decl *d) {
  struct buffer type;
  buffer_init(&type);
  print_type(&type, d->as.param.type);
  return json_pack("{s:s, s:o, s:o, s:o}", "name", d->name.text, "type", take_text(&type),
                   "assumptions", formulas_json(d->as.param.assumptions, d->as.param.count),
                   "location", location(lang, d->name.span));
}

static json_t *abstract_json(struct lang *lang, const struct ast_decl *d) {
  struct buffer signature;
  buffer_init(&signature);
  print_signature(&signature, d);
  const char *kind = d->kind == DECL_TYPE ? "type" : d->kind == DECL_OP ? "op" : "adversary";
  return json_pack("{s:s, s:o, s:o}", "kind", kind, "signature", take_text(&signature), "location",
                   location(lang, d->span));
}

static json_t *axiom_json(struct lang *lang, const struct ast_decl *d) {
  return json_pack("{s:s, s:o, s:o}", "name", d->name.text, "formula", formula_json(d->as.formula),
                   "location", location(lang, d->span));
}

static void add_declaration(json_t *basis, struct lang *lang, const struct ast_decl *d) {
  if (d->kind == DECL_PARAM)
    json_array_append_new(json_object_get(basis, "parameters"), param_json(lang, d));
  if (d->kind == DECL_AXIOM)
    json_array_append_new(json_object_get(basis, "axioms"), axiom_json(lang, d));
  if (d->kind == DECL_TYPE || d->kind == DECL_OP || d->kind == DECL_ADVERSARY)
    json_array_append_new(json_object_get(basis, "abstract"), abstract_json(lang, d));
}

/* ---- admits, declassified data --------------------------------------------------------------- */

/* The text is searched, so that no kind of step can hide one. */
static void add_admits(json_t *list, struct lang *lang, const struct ast_decl *d) {
  struct span proof = d->kind == DECL_CLAIM ? d->as.claim.proof : d->lemma_proof;
  if (!proof.file || (d->kind == DECL_CLAIM && !d->as.claim.has_proof)) return;
  struct lexer lexer;
  struct diag_mark mark = diags_mark(&lang->diags);
  lexer_init(&lexer, lang, proof.file);
  lexer.at = proof.begin;
  for (struct token t = lexer_next(&lexer); t.kind != TOKEN_END && t.begin < proof.end;
       t = lexer_next(&lexer))
    if (t.kind == TOKEN_NAME && strcmp(t.text, "admit") == 0)
      json_array_append_new(list,
                            json_pack("{s:s, s:o}", "claim", d->name.text, "location",
                                      location(lang, (struct span){proof.file, t.begin, t.end})));
  lexer_clear(&lexer);
  diags_rollback(&lang->diags, mark);
}

struct search {
  struct lang *lang;
  json_t *list;
};

static void find_declassify(const struct ast_expr *e, void *context) {
  const struct search *s = context;
  if (e->kind == EXPR_CALL && e->as.call.builtin == BUILTIN_DECLASSIFY)
    json_array_append_new(s->list, json_pack("{s:o}", "location", location(s->lang, e->span)));
  walk_parts(e, find_declassify, context);
}

static void add_declassified(json_t *list, struct lang *lang, const struct ast_routine *r) {
  struct search s = {lang, list};
  walk_block(&r->body, find_declassify, &s);
  for (size_t i = 0; i < r->oracle_count; i++)
    add_declassified(list, lang, r->oracles[i]);
}

/* ---- claims ---------------------------------------------------------------------------------- */

static json_t *claim_json(const struct ast_decl *d) {
  const struct ast_decl *target = d->kind == DECL_CLAIM       ? d->as.claim.target
                                  : d->kind == DECL_AUTOMATON ? d
                                                              : NULL;
  const struct ast_expr *adjacency = NULL, *under = NULL;
  struct ast_expr *const *requires = NULL;
  size_t count = 0;
  if (d->kind == DECL_CLAIM) under = d->as.claim.under;
  if (target && target->kind == DECL_MECHANISM) {
    bool accuracy = d->as.claim.formula != NULL; /* about one run */
    adjacency = under || accuracy ? under : target->as.mechanism.adjacent;
    requires = target->as.mechanism.requires;
    count = target->as.mechanism.require_count;
  }
  json_t *text = adjacency                                  ? formula_json(adjacency)
                 : target && target->kind == DECL_AUTOMATON ? json_string(AUTOMATON_ADJACENCY)
                                                            : json_null();
  return json_pack("{s:o, s:o, s:b}", "adjacency", text, "requires", formulas_json(requires, count),
                   "under", under != NULL);
}

static json_t *empty_basis(void) {
  return json_pack("{s:[], s:[], s:[], s:[], s:[], s:[]}", "parameters", "axioms", "abstract",
                   "admits", "declassified", "claims");
}

json_t *basis_json(struct lang *lang, const struct ast_module *module) {
  json_t *basis = empty_basis();
  for (size_t i = 0; i < module->decl_count; i++) {
    const struct ast_decl *d = module->decls[i];
    add_declaration(basis, lang, d);
    const struct ast_routine *r = d->kind == DECL_MECHANISM   ? d->as.mechanism.routine
                                  : d->kind == DECL_PROCEDURE ? d->as.procedure
                                                              : NULL;
    if (r) add_declassified(json_object_get(basis, "declassified"), lang, r);
  }
  const struct ast_unit *unit = module->units[module->unit_count - 1];
  for (size_t i = 0; i < unit->count; i++) {
    const struct ast_decl *d = unit->decls[i];
    if (!verify_is_claim(d)) continue;
    json_array_append_new(json_object_get(basis, "claims"), claim_json(d));
    if (d->kind != DECL_AUTOMATON) add_admits(json_object_get(basis, "admits"), lang, d);
  }
  return basis;
}

json_t *basis_of_dipa(void) {
  json_t *basis = empty_basis();
  json_array_append_new(
      json_object_get(basis, "claims"),
      json_pack("{s:s, s:[], s:b}", "adjacency", AUTOMATON_ADJACENCY, "requires", "under", 0));
  return basis;
}
