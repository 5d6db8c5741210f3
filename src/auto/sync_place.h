/* Where arrays differ.
 *
 * A local array of numbers is, at a point of a path, equal in both runs, or equal but at one place,
 * or not known. The place is an integer that is the same in both runs; it has a variable of its own
 * among those of the search, called as in proof text: differing(x). Its value in a state is the
 * index at which x was last given an element that differs, and the form of x is the difference of
 * that element. Whether an element that is read or overwritten is the one at the place is decided
 * by the adversary, like whether an index of an input is the one that differs. */
#ifndef COUPLET_AUTO_SYNC_PLACE_H
#define COUPLET_AUTO_SYNC_PLACE_H

#include "auto/sync_differ.h"

/* Makes the places. */
void sync_places(struct sync *s);
bool sync_is_place(const struct sync *s, size_t v);

/* x[e], or x with x[e] replaced, where x differs in one place and e is equal in both runs. */
struct sync_access {
  const struct form *form; /* of x */
  term_id index, place;    /* values */
  int is_place;            /* 1, 0, or -1: open */
};
/* False: the term is not of this kind. */
bool sync_access(const struct sync_where *d, term_id t, struct sync_access *out);
/* The new element, if t is a store at an equal index of an array that is equal; else TERM_NONE. */
term_id sync_stored(const struct sync_where *d, term_id t);
/* The place of an array with this value; TERM_NONE: not known, or as before. */
term_id sync_place_after(const struct sync_where *d, term_id t);

#endif
