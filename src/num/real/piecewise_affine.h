/* Piecewise exponential polynomials under an affine change of variable. */
#ifndef COUPLET_NUM_REAL_PIECEWISE_AFFINE_H
#define COUPLET_NUM_REAL_PIECEWISE_AFFINE_H

#include "num/real/piecewise.h"

/* out(x) = f(slope * x + offset), slope not 0. out may be f. */
void piecewise_compose(struct piecewise *out, const struct piecewise *f, const fmpq_t slope,
                       const fmpq_t offset, slong precision);

/* f at x; at a breakpoint the hull of the limits from both sides. */
void piecewise_eval_hull(arb_t out, const struct piecewise *f, const fmpq_t x, slong precision);

#endif
