/* The winners of a mechanism: the contests (contest.h) that its result is made of.
 *
 * A result that is a number comes from one contest. If it is a tuple of variables, each of them has to
 * come from a contest of its own: in the same loop, in loops one after the other, or among values that
 * were all drawn before. Each contest is found in the slice of the program for its variable. Where a
 * loop looks at the winner of an earlier one (to leave it out), that is the winner r.1, r.2, ... which
 * the proof has fixed: it is known (`given`) as far as this contest is concerned, and what the proof
 * says of it holds only if it is. */
#ifndef COUPLET_SEARCH_GOALS_PODIUM_H
#define COUPLET_SEARCH_GOALS_PODIUM_H

#include "search/base/view.h"
#include "search/goals/contest.h"

enum { PODIUM_LIMIT = 6 };

struct podium {
  struct contest contests[PODIUM_LIMIT];
  term_id names[PODIUM_LIMIT];  /* the variables that have their results */
  term_id values[PODIUM_LIMIT]; /* the results, once that of the mechanism is fixed */
  bool given[PODIUM_LIMIT][PODIUM_LIMIT];
  size_t count;
  term_id value;                              /* of the result of the mechanism */
  bool shared;                                /* contests look at the same values */
  VEC(const struct core *) loops;             /* of the claim's program, or of the part */
  struct auto_problem problems[PODIUM_LIMIT]; /* of the slices */
  struct view views[PODIUM_LIMIT];
};

/* Is the result of the claim's mechanism made of winners? podium_clear in any case. */
bool podium_find(struct auto_problem *p, struct podium *out);
void podium_clear(struct podium *podium);
/* A contest that was found already, by itself. Only `loops` has to be cleared. */
void podium_of(const struct contest *contest, struct podium *out);

#endif
