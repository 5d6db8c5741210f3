/* A solution as proof text. */
#ifndef COUPLET_SEARCH_ALIGN_EMIT_H
#define COUPLET_SEARCH_ALIGN_EMIT_H

#include "search/align/piece.h"
#include "search/base/text.h"

struct align_style {
  bool split;  /* state what each case pays, instead of the exact distance */
  bool widest; /* every sampling pays for the largest distance of all its cases, */
  bool apart;  /* or for that where its centres are apart, and else nothing: in loops, */
  bool after;  /* and after them, where the budget depends on what became of data */
  bool bold;   /* what is made of an array is equal where the array is, be it by chance */
};

/* Appends the steps of one direction, without braces. The text is void if something cannot be said
 * in a proof. */
void align_emit(struct align *s, const struct align_piece *solution,
                const struct align_style *style, struct text *out);

#endif
