/* Arrays that a loop makes equal, element by element: noise that is added in place.
 *
 * A loop sweeps an array if every iteration in which it differs comes to one element, the next one
 * of the last iteration, and leaves the array equal if that is the place of the difference and the
 * place where it is if not. If the first element that it comes to is the first of the array, the
 * place is never behind the loop: h<1> = h<2> or i <= differing(h). So once the loop has come to the
 * end of the array, that is equal, and the loop is not left while it differs. */
#ifndef COUPLET_SEARCH_ALIGN_SWEEP_H
#define COUPLET_SEARCH_ALIGN_SWEEP_H

#include "search/align/rows.h"

/* Finds the arrays that the loop sweeps, once its states are known, and the states in which it is
 * not left. */
void align_find_sweeps(struct align *s, struct align_plan *plan);
/* Does a loop make the array equal, so that its place has to be in its range? */
bool align_is_swept(const struct align_rows *rows, size_t array);
/* The place of the array is not behind the loop, in all states in which it differs: a condition;
 * TERM_NONE: in some it may be. */
term_id align_sweep_bound(struct align *s, const struct align_heads *heads, size_t array);

#endif
