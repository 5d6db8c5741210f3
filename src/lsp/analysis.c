#include "lsp/analysis.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "check/automaton/build.h"
#include "check/automaton/classify.h"
#include "check/automaton/dipa.h"
#include "check/certificate/source.h"
#include "lang/translate/translate.h"
#include "report/judge/verify.h"

/* What is wrong with the automata, as verify_file would report it. */
static void check_automata(struct analysis *a) {
  for (size_t i = 0; i < a->module->decl_count && !a->lang.diags.errors; i++) {
    if (a->module->decls[i]->kind != DECL_AUTOMATON) continue;
    struct automaton model;
    struct class_report report;
    automaton_init(&model);
    if (automaton_build(&model, a->module->decls[i], &a->lang.diags))
      automaton_classify(&report, &model, &a->lang.diags);
    automaton_clear(&model);
  }
}

static void parse_proofs(struct analysis *a) {
  for (size_t i = 0; i < a->unit->count; i++) {
    const struct ast_decl *d = a->unit->decls[i];
    struct span span = d->kind == DECL_CLAIM && d->as.claim.has_proof ? d->as.claim.proof
                       : d->kind == DECL_LEMMA                        ? d->lemma_proof
                                                                      : span_none();
    if (span.file) {
      struct proof_text proof = {d, script_parse(&a->lang, span)};
      vec_push(&a->proofs, proof);
    }
  }
}

static void read_dp(struct analysis *a, const char *path) {
  a->module = lang_load(&a->lang, path);
  cert_sources_digest(&a->lang.sources, a->digest);
  if (!a->module->unit_count) return; /* it could not be read */
  a->unit = a->module->units[a->module->unit_count - 1];
  a->file = a->unit->file;
  if (!a->lang.diags.errors) check_automata(a);
  parse_proofs(a);
  for (size_t i = 0; i < a->unit->count; i++)
    if (verify_is_claim(a->unit->decls[i])) vec_push(&a->claims, a->unit->decls[i]);
  symbols_build(&a->symbols, &a->lang, a->module, a->proofs.at, a->proofs.len);
}

static void read_dipa(struct analysis *a, const char *path) {
  char *why = NULL;
  struct automaton model;
  struct class_report report;
  automaton_init(&model);
  a->file = sources_read(&a->lang.sources, path, &why);
  cert_sources_digest(&a->lang.sources, a->digest);
  if (!a->file)
    diag_error(&a->lang.diags, span_none(), "unreadable-file", "`%s`: %s", path, why);
  else if (dipa_read(&model, &a->lang.sources, a->file, &a->lang.diags))
    automaton_classify(&report, &model, &a->lang.diags);
  automaton_clear(&model);
  free(why);
}

/* A file of another language: its diagnostics and verdicts, at its own places. What else the editor
 * may ask is about text of our language. */
static void read_foreign(struct analysis *a, const char *path) {
  const struct ast_module *module = translate_load(&a->lang, path, NULL);
  cert_sources_digest(&a->lang.sources, a->digest);
  a->file = a->lang.sources.files.len > 1 ? 1 : 0;
  for (size_t i = 0; i < module->decl_count; i++)
    if (verify_is_claim(module->decls[i])) vec_push(&a->foreign_claims, module->decls[i]->span);
}

struct analysis *analysis_new(const char *path, source_overlay *overlay, void *context) {
  struct analysis *a = xcalloc(1, sizeof *a);
  lang_init(&a->lang);
  a->lang.sources.overlay = overlay;
  a->lang.sources.overlay_context = context;
  if (cert_is_dipa(path))
    read_dipa(a, path);
  else if (translate_is_wanted(path))
    read_foreign(a, path);
  else
    read_dp(a, path);
  a->lang.sources.overlay = NULL; /* the editor's text may go before this does */
  a->has_errors = a->lang.diags.errors > 0;
  diags_sort(&a->lang.diags);
  a->indexes = xcalloc(analysis_file_count(a), sizeof *a->indexes);
  for (uint32_t f = 1; f < analysis_file_count(a); f++) {
    const struct source *s = sources_get(&a->lang.sources, f);
    if (s->origin) s = s->origin;
    line_index_init(&a->indexes[f], s->text, s->length);
  }
  return a;
}

size_t analysis_claim_count(const struct analysis *a) {
  if (a->unit) return a->claims.len;
  return a->foreign_claims.len ? a->foreign_claims.len : a->file && !a->has_errors;
}

struct span analysis_claim_span(const struct analysis *a, size_t index) {
  if (index < a->foreign_claims.len) return a->foreign_claims.at[index];
  return index < a->claims.len ? a->claims.at[index]->span : (struct span){a->file, 0, 0};
}

void analysis_free(struct analysis *a) {
  if (!a) return;
  for (uint32_t f = 1; f < analysis_file_count(a); f++)
    line_index_clear(&a->indexes[f]);
  free(a->indexes);
  symbols_clear(&a->symbols);
  vec_clear(&a->claims);
  vec_clear(&a->foreign_claims);
  vec_clear(&a->proofs);
  lang_clear(&a->lang);
  free(a);
}

size_t analysis_file_count(const struct analysis *a) {
  return a->lang.sources.files.len;
}

const char *analysis_path(const struct analysis *a, uint32_t file) {
  return sources_get(&a->lang.sources, file)->path;
}

bool analysis_reads(const struct analysis *a, const char *identity) {
  if (a->module && a->module->is_incomplete) return true; /* it may be what was missing */
  for (uint32_t f = 1; f < analysis_file_count(a); f++) {
    char *own = file_identity(analysis_path(a, f));
    bool same = strcmp(own, identity) == 0;
    free(own);
    if (same) return true;
  }
  return false;
}

static bool covers(struct span span, uint32_t file, uint32_t offset) {
  return span.file == file && span.begin <= offset && offset <= span.end;
}

const struct ast_decl *analysis_decl_at(const struct analysis *a, uint32_t offset) {
  for (size_t i = 0; a->unit && i < a->unit->count; i++)
    if (covers(a->unit->decls[i]->span, a->file, offset)) return a->unit->decls[i];
  return NULL;
}

const struct ast_routine *analysis_routine_at(const struct analysis *a, uint32_t offset) {
  const struct ast_decl *d = analysis_decl_at(a, offset);
  if (!d) return NULL;
  const struct ast_routine *r = d->kind == DECL_MECHANISM   ? d->as.mechanism.routine
                                : d->kind == DECL_PROCEDURE ? d->as.procedure
                                                            : NULL;
  for (size_t i = 0; r && i < r->oracle_count; i++)
    if (covers(r->oracles[i]->span, a->file, offset)) return r->oracles[i];
  return r;
}
