/* Finds outputs among those of a distribution that is being listed. */
#ifndef COUPLET_CHECK_EXACT_OUTCOMES_H
#define COUPLET_CHECK_EXACT_OUTCOMES_H

#include "check/exact/exact.h"
#include "term/memo.h"

struct outcome_index {
  struct memo last;    /* hash of an output -> 1 + the last outcome with that hash */
  VEC(uint32_t) other; /* of every outcome: 1 + the one before it with the same hash, or 0 */
};

void outcome_index_init(struct outcome_index *index);
void outcome_index_clear(struct outcome_index *index);
/* The outcome with this output (taken over), new if there is none yet. NULL: there are too many. */
struct exact_outcome *outcome_for(struct exact_distribution *d, struct outcome_index *index,
                                  struct rvalue *output);

#endif
