/* A (sub-)distribution of one real or integer symbol, as a function of its value.
 *
 * Continuous: a piecewise exponential polynomial f, mass(A) = integral of f over A; or, with a law,
 * a step function f, and the density is f times that of the law; or, once a sample with a law has
 * met another real one, a grid.
 * Discrete: a table of weights for the integers low .. low+count-1. Infinite supports are cut where
 * the tail is negligible; who draws the sample accounts for the mass that lies outside. Everything
 * is enclosed in balls. */
#ifndef COUPLET_CHECK_EXACT_DENSITY_H
#define COUPLET_CHECK_EXACT_DENSITY_H

#include <stdbool.h>

#include "check/exact/affine.h"
#include "check/exact/bound.h"
#include "check/exact/grid.h"
#include "check/exact/sampler.h"
#include "num/arb_compat.h"
#include "num/real/piecewise.h"
#include "run/eval/creal.h"

struct density {
  bool is_discrete;
  struct piecewise f; /* continuous */
  const struct law *law;
  fmpq_t centre;           /* of the law; initialised if there is one */
  arb_t rate;              /* likewise */
  struct sampler *sampler; /* there is one with a law or a grid */
  struct grid *grid;       /* or NULL; then f and law are not used */
  slong low;               /* discrete */
  slong count;
  arb_ptr weights;
};

void density_init_continuous(struct density *d); /* zero */
/* Mass 1. */
void density_init_law(struct density *d, const struct law *law, const fmpq_t centre,
                      const arb_t rate, struct sampler *sampler);
void density_init_discrete(struct density *d, slong low, slong count);
void density_clear(struct density *d);
void density_set(struct density *to, const struct density *from); /* `to` initialised */

/* Certainly the zero measure. */
bool density_is_zero(const struct density *d);
/* The same function, ball by ball. */
bool density_identical(const struct density *d, const struct density *e);
void density_total(arb_t out, const struct density *d, slong precision);
void density_scale(struct density *d, const arb_t factor, slong precision);
/* The grid (taken over) becomes the density. */
void density_set_grid(struct density *d, struct grid *grid, struct sampler *sampler);
/* Can they be added? The same kind, and the same law if any. */
bool density_same_kind(const struct density *d, const struct density *e);
/* Is it real, and not an exponential polynomial? Then it cannot be tilted, nor be fixed to a point
 * that depends on another real sample. */
bool density_is_numeric(const struct density *d);
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
/* Continuous: mass between the ends. */
void density_mass(arb_t out, const struct density *d, const struct line_end *low,
                  const struct line_end *high, slong precision);
/* The ends of the support: side -1 or 1 where it is infinite. Continuous and not zero. What a grid has
 * lost may be anywhere. */
void density_support(const struct density *d, struct line_end *low, struct line_end *high);
/* Somebody else accounts for what a grid has lost. */
void density_forget_lost(struct density *d);
/* Continuous, and the same number everywhere on its support. */
bool density_is_flat(const struct density *d);
/* Value at a point: density (hull of both sides at a breakpoint) or weight. Not a grid. */
void density_at(arb_t out, const struct density *d, const fmpq_t x, slong precision);

/* stay(x) *= mass of {s : all bounds hold at x}. Ties between discrete symbols count as inside.
 * False: the grid for it would be too fine, and nothing has changed. */
bool density_absorb(struct density *stay, const struct density *s,
                    const struct density_bound *bounds, size_t count, slong precision);
/* stay(x) *= f_s(slope * x + offset): s is fixed to that value by an observed output. Not two real
 * ones of which one is numeric. */
bool density_absorb_point(struct density *stay, const struct density *s, const fmpq_t slope,
                          const fmpq_t offset, slong precision);

#endif
