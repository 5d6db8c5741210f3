/* Text of others on a terminal: what would be obeyed or hide something is shown as `?` instead.
 *
 * Whoever prints a verdict prints words that somebody else chose: names of files, lines of sources,
 * texts of certificates. A line end, an escape sequence or a sign that turns the direction of
 * writing could make a verdict of them that nobody gave. */
#ifndef COUPLET_BASE_VISIBLE_H
#define COUPLET_BASE_VISIBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

/* The first character of the text; returns its bytes, 0: this is not UTF-8. */
unsigned utf8_decode(const char *text, size_t length, uint32_t *code);
/* Is the character a control character, invisible, or does it change how its neighbours are shown?
 * (Tabs and line ends are, too.) */
bool visible_is_hidden(uint32_t code);
/* Is the text UTF-8 without such characters? */
bool visible_is_plain(const char *text);
/* The text on one line. Tabs stay; hidden characters and bytes that are not UTF-8 become `?`. */
void visible_put(struct buffer *out, const char *text, size_t length);

#endif
