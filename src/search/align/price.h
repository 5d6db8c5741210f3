/* What the samplings of a path cost.
 *
 * Each sampling pays for the largest distance its noise may move. Where the adjacency bounds
 * several differences together - the sum of the changes is at most 1 - not all of them can be
 * largest at once; then the path costs less than the sum, and the proof says no `within` there:
 * each sampling pays for the distance it really moves. */
#ifndef COUPLET_SEARCH_ALIGN_PRICE_H
#define COUPLET_SEARCH_ALIGN_PRICE_H

#include "search/align/piece.h"

/* The largest absolute value; TERM_NONE: unbounded. */
term_id align_distance(struct align *s, const struct form *f);
/* Of one sampling by itself. */
term_id align_cell_cost(struct align *s, const struct align_cell *cell);
/* Of all samplings of a path; *joint: less than the sum. */
term_id align_path_cost(struct align *s, const struct align_piece *piece, size_t path, bool *joint);

#endif
