/* Losses that have a density, on a grid: what lies between two points goes to the two. */
#ifndef COUPLET_COMPOSE_LOSS_CELLS_H
#define COUPLET_COMPOSE_LOSS_CELLS_H

#include "compose/loss.h"

/* The constant 1 - e^(-step). */
void loss_step_factor(arb_t out, unsigned bits);
void loss_cells_fill(struct loss_grid *g, const struct loss_part *part, enum loss_order order);

#endif
