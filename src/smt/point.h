/* Values of a model at which a lemma is false, as lines of a derivation (check/proof/replay.h). */
#ifndef COUPLET_SMT_POINT_H
#define COUPLET_SMT_POINT_H

#include "proof/proof.h"
#include "smt/model.h"

/* Of the lemma of the session, whose terms the model is about. No lines: some value is not exact. */
void point_write(const struct proof_session *s, struct model *model, call_list *out);

#endif
