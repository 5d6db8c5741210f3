#include "oracle.h"

#include <glpk.h>
#include <math.h>

#include "base/vec.h"

double oracle_delta(const double *mu1, size_t n, const double *mu2, size_t m, const double *q,
                    double budget) {
  glp_prob *lp = glp_create_prob();
  glp_set_obj_dir(lp, GLP_MAX);
  glp_add_cols(lp, (int)(n + m));
  for (size_t a = 0; a < n; a++) {
    glp_set_col_bnds(lp, (int)a + 1, GLP_DB, 0, 1);
    glp_set_obj_coef(lp, (int)a + 1, mu1[a]);
  }
  for (size_t b = 0; b < m; b++) {
    glp_set_col_bnds(lp, (int)(n + b) + 1, GLP_DB, 0, 1);
    glp_set_obj_coef(lp, (int)(n + b) + 1, -exp(budget) * mu2[b]);
  }
  VEC(int) rows = {0}, cols = {0};
  VEC(double) values = {0};
  vec_push(&rows, 0);
  vec_push(&cols, 0);
  vec_push(&values, 0);
  int count = 0;
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < m; b++) {
      double left = q[a * m + b];
      if (left < 0) continue;
      count++;
      vec_push(&rows, count);
      vec_push(&cols, (int)a + 1);
      vec_push(&values, 1);
      vec_push(&rows, count);
      vec_push(&cols, (int)(n + b) + 1);
      vec_push(&values, -exp(left));
    }
  if (count) {
    glp_add_rows(lp, count);
    for (int i = 1; i <= count; i++)
      glp_set_row_bnds(lp, i, GLP_UP, 0, 0);
    glp_load_matrix(lp, (int)values.len - 1, rows.at, cols.at, values.at);
  }
  glp_smcp options;
  glp_init_smcp(&options);
  options.msg_lev = GLP_MSG_OFF;
  glp_simplex(lp, &options);
  double best = glp_get_obj_val(lp);
  glp_delete_prob(lp);
  vec_clear(&rows);
  vec_clear(&cols);
  vec_clear(&values);
  return best;
}
