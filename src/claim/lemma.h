/* Lemmas of a file: formulas that follow from its assumptions on parameters and its axioms. */
#ifndef COUPLET_CLAIM_LEMMA_H
#define COUPLET_CLAIM_LEMMA_H

#include "claim/claim.h"
#include "claim/translate.h"

struct lemma;
struct decider;

/* NULL with *why (in the arena of lang) and *where when it cannot be stated in the logic. */
struct lemma *lemma_open(struct lang *lang, const struct ast_module *module,
                         const struct ast_decl *decl, struct terms *terms, struct decider *decider,
                         const char **why, struct span *where);
void lemma_close(struct lemma *lemma);

term_id lemma_formula(const struct lemma *lemma);
struct kernel *lemma_kernel(struct lemma *lemma);
struct translate_env *lemma_env(struct lemma *lemma);

/*  LEMMA     the facts entail the formula. Believed only: not if they are believed to contradict
 * each other. The failure is in the context; it has a model if the formula is false. */
enum claim_verdict lemma_conclude(struct lemma *lemma);

#endif
