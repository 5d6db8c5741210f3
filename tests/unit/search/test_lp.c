/* Linear programs of the potentials: the optimum is that of the best vertex, and the parts of the
 * solution are exact. */
#include "search/align/lp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "testlib.h"

enum { COLUMNS = 3, MOST_ROWS = 6 };

static double value_of(const struct lp *lp, size_t column) {
  double sum = 0;
  for (size_t r = 0; r < lp->rows; r++) {
    const fmpq *part = fmpq_mat_entry(lp->parts, (slong)column, (slong)r);
    sum += fmpq_get_d(part) * lp->b[r];
  }
  return sum;
}

/* a*x of a row; rows from lp->rows on say x_j >= 0. */
static double entry(const struct lp *lp, size_t row, size_t column) {
  if (row >= lp->rows) return row - lp->rows == column;
  struct ratio a = lp->a[row * lp->columns + column];
  return (double)a.num / (double)a.den;
}

static double right(const struct lp *lp, size_t row) {
  return row >= lp->rows ? 0 : lp->b[row];
}

/* The point where three rows are tight; false: there is none. */
static bool vertex(const struct lp *lp, const size_t *rows, double *x) {
  double m[COLUMNS][COLUMNS + 1];
  for (size_t i = 0; i < COLUMNS; i++) {
    for (size_t j = 0; j < COLUMNS; j++)
      m[i][j] = entry(lp, rows[i], j);
    m[i][COLUMNS] = right(lp, rows[i]);
  }
  for (size_t i = 0; i < COLUMNS; i++) {
    size_t p = i;
    for (size_t r = i; r < COLUMNS; r++)
      if (fabs(m[r][i]) > fabs(m[p][i])) p = r;
    if (fabs(m[p][i]) < 1e-9) return false;
    double swap[COLUMNS + 1];
    memcpy(swap, m[i], sizeof swap);
    memcpy(m[i], m[p], sizeof swap);
    memcpy(m[p], swap, sizeof swap);
    for (size_t r = 0; r < COLUMNS; r++) {
      double f = r == i ? 0 : m[r][i] / m[i][i];
      for (size_t j = i; j <= COLUMNS; j++)
        m[r][j] -= f * m[i][j];
    }
  }
  for (size_t i = 0; i < COLUMNS; i++)
    x[i] = m[i][COLUMNS] / m[i][i];
  return true;
}

static bool is_feasible(const struct lp *lp, const double *x) {
  for (size_t r = 0; r < lp->rows + COLUMNS; r++) {
    double sum = 0;
    for (size_t j = 0; j < COLUMNS; j++)
      sum += entry(lp, r, j) * x[j];
    if (sum < right(lp, r) - 1e-7) return false;
  }
  return true;
}

static double cost_of(const struct lp *lp, const double *x) {
  double sum = 0;
  for (size_t j = 0; j < COLUMNS; j++)
    sum += lp->c[j] * x[j];
  return sum;
}

/* Infinite: no solution. */
static double best_vertex(const struct lp *lp) {
  double best = INFINITY, x[COLUMNS];
  size_t all = lp->rows + COLUMNS, rows[COLUMNS];
  for (rows[0] = 0; rows[0] < all; rows[0]++)
    for (rows[1] = rows[0] + 1; rows[1] < all; rows[1]++)
      for (rows[2] = rows[1] + 1; rows[2] < all; rows[2]++)
        if (vertex(lp, rows, x) && is_feasible(lp, x)) best = fmin(best, cost_of(lp, x));
  return best;
}

static void random_programs(void **state) {
  (void)state;
  srand(7);
  size_t solved = 0, hopeless = 0;
  for (size_t round = 0; round < 3000; round++) {
    struct lp lp;
    lp_init(&lp, 1 + (size_t)rand() % MOST_ROWS, COLUMNS);
    for (size_t r = 0; r < lp.rows; r++) {
      for (size_t j = 0; j < COLUMNS; j++)
        *lp_at(&lp, r, j) = ratio_make(rand() % 7 - 3, 1 + rand() % 2);
      lp.b[r] = rand() % 9 - 3;
    }
    for (size_t j = 0; j < COLUMNS; j++)
      lp.c[j] = rand() % 4;
    double best = best_vertex(&lp), x[COLUMNS];
    bool ok = lp_solve(&lp);
    assert_int_equal(ok, isfinite(best));
    for (size_t j = 0; j < COLUMNS; j++)
      x[j] = value_of(&lp, j);
    if (ok) assert_true(is_feasible(&lp, x));
    if (ok) assert_true(fabs(cost_of(&lp, x) - best) < 1e-6);
    solved += ok;
    hopeless += !ok;
    lp_clear(&lp);
  }
  assert_true(solved > 500 && hopeless > 100);
}

/* The parts of the solution hold for other right-hand sides as long as the same rows are tight. */
static void parts_are_exact(void **state) {
  (void)state;
  struct lp lp;
  lp_init(&lp, 2, 2);
  *lp_at(&lp, 0, 0) = ratio_int(3);
  *lp_at(&lp, 1, 0) = ratio_int(-1);
  *lp_at(&lp, 1, 1) = ratio_int(7);
  lp.b[0] = 1;
  lp.b[1] = 5;
  lp.c[0] = lp.c[1] = 1;
  assert_true(lp_solve(&lp));
  fmpq_t third, seventh, product;
  fmpq_init(third);
  fmpq_init(seventh);
  fmpq_init(product);
  fmpq_set_si(third, 1, 3);
  fmpq_set_si(seventh, 1, 7);
  fmpq_mul(product, third, seventh);
  assert_true(fmpq_equal(fmpq_mat_entry(lp.parts, 0, 0), third));
  assert_true(fmpq_equal(fmpq_mat_entry(lp.parts, 1, 1), seventh));
  assert_true(fmpq_equal(fmpq_mat_entry(lp.parts, 1, 0), product));
  fmpq_clear(third);
  fmpq_clear(seventh);
  fmpq_clear(product);
  lp_clear(&lp);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs),
                                     cmocka_unit_test(parts_are_exact)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
