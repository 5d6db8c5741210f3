/* The most expensive path under the online strategy, and the exact cost of any one path. */
#ifndef COUPLET_AUTOMATA_COST_WORST_PATH_H
#define COUPLET_AUTOMATA_COST_WORST_PATH_H

#include "automata/cost/online.h"
#include "automata/cost/profile.h"

struct hop {
  uint32_t edge; /* of the product */
  int delta;
};
typedef VEC(struct hop) hops;

/* Appends a path on which the online strategy pays its bound (which must be finite). Between two
 * steps that cost something it is a shortest one. */
void online_path(const struct online *o, hops *path);

/* The least cost of the shifts on the path, all cycles that it meets and that assign nothing being
 * repeated for ever. False: too many shifts to keep track of. */
bool path_cost(fmpz_t out, const struct product *p, const struct pumps *pumps,
               const struct weights *w, const hops *path);

#endif
