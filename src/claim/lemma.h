/* Lemmas of a file: formulas that follow from its assumptions on parameters and its axioms. */
#ifndef COUPLET_CLAIM_LEMMA_H
#define COUPLET_CLAIM_LEMMA_H

#include "claim/claim.h"
#include "claim/translate.h"

struct lemma;
struct decider;

/* NULL when it cannot be stated in the logic: *why says so (in the arena of lang), unless NULL. */
struct lemma *lemma_open(struct lang *lang, const struct ast_module *module,
                         const struct ast_decl *decl, struct terms *terms, struct decider *decider,
                         struct kernel_failure *why);
void lemma_close(struct lemma *lemma);

term_id lemma_formula(const struct lemma *lemma);
struct kernel *lemma_kernel(struct lemma *lemma);
struct translate_env *lemma_env(struct lemma *lemma);

/*  LEMMA     the facts entail the formula. Believed only: not if they are believed to contradict
 * each other. The failure is in the context; it has a model if the formula is false. */
enum claim_verdict lemma_conclude(struct lemma *lemma);

/* Values of free variables; of operators at arguments; and of the variables of the quantifiers that the
 * formula begins with, from outside. */
struct lemma_point {
  term_list names, values; /* x or f(1, true), and a constant */
  term_list witnesses;
};
void lemma_point_clear(struct lemma_point *point);
/* False: this is no name, no constant of its sort, or the name has a value already. */
bool lemma_point_set(struct lemma_point *point, struct terms *ts, term_id name, term_id value);
bool lemma_point_add_witness(struct lemma_point *point, struct terms *ts, term_id value);

/*  LEMMA-FALSE   at the point, and with no other assumptions, the facts hold and the formula does not.
 *                Then the formula does not follow from the facts. CLAIM_PROVED: this was shown.
 * Not for formulas about arrays, which are maps in the logic: these may differ where no array has
 * items. */
enum claim_verdict lemma_refute(struct lemma *lemma, const struct lemma_point *point,
                                const char **why);

#endif
