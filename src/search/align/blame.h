/* What the game could not do, where, and what its author could try. */
#ifndef COUPLET_SEARCH_ALIGN_BLAME_H
#define COUPLET_SEARCH_ALIGN_BLAME_H

#include "search/align/piece.h"

/* `piece` is a coupling of the whole that costs too much (`cost`); NULL: there is none, and the
 * search has noted what stands in the way. */
void align_report(struct align *s, const struct align_piece *piece, term_id cost);

/* Where the program writes the variable for the last time; all of it if it never does. */
struct span align_last_write(const struct core *program, term_id var);

#endif
