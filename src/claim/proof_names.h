/* Names in the text of proofs.
 *
 * The checker resolves every name of a source. The text of a proof, and a cost that the search
 * proposes, is parsed on its own and says what it means by spelling. So that no such text can mean
 * something else than what was printed:
 *   - every variable of the logic has a name of its own, different from those of all parameters,
 *     lets and operators of the module (lower.c adds primes);
 *   - a name of the source that is also that of a parameter, let or operator means the latter. In
 *     a block that somebody wrote this would be a trap: there it is an error.
 * No verdict rests on this file: the kernel checks what a proof says against the claim. */
#ifndef COUPLET_CLAIM_PROOF_NAMES_H
#define COUPLET_CLAIM_PROOF_NAMES_H

#include "claim/translate.h"

/* What a name of proof text means: a variable or a declaration; neither: an error was left. */
struct proof_meaning {
  const struct translate_binding *binding;
  const struct ast_decl *decl;
};

/* The parameter, let or operator of this name (interned), wherever it stands; or NULL. */
const struct ast_decl *proof_names_decl(const struct translate_env *env, const char *name);
/* The variable may be called by this name, too, if the name is free. */
void proof_names_offer(struct translate_env *env, const char *name,
                       const struct translate_binding *binding);
struct proof_meaning proof_names_resolve(struct translate_env *env, struct ast_name name);

#endif
