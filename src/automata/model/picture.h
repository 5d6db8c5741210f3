/* An automaton as a picture: layout by Graphviz, output as SVG.
 *
 * The caller may put a note on each edge (shift, cost) and mark a walk: its edges are drawn bold,
 * those of its pumped cycles dashed and in the warning colour. Deterministic: same automaton, same
 * overlay, same bytes. */
#ifndef COUPLET_AUTOMATA_MODEL_PICTURE_H
#define COUPLET_AUTOMATA_MODEL_PICTURE_H

#include "base/buffer.h"
#include "check/automaton/model.h"

/* Beyond this a picture helps nobody and the layout takes minutes. */
enum { LIMIT_PICTURE_STATES = 400, LIMIT_PICTURE_EDGES = 1200 };

enum picture_mark { MARK_NONE, MARK_WALK, MARK_PUMP };

struct picture_overlay {
  const char *title;              /* or NULL */
  const char *const *edge_notes;  /* per edge, or NULL; entries may be NULL */
  const enum picture_mark *marks; /* per edge, or NULL */
};

/* False: *why says why there is no picture (xmalloc'd). */
bool automaton_picture(struct buffer *svg, const struct automaton *a,
                       const struct picture_overlay *overlay, char **why);
/* Of Graphviz, xmalloc'd; NULL when it cannot be started. */
char *picture_version(void);

#endif
