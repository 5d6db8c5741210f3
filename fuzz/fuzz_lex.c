/* Lexer: goes on to the end, tokens lie behind one another, unreadable text is reported. */
#include "fuzz.h"
#include "lang/syntax/lex.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct lang lang;
  lang_init(&lang);
  uint32_t file = sources_add(&lang.sources, "fuzz.dp", (const char *)data, size);
  struct lexer lexer;
  lexer_init(&lexer, &lang, file);
  uint32_t at = 0;
  struct token t;
  do {
    t = lexer_next(&lexer);
    FUZZ_REQUIRE(at <= t.begin && t.begin <= t.end && t.end <= size);
    FUZZ_REQUIRE(t.kind == TOKEN_END || t.begin < t.end);
    FUZZ_REQUIRE(t.kind != TOKEN_NAME || t.text);
    FUZZ_REQUIRE(!t.after_error || lang.diags.errors > 0);
    FUZZ_REQUIRE((t.kind != TOKEN_NUMBER && t.kind != TOKEN_STRING) || t.text || t.after_error);
    at = t.end;
  } while (t.kind != TOKEN_END);
  lexer_clear(&lexer);
  lang_clear(&lang);
  return 0;
}
