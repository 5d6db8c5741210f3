/* Reader for the peer format .dipa: one state after the other,
 *
 *   (q2, 1/2, 0, 1/4, 0): if (insample <= x && insample > y) then output cont; goto q2
 *                         elseif (insample > x) then x := insample, y := insample;
 *                                                     output insampleprime; goto q3
 *
 * with name[:non-input], d, mean and optionally d', mean'. The first state is the start; a state
 * that is only gone to is final. The first condition that holds wins. Noise is shared. `#` and `//`
 * start a comment. One pass over the text. */
#ifndef COUPLET_CHECK_AUTOMATON_DIPA_H
#define COUPLET_CHECK_AUTOMATON_DIPA_H

#include "base/diag.h"
#include "check/automaton/model.h"

/* Fills `a` (initialised, empty) and finishes it. False: at least one error was reported. */
bool dipa_read(struct automaton *a, const struct sources *sources, uint32_t file,
               struct diags *diags);

#endif
