/* Entailments with exp, ln, sqrt and quotients, beyond what the solver does by itself.
 *
 * Methods, each sound on its own, tried in order of cost (docs/smt.md tells the whole story):
 *   bounds    purify (purify.h), add proved facts (bounds.h), ask Z3's nonlinear solver; first as
 *             written, then normalised (normalise.h)
 *   interval  certified subdivision of a box (interval.h)
 * A point where the hypotheses hold and the goal does not is looked for as well. */
#ifndef COUPLET_SMT_TRANSCEND_H
#define COUPLET_SMT_TRANSCEND_H

#include "smt/smt.h"

/* Tries to prove hypotheses |= goal. On success *method names the method. */
bool transcend_prove(struct smt *smt, const term_id *hypotheses, size_t count, term_id goal,
                     const char **method);
/* Would the methods here have something to work with? */
bool transcend_applies(struct smt *smt, const term_id *hypotheses, size_t count, term_id goal);

#endif
