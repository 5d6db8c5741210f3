/* Proof text of loops that draw until something is accepted (src/search/goals/until.h).
 *
 * That run 2 accepts as often as run 1 is proved where the runs are exchanged: these steps come from
 * the play of the other direction. They are marked in the text of each direction. */
#ifndef COUPLET_SEARCH_ALIGN_ROUNDS_H
#define COUPLET_SEARCH_ALIGN_ROUNDS_H

#include "base/arena.h"

#define ROUNDS_BEGIN "\x01"
#define ROUNDS_END "\x02"

/* The text with the marked pieces of the other direction in place of its own; NULL: it serves both. */
const char *rounds_settled(struct arena *arena, const char *text, const char *other);

#endif
