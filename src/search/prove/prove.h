/* All that is tried to prove a claim: the strategies in their order.
 *
 * A strategy is a row of goal transformers that ends in the aligner (align/), in completion
 * (complete/) or in a proposal of its own; docs/search.md has the table. */
#ifndef COUPLET_SEARCH_PROVE_PROVE_H
#define COUPLET_SEARCH_PROVE_PROVE_H

#include "search/base/auto.h"

/* Runs the strategies of the options, or all of them. */
void auto_prove(struct lang *lang, const struct ast_module *module, const struct ast_decl *claim,
                const struct auto_options *options, struct auto_result *out);

#endif
