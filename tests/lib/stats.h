/* Goodness of fit for samplers. Tests use fixed seeds, so a bound is passed or failed for good;
 * bounds are chosen where a true sampler fails for about one seed in 10^4 and a wrong constant for
 * all of them. */
#ifndef COUPLET_STATS_H
#define COUPLET_STATS_H

#include <stddef.h>

/* Pearson's statistic as a standard normal deviate (Wilson-Hilferty). `probability` sums to 1 over
 * the bins; bins that expect fewer than 5 of the `total` observations are merged. */
double chi_square_z(const double *probability, const size_t *count, size_t bins, size_t total);
/* sqrt(n) times the Kolmogorov-Smirnov distance; sorts the samples. 2.23 is exceeded with
 * probability 10^-4. */
double kolmogorov(double *samples, size_t n, double (*cdf)(double x, const void *context),
                  const void *context);
/* (hits - n p) / sqrt(n p (1-p)). */
double binomial_z(size_t hits, size_t n, double p);

#endif
