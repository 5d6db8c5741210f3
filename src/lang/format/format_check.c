#include <string.h>

#include "lang/format/ast_equal.h"
#include "lang/format/format.h"
#include "lang/syntax/parse.h"

/* Comments are kept in order, each as it was but for white space. */
static bool same_comments(const struct ast_unit *a, const struct source *a_source,
                          const struct ast_unit *b, const struct source *b_source) {
  bool same = a->comment_count == b->comment_count;
  struct buffer x, y;
  buffer_init(&x);
  buffer_init(&y);
  for (size_t i = 0; same && i < a->comment_count; i++) {
    struct span s = a->comments[i].span, t = b->comments[i].span;
    x.len = y.len = 0;
    format_comment(&x, a_source->text + s.begin, s.end - s.begin, 0);
    format_comment(&y, b_source->text + t.begin, t.end - t.begin, 0);
    same = x.len == y.len && memcmp(x.text, y.text, x.len) == 0;
  }
  buffer_clear(&x);
  buffer_clear(&y);
  return same;
}

bool format_keeps_meaning(const struct ast_unit *unit, const struct source *source,
                          const struct buffer *text) {
  struct lang again;
  lang_init(&again);
  uint32_t file = sources_add(&again.sources, "(formatted)", buffer_text(text), text->len);
  const struct ast_unit *other = parse_unit(&again, file);
  bool same = again.diags.errors == 0 && ast_equal_unit(unit, other) &&
              same_comments(unit, source, other, sources_get(&again.sources, file));
  lang_clear(&again);
  return same;
}
