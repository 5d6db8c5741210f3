/* Gaussian noise for the exact engine. */
#ifndef COUPLET_EXACT_GAUSS_H
#define COUPLET_EXACT_GAUSS_H

#include "check/exact/density.h"

/* The standard normal density on -12..12, rough (density.h): between m - 1/32 and m + 1/32 it is
 * e^(-m^2/2 - m (x - m)) / sqrt(2 pi) times a factor between e^(-1/2048) and 1. `lost` gets a bound
 * on the mass outside. */
void gauss_density(struct density *out, arb_t lost, slong precision);
/* Pr[k] proportional to e^(-k^2/(2 sigma^2)), as a table; sigma > 0. False: it would have more than
 * `most` entries. */
bool gauss_table(struct density *out, arb_t lost, const arb_t sigma, slong most, slong precision);

#endif
