/* The formula of a claim with the number that was found in the place of every `?`. */
#ifndef COUPLET_OUT_FILL_H
#define COUPLET_OUT_FILL_H

#include <stddef.h>

#include "base/buffer.h"

/* `text` as written, comments included; a value that is a sum gets parentheses. */
void fill_holes(struct buffer *out, const char *text, size_t length, const char *value);

#endif
