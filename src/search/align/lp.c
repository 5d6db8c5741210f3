#include "search/align/lp.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

enum { MAX_PIVOTS = 2000 };
static const double TOLERANCE = 1e-9;

void lp_init(struct lp *lp, size_t rows, size_t columns) {
  *lp = (struct lp){.rows = rows, .columns = columns};
  lp->a = xcalloc(rows * columns + 1, sizeof *lp->a);
  for (size_t i = 0; i < rows * columns; i++)
    lp->a[i] = ratio_int(0);
  lp->b = xcalloc(rows + 1, sizeof *lp->b);
  lp->c = xcalloc(columns + 1, sizeof *lp->c);
  fmpq_mat_init(lp->parts, (slong)columns, (slong)rows);
}

void lp_clear(struct lp *lp) {
  free(lp->a);
  free(lp->b);
  free(lp->c);
  fmpq_mat_clear(lp->parts);
}

/* ---- which rows are tight -------------------------------------------------------------------- */

/* Rows of basic variables over the nonbasic ones: basic[r] = rhs[r] - sum of t[r][j] * nonbasic[j].
 * Variables below `columns` are those of the program, the others slacks: A*x - slack = b. */
struct tableau {
  size_t rows, columns;
  double *t, *rhs, *cost;
  size_t *basic, *nonbasic;
};

static double *cell(const struct tableau *s, size_t row, size_t column) {
  return &s->t[row * s->columns + column];
}

static void tableau_init(struct tableau *s, const struct lp *lp) {
  *s = (struct tableau){.rows = lp->rows, .columns = lp->columns};
  s->t = xcalloc(lp->rows * lp->columns + 1, sizeof *s->t);
  s->rhs = xcalloc(lp->rows + 1, sizeof *s->rhs);
  s->cost = xcalloc(lp->columns + 1, sizeof *s->cost);
  s->basic = xcalloc(lp->rows + 1, sizeof *s->basic);
  s->nonbasic = xcalloc(lp->columns + 1, sizeof *s->nonbasic);
  for (size_t r = 0; r < lp->rows; r++) {
    for (size_t j = 0; j < lp->columns; j++) {
      struct ratio a = lp->a[r * lp->columns + j];
      *cell(s, r, j) = -(double)a.num / (double)a.den;
    }
    s->rhs[r] = -lp->b[r];
    s->basic[r] = lp->columns + r;
  }
  for (size_t j = 0; j < lp->columns; j++) {
    s->cost[j] = lp->c[j];
    s->nonbasic[j] = j;
  }
}

static void tableau_clear(struct tableau *s) {
  free(s->t);
  free(s->rhs);
  free(s->cost);
  free(s->basic);
  free(s->nonbasic);
}

/* Puts the nonbasic variable of the column into the basis. */
static void pivot(struct tableau *s, size_t row, size_t column) {
  double p = *cell(s, row, column);
  for (size_t j = 0; j < s->columns; j++)
    *cell(s, row, j) = j == column ? 1 / p : *cell(s, row, j) / p;
  s->rhs[row] /= p;
  for (size_t r = 0; r < s->rows; r++) {
    double f = *cell(s, r, column);
    if (r == row || f == 0) continue;
    for (size_t j = 0; j < s->columns; j++)
      *cell(s, r, j) = j == column ? -f / p : *cell(s, r, j) - f * *cell(s, row, j);
    s->rhs[r] -= f * s->rhs[row];
  }
  double f = s->cost[column];
  for (size_t j = 0; j < s->columns; j++)
    s->cost[j] = j == column ? -f / p : s->cost[j] - f * *cell(s, row, j);
  size_t swap = s->basic[row];
  s->basic[row] = s->nonbasic[column];
  s->nonbasic[column] = swap;
}

/* The column that keeps all costs at least 0; `columns`: there is none. */
static size_t entering(const struct tableau *s, size_t row) {
  size_t best = s->columns;
  double least = INFINITY;
  for (size_t j = 0; j < s->columns; j++) {
    double t = *cell(s, row, j);
    if (t > -TOLERANCE || s->cost[j] / -t >= least - TOLERANCE) continue;
    least = s->cost[j] / -t;
    best = j;
  }
  return best;
}

static bool optimise(struct tableau *s) {
  for (size_t pivots = 0; pivots < MAX_PIVOTS; pivots++) {
    size_t row = s->rows;
    for (size_t r = 0; r < s->rows; r++) /* the first ones, in the end: so it does not go round */
      if (s->rhs[r] < -TOLERANCE &&
          (row == s->rows || (pivots < MAX_PIVOTS / 2 && s->rhs[r] < s->rhs[row])))
        row = r;
    if (row == s->rows) return true;
    size_t column = entering(s, row);
    if (column == s->columns) return false;
    pivot(s, row, column);
  }
  return false;
}

/* ---- exactly --------------------------------------------------------------------------------- */

/* The variables in the basis by the rows whose slack is not. */
static bool solve_exactly(struct lp *lp, const struct tableau *s) {
  size_t *vars = xcalloc(lp->columns + 1, sizeof *vars), count = 0;
  size_t *tight = xcalloc(lp->rows + 1, sizeof *tight), rows = 0;
  for (size_t r = 0; r < s->rows; r++)
    if (s->basic[r] < lp->columns) vars[count++] = s->basic[r];
  for (size_t j = 0; j < s->columns; j++)
    if (s->nonbasic[j] >= lp->columns) tight[rows++] = s->nonbasic[j] - lp->columns;
  fmpq_mat_t m, inverse;
  fmpq_mat_init(m, (slong)count, (slong)count);
  fmpq_mat_init(inverse, (slong)count, (slong)count);
  for (size_t r = 0; r < count; r++)
    for (size_t j = 0; j < count; j++)
      ratio_to_fmpq(fmpq_mat_entry(m, (slong)r, (slong)j), *lp_at(lp, tight[r], vars[j]));
  bool ok = rows == count && (count == 0 || fmpq_mat_inv(inverse, m));
  for (size_t j = 0; j < count && ok; j++)
    for (size_t r = 0; r < count; r++)
      fmpq_set(fmpq_mat_entry(lp->parts, (slong)vars[j], (slong)tight[r]),
               fmpq_mat_entry(inverse, (slong)j, (slong)r));
  fmpq_mat_clear(m);
  fmpq_mat_clear(inverse);
  free(vars);
  free(tight);
  return ok;
}

bool lp_solve(struct lp *lp) {
  struct tableau s;
  tableau_init(&s, lp);
  bool ok = optimise(&s) && solve_exactly(lp, &s);
  tableau_clear(&s);
  return ok;
}
