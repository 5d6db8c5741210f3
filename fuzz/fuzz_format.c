/* Formatter: what it prints parses to the same tree, and formatting it again changes nothing. */
#include <string.h>

#include "fuzz.h"
#include "lang/format/ast_equal.h"
#include "lang/format/format.h"
#include "lang/syntax/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct lang lang;
  struct buffer once, twice;
  lang_init(&lang);
  buffer_init(&once);
  buffer_init(&twice);
  uint32_t file = sources_add(&lang.sources, "fuzz.dp", (const char *)data, size);
  struct ast_unit *unit = parse_unit(&lang, file);
  if (lang.diags.errors == 0) {
    format_unit(&once, &lang.sources, unit);
    file = sources_add(&lang.sources, "once.dp", buffer_text(&once), once.len);
    struct ast_unit *again = parse_unit(&lang, file);
    FUZZ_REQUIRE(lang.diags.errors == 0);
    FUZZ_REQUIRE(ast_equal_unit(unit, again));
    format_unit(&twice, &lang.sources, again);
    FUZZ_REQUIRE(strcmp(buffer_text(&once), buffer_text(&twice)) == 0);
  }
  buffer_clear(&once);
  buffer_clear(&twice);
  lang_clear(&lang);
  return 0;
}
