/* Outputs of a floating-point program to try as events: those of words at which such programs go
 * wrong (float_words_probes). Where the functions of a library are not exact, an event is the range
 * of what an output may be. */
#ifndef COUPLET_SEARCH_REFUTE_FLOAT_OUTPUTS_H
#define COUPLET_SEARCH_REFUTE_FLOAT_OUTPUTS_H

#include "base/vec.h"
#include "check/exact/event.h"
#include "run/eval/interp_setup.h"

typedef VEC(struct pattern) float_output_list;

/* Different events, the most promising first; none if the program is not a pipeline. */
void float_outputs(float_output_list *out, struct interp *in);
void float_outputs_clear(float_output_list *list);

#endif
