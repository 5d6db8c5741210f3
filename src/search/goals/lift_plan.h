/* How a contest is treated in one direction: with one lift, or by cases, each with its own. */
#ifndef COUPLET_SEARCH_GOALS_LIFT_PLAN_H
#define COUPLET_SEARCH_GOALS_LIFT_PLAN_H

#include "search/goals/lift.h"

struct lift_plan {
  term_id condition; /* of the first case; TERM_NONE: no cases */
  struct lift cases[2];
  size_t count;
  term_id cost;
};

struct lift_goal {
  const struct contest *c;
  const struct known *known;
  term_id r;      /* the winner */
  term_id enough; /* a cost that will do; TERM_NONE: the least */
  bool whole;     /* without cases */
};

/* The cheapest plan: all at once, by the parts of a disjunction, by whether the entry that differs is
 * the winner; or the first that is enough. False: there is none. lift_plan_clear in any case. */
bool lift_plan_find(const struct lift_goal *goal, struct lift_plan *out);
void lift_plan_clear(struct lift_plan *plan);

#endif
