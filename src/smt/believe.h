/* Proofs checked on the word of the solver: fast, for search. What comes out is at best believed
 * (PROOF_BELIEVED); for verdicts see refereed.h. */
#ifndef COUPLET_SMT_BELIEVE_H
#define COUPLET_SMT_BELIEVE_H

#include "proof/proof.h"
#include "smt/smt.h"

struct believe_options {
  struct smt_options smt;
  bool explain; /* put explanations into the result */
};
struct believe_options believe_default_options(void);

/* Many attempts at one claim: terms and answers of the solver are kept between them. */
struct believing {
  struct proof_session session;
  struct terms *terms;
  struct smt *smt;
};

void believing_init(struct believing *b, struct lang *lang, const struct ast_module *module,
                    const struct ast_decl *claim, const struct believe_options *options);
void believing_clear(struct believing *b);
void believing_check(struct believing *b, const struct proof_text *text, struct proof_result *out);

/* The claim's own proof, or the default one. */
void believe_claim(struct lang *lang, const struct ast_module *module, const struct ast_decl *claim,
                   const struct believe_options *options, struct proof_result *out);
/* `point` gets lines of a derivation (check/proof/replay.h): values for a lemma that seems false; none
 * if it does not, or if they cannot be written. */
void believe_lemma(struct lang *lang, const struct ast_module *module, const struct ast_decl *lemma,
                   const struct believe_options *options, struct proof_result *out,
                   call_list *point);

/* For the decider of struct smt. */
void smt_believe_(struct decider *decider, struct terms *ts, const struct question *q,
                  struct answer *out);

#endif
