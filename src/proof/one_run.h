/* What the text of a proof says of one run: for its loops, the variant and those parts of the
 * invariant that speak of run 1 alone, as run-less terms. They are hints for questions about a
 * single run (does it end, does it fail): whoever uses them has them proved. */
#ifndef COUPLET_PROOF_ONE_RUN_H
#define COUPLET_PROOF_ONE_RUN_H

#include "claim/translate.h"
#include "proof/script.h"

struct one_run {
  VEC(const struct core *) loops; /* of the program */
  term_list variants;             /* TERM_NONE: none is named */
  term_list invariants;           /* true: nothing is said */
};

/* A formula about two memories as one about run 1; TERM_NONE if it mentions anything but variables
 * of run 1 and parameters. */
term_id one_run_part(struct kernel *k, term_id part);

/* What cannot be read is left out. */
void one_run_read(struct one_run *out, struct translate_env *env, const struct core *program,
                  const struct script_scope *script);
void one_run_clear(struct one_run *o);

/* The scope about a loop: the number-th of those in `scope`; NULL if there is none. */
struct script_scope *scope_of_loop(const struct terms *ts, const struct script_scope *scope,
                                   const struct core *loop, unsigned number);
/* In the proof of a loop the name of its index means its own. */
void name_index(struct translate_env *env, const struct core *loop);

#endif
