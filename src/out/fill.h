/* The formula of a claim with the number that was found in the place of every `?`. */
#ifndef COUPLET_OUT_FILL_H
#define COUPLET_OUT_FILL_H

#include <stddef.h>

#include "base/buffer.h"

/* `text` as written, comments included; a value gets parentheses where it needs
 * them to stay one number. */
void fill_holes(struct buffer *out, const char *text, size_t length, const char *value);

#endif
