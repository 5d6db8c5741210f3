/* All that is known about a document without verifying it: syntax, checks, proof texts, symbols.
 *
 * Made from the text in the editor, with unsaved text of included files, and thrown away when any
 * of that changes. It reports what `couplet verify` would report before judging, so that the
 * editor and the command line never disagree. */
#ifndef COUPLET_LSP_ANALYSIS_H
#define COUPLET_LSP_ANALYSIS_H

#include "base/sha256.h"
#include "lang/syntax/lang.h"
#include "lsp/position.h"
#include "lsp/symbols.h"

struct analysis {
  struct lang lang;
  struct ast_module *module;   /* NULL for a .dipa file */
  const struct ast_unit *unit; /* of the document itself; NULL for a .dipa file */
  uint32_t file;               /* number of the document in lang.sources */
  bool has_errors;
  VEC(const struct ast_decl *) claims; /* in the order of the record */
  VEC(struct span) foreign_claims;     /* of a file of another language, in the translation */
  VEC(struct proof_text) proofs;
  struct symbols symbols;
  struct line_index *indexes;  /* of the files of lang.sources, by number */
  char digest[SHA256_HEX + 1]; /* of all sources (check/certificate/source.h) */
};

/* `overlay` has the text of the document itself, too. */
struct analysis *analysis_new(const char *path, source_overlay *overlay, void *context);
void analysis_free(struct analysis *analysis);

size_t analysis_file_count(const struct analysis *analysis);
const char *analysis_path(const struct analysis *analysis, uint32_t file);
/* Does it rest on this file (base/file.h: file_identity)? */
bool analysis_reads(const struct analysis *analysis, const char *identity);
/* Claims of the document, in the order of the record: a .dipa file has one, that it is private for
 * some D. Spans are those of the translation if there is one. */
size_t analysis_claim_count(const struct analysis *analysis);
struct span analysis_claim_span(const struct analysis *analysis, size_t index);
/* The declaration of the document that covers the offset; NULL if none does. */
const struct ast_decl *analysis_decl_at(const struct analysis *analysis, uint32_t offset);
/* The mechanism, procedure or oracle whose text covers the offset: the innermost. */
const struct ast_routine *analysis_routine_at(const struct analysis *analysis, uint32_t offset);

#endif
