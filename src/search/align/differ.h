/* By how much a term differs between the runs at a point of a path, and what is decided there. */
#ifndef COUPLET_SEARCH_ALIGN_DIFFER_H
#define COUPLET_SEARCH_ALIGN_DIFFER_H

#include "search/align/path.h"

/* A point: how the piece began, and the path to here. */
struct align_where {
  struct align *s;
  const struct align_start *start;
  const struct align_path *path;
};

/* Is the index the one that differs? Does the condition hold? 1, 0, or -1: open. */
int align_ghost_known(const struct align_where *at, size_t witness, term_id index);
/* Is the value one that may differ? If that is open, an index and a witness to compare first. */
int align_read_known(const struct align_where *at, const struct align_read *read, size_t *witness,
                     term_id *index);
int align_atom_known(const struct align_where *at, term_id atom);

/* A condition on data that is the same in both runs by what the case assumes of the inputs. */
bool align_agrees(const struct align_where *at, term_id t);

/* A number made of private data and what is equal in both runs, whose difference is bounded. */
bool align_is_data(const struct align_where *at, term_id t);

/* The same for a term over variables that hold such numbers. */
bool align_computes_data(const struct align_where *at, term_id t);

/* Is the value (over the start of the piece) made of private data and what was equal there? */
bool align_is_pure(const struct align_where *at, term_id value);
/* The difference of such a value. */
const struct form *align_differ_value(const struct align_where *at, term_id value);
/* The difference of a value (over the start of the piece) that is made of private data and what was
 * equal there; NULL if it is not. */
const struct form *align_differ_data(const struct align_where *at, term_id value);

/* The difference of a program term; shifts in it are atoms. */
const struct form *align_differ(const struct align_where *at, term_id t);

#endif
