/* Functions of one sample by their values at the nodes of a quadrature rule, cell by cell.
 *
 * A grid is a density on cells between rational edges, zero outside. In each cell it is a function f
 * that is analytic in the ellipse of num/real/quadrature.h around the cell; the grid has balls with the
 * values of f at the nodes and a bound on |f| in the ellipse. Products take values to values and
 * bounds to bounds; integrals come with their error. So everything that thresholds, maxima and ranges
 * ask of samples of any two distributions - multiply by the mass of another sample below this one,
 * integrate - stays a grid, where closed forms end.
 *
 * Far ends of infinite supports are not on the grid. `lost` bounds the mass that is missing:
 * the true measure of any set is that of the grid up to `lost`.
 *
 * Grids are immutable and reference counted. */
#ifndef COUPLET_CHECK_EXACT_GRID_H
#define COUPLET_CHECK_EXACT_GRID_H

#include <stdbool.h>

#include "check/exact/bound.h"
#include "num/real/quadrature.h"

enum { LIMIT_GRID_CELLS = 4096 };

struct grid {
  size_t refs;
  struct quadrature *rule;
  size_t count;   /* cells */
  fmpq *edges;    /* count + 1, increasing; none if there are no cells */
  arb_ptr values; /* count * order */
  mag_ptr bounds; /* count */
  mag_t lost;
};

/* Zero on the cells between the sorted points; the points are copied. */
struct grid *grid_new(struct quadrature *rule, const fmpq *edges, size_t points);
struct grid *grid_ref(struct grid *g);
void grid_unref(struct grid *g);                      /* NULL is allowed */
arb_ptr grid_cell(const struct grid *g, size_t cell); /* its values */
/* Half of the width, as a ball. */
void grid_half_width(arb_t out, const struct grid *g, size_t cell);

/* A copy, to be changed before anybody else has it. */
struct grid *grid_copy(const struct grid *g);
bool grid_identical(const struct grid *a, const struct grid *b);
struct grid *grid_scale(const struct grid *g, const arb_t factor);
/* The same function with these points among its edges, as far as they are inside. */
struct grid *grid_split(struct grid *g, const point_list *points);
struct grid *grid_restrict(struct grid *g, const struct line_end *low, const struct line_end *high);
/* The same rule. */
struct grid *grid_add(struct grid *a, struct grid *b);
/* Mass on one cell, and of everything. */
void grid_cell_mass(arb_t out, const struct grid *g, size_t cell);
void grid_total(arb_t out, const struct grid *g);

#endif
