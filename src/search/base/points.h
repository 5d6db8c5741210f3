/* Sample points: values of the parameters that satisfy what is assumed of them, to compare costs
 * at.
 *
 * The value of a variable depends on its name and the number of the point, on nothing else. Values
 * are far apart from each other, in different ways at different points, so that no cost looks small
 * because two parameters happen to be close; lengths of private data are large, program variables
 * (a counter, say) are 1.
 *
 * Untrusted: what is smaller at all points is taken for smaller by the search; the kernel decides
 * whether the proof that comes of it holds. */
#ifndef COUPLET_SEARCH_BASE_POINTS_H
#define COUPLET_SEARCH_BASE_POINTS_H

#include "search/base/auto.h"

enum { POINTS_LIMIT = 6 };

struct points {
  struct auto_problem *p;
  const struct kernel *k;
  term_list lengths; /* parameters that are lengths of private arrays */
  unsigned seeds[POINTS_LIMIT];
  size_t count; /* at least 1 */
};

void points_init(struct points *points, struct auto_problem *p);
void points_clear(struct points *points);

/* At a point. Where it has no value, infinite; what is no number counts as 1, a choice as the
 * larger of its values. */
double points_value(const struct points *points, size_t i, term_id t);
/* Is a at most b at every point, with room for rounding? */
bool points_at_most(const struct points *points, term_id a, term_id b);
/* The larger one, if it is larger at every point; else max(a, b). */
term_id points_max(const struct points *points, term_id a, term_id b);
/* Is the formula, of comparisons of costs, false at a point where all that is assumed of parameters
 * is seen to hold? False: perhaps not. */
bool points_deny(const struct points *points, term_id formula);
/* One number to rank costs: the worst point, compared with what is claimed there if a cost is
 * claimed. */
double points_weight(const struct points *points, term_id cost);

#endif
