/* How much the winner of a contest has to be lifted, and what that costs (pointwise.h). */
#ifndef COUPLET_SEARCH_GOALS_LIFT_H
#define COUPLET_SEARCH_GOALS_LIFT_H

#include "search/base/bounds.h"
#include "search/goals/contest.h"

struct lift_step { /* per entrant of the contest */
  term_id shift;   /* of its sample when it is the winner */
  term_id within;  /* its noise moves by at most this */
  term_id cost;
};

struct lift {
  term_id low, high; /* of the difference of any other value between the runs */
  term_id amount;    /* the winner's value in run 2, minus that in run 1 */
  term_id loop_cost; /* what the iteration of the winner costs */
  term_id cost;      /* what the winner costs, be it in the loop or before it */
  VEC(struct lift_step) steps;
};

/* Under what is known (which may speak of the result `r`). False: a difference has no bound, or the
 * noise cannot move that way. lift_clear in any case. */
bool lift_find(const struct contest *c, const struct known *known, term_id r, struct lift *out);
void lift_clear(struct lift *lift);

#endif
