/* The layout of proof text: one step per line, two spaces per block, lines of at most
 * LAYOUT_WIDTH columns where there is a blank to break at. Only white space between tokens changes;
 * comments stay where they are. Text that is not balanced comes out as it is. */
#ifndef COUPLET_LANG_FORMAT_LAYOUT_H
#define COUPLET_LANG_FORMAT_LAYOUT_H

#include "base/buffer.h"

enum { LAYOUT_WIDTH = 100 };

/* Appends the proof block `text`, braces included, without a line end behind it. */
void proof_layout(struct buffer *out, const char *text);

#endif
