/* What a certificate speaks of: the source with all that it includes, and its claims.
 *
 * A certificate is bound to these by hash and by content. Everything here is computed from the
 * source alone, by the writer and by the checker in the same way. */
#ifndef COUPLET_CHECK_CERTIFICATE_SOURCE_H
#define COUPLET_CHECK_CERTIFICATE_SOURCE_H

#include "base/sha256.h"
#include "lang/syntax/lang.h"

/* SHA-256 over the number of files and, in the order in which they were read, the length and bytes
 * of each. */
void cert_sources_digest(const struct sources *sources, char out[SHA256_HEX + 1]);

/* The text of a node as the user wrote it, on one line (xmalloc'd). */
char *cert_source_text(const struct sources *sources, struct span span);
/* The notion of a claim as the user wrote it: "zcdp", "renyi 2", "renyi for all a" (xmalloc'd).
 * NULL: epsilon and delta. */
char *cert_notion_text(const struct sources *sources, const struct ast_decl *claim);
/* The name of the automaton in a .dipa file: the file's, without folder and suffix (xmalloc'd). */
char *cert_dipa_name(const char *path);
bool cert_is_dipa(const char *path);

/* A claim of the file. */
struct cert_statement {
  char *name, *subject, *notion, *epsilon, *delta; /* as in the record; NULL where there is none */
  const struct ast_decl *decl; /* NULL: the automaton is private at some multiple of eps */
  bool is_about_automaton;
  const struct ast_decl
      *automaton; /* which; NULL: the file is one, or it is about something else */
};

struct cert_source {
  struct lang lang;
  const struct ast_module *module; /* NULL for a .dipa file */
  char digest[SHA256_HEX + 1];
  VEC(struct cert_statement) statements; /* in the order of the record */
};

/* False: the source has errors, in source->lang.diags. To be cleared in any case. */
bool cert_source_load(struct cert_source *source, const char *path);
/* The same for text in memory; `overlay` has what it includes (base/source.h). */
bool cert_source_load_text(struct cert_source *source, const char *path, const struct source *text,
                           source_overlay *overlay, void *context);
void cert_source_clear(struct cert_source *source);

#endif
