#include "stats.h"

#include <math.h>
#include <stdlib.h>

double chi_square_z(const double *probability, const size_t *count, size_t bins, size_t total) {
  double statistic = 0, expected = 0, seen = 0, rest = 0, rest_seen = 0;
  size_t cells = 0;
  for (size_t i = 0; i < bins; i++) {
    expected = probability[i] * (double)total;
    seen = (double)count[i];
    if (expected < 5) {
      rest += expected;
      rest_seen += seen;
      continue;
    }
    statistic += (seen - expected) * (seen - expected) / expected;
    cells++;
  }
  if (rest >= 5) {
    statistic += (rest_seen - rest) * (rest_seen - rest) / rest;
    cells++;
  } else if (rest_seen > 30) {
    return INFINITY; /* next to nothing was expected there */
  }
  double df = (double)cells - 1, v = 2 / (9 * df);
  return (cbrt(statistic / df) - (1 - v)) / sqrt(v);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double kolmogorov(double *samples, size_t n, double (*cdf)(double x, const void *context),
                  const void *context) {
  qsort(samples, n, sizeof *samples, ascending);
  double distance = 0;
  for (size_t i = 0; i < n; i++) {
    double f = cdf(samples[i], context);
    distance = fmax(distance, fmax(f - (double)i / (double)n, (double)(i + 1) / (double)n - f));
  }
  return sqrt((double)n) * distance;
}

double binomial_z(size_t hits, size_t n, double p) {
  return ((double)hits - (double)n * p) / sqrt((double)n * p * (1 - p));
}
