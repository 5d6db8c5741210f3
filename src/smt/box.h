/* Bounds of variables that stand in hypotheses: low <= x <= high with rational ends. A box is a
 * closed superset of the points where the hypotheses hold. */
#ifndef COUPLET_SMT_BOX_H
#define COUPLET_SMT_BOX_H

#include "term/term.h"

struct box_side {
  term_id var; /* int or real */
  bool has_low, has_high;
  bool low_open, high_open; /* the end itself is excluded */
  fmpq low, high;
};

struct box {
  VEC(struct box_side) sides;
  bool empty; /* the bounds contradict each other */
};

void box_init(struct box *box);
void box_clear(struct box *box);
void box_copy(struct box *out, const struct box *box);
/* Sides for all variables of the formulas; bounds from hypotheses linear in a single one. */
void box_read(struct box *box, struct terms *ts, const term_list *hyps, term_id goal);
struct box_side *box_find(const struct box *box, term_id var);

/* Removes hypotheses x = t (x a variable not in t) by substitution, in hypotheses and goal. Appends
 * x and t, t in terms of the variables that remain. */
void box_solve_equations(struct terms *ts, term_list *hyps, term_id *goal, term_list *vars,
                         term_list *values);

#endif
