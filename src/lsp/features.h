/* What the server can do for an editor, one function per request.
 *
 * Each takes the parameters of its request and returns the result; NULL with the error set when
 * there is none. A result of JSON null means "nothing here". */
#ifndef COUPLET_LSP_FEATURES_H
#define COUPLET_LSP_FEATURES_H

#include "lsp/session.h"

typedef json_t *feature(struct session *session, const json_t *params, struct rpc_error *error);

/* navigate.c */
feature feature_definition, feature_references, feature_highlight;
/* rename.c */
feature feature_prepare_rename, feature_rename;
/* hover.c */
feature feature_hover;
/* complete.c */
feature feature_completion;
/* signature.c */
feature feature_signature_help;
/* outline.c */
feature feature_document_symbols, feature_folding_ranges, feature_document_links;
/* layout.c */
feature feature_formatting;
/* tokens.c */
feature feature_semantic_tokens;
json_t *semantic_tokens_legend(void);
/* lens.c */
feature feature_code_lens, feature_inlay_hints;

/* actions.c */
feature feature_code_actions;

/* diagnostics.c: what is known to be wrong with the document, an array of Diagnostic. */
json_t *document_diagnostics(struct session *session, struct document *document);
/* Sends what is known to be wrong with the document. */
void publish_diagnostics(struct session *session, struct document *document);
/* Takes back what was sent: the document was closed. */
void retract_diagnostics(struct session *session, const char *uri);

/* references.c: every place, in all open documents and what they include, where the symbol at the
 * offset is written. */
struct reference {
  const struct analysis *analysis;
  const struct occurrence *occurrence;
};
struct references {
  VEC(struct reference) list; /* each place once */
};
/* The symbol at the offset, or NULL. */
const struct symbol *symbol_at(struct session *session, struct document *document, uint32_t offset,
                               struct span *span);
void references_find(struct references *out, struct session *session, struct document *document,
                     const struct symbol *symbol);
void references_clear(struct references *references);

/* "proved, cost eps": the verdict on a claim in a few words. */
void verdict_words(struct buffer *out, const struct claim_record *claim);

#endif
