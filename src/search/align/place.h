/* Where arrays differ.
 *
 * A local array of numbers is, at a point of a path, equal in both runs, or equal but at one place,
 * or not known. The place is an integer that is the same in both runs; it has a variable of its own
 * among those of the search, called as in proof text: differing(x). Its value in a state is the
 * index at which x was last given an element that differs, and the form of x is the difference of
 * that element. Whether an element that is read or overwritten is the one at the place is decided
 * by the adversary, like whether an index of an input is the one that differs. */
#ifndef COUPLET_SEARCH_ALIGN_PLACE_H
#define COUPLET_SEARCH_ALIGN_PLACE_H

#include "search/align/differ.h"

/* Makes the places. */
void align_places(struct align *s);
bool align_is_place(const struct align *s, size_t v);
/* Is the place a key of the record that differs (tally.h), so that it stays where it is? */
bool align_is_key(const struct align *s, term_id place);
/* The other place of an array of tallies; TERM_NONE: there is none. */
term_id align_twin(const struct align *s, term_id place);

/* x[e], or x with x[e] replaced, where x differs in one place and e is equal in both runs. */
struct align_access {
  const struct form *form; /* of x */
  term_id index, place;    /* values */
  int is_place;            /* 1, 0, or -1: open */
  term_id twin;            /* of the place, or TERM_NONE */
};
/* False: the term is not of this kind. */
bool align_access(const struct align_where *d, term_id t, struct align_access *out);
/* The new element, if t is a store at an equal index of an array that is equal; else TERM_NONE. */
term_id align_stored(const struct align_where *d, term_id t);
/* The place of an array with this value; TERM_NONE: not known, or as before. */
term_id align_place_after(const struct align_where *d, term_id t);
/* What the path has added to the difference that a variable had at the start of the piece: all of
 * it, unless that is an array which still differs where it did. */
const struct form *align_added(struct align *s, const struct align_state *state, size_t v);

#endif
