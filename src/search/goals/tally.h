/* Tallies: loops inside the iterations of a contest that add something up over the data.
 *
 * `c := 0; for k in 0..n { if matches(i, db[k]) { c := c + 1; } }` draws nothing, and both runs go
 * through it in step. What it leaves in c is, to the contest, a value of its own in each run; the
 * search calls it c. How far the two are apart follows if the data differ at one index only: by
 * what is gained there. In proof text the loop gets an invariant that says so. */
#ifndef COUPLET_SEARCH_GOALS_TALLY_H
#define COUPLET_SEARCH_GOALS_TALLY_H

#include "search/base/bounds.h"
#include "search/base/paths.h"

struct contest;

struct tally {
  const struct core *loop; /* a `for` */
  term_id var;
  term_id index; /* logical variable that stands for the loop's own */
  term_id range; /* of the index */
  term_id gain;  /* in one iteration, over the state before the code and the index; TERM_NONE if
                    the variable is no tally but just written */
  term_id start; /* value before the loop */
  /* per direction: the index where the gains differ, and the bounds of what they then do */
  term_id witness[2];
  struct bounds bounds[2];
};
typedef VEC(struct tally) tally_list;

/* How paths go through such loops (paths_find_through); the context is the contest. */
paths_loop tally_enter;

const struct tally *tally_of(const tally_list *tallies, term_id var);
/* Puts a term in place of a variable of the state before, as paths_replace does. */
void tallies_replace(struct terms *ts, tally_list *tallies, term_id var, term_id by);
/* Finds the bounds for a direction and adds them to what is known; false if there are none. */
bool tallies_bound(const struct contest *c, enum claim_direction direction, struct known *known);

#endif
