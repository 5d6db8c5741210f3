/* Parts of a program that are proved by themselves.
 *
 * Noisy max in the middle of a program costs little if the winner is fixed (pointwise.h), and a lot
 * if both runs have to take the same branches. So the synchronous strategy does not look into it:
 * in the program it sees, each part is replaced by a sampling of the winner, equal in both runs, at
 * the price of the part, and of what else the part writes nothing is known afterwards. In proof
 * text the part stands as `pointwise x = r { ... }`. */
#ifndef COUPLET_SEARCH_GOALS_PARTS_H
#define COUPLET_SEARCH_GOALS_PARTS_H

#include "search/goals/pointwise.h"

enum { PARTS_LIMIT = 8 };

/* The synchronous strategy around the parts that are found; does nothing if there are none. */
auto_strategy auto_composed;

#endif
