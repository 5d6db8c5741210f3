/* Refutations that were found in another derivation of the same claim.
 *
 * A derivation that is repeated call by call comes to the obligations of the first one, but its
 * table of terms has a different order. So refutations are kept with the formulas they start from
 * and are carried over; the referee says whether they fit. */
#ifndef COUPLET_SMT_ARCHIVE_H
#define COUPLET_SMT_ARCHIVE_H

#include "check/referee/refutation.h"

struct archived {
  term_id goal;
  term_list inputs; /* hypotheses; TERM_NONE: not needed */
  struct refutation refutation;
};

struct archive {
  struct terms terms; /* of everything in it */
  VEC(struct archived) entries;
  size_t next; /* where to look first: obligations come in much the same order */
};

void archive_init(struct archive *a);
void archive_clear(struct archive *a);
/* Keeps a copy of the refutation, which belongs to `ts`. */
void archive_add(struct archive *a, struct terms *ts, const struct sequent *s,
                 const struct refutation *r);
/* A refutation of the sequent that the referee accepts, in `ts`. False: there is none, and nothing
 * was added to `ts`. */
bool archive_find(struct archive *a, struct terms *ts, const struct sequent *s,
                  struct refutation *out);

#endif
