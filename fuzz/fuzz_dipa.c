/* Reader of .dipa files: ends, and refuses with an error or fills the model. */
#include "check/automaton/dipa.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct sources sources;
  struct diags diags;
  struct automaton a;
  struct buffer out;
  sources_init(&sources);
  diags_init(&diags);
  automaton_init(&a);
  buffer_init(&out);
  uint32_t file = sources_add(&sources, "fuzz.dipa", (const char *)data, size);
  bool good = dipa_read(&a, &sources, file, &diags);
  FUZZ_REQUIRE(good == (diags.errors == 0));
  FUZZ_REQUIRE(!good || a.start < a.states.len);
  for (size_t i = 0; good && i < a.edges.len; i++)
    FUZZ_REQUIRE(a.edges.at[i].from < a.states.len && a.edges.at[i].to < a.states.len);
  diags_render(&out, &sources, &diags, (struct diag_style){false});
  buffer_clear(&out);
  automaton_clear(&a);
  diags_clear(&diags);
  sources_clear(&sources);
  return 0;
}
