/* Parts of a program that are proved by themselves.
 *
 * Noisy max in the middle of a program costs little if the winner is fixed (pointwise.h), and a lot
 * if both runs have to take the same branches. So the synchronous strategy does not look into it:
 * in the program it sees, each part is replaced by a sampling of the winner, equal in both runs, at
 * the price of the part, and of what else the part writes nothing is known afterwards. In proof
 * text the part stands as `pointwise x = r { ... }`. */
#ifndef COUPLET_AUTO_PARTS_H
#define COUPLET_AUTO_PARTS_H

#include "auto/pointwise.h"

enum { PARTS_LIMIT = 8 };

struct part {
  const struct core *stub; /* the sampling that stands for it; its arguments must be equal */
  const struct core *code;
  unsigned number;               /* in proof text; 0: not needed */
  struct pointwise_part side[2]; /* per direction; the second one only if there are two */
  const char *step;              /* the proof text, if it is not pointwise; or NULL */
};

struct part_list {
  const struct core *program; /* with the stubs */
  VEC(struct part) list;
};

/* The part that a sampling stands for, or NULL. `parts` may be NULL: there are none. */
const struct part *part_of(const struct part_list *parts, const struct core *sampling);

/* The synchronous strategy around the parts that are found; does nothing if there are none. */
auto_strategy auto_composed;

#endif
