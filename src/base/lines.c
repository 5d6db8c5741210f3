#include "base/lines.h"

void line_index_init(struct line_index *index, const char *text, size_t length) {
  *index = (struct line_index){.text = text, .length = length};
  vec_push(&index->starts, 0);
  for (size_t i = 0; i < length; i++)
    if (text[i] == '\n' || (text[i] == '\r' && !(i + 1 < length && text[i + 1] == '\n')))
      vec_push(&index->starts, i + 1);
}

void line_index_clear(struct line_index *index) {
  vec_clear(&index->starts);
}

size_t line_of_offset(const struct line_index *index, size_t offset) {
  size_t low = 0, high = index->starts.len;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (index->starts.at[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

size_t offset_of_line_end(const struct line_index *index, size_t offset) {
  while (offset < index->length && index->text[offset] != '\n' && index->text[offset] != '\r')
    offset++;
  return offset;
}
