#include "lsp/scan.h"

#include <string.h>

/* A comment that goes up to the offset, and would go on. */
static bool is_open_comment(const struct document *d, struct span comment, uint32_t offset) {
  bool is_block = d->text[comment.begin + 1] == '*';
  bool is_closed = is_block && comment.end - comment.begin >= 4 &&
                   memcmp(d->text + comment.end - 2, "*/", 2) == 0;
  return comment.end == offset && !is_closed;
}

static bool is_typed(enum token_kind kind) {
  return kind == TOKEN_NAME || token_is_word(kind) || kind == TOKEN_STRING || kind == TOKEN_NUMBER;
}

enum scan_place scan_before(const struct document *d, uint32_t offset, scan_token *take,
                            void *context) {
  enum scan_place place = SCAN_CODE;
  struct lang lang;
  struct lexer lexer;
  lang_init(&lang);
  uint32_t file = sources_add(&lang.sources, d->path, d->text, offset);
  lexer_init(&lexer, &lang, file);
  for (;;) {
    struct token t = lexer_next(&lexer);
    if (t.kind == TOKEN_END && t.comment_end > t.comment_begin &&
        is_open_comment(d, lexer.comments.at[t.comment_end - 1].span, offset))
      place = SCAN_COMMENT;
    bool at_cursor = t.end == offset && is_typed(t.kind);
    if (at_cursor && t.kind == TOKEN_STRING) place = SCAN_STRING;
    if (at_cursor && t.kind == TOKEN_NUMBER) place = SCAN_NUMBER;
    if (t.kind == TOKEN_END || at_cursor) break;
    take(context, t);
  }
  lexer_clear(&lexer);
  lang_clear(&lang);
  return place;
}
