/* A (sub-)distribution of one real or integer symbol, as a function of its value.
 *
 * Continuous: a piecewise exponential polynomial f, mass(A) = integral of f over A; or, with a law,
 * a step function f, and the density is f times that of the law.
 * Discrete: a table of weights for the integers low .. low+count-1. Infinite supports are cut where
 * the tail is negligible; who draws the sample accounts for the mass that lies outside. Everything
 * is enclosed in balls. */
#ifndef COUPLET_CHECK_EXACT_DENSITY_H
#define COUPLET_CHECK_EXACT_DENSITY_H

#include <stdbool.h>

#include "check/exact/affine.h"
#include "check/exact/law.h"
#include "num/arb_compat.h"
#include "num/piecewise.h"
#include "run/eval/creal.h"

struct density {
  bool is_discrete;
  struct piecewise f; /* continuous */
  const struct law *law;
  arb_t rate; /* of the law; initialised if there is one */
  slong low;  /* discrete */
  slong count;
  arb_ptr weights;
};

void density_init_continuous(struct density *d);                                   /* zero */
void density_init_law(struct density *d, const struct law *law, const arb_t rate); /* mass 1 */
void density_init_discrete(struct density *d, slong low, slong count);
void density_clear(struct density *d);
void density_set(struct density *to, const struct density *from); /* `to` initialised */

/* Certainly the zero measure. */
bool density_is_zero(const struct density *d);
/* The same function, ball by ball. */
bool density_identical(const struct density *d, const struct density *e);
void density_total(arb_t out, const struct density *d, slong precision);
void density_scale(struct density *d, const arb_t factor, slong precision);
/* Can they be added? The same kind, and the same law if any. */
bool density_same_kind(const struct density *d, const struct density *e);
/* Can one be integrated out where it is compared with the other? Not if both are real and one of
 * them has a law; nor can it be tilted then. */
bool density_can_meet(const struct density *d, const struct density *e);
/* d += e; same kind. */
void density_add(struct density *d, const struct density *e, slong precision);
/* d(x) *= x^power e^(rate x). */
void density_tilt(struct density *d, ulong power, const fmpq_t rate, slong precision);

/* Keeps the points with slope * x + offset >= 0 (slope not 0). */
void density_restrict(struct density *d, const fmpq_t slope, const fmpq_t offset);
/* Discrete: the weight where slope * x + offset = 0 becomes anything between 0 and what it is. */
void density_blur(struct density *d, const fmpq_t slope, const fmpq_t offset, slong precision);
/* Splits the total mass at an irrational bound: out encloses the mass of {x >= bound} (above) or
 * {x <= bound}. Ties: continuous, none; discrete, `bound` is not an integer or false is returned.
 */
bool density_mass_beyond(arb_t out, const struct density *d, struct creal *bound, bool above,
                         slong precision);
/* The ends of the support: side -1 or 1 where it is infinite. Continuous and not zero. */
void density_support(const struct density *d, struct line_end *low, struct line_end *high);
/* Continuous, and the same number everywhere on its support. */
bool density_is_flat(const struct density *d);
/* Value at a point: density (hull of both sides at a breakpoint) or weight. */
void density_at(arb_t out, const struct density *d, const fmpq_t x, slong precision);

/* A bound s >= slope * x + offset (lower) or s <= ... (upper) on the symbol s that is integrated
 * out, depending on the symbol x that stays. */
struct density_bound {
  bool is_lower;
  fmpq_t slope, offset; /* slope not 0 */
};

/* stay(x) *= mass of {s : all bounds hold at x}. Ties between discrete symbols count as inside. */
void density_absorb(struct density *stay, const struct density *s,
                    const struct density_bound *bounds, size_t count, slong precision);
/* stay(x) *= f_s(slope * x + offset): s is fixed to that value by an observed output. */
bool density_absorb_point(struct density *stay, const struct density *s, const fmpq_t slope,
                          const fmpq_t offset, slong precision);

#endif
