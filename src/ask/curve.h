/* The density of a mechanism that returns one real number, on a grid.
 *
 * Where to look is found by sampling with a fixed seed; what is found there is exact: each point has
 * a density as a ball. Points are multiples of a power of two, so that two runs of a mechanism can
 * be looked at in the same places. */
#ifndef COUPLET_ASK_CURVE_H
#define COUPLET_ASK_CURVE_H

#include <jansson.h>

#include "check/exact/exact.h"

/* Does every output have one real number and nothing else? */
bool curve_fits(const struct interp *in);
/* Where nearly all outputs are; false: the mechanism cannot be run, or its outputs are no numbers. */
bool curve_range(struct interp *in, double *low, double *high);
/* [{"x": 0.25, "value", "lower", "upper"}], decimals as `couplet prob` prints them; points where
 * there is no density (an atom) are left out. NULL: the engine cannot do it. */
json_t *curve_points(struct interp *in, double low, double high,
                     const struct exact_options *options, unsigned digits);

#endif
