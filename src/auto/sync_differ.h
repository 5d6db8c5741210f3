/* By how much a term differs between the runs at a point of a path, and what is decided there. */
#ifndef COUPLET_AUTO_SYNC_DIFFER_H
#define COUPLET_AUTO_SYNC_DIFFER_H

#include "auto/sync_path.h"

/* A point: how the piece began, and the path to here. */
struct sync_where {
  struct sync *s;
  const struct sync_start *start;
  const struct sync_path *path;
};

/* Is the index the one that differs? Does the condition hold? 1, 0, or -1: open. */
int sync_ghost_known(const struct sync_where *at, size_t witness, term_id index);
int sync_atom_known(const struct sync_where *at, term_id atom);

/* A number made of private data and what is equal in both runs, whose difference is bounded. */
bool sync_is_data(const struct sync_where *at, term_id t);

/* The difference of a value (over the start of the piece) that is made of private data and what was
 * equal there; NULL if it is not. */
const struct form *sync_differ_data(const struct sync_where *at, term_id value);

/* The difference of a program term; shifts in it are atoms. */
const struct form *sync_differ(const struct sync_where *at, term_id t);

#endif
