/* Arrays of tallies: `count[key] := count[key] + 1`, for one record after the other.
 *
 * Where a record differs, so may its key: then the array differs at two places, the keys of that
 * record in the two runs. Seen from one element b, an increment adds `if key = b then 1 else 0` to
 * it, which is a private value like any other (struct align_shape): the solver says by how much it
 * differs, and at which b. Branches that data decide may choose the key, the amount, or whether
 * there is one at all. */
#ifndef COUPLET_SEARCH_ALIGN_TALLY_H
#define COUPLET_SEARCH_ALIGN_TALLY_H

#include "search/align/differ.h"

struct align_tally {
  term_id array;
  term_id given;  /* there is an increment if this holds */
  term_id key;    /* where; TERM_NONE: nowhere */
  term_id amount; /* how much */
};

/* Is all that the code does one increment of one array? */
bool align_tally_of(struct align *s, const struct core *c, struct align_tally *out);
/* How the array differs after it. False: that is not known. Otherwise *diff and, if it differs,
 * *place: the witness at which it does, or at that one and its twin. */
bool align_tally_after(const struct align_where *at, const struct align_tally *t,
                       const struct form **diff, term_id *place);

#endif
