/* Densities on grids: what density.h does where closed forms end. */
#ifndef COUPLET_CHECK_EXACT_DENSITY_GRID_H
#define COUPLET_CHECK_EXACT_DENSITY_GRID_H

#include "check/exact/density.h"

/* A continuous density as a grid, a new reference. NULL: it needs too many cells. */
struct grid *density_to_grid(const struct density *d, struct sampler *sampler);

/* density_absorb where both are real and one of them has a law or is on a grid. False: too many
 * cells, and nothing has changed. */
bool density_absorb_on_grid(struct density *stay, const struct density *s,
                            const struct density_bound *bounds, size_t count);

#endif
