/* Places as the protocol has them: line and character, both from 0.
 *
 * A character is counted in UTF-16 code units, UTF-8 bytes or code points, as was agreed at the
 * start. Lines end with LF, CR LF or CR, as for the rest of Couplet. Positions beyond a line mean
 * its end, and beyond the last line the end of the text; inside a character they mean its
 * beginning. */
#ifndef COUPLET_LSP_POSITION_H
#define COUPLET_LSP_POSITION_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

enum encoding { ENCODING_UTF16, ENCODING_UTF8, ENCODING_UTF32 };

struct position {
  size_t line, character;
};

/* Where the lines of a text begin. The text must outlive it. */
struct line_index {
  const char *text;
  size_t length;
  VEC(size_t) starts; /* the first is 0 */
};

void line_index_init(struct line_index *index, const char *text, size_t length);
void line_index_clear(struct line_index *index);

size_t position_to_offset(const struct line_index *index, enum encoding encoding,
                          struct position position);
struct position position_of_offset(const struct line_index *index, enum encoding encoding,
                                   size_t offset);
/* Offset of a place of the record: line and column in code points, both from 1. */
size_t offset_of_place(const struct line_index *index, unsigned line, unsigned column);
/* End of the line that holds the offset, without its line end. */
size_t offset_of_line_end(const struct line_index *index, size_t offset);

/* The same as JSON. Reading is strict: false unless both numbers are integers from 0. */
bool position_from_json(const json_t *json, struct position *out);
json_t *position_to_json(struct position position);
json_t *range_to_json(const struct line_index *index, enum encoding encoding, size_t begin,
                      size_t end);
const char *encoding_name(enum encoding encoding);

#endif
