/* The lines of a text: a table of where they begin, made once; look-ups by binary search.
 *
 * Lines end with LF, CR LF or CR. The text is not copied and must outlive the index. */
#ifndef COUPLET_BASE_LINES_H
#define COUPLET_BASE_LINES_H

#include <stddef.h>

#include "base/vec.h"

struct line_index {
  const char *text;
  size_t length;
  VEC(size_t) starts; /* in bytes; the first is 0, so that there is at least one line */
};

void line_index_init(struct line_index *index, const char *text, size_t length);
void line_index_clear(struct line_index *index);

/* The line, from 0, that holds the offset; an offset beyond the text is in the last one. */
size_t line_of_offset(const struct line_index *index, size_t offset);
/* End of the line that holds the offset, without its line end. */
size_t offset_of_line_end(const struct line_index *index, size_t offset);

#endif
