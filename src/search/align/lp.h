/* Linear programs: the least c*x with A*x >= b and x >= 0, for c >= 0.
 *
 * The right-hand side is known only as numbers at a sample point, while its entries are terms: so
 * the solution is given as what it is made of, x_j = sum over the rows of part(j, row) * b_row,
 * with exact parts. Dual simplex in floating point finds which rows are tight; the linear system of
 * these is then solved exactly. */
#ifndef COUPLET_SEARCH_ALIGN_LP_H
#define COUPLET_SEARCH_ALIGN_LP_H

#include <flint/fmpq_mat.h>

#include "search/align/ratio.h"

struct lp {
  size_t rows, columns;
  struct ratio *a; /* row by row */
  double *b, *c;
  fmpq_mat_t parts; /* columns x rows */
};

/* Everything is 0. */
void lp_init(struct lp *lp, size_t rows, size_t columns);
void lp_clear(struct lp *lp);
static inline struct ratio *lp_at(struct lp *lp, size_t row, size_t column) {
  return &lp->a[row * lp->columns + column];
}
/* False: there is no solution, or none was found. */
bool lp_solve(struct lp *lp);

#endif
