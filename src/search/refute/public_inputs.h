/* Choices for the public inputs, which both runs share.
 *
 * Their numbers, over all public inputs, are tried alike, in turns, rising and falling, and in
 * combinations, an input at a time: `requires low < high` has no solution where all are the same.
 * Only what satisfies `requires`, as far as that is known, is a choice; each comes once. */
#ifndef COUPLET_SEARCH_REFUTE_PUBLIC_INPUTS_H
#define COUPLET_SEARCH_REFUTE_PUBLIC_INPUTS_H

#include "search/refute/generator.h"

struct public_inputs {
  struct generator *g;
  size_t attempt;   /* to be made next */
  VEC(char *) made; /* what there was already, as text */
};

bool public_inputs_exist(const struct generator *g);

void public_inputs_init(struct public_inputs *p, struct generator *g);
/* Puts the next choice into the frame of the generator. False: there is none left, or *why says
 * which input is in the way (xmalloc'd). */
bool public_inputs_next(struct public_inputs *p, char **why);
void public_inputs_clear(struct public_inputs *p);

#endif
