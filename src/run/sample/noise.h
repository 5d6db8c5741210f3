/* Samples of every distribution of the language, from fair bits alone.
 *
 * Discrete distributions are exact: Bernoulli, uniform, geometric, discrete Laplace and discrete
 * Gaussian samples have exactly the stated probabilities, for every parameter of the language.
 * Rational parameters use integer arithmetic only; irrational ones compare the bits of a lazy
 * uniform with certified enclosures (creal.h) until the comparison is decided. A double as a
 * parameter stands for the dyadic fraction it is.
 *
 * Continuous distributions are sampled exactly as reals by comparisons of lazy uniforms (no
 * logarithm, no table), and only the result is rounded: the standard exponential, Laplace and
 * Gaussian samples are the nearest doubles to an exact sample, with relative error at most 2^-53
 * from the smallest to the largest value; in particular the tails have no cut-off, and 0 does not
 * occur. Lap(e, b) is then e + b * sample: b rounded, one product, one sum, so the noise carries a
 * relative error of at most 2^-51 and the sum is rounded once. The algorithms use no libm, so a
 * seed gives the same samples on every machine. */
#ifndef COUPLET_RUN_SAMPLE_NOISE_H
#define COUPLET_RUN_SAMPLE_NOISE_H

#include "lang/syntax/ast.h"
#include "run/eval/rvalue.h"
#include "run/sample/random.h"

enum noise_fault {
  NOISE_OK,
  NOISE_SCALE,       /* scale or sigma not positive */
  NOISE_PROBABILITY, /* not in [0, 1] */
  NOISE_RANGE,       /* low >= high; for integers low > high; no items */
  NOISE_UNDECIDED,   /* irrational parameter: cannot tell on which side of its limit it is */
  NOISE_TOO_LARGE,   /* a parameter or the sample does not fit a double */
  NOISE_SPENT        /* scripted noise (scripted.h): no value is left */
};

/* One sample. `args` are the evaluated arguments of the distribution (for DIST_UNIFORM_SET its
 * items, copied); integer centres are INT. `out` is written only on NOISE_OK. */
enum noise_fault noise_sample(struct random *r, enum dist_kind kind, const struct rvalue *args,
                              size_t count, struct rvalue *out);

/* ---- the parts, with parameters known to be in range ---------------------------------------- */

/* true with probability p, 0 <= p <= 1. */
bool noise_bernoulli(struct random *r, const struct rvalue *p);
/* true with probability exp(-gamma), gamma >= 0. */
bool noise_bernoulli_exp(struct random *r, const struct rvalue *gamma);
/* k >= 0 with probability proportional to exp(-k/scale); scale > 0. `out` is initialised. */
void noise_geometric(struct random *r, fmpz_t out, const struct rvalue *scale);
/* Proportional to exp(-|k|/scale). */
void noise_discrete_laplace(struct random *r, fmpz_t out, const struct rvalue *scale);
/* Proportional to exp(-k^2/(2 sigma^2)). */
void noise_discrete_gauss(struct random *r, fmpz_t out, const struct rvalue *sigma);

/* Standard: scale, sigma 1; centre, start 0. Never 0. */
double noise_exponential(struct random *r);
double noise_laplace(struct random *r);
double noise_gauss(struct random *r);
/* In (low, high], for finite low < high with a finite difference. */
double noise_uniform(struct random *r, double low, double high);

#endif
