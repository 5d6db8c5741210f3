/* A few values of the parameters that satisfy what is assumed of them, to compare costs at.
 *
 * Untrusted: what is smaller at all points is taken for smaller by the search; the kernel decides
 * whether the proof that comes of it holds. */
#ifndef COUPLET_SEARCH_BASE_POINTS_H
#define COUPLET_SEARCH_BASE_POINTS_H

#include "search/base/auto.h"

enum { POINTS_LIMIT = 4 };

struct point {
  term_list vars;
  VEC(double) values;
};

struct points {
  struct auto_problem *p;
  struct point at[POINTS_LIMIT];
  size_t count;
};

void points_init(struct points *points, struct auto_problem *p);
void points_clear(struct points *points);

/* At a point; NAN if it has no value there. */
double points_value(const struct points *points, size_t i, term_id t);
/* Is a at most b at every point, with room for rounding? */
bool points_at_most(const struct points *points, term_id a, term_id b);

#endif
