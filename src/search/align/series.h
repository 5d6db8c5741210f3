/* Costs that fall with the number of the iteration, as the terms of a series that converges:
 * eps/2^(i+1), eps/((i+1)*(i+2)), eps/(2*(i+1)^2).
 *
 * What is still to come from iteration i on is then at most a multiple of what iteration i itself
 * costs: a number of times that, or i + a number. Which one it is, is found by numbers; the kernel
 * decides whether it holds. */
#ifndef COUPLET_SEARCH_ALIGN_SERIES_H
#define COUPLET_SEARCH_ALIGN_SERIES_H

#include "search/align/graph.h"

/* What is enough for all iterations from the one that begins, over the variables of the loop;
 * TERM_NONE: nothing was found. */
term_id series_rest(struct align *s, const struct graph *g, const struct align_end *entries);

#endif
