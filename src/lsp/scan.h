/* The tokens before the cursor, for what depends on where it stands: completion and signatures. */
#ifndef COUPLET_LSP_SCAN_H
#define COUPLET_LSP_SCAN_H

#include "lang/syntax/lex.h"
#include "lsp/session.h"

/* What the cursor is in. */
enum scan_place { SCAN_CODE, SCAN_NUMBER, SCAN_STRING, SCAN_COMMENT };

/* The text of a token lives only as long as the call. */
typedef void scan_token(void *context, struct token token);

/* Calls `take` for every token before the offset, but for a word, number or string that ends there:
 * that one is being typed. */
enum scan_place scan_before(const struct document *document, uint32_t offset, scan_token *take,
                            void *context);

#endif
