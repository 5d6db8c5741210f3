/* Samples in another unit: noise of scale 1 that is multiplied afterwards, averages of sums.
 *
 * Differences are linear with numbers as coefficients. In `v <$ Lap(0, 1); s := q + v*4/eps` or
 * `r <$ Lap(sum/n, b/n)` they are not, because the sample is measured in the wrong unit. The
 * strategies then look at a program in which v stands for v*f, f being positive and made of
 * parameters: v <$ Lap(f*c, f*b), and v/f wherever v was read. In proof text v is f*v again, and a
 * shift is divided by f. */
#ifndef COUPLET_SEARCH_GOALS_RESCALE_H
#define COUPLET_SEARCH_GOALS_RESCALE_H

#include "search/base/auto.h"

/* The other strategies on the rescaled program, if they found nothing and there is one. */
auto_strategy auto_rescaled;

#endif
