/* Parser: ends, and a file without errors has no hole in its tree and exact spans. */
#include <string.h>

#include "ast_dump.h"
#include "fuzz.h"
#include "lang/syntax/parse.h"
#include "span_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct lang lang;
  struct buffer out;
  lang_init(&lang);
  buffer_init(&out);
  uint32_t file = sources_add(&lang.sources, "fuzz.dp", (const char *)data, size);
  struct ast_unit *unit = parse_unit(&lang, file);
  dump_unit(&out, unit);
  if (lang.diags.errors == 0) {
    FUZZ_REQUIRE(!strstr(buffer_text(&out), "ERROR") || memmem(data, size, "ERROR", 5));
    check_spans(&lang, unit);
  }
  diags_render(&out, &lang.sources, &lang.diags, (struct diag_style){false});
  buffer_clear(&out);
  lang_clear(&lang);
  return 0;
}
