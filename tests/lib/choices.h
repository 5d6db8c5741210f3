/* Every way through a program that chooses: a path is the list of choices made on it, and the next
 * one differs from it in the last choice that has another outcome left. */
#ifndef COUPLET_TESTS_CHOICES_H
#define COUPLET_TESTS_CHOICES_H

#include <stdbool.h>

#include "base/vec.h"

/* At depth i the choice[i]-th of count[i] outcomes. */
struct choices {
  VEC(unsigned) choice;
  VEC(unsigned) count;
  size_t depth; /* of the run; the caller sets it to 0 before each */
};

/* The outcome, from 0, of the choice at this depth: the first one when it is new. */
unsigned choose(struct choices *c, unsigned count);
/* False: that was the last path. */
bool next_path(struct choices *c);
void choices_clear(struct choices *c);

#endif
