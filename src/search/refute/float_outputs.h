/* Outputs of a floating-point program to try as events: those of words at which such programs go
 * wrong. In the middle of the range noise is small and has more digits than another input can
 * produce; at its ends it is as large as it can be. */
#ifndef COUPLET_SEARCH_REFUTE_FLOAT_OUTPUTS_H
#define COUPLET_SEARCH_REFUTE_FLOAT_OUTPUTS_H

#include "base/vec.h"
#include "run/eval/interp_setup.h"

typedef VEC(struct rvalue) float_output_list;

/* Different finite outputs, the most promising first; none if the program is not a pipeline. */
void float_outputs(float_output_list *out, struct interp *in);
void float_outputs_clear(float_output_list *list);

#endif
