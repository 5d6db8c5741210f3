/* Checker: ends on every tree the parser builds, with or without errors. Includes are left out, so
 * that the fuzzer cannot read files. */
#include "fuzz.h"
#include "lang/check/check.h"
#include "lang/syntax/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct lang lang;
  struct buffer out;
  lang_init(&lang);
  buffer_init(&out);
  uint32_t file = sources_add(&lang.sources, "fuzz.dp", (const char *)data, size);
  struct ast_unit *unit = parse_unit(&lang, file);
  struct ast_module *module = arena_new(&lang.arena, struct ast_module);
  module->units = arena_memdup(&lang.arena, &unit, sizeof unit);
  module->unit_count = 1;
  module->decls = arena_alloc(&lang.arena, unit->count * sizeof *unit->decls);
  for (size_t i = 0; i < unit->count; i++)
    if (unit->decls[i]->kind != DECL_INCLUDE) module->decls[module->decl_count++] = unit->decls[i];
  size_t errors = lang.diags.errors;
  bool good = check_module(&lang, module);
  FUZZ_REQUIRE(good == (lang.diags.errors == errors));
  diags_sort(&lang.diags);
  diags_render(&out, &lang.sources, &lang.diags, (struct diag_style){true});
  buffer_clear(&out);
  lang_clear(&lang);
  return 0;
}
