#include "lsp/position.h"

#include "lang/syntax/lex.h"

/* The character at an offset: its bytes, and how much it counts. A byte that is no UTF-8 is one. */
static size_t step(const struct line_index *index, enum encoding encoding, size_t at,
                   size_t *units) {
  uint32_t code;
  unsigned bytes = utf8_decode(index->text + at, index->length - at, &code);
  if (!bytes) {
    *units = 1;
    return 1;
  }
  *units = encoding == ENCODING_UTF8    ? bytes
           : encoding == ENCODING_UTF16 ? (code >= 0x10000 ? 2 : 1)
                                        : 1;
  return bytes;
}

size_t position_to_offset(const struct line_index *index, enum encoding encoding,
                          struct position position) {
  if (position.line >= index->starts.len) return index->length;
  size_t at = index->starts.at[position.line], end = offset_of_line_end(index, at);
  for (size_t left = position.character; left > 0 && at < end;) {
    size_t units, bytes = step(index, encoding, at, &units);
    if (units > left) break;
    left -= units;
    at += bytes;
  }
  return at;
}

struct position position_of_offset(const struct line_index *index, enum encoding encoding,
                                   size_t offset) {
  if (offset > index->length) offset = index->length;
  struct position p = {.line = line_of_offset(index, offset)};
  for (size_t at = index->starts.at[p.line]; at < offset;) {
    size_t units, bytes = step(index, encoding, at, &units);
    if (at + bytes > offset) break;
    p.character += units;
    at += bytes;
  }
  return p;
}

size_t offset_of_place(const struct line_index *index, unsigned line, unsigned column) {
  struct position p = {line ? line - 1 : 0, column ? column - 1 : 0};
  bool has_mark = index->length >= 3 && index->text[0] == '\xEF' && index->text[1] == '\xBB' &&
                  index->text[2] == '\xBF';
  if (p.line == 0 && has_mark) p.character++; /* not counted by sources_place */
  return position_to_offset(index, ENCODING_UTF32, p);
}

bool position_from_json(const json_t *json, struct position *out) {
  const json_t *line = json_object_get(json, "line"),
               *character = json_object_get(json, "character");
  if (!json_is_integer(line) || !json_is_integer(character)) return false;
  if (json_integer_value(line) < 0 || json_integer_value(character) < 0) return false;
  *out = (struct position){(size_t)json_integer_value(line), (size_t)json_integer_value(character)};
  return true;
}

json_t *position_to_json(struct position p) {
  return json_pack("{s:I, s:I}", "line", (json_int_t)p.line, "character", (json_int_t)p.character);
}

json_t *range_to_json(const struct line_index *index, enum encoding encoding, size_t begin,
                      size_t end) {
  return json_pack("{s:o, s:o}", "start",
                   position_to_json(position_of_offset(index, encoding, begin)), "end",
                   position_to_json(position_of_offset(index, encoding, end)));
}

const char *encoding_name(enum encoding encoding) {
  switch (encoding) {
  case ENCODING_UTF8: return "utf-8";
  case ENCODING_UTF32: return "utf-32";
  case ENCODING_UTF16: break;
  }
  return "utf-16";
}
