/* Places as the protocol has them: line and character, both from 0.
 *
 * A character is counted in UTF-16 code units, UTF-8 bytes or code points, as was agreed at the
 * start. Lines are those of base/lines.h. Positions beyond a line mean
 * its end, and beyond the last line the end of the text; inside a character they mean its
 * beginning. */
#ifndef COUPLET_LSP_POSITION_H
#define COUPLET_LSP_POSITION_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/lines.h"

enum encoding { ENCODING_UTF16, ENCODING_UTF8, ENCODING_UTF32 };

struct position {
  size_t line, character;
};

size_t position_to_offset(const struct line_index *index, enum encoding encoding,
                          struct position position);
struct position position_of_offset(const struct line_index *index, enum encoding encoding,
                                   size_t offset);
/* Offset of a place of the record: line and column in code points, both from 1. */
size_t offset_of_place(const struct line_index *index, unsigned line, unsigned column);

/* The same as JSON. Reading is strict: false unless both numbers are integers from 0. */
bool position_from_json(const json_t *json, struct position *out);
json_t *position_to_json(struct position position);
json_t *range_to_json(const struct line_index *index, enum encoding encoding, size_t begin,
                      size_t end);
const char *encoding_name(enum encoding encoding);

#endif
