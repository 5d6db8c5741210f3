/* Privacy loss of a mechanism on its worst pair of inputs, on a grid, as balls.
 *
 * With P and Q the output distributions on the pair, the loss is L = ln(dP/dQ) under P. A pair
 * dominates another if its delta(eps) = E[(1 - e^(eps - L))_+] is at least as large for every eps;
 * sums of independent losses keep that order, and are the loss of the mechanisms run one after the
 * other, also if later ones are chosen by what came out before (docs/accountant.md).
 *
 * The loss on a grid L' is made from L by moving each value to one of the two grid points next to
 * it, at random such that E[e^(-L') | L] = e^(-L). The pair of L' dominates that of L, and
 * D = L' - L lies in an interval of length `step` and has 0 <= E[D] <= step^2/8. What is above the
 * grid becomes infinite; what is below it is moved up to its first point. */
#ifndef COUPLET_COMPOSE_LOSS_H
#define COUPLET_COMPOSE_LOSS_H

#include <flint/fmpq.h>
#include <stdbool.h>

#include "base/vec.h"
#include "num/arb_compat.h"

enum loss_family {
  LOSS_PURE,              /* any (eps, delta)-private mechanism: eps, delta */
  LOSS_RESPONSE,          /* randomized response: probability of the truth, from 1/2 to 1 */
  LOSS_LAPLACE,           /* sensitivity / scale */
  LOSS_GAUSSIAN,          /* sensitivity / standard deviation */
  LOSS_DISCRETE_GAUSSIAN, /* sensitivity (an integer), sigma^2 */
  LOSS_SAMPLED_GAUSSIAN,  /* sensitivity / standard deviation, probability of a record */
  LOSS_ZCDP,              /* any mechanism with that rho (curve.h) */
  LOSS_RENYI              /* any mechanism with that divergence of an order: divergence, order */
};

/* `count` mechanisms of one family. */
struct loss_part {
  enum loss_family family;
  fmpq_t a, b; /* as said above; b is 0 where there is one parameter */
  ulong count;
  ulong steps; /* mechanisms whose bounds were added up to this one */
};
typedef VEC(struct loss_part) loss_parts;

/* Bounds in zcdp add up, and so do those in renyi at one order: they become one part. */
void loss_parts_push(loss_parts *parts, enum loss_family family, const fmpq_t a, const fmpq_t b,
                     ulong count);
/* Were bounds added up in two ways, in zcdp and in renyi or at two orders? Steps that depend on each
 * other and come in turn are not known to be dominated by the product of the two sums. */
bool loss_parts_mix_sums(const loss_parts *parts);
void loss_parts_clear(loss_parts *parts);
/* Does it matter which of the two inputs has the record more? */
bool loss_is_one_sided(enum loss_family family);
/* Is it a bound from above only, without a worst pair (curve.h)? */
bool loss_is_curve(enum loss_family family);

/* Which run has the record that the other lacks. */
enum loss_order { LOSS_REMOVE, LOSS_ADD };

struct loss_grid {
  unsigned bits;  /* step 2^-bits */
  slong first;    /* the first point is first * step */
  slong length;   /* number of points */
  arb_ptr mass;   /* probabilities under P of the points; they enclose the true ones */
  arb_t infinite; /* of an infinite loss that is really there (delta) */
  arb_t cut;      /* of losses above the grid */
  arb_t lifted;   /* of losses below it */
};

enum { LOSS_POINTS_MAX = 1 << 21, LOSS_ATOMS_MAX = 1 << 19, LOSS_PRECISION = 128 };

/* `tail`: how much may be cut, and lifted, about. False: more than LOSS_POINTS_MAX points, or than
 * LOSS_ATOMS_MAX atoms on a side. */
bool loss_grid_init(struct loss_grid *g, const struct loss_part *part, enum loss_order order,
                    unsigned bits, double tail);
void loss_grid_clear(struct loss_grid *g);

/* Rough limits of the loss, for the choice of a step. */
void loss_range(const struct loss_part *part, enum loss_order order, double tail, double *low,
                double *high);

#endif
