/* A solution as proof text. */
#ifndef COUPLET_SEARCH_ALIGN_EMIT_H
#define COUPLET_SEARCH_ALIGN_EMIT_H

#include "base/buffer.h"
#include "search/align/piece.h"

struct align_style {
  bool split;  /* state what each case pays, instead of the exact distance */
  bool widest; /* every sampling pays for the largest distance of all its cases, */
  bool apart;  /* or for that where its centres are apart, and else nothing: in loops, */
  bool after;  /* and after them, where the budget depends on what became of data */
  bool bold;   /* what is made of an array is equal where the array is, be it by chance */
};

/* Appends the steps of one direction, without braces. False: something cannot be said in a proof
 * (the text is then incomplete). */
bool align_emit(struct align *s, const struct align_piece *solution,
                const struct align_style *style, struct buffer *out);

#endif
