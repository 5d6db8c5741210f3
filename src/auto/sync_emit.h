/* A solution as proof text. */
#ifndef COUPLET_AUTO_SYNC_EMIT_H
#define COUPLET_AUTO_SYNC_EMIT_H

#include "auto/sync_piece.h"
#include "base/buffer.h"

struct sync_style {
  bool split;  /* state what each case pays, instead of the exact distance */
  bool widest; /* every sampling pays for the largest distance of all its cases, */
  bool apart;  /* or for that where its centres are apart, and else nothing */
  bool bold;   /* what is made of an array is equal where the array is, be it by chance */
};

/* Appends the steps of one direction, without braces. False: something cannot be said in a proof
 * (the text is then incomplete). */
bool sync_emit(struct sync *s, const struct sync_piece *solution, const struct sync_style *style,
               struct buffer *out);

#endif
