/* Noise that is given instead of drawn, so that one run can be compared with another program's.
 *
 * Every sample takes the next value v of the script, whatever its distribution:
 *   Lap, Gauss                 centre + v
 *   Exp                        start + |v|
 *   DLap, DGauss               centre + floor(v)
 *   Geom                       start + floor(|v|)
 *   Uniform(a, b)              a + u (b - a)          where u = v - floor(v)
 *   UniformInt(a, b)           a + floor(u (b - a + 1))
 *   Uniform{x, y, ...}         the item at floor(u count)
 *   Bernoulli(p)               u < p
 * The arguments of the distribution must be in range, as in any run. Exact numbers stay exact. */
#ifndef COUPLET_RUN_SAMPLE_SCRIPTED_H
#define COUPLET_RUN_SAMPLE_SCRIPTED_H

#include "run/sample/noise.h"

struct scripted {
  const struct rvalue *values;
  size_t count, next;
};

/* For struct interp: `context` is a struct scripted. NOISE_SPENT when no value is left. */
int scripted_sample(void *context, enum dist_kind kind, const struct rvalue *args, size_t count,
                    struct rvalue *out);

#endif
