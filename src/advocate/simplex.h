/* Exact simplex for bounds on linear forms (the general form of Dutertre and de Moura).
 *
 * Variables have values r + d*delta with an infinitesimal delta > 0, so strict bounds are ordinary
 * ones. Each bound carries a reason, a number of the caller. A conflict is a list of reasons with
 * positive coefficients: the sum of coefficient * (variable - lower) or (upper - variable) is a
 * negative number, or 0 with a strict bound among them. */
#ifndef COUPLET_ADVOCATE_SIMPLEX_H
#define COUPLET_ADVOCATE_SIMPLEX_H

#include <flint/fmpq.h>
#include <stdbool.h>

#include "base/budget.h"
#include "base/vec.h"

struct dval {
  fmpq r, d;
};

struct bound {
  bool exists;
  struct dval at;
  size_t reason;
};

struct simplex_var {
  struct bound lower, upper;
  struct dval value;
  int row; /* of a basic variable; -1 */
};

struct row_item {
  int var;
  fmpq coefficient;
};

/* basic = sum of items; items by increasing variable, all nonbasic. */
struct simplex_row {
  int basic;
  VEC(struct row_item) items;
};

struct bound_change {
  int var;
  bool is_upper;
  struct bound old;
};

struct blame {
  size_t reason;
  fmpq coefficient;
};

struct simplex {
  VEC(struct simplex_var) vars;
  VEC(struct simplex_row) rows;
  VEC(struct bound_change) trail;
  VEC(struct blame) conflict;
};

void simplex_init(struct simplex *s);
void simplex_clear(struct simplex *s);
int simplex_new_var(struct simplex *s);
/* A new basic variable, the sum of the items (any variables, each once). */
int simplex_new_row(struct simplex *s, const int *vars, const fmpq *coefficients, size_t count);

/* False: contradicts the other bound; the conflict is filled in. */
bool simplex_bound(struct simplex *s, int var, bool is_upper, const fmpq *at, bool is_strict,
                   size_t reason);
/* Is there a solution? If not, the conflict is filled in. Gives up (true) when the budget is spent.
 */
bool simplex_check(struct simplex *s, const struct budget *budget, bool *gave_up);
/* From a solution: moves the variable as far up (or down) as the bounds allow. True: there is a
 * limit (false also if the budget is spent); `limit` gets its real part, and the conflict the
 * reasons, with coefficients: (limit - var) or (var - limit) is the sum of coefficient * (variable
 * - lower) or (upper - variable). */
bool simplex_limit(struct simplex *s, int var, bool is_upper, const struct budget *budget,
                   fmpq *limit);
size_t simplex_mark(const struct simplex *s);
void simplex_undo(struct simplex *s, size_t mark);

#endif
